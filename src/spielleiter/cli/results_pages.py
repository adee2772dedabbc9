"""Lay out runs, tables and single games of ``spielleiter results`` as lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.cells import cell_len

from spielleiter.arena.results.collection import (
    LATE_SECONDS,
    TROUBLE,
    CollectedRun,
    Collection,
    PlayedGame,
)
from spielleiter.arena.statistics.ratings import Ratings
from spielleiter.rules import one_line

_LONGEST_NAME = 32
_INDENT = "  "
_FAULTS = {"time": "time", "crash": "a crash", "rule": "a broken rule"}
"""What a bot lost by, by the word for it on the command line."""


def count(number: int, noun: str) -> str:
    """Return a number with its noun, in the plural where there are several."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def describe_run(collection: Collection) -> Iterator[str]:
    """Yield what there is to say about one run."""
    (run,) = collection.runs
    created = run.run.created_at.astimezone().strftime("%Y-%m-%d %H:%M")
    yield f"{one_line(str(run.folder))}: {run.run.kind}, {collection.game.title}, {created}"
    played = count(run.played, "game")
    if not run.has_all_matches:
        played = f"{run.played:,} of {count(run.planned, 'game')}"
    yield f"{_INDENT}{count(len(collection.bots), 'bot')}, {played}"
    yield from (f"{_INDENT}{line}" for line in describe_results(collection))
    if not collection.is_complete:
        yield f"{_INDENT}Not complete. Play the rest: spielleiter resume {_word(run.folder)}"


def describe_joint(collection: Collection) -> Iterator[str]:
    """Yield what several runs of one game say together."""
    yield f"Together: {collection.game.title}, {count(len(collection.runs), 'run')}, " + (
        count(len(collection.games), "game")
    )
    yield from (f"{_INDENT}{line}" for line in describe_results(collection))


def describe_results(collection: Collection) -> Iterator[str]:
    """Yield who is better, the table, and what was not as it should be."""
    if not collection.games:
        yield "No game is finished yet."
        return
    if collection.is_duel:
        yield collection.conclusion.text.en
    yield from format_table(collection)
    yield from _remarks(collection)


def _remarks(collection: Collection) -> Iterator[str]:
    blamed = Counter(
        (game.bots[seat], kind)
        for game in collection.games
        for seat in game.offenders
        for kind, causes in TROUBLE.items()
        if game.causes[seat] in causes
    )
    for number, label in enumerate(collection.labels):
        found = [
            f"{count(blamed[number, kind], 'game')} by {_FAULTS[kind]}"
            for kind in TROUBLE
            if blamed[number, kind]
        ]
        if found:
            yield f"{label} lost {', '.join(found)}."
    if collection.is_duel and (repeated := collection.summary.repeated):
        yield f"Repeats of other games, which count once in the errors: {repeated:,}."
    if (late := collection.delay) > LATE_SECONDS:
        yield (
            f"The machine itself was late by up to {late:.2f} s: do not blame bots for time "
            "before you tried fewer games at once (--parallel)."
        )


# Tables


def format_table(collection: Collection) -> Iterator[str]:
    """Yield the championship's table, with ratings."""
    ratings = collection.ratings
    rows = [["", "bot", "games", "won", "drawn", "lost", "points", "mean score", "rating"]]
    rows += [
        [
            f"{row.place}.",
            collection.bots[row.bot].label,
            str(row.matches),
            str(row.wins),
            str(row.draws),
            str(row.losses),
            str(row.victory_points),
            "-" if row.mean_score is None else f"{row.mean_score:.1f}",
            format_rating(ratings, row.bot),
        ]
        for row in collection.standings
    ]
    yield from align(rows, left=(1,))


def format_rating(ratings: Ratings, bot: int) -> str:
    """Return a rating with its error, or a dash for who has not played."""
    if not ratings.matches[bot]:
        return "-"
    estimate = ratings[bot]
    value = round(estimate.value)
    return f"{value:{'+' if value else ''}d} ± {estimate.error or 0:.0f}"


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


# Single games


def format_games(collection: Collection, games: Sequence[PlayedGame]) -> Iterator[str]:
    """Yield one line for each game. With several runs the folder comes first."""
    labels = collection.labels
    widths = [max((len(str(game.scores[seat])) for game in games), default=1) for seat in (0, 1)]
    rows = []
    reasons = []
    for game in games:
        first, second = game.bots
        winner = "draw" if game.winner is None else f"{labels[game.bots[game.winner]]} won"
        longest = max((one or 0.0 for one in game.slowest), default=0.0)
        rows.append(
            [
                str(game.number),
                labels[first],
                f"{game.scores[0]:>{widths[0]}} : {game.scores[1]:<{widths[1]}}",
                labels[second],
                winner,
                f"slowest move {longest:.2f} s",
            ]
        )
        reasons.append(_reason(game, labels))
    several = len(collection.runs) > 1
    for line, reason, game in zip(align(rows, left=(3, 4)), reasons, games, strict=True):
        place = f"{one_line(str(collection.runs[game.run].folder))}  " if several else ""
        yield f"{place}{line}{reason}"


def _reason(game: PlayedGame, labels: Sequence[str]) -> str:
    blamed = [
        f"{labels[game.bots[seat]]} lost by {_FAULTS[kind]}"
        for seat in game.offenders
        for kind, causes in TROUBLE.items()
        if game.causes[seat] in causes
    ]
    if not blamed:
        return "  (cut short)" if game.was_cancelled else ""
    return f"  ({', '.join(blamed)}: {one_line(game.reason.en)})"


def replay_hint(runs: Sequence[CollectedRun]) -> str:
    """Return how to see one of the games that were listed."""
    folder = _word(runs[0].folder) if len(runs) == 1 else "DIR"
    return f"See one: spielleiter results replay {folder} N"


def _word(path: Path) -> str:
    """Return a path as one word of a command, in quotes where it has spaces."""
    text = one_line(str(path), 2000)
    return f'"{text}"' if " " in text else text
