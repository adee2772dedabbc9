"""Vier gewinnt as an SVG picture, made of the shapes in ``spielleiter.games.drawing``."""

from __future__ import annotations

from spielleiter.games import drawing

from .rules import HEIGHT, NEUTRAL, SEAT_NAMES, STONES, WIDTH, Position

SIDE, MARGIN, TOP = 40.0, 20.0, 50.0
FILLS = {STONES[0]: "#cf332c", STONES[1]: "#f5c211", NEUTRAL: "#857f71"}


def draw(state: Position) -> str:
    """Return the board as one sees it, and above it who is to move or how it ended."""
    words = state.outcome().reason.en if state.is_over else f"{SEAT_NAMES[state.seat].en} to move"
    parts = [drawing.text(MARGIN, 30, words, size=16, text_anchor="start")]
    for x in range(WIDTH):
        for y in range(HEIGHT):
            left, top = MARGIN + x * SIDE, TOP + (HEIGHT - 1 - y) * SIDE
            parts.append(drawing.square(left, top, SIDE, fill=drawing.BOARD, stroke=drawing.GRID))
            if y < len(state.columns[x]):
                parts.append(_stone(state.columns[x][y], left + SIDE / 2, top + SIDE / 2))
    title = f"{state.game.title}: {words}"
    return drawing.picture(2 * MARGIN + WIDTH * SIDE, TOP + HEIGHT * SIDE + MARGIN, title, parts)


def _stone(stone: str, x: float, y: float) -> str:
    circle = drawing.element("circle", cx=x, cy=y, r=SIDE * 0.4, fill=FILLS[stone])
    return circle + drawing.text(x, y + 6, stone, size=16)
