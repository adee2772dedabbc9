"""Place lines on a screen of a given size, beside a board, above or below it, folded or left out.

All that is known of a board here is that blank lines part its blocks, that the first line is its
title, and that the last block is details.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text

PANEL = 34
"""Columns that players and clocks need. With a board of 20 squares that makes 80.

Longer names are cut.
"""
_CUT = "..."
_LEAST_ROOM = 20
"""Columns beside a board in which text can still be read."""


def compose(
    picture: list[Text], panel: list[Text], width: int, height: int, notes: Sequence[Text] = ()
) -> list[Text]:
    """Place picture and panel on a screen of this size.

    They stand side by side if that fits, else the panel is on top.

    A terminal of 24 lines is lower than a board of 20 rows with its captions: blank lines go first,
    then the last ``notes``, which follow the panel, then what is lowest, which games use for
    details.
    """
    lines = _arrange(picture, [*panel, *notes], width)
    if len(lines) > height:
        dense = _dense(picture)
        fewest = max(
            height, len(_arrange(dense, panel, width))
        )  # beside the picture notes cost no line
        kept = len(notes)
        lines = _arrange(dense, [*panel, *notes], width)
        while len(lines) > fewest:
            kept -= 1
            lines = _arrange(dense, [*panel, *notes[:kept]], width)
    return lines[:height]


def compose_page(
    above: Iterable[str], picture: str, below: Iterable[str], width: int, height: int
) -> list[Text]:
    """Place text around a picture.

    What does not fit above and below it goes beside it, with its details.
    """
    from rich.text import Text

    lines = [Text.from_ansi(line) for line in picture.split("\n")]
    before, after = [Text(line) for line in above], [Text(line) for line in below]
    folded = _wrap_all(fold(lines, width), width)
    blank = [Text()]
    page = [
        *_wrap_all(before, width),
        *blank * bool(before),
        *folded,
        *blank * bool(after),
        *_wrap_all(after, width),
    ]
    if len(page) <= height:
        return page
    board, details = split_details(lines)
    title, *board = _dense(board)
    room = width - max((line.cell_len for line in board), default=0) - 3
    if len(board) <= height and room >= _LEAST_ROOM:
        return _arrange(board, _beside(before, title, after, details, room, len(board)), width)
    return _dense(page)[:height]


def _beside(
    before: list[Text], title: Text, after: list[Text], details: list[Text], width: int, height: int
) -> list[Text]:
    """Put all that is said about a board into a column beside it.

    Details are cut if they would be too long.
    """
    from rich.text import Text

    parts = [part for part in (before, [title], after) if part]
    column = [line for part in parts for line in (*_wrap_all(part, width), Text())]
    wrapped = _wrap_all(details, width)
    if len(column) + len(wrapped) > height:
        column = _dense(column)
    if len(column) + len(wrapped) > height:
        wrapped = [line.copy() for line in details]
        for line in wrapped:
            line.truncate(width, overflow="ellipsis")
    return [*column, *wrapped][:height]


def split_details(picture: list[Text]) -> tuple[list[Text], list[Text]]:
    """Return the board with its title, and the block below it."""
    last = max(
        (number for number, line in enumerate(picture) if not line.plain.strip()),
        default=len(picture),
    )
    return picture[:last], picture[last + 1 :]


def fold(picture: list[Text], width: int) -> list[Text]:
    """Fit the picture into this width.

    Blocks of it that are wider go on below, cut where all their lines have a gap.
    """
    board, details = split_details(picture)
    lines: list[Text] = []
    for is_blank, group in groupby(board, key=lambda line: not line.plain.strip()):
        block = list(group)
        lines += block if is_blank else _fold_block(block, width)
    return [*lines, *picture[len(board) : len(picture) - len(details)], *_wrap_all(details, width)]


def is_whole(picture: list[Text], shown: list[Text], width: int) -> bool:
    """Return whether all of the board can be seen. Its details may be missing."""
    seen = [line.plain for line in shown]
    board, _ = split_details(picture)
    texts = [line.plain.rstrip() for line in board]
    return all(len(text) <= width and any(line.startswith(text) for line in seen) for text in texts)


def format_lines(lines: Iterable[Text], *, color: bool) -> str:
    """Return the lines as text for a terminal."""
    from rich.console import Console

    out = io.StringIO()
    console = Console(
        file=out,
        force_terminal=color,
        color_system="standard" if color else None,
        highlight=False,
        _environ={},
    )
    for line in lines:
        trimmed = line.copy()
        trimmed.rstrip()  # a line that fills the screen makes some terminals begin another one
        console.print(trimmed, soft_wrap=True)
    return out.getvalue().rstrip("\n")


def _dense(lines: list[Text]) -> list[Text]:
    return [line for line in lines if line.plain.strip()]


def _fold_block(block: list[Text], width: int) -> Iterator[Text]:
    widest = max(line.cell_len for line in block)
    if len(block) == 1:
        yield from _wrap(block[0], width)
        return
    if widest > width:
        for column in range(width, 0, -1):
            if all(line.plain[column - 1 : column] in ("", " ") for line in block):
                parts = [
                    line.divide([column]) if len(line) > column else [line, line[:0]]
                    for line in block
                ]
                yield from (part[0] for part in parts)
                yield from _fold_block([part[1] for part in parts], width)
                return
    yield from block


def _wrap(line: Text, width: int) -> Iterator[Text]:
    """Fold the line to this width. What goes on is indented."""
    from rich.console import Console

    if line.cell_len <= width:
        yield line
        return
    console = Console(width=width, _environ={})
    first, *_ = line.wrap(console, width)
    yield first
    rest = line[len(first.plain) :]
    rest = rest[len(rest.plain) - len(rest.plain.lstrip()) :]
    for part in rest.wrap(console, width - 4):
        part.pad_left(4)
        yield part


def _wrap_all(lines: Iterable[Text], width: int) -> list[Text]:
    return [part for line in lines for part in _wrap(line, width)]


def _arrange(picture: list[Text], panel: list[Text], width: int) -> list[Text]:
    span = len(panel)
    needed = min(max((line.cell_len for line in panel), default=0), PANEL)
    best, top = (
        min(
            (
                (max(line.cell_len for line in picture[top : top + span]), top)
                for top in range(len(picture) - span + 1)
            ),
            default=(width, 0),
        )
        if span
        else (width, 0)
    )
    column = best + 3
    if column + needed > width:
        return [*(_fit(line, width) for line in panel), *picture]
    lines = [line.copy() for line in picture]
    for line, beside in zip(lines[top:], panel, strict=False):
        line.append(" " * (column - line.cell_len))
        line.append_text(_fit(beside, width - column))
    return lines


def _fit(line: Text, room: int) -> Text:
    """Cut the line and mark its end, since names and notes may be wider than the screen."""
    if line.cell_len <= room or room <= len(_CUT):
        return line
    shorter = line.copy()
    shorter.truncate(room - len(_CUT))
    shorter.append(_CUT)
    return shorter
