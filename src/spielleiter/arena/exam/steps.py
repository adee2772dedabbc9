"""Name the duties of a bot, and what can be said about each.

These are the titles of the steps, their results, and the step that each fault belongs to.
``duties`` takes a bot through them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from spielleiter.arena.exam.evidence import Fault, OptionForm


class Verdict(Enum):
    """What was found out about a duty."""

    PASSED = "passed"
    FAILED = "failed"
    SKIPPED = "not judged"


@dataclass(frozen=True, slots=True)
class StepResult:
    """The result of one duty. ``last_words`` is what the bot printed before it failed."""

    number: int
    title: str
    verdict: Verdict
    expected: str
    came: str
    last_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """How much of a bot is tried. None means everything there is."""

    matches_per_start: int = 1
    most_matches: int | None = None
    most_positions: int | None = None


def long_options(host: str, port: int, code: str) -> Sequence[str]:
    """Return the options in the form in which the contest gives them."""
    return "--host", host, "--port", str(port), "--reservation", code


OPTION_FORMS: tuple[tuple[str, OptionForm], ...] = (
    ("-h H -p P -r R", lambda host, port, code: ("-h", host, "-p", str(port), "-r", code)),
    ("-r R -p P -h H", lambda host, port, code: ("-r", code, "-p", str(port), "-h", host)),
    (
        "--reservation R --host H --port P",
        lambda host, port, code: ("--reservation", code, "--host", host, "--port", str(port)),
    ),
)
"""Other forms and orders in which official programs and people start bots."""

STEP_TITLES = (
    "starts",
    "joins",
    "answers in time",
    "plays whole games",
    "copes with special positions",
    "stands unknown attributes",
    "closes after the result",
    "ends when the server is gone",
    "does not flood its output",
    "takes options in any order",
)

STEP_OF = {
    Fault.NOT_STARTED: 1,
    Fault.ENDED_EARLY: 1,
    Fault.NEVER_CONNECTED: 2,
    Fault.NEVER_JOINED: 2,
    Fault.JOINED_WRONGLY: 2,
    Fault.LATE: 3,
    Fault.NO_ANSWER: 3,
    Fault.ILLEGAL: 4,
    Fault.UNREADABLE: 4,
    Fault.UNASKED: 4,
    Fault.LEFT: 4,
    Fault.STAYED: 7,
    Fault.BAD_EXIT: 7,
    Fault.OUTLIVED: 8,
}
"""The step that reports a fault if it happens in an ordinary match."""
ORDINARY_ONLY = frozenset({Fault.BAD_EXIT})
"""Faults that count in ordinary matches only.

The exit code of a bot after an odd match is its own affair.
"""
