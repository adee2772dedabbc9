"""A position of Blokus drawn as SVG, for pages and notebooks. Output only.

The pages about the rules draw their pictures with the same functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from spielleiter.games import drawing
from spielleiter.games.blokus.rules.moves import SetMove
from spielleiter.games.blokus.rules.pieces import SIZE, Cell, Color, Piece
from spielleiter.games.blokus.rules.state import BlokusState

FILLS = {
    Color.BLUE: "#2460c8",
    Color.YELLOW: "#f5c211",
    Color.RED: "#cf332c",
    Color.GREEN: "#37ad77",
}
EDGES = {
    Color.BLUE: "#12387c",
    Color.YELLOW: "#7d5e00",
    Color.RED: "#7a1410",
    Color.GREEN: "#0d5a37",
}
LETTERS = {
    Color.BLUE: "#ffffff",
    Color.YELLOW: "#2b2100",
    Color.RED: "#ffffff",
    Color.GREEN: "#04210f",
}


_SIDES = ((0, -1, 0, 0, "h"), (1, 0, 1, 0, "v"), (0, 1, 0, 1, "h"), (-1, 0, 0, 0, "v"))
"""The neighbours of a square, where the side towards each begins, and whether it runs across or
down.
"""


def draw_cells(
    cells: Iterable[Cell],
    color: Color,
    at: tuple[float, float],
    size: float,
    *,
    letters: bool = True,
) -> str:
    """Draw squares of one colour and a line around each piece.

    Each square bears the letter of its colour, so that nobody needs to tell colours apart. Two
    pieces of one colour never lie side by side, so what is connected is one piece.
    """
    covered = set(cells)
    side = drawing.number(size)

    def place(x: float, y: float) -> str:
        return f"M{drawing.number(at[0] + x * size)} {drawing.number(at[1] + y * size)}"

    squares = "".join(f"{place(x, y)}h{side}v{side}h-{side}z" for x, y in sorted(covered))
    rims = "".join(
        f"{place(x + right, y + down)}{way}{side}"
        for x, y in sorted(covered)
        for dx, dy, right, down, way in _SIDES
        if (x + dx, y + dy) not in covered
    )
    parts = [
        drawing.element(
            "path", d=squares, fill=FILLS[color], stroke=EDGES[color], stroke_width="0.5"
        ),
        drawing.element(
            "path",
            d=rims,
            fill="none",
            stroke=EDGES[color],
            stroke_width=2,
            stroke_linecap="round",
        ),
    ]
    if letters:
        words = "".join(
            drawing.element(
                "text",
                color.letter,
                x=at[0] + (x + 0.5) * size,
                y=at[1] + (y + 0.7) * size,
            )
            for x, y in sorted(covered)
        )
        parts.append(
            drawing.element(
                "g", words, font_size=size * 0.55, fill=LETTERS[color], text_anchor="middle"
            )
        )
    return "".join(parts)


def draw_grid(at: tuple[float, float], columns: int, rows: int, size: float) -> str:
    """Draw empty squares."""
    left, top = at
    width, height = columns * size, rows * size
    lines = [drawing.element("rect", x=left, y=top, width=width, height=height, fill=drawing.BOARD)]
    lines += [
        drawing.line(
            [(left + x * size, top), (left + x * size, top + height)],
            stroke=drawing.GRID,
            stroke_width=1,
        )
        for x in range(columns + 1)
    ]
    lines += [
        drawing.line(
            [(left, top + y * size), (left + width, top + y * size)],
            stroke=drawing.GRID,
            stroke_width=1,
        )
        for y in range(rows + 1)
    ]
    return "".join(lines)


def draw_board(
    at: tuple[float, float], size: float, covered: Mapping[Cell, Color], marked: Iterable[Cell] = ()
) -> str:
    """Draw a whole board with its coordinates. A dot is put on each of the ``marked`` squares."""
    left, top = at
    parts = [draw_grid(at, SIZE, SIZE, size)]
    for n in range(SIZE):
        if n % 5 == 0 or n == SIZE - 1:
            parts.append(
                drawing.text(left + (n + 0.5) * size, top - 5, str(n), size=11, fill=drawing.FAINT)
            )
            parts.append(
                drawing.text(
                    left - 5,
                    top + (n + 0.5) * size + 4,
                    str(n),
                    size=11,
                    fill=drawing.FAINT,
                    text_anchor="end",
                )
            )
    for x, y in marked:
        parts.append(
            drawing.element(
                "circle",
                cx=left + (x + 0.5) * size,
                cy=top + (y + 0.5) * size,
                r=size * 0.28,
                fill=drawing.EDGE,
            )
        )
    for color in Color:
        cells = [cell for cell, owner in covered.items() if owner is color]
        parts.append(draw_cells(cells, color, at, size))
    parts.append(
        drawing.element(
            "rect",
            x=left,
            y=top,
            width=SIZE * size,
            height=SIZE * size,
            fill="none",
            stroke=drawing.EDGE,
            stroke_width=2,
        )
    )
    return "".join(parts)


_SQUARE, _LEFT, _TOP = 20.0, 36.0, 64.0
_SMALL = 7.0
"""Side of a square of the pieces that are left."""
_PANEL, _PANEL_HEIGHT = 330.0, 100.0


def draw(state: BlokusState) -> str:
    """Return the board with the squares of the last move marked.

    Beside it stand each colour's score and the pieces it has left.
    """
    covered = {(x, y): color for x, y, color in state.occupied()}
    side = SIZE * _SQUARE
    title, standing = _words(state)
    parts = [
        drawing.text(_LEFT, 22, title, size=16, font_weight="bold", text_anchor="start"),
        drawing.text(_LEFT, 42, standing, size=13, text_anchor="start"),
        draw_board((_LEFT, _TOP), _SQUARE, covered),
    ]
    if isinstance(state.last_move, SetMove):
        parts += [_mark(cell) for cell in state.last_move.cells]
    panel = _LEFT + side + 24
    parts += [_color_panel(state, color, panel, _TOP + color * _PANEL_HEIGHT) for color in Color]
    return drawing.picture(panel + _PANEL, _TOP + side + 20, f"{title}: {standing}", parts)


def _words(state: BlokusState) -> tuple[str, str]:
    title = f"{state.game.title}, round {state.round}"
    if not state.is_over:
        return title, f"{state.color.name} to move, first piece {state.start_piece.name}"
    outcome = state.outcome()
    winner = "draw" if outcome.winner is None else f"{state.game.seat_names[outcome.winner].en} win"
    return title, f"over, {winner}. {outcome.reason.en}"


def _mark(cell: Cell) -> str:
    x, y = _LEFT + cell[0] * _SQUARE, _TOP + cell[1] * _SQUARE
    return drawing.square(
        x + 2, y + 2, _SQUARE - 4, fill="none", stroke=drawing.PAPER, stroke_width=2
    )


def _color_panel(state: BlokusState, color: Color, left: float, top: float) -> str:
    """Draw one colour's line with its letter, its points, and below them the pieces it has left."""
    words = f"{color.name}: {state.score(color)} points"
    if not state.valid >> color & 1:
        words += ", out of play"
    on_turn = color is state.color and not state.is_over
    parts = [
        drawing.square(left, top, 22, fill=FILLS[color], stroke=EDGES[color]),
        drawing.text(left + 11, top + 16, color.letter, size=13, fill=LETTERS[color]),
        drawing.text(
            left + 32,
            top + 16,
            words,
            size=14,
            font_weight="bold" if on_turn else "normal",
            text_anchor="start",
        ),
    ]
    x, y = left, top + 32
    for piece in state.hand(color):
        width = _width(piece) * _SMALL
        if x + width > left + _PANEL - 16:
            x, y = left, y + 5 * _SMALL
        parts.append(draw_cells(piece.cells, color, (x, y), _SMALL, letters=False))
        x += width + _SMALL
    return "".join(parts)


def _width(piece: Piece) -> int:
    return max(x for x, _ in piece.cells) + 1
