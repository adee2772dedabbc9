"""Words in which the contract is written.

A demand that is not met fails with a sentence. No check lives here.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from spielleiter.rules import AnyState, Text


def require(condition: object, message: str) -> None:
    """Like ``assert``, but also under ``python -O``."""
    if not condition:
        raise AssertionError(message)


def require_text(text: Text, what: str) -> None:
    require(isinstance(text, Text), f"{what} is {text!r} and no Text(de, en)")
    require(text.de and text.en, f"{what} is missing in German or English: {text!r}")
    require("{" not in text.de + text.en, f"{what} has an unfilled placeholder: {text!r}")


def place(state: AnyState) -> str:
    return f"{state.game.id}, turn {state.turn}"


def sample(items: Sequence[Any], dice: random.Random, limit: int | None) -> Sequence[Any]:
    """Return all of them, or as many at random. The first and the last are always among them."""
    if limit is None or len(items) <= limit:
        return items
    chosen = {0, len(items) - 1, *dice.sample(range(len(items)), max(0, limit - 2))}
    return [items[number] for number in sorted(chosen)]
