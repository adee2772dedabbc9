"""Draw the track of Hase und Igel with its fields, from the rules' own tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from spielleiter.games import drawing as svg
from spielleiter.games.hase_und_igel.rules.board import Field, make_board
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.games.hase_und_igel.svg import COLUMNS, FILLS, GAP, SIDE, draw_sign, place


def track() -> str:
    """Draw one track. A thick rim marks fields that are the same in every match."""
    board = make_board(SEASON_2018, 1)
    centres = [(x + SIDE / 2, y + SIDE / 2) for x, y in map(place, range(SEASON_2018.length))]
    parts = [svg.line(centres, stroke="#cfc8b8", stroke_width=16)]
    for index, field in enumerate(board):
        x, y = place(index)
        fixed = index in dict(SEASON_2018.fixed)
        parts.append(
            svg.element(
                "rect",
                x=x,
                y=y,
                width=SIDE,
                height=SIDE,
                rx=9,
                fill=FILLS[field],
                stroke=svg.INK if fixed else svg.EDGE,
                stroke_width=3 if fixed else 1,
            )
        )
        parts.append(draw_sign(field, x + SIDE / 2, y + SIDE / 2 + 7))
        parts.append(svg.text(x + 7, y + 16, str(index), size=12, text_anchor="start"))
    bottom = place(SEASON_2018.goal)[1] + SIDE + 34
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
                fill=FILLS[field],
                stroke=svg.EDGE,
            )
        )
        parts.append(draw_sign(field, x, y + 2))
        parts.append(svg.text(x + 36, y + 8, field.value, size=15, mono=True, text_anchor="start"))
    assert (
        sum(len(indices) for indices, _ in SEASON_2018.segments) + len(SEASON_2018.fixed)
        == SEASON_2018.length
    )
    width = 34 + COLUMNS * (SIDE + GAP)
    return svg.picture(width, bottom + 116, "The track of Hase und Igel, field by field", parts)


PICTURES: Mapping[str, Callable[[], str]] = {"hase-und-igel-track": track}
