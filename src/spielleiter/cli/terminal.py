"""Find out what the terminal, or whatever output goes to, can show, and in which language.

Layout is elsewhere.
"""

from __future__ import annotations

import locale
import os
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


def system_language() -> str:
    """Return ``de`` where the system speaks German, or else ``en``."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "de" if value.lower().startswith("de") else "en"
    # Windows sets none of these, and calls its languages by their English names.
    named = locale.getlocale()[0] or ""
    return "de" if named.lower().startswith(("de_", "german")) else "en"
