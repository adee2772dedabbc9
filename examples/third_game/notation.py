"""Read and write moves and positions of Vier gewinnt as text, and draw a picture for people.

Each ``parse_`` reads what its ``format_`` wrote. A move is the letter of its column, such as ``d``.
A position is its columns from left to right, each from the bottom to the top, ``-`` for an empty
one, and then the last move: ``-/-/-/RY/R/-/- e``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielleiter.rules import NotationError

from .rules import (
    EMPTY,
    HEIGHT,
    LETTERS,
    NEUTRAL,
    SEAT_NAMES,
    STONES,
    WIDTH,
    Drop,
    Position,
    Variant,
)

if TYPE_CHECKING:
    from .game import FourInARow

NOTHING = "-"
ANSI = {"R": "\x1b[31m", "Y": "\x1b[33m", NEUTRAL: "\x1b[90m"}
RESET = "\x1b[0m"


def format_move(move: Drop) -> str:
    return str(move)


def parse_move(text: str) -> Drop:
    if len(text) == 1 and text in LETTERS:
        return Drop(LETTERS.index(text))
    raise NotationError(
        "move", text, f"a move is the letter of a column, {LETTERS[0]} to {LETTERS[-1]}"
    )


def format_position(state: Position) -> str:
    board = "/".join(column or NOTHING for column in state.columns)
    return f"{board} {NOTHING if state.last_move is None else format_move(state.last_move)}"


def parse_position(game: FourInARow, text: str) -> Position:
    """Read a position.

    Raises NotationError, also for a position that no play of this variant can lead to.
    """
    board, gap, last = text.partition(" ")
    if not gap:
        raise NotationError(
            "position", text, "after the columns come a space and the last move, or - for none"
        )
    columns = _parse_columns(text, board)
    last_move = None if last == NOTHING else parse_move(last)
    _check_count(text, columns, game.variant)
    state = Position(game.variant, columns, last_move)
    if (state.turn == 0) != (last_move is None):
        raise NotationError(
            "position",
            text,
            "there is a last move exactly if stones have been played",
            len(board) + 1,
        )
    if last_move is not None and not columns[last_move.column].endswith(STONES[1 - state.seat]):
        raise NotationError(
            "position", text, "the last stone played is not on top of that column", len(board) + 1
        )
    return state


def _parse_columns(text: str, board: str) -> tuple[str, ...]:
    parts = board.split("/")
    if len(parts) != WIDTH:
        raise NotationError("position", text, f"there are {len(parts)} columns and not {WIDTH}")
    at = 0
    for part in parts:
        if part != NOTHING:
            for offset, letter in enumerate(part):
                if letter not in STONES + NEUTRAL:
                    raise NotationError("position", text, f"{letter!r} is not a stone", at + offset)
            if not 1 <= len(part) <= HEIGHT:
                raise NotationError(
                    "position", text, f"a column holds 1 to {HEIGHT} stones, or is {NOTHING}", at
                )
        at += len(part) + 1
    return tuple("" if part == NOTHING else part for part in parts)


def _check_count(text: str, columns: tuple[str, ...], variant: Variant) -> None:
    red, yellow, neutral = ("".join(columns).count(stone) for stone in STONES + NEUTRAL)
    if red - yellow not in (0, 1):
        raise NotationError(
            "position", text, f"{red} red stones against {yellow} yellow ones: red begins, in turn"
        )
    lowest = sum(column.startswith(NEUTRAL) for column in columns)
    if not neutral == lowest == variant.neutral_stones:
        wanted = f"{variant.neutral_stones} neutral stones, all on the bottom row"
        raise NotationError("position", text, f"{variant.title} has {wanted}")


def format_picture(state: Position, *, color: bool) -> str:
    """Return the board as one sees it, highest row first, and who is to move."""
    rows = [" " + " ".join(LETTERS)]
    for height in reversed(range(HEIGHT)):
        stones = (column[height] if height < len(column) else EMPTY for column in state.columns)
        rows.append("|" + " ".join(_paint(stone, color) for stone in stones) + "|")
    if state.is_over:
        rows.append(state.outcome().reason.en)
    else:
        stone = _paint(STONES[state.seat], color)
        rows.append(f"{SEAT_NAMES[state.seat].en} ({stone}) to move")
    return "\n".join(rows)


def _paint(stone: str, color: bool) -> str:
    return ANSI[stone] + stone + RESET if color and stone in ANSI else stone
