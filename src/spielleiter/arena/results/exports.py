"""Write collected results as CSV, one row a match, and as JSON.

Where the text goes is the caller's business.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

from spielleiter.arena.results.collection import CollectedMatch, Collection
from spielleiter.arena.statistics.conclusion import Conclusion
from spielleiter.arena.statistics.strength import Estimate
from spielleiter.rules import Cause

FORMAT = 1
"""Of the JSON document. It changes when a program that reads it would read it wrongly."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What spreadsheets take for the beginning of a formula."""

COLUMNS = (
    "run",
    "folder",
    "game",
    "number",
    "round",
    "pair",
    "first",
    "second",
    "seed",
    "opening",
    "winner",
    "first_points",
    "second_points",
    "first_score",
    "second_score",
    "first_cause",
    "second_cause",
    "code",
    "reason",
    "seconds",
    "first_slowest",
    "second_slowest",
    "way",
    "delay",
    "counted",
    "cancelled",
    "digest",
    "finished_at",
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """A collection, and those of its matches that are to be written."""

    collection: Collection
    matches: tuple[CollectedMatch, ...]


def write_csv(chosen: Iterable[Chosen], stream: TextIO) -> int:
    """Write a header and one row for each match. Return how many matches there were.

    The stream must not translate line ends. A text that a spreadsheet would calculate gets an
    apostrophe in front, which spreadsheets take for "this is text".
    """
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    count = 0
    for one in chosen:
        for match in one.matches:
            row = _row(one.collection, match)
            writer.writerow([_cell(row[column]) for column in COLUMNS])
            count += 1
    return count


def not_a_formula(text: str) -> str:
    """Return a text that a spreadsheet does not take for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text


def _cell(value: object) -> object:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str):
        # NUL ends the file for many readers, and nothing can be done about half a character.
        text = value.replace("\0", "\ufffd").encode("utf-8", "replace").decode("utf-8")
        return not_a_formula(text)
    return value


def _row(collection: Collection, match: CollectedMatch) -> dict[str, object]:
    run = collection.runs[match.run]
    first, second = (collection.bots[bot].label for bot in match.bots)
    slowest = (*match.slowest, None, None)
    return {
        "run": run.run.key,
        "folder": str(run.folder),
        "game": run.run.game,
        "number": match.number,
        "round": match.round,
        "pair": match.pair,
        "first": first,
        "second": second,
        "seed": match.seed,
        "opening": describe_opening(match.opening),
        "winner": "" if match.winner is None else (first, second)[match.winner],
        "first_points": match.points[0],
        "second_points": match.points[1],
        "first_score": match.scores[0],
        "second_score": match.scores[1],
        "first_cause": match.causes[0].value,
        "second_cause": match.causes[1].value,
        "code": match.code,
        "reason": match.reason.en,
        "seconds": match.seconds,
        "first_slowest": slowest[0],
        "second_slowest": slowest[1],
        "way": match.way,
        "delay": match.delay,
        "counted": match.counts,
        "cancelled": match.was_cancelled,
        "digest": match.digest,
        "finished_at": match.finished_at.isoformat(),
    }


def describe_opening(opening: Mapping[str, Any]) -> str:
    """Return an opening as one line, with the seed or position of its start and its moves."""
    start = opening.get("position", opening.get("seed", ""))
    moves = opening.get("moves", ())
    texts = [str(move) for move in moves] if isinstance(moves, list | tuple) else []
    return "; ".join([str(start), *texts])


# JSON


def write_json(chosen: Iterable[Chosen], stream: TextIO) -> int:
    """Write one document. Return how many matches are in it."""
    parts = list(chosen)
    document = {"format": FORMAT, "results": [_document(one) for one in parts]}
    # ASCII alone, because half a character in a name could not be written otherwise.
    json.dump(document, stream, indent=1, allow_nan=False)
    stream.write("\n")
    return sum(len(one.matches) for one in parts)


def _document(one: Chosen) -> dict[str, Any]:
    collection = one.collection
    return {
        "game": collection.game.id,
        "complete": collection.is_complete,
        "runs": [
            {
                "run": run.run.key,
                "folder": str(run.folder),
                "kind": run.run.kind,
                "created_at": run.run.created_at.isoformat(),
                "version": run.run.version,
                "seed": run.run.seed,
                "plan": run.run.plan,
                "machine": run.run.machine,
                "planned": run.planned,
                "played": run.played,
            }
            for run in collection.runs
        ],
        "bots": [
            {
                "name": bot.bot.name,
                "label": bot.label,
                "kind": bot.bot.kind,
                "words": list(bot.bot.words),
                "hash": bot.bot.hash,
            }
            for bot in collection.bots
        ],
        "conclusion": _conclusion(collection.conclusion) if collection.is_duel else None,
        "table": list(_table(collection)),
        "games": [_match(collection, match) for match in one.matches],
    }


def _conclusion(conclusion: Conclusion) -> dict[str, Any]:
    text = conclusion.text
    return {
        "verdict": conclusion.verdict.value,
        "text": {"de": text.de, "en": text.en},
        "more_games": conclusion.more_matches,
    }


def _table(collection: Collection) -> Iterator[dict[str, Any]]:
    ratings = collection.ratings if collection.bots else None
    for row in collection.standings:
        assert ratings is not None
        yield {
            "place": row.place,
            "bot": collection.bots[row.bot].label,
            "games": row.matches,
            "wins": row.wins,
            "draws": row.draws,
            "losses": row.losses,
            "points": row.victory_points,
            "mean_score": row.mean_score,
            "forfeits": row.forfeits,
            "byes": row.byes,
            "rating": _estimate(ratings[row.bot]),
        }


def _estimate(estimate: Estimate) -> dict[str, float | None]:
    return {"elo": estimate.value, "low": estimate.low, "high": estimate.high}


def _match(collection: Collection, match: CollectedMatch) -> dict[str, object]:
    row = _row(collection, match)
    row["opening"] = dict(match.opening)
    row["winner"] = None if match.winner is None else row["winner"]
    row["scores"] = [list(parts) for parts in match.parts]
    row["regular"] = all(cause is Cause.REGULAR for cause in match.causes)
    return row
