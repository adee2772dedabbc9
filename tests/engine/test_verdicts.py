"""Verdicts follow the limits, and the worse of the two losses counts."""

from __future__ import annotations

import pytest

from spielleiter.engine.verdicts import WIN_SLIPS, Verdict, judge

SLIPS = (3.0, 7.0, 14.0)
GOOD, INACCURACY, MISTAKE, BLUNDER = Verdict


@pytest.mark.parametrize(
    ("lost", "lost_win", "verdict"),
    [
        (0.0, 0.0, GOOD),
        (2.99, 0.049, GOOD),
        (3.0, 0.0, INACCURACY),
        (0.0, WIN_SLIPS[0], INACCURACY),
        (7.0, 0.0, MISTAKE),
        (3.0, WIN_SLIPS[1], MISTAKE),
        (13.9, 0.199, MISTAKE),
        (14.0, 0.0, BLUNDER),
        (0.0, WIN_SLIPS[2], BLUNDER),
        (99.0, 1.0, BLUNDER),
    ],
)
def test_limits(lost: float, lost_win: float, verdict: Verdict) -> None:
    assert judge(lost, lost_win, SLIPS) is verdict


def test_every_verdict_has_its_words_and_its_own_sign() -> None:
    assert len({verdict.sign for verdict in Verdict}) == len(Verdict)
    assert all(verdict.text.de and verdict.text.en for verdict in Verdict)
