"""Play a match again if what went wrong was no fault of a bot."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence

from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob, MatchPlayer
from spielleiter.arena.store.values import MatchReport
from spielleiter.processes.program import describe_exit
from spielleiter.rules import Cause

ATTEMPTS = 3
PAUSE_SECONDS = 0.5
"""Before the second attempt, and twice as long before the third. Memory may be free by then."""
_KILLED = -int(getattr(signal, "SIGKILL", 9))


async def play_until_it_counts(
    job: MatchJob, player: MatchPlayer, retry: Callable[[str], None]
) -> MatchReport:
    """Play a match, and up to two times more if it could not be played or a bot was killed.

    ``retry`` is told why, each time. Raises ArenaTrouble if it cannot be played at all.
    """
    for attempt in range(1, ATTEMPTS):
        try:
            report = await player.play(job)
        except ArenaTrouble as trouble:
            retry(str(trouble))
            await asyncio.sleep(attempt * PAUSE_SECONDS)
        else:
            if not was_killed(report):
                return report
            retry("a bot was killed from outside")
    return await player.play(job)


def was_killed(report: MatchReport) -> bool:
    """Return whether the match was lost because somebody killed the bot with SIGKILL.

    Bots do not end that way by themselves, but systems without memory and people end them so. Such
    a match is played again. If it ends the same way every time, it counts.
    """
    if all(seat.cause is not Cause.LEFT for seat in report.result.outcome.seats):
        return False
    detail = report.result.detail
    workers, programs = detail.get("ended"), detail.get("bots")
    if isinstance(workers, Mapping) and describe_exit(_KILLED) in workers.values():
        return True
    return isinstance(programs, Sequence) and any(
        isinstance(ending, Mapping)
        and ending.get("exit_code") == _KILLED
        and not ending.get("was_ended")
        for ending in programs
    )
