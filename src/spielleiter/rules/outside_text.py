"""Make text from outside harmless before it reaches a terminal or a log.

Names of players and files, hints, notes, what a bot prints and what a server says may hold
anything. No other place decides which characters may pass, except ``wire.elements`` for XML.
"""

from __future__ import annotations

import re

LONGEST_LINE = 500
"""Characters of one text on a terminal or in a log, unless the caller says otherwise."""

_SEQUENCES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?|[ "
    r"-/]*[0-~])|\x9b[0-?]*[ -/]*[@-~]"
)
"""What terminals obey, such as colours, movements, titles and links."""
_BREAKS = re.compile("\r\n|[\t-\r\x1c-\x1f\x85\u2028\u2029]")
# Other controls, marks that reorder text, and halves of surrogate pairs, as which Python keeps
# bytes that are not UTF-8.
_UNSAFE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_REPLACEMENT = "\ufffd"


def one_line(text: str, most: int = LONGEST_LINE) -> str:
    """Return the text as one line that is safe to show.

    Nothing in it moves a cursor, colours, reorders or breaks a line.

    Sequences for terminals are left out, line breaks are spaces, tabs are spaces up to the next
    fourth column, everything else that must not pass is U+FFFD. What is longer than ``most`` is
    cut, and ends in an ellipsis.
    """
    if len(text) > most:
        text = text[:most] + "…"
    if text.isprintable():
        return text
    return _UNSAFE.sub(_REPLACEMENT, _BREAKS.sub(" ", _SEQUENCES.sub("", text).expandtabs(4)))
