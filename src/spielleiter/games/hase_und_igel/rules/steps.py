"""Everything a hare can legally do, as plain tuples.

This is the fast inner form behind ``HareState.legal_moves()``.

A search that visits many positions works on Runner tuples and never builds a state; see
docs/decisions/hase-und-igel-speed.md. Nothing here checks its input. ``judge.py`` does that, and
shares no code with this module on purpose.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.rules.board import (
    TO_GOAL,
    TO_HARE,
    TO_SALAD,
    Field,
    Track,
)
from spielleiter.games.hase_und_igel.rules.moves import (
    Card,
    EatSalad,
    FallBack,
    HareMove,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.table import EAT_ENDING, Table

Runner = tuple[int, int, int, int, bool]
"""The position, carrots, salads and cards of a hare, and whether it must eat now.

The cards are bits (see ``CARD_BITS``).
"""

Step = tuple[HareMove, int, int, int, int, bool]
"""A move and the Runner it makes of the hare, before any bonus at the start of its next turn."""

CARD_BITS = {card: 1 << place for place, card in enumerate(Card)}
_TAKE, _EAT, _HURRY, _BACK = CARD_BITS.values()

# Which jumps of the table come after which, by playing the card.
_AFTER_HURRY = {0: 1, 2: 4}
_AFTER_BACK = {0: 2, 1: 3}

_EAT_MOVE = HareMove((EatSalad(),))
_FALL_BACK_MOVE = HareMove((FallBack(),))
SKIP_MOVE = HareMove((Skip(),))


def steps(track: Track, runner: Runner, other: int) -> list[Step]:
    """Return every legal move of ``runner`` against a hare on field ``other``.

    Each comes with what it makes of the runner, in the order of ``HareState.legal_moves()``.
    """
    position, carrots, salads, cards, must_eat = runner
    season = track.season
    # A hare that has to eat has no other legal move.
    if must_eat:
        gain = salad_gain(season, position, other)
        return [(_EAT_MOVE, position, carrots + gain, salads - 1, cards, False)]
    table = track.table
    moves = table.moves
    found: list[Step] = []
    add = found.append
    for distance, cost, target, demand in track.advances[position]:
        # Advances come nearest first, and a longer one costs more.
        if cost > carrots:
            break
        if demand == 0:
            if target != other:
                add((moves[distance][0], target, carrots - cost, salads, cards, False))
        elif demand == TO_HARE:
            if target != other and cards:
                hare = (target, carrots - cost, salads, cards)
                _chains(track, table, found, moves[distance], 0, hare, other)
        elif demand == TO_SALAD:
            if target != other and salads:
                add((moves[distance][0], target, carrots - cost, salads, cards, True))
        # What is left is the goal, which may be entered although the other hare stands there.
        elif not salads and carrots - cost <= season.goal_carrots:
            add((moves[distance][0], target, carrots - cost, salads, cards, False))
    if track.board[position] is Field.CARROT:
        for move, value in table.exchanges:
            if carrots + value >= 0:
                add((move, position, carrots + value, salads, cards, False))
    hedgehog = track.hedgehog_behind[position]
    if hedgehog >= 0 and hedgehog != other:
        gain = season.retreat_gain * (position - hedgehog)
        add((_FALL_BACK_MOVE, hedgehog, carrots + gain, salads, cards, False))
    if not found:
        add((SKIP_MOVE, position, carrots, salads, cards, False))
    return found


def _chains(
    track: Track,
    table: Table,
    found: list[Step],
    moves: tuple[HareMove, ...],
    jumps: int,
    hare: tuple[int, int, int, int],
    other: int,
) -> None:
    """Add every way to go on by cards from a hare field just entered.

    It adds nothing if no card can be played, and then the field cannot be entered (H16).
    """
    position, carrots, salads, cards = hare
    # ``moves`` is a flat table with a block of endings for each sequence of jumps.
    chain = table.endings * jumps
    if cards & _TAKE:
        rest = cards & ~_TAKE
        for ending, value in table.takes:
            left = carrots + value
            if left >= 0:
                found.append((moves[chain + ending], position, left, salads, rest, False))
    if cards & _EAT and salads:
        gain = salad_gain(track.season, position, other)
        found.append(
            (moves[chain + EAT_ENDING], position, carrots + gain, salads - 1, cards & ~_EAT, False)
        )
    # A hare is either behind or ahead, so at most one of the two jumps can be played.
    if cards & _HURRY and position < other:
        target, rest, after = other + 1, cards & ~_HURRY, _AFTER_HURRY
        if target == len(track.board):
            return
    elif cards & _BACK and position > other:
        target, rest, after = other - 1, cards & ~_BACK, _AFTER_BACK
        if target < 1:
            return
    else:
        return
    demand = track.demands[target]
    if demand == TO_HARE:
        _chains(track, table, found, moves, after[jumps], (target, carrots, salads, rest), other)
    elif demand == 0:
        found.append((moves[table.endings * after[jumps]], target, carrots, salads, rest, False))
    elif demand == TO_SALAD:
        if salads:
            found.append((moves[table.endings * after[jumps]], target, carrots, salads, rest, True))
    elif demand == TO_GOAL and not salads and carrots <= track.season.goal_carrots:
        found.append((moves[table.endings * after[jumps]], target, carrots, salads, rest, False))


def salad_gain(season: Season, position: int, other: int) -> int:
    """Return the carrots for eating a salad, few for the leader and many for the one behind."""
    return season.first_gain if position > other else season.second_gain


def turn_bonus(season: Season, field: Field, position: int, other: int) -> int:
    """Return the carrots that a hare is given as its turn comes up (H12).

    It gets them for standing on the position field of its rank.
    """
    if field is Field.POSITION_1:
        return season.first_gain if position > other else 0
    if field is Field.POSITION_2:
        return season.second_gain if position < other else 0
    return 0
