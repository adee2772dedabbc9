"""Say what results tell, and how surely. These are pure functions on numbers.

``strength`` and ``sprt`` are about two bots, ``ratings`` and ``standings`` about many, and
``conclusion`` puts figures into plain words.
"""
