"""How much of what bots print and note is kept. What is left out is always marked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from spielleiter.arena.store.values import StoredNote, StoredOutput

MOST_OUTPUT = 64 * 1024
"""Bytes of output of one bot in one match, with ``LINE_COST`` for each line."""
LINE_COST = 32
"""What a line or a note costs besides its text, so that empty ones are limited, too."""
LONGEST_TEXT = 4000
"""Characters of one line."""
_HEAD = MOST_OUTPUT // 4
"""What is kept of the beginning. The end is where a program says why it fails."""
MOST_NOTES = 1024 * 1024
"""Characters of notes of one bot in one match as JSON, with ``LINE_COST`` for each note."""


def cost(line: StoredOutput) -> int:
    """Return what a line counts against ``MOST_OUTPUT``."""
    return text_cost(line.text)


def text_cost(text: str) -> int:
    """Return the same for a line that has only its text yet."""
    return len(text.encode("utf-8", "replace")) + LINE_COST


def shorten(text: str) -> str:
    """Return the text of one line, cut where it is too long, and marked there."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}... (cut at {LONGEST_TEXT} characters)"


def describe_cut(lines: int) -> str:
    """Return what stands in the place of so many lines that are left out."""
    return f"... ({lines} {'line is' if lines == 1 else 'lines are'} left out)"


def limit_outputs(lines: Iterable[StoredOutput]) -> list[StoredOutput]:
    """Return the lines seat by seat, and for each seat only as many as are kept.

    Of a bot that prints too much it is the beginning and the end, with a line between them that
    says how many are missing.
    """
    kept: list[StoredOutput] = []
    ordered = sorted(lines, key=lambda line: line.seat)  # the order within a seat stays
    for _, own in groupby(ordered, key=lambda line: line.seat):
        kept += _limit_seat([replace(line, text=shorten(line.text)) for line in own])
    return kept


def _limit_seat(lines: Sequence[StoredOutput]) -> Sequence[StoredOutput]:
    costs = [cost(line) for line in lines]
    if sum(costs) <= MOST_OUTPUT:
        return lines
    head, used = 0, 0
    while used + costs[head] <= _HEAD:
        used += costs[head]
        head += 1
    tail = len(lines)
    used = 0
    while used + costs[tail - 1] <= MOST_OUTPUT - _HEAD:
        tail -= 1
        used += costs[tail]
    left_out = tail - head
    mark = StoredOutput(
        lines[0].seat, "cut", describe_cut(left_out), lines[head].at, lines[head].turn
    )
    return [*lines[:head], mark, *lines[tail:]]


def limit_notes(encoded: Iterable[tuple[StoredNote, str]]) -> list[tuple[StoredNote, str]]:
    """Return the notes, each with its JSON text, only as many of each seat as are kept."""
    kept: list[tuple[StoredNote, str]] = []
    left: dict[int, int] = {}
    for note, text in encoded:
        rest = left.get(note.seat, MOST_NOTES)
        if rest < 0:
            continue
        left[note.seat] = rest - len(text) - LINE_COST
        if left[note.seat] >= 0:
            kept.append((note, text))
        else:
            mark = '{"notes": ["... (further notes of this match are left out)"]}'
            kept.append((replace(note, content={}), mark))
    return kept
