"""Make the championship's table and a cross table from results.

The order is the documents': victory points first, then the mean score (rulings A1 to A5). How rows
look on a screen or in a file is not known here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from spielleiter.rules import DRAW, LOSS, WIN, AnyGame, AnyState, Outcome
from spielleiter.wire.stream import parse_element


@dataclass(frozen=True, slots=True)
class TableResult:
    """One match as the table needs it, the bot in seat 0 first."""

    bots: tuple[int, int]
    points: tuple[int, int]
    """Victory points, which are 2, 1 or 0."""
    scores: tuple[int, int]
    """The first of the game's own numbers, as ``counted_scores`` gives it."""
    is_regular: bool = True
    """Whether nobody lost by leaving, by the clock or by a broken rule."""


@dataclass(frozen=True, slots=True)
class Row:
    """One bot's line of the table."""

    place: int | None
    """From 1. Rows that nothing tells apart share it, and the places after it are left out.

    It is None for a bot that is still in a knockout.
    """
    bot: int
    matches: int
    wins: int
    draws: int
    losses: int
    victory_points: int
    """Two for a win and one for a draw, and two for every match of a bye."""
    mean_score: float | None
    """None where no match was played. It is then below every number."""
    forfeits: int
    """Matches it lost by leaving, by the clock or by a broken rule."""
    byes: int


@dataclass(frozen=True, slots=True)
class Cell:
    """What one bot reached against one other."""

    matches: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    scored: int = 0
    conceded: int = 0
    """The sums of both bots' scores."""

    @property
    def victory_points(self) -> int:
        return WIN * self.wins + DRAW * self.draws

    def add(self, points: int, scored: int, conceded: int) -> Cell:
        """Return the cell with one more match in it."""
        return Cell(
            self.matches + 1,
            self.wins + (points == WIN),
            self.draws + (points == DRAW),
            self.losses + (points == LOSS),
            self.scored + scored,
            self.conceded + conceded,
        )


def counted_scores(game: AnyGame, outcome: Outcome, final: AnyState) -> tuple[int, int]:
    """Return the scores of a match that the table counts, by seat (ruling A4).

    They are what the season's own result message says. That differs from the outcome only where
    somebody broke a match off.
    """
    codec = next(iter(game.codecs.values()))
    text = codec.encode_outcome(outcome, final, ("",) * game.seats)
    first, second = (parts[0] for parts in codec.decode_outcome(parse_element(text)).scores)
    return first, second


def read_scores(game: AnyGame, outcome: Outcome, final: str) -> tuple[int, int]:
    """Return the same for a match whose last position is given as text. Raises GameError.

    The text is read only where it makes a difference, since that takes its time.
    """
    if outcome.is_regular:
        first, second = (parts[0] for parts in outcome.scores)
        return first, second
    return counted_scores(game, outcome, game.parse_position(final))


def table(
    bots: int,
    results: Iterable[TableResult],
    *,
    byes: Mapping[int, int] | None = None,
    matches_per_encounter: int = 0,
) -> list[Row]:
    """Return the championship's table, best first, with a row for each of ``bots`` bots.

    ``byes`` says how many rounds a bot had no opponent in. Each counts as so many wins as an
    encounter has matches (A5). Rows that share a place stand in the order of the bots' numbers.
    """
    totals = [Cell() for _ in range(bots)]
    forfeits = [0] * bots
    for result in results:
        for seat, bot in enumerate(result.bots):
            points, score, other = result.points[seat], result.scores[seat], result.scores[1 - seat]
            totals[bot] = totals[bot].add(points, score, other)
            forfeits[bot] += not result.is_regular and points == LOSS
    free = byes or {}
    keys = [
        _rank_key(total, WIN * matches_per_encounter * free.get(bot, 0))
        for bot, total in enumerate(totals)
    ]
    order = sorted(range(bots), key=lambda bot: keys[bot], reverse=True)
    rows: list[Row] = []
    for number, bot in enumerate(order, 1):
        total = totals[bot]
        shared = bool(rows) and keys[rows[-1].bot] == keys[bot]
        rows.append(
            Row(
                place=rows[-1].place if shared else number,
                bot=bot,
                matches=total.matches,
                wins=total.wins,
                draws=total.draws,
                losses=total.losses,
                victory_points=keys[bot][0],
                mean_score=total.scored / total.matches if total.matches else None,
                forfeits=forfeits[bot],
                byes=free.get(bot, 0),
            )
        )
    return rows


def by_places(rows: Iterable[Row], places: Mapping[int, int]) -> list[Row]:
    """Return rows with the places of a knockout, by bot. Those who are still in it come first."""
    placed = [replace(row, place=places.get(row.bot)) for row in rows]
    return sorted(placed, key=lambda row: row.place or 0)


def _rank_key(total: Cell, free_points: int) -> tuple[int, float]:
    """Return what the documents compare (A1, A2)."""
    mean = total.scored / total.matches if total.matches else -math.inf
    return total.victory_points + free_points, mean


def cross_table(bots: int, results: Iterable[TableResult]) -> Sequence[Sequence[Cell]]:
    """Return what each bot (row) reached against each other one (column).

    Cells of bots that never met, and those of a bot against itself, are empty.
    """
    cells = [[Cell() for _ in range(bots)] for _ in range(bots)]
    for result in results:
        for seat, bot in enumerate(result.bots):
            other = result.bots[1 - seat]
            cells[bot][other] = cells[bot][other].add(
                result.points[seat], result.scores[seat], result.scores[1 - seat]
            )
    return cells
