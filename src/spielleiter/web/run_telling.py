"""Write runs of the arena as JSON for the page (docs/decisions/page.md). Reads no database."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from spielleiter.arena.results.choice import TROUBLE
from spielleiter.arena.results.collection import CollectedMatch, Collection
from spielleiter.arena.results.report import headline
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.statistics.standings import Cell, Row
from spielleiter.rules import WIN, Cause, Text, one_line
from spielleiter.web.telling import both

MOST_RECENT = 12
_GERMAN, _ENGLISH = Language("de"), Language("en")
_TAGS = re.compile(r"<[^>]*>")
_WORDS = {cause: word for word, causes in TROUBLE.items() for cause in causes}


def run_id_of(key: str) -> str:
    """Return what the page calls a run."""
    return key[:12]


def match_id_of(run_id: str, number: int) -> str:
    """Return what the page calls a match of a run."""
    return f"run-{run_id}-{number}"


def tell_summary(collection: Collection) -> dict[str, Any]:
    """Return what a list of runs needs."""
    run = collection.runs[0]
    finished = [match.finished_at for match in collection.matches]
    return {
        "id": run_id_of(run.run.key),
        "title": {
            "de": headline.title(collection, _GERMAN),
            "en": headline.title(collection, _ENGLISH),
        },
        "kind": run.run.kind,
        "game": collection.game.id,
        "game_title": both(collection.game.titles),
        "folder": one_line(run.folder.name),
        "created": _time(run.run.created_at),
        "changed": _time(max(finished)) if finished else None,
        "played": run.played,
        "planned": run.planned,
        "is_complete": collection.is_complete,
        "is_duel": collection.is_duel,
        "bots": list(collection.labels),
        "leaders": [row.bot for row in collection.standings if row.place == 1 and finished],
    }


def tell_run(collection: Collection) -> dict[str, Any]:
    """Return everything about a run but its single matches."""
    counted = collection.counted
    seconds = [match.seconds for match in counted if match.seconds is not None]
    newest = sorted(collection.matches, key=lambda one: (one.finished_at, one.number))
    return tell_summary(collection) | {
        "verdict": _sentences(
            headline.verdict(collection, _GERMAN), headline.verdict(collection, _ENGLISH)
        ),
        "notices": _sentences(
            headline.notices(collection, _GERMAN), headline.notices(collection, _ENGLISH)
        ),
        "standings": [_tell_row(collection, row) for row in collection.standings],
        "cross": [
            [_tell_cell(cell) for cell in row] for row in collection.findings.sheet.cross_table
        ],
        "ratings": _tell_ratings(collection),
        "is_connected": not counted or collection.ratings.is_connected,
        "score_name": both(collection.game.score_names[0]),
        "draws": sum(match.winner is None for match in counted),
        "seconds": round(sum(seconds) / len(seconds), 3) if seconds else None,
        "trouble": {
            word: sum(any(cause in causes for cause in match.causes) for match in counted)
            for word, causes in TROUBLE.items()
        },
        "recent": [tell_match(collection, match) for match in newest[: -MOST_RECENT - 1 : -1]],
    }


def _sentences(german: Iterable[str], english: Iterable[str]) -> list[dict[str, str]]:
    """Return sentences in both languages, as text and without paths of this machine."""
    return [
        both(Text(_plain(de), _plain(en)))
        for de, en in zip(german, english, strict=True)
        if "spielleiter resume" not in en
    ]


def _plain(sentence: str) -> str:
    return html.unescape(_TAGS.sub("", sentence)) if "<" in sentence else sentence


def _tell_row(collection: Collection, row: Row) -> dict[str, Any]:
    figures = collection.findings.sheet.figures[row.bot]
    return {
        "place": row.place,
        "bot": row.bot,
        "matches": row.matches,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "victory_points": row.victory_points,
        "mean_score": None if row.mean_score is None else round(row.mean_score, 3),
        "forfeits": row.forfeits,
        "byes": row.byes,
        "time": figures.time_losses,
        "crash": figures.crashes,
        "rule": figures.broken_rules,
    }


def _tell_cell(cell: Cell) -> dict[str, Any] | None:
    if not cell.matches:
        return None
    return {
        "matches": cell.matches,
        "wins": cell.wins,
        "draws": cell.draws,
        "losses": cell.losses,
        "points": round(cell.victory_points / (WIN * cell.matches), 4),
        "scored": round(cell.scored / cell.matches, 2),
        "conceded": round(cell.conceded / cell.matches, 2),
    }


def _tell_ratings(collection: Collection) -> list[dict[str, Any] | None]:
    if not collection.counted:
        return [None] * len(collection.bots)
    ratings = collection.ratings
    told: list[dict[str, Any] | None] = []
    for bot, matches in enumerate(ratings.matches):
        if not matches:
            told.append(None)
            continue
        rating = ratings[bot]
        told.append(
            {
                "value": round(rating.value, 1),
                "low": None if rating.low is None else round(rating.low, 1),
                "high": None if rating.high is None else round(rating.high, 1),
                "matches": matches,
                "is_open": bot in ratings.unbounded,
            }
        )
    return told


def tell_match(collection: Collection, match: CollectedMatch) -> dict[str, Any]:
    """Return one match of a run as a line of a list."""
    fault = next((seat for seat, cause in enumerate(match.causes) if cause in _WORDS), None)
    cause = Cause.REGULAR if fault is None else match.causes[fault]
    return {
        "id": match_id_of(run_id_of(collection.runs[match.run].run.key), match.number),
        "number": match.number,
        "round": match.round,
        "bots": list(match.bots),
        "names": [collection.labels[bot] for bot in match.bots],
        "scores": list(match.scores),
        "winner": match.winner,
        "code": match.code,
        "reason": both(Text(one_line(match.reason.de), one_line(match.reason.en))),
        "trouble": _WORDS.get(cause),
        "fault": fault,
        "seconds": _rounded(match.seconds),
        "slowest": [_rounded(one) for one in match.slowest],
        "finished": _time(match.finished_at),
    }


def tell_matches(
    collection: Collection, matches: Sequence[CollectedMatch], offset: int, limit: int
) -> dict[str, Any]:
    """Return a part of these matches, and how many there are."""
    part = matches[offset : offset + limit]
    return {
        "matches": [tell_match(collection, match) for match in part],
        "total": len(matches),
    }


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 4)


def _time(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
