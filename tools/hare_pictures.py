"""Pictures of Hase und Igel: the track with its fields. Drawn from the rules' own tables."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from spielleiter.games.hase_und_igel.rules.board import FIXED, LENGTH, SEGMENTS, Field, make_board
from tools import svg

_FILLS = {
    Field.START: "#ebe8e0",
    Field.CARROT: "#fbe3c8",
    Field.HARE: "#e9e0d3",
    Field.SALAD: "#d9efcf",
    Field.HEDGEHOG: "#d9c6b2",
    Field.POSITION_1: "#e0e6fb",
    Field.POSITION_2: "#f4dcec",
    Field.GOAL: "#ebe8e0",
}
_COLUMNS, _SIZE, _GAP = 13, 66.0, 6.0


def _sign(field: Field, x: float, y: float) -> str:
    """A sign for a kind of field around (x, y), some 30 wide."""
    if field is Field.CARROT:
        leaf = svg.line([(x, y - 5), (x - 5, y - 15)], stroke="#3c8a2e", stroke_width=3)
        leaf += svg.line([(x, y - 5), (x, y - 17)], stroke="#3c8a2e", stroke_width=3)
        leaf += svg.line([(x, y - 5), (x + 5, y - 15)], stroke="#3c8a2e", stroke_width=3)
        return leaf + svg.element(
            "path", d=f"M{x - 6:.0f} {y - 6:.0f} h12 L{x:.0f} {y + 15:.0f} Z", fill="#e8731a"
        )
    if field is Field.SALAD:
        leaves = ((-7, 0), (7, 0), (0, -6), (0, 6))
        return "".join(
            svg.element(
                "circle",
                cx=x + dx,
                cy=y + dy,
                r=8,
                fill="#5aa83e",
                stroke="#2f6b1e",
                stroke_width=1.2,
            )
            for dx, dy in leaves
        )
    if field is Field.HARE:
        ears = "".join(
            svg.element(
                "ellipse", cx=x + dx, cy=y - 10, rx=3.4, ry=9, fill="#8f7a60", stroke="#4f3521"
            )
            for dx in (-5, 5)
        )
        head = svg.element("circle", cx=x, cy=y + 4, r=10, fill="#8f7a60", stroke="#4f3521")
        eyes = "".join(
            svg.element("circle", cx=x + dx, cy=y + 2, r=1.5, fill="#ffffff") for dx in (-4, 4)
        )
        return ears + head + eyes
    if field is Field.HEDGEHOG:
        spikes = "".join(
            svg.line(
                [(x, y + 9), (x + 19 * math.cos(turn), y + 9 - 21 * math.sin(turn))],
                stroke="#4f3521",
            )
            for turn in (math.pi * n / 10 for n in range(2, 11))
        )
        body = svg.element(
            "path", d=f"M{x - 14:.0f} {y + 11:.0f} a13 14 0 0 1 26 0 Z", fill="#7a5638"
        )
        nose = f"M{x + 5:.0f} {y + 2:.0f} L{x + 19:.0f} {y + 10:.0f} L{x + 5:.0f} {y + 11:.0f} Z"
        face = svg.element("path", d=nose, fill="#c9a37c") + svg.element(
            "circle", cx=x + 18, cy=y + 10, r=2
        )
        return spikes + body + face + svg.element("circle", cx=x + 10, cy=y + 7, r=1.3)
    if field in (Field.POSITION_1, Field.POSITION_2):
        return svg.element(
            "circle", cx=x, cy=y, r=14, fill=svg.PAPER, stroke=svg.INK, stroke_width=2
        ) + svg.text(x, y + 7, field.value[-1], size=20, font_weight="bold")
    if field is Field.GOAL:
        pole = svg.line([(x - 9, y + 15), (x - 9, y - 15)], stroke_width=3)
        return pole + svg.element(
            "path", d=f"M{x - 8:.0f} {y - 15:.0f} l20 7 l-20 7 Z", fill=svg.INK
        )
    return svg.line([(x - 13, y), (x + 12, y)], stroke_width=3) + svg.line(
        [(x + 4, y - 8), (x + 12, y), (x + 4, y + 8)], stroke_width=3
    )


def _place(index: int) -> tuple[float, float]:
    """Where a field lies: the track runs like a snake, so that neighbours are neighbours."""
    row, column = divmod(index, _COLUMNS)
    if row % 2:
        column = _COLUMNS - 1 - column
    return 20 + column * (_SIZE + _GAP), 20 + row * (_SIZE + 22)


def track() -> str:
    """One track. A thick rim marks fields that are the same in every match."""
    board = make_board(1)
    centres = [(x + _SIZE / 2, y + _SIZE / 2) for x, y in map(_place, range(LENGTH))]
    parts = [svg.line(centres, stroke="#cfc8b8", stroke_width=16)]
    for index, field in enumerate(board):
        x, y = _place(index)
        fixed = index in FIXED
        parts.append(
            svg.element(
                "rect",
                x=x,
                y=y,
                width=_SIZE,
                height=_SIZE,
                rx=9,
                fill=_FILLS[field],
                stroke=svg.INK if fixed else svg.EDGE,
                stroke_width=3 if fixed else 1,
            )
        )
        parts.append(_sign(field, x + _SIZE / 2, y + _SIZE / 2 + 7))
        parts.append(svg.text(x + 7, y + 16, str(index), size=12, text_anchor="start"))
    bottom = _place(LENGTH - 1)[1] + _SIZE + 34
    for number, field in enumerate(Field):
        x = 44 + (number % 4) * 235
        y = bottom + 20 + (number // 4) * 56
        parts.append(
            svg.element(
                "rect",
                x=x - 24,
                y=y - 22,
                width=48,
                height=48,
                rx=7,
                fill=_FILLS[field],
                stroke=svg.EDGE,
            )
        )
        parts.append(_sign(field, x, y + 2))
        parts.append(svg.text(x + 36, y + 8, field.value, size=15, mono=True, text_anchor="start"))
    assert sum(len(indices) for indices, _ in SEGMENTS) + len(FIXED) == LENGTH
    width = 34 + _COLUMNS * (_SIZE + _GAP)
    return svg.picture(width, bottom + 116, "The track of Hase und Igel, field by field", parts)


PICTURES: Mapping[str, Callable[[], str]] = {"hase-und-igel-track": track}
