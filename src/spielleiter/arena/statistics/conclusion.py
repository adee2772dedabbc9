"""Say in plain words which of two bots is stronger, or how far that is from being known.

``strength`` and ``sprt`` have the figures. This only decides what they prove:

* With a sequential test, what the test accepts. It may be looked at after every pair.
* Without one, a bot is proved stronger if the whole 95 % interval is on its side. That holds only
  if the number of matches was fixed before and all of them were played. Whoever stops as soon as
  the interval looks good is wrong far more often than in 5 % of all cases, so a run that is not
  complete proves nothing.
* Fewer than six pairs prove nothing. Two equal bots whose openings decide everything win five
  pairs out of five, one or the other, in 6 % of all cases, and six out of six in 3 %.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

from spielleiter.arena.statistics.sprt import Sprt, SprtDecision
from spielleiter.arena.statistics.strength import CONFIDENCE, Estimate, Summary
from spielleiter.rules import Text, one_line

LEAST_PAIRS = 6
MOST_MATCHES = 100_000
"""More than these are not foretold. So small a lead may as well be none."""
_POINTS = Text("Punkte", "points")
_NOT_DECIDED = Text("Nicht entschieden", "Not decided")
_Z = 1.96


class RunVerdict(Enum):
    """What is proved about two bots."""

    FIRST = "first"
    SECOND = "second"
    NEITHER = "neither"
    """A sequential test has ended, and what it accepts is not that one of them is stronger."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What is proved, and the same in a sentence or two."""

    verdict: RunVerdict
    text: Text
    more_matches: int | None = None
    """About how many more would decide it. None if it is decided, if the matches planned will
    decide it, or if there would be more than ``MOST_MATCHES``.
    """


def conclude(
    summary: Summary,
    names: tuple[str, str],
    *,
    sprt: Sprt | None = None,
    is_complete: bool = True,
    unit: Text = _POINTS,
) -> Conclusion:
    """Return what the results prove.

    ``is_complete`` says that all matches fixed before have been played. It does not matter where
    there is a sequential test. ``unit`` is what the game's first number counts.
    """
    first, second = (one_line(name) for name in names)
    verdict, reason = _judge(summary, first, second, sprt)
    is_early = sprt is None and not is_complete and verdict is not RunVerdict.OPEN
    if is_early:
        verdict, reason = RunVerdict.OPEN, _NOT_DECIDED
    figures = _figures(summary, -1 if verdict is RunVerdict.SECOND else 1, unit)
    if verdict in (RunVerdict.FIRST, RunVerdict.SECOND):
        return Conclusion(verdict, _joined(reason, figures))
    if figures.en:
        figures = Text(f"{figures.de} für {first}", f"{figures.en} for {first}")
    if verdict is RunVerdict.NEITHER:
        return Conclusion(verdict, _joined(reason, figures))
    more = None if is_early else _more_matches(summary, sprt)
    return Conclusion(verdict, _joined(reason, figures, _wanted(more, summary, is_early)), more)


def _judge(summary: Summary, first: str, second: str, sprt: Sprt | None) -> tuple[RunVerdict, Text]:
    """Return what is proved if nobody looked before the end, and the words for it."""
    if sprt is not None:
        return _judge_test(summary, first, second, sprt)
    elo = summary.pairs.elo()
    if elo is None or summary.pairs.pairs < LEAST_PAIRS:
        return RunVerdict.OPEN, _NOT_DECIDED
    sure = f"(p > {_percent(CONFIDENCE)})"
    if elo.low is not None and elo.low > 0:
        return RunVerdict.FIRST, _stronger(first, sure)
    if elo.high is not None and elo.high < 0:
        return RunVerdict.SECOND, _stronger(second, sure)
    return RunVerdict.OPEN, _NOT_DECIDED


def _stronger(name: str, sure: str) -> Text:
    return Text(f"{name} ist stärker {sure}", f"{name} is stronger {sure}")


