"""Moves and positions of Blokus as text, each on one line, and back.

This is for people, logs and tests. The wire has XML.

A move is ``B:PENTO_L@3,4/RIGHT+f``: colour, piece, position of the top left corner, then the
rotation and ``+f`` for flipped where there is any; or ``B:skip``. Upper and lower case are the
same.

A position has seven parts, separated by blanks:

    BB3Y15/19G/20/...  12  PENTO_L  1,L5;all;2,I3;-  BYRG  -  G:PENTO_L@18,0/RIGHT

1. the board, its 20 rows from the top, each a run of letters (B Y R G) and numbers of empty
   squares;
2. the turn;  3. the start piece;
4. what each colour has not placed yet, in the order of play: ``all``, ``-`` for nothing, or short
   names (letter and size; ``1`` and ``2`` for MONO and DOMINO);
5. the colours still in play, ``-`` for none;  6. those that placed MONO last;  7. the last move or
   ``-``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

from spielleiter.games.blokus.rules.bitboard import STRIDE
from spielleiter.games.blokus.rules.moves import BlokusMove, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import (
    FULL_HAND,
    SIZE,
    Cell,
    Color,
    Piece,
    Rotation,
)
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.rules import NotationError, PositionError

if TYPE_CHECKING:
    from spielleiter.games.blokus.game import Blokus

MOVE_LIMIT = 64
POSITION_LIMIT = 2000
"""Longest texts read. The longest position that can be written has under 800 characters."""

_COLORS = {color.letter: color for color in Color}
_SQUARES = str.maketrans("01234f", " " + "".join(_COLORS) + "/")
_ROW_ENDS = sum(15 << 4 * (y * STRIDE + SIZE) for y in range(SIZE))
_SHORT = {piece.short: piece for piece in Piece}
_SHORT_BITS = tuple((name, piece.bit) for name, piece in _SHORT.items())
_EMPTY = tuple((" " * length, str(length)) for length in range(SIZE, 0, -1))
_SHORT_EMPTY = _EMPTY[-7:]
_MOVE = re.compile(
    r"(?P<color>[^:]*):(?:(?P<skip>SKIP)|(?P<piece>[A-Z_]*)@(?P<x>[^,/+]*),(?P<y>[^,/+]*)"
    r"(?:/(?P<rotation>[A-Z]*))?(?P<flipped>\+F)?)"
)
# Ten digits hold every number the wire can carry; int() is never fed more.
_NUMBER = re.compile(r"-?[0-9]{1,10}")


def format_move(move: BlokusMove) -> str:
    """Return ``B:PENTO_L@3,4/RIGHT+f`` or ``B:skip``, which is ``str(move)``."""
    return str(move)


def parse_move(text: str) -> BlokusMove:
    """Read a move. Raises NotationError.

    Whether it is legal, or even on the board, is not asked here.
    """

    def fail(reason: str, at: int | None = None) -> NoReturn:
        raise NotationError("Blokus move", text, reason, at)

    if len(text) > MOVE_LIMIT:
        fail(f"it has {len(text)} characters, more than {MOVE_LIMIT}")
    match = _MOVE.fullmatch(text.upper())
    if match is None:
        fail("it should look like B:PENTO_L@3,4/RIGHT+f or B:skip")
    color = _COLORS.get(match["color"])
    if color is None:
        fail(f"{match['color']!r} is not a colour; those are {', '.join(_COLORS)}", 0)
    if match["skip"]:
        return SkipMove(color)
    if match["piece"] not in Piece.__members__:
        fail(
            f"{match['piece']!r} is not a piece; those are {', '.join(Piece.__members__)}",
            match.start("piece"),
        )
    rotation = match["rotation"] if match["rotation"] is not None else "NONE"
    if rotation not in Rotation.__members__:
        fail(
            f"{rotation!r} is not a rotation; those are {', '.join(Rotation.__members__)}",
            match.start("rotation"),
        )
    for name in ("x", "y"):
        if not _NUMBER.fullmatch(match[name]):
            fail(f"{match[name]!r} is not a whole number of at most ten digits", match.start(name))
    return SetMove(
        color,
        Piece[match["piece"]],
        Rotation[rotation],
        bool(match["flipped"]),
        int(match["x"]),
        int(match["y"]),
    )


def format_position(state: BlokusState) -> str:
    """Return the whole position on one line."""
    last = "-" if state.last_move is None else format_move(state.last_move)
    return " ".join(
        (
            _format_board(state),
            str(state.turn),
            state.start_piece.name,
            ";".join(_format_hand(hand) for hand in state.hands),
            _format_colors(state.valid),
            _format_colors(state.mono_last),
            last,
        )
    )


def parse_position(game: Blokus, text: str) -> BlokusState:
    """Read a position. Raises NotationError, also if the position contradicts itself."""
    if len(text) > POSITION_LIMIT:
        _refuse(text, f"it has {len(text)} characters, more than {POSITION_LIMIT}")
    parts = [(match.group(), match.start()) for match in re.finditer(r"\S+", text)]
    if len(parts) != 7:
        _refuse(
            text,
            f"it has {len(parts)} parts; board, turn, start piece, hands, colours, mono, last move "
            "are seven",
        )
    board, turn, start, hands, valid, mono, last = parts
    if not re.fullmatch(r"[0-9]{1,4}", turn[0]):
        _refuse(text, f"the turn {turn[0]!r} is not a number from 0 to 9999", turn[1])
    if start[0].upper() not in Piece.__members__:
        _refuse(text, f"the start piece {start[0]!r} is not a piece", start[1])
    masks = [_parse_hand(text, hand, at) for hand, at in _split(hands, ";")]
    if len(masks) != len(Color):
        _refuse(text, f"there are {len(masks)} hands, not four", hands[1])
    try:
        last_move = None if last[0] == "-" else parse_move(last[0])
    except NotationError as error:
        _refuse(text, f"the last move: {error.reason}", last[1] + (error.at or 0))
    try:
        return BlokusState.build(
            game,
            _parse_board(text, board),
            masks,
            _parse_colors(text, valid),
            int(turn[0]),
            Piece[start[0].upper()],
            last_move,
            sum(1 << color for color in _parse_colors(text, mono)),
        )
    except PositionError as error:
        raise NotationError("Blokus position", text, str(error)) from None


def _refuse(text: str, reason: str, at: int | None = None) -> NoReturn:
    raise NotationError("Blokus position", text, reason, at)


def _split(part: tuple[str, int], separator: str) -> Iterator[tuple[str, int]]:
    """Return the pieces of a part, each with its place in the whole text."""
    text, at = part
    for piece in text.split(separator):
        yield piece, at
        at += len(piece) + len(separator)


def _format_board(state: BlokusState) -> str:
    # Each bit becomes a digit of a number in base 16, so that all squares are written at once.
    digits = _ROW_ENDS
    for value, board in enumerate(state.boards, 1):
        if board:
            digits += value * int(f"{board:b}", 16)
    text = f"{digits:0{STRIDE * SIZE}x}"[::-1].translate(_SQUARES)[:-1]
    # Towards the end of a game no more than a few empty squares are side by side.
    for empty, length in _EMPTY if " " * (len(_SHORT_EMPTY) + 1) in text else _SHORT_EMPTY:
        text = text.replace(empty, length)
    return text


def _parse_board(text: str, part: tuple[str, int]) -> dict[Cell, Color]:
    rows = list(_split(part, "/"))
    if len(rows) != SIZE:
        _refuse(text, f"the board has {len(rows)} rows, not {SIZE}", part[1])
    cells: dict[Cell, Color] = {}
    for y, (row, at) in enumerate(rows):
        x = 0
        for match in re.finditer(r"[0-9]{1,2}|.", row):
            token = match.group()
            if token.isdecimal() and token.isascii():
                x += int(token)
            elif token.upper() in _COLORS:
                cells[x, y] = _COLORS[token.upper()]
                x += 1
            else:
                _refuse(
                    text,
                    f"{token!r} in row {y} is neither a colour nor a number",
                    at + match.start(),
                )
            if x > SIZE:
                break
        if x != SIZE:
            _refuse(text, f"row {y} has {'more' if x > SIZE else 'fewer'} than {SIZE} squares", at)
    return cells


def _format_hand(hand: int) -> str:
    if hand == FULL_HAND:
        return "all"
    return ",".join([name for name, bit in _SHORT_BITS if hand & bit]) or "-"


def _parse_hand(text: str, hand: str, at: int) -> int:
    if hand.lower() == "all":
        return FULL_HAND
    mask = 0
    if hand != "-":
        for name, place in _split((hand, at), ","):
            piece = _SHORT.get(name.upper())
            if piece is None:
                _refuse(
                    text, f"{name!r} in a hand is not a piece; those are {', '.join(_SHORT)}", place
                )
            if mask & piece.bit:
                _refuse(text, f"{name!r} is twice in one hand", place)
            mask |= piece.bit
    return mask


def _format_colors(colors: int) -> str:
    return "".join([name for color, name in enumerate(_COLORS) if colors >> color & 1]) or "-"


def _parse_colors(text: str, part: tuple[str, int]) -> list[Color]:
    letters, at = part
    colors: list[Color] = []
    if letters != "-":
        for place, letter in enumerate(letters.upper()):
            color = _COLORS.get(letter)
            if color is None or color in colors:
                _refuse(text, f"{letter!r} is not a colour, or there twice", at + place)
            colors.append(color)
    return colors
