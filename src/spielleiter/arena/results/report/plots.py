"""Draw plots as SVG in HTML.

Positions along a plot are percentages, so it takes whatever width there is while its text stays as
large as it is. Colours are classes of the style sheet. All texts that come in are escaped here.
"""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from dataclasses import dataclass

COLORS = 8
"""Of the classes ``c0`` to ``c7``."""
_HEIGHT = 240
_ROW = 30
_FEW_TICKS = 5


def escape(text: object) -> str:
    """Return a text that means nothing but itself in HTML, also between quotes."""
    return html.escape(str(text), quote=True)


@dataclass(frozen=True, slots=True)
class Scale:
    """Where values lie along an axis, in percent, and which of them have a line and a label."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...] = ()

    def place(self, value: float) -> float:
        """Return the percentage. What lies beyond an end is put there."""
        share = (value - self.low) / (self.high - self.low)
        return round(100 * min(max(share, 0.0), 1.0), 2)


def nice_ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return round numbers around a range, the first and the last of which enclose it."""
    width = max(high - low, 1e-9)
    raw = width / most
    power = 10 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * 0.999)
    first = math.floor(low / step + 1e-9)
    last = math.ceil(high / step - 1e-9)
    return [number * step for number in range(first, max(last, first + 1) + 1)]


# A line chart


@dataclass(frozen=True, slots=True)
class Line:
    """Values over a number of matches. A band is low and high ends for the same numbers."""

    name: str
    color: int
    points: Sequence[tuple[float, float]]
    band: Sequence[tuple[float, float, float]] = ()


def line_chart(lines: Sequence[Line], across: Scale, up: Scale, title: str, caption: str) -> str:
    """Return lines over each other, with an axis to the left and one below."""
    parts = [
        f'<line class="grid" x1="0" x2="100%" y1="{100 - up.place(value)}%" '
        f'y2="{100 - up.place(value)}%"/>'
        f'<text class="tick" x="-8" y="{100 - up.place(value)}%" dy=".35em" '
        f'text-anchor="end">{escape(label)}</text>'
        for value, label in up.ticks
    ]
    parts += [_tick(across.place(value), "1.5em", label, y="100%") for value, label in across.ticks]
    parts.append(
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" width="100%" height="100%">'
    )
    for line in lines:
        color = f"c{line.color % COLORS}"
        if line.band:
            lower = [(x, low) for x, low, _ in line.band]
            upper = [(x, high) for x, _, high in reversed(line.band)]
            parts.append(
                f'<polygon class="band {color}" points="{_path(lower + upper, across, up)}"/>'
            )
        parts.append(f'<polyline class="line {color}" points="{_path(line.points, across, up)}"/>')
    parts.append("</svg>")
    return (
        f'<div class="plot"><svg role="img" aria-label="{escape(title)}" width="100%" '
        f'height="{_HEIGHT}"><title>{escape(title)}</title>{"".join(parts)}</svg>'
        f'<p class="axis">{escape(caption)}</p></div>'
    )


def _path(points: Sequence[tuple[float, float]], across: Scale, up: Scale) -> str:
    return " ".join(f"{across.place(x)},{round(100 - up.place(y), 2)}" for x, y in points)


def _tick(place: float, down: str, label: str, *, odd: bool = False, y: str = "0") -> str:
    anchor = "start" if place < 3 else "end" if place > 97 else "middle"
    return (
        f'<text class="tick{" odd" if odd else ""}" x="{place}%" y="{y}" dy="{down}" '
        f'text-anchor="{anchor}">{escape(label)}</text>'
    )


# Rows, each with a name, marks and words


@dataclass(frozen=True, slots=True)
class PlotRow:
    """One row of a plot with a name, marks from the functions below, and words to the right."""

    name: str
    marks: str
    words: str = ""
    title: str = ""


