"""Moves of Hase und Igel 2018 as XML and back.

Whether a move is legal is not asked here.
"""

from __future__ import annotations

from collections.abc import Sequence

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
from spielleiter.wire.codec import ReceivedMove
from spielleiter.wire.elements import Element, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import INT_LIMIT, decode_name, decode_number

CARDS = {card.value: card for card in Card}

_CLASSES = ("move", "sc.plugin2018.Move")
_TAGS: dict[type[Action], str] = {
    Advance: "advance",
    PlayCard: "card",
    ExchangeCarrots: "exchangeCarrots",
    EatSalad: "eatSalad",
    FallBack: "fallBack",
    Skip: "skip",
}
_KINDS = {tag: kind for kind, tag in _TAGS.items()}
_LAST_KINDS = {tag: kind for tag, kind in _KINDS.items() if kind is not Skip}


def encode_move(move: HareMove, hints: Sequence[str] = (), tag: str = "data") -> str:
    """Write ``<data class="move">...</data>``, or under another tag."""
    opening = f"<{tag}" if tag == "lastMove" else f'<{tag} class="move"'
    orders = move.orders or range(len(move.actions))
    lines = [
        f"  <{_TAGS[type(action)]} {_attributes(action, order)}/>"
        for action, order in zip(move.actions, orders, strict=True)
    ]
    lines += [f"  <hint content={quote(hint)}/>" for hint in hints]
    return "\n".join((f"{opening}>", *lines, f"</{tag}>")) if lines else f"{opening}/>"


def decode_move(element: Element) -> ReceivedMove[HareMove]:
    """Read a move that a player sent."""
    name = element.get("class")
    if name is None:
        raise CodecError(f"{element.tag}@class", 'the class is missing; a move has class="move"')
    if name not in _CLASSES:
        raise CodecError(f"{element.tag}@class", f'{name!r} is not a move; a move has class="move"')
    return decode_actions(element, element.tag)


def decode_actions(element: Element, where: str) -> ReceivedMove[HareMove]:
    """Read the actions and hints of a move, whatever its class."""
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


def encode_last_action(action: Action, order: int) -> str:
    """Write the last action of a hare that was not a skip."""
    return f'<lastNonSkipAction class="{_TAGS[type(action)]}" {_attributes(action, order)}/>'


def decode_last_action(element: Element, where: str) -> tuple[int, Action]:
    """Read the last action of a hare that was not a skip, with its place in its move."""
    kind = decode_name(element.get("class"), f"{where}@class", _LAST_KINDS)
    return _decode_action(element, kind, where)


def _attributes(action: Action, order: int) -> str:
    if isinstance(action, Advance):
        return f'order="{order}" distance="{action.distance}"'
    if isinstance(action, PlayCard):
        return f'order="{order}" type="{action.card.value}" value="{action.value}"'
    if isinstance(action, ExchangeCarrots):
        return f'order="{order}" value="{action.value}"'
    return f'order="{order}"'


def _decode_action(element: Element, kind: type[Action], where: str) -> tuple[int, Action]:
    order = _int_or_zero(element, "order", where)
    if kind is Advance:
        return order, Advance(_int_or_zero(element, "distance", where))
    if kind is PlayCard:
        card = decode_name(element.get("type"), f"{where}@type", CARDS)
        return order, PlayCard(card, _int_or_zero(element, "value", where))
    if kind is ExchangeCarrots:
        return order, ExchangeCarrots(_int_or_zero(element, "value", where))
    if kind is EatSalad:
        return order, EatSalad()
    return order, FallBack() if kind is FallBack else Skip()


def _int_or_zero(element: Element, name: str, where: str) -> int:
    """Read a number as far as the official server reads it, where a missing one is 0."""
    text = element.get(name)
    if text is None:
        return 0
    return decode_number(text, f"{where}@{name}", -INT_LIMIT, INT_LIMIT)
