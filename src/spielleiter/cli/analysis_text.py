"""Show the analysis of a match as text: a curve, a line for each move, and the sentences.

Everything is there in German and English, and in characters that every output has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import click

from spielleiter.engine import Estimate, JudgedMove, Review, Verdict
from spielleiter.rules import Text, one_line

HALF = 4
"""Rows of the curve above the middle, and below it."""
LEAST_POINTS = 10.0
"""What the top of the curve stands for at least."""
MARGIN = 6
"""Columns left of the curve."""
LEAST_WIDTH = 20
_NAME = 16
_STEPS = 2
"""Different heights within one row."""
_FANCY = {"up": " ▄█", "down": " ▀█", "line": "─", "edge": "│"}
_PLAIN = {"up": " .#", "down": " '#", "line": "-", "edge": "|"}
_COLORS = {Verdict.INACCURACY: "cyan", Verdict.MISTAKE: "yellow", Verdict.BLUNDER: "red"}
_MARKS = {Verdict.INACCURACY: "i", Verdict.MISTAKE: "m", Verdict.BLUNDER: "B"}
_LEGEND = Text(
    "Erwarteter Vorsprung ({unit}), oben {first}, unten {second}; i ungenau, m Fehler, B grober "
    "Fehler",
    "expected lead ({unit}), {first} above, {second} below; i inaccuracy, m mistake, B blunder",
)
_TURN = Text("Zug", "turn")
_HEADS = Text(
    "Zug,Spieler,gespielt,vorher,nachher,verloren,Urteil,bester Zug",
    "turn,player,played,before,after,lost,verdict,best move",
)


def called(review: Review, names: Sequence[str], seat: int) -> Text:
    """Return what a player is called, or their seat if they have no name."""
    name = one_line(names[seat]).strip()
    return Text(name, name) if name else review.game.seat_names[seat]


# The curve


def draw_curve(review: Review, names: Sequence[str], width: int, *, fancy: bool) -> list[Text]:
    """Return the curve as lines in both languages, in this many columns."""
    signs = _FANCY if fancy else _PLAIN
    columns = _columns(len(review.estimates), max(LEAST_WIDTH, width - MARGIN))
    points = [_points(review, column) for column in columns]
    top = max(LEAST_POINTS, *(abs(one) for one in points if one is not None), 0.0)
    lines = [
        *(_row(points, top, row, signs["up"], signs) for row in range(HALF, 0, -1)),
        f"{0:>{MARGIN - 1}}{signs['edge']}{signs['line'] * len(columns)}",
        *(_row(points, top, -row, signs["down"], signs) for row in range(1, HALF + 1)),
        " " * MARGIN + _mark_row(review, columns),
    ]
    ruler = _ruler(review, columns)
    unit = review.game.score_unit
    first, second = (called(review, names, seat) for seat in (0, 1))
    legend = Text(
        _LEGEND.de.format(unit=unit.de, first=first.de, second=second.de),
        _LEGEND.en.format(unit=unit.en, first=first.en, second=second.en),
    )
    shown = [Text(line.rstrip(), line.rstrip()) for line in lines]
    axis = Text(f"{_TURN.de:<{MARGIN}}{ruler}", f"{_TURN.en:<{MARGIN}}{ruler}")
    return [*shown, axis, legend]


def _columns(count: int, width: int) -> list[range]:
    """Return which positions share a column."""
    if count <= width:
        return [range(index, index + 1) for index in range(count)]
    edges = [column * count // width for column in range(width + 1)]
    return [range(first, last) for first, last in pairwise(edges)]


def _points(review: Review, column: range) -> float | None:
    known = [one.points for index in column if (one := review.estimates[index]) is not None]
    return known[-1] if known else None


def _row(
    points: Sequence[float | None], top: float, row: int, cells: str, signs: dict[str, str]
) -> str:
    """Return one row of the curve, numbered from the middle on, below it negative."""
    label = f"{top if row > 0 else -top:+.0f}" if abs(row) == HALF else ""
    side = 1 if row > 0 else -1
    text = ""
    for value in points:
        height = 0.0 if value is None else max(0.0, side * value / top) * HALF - (abs(row) - 1)
        text += cells[max(0, min(_STEPS, round(height * _STEPS)))]
    return f"{label:>{MARGIN - 1}}{signs['edge']}{text}"


def _mark_row(review: Review, columns: Sequence[range]) -> str:
    """Return the row with the worst move of each column."""
    order = list(Verdict)
    text = ""
    for column in columns:
        found = [
            move.verdict
            for index in column
            if index > 0 and (move := review.moves[index - 1]) is not None
        ]
        worst = max(found, key=order.index, default=Verdict.GOOD)
        text += _MARKS.get(worst, " ")
    return text


def _ruler(review: Review, columns: Sequence[range]) -> str:
    text = ""
    for number in range(0, len(columns), 10):
        text = text.ljust(number) + str(review.turns[columns[number][0]])
    return text


# The moves


def list_moves(review: Review, names: Sequence[str], language: str) -> Iterator[str]:
    """Yield a line with headings and one for each move that was judged."""
    rows = [getattr(_HEADS, language).split(",")]
    moves = [move for move in review.moves if move is not None]
    rows += [_cells(review, names, move, language) for move in moves]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row, move in zip(rows, [None, *moves], strict=True):
        padded = [
            cell.rjust(width) if column in (0, 3, 4, 5) else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        line = "  ".join(padded).rstrip()
        color = None if move is None else _COLORS.get(move.verdict)
        yield line if color is None else click.style(line, fg=color)


def _cells(review: Review, names: Sequence[str], move: JudgedMove, language: str) -> list[str]:
    game, verdict = review.game, move.verdict
    name = getattr(called(review, names, move.seat), language)
    word = getattr(verdict.text, language)
    is_best = verdict is Verdict.GOOD and not move.lost
    return [
        str(move.turn),
        name if len(name) <= _NAME else f"{name[: _NAME - 1]}…",
        one_line(game.format_move(move.move)),
        _estimate(move.before, language),
        _estimate(move.after, language),
        _number(move.lost, language) if move.lost else "",
        f"{verdict.sign} {word}" if verdict.sign else word,
        "=" if is_best and move.best == move.move else one_line(game.format_move(move.best)),
    ]


def _estimate(estimate: Estimate, language: str) -> str:
    return f"{_number(estimate.points, language, '+')} {round(100 * estimate.win):>3} %"


def _number(value: float, language: str, sign: str = "") -> str:
    text = f"{value:{sign}.1f}"
    return text.replace(".", ",") if language == "de" else text
