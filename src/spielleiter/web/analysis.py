"""Have the engine judge matches that are over, one at a time and in a process of its own.

That process takes only the time of the processor that nobody else wants, so the referee and the
bots are not slowed down. What it says is put together here, and nothing is judged.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spielleiter.engine.analyser import can_analyse
from spielleiter.engine.program import format_order
from spielleiter.games import all_games
from spielleiter.processes.dialogue import Dialogue, DialogueError
from spielleiter.processes.program import BotProcess, StartFailure
from spielleiter.rules import AnyGame, Text
from spielleiter.rules.engine import EngineError
from spielleiter.server.logs import log_event
from spielleiter.web.answers import Mistake
from spielleiter.web.story import MatchStory, StoryPhase
from spielleiter.web.telling import both

logger = logging.getLogger("spielleiter.web")

SECONDS = 0.5
"""How long a position is thought about."""
MOST_POSITIONS = 1000
"""Of one match. The longest game there is has 101."""
SILENCE = 600.0
"""Seconds after which a process that says nothing is given up. On a busy machine it has to wait."""
LONGEST_COMPLAINT = 2000
"""Characters of what a process printed before it failed that are logged."""
PROGRAM = (sys.executable, "-P", "-m", "spielleiter.engine.program")

NOT_OVER = Text(
    "Analysiert werden nur Partien, die zu Ende sind.", "Only matches that are over are analysed."
)
NO_MOVES = Text(
    "In dieser Partie ist nichts gezogen worden.", "Nothing has been played in this match."
)
TOO_LONG = Text(
    f"Die Partie hat mehr als {MOST_POSITIONS} Stellungen, das ist zu viel.",
    f"The match has more than {MOST_POSITIONS} positions, which is too many.",
)
BUSY = Text(
    "Gerade wird eine andere Partie analysiert. Versuch es danach noch einmal.",
    "Another match is being analysed. Try again when that is done.",
)
RESTART = Text(
    "Die Engine war noch nicht da, als der Server gestartet wurde. Starte ihn neu.",
    "The engine was not there yet when the server was started. Start it again.",
)
BROKEN = Text(
    "Die Analyse ist abgebrochen. Das Protokoll des Servers sagt mehr.",
    "The analysis has failed. The log of the server says more.",
)


class AnalysisFailed(Exception):
    """The process said that it cannot do it, or nothing at all."""

    def __init__(self, text: Text) -> None:
        super().__init__(text.en)
        self.text = text


@dataclass(slots=True, eq=False)
class Job:
    """One match that is analysed, or was last."""

    story: MatchStory
    review: dict[str, Any]
    task: asyncio.Task[None] | None = None
    error: Text | None = None
    done: int = 0
    total: int = 0

    @property
    def is_running(self) -> bool:
        return self.task is not None and not self.task.done()


@dataclass(slots=True, eq=False)
class AnalysisDesk:
    """Takes orders to analyse a match. Used from the loop's thread."""

    program: tuple[str, ...] = PROGRAM
    environment: Mapping[str, str] | None = None
    seconds: float = SECONDS
    known: frozenset[str] = field(default_factory=frozenset)
    """The ids of the games that can be analysed here."""
    _job: Job | None = None

    def look(self) -> None:
        """Find out which games can be analysed. That loads the engine, so it takes a moment."""
        self.known = frozenset(game.id for game in all_games() if can_analyse(game))

    def start(self, story: MatchStory) -> None:
        """Begin to analyse a match. Raises Mistake if that cannot be."""
        if self._job is not None and self._job.is_running:
            if self._job.story is story:
                return
            raise Mistake(409, BUSY)
        _check(story, self.known)
        self._job = job = Job(story, _empty_review(story, self.seconds), total=len(story.positions))
        job.task = asyncio.get_running_loop().create_task(self._work(job))

    async def cancel(self, story: MatchStory) -> None:
        """Stop analysing this match. What is known by then is kept."""
        job = self._job
        if job is not None and job.story is story and job.task is not None:
            job.task.cancel()
            await asyncio.gather(job.task, return_exceptions=True)

    async def close(self) -> None:
        """End what is running."""
        if self._job is not None:
            await self.cancel(self._job.story)

    def tell(self, story: MatchStory) -> dict[str, Any]:
        """Return how far the analysis of a match is, with what is known by now."""
        job = self._job if self._job is not None and self._job.story is story else None
        state = "none" if story.review is None else "done"
        if job is not None and job.is_running:
            state = "running"
        elif job is not None and job.error is not None:
            state = "failed"
        return {
            "state": state,
            "done": 0 if job is None else job.done,
            "total": 0 if job is None else job.total,
            "error": None if job is None or job.error is None else both(job.error),
            "analysis": story.review,
        }

    # The process

    async def _work(self, job: Job) -> None:
        starting = asyncio.ensure_future(
            asyncio.to_thread(
                BotProcess.start, self.program, environment=self.environment, talks=True
            )
        )
        said = ""
        try:
            process = await asyncio.shield(starting)
            assert process.dialogue is not None
            try:
                await self._talk(job, process.dialogue)
            finally:
                said = process.stderr.text()[-LONGEST_COMPLAINT:]
        except AnalysisFailed as error:
            job.error = error.text
        except (StartFailure, DialogueError, ValueError, LookupError, TypeError) as error:
            log_event(logger, "analysis failed", level=logging.ERROR, error=error, said=said)
            job.error = BROKEN
        finally:
            await asyncio.shield(_end(starting))

    async def _talk(self, job: Job, dialogue: Dialogue) -> None:
        story = job.story
        outcome = None if story.ending is None else story.ending.outcome
        for line in format_order(story.positions, self.seconds, story.names, outcome):
            await dialogue.write_line(line, SILENCE)
        while not job.review["complete"]:
            _take(job, json.loads(await dialogue.read_line(SILENCE)))


