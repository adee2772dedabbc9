"""Check one move and say what is wrong with it.

It goes action by action in the order of the official server. It is written apart from ``steps.py``,
which lists moves, so that each is a test of the other. Only a scratch copy of the hare is changed
here, so a move that fails in the middle leaves no trace (H13).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from spielleiter.games.hase_und_igel.rules.board import Field, Track, advance_cost
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
from spielleiter.games.hase_und_igel.rules.steps import salad_gain
from spielleiter.rules import RuleViolation, Text

# The official server has one sentence per action; which rule it was, only our English names.
_GERMAN: dict[type[Action], str] = {
    Advance: "Vorwärtszug um {value} Felder ist nicht möglich",
    PlayCard: "Das Ausspielen der {card} Karte ist nicht möglich.",
    ExchangeCarrots: "Es können nicht {value} Karotten aufgenommen werden.",
    EatSalad: "Es kann gerade kein Salat (mehr) gegessen werden.",
    FallBack: "Es kann gerade kein Rückzug gemacht werden.",
    Skip: "Spieler kann noch einen anderen Zug ausführen, aussetzen ist nicht erlaubt.",
}

_ENGLISH: dict[str, str] = {
    "DISTANCE_TOO_SMALL": "An advance goes at least one field forward; this one says {value}.",
    "BEYOND_GOAL": "The goal is field {goal}; this leads to field {target}.",
    "TOO_FEW_CARROTS": "This costs {price} carrots, but there are only {carrots}.",
    "MUST_EAT_SALAD": "Standing on a salad field just entered, the only move is to eat a salad.",
    "FIELD_OCCUPIED": "The other hare stands on field {target}.",
    "HEDGEHOG_FIELD": "Field {target} is a hedgehog field: it can be entered only by falling back "
    "to it.",
    "START_FIELD": "Nobody may return to the start field.",
    "NO_SALAD_LEFT": "There is no salad left to eat.",
    "SALADS_LEFT": "The goal may be entered only without salads; {salads} are left.",
    "TOO_MANY_CARROTS": "The goal may be entered with at most {most} carrots; this leaves {left}.",
    "NO_PLAYABLE_CARD": "Field {target} is a hare field, and none of the cards left could be "
    "played there.",
    "NO_HEDGEHOG_BEHIND": "There is no hedgehog field behind to fall back to.",
    "NOT_ON_CARROT_FIELD": "Carrots can be exchanged only on a carrot field.",
    "WRONG_VALUE": "The value {value} is not one of those allowed here: {allowed}.",
    "NOT_ON_SALAD_FIELD": "A salad can be eaten only on a salad field.",
    "SALAD_EATEN": "A salad has just been eaten here; the field has to be left now.",
    "NO_HARE_FIELD_ENTERED": "A card can be played only right after entering a hare field.",
    "CARD_NOT_OWNED": "The card {card} has been played already.",
    "NOT_BEHIND": "HURRY_AHEAD can be played only by the hare that is behind.",
    "NOT_AHEAD": "FALL_BACK can be played only by the hare that is ahead.",
    "OTHER_MOVE_POSSIBLE": "Skipping is allowed only if there is no other move, and there is one.",
}

# Faults of a move as a whole.
_GAME_OVER = Text("Das Spiel ist bereits beendet.", "The game is over; no more moves are possible.")
_NO_ACTIONS = Text("Aktionen sind null", "A move needs at least one action; this one is empty.")
_WRONG_ORDER = Text(
    "Das order Attribut wurde nicht richtig gesetzt.",
    "The actions of a move must be numbered 0, 1, 2, … in their attribute order.",
)
_ONLY_CARDS_FOLLOW = Text(
    "Nach der ersten Aktion können nur noch Karten folgen.",
    "After the first action only cards may follow.",
)
_CARD_REQUIRED = Text(
    "Es muss eine Karte ausgespielt werden.",
    "The move ends on a hare field just entered: a card must be played.",
)


class Walker:
    """A scratch copy of a hare in the middle of a move, thrown away if the move fails."""

    __slots__ = ("card_due", "cards", "carrots", "must_eat", "position", "salads")

    def __init__(
        self,
        position: int,
        carrots: int,
        salads: int,
        cards: tuple[Card, ...],
        must_eat: bool,
        card_due: bool = False,
    ) -> None:
        self.position = position
        self.carrots = carrots
        self.salads = salads
        self.cards = cards
        self.must_eat = must_eat
        """On a salad field and has not eaten yet."""
        self.card_due = card_due
        """Has just entered a hare field."""


class _Fault(Exception):
    """A rule broken, before it is put into words."""

    def __init__(self, rule: str, **values: object) -> None:
        super().__init__(rule)
        self.rule = rule
        self.values = values


def game_over() -> RuleViolation:
    """Return the fault of any move after the end."""
    return RuleViolation("GAME_OVER", _GAME_OVER)


def perform(track: Track, walker: Walker, other: int, move: HareMove) -> None:
    """Walk ``walker`` through the whole move against a hare on ``other``.

    Raises RuleViolation. The walker is then somewhere in the middle and must not be used.
    """
    if not move.actions:
        raise RuleViolation("NO_ACTIONS", _NO_ACTIONS)
    orders = move.orders
    for place, action in enumerate(move.actions):
        if orders and orders[place] != place:
            raise RuleViolation("WRONG_ORDER", _WRONG_ORDER)
        kind = type(action)
        if place and kind is not PlayCard:
            raise RuleViolation("ONLY_CARDS_FOLLOW", _ONLY_CARDS_FOLLOW)
        try:
            _PERFORM[kind](track, walker, other, action)
        except _Fault as fault:
            raise _violation(fault, action) from None
    if walker.card_due:
        raise RuleViolation("CARD_REQUIRED", _CARD_REQUIRED)


def _violation(fault: _Fault, action: Action) -> RuleViolation:
    values: dict[str, object] = {"value": "", "card": ""}
    if isinstance(action, Advance):
        values["value"] = action.distance
    elif isinstance(action, ExchangeCarrots):
        values["value"] = action.value
    elif isinstance(action, PlayCard):
        values |= {"value": action.value, "card": action.card.value}
    text = Text(_GERMAN[type(action)], _ENGLISH[fault.rule])
    return RuleViolation(fault.rule, text.format(**(values | fault.values)))


def _advance(track: Track, walker: Walker, other: int, action: Advance) -> None:
    distance = action.distance
    if walker.must_eat:
        raise _Fault("MUST_EAT_SALAD")
    if distance < 1:
        raise _Fault("DISTANCE_TOO_SMALL")
    target = walker.position + distance
    goal = track.season.goal
    if target > goal:
        raise _Fault("BEYOND_GOAL", target=target, goal=goal)
    cost = advance_cost(distance)
    if cost > walker.carrots:
        raise _Fault("TOO_FEW_CARROTS", price=cost, carrots=walker.carrots)
    if target == other and target != goal:
        raise _Fault("FIELD_OCCUPIED", target=target)
    walker.carrots -= cost
    _enter(track, walker, other, target)


def _enter(track: Track, walker: Walker, other: int, target: int) -> None:
    """Put the walker on a field if it may go there, whether it walks or jumps by card."""
    field = track.board[target]
    walker.must_eat = walker.card_due = False
    if field is Field.HEDGEHOG:
        raise _Fault("HEDGEHOG_FIELD", target=target)  # H5
    if field is Field.SALAD:
        if not walker.salads:
            raise _Fault("NO_SALAD_LEFT")
        walker.must_eat = True
    elif field is Field.GOAL:
        if walker.salads:
            raise _Fault("SALADS_LEFT", salads=walker.salads)
        most = track.season.goal_carrots
        if walker.carrots > most:
            raise _Fault("TOO_MANY_CARROTS", left=walker.carrots, most=most)
    walker.position = target
    if field is Field.HARE:
        walker.card_due = True
        if not any(_playable(track, walker, other, card) for card in walker.cards):
            raise _Fault("NO_PLAYABLE_CARD", target=target)  # H16


def _playable(track: Track, walker: Walker, other: int, card: Card) -> bool:
    """Return whether the card, and whatever it then asks for, could be played from here."""
    trial = Walker(
        walker.position,
        walker.carrots,
        walker.salads,
        walker.cards,
        walker.must_eat,
        walker.card_due,
    )
    try:
        # Taking is possible more often than dropping, so the greatest value stands for all of them.
        _card(track, trial, other, PlayCard(card, max(track.season.take_or_drop_values)))
    except _Fault:
        return False
    return True


def _card(track: Track, walker: Walker, other: int, action: PlayCard) -> None:
    card = action.card
    if not walker.card_due:
        raise _Fault("NO_HARE_FIELD_ENTERED")
    if card not in walker.cards:
        raise _Fault("CARD_NOT_OWNED")
    walker.cards = tuple(kept for kept in walker.cards if kept is not card)
    if card is Card.TAKE_OR_DROP_CARROTS:
        _change_carrots(walker, action.value, track.season.take_or_drop_values)
        walker.card_due = False
    elif card is Card.EAT_SALAD:
        _swallow(track, walker, other)
        walker.card_due = False
    elif card is Card.HURRY_AHEAD:
        if walker.position >= other:
            raise _Fault("NOT_BEHIND")
        if other == track.season.goal:
            raise _Fault("BEYOND_GOAL", target=other + 1, goal=other)
        _enter(track, walker, other, other + 1)
    else:
        if walker.position <= other:
            raise _Fault("NOT_AHEAD")
        if other <= 1:
            raise _Fault("START_FIELD")  # H6
        _enter(track, walker, other, other - 1)


def _swallow(track: Track, walker: Walker, other: int) -> None:
    if not walker.salads:
        raise _Fault("NO_SALAD_LEFT")
    walker.salads -= 1
    walker.carrots += salad_gain(track.season, walker.position, other)


def _eat(track: Track, walker: Walker, other: int, _: EatSalad) -> None:
    if track.board[walker.position] is not Field.SALAD:
        raise _Fault("NOT_ON_SALAD_FIELD")
    if not walker.salads:
        raise _Fault("NO_SALAD_LEFT")
    if not walker.must_eat:
        raise _Fault("SALAD_EATEN")
    _swallow(track, walker, other)
    walker.must_eat = False


def _exchange(track: Track, walker: Walker, _: int, action: ExchangeCarrots) -> None:
    if track.board[walker.position] is not Field.CARROT:
        raise _Fault("NOT_ON_CARROT_FIELD")
    _change_carrots(walker, action.value, track.season.exchange_values)


def _change_carrots(walker: Walker, value: int, allowed: tuple[int, ...]) -> None:
    if value not in allowed:
        raise _Fault("WRONG_VALUE", allowed=", ".join(map(str, allowed)))
    if walker.carrots + value < 0:
        raise _Fault("TOO_FEW_CARROTS", price=-value, carrots=walker.carrots)
    walker.carrots += value


def _fall_back(track: Track, walker: Walker, other: int, _: FallBack) -> None:
    if walker.must_eat:
        raise _Fault("MUST_EAT_SALAD")
    for target in range(walker.position - 1, 0, -1):
        if track.board[target] is Field.HEDGEHOG:
            break
    else:
        raise _Fault("NO_HEDGEHOG_BEHIND")
    if target == other:
        raise _Fault("FIELD_OCCUPIED", target=target)
    walker.carrots += track.season.retreat_gain * (walker.position - target)
    walker.position = target


def _skip(track: Track, walker: Walker, other: int, _: Skip) -> None:
    season = track.season
    others: list[Action] = [EatSalad(), FallBack()]
    others += [ExchangeCarrots(value) for value in season.exchange_values]
    others += [Advance(distance) for distance in range(1, season.length - walker.position)]
    for action in others:
        trial = Walker(
            walker.position, walker.carrots, walker.salads, walker.cards, walker.must_eat
        )
        try:
            _PERFORM[type(action)](track, trial, other, action)
        except _Fault:
            continue
        raise _Fault("OTHER_MOVE_POSSIBLE")


_PERFORM: dict[type[Action], Callable[[Track, Walker, int, Any], None]] = {
    Advance: _advance,
    PlayCard: _card,
    ExchangeCarrots: _exchange,
    EatSalad: _eat,
    FallBack: _fall_back,
    Skip: _skip,
}
