"""Write the tables of a tournament as text for the terminal, as CSV, as JSON and as Markdown.

What is in them is counted elsewhere. Names come from outside and may hold anything.
"""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.arena.results.exports import not_a_formula
from spielleiter.arena.statistics.ratings import Ratings
from spielleiter.arena.statistics.standings import Cell, Row
from spielleiter.rules import one_line

_WIDEST_NAME = 30
"""Columns of a name in the terminal."""
_MARKDOWN = str.maketrans({char: f"\\{char}" for char in "\\`*_{}[]<>()#+-!|~&"})
_NOTHING = "–"


@dataclass(frozen=True, slots=True)
class Tables:
    """The championship's table, ratings and the cross table of one tournament."""

    names: tuple[str, ...]
    """By number of the bot."""
    rows: tuple[Row, ...]
    """In the order in which they are shown."""
    ratings: Ratings
    cross: Sequence[Sequence[Cell]]

    @property
    def has_byes(self) -> bool:
        return any(row.byes for row in self.rows)


# The terminal


def text_tables(tables: Tables) -> str:
    """Return the championship's table with ratings, and below it the cross table."""
    parts = [_align(_standing(tables), left=(1,))]
    if len(tables.names) > 2:
        parts.append(_align(_cross(tables), left=(1,)))
    if notes := rating_notes(tables, _short):
        parts.append("\n".join(notes))
    return "\n\n".join(parts)


def _standing(tables: Tables) -> list[list[str]]:
    byes = ["byes"] if tables.has_byes else []
    head = ["", "bot", "games", "won", "drawn", "lost", "points", "mean score", "failed"]
    lines = [[*head, *byes, "Elo"]]
    lines += [
        [
            _NOTHING if row.place is None else f"{row.place}.",
            _short(tables.names[row.bot]),
            *(str(value) for value in (row.matches, row.wins, row.draws, row.losses)),
            str(row.victory_points),
            _mean(row.mean_score),
            str(row.forfeits),
            *([str(row.byes)] if tables.has_byes else []),
            _rating(tables.ratings, row.bot),
        ]
        for row in tables.rows
    ]
    return lines


def _cross(tables: Tables) -> list[list[str]]:
    """Return victory points of each bot against each other, in the order of the table."""
    order = [row.bot for row in tables.rows]
    lines = [["", "points against", *(str(number) for number in range(1, len(order) + 1))]]
    for number, bot in enumerate(order, 1):
        cells = (tables.cross[bot][other] for other in order)
        lines.append(
            [
                str(number),
                _short(tables.names[bot]),
                *(str(cell.victory_points) if cell.matches else _NOTHING for cell in cells),
            ]
        )
    return lines


def rating_notes(tables: Tables, show: Callable[[str], str] = one_line) -> list[str]:
    """Return what somebody must know who reads the ratings. ``show`` makes names harmless."""
    ratings = tables.ratings
    notes = []
    if ratings.unbounded:
        names = ", ".join(show(tables.names[bot]) for bot in ratings.unbounded)
        notes.append(f"Won or lost everything, so that the rating is a guess: {names}.")
    if not ratings.is_connected:
        notes.append("Not all bots are connected by games, so some ratings do not compare.")
    return notes


def _mean(score: float | None) -> str:
    return _NOTHING if score is None else f"{score:.2f}"


def _rating(ratings: Ratings, bot: int) -> str:
    if not ratings.matches[bot]:
        return _NOTHING
    estimate = ratings[bot]
    value = round(estimate.value)  # so that nothing is "-0"
    return f"{f'{value:+d}' if value else '0'} ± {estimate.error or 0:.0f}"


def _short(name: str) -> str:
    """Return a name that takes no more columns than there are for it."""
    name = one_line(name)
    if width(name) <= _WIDEST_NAME:
        return name
    kept = ""
    for char in name:
        if width(kept + char) >= _WIDEST_NAME:
            break
        kept += char
    return kept + "…"


