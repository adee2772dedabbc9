"""Let a bot work in a thread of its own, for a limited time.

A bot that does not come back in time is stopped, or left alone if it cannot be stopped. It is a
thread and not a process, so that classes, functions and lambdas of a test can play as they are.
"""

from __future__ import annotations

import contextlib
import ctypes
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar

from spielleiter.client.watchdog import describe_frames, own_frames

T = TypeVar("T")
_STACK_BYTES = 16 << 20
"""Threads have less room for recursion than a program's first one, on macOS far less."""
_SLICE_SECONDS = 0.25
"""A longer wait could not be interrupted with Ctrl+C on Windows."""
_STOP_SECONDS = 1.0


class Stuck(Exception):
    """Say that the bot did not come back.

    ``lines`` say where it was. ``still_runs`` is true if it could not be stopped either.
    """

    def __init__(self, lines: list[str], still_runs: bool) -> None:
        super().__init__("the bot did not come back")
        self.lines = lines
        self.still_runs = still_runs


class _Stopped(BaseException):
    """Ends a bot in the middle of its code.

    It is not an Exception, so that no ``except Exception`` of the bot's author catches it.
    """


class Desk:
    """One thread for one bot.

    Everything the bot does is done there, as a program of its own would do it.
    """

    def __init__(self) -> None:
        self._tasks: queue.SimpleQueue[Callable[[], Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="spielleiter desk", daemon=True)
        # The size can only be set for all threads that start later, so it is put back at once.
        before = threading.stack_size()
        with contextlib.suppress(ValueError, RuntimeError):  # not every system lets it be set
            threading.stack_size(_STACK_BYTES)
        try:
            self._thread.start()
        finally:
            threading.stack_size(before)

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                answer: tuple[Any, BaseException | None] = (task(), None)
            except _Stopped:
                return
            except BaseException as error:
                # A bot may call sys.exit(). In a thread that would end nothing but the thread, and
                # whoever waits for the answer would take the bot for a slow one.
                answer = (None, error)
            self._answers.put(answer)

    def call(self, task: Callable[[], T], seconds: float) -> T:
        """Do this there and return what comes of it, or raise what it raises.

        Raises Stuck after ``seconds``.
        """
        self._tasks.put(task)
        deadline = time.monotonic() + seconds
        while True:
            left = deadline - time.monotonic()
            try:
                result, error = self._answers.get(timeout=max(0.0, min(left, _SLICE_SECONDS)))
            except queue.Empty:
                if left <= 0:
                    raise self._stuck() from None
                continue
            if error is not None:
                raise error
            answer: T = result
            return answer

    def _stuck(self) -> Stuck:
        ident = self._thread.ident or 0
        lines = describe_frames([(frame, frame.f_lineno) for frame in own_frames(ident)])
        self._tasks.put(None)
        # Python has no way to end a thread. CPython can raise an exception in one, between two of
        # its bytecodes, which ends loops. Other Pythons have no such function.
        with contextlib.suppress(AttributeError):
            ctypes.pythonapi.PyThreadState_SetAsyncExc(
                ctypes.c_ulong(ident), ctypes.py_object(_Stopped)
            )
        # A call that sleeps or computes in C notices nothing until it returns. The thread is a
        # daemon so that the program can end without it, and after a moment it is left alone.
        self._thread.join(_STOP_SECONDS)
        return Stuck(lines, self._thread.is_alive())

    def close(self) -> None:
        """Let the thread end when it has done what it was told."""
        self._tasks.put(None)
