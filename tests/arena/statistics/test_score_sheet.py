"""What matches add up to."""

from __future__ import annotations

from dataclasses import replace

from spielleiter.arena.statistics.findings import Findings
from spielleiter.arena.statistics.score_sheet import (
    BotFigures,
    CountedMatch,
    ScoreSheet,
    paired_results,
)
from spielleiter.rules import Cause

MATCH = CountedMatch(
    pair=1,
    bots=(0, 1),
    points=(2, 0),
    scores=(30, 20),
    causes=(Cause.REGULAR, Cause.REGULAR),
    slowest=(0.5, None),
    digest="",
    way="workers",
    was_late=False,
)
SWAPPED = replace(MATCH, bots=(1, 0), points=(1, 1), scores=(25, 25), slowest=(1.0, 0.25))


def test_figures_are_those_of_each_bot() -> None:
    sheet = ScoreSheet(3, (MATCH, SWAPPED))
    assert sheet.figures == (
        BotFigures(wins=1, draws=1, slowest=0.5),
        BotFigures(draws=1, losses=1, slowest=1.0),
        BotFigures(),
    )
    assert [row.matches for row in sheet.table()] == [2, 2, 0]
    assert sheet.cross_table[0][1].wins == 1
    assert sheet.ways == {"workers": 2}


def test_failures_are_told_apart() -> None:
    causes = (Cause.LEFT, Cause.RULE_VIOLATION, Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)
    lost = [replace(MATCH, causes=(Cause.REGULAR, cause)) for cause in causes]
    late = replace(lost[-1], was_late=True)
    figures = ScoreSheet(2, (*lost, late)).figures[1]
    assert (figures.crashes, figures.broken_rules, figures.time_losses) == (1, 1, 3)
    assert (figures.doubtful, figures.failures) == (1, 5)
    assert late.offenders == (1,)
    assert not late.table_result.is_regular


def test_repeats_have_the_same_bots_in_the_same_seats() -> None:
    same = replace(MATCH, digest="a")
    swapped = replace(SWAPPED, digest="a")
    assert ScoreSheet(2, (same, swapped, MATCH, MATCH)).repeated == 0
    assert ScoreSheet(2, (same, swapped, same, same, swapped)).repeated == 3


def test_a_pair_has_each_seat_once() -> None:
    first, second, third = paired_results([MATCH, SWAPPED, MATCH])
    assert first.pair == second.pair != third.pair
    assert (first.seat, second.seat) == (0, 1)
    assert (first.difference, second.difference) == (10, 0)


def test_findings_say_how_many_matches_count() -> None:
    sheet = ScoreSheet(2, (MATCH, SWAPPED))
    found = Findings(("a", "b"), sheet, tuple(sheet.table()), planned=9, stored=5)
    assert (found.played, found.uncounted, found.is_late) == (2, 3, False)
    late = ScoreSheet(2, (replace(MATCH, was_late=True),))
    assert replace(found, sheet=late).is_late