def width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def _align(lines: Sequence[Sequence[str]], left: Iterable[int] = ()) -> str:
    """Return lines of columns, of which those not in ``left`` stand at the right."""
    widths = [max(width(line[column]) for line in lines) for column in range(len(lines[0]))]
    at_left = set(left)
    return "\n".join(
        "  ".join(
            cell + " " * (space - width(cell))
            if column in at_left
            else " " * (space - width(cell)) + cell
            for column, (cell, space) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


# Files for other programs


def csv_table(tables: Tables) -> str:
    """Return one row for each bot.

    It has its line of the table, its rating, and what it reached against each other one.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    order = tables.rows
    writer.writerow(
        [
            *("place", "bot", "games", "won", "drawn", "lost", "points", "mean_score"),
            *("failed", "byes", "elo", "elo_low", "elo_high"),
            *(f"points against {one_line(tables.names[row.bot])}" for row in order),
        ]
    )
    for row in order:
        rating = tables.ratings[row.bot] if tables.ratings.matches[row.bot] else None
        elo = (None,) * 3 if rating is None else (rating.value, rating.low, rating.high)
        cells = (tables.cross[row.bot][other.bot] for other in order)
        writer.writerow(
            [
                row.place or "",
                harmless(tables.names[row.bot]),
                *(row.matches, row.wins, row.draws, row.losses, row.victory_points),
                "" if row.mean_score is None else f"{row.mean_score:.4f}",
                *(row.forfeits, row.byes),
                *("" if value is None else f"{value:.1f}" for value in elo),
                *(cell.victory_points if cell.matches else "" for cell in cells),
            ]
        )
    return out.getvalue()


def harmless(text: str) -> str:
    """Return a name as one line that a spreadsheet does not take for a formula."""
    return not_a_formula(one_line(text))


def json_tables(tables: Tables) -> dict[str, Any]:
    """Return the same as JSON values. Names are as they are."""
    order = tables.rows
    ratings = tables.ratings
    return {
        "table": [
            {
                "place": row.place,
                "bot": row.bot,
                "name": tables.names[row.bot],
                "games": row.matches,
                "won": row.wins,
                "drawn": row.draws,
                "lost": row.losses,
                "points": row.victory_points,
                "mean_score": row.mean_score,
                "failed": row.forfeits,
                "byes": row.byes,
                "elo": _elo_json(ratings, row.bot),
            }
            for row in order
        ],
        "cross_table": [
            {
                "bot": row.bot,
                "against": other.bot,
                "games": cell.matches,
                "won": cell.wins,
                "drawn": cell.draws,
                "lost": cell.losses,
                "points": cell.victory_points,
                "scored": cell.scored,
                "conceded": cell.conceded,
            }
            for row in order
            for other in order
            if (cell := tables.cross[row.bot][other.bot]).matches
        ],
        "remarks": rating_notes(tables),
    }


def _elo_json(ratings: Ratings, bot: int) -> dict[str, float | None] | None:
    if not ratings.matches[bot]:
        return None
    estimate = ratings[bot]
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high}


def markdown_tables(tables: Tables) -> str:
    """Return both tables as Markdown, which shows names letter by letter."""
    standing, cross = _standing(tables), _cross(tables)
    for line, row in zip(standing[1:], tables.rows, strict=True):
        line[1] = _escape(tables.names[row.bot])
    for line, row in zip(cross[1:], tables.rows, strict=True):
        line[1] = _escape(tables.names[row.bot])
    parts = [_markdown(standing)]
    if len(tables.names) > 2:
        parts.append(_markdown(cross))
    parts += rating_notes(tables, _escape)
    return "\n\n".join(parts) + "\n"


def _escape(name: str) -> str:
    return one_line(name).translate(_MARKDOWN)


def _markdown(lines: Sequence[Sequence[str]]) -> str:
    head, *rest = lines
    marks = ["---" if column == 1 else "---:" for column in range(len(head))]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, marks, *rest))
