"""Matches to put into databases, played by house bots in this process."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    NewRun,
    PlannedMatch,
    StoredBot,
    StoredMove,
    digest_of,
)
from spielleiter.games import get_game
from spielleiter.rules import Outcome, SeatOutcome, Text

GAME = "hase-und-igel-2018"
WHEN = datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)
BOTS = (
    StoredBot(0, "Ada", "house bot", ("random",)),
    StoredBot(1, "Bob", "house bot", ("greedy",)),
)


def new_run(**changes: Any) -> NewRun:
    return replace(NewRun("match", GAME, 7, {"games": 4}, "0.1", {"cores": 2}), **changes)


def planned(number: int, moves: Sequence[str] = ()) -> PlannedMatch:
    return PlannedMatch(number, 0, 1, number, {"seed": number, "moves": list(moves)})


@cache
def played(seed: int, game_id: str = GAME) -> MatchReport:
    """A whole match from the start of this seed."""
    from spielleiter.testing import play_in_process  # here, since who is killed shall start fast

    game = get_game(game_id)
    match = play_in_process("random", "random", game, seed, seconds=None)
    start = game.format_position(match.states[0])
    texts = [game.format_move(move) for move in match.moves]
    moves = tuple(
        StoredMove(ply, state.turn, state.seat, text, 0.25, ("a hint",))
        for ply, (state, text) in enumerate(zip(match.states, texts, strict=False))
    )
    result = MatchResult(
        match.outcome,
        "workers",
        game.format_position(match.states[-1]),
        digest_of(game.id, start, texts),
        1.5,
        (0.25, 0.25),
        0.001,
        finished_at=WHEN,
    )
    return MatchReport(result, moves)


SMALL = MatchReport(
    MatchResult(
        Outcome(
            (SeatOutcome(2, (10,)), SeatOutcome(0, (5,))), 0, "GOAL", Text("im Ziel", "arrived")
        ),
        "workers",
        "a position",
        "a digest",
        finished_at=WHEN,
    ),
    (StoredMove(0, 0, 0, "A1", 0.5),),
)
"""A result that is quick to make, for tests that do not look into it."""


def store(folder: Path, *finished: MatchReport, **changes: object) -> Path:
    """Put these matches into a new database, and one more that is not played."""
    from spielleiter.arena.store.writer import StoreWriter

    plans = [planned(number) for number in range(1, len(finished) + 2)]
    with StoreWriter(folder) as writer:
        run = new_run(planned_matches=len(plans), **changes)
        created = writer.add_run(run, BOTS, plans).result()
        for match_id, one in zip(created.match_ids, finished, strict=False):
            assert writer.add_result(match_id, one).result()
    return folder / "run.db"
