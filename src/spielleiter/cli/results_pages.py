"""Lay out runs and single games of ``spielleiter results`` as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rich.cells import cell_len

from spielleiter.arena.results.choice import TROUBLE
from spielleiter.arena.results.collection import CollectedMatch, CollectedRun, Collection
from spielleiter.arena.results.failures import RunFailure
from spielleiter.cli.result_lines import count, result_lines
from spielleiter.rules import one_line

_LONGEST_NAME = 32
_MOST_RUNS = 20
"""Of several that are joined, which are named."""
_INDENT = "  "
_FAULTS = {"time": "time", "crash": "a crash", "rule": "a broken rule"}
"""What a bot lost by, by the word for it on the command line."""


def describe_run(collection: Collection, failures: Mapping[int, RunFailure]) -> Iterator[str]:
    """Yield what one run has shown, in the words and figures of its end."""
    (run,) = collection.runs
    created = run.run.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    yield f"{one_line(str(run.folder))}: {run.run.kind}, {collection.game.title}, {created}"
    yield from _indented(describe_results(collection, failures))
    if not collection.is_complete:
        yield f"{_INDENT}Not complete. Play the rest: spielleiter resume {_word(run.folder)}"


def describe_joint(collection: Collection) -> Iterator[str]:
    """Yield which runs of one game are joined, and what they say together."""
    runs = collection.runs
    yield f"Together: {collection.game.title}, {count(len(runs), 'run')}"
    for run in runs[:_MOST_RUNS]:
        yield f"{_INDENT}{one_line(str(run.folder))}: {count(run.played, 'game')}"
    if len(runs) > _MOST_RUNS:
        yield f"{_INDENT}and {len(runs) - _MOST_RUNS} more"
    yield from _indented(describe_results(collection, {}))


def describe_results(collection: Collection, failures: Mapping[int, RunFailure]) -> Iterator[str]:
    """Yield who is better, the tables, and what was not as it should be."""
    found = collection.findings
    if not found.stored:
        yield "No game is finished yet."
        return
    if found.conclusion is not None:
        yield one_line(found.conclusion.text.en, 1000)
    yield from result_lines(found, failures)


def _indented(lines: Iterator[str]) -> Iterator[str]:
    return (f"{_INDENT}{line}".rstrip() for line in lines)


# Single games


def align(rows: Sequence[Sequence[str]], left: Sequence[int] = ()) -> Iterator[str]:
    """Yield rows whose columns are below each other, those in ``left`` flush left."""
    cells = [[_shorten(cell) for cell in row] for row in rows]
    widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = [
            cell + " " * (width - cell_len(cell))
            if number in left
            else " " * (width - cell_len(cell)) + cell
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(padded).rstrip()


def _shorten(cell: str) -> str:
    return cell if len(cell) <= _LONGEST_NAME else f"{cell[: _LONGEST_NAME - 1]}…"


def format_games(collection: Collection, matches: Sequence[CollectedMatch]) -> Iterator[str]:
    """Yield one line for each match. With several runs the folder comes first."""
    labels = collection.labels
    widths = [
        max((len(str(match.scores[seat])) for match in matches), default=1) for seat in (0, 1)
    ]
    rows = []
    reasons = []
    for match in matches:
        first, second = match.bots
        winner = "draw" if match.winner is None else f"{labels[match.bots[match.winner]]} won"
        longest = max((one or 0.0 for one in match.slowest), default=0.0)
        rows.append(
            [
                str(match.number),
                labels[first],
                f"{match.scores[0]:>{widths[0]}} : {match.scores[1]:<{widths[1]}}",
                labels[second],
                winner,
                f"slowest move {longest:.2f} s",
            ]
        )
        reasons.append(_reason(match, labels))
    several = len(collection.runs) > 1
    for line, reason, match in zip(align(rows, left=(3, 4)), reasons, matches, strict=True):
        place = f"{one_line(str(collection.runs[match.run].folder))}  " if several else ""
        yield f"{place}{line}{reason}"


def _reason(match: CollectedMatch, labels: Sequence[str]) -> str:
    blamed = [
        f"{labels[match.bots[seat]]} lost by {_FAULTS[kind]}"
        for seat in match.offenders
        for kind, causes in TROUBLE.items()
        if match.causes[seat] in causes
    ]
    late = "" if match.counts else "  (does not count, the test had decided)"
    if not blamed:
        return f"  (cut short){late}" if match.was_cancelled else late
    return f"  ({', '.join(blamed)}: {one_line(match.reason.en)}){late}"


def replay_hint(runs: Sequence[CollectedRun]) -> str:
    """Return how to see one of the games that were listed."""
    folder = _word(runs[0].folder) if len(runs) == 1 else "DIR"
    return f"See one: spielleiter results replay {folder} N"


def _word(path: Path) -> str:
    """Return a path as one word of a command, in quotes where it has spaces."""
    text = one_line(str(path), 2000)
    return f'"{text}"' if " " in text else text
