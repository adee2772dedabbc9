"""Draw the pictures for the pages about Blokus, from the rules' own tables."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence

from spielleiter.games import drawing as svg
from spielleiter.games import get_game
from spielleiter.games.blokus import Color, Piece, Rotation, SetMove
from spielleiter.games.blokus.rules.bitboard import square
from spielleiter.games.blokus.rules.pieces import (
    FULL_HAND,
    ORIENTATIONS,
    SIZE,
    Cell,
    transform,
)
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.blokus.svg import EDGES, FILLS, LETTERS, draw_board, draw_cells, draw_grid
from spielleiter.rules import RuleViolation


def _ring(at: tuple[float, float], size: float) -> str:
    """Mark the square that x and y of a move name.

    That is the top left corner of the box around the piece, covered or not.
    """
    x, y = at[0] + size / 2, at[1] + size / 2
    return svg.element(
        "circle", cx=x, cy=y, r=size * 0.27, fill=svg.PAPER, stroke=svg.INK, stroke_width=2
    )


def pieces() -> str:
    """Draw all 21 pieces as the wire names them, neither turned nor flipped."""
    size, wide, high, columns = 22.0, 132.0, 160.0, 7
    parts = []
    for piece in Piece:
        left = 20 + (piece % columns) * wide
        top = 16 + (piece // columns) * high
        grid = max(x for x, _ in piece.cells) + 1, max(y for _, y in piece.cells) + 1
        at = (left + (wide - grid[0] * size) / 2 - 6, top + (118 - grid[1] * size) / 2)
        parts.append(draw_cells(piece.cells, Color(piece % 4), at, size, letters=False))
        parts.append(_ring(at, size))
        parts.append(svg.text(left + wide / 2 - 6, top + 137, piece.name, size=14, mono=True))
    return svg.picture(
        20 + columns * wide + 8, 16 + 3 * high, "The 21 pieces of Blokus with their names", parts
    )


def turning() -> str:
    """Draw the eight spellings of one piece without symmetry."""
    size, wide, high, piece = 24.0, 150.0, 150.0, Piece.PENTO_P
    parts = []
    for row, flipped in enumerate((False, True)):
        for column, rotation in enumerate(Rotation):
            cells = transform(piece.cells, rotation, flipped)
            left, top = 20 + column * wide, 40 + row * high
            at = (left + 40, top + 12)
            parts.append(draw_grid(at, 3, 3, size))
            parts.append(draw_cells(cells, Color.BLUE, at, size, letters=False))
            parts.append(_ring(at, size))
            words = f'rotation="{rotation.name}"', f'isFlipped="{str(flipped).lower()}"'
            parts += [
                svg.text(left + wide / 2, top + 102 + 15 * n, word, size=12, mono=True)
                for n, word in enumerate(words)
            ]
    parts.insert(0, svg.text(20 + 2 * wide, 30, piece.name, size=16, mono=True, font_weight="bold"))
    return svg.picture(
        40 + 4 * wide, 60 + 2 * high, "One piece turned and flipped in all eight ways", parts
    )


LIES: tuple[Cell, ...] = ((1, 4), (2, 4), (2, 3), (2, 5), (3, 3))
"""A PENTO_R that lies on the board already."""


TOUCHES: Sequence[tuple[tuple[Cell, ...], Color]] = (
    (((4, 2), (4, 1), (5, 1)), Color.BLUE),
    (((3, 4), (4, 4), (5, 4)), Color.BLUE),
    (((5, 5), (6, 5), (6, 4)), Color.BLUE),
    (((3, 4), (4, 4), (4, 5)), Color.YELLOW),
    (((4, 2), (4, 3), (5, 3)), Color.BLUE),
    (((2, 3), (2, 2), (2, 1)), Color.YELLOW),
)
"""Pieces that somebody wants to put next to it. The pages number them from 1."""


def touch_rule(cells: Sequence[Cell], color: Color) -> str | None:
    """Return the rule that such a piece would break, None if it may lie there."""
    hand = FULL_HAND ^ Piece.PENTO_R.bit
    blue = sum(square(x, y) for x, y in LIES)
    # Yellow touches a piece of its own somewhere else.
    state = BlokusState(
        game=get_game("blokus-2027"),
        boards=(blue, square(5, 6), 0, 0),
        hands=(hand,) * 4,
        valid=0b1111,
        turn=4 + color,
        start_piece=Piece.PENTO_R,
        last_move=None,
        mono_last=0,
    )
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    form = next(
        form for form in ORIENTATIONS if {(left + x, top + y) for x, y in form.cells} == set(cells)
    )
    try:
        state.play(SetMove(color, form.piece, form.rotation, form.flipped, left, top))
    except RuleViolation as broken:
        return broken.rule
    return None


def touching() -> str:
    """Draw six ways to lie next to a piece, and which of them are allowed."""
    size, wide, high = 24.0, 210.0, 228.0
    parts = []
    for number, (cells, color) in enumerate(TOUCHES):
        left, top = 20 + (number % 3) * wide, 16 + (number // 3) * high
        at = (left, top)
        parts.append(draw_grid(at, 8, 7, size))
        parts.append(draw_cells(LIES, Color.BLUE, at, size))
        parts.append(svg.element("g", draw_cells(cells, color, at, size), opacity="0.85"))
        for x, y in cells:
            parts.append(
                svg.square(
                    left + x * size + 2,
                    top + y * size + 2,
                    size - 4,
                    fill="none",
                    stroke=svg.PAPER,
                    stroke_width=2,
                    stroke_dasharray="4 3",
                )
            )
        label = str(number + 1)
        parts.append(svg.text(left + 78, top + 198, label, size=20, font_weight="bold"))
        good = touch_rule(cells, color) is None
        parts.append(svg.tick(left + 108, top + 191, 18, good=good))
    return svg.picture(20 + 3 * wide - 4, 16 + 2 * high, "Allowed and forbidden touches", parts)


def _start(piece: Piece, places: Sequence[tuple[Rotation, bool, int, int]]) -> dict[Cell, Color]:
    return {
        cell: color
        for color, (rotation, flipped, x, y) in zip(Color, places, strict=False)
        for cell in SetMove(color, piece, rotation, flipped, x, y).cells
    }


def first_pieces(game: str) -> tuple[Mapping[Cell, Color], list[Cell]]:
    """Return first pieces that lie where they may, and the squares where the next may begin."""
    covered = _start(
        Piece.PENTO_V,
        (
            (
                (Rotation.NONE, False, 0, 17),
                (Rotation.MIRROR, False, 17, 0),
            )
            if "2021" in game
            else (
                (Rotation.NONE, False, 0, 4),
                (Rotation.MIRROR, False, 8, 0),
                (Rotation.LEFT, False, 17, 12),
                (Rotation.NONE, False, 3, 17),
            )
        ),
    )
    _must_be_legal(game, covered)
    start_cells = get_game(game).season.start_cells
    cells = [(x, y) for x in range(SIZE) for y in range(SIZE) if start_cells & square(x, y)]
    return covered, [cell for cell in cells if cell not in covered]


def starting() -> str:
    """Draw where first pieces may lie.

    That is corners in 2021 and the whole edge in 2027. Dots mark what is still free.
    """
    size = 16.0
    parts = []
    for left, title in ((36.0, "2021"), (420.0, "2027")):
        covered, marked = first_pieces(f"blokus-{title}")
        parts.append(svg.text(left + SIZE * size / 2, 28, title, size=18, font_weight="bold"))
        parts.append(draw_board((left, 56), size, covered, marked))
    return svg.picture(
        776, 400, "The first pieces: on corners in 2021, anywhere on the edge in 2027", parts
    )


def _must_be_legal(game: str, covered: Mapping[Cell, Color]) -> None:
    """Raise ValueError if the rules do not allow these first moves."""
    state: BlokusState = _with_start_piece(game, Piece.PENTO_V)
    for color in dict.fromkeys(covered.values()):
        wanted = {cell for cell, owner in covered.items() if owner is color}
        moves = [
            move
            for move in state.legal_moves()
            if isinstance(move, SetMove) and set(move.cells) == wanted
        ]
        if not moves:
            raise ValueError(f"{game}: {color.name} cannot begin like that")
        state = state.play(moves[0])


def _with_start_piece(game: str, piece: Piece) -> BlokusState:
    for seed in range(1000):
        state: BlokusState = get_game(game).start(seed)
        if state.start_piece is piece:
            return state
    raise ValueError(f"no match of {game} begins with {piece.name}")


def played_out(game: str, seed: int) -> BlokusState:
    """Return the end of a match between two players who place their largest pieces anywhere."""
    dice = random.Random(seed)
    state: BlokusState = get_game(game).start(seed)
    while not state.is_over:
        moves = state.legal_moves()
        most = max(move.size for move in moves)
        state = state.play(dice.choice([move for move in moves if move.size == most]))
    return state


def scoring() -> str:
    """Draw a match that is over, and how its points add up."""
    state = played_out("blokus-2021", 4)
    covered = {(x, y): color for x, y, color in state.occupied()}
    size = 18.0
    parts = [draw_board((36, 28), size, covered)]
    left, top = 36 + SIZE * size + 30, 60.0
    for row, color in enumerate(Color):
        y = top + 34 * row
        rest = state.hand(color)
        parts.append(svg.square(left, y - 16, 22, fill=FILLS[color], stroke=EDGES[color]))
        parts.append(svg.text(left + 11, y, color.letter, size=13, fill=LETTERS[color]))
        missing = sum(piece.size for piece in rest)
        words = f"89 − {missing} = {state.score(color)}"
        parts.append(svg.text(left + 36, y + 1, words, size=16, text_anchor="start"))
    teams = [sum(state.score(color) for color in Color if color.seat == seat) for seat in (0, 1)]
    for row, (letters, points, colors) in enumerate(
        (
            ("B + R", teams[0], (Color.BLUE, Color.RED)),
            ("Y + G", teams[1], (Color.YELLOW, Color.GREEN)),
        )
    ):
        y = top + 34 * 4 + 34 + 34 * row
        sums = " + ".join(str(state.score(color)) for color in colors)
        weight = "bold" if points == max(teams) else "normal"
        parts.append(
            svg.text(
                left,
                y,
                f"{letters}: {sums} = {points}",
                size=16,
                text_anchor="start",
                font_weight=weight,
            )
        )
    return svg.picture(left + 210, 28 + SIZE * size + 20, "A finished match and its points", parts)


PICTURES: Mapping[str, Callable[[], str]] = {
    "blokus-pieces": pieces,
    "blokus-turning": turning,
    "blokus-touching": touching,
    "blokus-start": starting,
    "blokus-scoring": scoring,
}
