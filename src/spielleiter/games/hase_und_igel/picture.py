"""A position as lines of text for a terminal.

What can be read back is in ``notation.py``.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.notation import LETTERS
from spielleiter.games.hase_und_igel.rules.board import Field
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState

_PER_ROW = 13
_RESET, _DIM = "\x1b[0m", "\x1b[2m"
_SEATS = (("Red", "R", "\x1b[1;97;41m"), ("Blue", "B", "\x1b[1;97;44m"))
_PAINT: dict[Field, str] = {
    Field.START: "\x1b[1m",
    Field.CARROT: "\x1b[38;5;208m",
    Field.HARE: "\x1b[38;5;180m",
    Field.SALAD: "\x1b[32m",
    Field.HEDGEHOG: "\x1b[38;5;95m",
    Field.POSITION_1: "\x1b[36m",
    Field.POSITION_2: "\x1b[35m",
    Field.GOAL: "\x1b[1m",
}
_LEGEND = "S start  C carrot  H hare  L salad  I hedgehog  1 2 position  G goal"


def draw(state: HareState, *, color: bool = False) -> str:
    """Return the track in rows of 13 fields, each hare's stock, and whose turn it is."""
    lines = [_headline(state), ""]
    length = len(state.board)
    for start in range(0, length, _PER_ROW):
        row = range(start, min(start + _PER_ROW, length))
        numbers = "".join(f"{index:<6d}" for index in row).rstrip()
        lines.append(f"{_DIM}{numbers}{_RESET}" if color else numbers)
        lines.append("".join(_cell(state, index, color) for index in row).rstrip())
        lines.append("")
    lines += [_stock(state, seat, color) for seat in (0, 1)]
    lines.append(f"{_DIM}{_LEGEND}{_RESET}" if color else _LEGEND)
    return "\n".join(lines)


def _headline(state: HareState) -> str:
    last = (
        ""
        if state.last_move is None
        else f", after {_SEATS[1 - state.seat][0]}'s {state.last_move}"
    )
    if state.is_over:
        outcome = state.outcome()
        result = "A draw." if outcome.winner is None else f"{_SEATS[outcome.winner][0]} wins."
        return f"Turn {state.turn}{last}: {outcome.reason.en} {result}"
    return f"Round {state.round}, turn {state.turn}{last}: {_SEATS[state.seat][0]} to move"


def _cell(state: HareState, index: int, color: bool) -> str:
    """Return six columns with the letter of the field and the letter of each hare on it."""
    field = state.board[index]
    here = [seat for seat, hare in enumerate(state.hares) if hare.position == index]
    padding = " " * (4 - len(here))
    if not color:
        return LETTERS[field] + " " + "".join(_SEATS[seat][1] for seat in here) + padding
    pieces = "".join(f"{_SEATS[seat][2]}{_SEATS[seat][1]}{_RESET}" for seat in here)
    return f"{_PAINT[field]}{LETTERS[field]}{_RESET} {pieces}{padding}"


def _stock(state: HareState, seat: int, color: bool) -> str:
    hare: Hare = state.hares[seat]
    name, _, paint = _SEATS[seat]
    mark = ">" if seat == state.seat and not state.is_over else " "
    title = f"{paint}{name:<4}{_RESET}" if color else f"{name:<4}"
    cards = " ".join(card.value for card in hare.cards) or "none"
    return (
        f"{mark} {title}  field {hare.position:2d}  carrots {hare.carrots:3d}  salads "
        f"{hare.salads}  cards: {cards}"
    )
