"""Hase und Igel 2018 in XML: the one place with its tag names.

Byte for byte what the official server writes.

The default revision follows the official server where the documents differ from it (H17 to H20),
because the clients of 2018 read that; ``2018-documented`` follows the documents (H23 to H26).
Reading is generous in both.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.board import GOAL_INDEX, LENGTH, Board, Field
from spielleiter.games.hase_und_igel.rules.moves import (
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.state import (
    ENDS,
    LAST_TURN,
    Hare,
    HareState,
    position_fault,
)
from spielleiter.rules import Cause, Outcome, RuleViolation, SeatOutcome, Text
from spielleiter.rules.text import NO_TEXT
from spielleiter.wire.codec import Codec, ReceivedMove, ReceivedState
from spielleiter.wire.elements import Element, indent, quote
from spielleiter.wire.errors import CodecError

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel

_SEATS = ("red", "blue")
_KNOWN = frozenset({*_SEATS, "board", "lastMove", "condition"})
_MOVE_CLASSES = ("move", "sc.plugin2018.Move")

# Bounds of what is read. The rules need none of them; a number from outside should still have one.
_INT_LIMIT = 2**31 - 1  # what the official server can hold
_CARROT_LIMIT = 1_000_000
_SALAD_LIMIT = 1_000

_FRAGMENTS = ("Gewinner", "∅ Feldnummer", "∅ Karotten")
_FRAGMENTS_DOCUMENTED = ("Gewinner", "Ø Feldnummer", "Ø Karotten")  # H19
_KNOWN_REASONS = {text.de: text for text in ENDS.values()}
_NUMBER = re.compile(r"\s*([+-]?[0-9]{1,12})\s*", re.ASCII)


def codecs_for(game: HaseUndIgel) -> Mapping[str, Codec[HareState, HareMove]]:
    """Return what real clients of 2018 read and what the page says, first the variant's own."""
    codecs = (HareCodec(game), DocumentedHareCodec(game))
    order = codecs if game.pays_after_end else codecs[::-1]
    return MappingProxyType({codec.revision: codec for codec in order})


