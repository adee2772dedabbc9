"""Play a match again if what went wrong was no fault of a bot.

Who is to blame for a bot that was killed is decided here, from the reports of one match alone.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence

from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob, MatchPlayer
from spielleiter.arena.store.values import MatchReport
from spielleiter.processes.program import describe_exit
from spielleiter.rules import Cause, one_line

MOST_TROUBLES = 3
"""How often in a row a match may fail to be played. Then the run stops."""
MOST_KILLS = 8
"""How often in a row one bot is killed in one match until it has lost.

Somebody who ends programs at random does not hit the same one so often, and a bot that needs more
memory than there is, or ends itself like that, comes to its end.
"""
MOST_ATTEMPTS = 24
"""Of one match in which now this bot and now that one is killed. Then the run stops."""
PAUSE_SECONDS = 0.5
"""Before the second attempt, and twice as long before the third. Memory may be free by then."""
_SIGKILL = int(getattr(signal, "SIGKILL", 9))
_EXITS = frozenset({-_SIGKILL, 128 + _SIGKILL})
"""Exit codes of a bot that was killed, the second one if a shell had started it and tells of it."""
_WORDS = describe_exit(-_SIGKILL)


async def play_until_it_counts(
    job: MatchJob, player: MatchPlayer, retry: Callable[[str], None]
) -> MatchReport:
    """Play a match, and again if it could not be played or a bot was killed from outside.

    ``retry`` is told why, each time. Raises ArenaTrouble if it cannot be played at all.
    """
    troubles = 0
    kills = [0] * len(job.bots)
    for _ in range(MOST_ATTEMPTS):
        try:
            report = await player.play(job)
        except ArenaTrouble as trouble:
            troubles += 1
            if troubles == MOST_TROUBLES:
                raise
            retry(str(trouble))
            await asyncio.sleep(troubles * PAUSE_SECONDS)
            continue
        troubles = 0
        killed = killed_seats(report)
        kills = [count + 1 if seat in killed else 0 for seat, count in enumerate(kills)]
        if not killed or max(kills) >= MOST_KILLS:
            return report
        names = [one_line(job.names[seat]) for seat in sorted(killed)]
        retry(f"{' and '.join(names)} {'was' if len(names) == 1 else 'were'} killed from outside")
    raise ArenaTrouble(
        f"match {job.number} was tried {MOST_ATTEMPTS} times, and each time a bot was killed from "
        "outside; see who ends programs here, or whether there is too little memory"
    )


def killed_seats(report: MatchReport) -> frozenset[int]:
    """Return the seats that lost because somebody killed their bot with SIGKILL.

    Bots do not end that way by themselves, but systems without memory and people end them so.
    """
    detail = report.result.detail
    workers, programs = detail.get("ended"), detail.get("bots")
    ended = workers if isinstance(workers, Mapping) else {}
    endings = programs if isinstance(programs, Sequence) else ()
    return frozenset(
        seat
        for seat, outcome in enumerate(report.result.outcome.seats)
        if outcome.cause is Cause.LEFT
        and (ended.get(str(seat)) == _WORDS or any(map(_was_killed, endings[seat : seat + 1])))
    )


def _was_killed(ending: object) -> bool:
    """Return whether a program ended by SIGKILL that was not ours."""
    return (
        isinstance(ending, Mapping)
        and ending.get("exit_code") in _EXITS
        and not ending.get("was_ended")
    )
