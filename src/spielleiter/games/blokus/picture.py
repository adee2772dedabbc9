"""A position of Blokus drawn as lines of text, plain or with ANSI colours. Output only."""

from __future__ import annotations

from spielleiter.games.blokus.rules.pieces import SIZE, Color
from spielleiter.games.blokus.rules.state import BlokusState

# Dark letters on the colour, so that the picture can be read where colours look alike.
_PAINT = {
    Color.BLUE: "\x1b[97;44m",
    Color.YELLOW: "\x1b[30;43m",
    Color.RED: "\x1b[97;41m",
    Color.GREEN: "\x1b[30;42m",
}
_DIM, _PLAIN = "\x1b[2m", "\x1b[0m"


def draw(state: BlokusState, *, color: bool = False) -> str:
    """Return the board with coordinates, and a line for each colour with its score and hand."""
    lines = [
        _headline(state),
        "",
        *_column_numbers(),
        *(_board_row(state, y, color) for y in range(SIZE)),
        "",
    ]
    lines += [_color_line(state, each, color) for each in Color]
    return "\n".join(lines)


def _headline(state: BlokusState) -> str:
    title = (
        f"{state.game.title}, round {state.round}, turn {state.turn}, first piece "
        f"{state.start_piece.name}"
    )
    if not state.is_over:
        return f"{title}: {state.color.name} to move"
    outcome = state.outcome()
    winner = "draw" if outcome.winner is None else f"{state.game.seat_names[outcome.winner].en} win"
    return f"{title}: over, {winner}. {outcome.reason.en}"


def _column_numbers() -> tuple[str, str]:
    """Return two lines, tens above ones, so that two-digit columns do not run into each other."""
    tens = "".join(f" {x // 10 or ' '}" for x in range(SIZE))
    return "   " + tens, "   " + "".join(f" {x % 10}" for x in range(SIZE))


def _board_row(state: BlokusState, y: int, painted: bool) -> str:
    return f"{y:2} " + "".join(_square(state.cell(x, y), painted) for x in range(SIZE))


def _square(color: Color | None, painted: bool) -> str:
    if color is None:
        return f"{_DIM} .{_PLAIN}" if painted else " ."
    return f"{_PAINT[color]} {color.letter}{_PLAIN}" if painted else f" {color.letter}"


def _color_line(state: BlokusState, color: Color, painted: bool) -> str:
    name = f"{color.name:<6}"
    if painted:
        name = f"{_PAINT[color]}{name}{_PLAIN}"
    mark = ">" if color is state.color and not state.is_over else " "
    if not state.hands[color]:
        left = "all placed, MONO last" if state.mono_last >> color & 1 else "all placed"
    else:
        left = " ".join(piece.short for piece in state.hand(color))
    out = "" if state.valid >> color & 1 else " (out)"
    return f"{mark} {name} {state.score(color):3} points{out}, left: {left}"