class HareCodec(Codec[HareState, HareMove]):
    """Positions, moves and results of Hase und Igel 2018."""

    revision = "2018"
    dialect = "2018"
    hints_allowed = True
    echoes_hints = True
    fragments = _FRAGMENTS

    def __init__(self, game: HaseUndIgel) -> None:
        self._game = game

    @property
    def game(self) -> HaseUndIgel:
        return self._game

    def encode_state(
        self, state: HareState, names: Sequence[str], hints: Sequence[str] = ()
    ) -> str:
        return self._state(state, names, hints if state.last_move is not None else None)

    def _state(
        self,
        state: HareState,
        names: Sequence[str],
        hints: Sequence[str] | None,
        condition: str = "",
    ) -> str:
        """Write the state; ``hints`` None leaves the last move out, ``condition`` is added."""
        current = _SEATS[state.seat].upper()
        lines = [
            f'<state class="state" turn="{state.turn}" startPlayer="RED" currentPlayer="{current}">'
        ]
        for seat, tag in enumerate(_SEATS):
            lines.append(_encode_hare(f"  <{tag}", tag, state.hares[seat], names[seat], seat))
        lines.append(_encode_board(state.board))
        if hints is not None and state.last_move is not None:
            lines.append(indent(self.encode_move(state.last_move, hints, tag="lastMove"), 1))
        if condition:
            lines.append(indent(condition, 1))
        lines.append("</state>")
        return "\n".join(lines)

    def decode_state(self, element: Element) -> ReceivedState[HareState]:
        where = element.tag
        discarded = [child.tag for child in element.children if child.tag not in _KNOWN]
        turn = _int(element, "turn", where, 0, LAST_TURN)
        expected = _SEATS[turn % 2].upper()
        if element.get("currentPlayer") not in (None, expected):
            raise CodecError(
                f"{where}@currentPlayer",
                f"in turn {turn} it is {expected}'s turn, red having begun",
            )
        names: list[str] = []
        hares: list[Hare] = []
        for tag in _SEATS:
            player = _child(element, tag, where)
            names.append(player.get("displayName") or "")
            hares.append(_decode_hare(player, f"{where}/{tag}", discarded))
        board = _decode_board(_child(element, "board", where), f"{where}/board")
        fault = position_fault(board, (hares[0], hares[1]), turn)
        if fault is not None:
            raise CodecError(where, fault)
        last = element.find("lastMove")
        if last is None:
            state = HareState(self._game, board, (hares[0], hares[1]), turn, None)
            state = _after_first_move(state) or state
            return ReceivedState(state, tuple(names), (), tuple(discarded))
        received = _decode_actions(last, f"{where}/lastMove")
        state = HareState(self._game, board, (hares[0], hares[1]), turn, received.move)
        return ReceivedState(state, tuple(names), received.hints, (*discarded, *received.discarded))

    def encode_move(self, move: HareMove, hints: Sequence[str] = (), tag: str = "data") -> str:
        opening = f"<{tag}" if tag == "lastMove" else f'<{tag} class="move"'
        orders = move.orders or range(len(move.actions))
        lines = [
            f"  <{_TAGS[type(action)]} {_attributes(action, order)}/>"
            for action, order in zip(move.actions, orders, strict=True)
        ]
        lines += [f"  <hint content={quote(hint)}/>" for hint in hints]
        return "\n".join((f"{opening}>", *lines, f"</{tag}>")) if lines else f"{opening}/>"

    def decode_move(self, element: Element, state: HareState) -> ReceivedMove[HareMove]:  # noqa: ARG002
        name = element.get("class")
        if name is None:
            raise CodecError(
                f"{element.tag}@class", 'the class is missing; a move has class="move"'
            )
        if name not in _MOVE_CLASSES:
            raise CodecError(
                f"{element.tag}@class", f'{name!r} is no move; a move has class="move"'
            )
        return _decode_actions(element, element.tag)

    def encode_outcome(self, outcome: Outcome, state: HareState, names: Sequence[str]) -> str:
        return f'<data class="result">\n{self._result(outcome, state, names)}\n</data>'

    def _result(self, outcome: Outcome, state: HareState, names: Sequence[str]) -> str:
        lines = [_encode_definition(self.fragments)]
        for line in outcome.seats:
            reason = self._reason(line, outcome)
            lines.append(f'  <score cause="{line.cause.value}"{reason}>')
            lines += [f"    <part>{part}</part>" for part in (line.points, *line.parts)]
            lines.append("  </score>")
        if outcome.winner is not None:
            seat = outcome.winner
            lines.append(
                _encode_hare(
                    '  <winner class="player"', "winner", state.hares[seat], names[seat], seat
                )
            )
        return "\n".join(lines)

    def _reason(self, line: SeatOutcome, outcome: Outcome) -> str:  # noqa: ARG002
        """As on the server: no attribute where there is nothing to say (H26)."""
        return f" reason={quote(line.reason.de)}" if line.reason.de else ""

    def decode_outcome(self, element: Element) -> Outcome:
        where = element.tag
        if element.get("class") not in (None, "result"):
            raise CodecError(f"{where}@class", f"{element.get('class')!r} is no result")
        seats = tuple(_decode_score(score, f"{where}/score") for score in element.all("score"))
        if len(seats) != 2:
            raise CodecError(f"{where}/score", f"a result has two scores, not {len(seats)}")
        points = [seat.points for seat in seats]
        winner = None if points[0] == points[1] else points.index(max(points))
        guilty = [seat for seat in seats if seat.cause is not Cause.REGULAR]
        if guilty:
            return Outcome(seats, winner, guilty[0].cause.value, guilty[0].reason)
        code = "GOAL" if any(seat.parts[0] == GOAL_INDEX for seat in seats) else "ROUND_LIMIT"
        return Outcome(seats, winner, code, seats[0].reason)

    def describe_move(self, move: HareMove) -> str:
        return str(move)  # the messages of 2018 name no moves; logs and pages do

    def violation_reason(self, violation: RuleViolation, move: HareMove | None, name: str) -> Text:  # noqa: ARG002
        return violation.text

    def complaint(
        self,
        violation: RuleViolation,
        move: HareMove | None,  # noqa: ARG002 - other seasons name the move
        name: str,
        *,
        to_offender: bool,
    ) -> str:
        return (
            f"Ungueltiger Zug von '{name}'.\n{violation.text.de}"
            if to_offender
            else violation.text.de
        )

    def seat_name(self, seat: int) -> str:
        return _SEATS[seat]


