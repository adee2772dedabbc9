"""The few shapes from which pictures are made, as SVG text. Nothing here knows a game.

Every game draws its positions with them, and so do the pages about the rules. Pictures bring their
own background, so that they can be read on a dark page, too. Every number is rounded to one
decimal, so that the same picture is the same text on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from spielleiter.wire.elements import escape, quote

PAPER, BOARD, GRID, EDGE = "#ffffff", "#fdfcf9", "#ddd8cb", "#857f71"
INK, FAINT = "#1a1916", "#635e54"
GOOD, BAD = "#17703f", "#b3261e"

_FONT = "system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif"
_MONO = "ui-monospace, 'Cascadia Mono', Menlo, 'DejaVu Sans Mono', monospace"


def number(value: float) -> str:
    """Return a coordinate without useless digits."""
    return f"{value:.1f}".removesuffix(".0")


def element(tag: str, inside: str | None = None, /, **attributes: str | float) -> str:
    """Return one element.

    An underscore in a name stands for a dash, and one at its end for nothing.
    """
    said = "".join(
        f" {name.rstrip('_').replace('_', '-')}="
        f"{quote(value if isinstance(value, str) else number(value))}"
        for name, value in attributes.items()
    )
    return f"<{tag}{said}/>" if inside is None else f"<{tag}{said}>{inside}</{tag}>"


def square(x: float, y: float, size: float, **attributes: str | float) -> str:
    """Return a square whose top left corner is at (x, y)."""
    return element("rect", x=x, y=y, width=size, height=size, **attributes)


def text(
    x: float, y: float, words: str, *, size: float = 14, mono: bool = False, **more: str | float
) -> str:
    """Return a line of text in the middle of which is x, and on whose base line is y."""
    look: dict[str, str | float] = {"font_size": size, "fill": INK, "text_anchor": "middle", **more}
    if mono:
        look["font_family"] = _MONO
    return element("text", escape(words), x=x, y=y, **look)


def line(points: Sequence[tuple[float, float]], **more: str | float) -> str:
    """Return a line through these points."""
    path = " ".join(f"{number(x)},{number(y)}" for x, y in points)
    look: dict[str, str | float] = {"fill": "none", "stroke": INK, "stroke_width": 2, **more}
    return element("polyline", points=path, stroke_linecap="round", stroke_linejoin="round", **look)


def tick(x: float, y: float, size: float, *, good: bool) -> str:
    """Return a green tick or a red cross around (x, y).

    They are told apart by form, not by colour alone.
    """
    half = size / 2
    look: dict[str, str | float] = {"stroke": GOOD if good else BAD, "stroke_width": size / 5}
    if good:
        return line([(x - half, y), (x - half / 4, y + half), (x + half, y - half)], **look)
    return line([(x - half, y - half), (x + half, y + half)], **look) + line(
        [(x - half, y + half), (x + half, y - half)], **look
    )


def picture(width: float, height: float, title: str, parts: Iterable[str]) -> str:
    """Return a whole file. ``title`` is what a screen reader says."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number(width)} {number(height)}"'
        f' width="{number(width)}" height="{number(height)}" role="img" font-family={quote(_FONT)}>'
    )
    paper = element("rect", width=width, height=height, rx=8, fill=PAPER)
    return "\n".join((head, element("title", escape(title)), paper, *parts, "</svg>", ""))
