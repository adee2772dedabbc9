"""Blokus moves as XML, back, and in the words of the official servers.

Every form that a document or a known client uses is read in every revision (W20 to W23, W35). Only
the newest is written, and in the oldest revision the bare skip of its document. Whether a move is
legal is not asked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from spielleiter.games.blokus.rules.moves import BlokusMove, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import Color, Piece, Rotation
from spielleiter.wire.codec import ReceivedMove
from spielleiter.wire.elements import Element, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import (
    decode_flag,
    decode_name,
    decode_number,
    only_child,
    required_child,
)

COLORS = {color.name: color for color in Color}
PIECES = {piece.name: piece for piece in Piece}
_ROTATIONS = {rotation.name: rotation for rotation in Rotation}

COLOR_NAMES, PIECE_NAMES, _ROTATION_NAMES = tuple(COLORS), tuple(PIECES), tuple(_ROTATIONS)
"""By number, because an enum's ``name`` costs more than the rest of the line."""

_MOVES = {"SetMove": SetMove, "SkipMove": SkipMove, "PassMove": SkipMove}
"""What each name means. The oldest revision's PassMove passes for one round, as a skip (W20)."""

_FAR = 2**31 - 1
"""Positions are read as far as the official servers read them.

What is on the board is for the rules to say.
"""

_GERMAN = {Color.BLUE: "Blau", Color.YELLOW: "Gelb", Color.RED: "Rot", Color.GREEN: "Grün"}


def encode_move(
    package: str,
    move: BlokusMove,
    hints: Sequence[str] = (),
    tag: str = "data",
    *,
    bare_skip: bool = False,
) -> str:
    """Write ``<data class="sc.plugin2021.SetMove">...</data>``.

    With ``bare_skip`` a skip names no colour.
    """
    if isinstance(move, SetMove):
        name = "SetMove"
        color, piece, rotation = (
            COLOR_NAMES[move.color],
            PIECE_NAMES[move.piece],
            _ROTATION_NAMES[move.rotation],
        )
        flipped = "true" if move.flipped else "false"
        body = (
            f'  <piece color="{color}" kind="{piece}" rotation="{rotation}" '
            f'isFlipped="{flipped}">\n'
            f'    <position x="{move.x}" y="{move.y}"/>\n'
            f"  </piece>\n"
        )
    else:
        name = "SkipMove"
        body = "" if bare_skip else f"  <color>{COLOR_NAMES[move.color]}</color>\n"
    hint_lines = "".join(f"  <hint content={quote(hint)}/>\n" for hint in hints)
    inside = body + hint_lines
    head = f'{tag} class="{package}.{name}"'
    return f"<{head}>\n{inside}</{tag}>" if inside else f"<{head}/>"


def decode_move(
    package: str, element: Element, where: str, on_turn: Color | None
) -> ReceivedMove[BlokusMove]:
    """Read a move under any tag. ``on_turn`` is the colour of a skip that names none (W21)."""
    kind = decode_name(element.get("class"), f"{where}@class", _classes(package))
    hints = tuple(
        hint.text.strip() if (said := hint.get("content")) is None else said
        for hint in element.children
        if hint.tag == "hint"
    )
    if kind is SetMove:
        piece = required_child(element, "piece", where)
        unknown = _unknown(element, where, "piece", "hint") + _unknown(
            piece, f"{where}/piece", "position"
        )
        return ReceivedMove(_set_move(piece, f"{where}/piece"), hints, unknown)
    return ReceivedMove(
        _skip_move(element, where, on_turn), hints, _unknown(element, where, "color", "hint")
    )


def describe_move(move: BlokusMove) -> str:
    """Return the move as the official servers 21.4.0 and 27.0.4 word it in their messages."""
    color = f"Farbe {_GERMAN[move.color]}"
    if isinstance(move, SkipMove):
        return f"{color} setzt aus"
    turned = f", gedreht um {90 * move.rotation}°" if move.rotation else ""
    flipped = ", gespiegelt" if move.flipped else ""
    return f"Setze {move.piece.name}({color}{turned}{flipped})[{move.x},{move.y}]"


@lru_cache(maxsize=8)
def _classes(package: str) -> dict[str, type[SetMove] | type[SkipMove]]:
    """Return what ``class`` may say.

    The short names stand in the official sources, but only our server understands them (W22).
    """
    full = {f"{package}.{name}": kind for name, kind in _MOVES.items()}
    return full | {name.lower(): kind for name, kind in _MOVES.items()}


def _set_move(piece: Element, where: str) -> SetMove:
    position = required_child(piece, "position", where)
    read = piece.attributes.get
    rotation = read("rotation")
    return SetMove(
        decode_name(read("color"), f"{where}@color", COLORS),
        decode_name(read("kind"), f"{where}@kind", PIECES),
        Rotation.NONE
        if rotation is None
        else decode_name(rotation, f"{where}@rotation", _ROTATIONS),
        decode_flag(read("isFlipped"), f"{where}@isFlipped", False),
        decode_number(position.attributes.get("x"), f"{where}/position@x", -_FAR, _FAR),
        decode_number(position.attributes.get("y"), f"{where}/position@y", -_FAR, _FAR),
    )


def _skip_move(element: Element, where: str, on_turn: Color | None) -> SkipMove:
    child = only_child(element, "color", where)
    if child is not None:
        return SkipMove(decode_name(child.text, f"{where}/color", COLORS))
    attribute = element.get("color")
    if attribute is not None:
        return SkipMove(decode_name(attribute, f"{where}@color", COLORS))
    if on_turn is None:
        raise CodecError(where, "has no <color>, and nothing else says which colour skipped")
    return SkipMove(on_turn)


def _unknown(element: Element, where: str, *known: str) -> tuple[str, ...]:
    return tuple(f"{where}/{child.tag}" for child in element.children if child.tag not in known)
