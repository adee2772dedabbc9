"""Measure what ``play_match`` costs beside a bare loop that knows no referee.

The counting game has no rules to speak of, so that the difference of its two rows is the loop
itself. The other rows show what is left of that in a match of house bots.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from benchmarks.measure import Case
from spielleiter.games import DEFAULT, get_game
from spielleiter.match import PlayerSeat, play_match
from spielleiter.rules import AnyGame, AnyState, FreeClock, Outcome, Player, SeatOutcome, Text
from spielleiter.wire.wording import PlainWording, wording_for

COUNT = 2000
NAMES = ("A", "B")
_DRAW = Outcome((SeatOutcome(1, (0,)), SeatOutcome(1, (0,))), None, "COUNTED", Text("aus", "over"))


class _CountingGame:
    seats = 2


class _Counting:
    """A position that knows how often it was played on."""

    __slots__ = ("is_over", "seat", "turn")
    game = _CountingGame()

    def __init__(self, turn: int = 0) -> None:
        self.turn = turn
        self.seat = turn % 2
        self.is_over = turn == COUNT

    def play(self, move: int) -> _Counting:
        return _Counting(self.turn + move)

    def outcome(self) -> Outcome:
        return _DRAW


class _Counter:
    def choose(self, state: Any, clock: object) -> int:  # noqa: ARG002 - a player gets it
        return 1


def play_bare(state: Any, players: Sequence[Player]) -> int:
    """Play as nobody should who wants to know who broke a rule, and return the number of moves."""
    moves = 0
    while not state.is_over:
        state = state.play(players[state.seat].choose(state, FreeClock()))
        moves += 1
    return moves


def _counted(state: Any) -> int:
    seats = [PlayerSeat(_Counter()), PlayerSeat(_Counter())]
    return len(play_match(state, seats, PlainWording(NAMES)).records)


def _players(game: AnyGame) -> list[Player]:
    return [game.players["greedy"](1), game.players["random"](2)]


def _matched(game: AnyGame, start: AnyState) -> int:
    seats = [PlayerSeat(player) for player in _players(game)]
    return len(play_match(start, seats, wording_for(game, NAMES)).records)


def cases() -> list[Case]:
    game = get_game(DEFAULT)
    start: AnyState = game.start(1)
    rows: list[tuple[str, Callable[[], int]]] = [
        ("counting, bare loop", lambda: play_bare(_Counting(), (_Counter(), _Counter()))),
        ("counting, play_match", lambda: _counted(_Counting())),
        ("greedy against random, bare loop", lambda: play_bare(start, _players(game))),
        ("greedy against random, play_match", lambda: _matched(game, start)),
    ]
    return [Case(name, run, "move") for name, run in rows]
