"""A queue of what is to be written, with an end that everybody hears of."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlalchemy import Connection


@dataclass(slots=True, eq=False)
class Job:
    """One thing to be written, all of it or nothing, and who waits for it."""

    work: Callable[[Connection], Any]
    future: Future[Any] = field(default_factory=Future)

    def __post_init__(self) -> None:
        # Whoever stops waiting for it does not undo it: it is written all the same.
        self.future.set_running_or_notify_cancel()


class JobQueue:
    """Jobs in the order in which they came. Many threads may put, one takes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, job: Job, seconds: float) -> bool:
        """Add a job, or return False if the queue is closed.

        Waits while the queue is full. Raises TimeoutError if it is full for that long.
        """
        deadline = time.monotonic() + seconds
        with self._changed:
            while not self._closed and len(self._jobs) >= self._most:
                if not self._changed.wait(deadline - time.monotonic()):
                    raise TimeoutError
            if self._closed:
                return False
            self._jobs.append(job)
            self._changed.notify_all()
            return True

    def take(self, most: int) -> list[Job]:
        """Return the jobs that wait, at most so many. Waits for the first one.

        An empty list says that the queue is closed and nothing is left.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._jobs or self._closed)
            return self._pop(most)

    def take_all(self) -> list[Job]:
        """Return all jobs that wait, without waiting."""
        with self._changed:
            return self._pop(len(self._jobs))

    def close(self) -> None:
        """Take no more jobs. Those that wait are still handed out."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _pop(self, most: int) -> list[Job]:
        taken = [self._jobs.popleft() for _ in range(min(most, len(self._jobs)))]
        self._changed.notify_all()
        return taken
