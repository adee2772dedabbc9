"""Collect the results of a run from its database.

Moves are not read, so that a run of many thousand matches is collected in seconds.
"""

from __future__ import annotations

from spielleiter.arena.results.collection import (
    SEATS,
    CollectedBot,
    CollectedMatch,
    CollectedRun,
    Collection,
)
from spielleiter.arena.results.joining import label_bots
from spielleiter.arena.runs.plan import PlanError, RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.reader import RunPlace
from spielleiter.arena.store.values import MatchResult, StoredMatch
from spielleiter.games import get_game
from spielleiter.rules import AnyGame, GameError, UnknownGame


def collect(place: RunPlace) -> Collection:
    """Return one run with its results, counted as at its end. Raises StoreError."""
    reader, stored = place.reader, place.stored
    plan, game = _read_plan(place)
    bots = reader.bots(stored.id)
    if tuple(bot.number for bot in bots) != tuple(range(len(plan.bots))):
        raise _damaged(f"the bots of run {stored.id} of {reader.path} are not those of its plan")
    tally = Tally(plan, game)
    found: list[tuple[StoredMatch, MatchResult]] = []
    for match in reader.matches(stored.id, finished=True):
        assert match.result is not None
        _add(tally, match, match.result)
        found.append((match, match.result))
    run = CollectedRun(reader.path, stored.id, stored.run, tuple(range(len(bots))), tally)
    return Collection(
        game,
        (run,),
        tuple(map(CollectedBot, label_bots(bots), bots)),
        tuple(_collected(tally, match, result) for match, result in found),
    )


def _read_plan(place: RunPlace) -> tuple[RunPlan, AnyGame]:
    stored = place.stored
    try:
        return RunPlan.from_json(stored.run.plan), get_game(stored.run.game)
    except (PlanError, UnknownGame) as error:
        raise StoreError(
            StoreFault.NEWER,
            f"run {stored.id} of {place.reader.path} cannot be read: {error}",
            "read it with the version of spielleiter that wrote it",
        ) from error


def _add(tally: Tally, match: StoredMatch, result: MatchResult) -> None:
    plan, outcome = match.plan, result.outcome
    if len(outcome.seats) != SEATS or not all(outcome.scores):
        raise _damaged(f"match {plan.number} of run {match.run_id} has no result for two seats")
    try:
        tally.add(plan.number, plan.pair, (plan.first_bot, plan.second_bot), result)
    except GameError as error:
        raise _damaged(
            f"match {plan.number} of run {match.run_id} has no last position: {error}"
        ) from error


def _damaged(message: str) -> StoreError:
    return StoreError(StoreFault.DAMAGED, message, "look for more with: spielleiter results check")


def _collected(tally: Tally, match: StoredMatch, result: MatchResult) -> CollectedMatch:
    plan, outcome = match.plan, result.outcome
    counted = tally.match(plan.number)
    return CollectedMatch(
        pair=counted.pair,
        bots=counted.bots,
        points=counted.points,
        scores=counted.scores,
        causes=counted.causes,
        slowest=counted.slowest,
        digest=counted.digest,
        way=counted.way,
        was_late=counted.was_late,
        run=0,
        number=plan.number,
        round=plan.round,
        counts=tally.counts(plan.number),
        seed=plan.seed,
        opening=plan.opening,
        winner=outcome.winner,
        parts=outcome.scores,
        code=outcome.code,
        reason=outcome.reason,
        seconds=result.seconds,
        delay=result.delay,
        was_cancelled=result.was_cancelled,
        finished_at=result.finished_at,
    )