def _judge_test(summary: Summary, first: str, second: str, sprt: Sprt) -> tuple[RunVerdict, Text]:
    decision = sprt.state(summary.pairs).decision
    if decision is SprtDecision.CONTINUE:
        return RunVerdict.OPEN, _NOT_DECIDED
    risk = sprt.alpha if decision is SprtDecision.H1 else sprt.beta
    sure = f"(SPRT {sprt.elo0:g}, {sprt.elo1:g}; p > {_percent(1 - risk)})"
    if decision is SprtDecision.H1:
        if sprt.elo0 >= 0:
            return RunVerdict.FIRST, _stronger(first, sure)
        return RunVerdict.NEITHER, Text(
            f"{first} ist, wenn überhaupt, um weniger als {-sprt.elo0:g} Elo schwächer {sure}",
            f"{first} is weaker by less than {-sprt.elo0:g} Elo, if at all {sure}",
        )
    if sprt.elo1 <= 0:
        return RunVerdict.SECOND, _stronger(second, sure)
    return RunVerdict.NEITHER, Text(
        f"{first} ist, wenn überhaupt, um weniger als {sprt.elo1:g} Elo stärker {sure}",
        f"{first} is stronger by less than {sprt.elo1:g} Elo, if at all {sure}",
    )


def _figures(summary: Summary, sign: int, unit: Text) -> Text:
    """Return Elo and points as one of the bots sees them."""
    elo, points = summary.pairs.elo(), summary.points
    if elo is None or points is None:
        return Text("", "")
    seen_elo, seen_points = _turned(elo, sign), _turned(points, sign)
    return Text(
        f"{_elo(seen_elo, 'mindestens', 'höchstens')}, "
        f"{_amount(seen_points, 1).replace('.', ',')} {unit.de} je Spiel",
        f"{_elo(seen_elo, 'at least', 'at most')}, {_amount(seen_points, 1)} {unit.en} a game",
    )


def _turned(estimate: Estimate, sign: int) -> Estimate:
    if sign > 0:
        return estimate
    low = None if estimate.high is None else -estimate.high
    high = None if estimate.low is None else -estimate.low
    return Estimate(-estimate.value, low, high)


def _elo(elo: Estimate, at_least: str, at_most: str) -> str:
    """Return Elo with its error, or its only bound where nearly every point was won or lost."""
    if elo.low is not None and elo.high is None:
        return f"{at_least} {_signed(elo.low, 0)} Elo"
    if elo.high is not None and elo.low is None:
        return f"{at_most} {_signed(elo.high, 0)} Elo"
    return f"{_amount(elo, 0)} Elo"


def _amount(estimate: Estimate, digits: int) -> str:
    error = estimate.error
    around = "" if error is None else f" ± {error:.{digits}f}"
    return f"{_signed(estimate.value, digits)}{around}"


def _signed(value: float, digits: int) -> str:
    rounded = round(value, digits) + 0.0  # so that nothing is "-0"
    return f"{rounded:+.{digits}f}" if rounded else f"{rounded:.{digits}f}"


def _percent(share: float) -> str:
    return f"{100 * share:g} %"


def _joined(reason: Text, *rest: Text) -> Text:
    """Return the parts as one sentence, without those that are empty."""
    german, english = (
        "; ".join([", ".join(filter(None, parts[:2])), *filter(None, parts[2:])])
        for parts in zip(*(reason, *rest), strict=True)
    )
    return Text(f"{german}.", f"{english}.")  # names keep their first letter as it is


def _more_matches(summary: Summary, sprt: Sprt | None) -> int | None:
    """Return about how many more matches will decide it if the bots go on as they did."""
    pairs = summary.pairs
    if sprt is not None:
        left = sprt.pairs_left(pairs)
    else:
        mean, variance = pairs.cautious
        lead = abs((pairs.score if 0 < pairs.score < 1 else mean) - 0.5)
        if not lead:
            return None
        left = max((_Z / lead) ** 2 * variance + 1, LEAST_PAIRS) - pairs.pairs
    matches = 2 * max(math.ceil(left), 1)
    return None if matches > MOST_MATCHES else _round_up(matches)


def _round_up(matches: int) -> int:
    """Return an even number of at most two digits and zeros, because more would be a pretence."""
    step: int = 10 ** max(len(str(matches)) - 2, 0)
    rounded = -(-matches // step) * step
    return rounded + rounded % 2


def _wanted(more: int | None, summary: Summary, is_early: bool) -> Text:
    if not summary.pairs.pairs:
        return Text("noch kein Paar von Spielen ist fertig", "no pair of games is finished yet")
    if is_early:
        return Text(
            "das gilt erst, wenn alle geplanten Spiele gespielt sind",
            "it will count when all games that were planned have been played",
        )
    if more is None:
        return Text("bisher scheinen beide gleich stark", "so far both look equally strong")
    grouped = f"{more:,}"
    return Text(f"noch etwa {grouped.replace(',', '.')} Spiele", f"about {grouped} more games")
