"""Single values of the Blokus wire: numbers, names and flags read with an error that says where and
what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError

T = TypeVar("T")

_NUMBER = re.compile(r"[+-]?[0-9]{1,10}")
_FLAGS = {"true": True, "false": False}


def decode_number(text: str | None, where: str, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``.

    The length is checked first: converting digits costs their square.
    """
    value = "" if text is None else text.strip()
    if _NUMBER.fullmatch(value) and low <= (number := int(value)) <= high:
        return number
    raise CodecError(where, f"{_shown(text)}, expected a whole number from {low} to {high}")


def decode_name(text: str | None, where: str, allowed: Mapping[str, T]) -> T:
    """One of a table of names, exactly as the documents spell them."""
    value = "" if text is None else text.strip()
    if value in allowed:
        return allowed[value]
    raise CodecError(where, f"{_shown(text)}, expected one of {', '.join(allowed)}")


def decode_flag(text: str | None, where: str, default: bool) -> bool:
    """``true`` or ``false`` in any case, as the official servers read it."""
    return default if text is None else decode_name(text.lower(), where, _FLAGS)


def only_child(parent: Element, tag: str, where: str) -> Element | None:
    """The child of that name, None if there is none; two of them contradict each other."""
    found = list(parent.all(tag))
    if len(found) > 1:
        raise CodecError(f"{where}/{tag}", f"there are {len(found)} of them, expected one")
    return found[0] if found else None


def required_child(parent: Element, tag: str, where: str) -> Element:
    """The one child of that name."""
    child = only_child(parent, tag, where)
    if child is None:
        raise CodecError(where, f"has no <{tag}>")
    return child


def _shown(text: str | None) -> str:
    if text is None:
        return "missing"
    return repr(text if len(text) <= 40 else text[:37] + "...") + " found"
