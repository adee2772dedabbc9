"""Results of runs that nobody played, for tests of what is shown."""

from __future__ import annotations

from spielleiter.arena.runs.plan import Form, PlannedBot, RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.sprt import Sprt
from spielleiter.arena.store.values import MatchResult
from spielleiter.games import DEFAULT, get_game
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

GAME = get_game(DEFAULT)
START = GAME.format_position(GAME.start(1))


def match_plan(matches: int = 20, sprt: Sprt | None = None, names: tuple[str, str] = ("A", "B")):
    bots = tuple(PlannedBot(name, "random") for name in names)
    return RunPlan("match", DEFAULT, bots, matches=matches, sprt=sprt)


def cup_plan(bots: int = 3, form: Form = Form.ROUND_ROBIN, matches: int = 2) -> RunPlan:
    planned = tuple(PlannedBot(f"bot {number}", "random") for number in range(bots))
    return RunPlan("tournament", DEFAULT, planned, form=form, matches=matches)


def result(
    winner: int | None = 0,
    scores: tuple[int, int] = (50, 40),
    *,
    fault: Cause | None = None,
    digest: str = "",
    slowest: tuple[float | None, float | None] = (0.25, 0.5),
    reason: str = "it left",
) -> MatchResult:
    """Return the result of a match that seat ``winner`` won, or in which the other one failed."""
    points = (1, 1) if winner is None else (2, 0) if winner == 0 else (0, 2)
    seats = tuple(
        SeatOutcome(
            points[seat],
            (scores[seat],),
            fault if fault is not None and seat != winner else Cause.REGULAR,
            Text("weg", reason),
        )
        for seat in range(2)
    )
    outcome = Outcome(seats, winner, "NO_MOVES", Text("Ende", "the end"))
    return MatchResult(outcome, "workers", START, digest, 1.0, slowest)


def play(tally: Tally, matches: int, **values: object) -> None:
    """Add so many matches of the first two bots, all won by whoever sits in ``bot``'s seat."""
    for number in range(tally.stored + 1, tally.stored + matches + 1):
        bots = (0, 1) if number % 2 else (1, 0)
        tally.add(number, (number - 1) // 2, bots, result(bots.index(0), **values))  # type: ignore[arg-type]
