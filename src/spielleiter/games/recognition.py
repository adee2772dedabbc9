"""Find out which game, season and revision a recorded position belongs to.

What is in it decides, and not the name of a file.

Positions of different seasons can be readable for each other's codecs, at least before the first
move. So every codec there is writes a first position of its own, and the one whose attributes and
children are most like the recorded ones is taken, if it can read them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from spielleiter.games import all_games
from spielleiter.rules import AnyGame
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ReplayError
from spielleiter.wire.stream import parse_element

_MOST_NAMES = 100
"""Compared in their order, which costs the square of their number."""


def recognise(samples: Sequence[Element], expected: AnyGame | None = None) -> AnyCodec:
    """Return the codec for these ``<state>`` elements of one recording.

    The expected game is taken if nothing fits better. Raises ReplayError if there is none.
    """
    own: Iterable[AnyCodec] = () if expected is None else expected.codecs.values()
    for codec in own:
        if _fits_perfectly(codec, samples):  # so that no other game has to be loaded
            return codec
    best: tuple[tuple[int, float, float], AnyCodec] | None = None
    for codec in _codecs():
        # Being readable counts before being alike. A server may have added elements that make its
        # positions look strange, and still only one codec reads them. Likeness decides between
        # codecs that read them all, as those of two seasons do before the first move.
        score = (sum(_reads(codec, state) for state in samples), *_likeness(codec, samples[0]))
        if best is None or score > best[0]:
            best = score, codec
    if best is None:
        raise ReplayError("no game is installed that could read it")
    (readable, *_), codec = best
    if not readable:
        raise ReplayError(
            f"its positions are of no game known here; as {codec.game.title}: "
            f"{_fault(codec, samples[0])}"
        )
    return codec


def variants(codec: AnyCodec) -> Iterator[AnyCodec]:
    """Return the same revision in all variants of the game type, the default first."""
    for game in all_games():
        if game.game_type == codec.game.game_type and codec.revision in game.codecs:
            yield game.codecs[codec.revision]


def _codecs() -> Iterator[AnyCodec]:
    """Return the default variant of each game type, in every revision."""
    seen = set()
    for game in all_games():
        if game.game_type not in seen:
            seen.add(game.game_type)
            yield from game.codecs.values()


def _fits_perfectly(codec: AnyCodec, samples: Sequence[Element]) -> bool:
    """Return whether no codec can read more of the samples or be more like them."""
    own = _names_written(codec.game, codec.revision)
    return _names(samples[0]) == own and all(_reads(codec, state) for state in samples)


def _reads(codec: AnyCodec, state: Element) -> bool:
    return _fault(codec, state) is None


def _fault(codec: AnyCodec, state: Element) -> str | None:
    try:
        codec.decode_state(state)
    except CodecError as error:
        return str(error)
    return None


def _likeness(codec: AnyCodec, state: Element) -> tuple[float, float]:
    """Return how many names both have of those either has, then how alike their order is.

    Names that no codec writes are left out, because they fit no codec better than another (W35).
    """
    known = _vocabulary(all_games())
    own = _names_written(codec.game, codec.revision)
    other = tuple(name for name in _names(state) if name in known)[:_MOST_NAMES]
    common = len(set(own) & set(other)) / len(set(own) | set(other))
    # Imported on first use, because a player whose game is known does not come here.
    from difflib import SequenceMatcher

    return common, SequenceMatcher(None, own, other, autojunk=False).ratio()


@cache
def _names_written(game: AnyGame, revision: str) -> tuple[str, ...]:
    # The names are taken from what the codec writes, not from a table, which would be a second
    # place to keep right, and one more thing for the author of a game to know about.
    written = game.codecs[revision].encode_state(game.start(0), ("",) * game.seats)
    return _names(parse_element(written))


@cache
def _vocabulary(games: tuple[AnyGame, ...]) -> frozenset[str]:
    written = (_names_written(game, revision) for game in games for revision in game.codecs)
    return frozenset(name for names in written for name in names)


def _names(state: Element) -> tuple[str, ...]:
    return (*(f"@{name}" for name in state.attributes), *(child.tag for child in state.children))