class DocumentedHareCodec(HareCodec):
    """Hase und Igel 2018 to the letter of its page. The official clients cannot read this."""

    revision = "2018-documented"
    dialect = "2018-documented"
    fragments = _FRAGMENTS_DOCUMENTED

    def encode_state(
        self, state: HareState, names: Sequence[str], hints: Sequence[str] = ()
    ) -> str:
        if state.is_over:
            return self.encode_last_state(state, names, hints, state.outcome())
        return self._state(state, names, None if state.round == 1 else hints)  # H17

    def encode_last_state(
        self,
        state: HareState,
        names: Sequence[str],
        hints: Sequence[str],
        outcome: Outcome,
    ) -> str:
        """With the result in it, as ``lastMove`` has the move in it: without a class (H23)."""
        condition = f"<condition>\n{self._result(outcome, state, names)}\n</condition>"
        return self._state(state, names, None if state.round == 1 else hints, condition)

    def _reason(self, line: SeatOutcome, outcome: Outcome) -> str:
        """Always there, and the same for both where only one of them is to blame (H26)."""
        return f" reason={quote(line.reason.de or outcome.reason.de)}"


# Actions ------------------------------------------------------------------------------------------

_TAGS: dict[type[Action], str] = {
    Advance: "advance",
    PlayCard: "card",
    ExchangeCarrots: "exchangeCarrots",
    EatSalad: "eatSalad",
    FallBack: "fallBack",
    Skip: "skip",
}
_KINDS = {tag: kind for kind, tag in _TAGS.items()}


def _attributes(action: Action, order: int) -> str:
    if isinstance(action, Advance):
        return f'order="{order}" distance="{action.distance}"'
    if isinstance(action, PlayCard):
        return f'order="{order}" type="{action.card.value}" value="{action.value}"'
    if isinstance(action, ExchangeCarrots):
        return f'order="{order}" value="{action.value}"'
    return f'order="{order}"'


def _decode_action(element: Element, kind: type[Action], where: str) -> tuple[int, Action]:
    order = _int(element, "order", where, -_INT_LIMIT, _INT_LIMIT, default=0)
    if kind is Advance:
        return order, Advance(_int(element, "distance", where, -_INT_LIMIT, _INT_LIMIT, default=0))
    if kind is PlayCard:
        value = _int(element, "value", where, -_INT_LIMIT, _INT_LIMIT, default=0)
        return order, PlayCard(_card(element.get("type"), f"{where}@type"), value)
    if kind is ExchangeCarrots:
        return order, ExchangeCarrots(
            _int(element, "value", where, -_INT_LIMIT, _INT_LIMIT, default=0)
        )
    if kind is EatSalad:
        return order, EatSalad()
    return order, FallBack() if kind is FallBack else Skip()


def _decode_actions(element: Element, where: str) -> ReceivedMove[HareMove]:
    numbered: list[tuple[int, Action]] = []
    hints: list[str] = []
    discarded: list[str] = []
    for child in element.children:
        kind = _KINDS.get(child.tag)
        if kind is not None:
            numbered.append(_decode_action(child, kind, f"{where}/{child.tag}"))
        elif child.tag == "hint":
            hints.append(child.get("content") or "")
        else:
            discarded.append(child.tag)
    numbered.sort(key=lambda pair: pair[0])
    orders = tuple(order for order, _ in numbered)
    actions = tuple(action for _, action in numbered)
    move = HareMove(actions, () if orders == tuple(range(len(orders))) else orders)
    return ReceivedMove(move, tuple(hints), tuple(discarded))


def _after_first_move(state: HareState) -> HareState | None:
    """The same position with the move that led to turn 1, which the documents leave out (H17).

    It was an advance and one card at the most: while blue is on the start field, neither of the
    cards that jump can be played. None if no first move leads here.
    """
    red = state.hares[0]
    if state.turn != 1 or red.last_action is None:
        return None
    card = (red.last_action,) if isinstance(red.last_action, PlayCard) else ()
    start = HareState(state.game, state.board, (Hare(), Hare()), 0, None)
    try:
        after = start.play(HareMove((Advance(red.position), *card)))
    except RuleViolation:
        return None
    return after if after.hares == state.hares else None


def _card(text: str | None, where: str) -> Card:
    try:
        return Card((text or "").strip())
    except ValueError:
        known = ", ".join(card.value for card in Card)
        raise CodecError(where, f"{text!r} is no card; there are {known}") from None


# Hares and board ----------------------------------------------------------------------------------


