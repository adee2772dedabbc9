"""A server without sockets, whose connections are fed by hand and whose time passes when told to.

What leaves a connection is what its transport was given. The rest of the server is the real one.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import random
import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

from spielleiter.rules import State
from spielleiter.server import Server, Settings
from spielleiter.server.clock import FairClock
from spielleiter.server.connection import Connection
from spielleiter.server.feed import MatchEnded, RoomEvent
from spielleiter.server.services import Services


class Timer:
    def __init__(self, when: float, then: Callable[[], None]) -> None:
        self.when, self.then, self.cancelled = when, then, False

    def cancel(self) -> None:
        self.cancelled = True


class Time:
    """A loop's clock and timers, moved by hand."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._timers: list[tuple[float, int, Timer]] = []
        self._count = itertools.count()
        self._soon: list[Callable[[], None]] = []

    def call_soon(self, then: Callable[[], None]) -> None:
        self._soon.append(then)

    def turn(self) -> bool:
        """Do what is due in the loop's next turn, and return whether there was anything."""
        due, self._soon = self._soon, []
        for then in due:
            then()
        return bool(due)

    def settle(self) -> None:
        """Turn until nothing is due any more."""
        while self.turn():
            pass

    def call_later(self, seconds: float, then: Callable[[], None]) -> Timer:
        timer = Timer(self.now + seconds, then)
        heapq.heappush(self._timers, (timer.when, next(self._count), timer))
        return timer

    def run_in_thread(self, job: Callable[[], Any], then: Callable[[Any], None]) -> None:
        """A thread that is done at once."""
        then(job())

    def advance_to(self, when: float) -> None:
        while self._timers and self._timers[0][0] <= when:
            due, _, timer = heapq.heappop(self._timers)
            if not timer.cancelled:
                self.now = max(self.now, due)
                timer.then()
                self.settle()
        self.now = max(self.now, when)

    def advance(self, seconds: float) -> None:
        self.advance_to(self.now + seconds)


class Wire(asyncio.Transport):
    """Keeps what the server writes. ``reads`` False: the other end does not read."""

    def __init__(self, line: Line) -> None:
        super().__init__({"peername": (line.address, 1)})
        self.line = line
        self.waiting = 0

    def write(self, data: Any) -> None:
        assert not self.line.closed, "written after close"
        self.line.written += bytes(data)
        if not self.line.reads:
            self.waiting += len(data)
            self.line.connection.pause_writing()

    def get_write_buffer_size(self) -> int:
        return self.waiting

    def pause_reading(self) -> None:
        pass

    def resume_reading(self) -> None:
        pass

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        pass

    def write_eof(self) -> None:
        """The other end answers at once by closing, too, unless it lingers."""
        if not self.line.lingers:
            self.line.close()

    def close(self) -> None:
        self.line.close()

    def abort(self) -> None:
        self.line.close()

    def is_closing(self) -> bool:
        return self.line.closed


class Line:
    """One connection to the stage, to say things and hear what came back."""

    def __init__(self, stage: Stage, address: str = "127.0.0.1") -> None:
        self.stage = stage
        self.address = address
        self.reads = True
        self.lingers = False
        self.written = b""
        self.closed = False
        self.connection = Connection(stage.server)
        self.connection.connection_made(Wire(self))
        self._heard = 0

    def say(self, text: str | bytes) -> Line:
        """Bytes from the client, all at once, and what the server does about them."""
        self.push(text)
        self.stage.time.settle()
        return self

    def push(self, text: str | bytes) -> None:
        """Bytes from the client in this turn of the loop, which goes on."""
        if not self.closed:
            self.connection.data_received(text.encode() if isinstance(text, str) else text)

    def hang_up(self) -> None:
        """The client's end is gone."""
        if not self.closed:
            self.connection.eof_received()
            self.stage.time.settle()
            self.close()

    def close(self) -> None:
        if not self.closed:
            self.closed = True
            self.connection.connection_lost(None)

    @property
    def packets(self) -> list[str]:
        """Everything the server said, packet by packet."""
        return split_packets(self.written.decode())

    def heard(self) -> list[str]:
        """What the server said since the last time."""
        packets = self.packets
        new, self._heard = packets[self._heard :], len(packets)
        return new


class Stage:
    """A server, its time, and as many lines as one likes."""

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        new_id: Callable[[], str] | None = None,
        worked: Callable[[], float] = time.thread_time,
        **changes: Any,
    ) -> None:
        self.time = Time()
        self.dice = random.Random(1)  # the real ones are secret; here every run is the same
        self.server = Server(
            replace(settings or Settings(), **changes),
            services=Services(
                clock=FairClock(now=lambda: self.time.now, worked=worked),
                call_soon=self.time.call_soon,
                call_later=self.time.call_later,
                run_in_thread=self.time.run_in_thread,
                new_id=new_id or self._new_id,
                new_seed=lambda: self.dice.getrandbits(63),
            ),
        )
        self.records: list[Any] = []
        self.events: list[RoomEvent] = []
        self.server.feed.subscribe(self._hear)

    def _new_id(self) -> str:
        return str(UUID(int=self.dice.getrandbits(128), version=4))

    def _hear(self, event: RoomEvent) -> None:
        self.events.append(event)
        if isinstance(event, MatchEnded):
            self.records.append(event.record)

    def line(self, opening: str = "", address: str = "127.0.0.1") -> Line:
        line = Line(self, address)
        if opening:
            line.say(opening)
        return line

    def look_after(self) -> None:
        """What the server does by itself every now and then."""
        self.server.sweeper.sweep()

    def start_from(self, state: State[Any]) -> None:
        """Every new room begins in this position."""
        self.server.lobby.start_position = state


def split_packets(stream: str) -> list[str]:
    """A server's stream cut into packets as they stand, the opening and closing of the root
    apart.
    """
    body = stream.removeprefix("<protocol>")
    return [packet for packet in re.split(r"\n(?=  <[^/ ]|</protocol>)", body) if packet]


def tag(packet: str) -> str:
    """Return the name of a packet's element, or of a room's packet the class of its data."""
    found = re.match(r'\s*<room [^>]*>\s*<data class="([^"]*)"', packet)
    if found:
        return found[1]
    return re.match(r"\s*<(/protocol|[^\s/>]*)", packet)[1]  # type: ignore[index]
