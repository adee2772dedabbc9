"""Time cases and print them as one table a module.

The other modules say what is measured.

Machines are noisy and shared, so three things keep the figures honest. CPU time is taken instead of
the wall clock. Repetitions take turns between the cases, so that a slow minute hits all of them
alike. A fixed loop is measured in between, so that two runs compare as ratios even where seconds do
not.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Literal

CLOCKS: dict[str, Callable[[], float]] = {"cpu": time.process_time, "wall": time.perf_counter}

REPETITIONS = 7
QUICK_REPETITIONS = 2


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure.

    ``run`` does a batch of work and returns how many units of it it did. Make a batch last some
    tens of milliseconds, because the CPU clock ticks coarsely on some systems. What is to be
    prepared belongs outside ``run``. ``target`` is what we promise, in words (``≤ 60 µs``).
    """

    name: str
    run: Callable[[], int]
    unit: str
    target: str = ""
    clock: Literal["cpu", "wall"] = "cpu"


@dataclass(frozen=True, slots=True)
class Measurement:
    """Seconds per unit of one case in each repetition, and the calibration's beside them."""

    case: Case
    seconds: tuple[float, ...]
    calibration: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.seconds)

    @property
    def spread(self) -> float:
        """The standard deviation over the repetitions, 0 for a single one."""
        return stdev(self.seconds) if len(self.seconds) > 1 else 0.0

    @property
    def ratio(self) -> float:
        """How many calibration loops one unit costs, compared within each repetition."""
        return fmean(own / loop for own, loop in zip(self.seconds, self.calibration, strict=True))


def _calibrate() -> int:
    """Do a fixed amount of what pure Python does all day, with integers, lists and branches."""
    loops = 3000
    for _ in range(loops):
        table: dict[int, int] = {}
        bits = 1
        seen = []
        for number in range(100):
            bits = (bits << 3) ^ number
            if bits & 4:
                table[number] = bits & 0xFFFF
            bits &= (1 << 400) - 1
            seen.append(bits)
    return loops


CALIBRATION = Case("(calibration)", _calibrate, "loop")


def measure(cases: Sequence[Case], repetitions: int = REPETITIONS) -> list[Measurement]:
    """Run all cases in turn, ``repetitions`` times, after one round that does not count.

    The calibration is the first of the results.
    """
    everything = [CALIBRATION, *cases]
    for case in everything:
        _time_once(case)
    rounds = [[_time_once(case) for case in everything] for _ in range(repetitions)]
    columns = list(zip(*rounds, strict=True))
    return [
        Measurement(case, column, columns[0])
        for case, column in zip(everything, columns, strict=True)
    ]


def _time_once(case: Case) -> float:
    clock = CLOCKS[case.clock]
    before = clock()
    units = case.run()
    spent = clock() - before
    if units < 1:
        raise ValueError(
            f"benchmark {case.name!r} says it did {units} units; run() must return at least 1"
        )
    return spent / units


_SCALES = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"))


def format_time(seconds: float) -> str:
    """Return three digits and the unit that fits, such as ``41.7 µs``."""
    scale, name = next((pair for pair in _SCALES if seconds >= pair[0]), _SCALES[-1])
    return f"{_three_digits(seconds / scale)} {name}"


def _three_digits(value: float) -> str:
    decimals = 3 if value < 1 else 2 if value < 10 else 1 if value < 100 else 0
    return f"{value:.{decimals}f}"


def format_rate(seconds: float) -> str:
    """Return units per second, with thousands apart, such as ``23 981/s``."""
    if seconds <= 0:
        return "-"
    rate = 1 / seconds
    return (f"{rate:,.0f}".replace(",", " ") if rate >= 100 else _three_digits(rate)) + "/s"


HEADINGS = ("case", "mean", "± stdev", "min – max", "rate", "ratio", "target")


def format_table(title: str, measurements: Iterable[Measurement]) -> str:
    """Return a plain text table with one line a case."""
    rows = [HEADINGS, *(_row(line) for line in measurements)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(
            cell.ljust(width) if column in (0, len(HEADINGS) - 1) else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "-" * max(map(len, lines)))
    return "\n".join([title, "=" * len(title), *lines])


def _row(line: Measurement) -> tuple[str, ...]:
    mark = "" if line.case.clock == "cpu" else " (wall clock)"
    return (
        line.case.name + mark,
        f"{format_time(line.mean)}/{line.case.unit}",
        f"± {100 * line.spread / line.mean:.0f} %" if line.mean > 0 else "-",
        f"{format_time(min(line.seconds))} – {format_time(max(line.seconds))}",
        format_rate(line.mean),
        _three_digits(line.ratio),
        line.case.target,
    )
