"""Moves and positions as text, and back.

A move is its actions with a space between: ``A5`` advance, ``C:EAT_SALAD`` or
``C:TAKE_OR_DROP_CARROTS:-20`` card, ``X+10`` or ``X-10`` exchange, ``E`` eat, ``F`` fall back,
``S`` skip; ``-`` is a move without actions. An action numbered differently from its place carries
the number: ``A1@3``.

A position is ``BOARD TURN RED BLUE MOVE``: a letter for each field, the turn, each hare as
``field,carrots,salads,cards,last action``, and the last move, ``-`` for none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.board import Board, Field
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
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState, check_position
from spielleiter.rules import NotationError, PositionError

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel

LETTERS: dict[Field, str] = {
    Field.START: "S",
    Field.CARROT: "C",
    Field.HARE: "H",
    Field.SALAD: "L",
    Field.HEDGEHOG: "I",
    Field.POSITION_1: "1",
    Field.POSITION_2: "2",
    Field.GOAL: "G",
}
CARD_LETTERS: dict[Card, str] = {
    Card.TAKE_OR_DROP_CARROTS: "T",
    Card.EAT_SALAD: "E",
    Card.HURRY_AHEAD: "H",
    Card.FALL_BACK: "F",
}
_FIELDS = {letter: field for field, letter in LETTERS.items()}
_CARDS = {letter: card for card, letter in CARD_LETTERS.items()}

_NUMBER = r"[+-]?[0-9]{1,10}"
_ACTION = re.compile(
    rf"(?:A(?P<distance>{_NUMBER})|C:(?P<card>[A-Z_]+)(?::(?P<value>{_NUMBER}))?|X(?P<exchange>{_NUMBER})|(?P<plain>[EFS]))"
    rf"(?:@(?P<order>{_NUMBER}))?"
)
_PLAIN: dict[str, Action] = {"E": EatSalad(), "F": FallBack(), "S": Skip()}
_HELP = "actions are A5, C:EAT_SALAD, X+10, X-10, E, F, S"


def format_move(move: HareMove) -> str:
    """Return the move as text. ``parse_move`` reads it back."""
    return str(move)


def parse_move(text: str) -> HareMove:
    """Read a move. Raises NotationError."""
    return _parse_move(text, text, 0, "move")


def _parse_move(text: str, whole: str, start: int, what: str) -> HareMove:
    words = [(match.group(), start + match.start()) for match in re.finditer(r"\S+", text)]
    if not words:
        raise NotationError(what, whole, f"there is no action in it; {_HELP}", start)
    if [word for word, _ in words] == ["-"]:
        return HareMove(())
    actions: list[Action] = []
    orders: list[int] = []
    for place, (word, at) in enumerate(words):
        action, order = _parse_action(word, whole, at, what)
        actions.append(action)
        orders.append(place if order is None else order)
    return HareMove(tuple(actions), () if orders == list(range(len(orders))) else tuple(orders))


def _parse_action(word: str, whole: str, at: int, what: str) -> tuple[Action, int | None]:
    match = _ACTION.fullmatch(word)
    if match is None:
        raise NotationError(what, whole, f"{word!r} is not an action; {_HELP}", at)
    order = None if match["order"] is None else int(match["order"])
    if match["distance"] is not None:
        return Advance(int(match["distance"])), order
    if match["exchange"] is not None:
        return ExchangeCarrots(int(match["exchange"])), order
    if match["plain"] is not None:
        return _PLAIN[match["plain"]], order
    try:
        card = Card(match["card"])
    except ValueError:
        known = ", ".join(known.value for known in Card)
        raise NotationError(
            what, whole, f"{match['card']!r} is not a card; there are {known}", at + 2
        ) from None
    return PlayCard(card, int(match["value"] or 0)), order


def format_position(state: HareState) -> str:
    """Return the whole position on one line. ``parse_position`` reads it back."""
    board = "".join(LETTERS[field] for field in state.board)
    red, blue = map(_format_hare, state.hares)
    return (
        f"{board} {state.turn} {red} {blue} {'-' if state.last_move is None else state.last_move}"
    )


def _format_hare(hare: Hare) -> str:
    cards = "".join(CARD_LETTERS[card] for card in hare.cards) or "-"
    last = "-" if hare.last_action is None else str(hare.last_action)
    if hare.last_action_order:
        last += f"@{hare.last_action_order}"
    return f"{hare.position},{hare.carrots},{hare.salads},{cards},{last}"


def parse_position(game: HaseUndIgel, text: str) -> HareState:
    """Read a position. Raises NotationError."""
    words = [(match.group(), match.start()) for match in re.finditer(r"\S+", text)]
    if len(words) < 5:
        raise NotationError(
            "position",
            text,
            f"it needs five parts, BOARD TURN RED BLUE MOVE, and has {len(words)}",
            len(text),
        )
    (fields, at), (number, turn_at), red, blue, (_, move_at) = words[:5]
    board = _parse_board(fields, game.season.length, text, at)
    if not re.fullmatch(r"[0-9]{1,3}", number):
        raise NotationError("position", text, f"the turn must be a number, not {number!r}", turn_at)
    hares = (_parse_hare(*red, text), _parse_hare(*blue, text))
    move = _parse_move(text[move_at:], text, move_at, "position")
    try:
        check_position(game.season, board, hares, int(number))
    except PositionError as fault:
        raise NotationError("position", text, str(fault)) from None
    return HareState(game, board, hares, int(number), move if move.actions else None)


def _parse_board(word: str, length: int, whole: str, at: int) -> Board:
    for place, letter in enumerate(word):
        if letter not in _FIELDS:
            known = " ".join(_FIELDS)
            raise NotationError(
                "position", whole, f"{letter!r} is not a field; fields are {known}", at + place
            )
    if len(word) != length:
        raise NotationError(
            "position", whole, f"the board needs {length} fields and has {len(word)}", at
        )
    return tuple(_FIELDS[letter] for letter in word)


def _parse_hare(word: str, at: int, whole: str) -> Hare:
    parts = word.split(",")
    if len(parts) != 5:
        reason = (
            f"a hare is field,carrots,salads,cards,last action; {word!r} has {len(parts)} parts"
        )
        raise NotationError("position", whole, reason, at)
    for part, name in zip(parts, ("field", "carrots", "salads"), strict=False):
        if not re.fullmatch(r"[0-9]{1,9}", part):
            raise NotationError("position", whole, f"{name} must be a number, not {part!r}", at)
        at += len(part) + 1
    cards: list[Card] = []
    for place, letter in enumerate("" if parts[3] == "-" else parts[3]):
        if letter not in _CARDS:
            raise NotationError(
                "position",
                whole,
                f"{letter!r} is not a card; cards are {' '.join(_CARDS)}, - for none",
                at + place,
            )
        cards.append(_CARDS[letter])
    at += len(parts[3]) + 1
    last, order = (
        (None, None) if parts[4] == "-" else _parse_action(parts[4], whole, at, "position")
    )
    if isinstance(last, Skip):
        raise NotationError("position", whole, "the last action must be one that is not a skip", at)
    return Hare(int(parts[0]), int(parts[1]), int(parts[2]), tuple(cards), last, order or 0)
