"""Do long work of the page in slices, so that players are served in between."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from spielleiter.rules import AnyState
from spielleiter.web.telling import Teller

PAUSE = 0.002
"""Seconds for the players after each position of which counting the moves takes long."""
MOST_COUNTED = 300
"""Positions of one match whose moves are counted, which is more than any game of the house has."""
COUNTING = 1.0
"""Seconds in which moves are counted for one answer. What is missing then is told as null."""


async def write_slowly(teller: Teller, states: Sequence[AnyState]) -> None:
    """Write the views that are not there yet."""
    for state in list(states):
        if not teller.is_written(state):
            teller.view(state)
            await asyncio.sleep(0)


async def write_match(teller: Teller, states: Sequence[AnyState]) -> None:
    """Write the views of a match that are not there yet, and count its moves."""
    if states:
        await teller.warm_up(states[0])
    deadline = time.monotonic() + COUNTING
    for state in states[:MOST_COUNTED]:
        if teller.lacks_mobility(state) and time.monotonic() < deadline:
            teller.count_mobility(state)
            await asyncio.sleep(PAUSE if teller.is_slow(state) else 0)
    await write_slowly(teller, states)
