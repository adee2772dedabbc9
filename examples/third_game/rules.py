"""The rules of Vier gewinnt.

There are seven columns and six rows. Red begins. In turn each player drops a stone into a column,
where it falls on the topmost stone. Whoever has four in a row (across, upwards or diagonally) wins,
and a full board is a draw. Nothing here knows texts or XML.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from spielleiter.rules import DRAW, LOSS, WIN, Outcome, RuleViolation, SeatOutcome, State, Text

if TYPE_CHECKING:
    from .game import FourInARow

WIDTH, HEIGHT, LINE = 7, 6, 4
LETTERS = "abcdefg"
"""What the columns are called, from the left."""
STONES = "RY"
"""Each seat's stone."""
NEUTRAL = "#"
EMPTY = "."


@dataclass(frozen=True, slots=True)
class Variant:
    """What may differ between two games of one kind. No rule asks for a variant's name."""

    id: str
    title: str
    neutral_stones: int = 0
    """How many stones of nobody lie on the bottom row at the start, in columns chosen by the seed.
    """


@dataclass(frozen=True, slots=True)
class Drop:
    """The only kind of move, a stone into a column, which is 0 to 6 from the left."""

    column: int

    def __str__(self) -> str:
        return LETTERS[self.column] if 0 <= self.column < WIDTH else f"column {self.column}"


VIOLATIONS = {
    "GAME_OVER": Text("Das Spiel ist vorbei", "The game is over"),
    "NO_SUCH_COLUMN": Text("Diese Spalte gibt es nicht", "There is no such column"),
    "COLUMN_FULL": Text("Diese Spalte ist voll", "This column is full"),
}

REASONS = {
    "FOUR": Text("{name} hat vier in einer Reihe.", "{name} has four in a row."),
    "BOARD_FULL": Text("Das Brett ist voll.", "The board is full."),
    "RUNNING": Text("Das Spiel läuft noch.", "The game is still running."),
}

SEAT_NAMES = (Text("Rot", "Red"), Text("Gelb", "Yellow"))


@dataclass(frozen=True, slots=True)
class Position(State[Drop]):
    """A position of the game.

    A column is its stones from the bottom to the top, as letters of ``STONES`` and ``NEUTRAL``.
    Whose turn it is follows from the stones, so the two can never contradict each other.
    """

    variant: Variant
    columns: tuple[str, ...]
    last_move: Drop | None = None

    @property
    def game(self) -> FourInARow:
        from .game import game_of

        return game_of(self.variant)

    @property
    def turn(self) -> int:
        return sum(len(column) - column.count(NEUTRAL) for column in self.columns)

    @property
    def round(self) -> int:
        return self.turn // 2 + 1

    @property
    def seat(self) -> int:
        return self.turn % 2

    @property
    def is_over(self) -> bool:
        return self.winner is not None or self.free == 0

    @property
    def free(self) -> int:
        """How many squares are empty."""
        return WIDTH * HEIGHT - sum(map(len, self.columns))

    @property
    def winner(self) -> int | None:
        """The seat with four in a row, None if there is none."""
        return find_four(self.columns)

    def legal_moves(self) -> list[Drop]:
        """Return all columns with room, from left to right."""
        if self.is_over:
            return []
        return [Drop(number) for number, column in enumerate(self.columns) if len(column) < HEIGHT]

    def play(self, move: Drop) -> Position:
        rule = self._broken_rule(move)
        if rule is not None:
            raise RuleViolation(rule, VIOLATIONS[rule])
        columns = list(self.columns)
        columns[move.column] += STONES[self.seat]
        return replace(self, columns=tuple(columns), last_move=move)

    def _broken_rule(self, move: Drop) -> str | None:
        if self.is_over:
            return "GAME_OVER"
        if not 0 <= move.column < WIDTH:
            return "NO_SUCH_COLUMN"
        if len(self.columns[move.column]) == HEIGHT:
            return "COLUMN_FULL"
        return None

    def outcome(self) -> Outcome:
        """Return who has won, or how it stands.

        The score of the winner is the number of empty squares, so that a faster win is worth more.
        """
        winner = self.winner
        if winner is None:
            code = "RUNNING" if self.free else "BOARD_FULL"
            return Outcome((SeatOutcome(DRAW, (0,)),) * 2, None, code, REASONS[code])
        lines = (SeatOutcome(WIN, (self.free,)), SeatOutcome(LOSS, (0,)))
        name = SEAT_NAMES[winner]
        reason = Text(
            REASONS["FOUR"].de.format(name=name.de), REASONS["FOUR"].en.format(name=name.en)
        )
        return Outcome(lines if winner == 0 else lines[::-1], winner, "FOUR", reason)


def first_position(variant: Variant, seed: int) -> Position:
    """Return a board that is empty but for neutral stones, which the seed decides."""
    chosen = random.Random(seed).sample(range(WIDTH), variant.neutral_stones)
    return Position(variant, tuple(NEUTRAL if number in chosen else "" for number in range(WIDTH)))


@lru_cache(maxsize=4096)
def find_four(columns: tuple[str, ...]) -> int | None:
    """Return the seat that owns a whole line, or None."""
    # It is cached because a position is asked several times for every move.
    board = [column.ljust(HEIGHT, EMPTY) for column in columns]
    for line in LINES:
        stones = {board[x][y] for x, y in line}
        if len(stones) == 1:
            owner = STONES.find(stones.pop())
            if owner >= 0:
                return owner
    return None


def _lines() -> Iterator[tuple[tuple[int, int], ...]]:
    for x in range(WIDTH):
        for y in range(HEIGHT):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = tuple((x + step * dx, y + step * dy) for step in range(LINE))
                if all(0 <= a < WIDTH and 0 <= b < HEIGHT for a, b in line):
                    yield line


LINES = tuple(_lines())
"""All 69 lines of four squares, as (column, row) from the lower left."""
