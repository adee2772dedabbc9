"""Say in lines what a run has shown, at its end and whenever it is looked at again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from spielleiter.arena.results.failures import RunFailure
from spielleiter.arena.statistics.findings import Findings
from spielleiter.cli.progress import bot_line, counts_line, sprt_line
from spielleiter.cli.tables import Tables, text_tables

_WAYS = {"workers": "in worker processes", "sockets": "over sockets"}


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there are several."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def tables_of(found: Findings) -> Tables:
    """Return the tables of a run."""
    sheet = found.sheet
    return Tables(found.names, tuple(found.rows), sheet.ratings, sheet.cross_table)


def result_lines(found: Findings, failures: Mapping[int, RunFailure]) -> Iterator[str]:
    """Yield the figures, the tables, and what was not as it should be."""
    if found.conclusion is not None:
        yield f"{counts_line(found.names, found.sheet)}; {_counted(found)}"
        if found.sprt is not None:
            yield sprt_line(found.sprt)
        yield ""
    yield from text_tables(tables_of(found)).splitlines()
    yield ""
    if found.conclusion is None:
        yield _counted(found)
    for number, figures in enumerate(found.sheet.figures):
        if found.conclusion is not None or figures.failures:
            line = bot_line(found.names[number], figures)
            yield f"{line}; {failures[number]}" if number in failures else line
    yield from _remarks(found)


def _counted(found: Findings) -> str:
    """Return how many games there are, and how they were played."""
    parts = [f"{found.played:,} of {count(found.planned, 'game')}"]
    ways = found.sheet.ways
    if len(ways) == 1:
        (way,) = ways
        parts.append(f"played {_WAYS.get(way, way)}")
    elif ways:
        parts.append(
            " and ".join(f"{number:,} {_WAYS.get(way, way)}" for way, number in ways.items())
        )
    return ", ".join(parts)


def _remarks(found: Findings) -> Iterator[str]:
    if number := found.uncounted:
        verb = "was" if number == 1 else "were"
        count_verb = "does" if number == 1 else "do"
        yield (
            f"{count(number, 'game')} {verb} over only after the test had decided, "
            f"and {count_verb} not count"
        )
    if number := found.sheet.repeated:
        what = (
            "is the same as an earlier one and counts"
            if number == 1
            else "are the same as earlier ones and count"
        )
        yield (
            f"{count(number, 'game')} {what} once in the errors; more --opening-moves make them "
            "differ"
        )
    if found.is_late:
        yield (
            f"this machine itself was late by up to {found.delay:.2f} s; do not blame bots for "
            "time before you tried fewer games at once (--parallel)"
        )
