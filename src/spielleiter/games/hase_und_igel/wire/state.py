"""Positions of Hase und Igel 2018 as XML and back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.board import Board, Field
from spielleiter.games.hase_und_igel.rules.moves import Action, Advance, HareMove, PlayCard
from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.state import (
    Hare,
    HareState,
    check_position,
    start_hare,
)
from spielleiter.games.hase_und_igel.wire.moves import (
    CARDS,
    decode_actions,
    decode_last_action,
    encode_last_action,
    encode_move,
)
from spielleiter.rules import PositionError, RuleViolation
from spielleiter.wire.codec import ReceivedState
from spielleiter.wire.elements import Element, indent, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import decode_name, decode_number, only_child, required_child

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel

SEATS = ("red", "blue")

_KNOWN = frozenset({*SEATS, "board", "lastMove", "condition"})
_FIELDS = {field.value: field for field in Field}

# Bounds of what is read. The rules need none of them; a number from outside should still have one.
_CARROT_LIMIT = 1_000_000
_SALAD_LIMIT = 1_000


def encode_state(
    state: HareState, names: Sequence[str], hints: Sequence[str] | None, condition: str = ""
) -> str:
    """Write the state. ``hints`` None leaves the last move out, ``condition`` is added."""
    current = SEATS[state.seat].upper()
    lines = [
        f'<state class="state" turn="{state.turn}" startPlayer="RED" currentPlayer="{current}">'
    ]
    for seat, tag in enumerate(SEATS):
        lines.append(encode_hare(f"  <{tag}", tag, state.hares[seat], names[seat], seat))
    lines.append(_encode_board(state.board))
    if hints is not None and state.last_move is not None:
        lines.append(indent(encode_move(state.last_move, hints, tag="lastMove"), 1))
    if condition:
        lines.append(indent(condition, 1))
    lines.append("</state>")
    return "\n".join(lines)


def decode_state(game: HaseUndIgel, element: Element) -> ReceivedState[HareState]:
    """Read a state. Raises CodecError."""
    where, season = element.tag, game.season
    discarded = [child.tag for child in element.children if child.tag not in _KNOWN]
    turn = decode_number(element.get("turn"), f"{where}@turn", 0, season.last_turn)
    expected = SEATS[turn % 2].upper()
    if element.get("currentPlayer") not in (None, expected):
        raise CodecError(
            f"{where}@currentPlayer", f"in turn {turn} it is {expected}'s turn, red having begun"
        )
    players = [required_child(element, tag, where) for tag in SEATS]
    names = tuple(player.get("displayName") or "" for player in players)
    red, blue = (
        _decode_hare(season, player, f"{where}/{player.tag}", discarded) for player in players
    )
    board = _decode_board(season, required_child(element, "board", where), f"{where}/board")
    try:
        check_position(season, board, (red, blue), turn)
    except PositionError as fault:
        raise CodecError(where, str(fault)) from None
    last = only_child(element, "lastMove", where)
    if last is None:
        state = HareState(game, board, (red, blue), turn, None)
        return ReceivedState(_after_first_move(state) or state, names, (), tuple(discarded))
    received = decode_actions(last, f"{where}/lastMove")
    state = HareState(game, board, (red, blue), turn, received.move)
    return ReceivedState(state, names, received.hints, (*discarded, *received.discarded))


def _after_first_move(state: HareState) -> HareState | None:
    """Return the same position with the move that led to turn 1.

    The documents leave it out (H17). It was an advance and one card at the most, because while
    blue is on the start field, neither of the cards that jump can be played. None if no first move
    leads here.
    """
    red = state.hares[0]
    if state.turn != 1 or red.last_action is None:
        return None
    card = (red.last_action,) if isinstance(red.last_action, PlayCard) else ()
    hare = start_hare(state.game.season)
    start = HareState(state.game, state.board, (hare, hare), 0, None)
    try:
        after = start.play(HareMove((Advance(red.position), *card)))
    except RuleViolation:
        return None
    return after if after.hares == state.hares else None


def encode_hare(opening: str, tag: str, hare: Hare, name: str, seat: int) -> str:
    """Write a hare. ``opening`` is the beginning of its element, which ends with ``tag``."""
    who = f'displayName={quote(name)} color="{SEATS[seat].upper()}"'
    lines = [
        f'{opening} {who} index="{hare.position}" carrots="{hare.carrots}" salads="{hare.salads}">'
    ]
    if hare.cards:
        lines.append("    <cards>")
        lines += [f"      <type>{card.value}</type>" for card in hare.cards]
        lines.append("    </cards>")
    else:
        lines.append("    <cards/>")
    if hare.last_action is not None:
        lines.append("    " + encode_last_action(hare.last_action, hare.last_action_order))
    lines.append(f"  </{tag}>")
    return "\n".join(lines)


def _decode_hare(season: Season, element: Element, where: str, discarded: list[str]) -> Hare:
    discarded += [
        child.tag for child in element.children if child.tag not in ("cards", "lastNonSkipAction")
    ]
    cards = only_child(element, "cards", where)
    held = () if cards is None else cards.all("type")
    last = only_child(element, "lastNonSkipAction", where)
    action: Action | None = None
    order = 0
    if last is not None:
        order, action = decode_last_action(last, f"{where}/lastNonSkipAction")
    return Hare(
        decode_number(element.get("index"), f"{where}@index", 0, season.goal),
        decode_number(element.get("carrots"), f"{where}@carrots", 0, _CARROT_LIMIT),
        decode_number(element.get("salads"), f"{where}@salads", 0, _SALAD_LIMIT),
        tuple(decode_name(card.text, f"{where}/cards/type", CARDS) for card in held),
        action,
        order,
    )


@lru_cache(maxsize=64)
def _encode_board(board: Board) -> str:
    fields = (
        f'    <fields index="{index}" type="{field.value}"/>' for index, field in enumerate(board)
    )
    return "\n".join(("  <board>", *fields, "  </board>"))


def _decode_board(season: Season, element: Element, where: str) -> Board:
    found: dict[int, Field] = {}
    place = f"{where}/fields"
    for child in element.all("fields"):
        index = decode_number(child.get("index"), f"{place}@index", 0, season.goal)
        if index in found:
            raise CodecError(f"{place}@index", f"there are two fields {index}")
        found[index] = decode_name(child.get("type"), f"{place}[{index}]@type", _FIELDS)
    missing = [index for index in range(season.length) if index not in found]
    if missing:
        raise CodecError(place, f"there is no field {missing[0]}; a board has {season.length}")
    return tuple(found[index] for index in range(season.length))
