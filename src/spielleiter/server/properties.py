"""Read Java ``.properties`` text as java.util.Properties does.

Knows no setting by name.

One liberty: bytes are taken as UTF-8 where they are valid UTF-8 and as Latin-1 otherwise, because
people write umlauts with whatever editor they have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_BLANK = " \t\f"
_LINE_END = re.compile(r"\r\n|\r|\n")
_ENTRY = re.compile(r"((?:[^\\ \t\f=:]|\\.)*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u.{0,4}|.)", re.DOTALL)
_HEX = re.compile(r"u[0-9A-Fa-f]{4}")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_UNESCAPED = {"t": "\t", "n": "\n", "f": "\f", "r": "\r"}


class PropertiesError(ValueError):
    """A text that Java would refuse too. ``line`` counts from 1."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


class Entry(NamedTuple):
    """One key with its value and the line it begins on, from 1."""

    line: int
    key: str
    value: str


def decode_properties(data: bytes) -> str:
    """Return the text of a file in UTF-8, or else in Latin-1 as Java writes it.

    UTF-8 may come with or without a byte order mark.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_entries(text: str) -> Iterator[Entry]:
    """Yield every entry in order, repeated keys included. Raises PropertiesError."""
    for number, line in _logical_lines(text):
        found = _ENTRY.fullmatch(line)
        assert found is not None, line
        yield Entry(number, _unescape(found[1], number), _unescape(found[2], number))


def _logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield lines with continuations joined, without comments, blank lines and indents."""
    begun: int | None = None
    joined = ""
    for number, raw in enumerate(_LINE_END.split(text), start=1):
        line = raw.lstrip(_BLANK)
        if begun is None:
            if not line or line[0] in "#!":
                continue
            begun = number
        backslashes = len(line) - len(line.rstrip("\\"))
        if backslashes % 2:
            joined += line[:-1]
            continue
        joined += line
        if joined:
            yield begun, joined
        begun, joined = None, ""
    if joined and begun is not None:
        yield begun, joined


def _unescape(text: str, line: int) -> str:
    if "\\" not in text:
        return text

    def one(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] != "u":
            return _UNESCAPED.get(code, code)
        if not _HEX.fullmatch(code):
            raise PropertiesError(
                line, f"\\{code} is not a character: \\u needs four hexadecimal digits"
            )
        return chr(int(code[1:], 16))

    # Java's characters are 16 bits wide: what lies above comes as a pair.
    return _PAIR.sub(lambda pair: _join_pair(pair[0]), _ESCAPE.sub(one, text))


def _join_pair(pair: str) -> str:
    return pair.encode("utf-16-be", "surrogatepass").decode("utf-16-be")
