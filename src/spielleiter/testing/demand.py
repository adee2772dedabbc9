"""Help the checks of the contract to fail with a sentence. No check is here."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from spielleiter.rules import AnyState, Text


def require(condition: object, message: str) -> None:
    """Raise AssertionError if the condition is false, also under ``python -O``."""
    if not condition:
        raise AssertionError(message)


def require_text(text: Text, what: str) -> None:
    """Require a text that is filled in, in both languages."""
    require(isinstance(text, Text), f"{what} is {text!r} and not a Text(de, en)")
    require(text.de and text.en, f"{what} is missing in German or English: {text!r}")
    require("{" not in text.de + text.en, f"{what} has an unfilled placeholder: {text!r}")


def place(state: AnyState) -> str:
    """Return where a state is, for the beginning of a message."""
    return f"{state.game.id}, turn {state.turn}"


def sample(items: Sequence[Any], dice: random.Random, limit: int | None) -> Sequence[Any]:
    """Return all of them, or as many at random. The first and the last are always among them."""
    if limit is None or len(items) <= limit:
        return items
    chosen = {0, len(items) - 1, *dice.sample(range(len(items)), max(0, limit - 2))}
    return [items[number] for number in sorted(chosen)]
