"""Show the positions of a match one after the other while it is played.

``screen`` knows what a position looks like. This module decides when it is shown.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from spielleiter.arena.arena_match import WatchedPosition
from spielleiter.cli.screen import LiveScreen, Screen

LIVE_DELAY = 0.05
"""Seconds for which a move is shown if nobody says otherwise.

Matches of fast bots would be over before they are seen.
"""
_TICK_SECONDS = 0.25
"""How often a running clock is drawn."""
Waiting = asyncio.Queue[tuple[WatchedPosition, float] | None]
"""Positions to be shown, each with the time when it came."""


@contextlib.asynccontextmanager
async def watching(
    screen: Screen, *, delay: float | None, limit: float | None, with_person: bool
) -> AsyncIterator[Callable[[WatchedPosition], None]]:
    """Provide what to call with every position.

    ``delay`` is for how long each move is shown, None for what suits the screen. ``limit`` is how
    long a bot may think. The screen is closed at the end.
    """
    if delay is None:
        delay = LIVE_DELAY if isinstance(screen, LiveScreen) else 0.0
    waiting: Waiting = asyncio.Queue()
    # A match is never slowed down for being watched, or bots would lose on time because of a slow
    # terminal. So positions wait in a queue. With a person it is the other way round, since
    # what they are asked about has to be on the screen before the question.
    later = (bool(delay) or isinstance(screen, LiveScreen)) and not with_person
    showing = asyncio.create_task(_show(waiting, screen, delay, limit)) if later else None
    finished = False
    try:
        yield screen.show if showing is None else _queue(waiting, showing)
        waiting.put_nowait(None)
        if showing is not None:
            await showing
        finished = True
    finally:
        if showing is not None:
            showing.cancel()
        screen.close(finished=finished)


async def _show(waiting: Waiting, screen: Screen, delay: float, limit: float | None) -> None:
    """Show positions one after the other, and the clock while the next one is not there yet."""
    loop = asyncio.get_running_loop()
    since: float | None = None
    while True:
        try:
            item = await asyncio.wait_for(waiting.get(), _TICK_SECONDS)
        except TimeoutError:
            if since is not None:
                screen.tick(loop.time() - since, limit)
            continue
        if item is None:
            return
        watched, since = item
        screen.show(watched)
        await asyncio.sleep(delay)


def _queue(waiting: Waiting, showing: asyncio.Task[None]) -> Callable[[WatchedPosition], None]:
    loop = asyncio.get_running_loop()

    def put(watched: WatchedPosition) -> None:
        if showing.done():
            showing.result()  # it only ends early if it failed
        waiting.put_nowait((watched, loop.time()))

    return put
