"""Find the line on which a key of a TOML file is.

Python's own reader tells lines for mistakes of syntax only. This reads nothing but where things
are, and only in texts that Python's reader has taken.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any

KeyPath = tuple[str | int, ...]
"""Keys, and numbers from 0 for entries of a list or tables of the same name."""

_TOKENS = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}'
    r"|'''.*?'{3,5}"
    r'|"(?:\\.|[^"\\\n])*"'
    r"|'[^'\n]*'"
    r"|\#[^\n]*"
    r"|\n"
    r"|[\[\]{}=,.]"
    r"|[^\s\[\]{}=,.\"'\#]+",
    re.DOTALL,
)


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Return the line, from 1, of every key, table and entry of a list in a file.

    What is inside an inline table is where the table is. The text must be valid TOML.
    """
    lines: dict[KeyPath, int] = {}
    table: KeyPath = ()
    for line, statement in _statements(text):
        words = [word for word, _ in statement]
        if words[0] == "[":
            table = _header(words, lines)
            lines.setdefault(table, line)
            continue
        cut = words.index("=")
        key = (*table, *_keys(words[:cut]))
        for size in range(len(table) + 1, len(key) + 1):
            lines.setdefault(key[:size], line)
        for number, entry in enumerate(_entries(statement[cut + 1 :])):
            lines[*key, number] = entry
    return lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """Return the line of a path, or of the nearest thing around it, or 1."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


def _statements(text: str) -> Iterator[tuple[int, list[tuple[str, int]]]]:
    """Yield each header or assignment with its line, as words that have their own lines."""
    line, depth = 1, 0
    found: list[tuple[str, int]] = []
    for token in _TOKENS.finditer(text):
        word = token[0]
        if word == "\n":
            line += 1
            if found and not depth:
                yield found[0][1], found
                found = []
            continue
        if not word.startswith("#"):
            found.append((word, line))
            depth += (word in ("[", "{")) - (word in ("]", "}"))
        line += word.count("\n")
    if found:
        yield found[0][1], found


def _header(words: list[str], lines: Mapping[KeyPath, int]) -> KeyPath:
    """Return the path of a table. A table of a list gets the next number that is free."""
    is_list = words[1] == "["
    keys = _keys(words[2:-2] if is_list else words[1:-1])
    path: KeyPath = ()
    for key in keys[:-1]:
        path = _last(lines, (*path, key))
    path = (*path, keys[-1])
    if not is_list:
        return path
    number = 0
    while (*path, number) in lines:
        number += 1
    return (*path, number)


def _last(lines: Mapping[KeyPath, int], path: KeyPath) -> KeyPath:
    """Return the table itself, or the last one where it is a list."""
    number = 0
    while (*path, number) in lines:
        number += 1
    return (*path, number - 1) if number else path


def _keys(words: list[str]) -> list[str]:
    """Return the keys of a dotted key, read as Python's reader reads them."""
    value: Any = tomllib.loads("".join(words) + " = 0")
    keys = []
    while isinstance(value, dict):
        ((key, value),) = value.items()
        keys.append(key)
    return keys


def _entries(value: list[tuple[str, int]]) -> Iterator[int]:
    """Yield the line of each entry of a list."""
    if value[0][0] != "[":
        return
    depth, is_new = 0, False
    for word, line in value:
        if word == "]" and depth == 1:
            return
        if is_new and depth == 1 and word != ",":
            yield line
            is_new = False
        depth += (word in ("[", "{")) - (word in ("]", "}"))
        if depth == 1 and word in ("[", ","):
            is_new = True
