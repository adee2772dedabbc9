"""Read single values from XML, such as numbers, names, flags, attributes and children.

Everything that is wrong is said with its place and what is expected there. The elements of games
are refused with CodecError, messages around them with BadMessage.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from spielleiter.wire.elements import Element
from spielleiter.wire.errors import BadMessage, CodecError

T = TypeVar("T")
F = TypeVar("F", bool, None, bool | None)

# The length is limited because converting digits costs the square of their number.
_NUMBER = re.compile(r"[+-]?[0-9]{1,18}")
_FLAGS = {"true": True, "false": False}

INT_LIMIT = 2**31 - 1
"""The largest number that the official servers can hold."""


# -- values of a game's own elements ---------------------------------------------------------------


def decode_number(text: str | None, where: str, low: int, high: int) -> int:
    """Read a whole number from ``low`` to ``high``."""
    number = None if text is None else _whole_number(text.strip())
    if number is None or not low <= number <= high:
        raise _unexpected(text, where, f"a whole number from {low} to {high}")
    return number


def decode_name(text: str | None, where: str, allowed: Mapping[str, T]) -> T:
    """Read one of a table of names, exactly as the documents spell them."""
    value = "" if text is None else text.strip()
    if value not in allowed:
        raise _unexpected(text, where, f"one of {', '.join(allowed)}")
    return allowed[value]


def decode_flag(text: str | None, where: str, default: bool) -> bool:
    """Read ``true`` or ``false`` in any case, as the official servers do."""
    return default if text is None else decode_name(text.lower(), where, _FLAGS)


def only_child(parent: Element, tag: str, where: str) -> Element | None:
    """Return the child of that name, None if there is none.

    Two of them contradict each other and are refused.
    """
    found = [child for child in parent.children if child.tag == tag]
    if len(found) > 1:
        raise CodecError(f"{where}/{tag}", f"there are {len(found)} of them, expected one")
    return found[0] if found else None


def required_child(parent: Element, tag: str, where: str) -> Element:
    """Return the one child of that name."""
    child = only_child(parent, tag, where)
    if child is None:
        raise CodecError(where, f"has no <{tag}>")
    return child


# -- attributes of messages ------------------------------------------------------------------------


def optional(element: Element, name: str) -> str | None:
    """Return the attribute, None if it is not there."""
    return element.attributes.get(name)


def required(element: Element, name: str, where: str = "") -> str:
    """Return the attribute. Raises BadMessage if it is not there."""
    value = element.attributes.get(name)
    if value is None:
        raise BadMessage(f"{where or element.tag}@{name}", "is missing")
    return value


def flag(element: Element, name: str, missing: F, where: str = "") -> bool | F:
    """Read a boolean in any case, ``missing`` if it is not there. Raises BadMessage."""
    value = element.attributes.get(name)
    if value is None:
        return missing
    found = _FLAGS.get(value.lower())
    if found is None:
        raise BadMessage(
            f"{where or element.tag}@{name}", f"must be true or false, not {_shown(value)}"
        )
    return found


def number(element: Element, name: str, where: str = "") -> int | None:
    """Read a whole number, None if it is not there. Raises BadMessage."""
    value = element.attributes.get(name)
    if value is None:
        return None
    found = _whole_number(value)
    if found is None:
        raise BadMessage(
            f"{where or element.tag}@{name}", f"must be a whole number, not {_shown(value)}"
        )
    return found


def _whole_number(text: str) -> int | None:
    return int(text) if _NUMBER.fullmatch(text) else None


def _unexpected(text: str | None, where: str, expected: str) -> CodecError:
    found = "missing" if text is None else f"{_shown(text)} found"
    return CodecError(where, f"{found}, expected {expected}")


def _shown(text: str) -> str:
    return repr(text if len(text) <= 40 else text[:37] + "...")
