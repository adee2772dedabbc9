"""What is said to be proved, and in which words."""

from __future__ import annotations

import random
import re

import pytest

from spielleiter.arena.statistics.conclusion import LEAST_PAIRS, Conclusion, RunVerdict, conclude
from spielleiter.arena.statistics.sprt import Sprt
from spielleiter.arena.statistics.strength import Estimate, Pentanomial, Summary
from spielleiter.rules import Text

Counts = tuple[int, int, int, int, int]
AHEAD: Counts = (3, 25, 50, 37, 13)
EVEN: Counts = (10, 20, 30, 22, 10)


def concluded(
    counts: Counts, points: float = 12.34, sprt: Sprt | None = None, is_complete: bool = True
) -> Conclusion:
    estimate = Estimate(points, points - 4, points + 4) if sum(counts) else None
    summary = Summary(0, 0, 0, 0, 0, Pentanomial(counts), estimate)
    return conclude(summary, ("Alpha", "Beta"), sprt=sprt, is_complete=is_complete)


def test_the_first_bot_is_proved_stronger() -> None:
    found = concluded(AHEAD)
    assert found.verdict is RunVerdict.FIRST
    assert found.more_matches is None
    assert found.text == Text(
        "Alpha ist stärker (p > 95 %), +44 ± 30 Elo, +12,3 ± 4,0 Punkte je Spiel.",
        "Alpha is stronger (p > 95 %), +44 ± 30 Elo, +12.3 ± 4.0 points a game.",
    )


def test_the_second_bot_is_proved_stronger_and_sees_the_figures() -> None:
    found = concluded(AHEAD[::-1], -12.34)
    assert found.verdict is RunVerdict.SECOND
    assert found.text.en == "Beta is stronger (p > 95 %), +44 ± 30 Elo, +12.3 ± 4.0 points a game."


def test_names_stay_as_they_are_written() -> None:
    summary = Summary(0, 0, 0, 0, 0, Pentanomial(AHEAD), Estimate(1.0, 0.5, 1.5))
    text = conclude(summary, ("alpha", "beta")).text
    assert text.en.startswith("alpha is stronger")
    assert text.de.startswith("alpha ist stärker")


def test_what_is_open_says_how_far_it_is() -> None:
    found = concluded((3, 25, 60, 27, 6))
    assert found.verdict is RunVerdict.OPEN
    assert found.more_matches is not None
    assert 100 < found.more_matches < 10_000
    assert found.text.en.startswith("Not decided, +")
    assert found.text.en.endswith(f"a game for Alpha; about {found.more_matches:,} more games.")
    assert re.search(r"; noch etwa [\d.]+ Spiele\.$", found.text.de)


def test_so_many_more_matches_would_decide() -> None:
    counts: Counts = (3, 25, 60, 27, 6)
    more = concluded(counts).more_matches
    assert more is not None
    for share, verdict in ((0.5, RunVerdict.OPEN), (1.2, RunVerdict.FIRST)):
        factor = 1 + share * more / 2 / sum(counts)
        none, one, two, three, four = (round(count * factor) for count in counts)
        assert concluded((none, one, two, three, four)).verdict is verdict


def test_a_run_that_is_not_complete_proves_nothing() -> None:
    found = concluded(AHEAD, is_complete=False)
    assert (found.verdict, found.more_matches) == (RunVerdict.OPEN, None)
    assert "when all games that were planned have been played" in found.text.en
    assert "wenn alle geplanten Spiele gespielt sind" in found.text.de


def test_five_pairs_prove_nothing_and_six_do() -> None:
    assert concluded((0, 0, 0, 0, LEAST_PAIRS - 1)).verdict is RunVerdict.OPEN
    found = concluded((0, 0, 0, 0, LEAST_PAIRS))
    assert found.verdict is RunVerdict.FIRST
    assert "at least +188 Elo" in found.text.en
    assert "mindestens +188 Elo" in found.text.de


def test_nothing_played_and_no_lead_have_words() -> None:
    assert concluded((0, 0, 0, 0, 0)).text.en == "Not decided; no pair of games is finished yet."
    even = concluded((0, 0, 5, 0, 0), 0)
    assert even.more_matches is None
    assert even.text.en == (
        "Not decided, 0 ± 147 Elo, 0.0 ± 4.0 points a game for Alpha; so far both look equally "
        "strong."
    )


@pytest.mark.parametrize(
    ("sprt", "counts", "verdict", "said"),
    [
        (
            Sprt(0, 10),
            (0, 0, 0, 0, 200),
            RunVerdict.FIRST,
            "Alpha is stronger (SPRT 0, 10; p > 95 %)",
        ),
        (
            Sprt(0, 10),
            (200, 0, 0, 0, 0),
            RunVerdict.NEITHER,
            "Alpha is stronger by less than 10 Elo",
        ),
        (Sprt(-10, 0), (200, 0, 0, 0, 0), RunVerdict.SECOND, "Beta is stronger (SPRT -10, 0; p >"),
        (Sprt(-5, 2), (0, 0, 0, 0, 900), RunVerdict.NEITHER, "Alpha is weaker by less than 5 Elo"),
        (Sprt(0, 10), AHEAD, RunVerdict.OPEN, "Not decided, +44 ± 30 Elo"),
    ],
)
def test_a_test_that_ends_says_what_it_accepts(
    sprt: Sprt, counts: Counts, verdict: RunVerdict, said: str
) -> None:
    found = concluded(counts, sprt=sprt, is_complete=False)
    assert found.verdict is verdict
    assert said in found.text.en


def test_an_open_test_says_how_many_matches_it_will_take() -> None:
    more = concluded(AHEAD, sprt=Sprt(0, 10)).more_matches
    assert more is not None
    assert more % 2 == 0
    assert more > 0


def test_names_keep_their_first_letter() -> None:
    summary = Summary(0, 0, 0, 0, 0, Pentanomial(AHEAD), Estimate(12.34, 8.34, 16.34))
    text = conclude(summary, ("alpha", "beta")).text
    assert text.en.startswith("alpha is stronger")
    assert text.de.startswith("alpha ist stärker")


def test_names_cannot_break_the_line() -> None:
    summary = Summary(0, 0, 0, 0, 0, Pentanomial(AHEAD), Estimate(1, 0, 2))
    found = conclude(summary, ("a\nb\x1b[31m", "Beta"))
    assert "\n" not in found.text.en
    assert "\x1b" not in found.text.de


def test_equal_bots_are_rarely_called_unequal() -> None:
    source = random.Random(3)
    for pairs in (6, 10, 50):
        wrong = 0
        for _ in range(600):
            drawn = source.choices(range(5), [0.22, 0.04, 0.48, 0.04, 0.22], k=pairs)
            none, one, two, three, four = (drawn.count(place) for place in range(5))
            wrong += concluded((none, one, two, three, four)).verdict is not RunVerdict.OPEN
        assert wrong / 600 <= 0.07  # 5 % and two standard deviations
