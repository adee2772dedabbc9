"""Turn bytes into messages and back, without I/O, without a clock and without a game.

``stream`` cuts bytes into elements, ``requests`` and ``responses`` turn elements into ``messages``
and back, ``writer`` puts packets in their places, ``dialects`` says what seasons may do
differently, ``replay`` reads recordings.
"""

DEFAULT_PORT = 13050
"""Where the official servers listen, and ours, and where bots look for them."""
