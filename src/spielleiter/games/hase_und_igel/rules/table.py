"""The moves of a season, made once, so that listing moves only looks them up."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.moves import (
    Action,
    Advance,
    Card,
    ExchangeCarrots,
    HareMove,
    PlayCard,
)
from spielleiter.rules.frozen import frozen

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.rules.seasons import Season

# Every card sequence there can be is a place in a table: jumps (none, H, F, HF, FH), then how it
# ends. A chain is numbered endings * jumps + ending, so that going on from a jump is arithmetic.
_H, _F = Card.HURRY_AHEAD, Card.FALL_BACK
_JUMPS: tuple[tuple[Card, ...], ...] = ((), (_H,), (_F,), (_H, _F), (_F, _H))
EAT_ENDING = 1


@frozen(eq=False)
class Table:
    """The moves of a season, made once, so that equal moves are one object."""

    moves: tuple[tuple[HareMove, ...], ...]
    """Every move that begins with an advance, by distance and chain."""
    endings: int
    """How many ways there are to end a chain.

    They are to play no more card, to eat the salad, and each value of TAKE_OR_DROP_CARROTS.
    """
    takes: tuple[tuple[int, int], ...]
    """The numbers of the endings that change the carrots, each with its value."""
    exchanges: tuple[tuple[HareMove, int], ...]


@cache
def table_of(season: Season) -> Table:
    """Return the moves of a season."""
    values = season.take_or_drop_values
    endings: tuple[tuple[Action, ...], ...] = (
        (),
        (PlayCard(Card.EAT_SALAD),),
        *((PlayCard(Card.TAKE_OR_DROP_CARROTS, value),) for value in values),
    )
    moves = tuple(
        tuple(
            HareMove((Advance(distance), *(PlayCard(card) for card in jumps), *ending))
            for jumps in _JUMPS
            for ending in endings
        )
        for distance in range(season.length)
    )
    exchanges = tuple(
        (HareMove((ExchangeCarrots(value),)), value) for value in season.exchange_values
    )
    return Table(moves, len(endings), tuple(enumerate(values, EAT_ENDING + 1)), exchanges)
