"""One TCP connection, with its transport, its turn to be worked on and its end.

What came is in its ``Inbox``, what goes out in its ``Output``, and what its messages do is decided
by ``requests``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from spielleiter.keepalive import notice_dead_peer
from spielleiter.match import Departure
from spielleiter.server import work
from spielleiter.server.admission import host_of, is_local
from spielleiter.server.conduct import Conduct
from spielleiter.server.inbox import Inbox
from spielleiter.server.logs import log_event
from spielleiter.server.output import CLOSE, OPEN, Output, error_packet
from spielleiter.server.peer import Peer
from spielleiter.server.services import Timer
from spielleiter.server.work import Bucket
from spielleiter.wire.elements import Element

if TYPE_CHECKING:
    from spielleiter.server.app import Server

logger = logging.getLogger("spielleiter.connection")

IGNORED_BYTES = 1024 * 1024
"""Bytes that may still come after we have closed. A peer that sends more than that is cut."""


class Connection(asyncio.Protocol, Peer):
    """A peer with a socket.

    What came in waits and is handled in order, bit by bit as ``Workload`` has it. The move of a
    player who is asked is handled at once. Handling is *held* while an answer takes time on purpose
    (a password after wrong ones) or of necessity (a replay is read), and *rests* when the client
    has made more work than it may. Meanwhile nothing is read.
    """

    def __init__(self, server: Server) -> None:
        Peer.__init__(self)
        limits, now = server.settings.limits, server.services.clock.now()
        self._server = server
        self._services = server.services
        self._transport: asyncio.Transport | None = None
        self._inbox = Inbox(server.stream_limits)
        self._output = Output()
        self._held = False
        self._guessing = False  # a password waits for its answer
        self._behind = 0  # bytes that came meanwhile
        self._answer: Timer | None = None
        self._resting = False
        self._paused = False
        self._ended = False  # they have closed their half, and we have been told
        self._owed = 0
        self._ignored = 0
        self._closing = False
        self._close_timer: Timer | None = None
        self._how = Departure.LOST_CONNECTION
        self._bytes = Bucket(limits.bytes_per_second, limits.bytes_per_second, now)
        self.host = ""
        """What counts as the address."""
        self.allowances: tuple[Bucket, ...] = ()
        self.credit = work.MOVE
        """Units of work that are done at once for a player who is asked."""
        self.conduct = Conduct(limits, now)
        self.spent = 0
        self.queued = False
        self.connected_at = now
        self.closing_at: float | None = None
        """Since when this end is closed and the other one is awaited."""
        self.clogged_at: float | None = None
        """Since when output waits for a peer that does not read."""
        self.greeted = False

    @property
    def is_gone(self) -> bool:
        """Return whether nothing can be said to this peer any more."""
        return self._transport is None or self._closing

    @property
    def heard_at(self) -> float | None:
        """Return when the message now being received began, None between messages."""
        return self._inbox.heard_at

    @property
    def in_message(self) -> bool:
        return self._inbox.in_message

    # The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast(
            "asyncio.Transport", transport
        )  # uvloop's only behaves like one
        server = self._server
        peername = transport.get_extra_info("peername") or ("?", 0)
        self.address = str(peername[0])
        self.host = host_of(self.address)
        self.connected_at = self._services.clock.now()
        self.enter_lobby(self.connected_at)
        # The transport tells us at once when output cannot leave, instead of after 64 KiB, so that
        # the sweeper knows since when a peer has not read.
        transport.set_write_buffer_limits(high=0)
        notice_dead_peer(
            transport.get_extra_info("socket"), server.settings.limits.dead_peer_seconds
        )
        self.label = server.admission.new_label(self.address)
        refusal = server.admission.admit(self, self.address)
        if refusal is not None:
            log_event(logger, "refused", peer=self.address, reason=refusal)
            self._closing = True
            transport.write(OPEN + error_packet(refusal, None) + CLOSE)
            transport.close()
            return
        # Tournaments run on the server's own machine, and there all bots share one address. Only
        # the allowance of everybody together counts for them.
        shared = None if is_local(self.address) else self.host
        self.allowances = server.workload.allowances(shared)

    def data_received(self, data: bytes) -> None:
        if self._closing:
            self._ignored += len(data)
            if self._ignored > IGNORED_BYTES and self._transport is not None:
                self._transport.abort()
            return
        server, clock = self._server, self._services.clock
        self.greeted = True
        self._inbox.append(data, clock.arrival())
        if self._guessing and self._waits_behind(len(data)):
            return
        overdrawn = 0.0 if self.is_admin else self._bytes.take(len(data), clock.now())
        if overdrawn:
            self.rest(overdrawn)
        self._take_move()
        if self.has_work:
            self._owed += work.READ
            server.workload.offer(self)
        server.outbox.flush()
        if self._paused or self._inbox.unread:
            self._choose_reading()

    def eof_received(self) -> bool:
        if self._closing or self._guessing:  # whoever does not wait for the answer does not get it
            return False
        self._inbox.append_end(self._services.clock.arrival())
        self._take_move()
        if self.has_work:
            self._server.workload.offer(self)
        # What they said last is still worked on, and the transport stays for the answers.
        self._ended = not self._closing
        self._server.outbox.flush()
        return self._ended

    def connection_lost(self, exc: Exception | None) -> None:
        reason = "closed" if exc is None else str(exc)
        log_event(logger, "disconnected", level=logging.DEBUG, peer=self.label, reason=reason)
        server = self._server
        self._closing = True
        self._transport = None
        self._output.forget_waiters()
        self._inbox.close()
        if self._answer is not None:
            self._answer.cancel()
        self.keep_open()
        server.admission.remove(self)
        server.passwords.remove_waiting(self)
        server.lobby.disconnected(self, self._how)
        server.outbox.flush()

    def pause_writing(self) -> None:
        self.clogged_at = self._services.clock.now()

    def resume_writing(self) -> None:
        self.clogged_at = None

    # Work on what came in

    @property
    def has_work(self) -> bool:
        """Return whether something waits that may be handled now."""
        # Asked several times for each message, hence no property of the inbox.
        if self._resting or self._held or self._closing:
            return False
        return bool(self._inbox.events or self._inbox.unread)

    def work(self) -> int:
        """Read the next piece of what came or handle the next message, and return the cost."""
        # What looking at the socket cost is paid here, with the first work that follows.
        cost, self._owed = self._owed, 0
        inbox = self._inbox
        if inbox.events:
            event, arrival, looked_at = inbox.take_event()
            cost += looked_at + self._server.requests.handle(self, event, arrival)
        else:
            cost += inbox.read_piece()
        if self._paused:
            self._choose_reading()
        return cost

    def _take_move(self) -> None:
        """Handle at once what a player who is asked says, within the cost of a move (W105)."""
        # The credit covers a move and no more. Without it, a player who is asked could have any
        # amount of junk read ahead of everybody else. It comes back only with a move, so a player
        # who has used it up waits in the queue like others, until the move has been handled.
        while self.credit > 0 and self.is_asked and self.has_work:
            cost = self.work()  # a move that is handled sets the credit anew
            self.credit -= cost

    def rest(self, seconds: float) -> None:
        """Read and handle nothing for this many seconds."""
        if not self._resting:
            self._resting = True
            self._choose_reading()
            self._services.call_later(seconds, self._rested)

    def _rested(self) -> None:
        self._resting = False
        self._go_on()

    def hold(self) -> None:
        """Read and handle nothing until ``release``."""
        self._held = True
        self._choose_reading()

    def release(self) -> None:
        """Go on after ``hold``."""
        self._held = False
        self._go_on()

    def put_off(self, seconds: float, answer: Callable[[], None]) -> None:
        """Hold this connection, and call ``answer`` after so many seconds.

        ``answer`` is not called if the peer goes before. It has to ``release`` the connection or
        part with it.
        """

        def run() -> None:
            self._guessing = False
            self._answer = None
            answer()

        self._guessing = True
        self._behind = 0
        self.hold()
        self._answer = self._services.call_later(seconds, run)

    def _waits_behind(self, size: int) -> bool:
        """Count what came behind a password that waits, and part with a peer that sends much.

        Returns whether that was so.
        """
        # Bytes one by one are more work than their number says.
        self._behind += max(size, work.BYTES)
        most = self._server.stream_limits.message_bytes
        if self._behind <= most:
            return False
        self.part(f"more than {most} bytes behind a password that waits", None)
        self._server.outbox.flush()
        return True

    def _go_on(self) -> None:
        if self.has_work:
            self._server.workload.offer(self)
        self._choose_reading()

    def _choose_reading(self) -> None:
        """Pause or resume reading, so that what would only wait here stays with the system."""
        # While a password waits we read on, to notice when whoever sent it goes.
        waits = (self._held or bool(self._inbox.unread)) and not self._guessing
        pause = not self._closing and (self._resting or waits)
        if pause != self._paused and self._transport is not None and not self._ended:
            self._paused = pause
            if pause:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    # What goes out

    def send(self, data: bytes) -> None:
        if self._transport is None or self._closing:
            return
        packets = self._output.packets
        if not packets:
            self._server.outbox.add(self)
        packets.append(data)

    def when_sent(self, then: Callable[[], None]) -> None:
        if self._transport is not None:
            self._output.when_sent(then)

    def flush(self) -> None:
        output = self._output
        if self._transport is None or not output.packets:
            output.packets.clear()
            return
        waiting = output.write_to(self._transport)
        if waiting > self._server.settings.limits.unread_bytes:
            self.drop(f"{waiting} bytes are waiting to be read")
        else:
            output.tell_sent()

    def is_reading(self) -> bool:
        """Return whether output that waited at the last look has become less.

        Such a peer is slow, but not dead.
        """
        return self._output.has_become_less(self._transport)

    # The end

    def close(self, *, after: float = 0.0) -> None:
        if after > 0:
            self.keep_open()
            self._close_timer = self._services.call_later(after, self._leave)
        else:
            self._leave()

    def keep_open(self) -> None:
        if self._close_timer is not None:
            self._close_timer.cancel()
            self._close_timer = None

    def _leave(self) -> None:
        """Close the document and then the connection, once only."""
        self.keep_open()
        if self._transport is None or self.closing_at is not None:
            return
        self.send(CLOSE)
        self._closing = True
        self._inbox.clear()
        self.closing_at = self._services.clock.now()
        self.flush()
        self._server.lobby.disconnected(self, self._how)
        # Only our half is closed. Closing a socket that still has input unread makes the system
        # send a reset, which may destroy what was said last before the peer has read it.
        if self._transport is not None:
            try:
                self._choose_reading()
                self._transport.write_eof()
                if self._ended and self._transport is not None:
                    self._transport.close()
            except OSError:  # they are gone already
                self._transport.abort()

    def close_as_asked(self) -> None:
        """Close because the peer asked for it."""
        self._how = Departure.RECEIVED_DISCONNECT
        self.close()

    def part(self, message: str, element: Element | None) -> None:
        """Say what was wrong and close. A player in a match loses it for a protocol error."""
        if self.closing_at is None:
            self._how = Departure.PROTOCOL_ERROR
            self.send(error_packet(message, element))
            self._leave()

    def drop(self, reason: str) -> None:
        """Cut the connection of a peer that cannot be talked to."""
        log_event(logger, "dropped", peer=self.label, reason=reason)
        self._closing = True
        if self._transport is not None:
            self._transport.abort()  # connection_lost follows

    def expired(self, reason: str) -> None:
        """Part with a peer that kept the server waiting."""
        if not self._closing:
            log_event(logger, "expired", peer=self.label, reason=reason)
            self.part(reason, None)
