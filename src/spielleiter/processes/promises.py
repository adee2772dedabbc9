"""Wait in a task for what a thread or another task does, with an end to every wait."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any, TypeVar

T = TypeVar("T")


def promise() -> Future[Any]:
    """Return a future that a thread fulfils. Whoever waits for it may give up, which leaves it."""
    future: Future[Any] = Future()
    future.set_running_or_notify_cancel()
    return future


async def done_within(future: Future[Any], seconds: float) -> bool:
    """Return whether the future is done in time."""
    if future.done():
        return True
    loop = asyncio.get_running_loop()
    woken: asyncio.Future[None] = loop.create_future()
    here = threading.get_ident()

    def wake(_: object) -> None:
        with contextlib.suppress(RuntimeError):  # nobody waits any more, and the loop is closed
            if threading.get_ident() == here:
                _finish(woken)
            else:
                loop.call_soon_threadsafe(_finish, woken)

    future.add_done_callback(wake)
    timer = loop.call_later(seconds, _finish, woken)
    try:
        await woken
    finally:
        timer.cancel()
    return future.done()


async def done_aside(work: Callable[[], T]) -> T:
    """Do something in a thread and return what it returns.

    If the task is cancelled, the thread is still waited for, so that nothing it has made is lost.
    """
    working = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        return await asyncio.shield(working)
    except asyncio.CancelledError:
        await asyncio.wait({working})
        if not working.cancelled():
            working.exception()  # it is known, and nobody has to log it
        raise


def _finish(woken: asyncio.Future[None]) -> None:
    if not woken.done():
        woken.set_result(None)
