"""Find out which game is played, for players who have a reservation and nothing else.

A ``<state>`` alone tells it.
"""

from __future__ import annotations

from spielleiter.games import recognition
from spielleiter.rules import AnyGame
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import ReplayError


def recognise(state: Element, expected: AnyGame | None = None) -> AnyCodec | None:
    """Return the codec that fits best, or None if no game can read this.

    Of several variants it is the expected one's.
    """
    try:
        codec = recognition.recognise([state], expected)
    except ReplayError:
        return None
    if expected is not None and expected.game_type == codec.game.game_type:
        own: AnyCodec = expected.codecs.get(codec.revision, codec)
        return own
    return codec
