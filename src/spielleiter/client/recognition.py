"""Which game is this? Told from a ``<state>`` alone, for players who were given a reservation and nothing else.

No game is named here: each codec reads the state and writes it again, and the one whose own writing looks
most like what came is the one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from spielleiter.games import all_games
from spielleiter.protocol.stream import MessageStream
from spielleiter.rules import Codec, CodecError, Element, Game

AnyCodec = Codec[Any, Any]
AnyGame = Game[Any, Any]


def recognise(state: Element, expected: AnyGame | None = None) -> AnyCodec | None:
    """The codec that fits best, None if no game can read this. Of equally good ones, the expected game's first."""
    best: AnyCodec | None = None
    least = 0
    for codec in _candidates(expected):
        strangeness = _strangeness(codec, state)
        if strangeness is None or (best is not None and strangeness >= least):
            continue
        best, least = codec, strangeness
        if strangeness == 0:
            break
    return best


def variants(game: AnyGame) -> Iterator[AnyGame]:
    """The other games that share this one's game type, and so cannot be told from it on the wire."""
    return (other for other in all_games() if other.game_type == game.game_type and other.id != game.id)


def _candidates(expected: AnyGame | None) -> Iterator[AnyCodec]:
    first = () if expected is None else (expected,)
    for game in (*first, *(game for game in all_games() if game is not expected)):
        yield from game.codecs.values()


def _strangeness(codec: AnyCodec, state: Element) -> int | None:
    """How many parts the codec would have written otherwise; None if it cannot read the state at all."""
    try:
        received = codec.decode_state(state)
    except CodecError:
        return None
    text = codec.encode_state(received.state, received.names, received.hints)
    return len(_parts(_parse(text)) ^ _parts(state))


def _parts(state: Element) -> set[str]:
    return {f"@{name}" for name in state.attributes} | {child.tag for child in state.children}


def _parse(text: str) -> Element:
    stream = MessageStream()
    stream.receive_data(f"<r>{text}".encode())
    (element,) = stream.events_received()
    assert isinstance(element, Element)
    return element