def _encode_hare(opening: str, tag: str, hare: Hare, name: str, seat: int) -> str:
    who = f'displayName={quote(name)} color="{_SEATS[seat].upper()}"'
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
        kind = _TAGS[type(hare.last_action)]
        attributes = _attributes(hare.last_action, hare.last_action_order)
        lines.append(f'    <lastNonSkipAction class="{kind}" {attributes}/>')
    lines.append(f"  </{tag}>")
    return "\n".join(lines)


def _decode_hare(element: Element, where: str, discarded: list[str]) -> Hare:
    discarded += [
        child.tag for child in element.children if child.tag not in ("cards", "lastNonSkipAction")
    ]
    cards = element.find("cards")
    held = (
        ()
        if cards is None
        else tuple(_card(card.text, f"{where}/cards/type") for card in cards.all("type"))
    )
    last = element.find("lastNonSkipAction")
    action, order = None, 0
    if last is not None:
        name = last.get("class") or ""
        kind = _KINDS.get(name)
        if kind is None or kind is Skip:
            raise CodecError(
                f"{where}/lastNonSkipAction@class", f"{name!r} is no action that is no skip"
            )
        order, action = _decode_action(last, kind, f"{where}/lastNonSkipAction")
    return Hare(
        _int(element, "index", where, 0, GOAL_INDEX),
        _int(element, "carrots", where, 0, _CARROT_LIMIT),
        _int(element, "salads", where, 0, _SALAD_LIMIT),
        held,
        action,
        order,
    )


@cache
def _encode_definition(fragments: tuple[str, ...]) -> str:
    lines = ["  <definition>"]
    for place, name in enumerate(fragments):
        lines += [
            f'    <fragment name="{name}">',
            f"      <aggregation>{'AVERAGE' if place else 'SUM'}</aggregation>",
            "      <relevantForRanking>true</relevantForRanking>",
            "    </fragment>",
        ]
    return "\n".join((*lines, "  </definition>"))


@lru_cache(maxsize=64)
def _encode_board(board: Board) -> str:
    fields = (
        f'    <fields index="{index}" type="{field.value}"/>' for index, field in enumerate(board)
    )
    return "\n".join(("  <board>", *fields, "  </board>"))


def _decode_board(element: Element, where: str) -> Board:
    found: dict[int, Field] = {}
    for child in element.all("fields"):
        place = f"{where}/fields"
        index = _int(child, "index", place, 0, GOAL_INDEX)
        if index in found:
            raise CodecError(f"{place}@index", f"there are two fields {index}")
        name = child.get("type") or ""
        try:
            found[index] = Field(name)
        except ValueError:
            raise CodecError(
                f"{place}@type", f"{name!r} (field {index}) is no kind of field"
            ) from None
    missing = [index for index in range(LENGTH) if index not in found]
    if missing:
        raise CodecError(f"{where}/fields", f"there is no field {missing[0]}; a board has {LENGTH}")
    return tuple(found[index] for index in range(LENGTH))


def _decode_score(element: Element, where: str) -> SeatOutcome:
    name = element.get("cause") or ""
    try:
        cause = Cause(name)
    except ValueError:
        raise CodecError(f"{where}@cause", f"{name!r} is no cause of an end") from None
    parts = [
        _number(part.text, f"{where}/part", -_INT_LIMIT, _INT_LIMIT) for part in element.all("part")
    ]
    if len(parts) != 3:
        raise CodecError(f"{where}/part", f"a score has three parts, not {len(parts)}")
    german = element.get("reason") or ""
    reason = _KNOWN_REASONS.get(german, Text(german, german)) if german else NO_TEXT
    return SeatOutcome(parts[0], tuple(parts[1:]), cause, reason)


def _child(element: Element, tag: str, where: str) -> Element:
    child = element.find(tag)
    if child is None:
        raise CodecError(where, f"<{tag}> is missing")
    return child


def _int(
    element: Element, name: str, where: str, low: int, high: int, default: int | None = None
) -> int:
    text = element.get(name)
    if text is None:
        if default is None:
            raise CodecError(f"{where}@{name}", "the attribute is missing")
        return default
    return _number(text, f"{where}@{name}", low, high)


def _number(text: str, where: str, low: int, high: int) -> int:
    match = _NUMBER.fullmatch(text)
    if match is None:
        raise CodecError(where, f"{text[:40]!r} is no whole number")
    value = int(match[1])
    if not low <= value <= high:
        raise CodecError(where, f"{value} is not from {low} to {high}")
    return value
