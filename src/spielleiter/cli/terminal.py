"""Find out what the terminal, or whatever output goes to, can show. Layout is elsewhere."""

from __future__ import annotations

import re
import sys

from spielleiter.rules import one_line


def can_show(text: str) -> bool:
    """Return whether the output's encoding has all of these characters."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def showable(text: str) -> str:
    """Return text from outside as one line that can be printed.

    What the output's encoding lacks is written as escapes.
    """
    encoding = sys.stdout.encoding or "ascii"
    return one_line(text).encode(encoding, "backslashreplace").decode(encoding)


def as_typed(text: str) -> str:
    """Return a path as it has to be typed, in any shell."""
    return f'"{text}"' if re.search(r"[^\w./\\:~-]", text) else text
