"""Cards, the six actions, and a move as a sequence of actions.

``str()`` of a move or action is its notation; ``notation.py`` reads it back. What is legal is
decided elsewhere.
"""

from __future__ import annotations

from enum import Enum

from spielleiter.rules.frozen import frozen


class Card(Enum):
    """A hare card. Order and names are those of the wire."""

    TAKE_OR_DROP_CARROTS = "TAKE_OR_DROP_CARROTS"
    EAT_SALAD = "EAT_SALAD"
    HURRY_AHEAD = "HURRY_AHEAD"
    FALL_BACK = "FALL_BACK"

    __hash__ = object.__hash__  # members are singletons; see Field


@frozen
class Advance:
    """Walk ``distance`` fields forward and pay for it."""

    distance: int

    def __str__(self) -> str:
        return f"A{self.distance}"


@frozen
class PlayCard:
    """Play a card on the hare field just entered.

    ``value`` counts only for TAKE_OR_DROP_CARROTS.
    """

    card: Card
    value: int = 0

    def __str__(self) -> str:
        if self.value or self.card is Card.TAKE_OR_DROP_CARROTS:
            return f"C:{self.card.value}:{self.value}"
        return f"C:{self.card.value}"


@frozen
class ExchangeCarrots:
    """Take carrots on a carrot field, or give them back if ``value`` is negative."""

    value: int

    def __str__(self) -> str:
        return f"X{self.value:+d}"


@frozen
class EatSalad:
    """Eat a salad on a salad field."""

    def __str__(self) -> str:
        return "E"


@frozen
class FallBack:
    """Walk back to the nearest hedgehog field and collect carrots."""

    def __str__(self) -> str:
        return "F"


@frozen
class Skip:
    """Do nothing, which is allowed only if there is nothing else to do."""

    def __str__(self) -> str:
        return "S"


Action = Advance | PlayCard | ExchangeCarrots | EatSalad | FallBack | Skip


@frozen
class HareMove:
    """What a player does in one turn, either one action or an advance and one to three cards.

    ``orders`` holds the numbers the sender gave the actions, and only where they are not 0, 1, 2, …
    as they have to be (H15); a move that has it is never legal.
    """

    actions: tuple[Action, ...]
    orders: tuple[int, ...] = ()

    def __str__(self) -> str:
        if not self.actions:
            return "-"
        if not self.orders:
            return " ".join(map(str, self.actions))
        return " ".join(
            str(action) if order == place else f"{action}@{order}"
            for place, (action, order) in enumerate(zip(self.actions, self.orders, strict=True))
        )

    @property
    def canonical(self) -> HareMove:
        """The spelling that ``legal_moves()`` uses.

        It has no idle value on a card that takes none (H15).
        """
        return HareMove(
            tuple(
                PlayCard(action.card)
                if isinstance(action, PlayCard) and action.card is not Card.TAKE_OR_DROP_CARROTS
                else action
                for action in self.actions
            ),
            self.orders,
        )
