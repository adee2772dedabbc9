"""The house bots by name, and the code of the first two.

Read ``greedy`` as a first lesson in writing one. The stronger two are in ``planner.py`` and
``searcher.py``.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise
from types import MappingProxyType

from spielleiter.games.hase_und_igel.bots.planner import PlannerPlayer
from spielleiter.games.hase_und_igel.bots.searcher import SearcherPlayer
from spielleiter.games.hase_und_igel.rules.board import Board, Field
from spielleiter.games.hase_und_igel.rules.moves import Card, HareMove
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState
from spielleiter.rules import Clock, PlayerFactory


class RandomPlayer:
    """Plays any legal move, all equally likely."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: HareState, clock: Clock) -> HareMove:  # noqa: ARG002
        return self._random.choice(state.legal_moves())


class GreedyPlayer:
    """Tries every legal move and keeps the one after which the way to the goal looks shortest.

    That is all there is to a first bot: a list of moves, a number for each, the best one. What
    makes it play well or badly is the number, ``turns_to_goal``. It never asks what the opponent
    will do.
    """

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def choose(self, state: HareState, clock: Clock) -> HareMove:  # noqa: ARG002
        def value(move: HareMove) -> float:
            me = state.play(move).hares[state.seat]
            # The tiny random part decides between equals, and breaks circles of moves that undo
            # each other.
            return turns_to_goal(state.board, me) + self._random.random() / 1000

        return min(state.legal_moves(), key=value)


# What greedy believes about the game. Change these and let it play against the old one.
CARROTS_PER_TURN = 20
"""What a turn spent on carrots brings. A carrot field brings 10, falling back 40 and more."""
CARROTS_PER_SALAD = 20
"""What eating a salad brings on average. It is 10 when ahead and 30 when behind."""
TURNS_PER_DETOUR = 3
"""What eating twice on one salad field takes, as a hare goes back, forward again, and eats."""


def turns_to_goal(board: Board, hare: Hare) -> float:
    """Estimate how many more turns this hare needs if nobody is in its way."""
    goal = len(board) - 1
    if hare.position == goal:
        return 0

    # A salad must be eaten on each of the next salad fields, except for the one the card takes care
    # of and the one in front of our nose. What does not fit on the fields ahead costs a detour
    # each.
    eats_now = board[hare.position] is Field.SALAD and not hare.has_just_eaten
    to_carry = max(0, hare.salads - eats_now - (Card.EAT_SALAD in hare.cards))
    ahead = [index for index in range(hare.position + 1, goal) if board[index] is Field.SALAD]
    stops = [hare.position, *ahead[:to_carry], goal]
    turns = hare.salads + TURNS_PER_DETOUR * max(0, to_carry - len(ahead))

    # Begin with one leap per leg. As long as that is too dear, halve what hurts most: many small
    # steps cost fewer carrots than a few large ones. Stop when a turn spent on collecting carrots
    # brings more.
    legs = [[after - before, 1] for before, after in pairwise(stops)]
    stock = hare.carrots + CARROTS_PER_SALAD * hare.salads
    price = sum(_price(*leg) for leg in legs)
    while price > stock:
        saving, leg = max(
            (_price(length, count) - _price(length, count + 1), place)
            for place, (length, count) in enumerate(legs)
        )
        if saving <= CARROTS_PER_TURN:
            break
        legs[leg][1] += 1
        price -= saving

    # Missing carrots have to be collected, superfluous ones dropped: the goal wants at most ten.
    missing, superfluous = max(0, price - stock), max(0, stock - price - 10)
    return turns + sum(count for _, count in legs) + (missing + superfluous) / CARROTS_PER_TURN


def _price(length: int, count: int) -> float:
    """Return the carrots for ``length`` fields in ``count`` equal steps.

    A step of n fields costs n(n+1)/2.
    """
    return length * (length / count + 1) / 2


PLAYERS: Mapping[str, PlayerFactory] = MappingProxyType(
    {
        "random": RandomPlayer,
        "greedy": GreedyPlayer,
        "planner": PlannerPlayer,
        "searcher": SearcherPlayer,
    }
)
"""Weakest first."""
