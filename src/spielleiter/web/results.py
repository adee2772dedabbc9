"""Read the arena's runs for the page, also while they are played, and answer who asks for them.

Databases are read in a thread behind the loop, only when somebody asks, and again only when
their files have changed. Nothing is written.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from spielleiter.arena.results.places import databases_below
from spielleiter.rules import Text
from spielleiter.web.answers import NO_MATCH, Mistake
from spielleiter.web.story import MatchStory
from spielleiter.web.telling import dump

if TYPE_CHECKING:
    from spielleiter.web.run_reading import KnownRun

LOOK_SECONDS = 1.0
"""How often files are looked at, at most."""
SEARCH_SECONDS = 5.0
"""How often new runs are looked for, at most."""
PATIENCE = 9.0
"""A run that took a second to read is read again after so many seconds at the earliest.

Reading takes turns with the players, so it may not go on all the time.
"""
MOST_DATABASES = 300
MOST_STORIES = 40
NO_RUN = Text("Diesen Lauf gibt es hier nicht.", "There is no such run here.")

_Stamp = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class _Database:
    """One file and what was read from it."""

    path: Path
    stamp: _Stamp = ()
    runs: tuple[KnownRun, ...] = ()
    problem: str = ""
    next_look: float = 0.0


@dataclass(slots=True, eq=False)
class RunShelf:
    """All runs below some folders. Its methods may be called from the loop."""

    folders: Sequence[Path] = ()
    now: Callable[[], float] = time.monotonic
    _databases: dict[Path, _Database] = field(default_factory=dict)
    _next_search: float = float("-inf")
    _next_look: float = float("-inf")
    _stories: OrderedDict[str, MatchStory] = field(default_factory=OrderedDict)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def catalogue(self) -> tuple[str, str]:
        """Return the list of runs as JSON, and its tag."""
        await self._refresh()
        runs = sorted(self._known().values(), key=lambda one: one.collection.runs[0].run.created_at)
        problems = [one.problem for one in self._databases.values() if one.problem]
        told = ",".join(run.summary for run in reversed(runs))
        text = f'{{"runs":[{told}],"problems":{dump(problems)}}}'
        return text, tag_of(text)

    async def find(self, run_id: str) -> KnownRun:
        """Return a run. Raises Mistake."""
        await self._refresh()
        run = self._known().get(run_id)
        if run is None:
            raise Mistake(404, NO_RUN)
        return run

    async def story(self, story_id: str, now: Callable[[], float]) -> MatchStory:
        """Return a match of a run by what ``match_id_of`` calls it. Raises Mistake."""
        if story_id in self._stories:
            self._stories.move_to_end(story_id)
            return self._stories[story_id]
        run_id, _, number = story_id.removeprefix("run-").partition("-")
        if not (number.isascii() and number.isdigit() and len(number) < 8):
            raise Mistake(404, NO_MATCH)
        run = await self.find(run_id)
        async with self._turn:
            from spielleiter.web.run_reading import read_story

            story = await asyncio.to_thread(read_story, run, int(number), now)
        self._stories[story_id] = story
        while len(self._stories) > MOST_STORIES:
            self._stories.popitem(last=False)
        return story

    def _known(self) -> dict[str, KnownRun]:
        """Return the runs by id. Of copies it is the one with the most matches."""
        found: dict[str, KnownRun] = {}
        for database in self._databases.values():
            for run in database.runs:
                other = found.setdefault(run.id, run)
                if run.played > other.played:
                    found[run.id] = run
        return found

    async def _refresh(self) -> None:
        """Read what has changed. Whoever asks meanwhile waits for the same reading."""
        if not self.folders or self.now() < self._next_look:
            return
        async with self._turn:
            if self.now() >= self._next_look:
                await asyncio.to_thread(self._read)
                self._next_look = self.now() + LOOK_SECONDS

    def _read(self) -> None:
        if self.now() >= self._next_search:
            self._search()
            self._next_search = self.now() + SEARCH_SECONDS
        if not self._databases:
            return
        # Imported here, in a thread, because what reads databases takes its time to load, and not
        # everybody who opens the page has runs.
        from spielleiter.web.run_reading import read_runs

        for database in self._databases.values():
            stamp = _stamp_of(database.path)
            if stamp == database.stamp or self.now() < database.next_look:
                continue
            began = self.now()
            runs, database.problem = read_runs(database.path)
            if not database.problem:
                database.runs = runs
            database.stamp = stamp
            database.next_look = self.now() + PATIENCE * (self.now() - began)

    def _search(self) -> None:
        folders = [folder for folder in self.folders if folder.is_dir()]
        found = [path for folder in folders for path in databases_below(folder)]
        newest_first = sorted(found, key=_stamp_of, reverse=True)
        chosen = dict.fromkeys(newest_first[:MOST_DATABASES])
        self._databases = {path: self._databases.get(path, _Database(path)) for path in chosen}


def _stamp_of(path: Path) -> _Stamp:
    """Return what changes when somebody writes to a database."""
    stamps = []
    for file in (path, path.with_name(f"{path.name}-wal")):
        try:
            stat = file.stat()
            stamps.append((stat.st_mtime_ns, stat.st_size))
        except OSError:
            stamps.append((0, 0))
    return tuple(stamps)


def tag_of(text: str) -> str:
    """Return what changes with everything that is told."""
    return f'"{hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]}"'
