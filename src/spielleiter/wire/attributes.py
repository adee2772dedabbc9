"""Read attributes as text, numbers and flags. What is wrong is said with its place."""

from __future__ import annotations

import re
from typing import TypeVar

from spielleiter.wire.elements import Element
from spielleiter.wire.errors import BadMessage

_NUMBER = re.compile(r"[+-]?[0-9]{1,18}", re.ASCII)
_FLAGS = {"true": True, "false": False}
F = TypeVar("F", bool, None, bool | None)


def optional(element: Element, name: str) -> str | None:
    """The attribute, None if it is not there."""
    return element.attributes.get(name)


def required(element: Element, name: str, where: str = "") -> str:
    """Return the attribute. Raises BadMessage if it is not there."""
    value = element.attributes.get(name)
    if value is None:
        raise BadMessage(f"{where or element.tag}@{name}", "is missing")
    return value


def flag(element: Element, name: str, missing: F, where: str = "") -> bool | F:
    """Return a boolean, written in any case, or ``missing`` if it is not there.

    Raises BadMessage for anything else.
    """
    value = element.attributes.get(name)
    if value is None:
        return missing
    try:
        return _FLAGS[value.lower()]
    except KeyError:
        raise BadMessage(
            f"{where or element.tag}@{name}", f"must be true or false, not {_shown(value)}"
        ) from None


def number(element: Element, name: str, where: str = "") -> int | None:
    """Return a whole number, or None if it is not there. Raises BadMessage for anything else."""
    value = element.attributes.get(name)
    if value is None:
        return None
    if not _NUMBER.fullmatch(value):
        raise BadMessage(
            f"{where or element.tag}@{name}", f"must be a whole number, not {_shown(value)}"
        )
    return int(value)


def _shown(value: str) -> str:
    return repr(value if len(value) <= 40 else value[:37] + "...")
