"""Blokus positions as XML and back.

Each revision is written in its own layout, and every layout that any server ever sent is read.
Writing is what a server does most, so all that repeats is prepared, such as the line of each field
and the list of each hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from spielleiter.games.blokus.rules.bitboard import STRIDE
from spielleiter.games.blokus.rules.pieces import SIZE, Cell, Color
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.blokus.wire.moves import (
    COLOR_NAMES,
    COLORS,
    PIECE_NAMES,
    PIECES,
    decode_move,
    encode_move,
)
from spielleiter.rules import PositionError
from spielleiter.rules.frozen import frozen, replace
from spielleiter.wire.codec import ReceivedState
from spielleiter.wire.elements import Element, indent, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import (
    decode_flag,
    decode_name,
    decode_number,
    required_child,
)

if TYPE_CHECKING:
    from spielleiter.games.blokus.game import Blokus


@frozen
class Layout:
    """How one revision arranges a state. Every part brings its own line break and indentation."""

    package: str
    template: str
    colors_tag: str = "validColors"
    set_class: str = ""
    map_class: str = ""
    bare_skip: bool = False
    """Whether a skip is written without its colour (W21)."""


NEWEST_2021 = Layout(
    package="sc.plugin2021",
    template='<state class="state" turn="{turn}" round="{round}" startPiece="{piece}">'
    '\n  <startTeam class="team">ONE</startTeam>'
    "{hands}{colors}{players}{board}{last_move}{mono}"
    "\n</state>",
)
OLDER_2021 = Layout(
    package="sc.plugin2021",
    template='<state class="state" currentColorIndex="{index}" turn="{turn}" round="{round}" '
    'startPiece="{piece}">'
    '\n  <startTeam class="team">ONE</startTeam>'
    "{board}{hands}{mono}{colors}{players}{last_move}"
    "\n  <startColor>BLUE</startColor>"
    "\n</state>",
    colors_tag="orderedColors",
    set_class=' class="linked-hash-set"',
    map_class=' class="linked-hash-map"',
)
OLDEST_2021 = replace(OLDER_2021, bare_skip=True)
LAYOUT_2027 = Layout(
    package="sc.plugin2027",
    template='<state class="state" startTeam="ONE" turn="{turn}" startPiece="{piece}" '
    'round="{round}">'
    "{last_move}{board}{mono}{hands}{colors}"
    "\n</state>",
)

_SHAPES = tuple(f"{name.lower()}Shapes" for name in COLOR_NAMES)
_PLAYERS = (("first", "ONE"), ("second", "TWO"))

# writing ------------------------------------------------------------------------------------

_SQUARES = STRIDE * SIZE
_ROWS = range(0, _SQUARES, STRIDE)
_LINES = {
    str(color + 1): tuple(
        f'\n    <field x="{index % STRIDE}" y="{index // STRIDE}" content="{color.name}"/>'
        for index in range(_SQUARES)
    )
    for color in Color
}
"""The line of each square, by the digit of its colour and the number of its bit."""


def encode_state(
    layout: Layout, state: BlokusState, names: Sequence[str], hints: Sequence[str]
) -> str:
    """Write ``<state class="state" ...>...</state>`` in this layout."""
    return layout.template.format(
        turn=state.turn,
        round=state.round,
        index=_color_index(state),
        piece=PIECE_NAMES[state.start_piece],
        board=_board(state.boards),
        hands="".join(
            [_hand(color, hand, layout.set_class) for color, hand in enumerate(state.hands)]
        ),
        colors=_colors(layout.colors_tag, state.valid),
        mono=_mono(state, layout.map_class),
        players=_players(names),
        last_move=_last_move(layout, state, hints),
    )


def _color_index(state: BlokusState) -> int:
    """Return where the colour on turn stands among those still in play, from 0 (W24).

    It is 0 too when none is in play.
    """
    color = state.turn % 4
    return (state.valid & ((1 << color) - 1)).bit_count() if state.valid >> color & 1 else 0


def _board(boards: Sequence[int]) -> str:
    # Bits spread to hexadecimal digits, so that one string says for each square whose it is. A
    # server writes a board for every move of every match, and a loop that asks 400 squares for
    # their colour is several times slower than these few conversions in C.
    blue, yellow, red, green = [int(f"{board:b}", 16) for board in boards]
    digits = f"{blue + 2 * yellow + 3 * red + 4 * green:0{_SQUARES}x}"[::-1]
    lines = "".join([_row(start, digits[start : start + STRIDE]) for start in _ROWS])
    return f"\n  <board>{lines}\n  </board>" if lines else "\n  <board/>"


@lru_cache(maxsize=1024)  # some 500 bytes each; a move changes few rows, and the others come again
def _row(start: int, digits: str) -> str:
    """Write the squares of one row, from the number of its first bit."""
    return "".join(
        [_LINES[digit][index] for index, digit in enumerate(digits, start) if digit != "0"]
    )


@lru_cache(maxsize=4096)  # some 500 bytes each, and a match meets about 60 of them
def _hand(color: int, hand: int, attribute: str) -> str:
    names = [name for piece, name in enumerate(PIECE_NAMES) if hand >> piece & 1]
    return _list(_SHAPES[color], attribute, "shape", names)


@lru_cache(maxsize=64)
def _colors(tag: str, valid: int) -> str:
    return _list(
        tag, "", "color", [name for color, name in enumerate(COLOR_NAMES) if valid >> color & 1]
    )


def _list(tag: str, attribute: str, item: str, values: Iterable[str]) -> str:
    lines = "".join(f"\n    <{item}>{value}</{item}>" for value in values)
    return f"\n  <{tag}{attribute}>{lines}\n  </{tag}>" if lines else f"\n  <{tag}{attribute}/>"


def _mono(state: BlokusState, attribute: str) -> str:
    """Write one entry for each colour that has placed everything, in the order of play (W25)."""
    entries = "".join(
        f"\n    <entry>\n      <color>{COLOR_NAMES[color]}</color>\n"
        f"      <boolean>{'true' if state.mono_last >> color & 1 else 'false'}</boolean>\n    "
        "</entry>"
        for color, hand in enumerate(state.hands)
        if not hand
    )
    tag = f"lastMoveMono{attribute}"
    return f"\n  <{tag}>{entries}\n  </lastMoveMono>" if entries else f"\n  <{tag}/>"


def _players(names: Sequence[str]) -> str:
    return "".join(
        f'\n  <{tag} displayName={quote(name)}>\n    <color class="team">{team}</color>\n  </{tag}>'
        for (tag, team), name in zip(_PLAYERS, names, strict=True)
    )


def _last_move(layout: Layout, state: BlokusState, hints: Sequence[str]) -> str:
    move = state.last_move
    if move is None:
        return ""
    # A colour that could not be found again, in a position from outside, is named all the same.
    bare = layout.bare_skip and move.color == _last_skipper(state.turn, state.valid_colors)
    return "\n" + indent(encode_move(layout.package, move, hints, "lastMove", bare_skip=bare), 1)


def _last_skipper(turn: int, colors: Sequence[Color]) -> Color | None:
    """Return which colour has just skipped, if that was the last move (W21).

    Whoever skips could have moved and still can, so it is in play. It is the nearest such colour
    before the one on turn, because colours between them are out.
    """
    before = (Color((turn - steps) % 4) for steps in range(1, 5))
    return next((color for color in before if color in colors), None)


# reading ------------------------------------------------------------------------------------

_LAST_TURN = 9999
_CELLS = {(str(x), str(y)): (x, y) for x in range(SIZE) for y in range(SIZE)}
_BITS = {name: 1 << piece for name, piece in PIECES.items()}
_ONLY_TEAM = {"ONE": 0}
_ONLY_COLOR = {"BLUE": Color.BLUE}
_KNOWN = {
    "board",
    "lastMove",
    "lastMoveMono",
    "orderedColors",
    "startColor",
    "startTeam",
    "validColors",
}
_KNOWN |= {*_SHAPES, *(tag for tag, _ in _PLAYERS)}


def decode_state(game: Blokus, package: str, element: Element) -> ReceivedState[BlokusState]:
    """Read a state in any layout.

    What is there decides how it is read, not the revision (W32, W35, W36).

    ``round`` is not believed where the turn says it: in replays of 27.0.4 it is always 1 (W31).
    """
    where = element.tag
    children: dict[str, Element] = {}
    discarded: list[str] = []
    for child in element.children:
        if child.tag not in _KNOWN:
            discarded.append(f"{where}/{child.tag}")
        elif children.setdefault(child.tag, child) is not child:
            raise CodecError(f"{where}/{child.tag}", "there is more than one of them")
    _check_start(element, children, where)
    colors = _decode_colors(children, where)
    last = children.get("lastMove")
    received = None
    if last is not None:
        bare = last.find("color") is None and last.find("piece") is None
        turn = _decode_turn(element, children, colors, None) if bare else 0
        skipper = _last_skipper(turn, colors) if bare else None
        received = decode_move(package, last, f"{where}/lastMove", skipper)
    last_move = None if received is None else received.move
    try:
        state = BlokusState.build(
            game,
            cells=_decode_board(required_child(element, "board", where), f"{where}/board"),
            hands=[
                _decode_hand(required_child(element, tag, where), f"{where}/{tag}")
                for tag in _SHAPES
            ],
            valid_colors=colors,
            turn=_decode_turn(
                element, children, colors, None if last_move is None else last_move.color
            ),
            start_piece=decode_name(element.get("startPiece"), f"{where}@startPiece", PIECES),
            last_move=last_move,
            mono_last=_decode_mono(children.get("lastMoveMono"), f"{where}/lastMoveMono"),
        )
    except PositionError as error:
        raise CodecError(where, str(error)) from error
    names = tuple(
        (children[tag].get("displayName") or "") if tag in children else "" for tag, _ in _PLAYERS
    )
    if received is None:
        return ReceivedState(state, names, (), tuple(discarded))
    return ReceivedState(state, names, received.hints, (*discarded, *received.discarded))


def _check_start(element: Element, children: dict[str, Element], where: str) -> None:
    """Check that team ONE and BLUE begin. A state that says otherwise is not of this game."""
    team, color = children.get("startTeam"), children.get("startColor")
    said = element.get("startTeam") if team is None else team.text
    if said is not None:
        decode_name(said, f"{where}/startTeam", _ONLY_TEAM)
    if color is not None:
        decode_name(color.text, f"{where}/startColor", _ONLY_COLOR)


def _decode_colors(children: dict[str, Element], where: str) -> list[Color]:
    element = children.get("validColors", children.get("orderedColors"))
    if element is None:
        raise CodecError(where, "has neither <validColors> nor <orderedColors>")
    return [
        decode_name(child.text, f"{where}/{element.tag}/color", COLORS)
        for child in element.all("color")
    ]


def _decode_turn(
    element: Element, children: dict[str, Element], colors: list[Color], last: Color | None
) -> int:
    """Return the number of the turn in colour slots (W24).

    It is such that the colour on turn is ``turn % 4``.

    Servers up to 21.1.0 count the moves really made. There the colour comes from its index and the
    slot from the round; the last colour to fall out is always the one that moved last.
    """
    where = element.tag
    turn = decode_number(element.get("turn"), f"{where}@turn", 0, _LAST_TURN)
    if "validColors" in children:
        return turn
    said = element.get("round")
    full_rounds = (
        turn // 4 if said is None else decode_number(said, f"{where}@round", 1, _LAST_TURN) - 1
    )
    if colors:
        index = decode_number(
            element.get("currentColorIndex"), f"{where}@currentColorIndex", 0, len(colors) - 1
        )
        color = int(colors[index])
    elif last is None or full_rounds == turn // 4:
        return turn
    else:
        color = int(last)
    slot = 4 * full_rounds + color
    return slot if slot >= turn else turn + (color - turn) % 4


def _decode_board(board: Element, where: str) -> dict[Cell, Color]:
    cells: dict[Cell, Color] = {}
    wrapper = board.find("fields")
    for number, field in enumerate(board.children if wrapper is None else wrapper.children, 1):
        if field.tag != "field":
            continue
        attributes = field.attributes
        try:
            cell, color = _CELLS[attributes["x"], attributes["y"]], COLORS[attributes["content"]]
        except KeyError:
            cell, color = _decode_field(field, f"{where}/field[{number}]")
        if cell in cells:
            raise CodecError(f"{where}/field[{number}]", f"({cell[0]}, {cell[1]}) is listed twice")
        cells[cell] = color
    return cells


def _decode_field(field: Element, where: str) -> tuple[Cell, Color]:
    """Read a field the slow way, for numbers spelled unusually and to say what is wrong."""
    x = decode_number(field.get("x"), f"{where}@x", 0, SIZE - 1)
    y = decode_number(field.get("y"), f"{where}@y", 0, SIZE - 1)
    return (x, y), decode_name(field.get("content"), f"{where}@content", COLORS)


def _decode_hand(shapes: Element, where: str) -> int:
    hand = 0
    for shape in shapes.all("shape"):
        bit = _BITS.get(shape.text)
        hand |= decode_name(shape.text, f"{where}/shape", _BITS) if bit is None else bit
    return hand


def _decode_mono(element: Element | None, where: str) -> int:
    mask = 0
    for entry in () if element is None else element.all("entry"):
        color = decode_name(
            required_child(entry, "color", f"{where}/entry").text, f"{where}/entry/color", COLORS
        )
        flag = required_child(entry, "boolean", f"{where}/entry").text.strip()
        mask |= decode_flag(flag, f"{where}/entry/boolean", False) << color
    return mask
