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
    waiting = Waiting()
    future.add_done_callback(lambda _: waiting.wake())
    await waiting.wait(seconds)
    return future.done()


class Waiting:
    """One wait of a task. Anybody may end it, from any thread, also when it has ended already."""

    __slots__ = ("_loop", "_thread", "_woken")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._thread = threading.get_ident()
        self._woken: asyncio.Future[None] = self._loop.create_future()

    def wake(self) -> None:
        with contextlib.suppress(RuntimeError):  # nobody waits any more, and the loop is closed
            if threading.get_ident() == self._thread:
                _finish(self._woken)
            else:
                self._loop.call_soon_threadsafe(_finish, self._woken)

    async def wait(self, seconds: float) -> None:
        """Return when it is woken up, or after so many seconds."""
        timer = self._loop.call_later(seconds, _finish, self._woken)
        try:
            await self._woken
        finally:
            timer.cancel()


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
