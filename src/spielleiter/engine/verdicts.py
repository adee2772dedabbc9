"""Say how bad a move was, from what it lost. docs/analysis.md explains the limits."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from spielleiter.rules import Text

WIN_SLIPS = (0.05, 0.10, 0.20)
"""Chance to win that makes an inaccuracy, a mistake and a blunder, whatever the points."""


class Verdict(Enum):
    """How bad a move was, from nothing to worst."""

    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def text(self) -> Text:
        """What people call it."""
        return _TEXTS[self]

    @property
    def sign(self) -> str:
        """The sign that stands beside such a move, as chess players write it."""
        return _SIGNS[self]


_ORDER = tuple(Verdict)
_TEXTS = {
    Verdict.GOOD: Text("gut", "good"),
    Verdict.INACCURACY: Text("ungenau", "inaccuracy"),
    Verdict.MISTAKE: Text("Fehler", "mistake"),
    Verdict.BLUNDER: Text("grober Fehler", "blunder"),
}
_SIGNS = {
    Verdict.GOOD: "",
    Verdict.INACCURACY: "?!",
    Verdict.MISTAKE: "?",
    Verdict.BLUNDER: "??",
}


def judge(lost: float, lost_win: float, slips: Sequence[float]) -> Verdict:
    """Return the verdict on a move that lost so many points and so much of the chance to win.

    ``slips`` are the points that make the three kinds of slips in this game. The worse of the two
    losses counts.
    """
    return _ORDER[max(_count(lost, slips), _count(lost_win, WIN_SLIPS))]


def _count(lost: float, limits: Sequence[float]) -> int:
    return sum(lost >= limit for limit in limits)
