"""Wait in a task for what a thread does, with an end to every wait."""

from __future__ import annotations

import asyncio
import contextlib
from concurrent.futures import Future
from typing import Any


def promise() -> Future[Any]:
    """Return a future that a thread fulfils. Whoever waits for it may give up, which leaves it."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


async def done_within(future: Future[Any], seconds: float) -> bool:
    """Return whether the future is done in time."""
    if not future.done():
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.wrap_future(future)
    return future.done()
