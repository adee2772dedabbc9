"""What the server needs from the world, which is time, the event loop, ids and seeds.

They are handed in as one value. A test hands in its own, and then every run is the same.
"""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from spielleiter.server.clock import FairClock


class Timer(Protocol):
    """Something that will be called later, unless it is cancelled before."""

    def cancel(self) -> None: ...


def call_soon(then: Callable[[], None]) -> None:
    """Call ``then`` in the next turn of the running loop."""
    asyncio.get_running_loop().call_soon(then)


def call_later(seconds: float, then: Callable[[], None]) -> Timer:
    """Call ``then`` from the running loop after this many seconds."""
    return asyncio.get_running_loop().call_later(seconds, then)


def run_in_thread(job: Callable[[], Any], then: Callable[[Any], None]) -> None:
    """Run ``job`` in a thread, and call ``then`` with its result from the running loop."""
    future = asyncio.get_running_loop().run_in_executor(None, job)
    future.add_done_callback(lambda done: then(done.result()))


def new_id() -> str:
    """Return an id for a room or a reservation that nobody can guess."""
    return str(uuid.UUID(bytes=secrets.token_bytes(16), version=4))


def new_seed() -> int:
    """Return a seed for the first position of a match that nobody can guess."""
    return secrets.randbits(63)


@dataclass(frozen=True, slots=True)
class Services:
    """Clock, loop, ids and seeds of one server. The defaults are the real ones."""

    clock: FairClock = field(default_factory=FairClock)
    call_soon: Callable[[Callable[[], None]], object] = call_soon
    call_later: Callable[[float, Callable[[], None]], Timer] = call_later
    run_in_thread: Callable[[Callable[[], Any], Callable[[Any], None]], None] = run_in_thread
    new_id: Callable[[], str] = new_id
    new_seed: Callable[[], int] = new_seed

    def followed_by(self, afterwards: Callable[[], None]) -> Services:
        """Return the same services, except that ``afterwards`` is called after each callback.

        This holds for ``call_later`` and ``run_in_thread``. The server has its output leave this
        way, so that neither rooms nor connections have to think of it.
        """

        def later(seconds: float, then: Callable[[], None]) -> Timer:
            def run() -> None:
                then()
                afterwards()

            return self.call_later(seconds, run)

        def in_thread(job: Callable[[], Any], then: Callable[[Any], None]) -> None:
            def run(result: Any) -> None:
                try:
                    then(result)
                finally:
                    afterwards()

            self.run_in_thread(job, run)

        return replace(self, call_later=later, run_in_thread=in_thread)
