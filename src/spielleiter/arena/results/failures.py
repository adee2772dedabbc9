"""Find out why bots lost matches by a crash, by the clock or by a broken rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spielleiter.arena.statistics.score_sheet import BotFigures
from spielleiter.arena.store.reader import StoreReader
from spielleiter.rules import Cause, one_line

_LONGEST_WORDS = 200
_TRACEBACK = "Traceback (most recent call last)"
_MARK = "!!! "
"""Before what the SDK says about a method of a bot that failed."""


@dataclass(frozen=True, slots=True)
class RunFailure:
    """The first match that a bot lost by a crash, by the clock or by a broken rule."""

    game: int
    """Its number."""
    reason: str
    said: str
    """What the bot printed last as an error, which is its exception if it is written in Python."""

    def __str__(self) -> str:
        what = one_line(self.said or self.reason, _LONGEST_WORDS)
        return f"first in game {self.game}: {what}"


def first_failures(
    reader: StoreReader, run_id: int, figures: Sequence[BotFigures]
) -> dict[int, RunFailure]:
    """Return the first failure of each bot that has one, by number. Raises StoreError.

    Only bots that failed according to their ``figures`` are looked for.
    """
    left = {number for number, bot in enumerate(figures) if bot.failures}
    found: dict[int, RunFailure] = {}
    if not left:
        return found
    for match in reader.matches(run_id, finished=True):
        assert match.result is not None
        bots = match.plan.first_bot, match.plan.second_bot
        for seat, line in enumerate(match.result.outcome.seats):
            if line.cause is Cause.REGULAR or bots[seat] not in left:
                continue
            errors = [
                output.text
                for output in reader.outputs(match)
                if output.seat == seat and output.stream == "stderr"
            ]
            said = last_words(errors) if line.cause is Cause.LEFT else ""
            found[bots[seat]] = RunFailure(match.plan.number, line.reason.en, said)
            left.discard(bots[seat])
        if not left:
            break
    return found


def last_words(lines: Sequence[str]) -> str:
    """Return what names the last exception in these lines, or else the last line."""
    for number, line in reversed(list(enumerate(lines))):
        if _MARK in line:  # the SDK has said it in one line
            return line.partition(_MARK)[2]
        if _TRACEBACK in line:
            margin = line.index(_TRACEBACK)
            for below in lines[number + 1 :]:
                if below[margin : margin + 1].strip():
                    return below[margin:]
    return next((line for line in reversed(lines) if line.strip()), "")
