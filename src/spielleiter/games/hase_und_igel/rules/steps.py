"""Everything a hare can legally do, as plain tuples: the fast inner form behind
``HareState.legal_moves()``.

A search that visits many positions works on Runner tuples and never builds a state; see
docs/decisions/hase-und-igel-speed.md. Nothing here checks its input: ``judge.py`` does,
independently.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.rules.board import (
    GOAL_INDEX,
    LENGTH,
    TO_GOAL,
    TO_HARE,
    TO_SALAD,
    Field,
    Track,
)
from spielleiter.games.hase_und_igel.rules.moves import (
    EXCHANGE_VALUES,
    TAKE_OR_DROP_VALUES,
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    PlayCard,
    Skip,
)

Runner = tuple[int, int, int, int, bool]
"""A hare: position, carrots, salads, cards as bits (see ``CARD_BITS``), whether it must eat now."""

Step = tuple[HareMove, int, int, int, int, bool]
"""A move and the Runner it makes of the hare, before any bonus at the start of its next turn."""

CARD_BITS = {card: 1 << place for place, card in enumerate(Card)}
_TAKE, _EAT, _HURRY, _BACK = CARD_BITS.values()

GOAL_CARROTS = 10  # H1
FIRST_GAIN, SECOND_GAIN = 10, 30
"""Carrots for a salad or a position field, by rank."""
RETREAT_GAIN = 10

# Every card sequence there can be is a place in this table: jumps (none, H, F, HF, FH), then how it
# ends. A chain is numbered 5 * jumps + ending, so that going on from a jump is arithmetic.
_H, _F = Card.HURRY_AHEAD, Card.FALL_BACK
_JUMPS: tuple[tuple[Card, ...], ...] = ((), (_H,), (_F,), (_H, _F), (_F, _H))
_AFTER_HURRY = {0: 1, 2: 4}
_AFTER_BACK = {0: 2, 1: 3}
_TAKE_ENDING, _EAT_ENDING = 1, 4
_ENDINGS: tuple[tuple[Action, ...], ...] = (
    (),
    *((PlayCard(Card.TAKE_OR_DROP_CARROTS, value),) for value in TAKE_OR_DROP_VALUES),
    (PlayCard(Card.EAT_SALAD),),
)

MOVES: tuple[tuple[HareMove, ...], ...] = tuple(
    tuple(
        HareMove((Advance(distance), *(PlayCard(card) for card in jumps), *ending))
        for jumps in _JUMPS
        for ending in _ENDINGS
    )
    for distance in range(LENGTH)
)
"""Every move that begins with an advance, by distance and chain, made once: equal moves are one
object.
"""

_EXCHANGES = tuple(HareMove((ExchangeCarrots(value),)) for value in EXCHANGE_VALUES)
_EAT_MOVE = HareMove((EatSalad(),))
_FALL_BACK_MOVE = HareMove((FallBack(),))
SKIP_MOVE = HareMove((Skip(),))


def steps(track: Track, runner: Runner, other: int) -> list[Step]:
    """Every legal move of ``runner`` against a hare on field ``other``, with what it makes of the
    runner.

    Order: advances, nearest first, each on a hare field with its card sequences (cards in the order
    of ``Card``, values 20, 0, -20); exchange +10, -10; eat; fall back. Skip if there is nothing
    else.
    """
    position, carrots, salads, cards, must_eat = runner
    if must_eat:
        return [
            (_EAT_MOVE, position, carrots + salad_gain(position, other), salads - 1, cards, False)
        ]
    found: list[Step] = []
    add = found.append
    for distance, cost, target, demand in track.advances[position]:
        if cost > carrots:
            break
        if demand == 0:
            if target != other:
                add((MOVES[distance][0], target, carrots - cost, salads, cards, False))
        elif demand == TO_HARE:
            if target != other and cards:
                _chains(
                    track, found, MOVES[distance], 0, (target, carrots - cost, salads, cards), other
                )
        elif demand == TO_SALAD:
            if target != other and salads:
                add((MOVES[distance][0], target, carrots - cost, salads, cards, True))
        elif not salads and carrots - cost <= GOAL_CARROTS:
            add((MOVES[distance][0], target, carrots - cost, salads, cards, False))
    if track.board[position] is Field.CARROT:
        add((_EXCHANGES[0], position, carrots + 10, salads, cards, False))
        if carrots >= 10:
            add((_EXCHANGES[1], position, carrots - 10, salads, cards, False))
    hedgehog = track.hedgehog_behind[position]
    if hedgehog >= 0 and hedgehog != other:
        gain = RETREAT_GAIN * (position - hedgehog)
        add((_FALL_BACK_MOVE, hedgehog, carrots + gain, salads, cards, False))
    if not found:
        add((SKIP_MOVE, position, carrots, salads, cards, False))
    return found


def _chains(
    track: Track,
    found: list[Step],
    moves: tuple[HareMove, ...],
    jumps: int,
    hare: tuple[int, int, int, int],
    other: int,
) -> None:
    """Add every way to go on by cards from a hare field just entered; none if no card can be played
    (H16).
    """
    position, carrots, salads, cards = hare
    chain = 5 * jumps
    if cards & _TAKE:
        rest = cards & ~_TAKE
        found.append((moves[chain + _TAKE_ENDING], position, carrots + 20, salads, rest, False))
        found.append((moves[chain + _TAKE_ENDING + 1], position, carrots, salads, rest, False))
        if carrots >= 20:
            found.append(
                (moves[chain + _TAKE_ENDING + 2], position, carrots - 20, salads, rest, False)
            )
    if cards & _EAT and salads:
        gain = salad_gain(position, other)
        found.append(
            (moves[chain + _EAT_ENDING], position, carrots + gain, salads - 1, cards & ~_EAT, False)
        )
    if cards & _HURRY and position < other:
        target, rest, after = other + 1, cards & ~_HURRY, _AFTER_HURRY
        if target > GOAL_INDEX:
            return
    elif cards & _BACK and position > other:
        target, rest, after = other - 1, cards & ~_BACK, _AFTER_BACK
        if target < 1:
            return
    else:
        return
    demand = track.demands[target]
    if demand == TO_HARE:
        _chains(track, found, moves, after[jumps], (target, carrots, salads, rest), other)
    elif demand == 0:
        found.append((moves[5 * after[jumps]], target, carrots, salads, rest, False))
    elif demand == TO_SALAD:
        if salads:
            found.append((moves[5 * after[jumps]], target, carrots, salads, rest, True))
    elif demand == TO_GOAL and not salads and carrots <= GOAL_CARROTS:
        found.append((moves[5 * after[jumps]], target, carrots, salads, rest, False))


def salad_gain(position: int, other: int) -> int:
    """Carrots for eating a salad: few for the leader, many for the one behind."""
    return FIRST_GAIN if position > other else SECOND_GAIN


def turn_bonus(field: Field, position: int, other: int) -> int:
    """Carrots a hare is given as its turn comes up, for standing on the position field of its rank
    (H12).
    """
    if field is Field.POSITION_1:
        return FIRST_GAIN if position > other else 0
    if field is Field.POSITION_2:
        return SECOND_GAIN if position < other else 0
    return 0
