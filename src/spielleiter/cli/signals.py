"""End a command on a signal as Ctrl+C does, in order and with nothing left behind."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, TypeVar

from spielleiter.cli.errors import CliError

_T = TypeVar("_T")
SIGNALS = ("SIGTERM", "SIGHUP")
"""Those that ask a program to end. Ctrl+C, which asyncio knows by itself, is not among them."""


class EndedBySignal(CliError):
    """Somebody has told us to end. The exit code is the one that shells give for it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"ended by {signal.Signals(number).name}", exit_code=128 + number)


async def until_told_to_end(work: Coroutine[Any, Any, _T]) -> _T:
    """Await the work, and cancel it when a signal tells us to end. Raises EndedBySignal then.

    The work can clean up as it does after Ctrl+C. A signal that we were started to ignore, as with
    ``nohup``, stays ignored. On Windows there are no such signals.
    """
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    told: list[int] = []

    # The task is cancelled, and nothing is raised from a signal handler: that could hit any line,
    # also one in which a program has been started and nobody knows of it yet.
    def end(number: int) -> None:
        told.append(number)
        task.cancel()

    heard = []
    for name in SIGNALS:
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            try:
                loop.add_signal_handler(number, end, number)
            except (NotImplementedError, RuntimeError, ValueError):
                continue  # Windows, or not the main thread
            heard.append(number)
    try:
        done = await work
    except asyncio.CancelledError:
        if told:
            raise EndedBySignal(told[0]) from None
        raise
    else:
        if told:  # work that only stays until somebody ends it takes this as its end
            raise EndedBySignal(told[0])
        return done
    finally:
        for number in heard:
            loop.remove_signal_handler(number)