async def _end(starting: asyncio.Future[BotProcess]) -> None:
    """End a process, also one that is only just being started."""
    with contextlib.suppress(StartFailure):
        process = await starting
        await process.end()


def _take(job: Job, said: Mapping[str, Any]) -> None:
    """Take in one line of the process. Raises AnalysisFailed if it says why it cannot go on."""
    review = job.review
    if "error" in said:
        raise AnalysisFailed(Text(str(said["error"]["de"]), str(said["error"]["en"])))
    if "total" in said:
        job.total, review["slips"] = int(said["total"]), said["slips"]
    elif "index" in said:
        index = int(said["index"])
        review["positions"][index] = said["position"]
        if index:
            review["moves"][index - 1] = said["move"]
        job.done += 1
        # From the first position on it is shown, and what was there before is not.
        job.story.review = review
    else:
        review["sentences"], review["problems"] = said["sentences"], said["problems"]
        review["complete"] = True


def _empty_review(story: MatchStory, seconds: float) -> dict[str, Any]:
    count = len(story.positions)
    return {
        "seconds": seconds,
        "slips": [],
        "complete": False,
        "positions": [None] * count,
        "moves": [None] * (count - 1),
        "sentences": [],
        "problems": [],
    }


def _check(story: MatchStory, known: frozenset[str]) -> None:
    """Raise a Mistake if this match cannot be analysed."""
    if story.phase is not StoryPhase.ENDED:
        raise Mistake(409, NOT_OVER)
    if len(story.positions) < 2:
        raise Mistake(409, NO_MOVES)
    if len(story.positions) > MOST_POSITIONS:
        raise Mistake(409, TOO_LONG)
    if story.game.id not in known:
        raise Mistake(409, _why_not(story.game))


def _why_not(game: AnyGame) -> Text:
    try:
        game.find_engine()
    except EngineError as error:
        return Text(f"{error.text.de} {error.hint.de}", f"{error.text.en} {error.hint.en}")
    return RESTART
