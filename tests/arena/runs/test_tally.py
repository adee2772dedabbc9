"""Figures that do not depend on the order in which matches end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from arena.fake_players import GAME, plan_of
from spielleiter.arena.runs.plan import Form, RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.sprt import Sprt, SprtDecision
from spielleiter.arena.store.values import MatchResult
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

START = GAME.start(1)


def result(
    first: int = 2,
    scores: tuple[int, int] = (30, 20),
    *,
    digest: str = "",
    causes: tuple[Cause, Cause] = (Cause.REGULAR, Cause.REGULAR),
    slowest: tuple[float | None, float | None] = (None, None),
) -> MatchResult:
    points = first, 2 - first
    seats = tuple(SeatOutcome(points[seat], (scores[seat], 0), causes[seat]) for seat in range(2))
    winner = None if first == 1 else (0 if first == 2 else 1)
    outcome = Outcome(seats, winner, "GOAL", Text("", ""))
    return MatchResult(outcome, "workers", GAME.format_position(START), digest, slowest=slowest)


def add(tally: Tally, number: int, outcome: MatchResult) -> None:
    """A match of two bots, of which bot 0 begins the odd ones."""
    tally.add(number, (number + 1) // 2, (0, 1) if number % 2 else (1, 0), outcome)


def test_everything_is_counted() -> None:
    tally = Tally(plan_of(matches=6), GAME)
    add(tally, 1, result(2, slowest=(0.5, 0.25)))
    add(tally, 2, result(1, slowest=(1.5, 0.75)))
    add(tally, 3, result(0, causes=(Cause.LEFT, Cause.REGULAR)))
    add(tally, 4, result(2, causes=(Cause.REGULAR, Cause.SOFT_TIMEOUT)))
    add(tally, 5, result(2, causes=(Cause.REGULAR, Cause.RULE_VIOLATION)))
    first, second = tally.bots
    assert (first.wins, first.draws, first.losses) == (2, 1, 2)
    assert (first.crashes, first.time_losses, first.broken_rules) == (1, 1, 0)
    assert (second.crashes, second.time_losses, second.broken_rules) == (0, 0, 1)
    assert (first.slowest, second.slowest) == (0.75, 1.5)
    assert (tally.played, tally.total, tally.is_over) == (5, 6, False)
    assert 5 in tally
    assert 6 not in tally
    assert tally.summary.matches == 5
    assert tally.summary.pairs.pairs == 2
    assert tally.table()[0].matches == 5
    assert tally.cross_table()[0][1].wins == 2
    assert tally.ratings().matches == (5, 5)
    assert not tally.conclude().text.en.startswith("bot 0 is stronger")


def test_a_second_result_changes_nothing() -> None:
    tally = Tally(plan_of(matches=6), GAME)
    add(tally, 1, result(2))
    add(tally, 1, result(0))
    assert (tally.stored, tally.bots[0].wins, tally.bots[0].losses) == (1, 1, 0)


def test_equal_matches_count_once_in_error_bars_and_ratings() -> None:
    tally = Tally(plan_of(matches=8), GAME)
    for number in range(1, 9):
        add(tally, number, result(2 if number % 2 else 0, digest="same"))
    assert tally.bots[0].wins == 8
    assert tally.summary.repeated == 6
    assert tally.summary.pairs.pairs == 1
    assert tally.ratings().matches == (2, 2)


def test_scores_of_a_broken_match_are_those_of_the_seasons_message() -> None:
    tally = Tally(plan_of(matches=2), GAME)
    broken = START.outcome().forfeit(0, Cause.LEFT, Text("weg", "gone"))
    text = GAME.format_position(START)
    add(tally, 1, MatchResult(broken, "sockets", text, ""))
    (counted,) = tally.results()
    assert counted.points == (0, 2)
    assert not counted.is_regular


def shuffled(plan: RunPlan, results: list[MatchResult], seed: int) -> Tally:
    tally = Tally(plan, GAME)
    numbers = list(range(1, len(results) + 1))
    random.Random(seed).shuffle(numbers)
    for number in numbers:
        add(tally, number, results[number - 1])
    return tally


@pytest.mark.parametrize("sprt", [None, Sprt(0, 60)])
def test_the_order_in_which_matches_end_does_not_matter(sprt: Sprt | None) -> None:
    dice = random.Random(3)
    plan = plan_of(matches=200, sprt=sprt)
    results = []
    for number in range(1, 201):
        wins = dice.random() < 0.7
        first = 2 if wins == bool(number % 2) else 0
        results.append(
            result(first, (dice.randrange(60), dice.randrange(60)), digest=str(number // 3))
        )
    tallies = [shuffled(plan, results, seed) for seed in range(5)]
    assert tallies[0].is_over
    for other in tallies[1:]:
        assert other.summary == tallies[0].summary
        assert other.sprt == tallies[0].sprt
        assert other.table() == tallies[0].table()
        assert other.bots == tallies[0].bots
        assert other.conclude() == tallies[0].conclude()
        assert other.ratings() == tallies[0].ratings()
    if sprt is not None:
        state = tallies[0].sprt
        assert state is not None
        assert state.decision is SprtDecision.H1
        assert tallies[0].played < tallies[0].stored
        assert state == sprt.state(tallies[0].summary.pairs)


def test_encounters_are_known_when_all_their_matches_are_over() -> None:
    plan = plan_of(4, matches=3, form=Form.KNOCKOUT)
    tally = Tally(plan, GAME)
    # The first encounter of four bots is 0 against 3. The last match to end is one with 3 first.
    tally.add(1, 1, (0, 3), result(2, (10, 5)))
    tally.add(3, 2, (0, 3), result(0, (1, 2)))
    assert tally.encounters() == {}
    tally.add(2, 1, (3, 0), result(0, (7, 9)))
    (found,) = tally.encounters().values()
    assert (found.points, found.scores) == ((4, 2), (20, 14))
    assert [one.number for one in plan.schedule().upcoming(tally.encounters())] == [1]


def test_byes_of_a_swiss_tournament_are_in_the_table() -> None:
    plan = plan_of(3, matches=2, form=Form.SWISS, rounds=1)
    tally = Tally(plan, GAME)
    (encounter,) = plan.schedule().upcoming({})
    pair = encounter.first, encounter.second
    tally.add(1, 1, pair, result(2))
    tally.add(2, 1, pair[::-1], result(2))
    (free,) = {0, 1, 2} - set(pair)
    row = next(row for row in tally.table() if row.bot == free)
    assert (row.byes, row.victory_points, row.matches) == (1, 4, 0)


def test_time_lost_on_a_slow_machine_is_doubtful() -> None:
    tally = Tally(plan_of(matches=4), GAME)
    late = result(0, causes=(Cause.SOFT_TIMEOUT, Cause.REGULAR))
    add(tally, 1, replace(late, delay=0.01))
    add(tally, 3, replace(late, delay=1.0))
    add(tally, 2, replace(result(), delay=1.0))
    assert [(bot.time_losses, bot.doubtful) for bot in tally.bots] == [(2, 1), (0, 0)]


def test_the_worst_delay_is_kept() -> None:
    tally = Tally(plan_of(matches=4), GAME)
    for number, delay in enumerate((None, 0.5, 0.25), 1):
        add(tally, number, replace(result(), delay=delay))
    assert tally.delay == 0.5
