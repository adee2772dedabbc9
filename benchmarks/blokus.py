"""Measure the Blokus rules on positions of random matches.

Wire and server are measured elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from benchmarks.measure import Case
from spielleiter.games.blokus import GAMES, BlokusMove, BlokusState, Color
from spielleiter.games.blokus.bots.players import PLAYERS
from spielleiter.games.blokus.rules.bitboard import pick_placement
from spielleiter.games.blokus.rules.state import placed
from spielleiter.match import PlayerSeat, play_match
from spielleiter.wire.wording import wording_for

T = TypeVar("T")
GAME = GAMES[0]
SAMPLE_MATCHES = 20
MIDDLE = range(20, 41)
"""Turns of the middle of a match, with five to ten pieces placed and most corners open."""


def random_match(random: Random, seed: int) -> list[BlokusState]:
    """Return all positions of one match in which every placement is equally likely."""
    state = GAME.start(seed)
    states = [state]
    while not state.is_over:
        move = placed(state.color, *pick_placement(state.placements(), random))
        state = state.play_unchecked(move)
        states.append(state)
    return states


def each(work: Callable[[T], object], items: Sequence[T]) -> Callable[[], int]:
    """Return a batch that does the work on every item."""

    def run() -> int:
        for item in items:
            work(item)
        return len(items)

    return run


def random_matches(count: int) -> int:
    random = Random(count)
    for seed in range(count):
        random_match(random, seed)
    return count


def greedy_match() -> int:
    seats = (PlayerSeat(PLAYERS["greedy"](1)), PlayerSeat(PLAYERS["random"](2)))
    play_match(GAME.start(1), seats, wording_for(GAME, ("greedy", "random")))
    return 1


def cases() -> list[Case]:
    random = Random("blokus positions")
    matches = [random_match(random, seed) for seed in range(SAMPLE_MATCHES)]
    running = [state for states in matches for state in states if not state.is_over]
    middle = [state for state in running if state.turn in MIDDLE]
    colors = [(state, color) for state in running for color in Color]
    legal: list[tuple[BlokusState, BlokusMove]] = [
        (state, random.choice(state.legal_moves())) for state in running
    ]
    mixed = [(state, random.choice(legal)[1]) for state, _ in legal]
    texts = [GAME.format_position(state) for state in running[::10]]
    return [
        Case(
            "legal moves as bit sets, middle",
            each(BlokusState.placements, middle),
            "position",
            "≤ 60 µs",
        ),
        Case("legal_moves(), middle", each(BlokusState.legal_moves, middle), "position"),
        Case("full random game", lambda: random_matches(20), "game", "≤ 4 ms (250/s)"),
        Case(
            "check a legal move",
            each(lambda pair: pair[0].is_legal(pair[1]), legal),
            "move",
            "≤ 15 µs",
        ),
        Case(
            "check any move", each(lambda pair: pair[0].is_legal(pair[1]), mixed), "move", "≤ 15 µs"
        ),
        Case(
            "has this colour a move",
            each(lambda pair: pair[0].can_place(pair[1]), colors),
            "colour",
            "≤ 20 µs",
        ),
        Case("play(), checked", each(lambda pair: pair[0].play(pair[1]), legal), "move"),
        Case("play_unchecked()", each(lambda pair: pair[0].play_unchecked(pair[1]), legal), "move"),
        Case("parse_position()", each(GAME.parse_position, texts), "position"),
        Case("greedy against random", greedy_match, "game"),
    ]