def row_chart(rows: Sequence[PlotRow], across: Scale, title: str, caption: str = "") -> str:
    """Return rows below each other over one axis."""
    grid = "".join(
        f'<line class="grid" x1="{across.place(value)}%" x2="{across.place(value)}%" y1="0" '
        'y2="100%"/>'
        for value, _ in across.ticks
    )
    # Small screens have no room for many labels, and leave out every second one.
    crowded = len(across.ticks) > _FEW_TICKS
    axis = "".join(
        _tick(across.place(value), "1em", label, odd=crowded and number % 2 == 1)
        for number, (value, label) in enumerate(across.ticks)
    )
    drawn = "".join(
        f'<div class="row"><span class="name" title="{escape(row.name)}"><bdi>{escape(row.name)}'
        f'</bdi></span><svg role="img" aria-label="{escape(row.title or row.words)}" width="100%" '
        f'height="{_ROW}"><title>{escape(row.title or row.words)}</title>{grid}{row.marks}</svg>'
        f'<span class="words">{escape(row.words)}</span></div>'
        for row in rows
    )
    below = f'<p class="axis">{escape(caption)}</p>' if caption else ""
    return (
        f'<div class="rows" role="group" aria-label="{escape(title)}">{drawn}'
        f'<div class="row"><span></span><svg width="100%" height="18" aria-hidden="true">{axis}'
        f"</svg><span></span></div></div>{below}"
    )


def interval_mark(value: float, low: float | None, high: float | None, across: Scale) -> str:
    """Return a dot with a whisker to both sides."""
    start = across.place(across.low if low is None else low)
    end = across.place(across.high if high is None else high)
    return (
        f'<line class="whisker" x1="{start}%" x2="{end}%" y1="50%" y2="50%"/>'
        f'<line class="whisker" x1="{start}%" x2="{start}%" y1="32%" y2="68%"/>'
        f'<line class="whisker" x1="{end}%" x2="{end}%" y1="32%" y2="68%"/>'
        f'<circle class="dot c0" cx="{across.place(value)}%" cy="50%" r="5"/>'
    )


def two_marks(first: float | None, second: float | None, across: Scale) -> str:
    """Return two dots with a line between them. Either may be missing."""
    drawn = ""
    if first is not None and second is not None:
        drawn = (
            f'<line class="bridge" x1="{across.place(first)}%" x2="{across.place(second)}%" '
            'y1="50%" y2="50%"/>'
        )
    if second is not None:
        drawn += f'<circle class="dot c1" cx="{across.place(second)}%" cy="50%" r="5"/>'
    if first is not None:
        drawn += f'<circle class="dot c0" cx="{across.place(first)}%" cy="50%" r="5"/>'
    return drawn


def histogram_marks(
    bars: Sequence[tuple[float, float, float]], middle: float, across: Scale
) -> str:
    """Return bars from a start to an end, each with a height up to 1, and a line for the middle."""
    drawn = []
    for start, end, height in bars:
        left, right = across.place(start), across.place(end)
        tall = round(max(92 * height, 3), 2)
        drawn.append(
            f'<rect class="bar" x="{left}%" width="{round(max(right - left - 0.3, 0.3), 2)}%" '
            f'y="{round(100 - tall, 2)}%" height="{tall}%"/>'
        )
    place = across.place(middle)
    drawn.append(f'<line class="middle" x1="{place}%" x2="{place}%" y1="0" y2="100%"/>')
    return "".join(drawn)


def legend(names: Sequence[tuple[str, int]]) -> str:
    """Return which colour is whose."""
    return (
        '<ul class="legend">'
        + "".join(
            f'<li><i class="c{color % COLORS}"></i><bdi>{escape(name)}</bdi></li>'
            for name, color in names
        )
        + "</ul>"
    )


# Tables with colours


def heat_cell(text: str, share: float | None, title: str = "") -> str:
    """Return a cell of a table whose colour says how far ``share`` is from one half."""
    if share is None:
        return f'<td class="none">{escape(text)}</td>'
    side = "high" if share >= 0.5 else "low"
    strength = round(min(abs(share - 0.5) * 1.5, 0.75), 2)
    return (
        f'<td class="heat {side}" style="--a:{strength}" title="{escape(title)}">'
        f"{escape(text)}</td>"
    )
