"""One TCP connection: bytes to requests, answers to bytes. Feed, take events, dispatch, flush; nothing clever."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from spielleiter.keepalive import notice_dead_peer
from spielleiter.match import Departure
from spielleiter.protocol import messages, writer
from spielleiter.protocol.errors import ProtocolError, UnknownMessage
from spielleiter.protocol.requests import decode_request
from spielleiter.protocol.stream import Event, MessageStream
from spielleiter.rules import Element
from spielleiter.server.lobby import Refusal
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer

if TYPE_CHECKING:
    from spielleiter.server.app import Server

logger = logging.getLogger("spielleiter.connection")

_OPEN = writer.OPEN.encode()
_CLOSE = writer.CLOSE.encode()

UNKNOWN_MESSAGES = 10
"""Messages nobody knows that one connection may send; with the next one it has lost its way (W8)."""
NAMED = 5
"""Unknown elements that a log line names; the rest is counted."""


class Bucket:
    """An allowance that fills with time, up to its size. What is taken may overdraw it."""

    __slots__ = ("_at", "_level", "_rate", "_size")

    def __init__(self, rate: float, size: float, now: float) -> None:
        self._rate, self._size, self._level, self._at = rate, size, size, now

    def take(self, amount: float, now: float) -> float:
        """Seconds until the allowance is out of the red again; 0 if it never was."""
        self._level = min(self._size, self._level + max(0.0, now - self._at) * self._rate) - amount
        self._at = now
        return max(0.0, -self._level / self._rate)


class Connection(asyncio.Protocol, Peer):
    """A peer with a socket.

    What came in waits in a queue and is handled in order. The queue rests while an answer takes time on
    purpose (a password after wrong ones) or of necessity (a replay is read); meanwhile nothing is read.
    """

    def __init__(self, server: Server) -> None:
        Peer.__init__(self)
        limits, now = server.settings.limits, server.now()
        self._server = server
        self._stream = MessageStream(server.limits)
        self._transport: asyncio.Transport | None = None
        self._events: deque[tuple[Event, float]] = deque()
        self._resting = False
        self._out: list[bytes] = []
        self._opened = False
        self._closing = False
        self._when_sent: list[Callable[[], None]] = []
        self._goodbye: asyncio.TimerHandle | None = None
        self._how = Departure.LOST_CONNECTION
        self._unknown_messages = 0
        self._requests = Bucket(limits.messages_per_second, limits.message_burst, now)
        self._bytes = Bucket(limits.bytes_per_second, limits.bytes_per_second, now)
        self.connected_at = now
        self.heard_at: float | None = None
        """When the message now being received began, None between messages."""
        self.closing_at: float | None = None
        """Since when this end is closed and the other one is awaited."""
        self.clogged_at: float | None = None
        """Since when output waits for a peer that does not read."""
        self.waiting = 0
        """Bytes of output that waited when the server last looked."""
        self.greeted = False

    # The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport = cast("asyncio.Transport", transport)  # uvloop's only behaves like one
        peername = transport.get_extra_info("peername") or ("?", 0)
        self.address = str(peername[0])
        self.connected_at = self.free_since = self._server.now()
        # Told at once when output cannot leave: the sweep drops who does not read for long.
        transport.set_write_buffer_limits(high=0)
        notice_dead_peer(transport.get_extra_info("socket"), self._server.settings.limits.dead_peer_seconds)
        refusal = self._server.admit(self)
        if refusal is not None:
            log_event(logger, "refused", peer=self.address, reason=refusal)
            self._closing = True
            transport.write(_OPEN + writer.frame(writer.error_packet(refusal, None)) + _CLOSE)
            transport.close()

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        arrival = self._server.clock.arrival()
        self.greeted = True
        self._stream.receive_data(data)
        events = self._stream.events_received()
        self._events.extend((event, arrival) for event in events)
        if self._stream.is_idle:
            self.heard_at = None
        elif events or self.heard_at is None:
            self.heard_at = arrival
        overdrawn = 0.0 if self.is_admin else self._bytes.take(len(data), self._server.now())
        if overdrawn:
            self._rest(overdrawn)
        self._handle_events()
        self._server.flush()

    def eof_received(self) -> bool:
        if not self._closing:
            self._stream.receive_eof()
            now = self._server.clock.arrival()
            self._events.extend((event, now) for event in self._stream.events_received())
            self._handle_events()
            self._server.flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        reason = "closed" if exc is None else str(exc)
        log_event(logger, "disconnected", level=logging.DEBUG, peer=self.label, reason=reason)
        self._closing = True
        self._transport = None
        self._when_sent.clear()
        self._events.clear()
        self._stream.receive_eof()  # lets go of its parser
        self.stay()
        self._server.gone(self)
        self._server.lobby.disconnected(self, self._how)
        self._server.flush()

    def pause_writing(self) -> None:
        self.clogged_at = self._server.now()

    def resume_writing(self) -> None:
        self.clogged_at = None

    # What came in

    def _handle_events(self) -> None:
        """The outer edge: a fault of ours costs this connection, and is told from a client's mistake in the log."""
        try:
            while self._events and not self._resting and not self._closing:
                event, arrival = self._events.popleft()
                if isinstance(event, Element):
                    self._handle(event, arrival)
                elif isinstance(event, ProtocolError):
                    self._fault(event)
                else:
                    self.goodbye()
        except Exception as error:
            log_event(logger, "internal error", level=logging.ERROR, peer=self.label, error=error)
            self._part("internal error; the server's log has more", None)

    def _rest(self, seconds: float | None = None) -> None:
        """Read and handle nothing for so long, or until ``_go_on``."""
        self._resting = True
        if self._transport is not None:
            self._transport.pause_reading()
        if seconds is not None:
            self._server.call_later(seconds, self._go_on)

    def _go_on(self) -> None:
        self._resting = False
        if self._transport is not None and not self._closing:
            self._transport.resume_reading()
            self._handle_events()

    def _fault(self, error: ProtocolError) -> None:
        """What cannot be understood gets an answer, not a silent end (W8)."""
        log_event(logger, "protocol error", peer=self.label, reason=str(error))
        self._part(str(error), None)

    def _discard(self, error: UnknownMessage) -> None:
        """A message nobody knows is answered and passed over, a number of times (W8)."""
        self._unknown_messages += 1
        if self._unknown_messages > UNKNOWN_MESSAGES:
            self._fault(error)
            return
        log_event(logger, "unknown message", peer=self.label, reason=str(error))
        self.send(writer.frame(writer.error_packet(str(error), None)))

    def _handle(self, element: Element, arrival: float) -> None:
        try:
            decoded = decode_request(element)
        except UnknownMessage as error:
            self._discard(error)
            return
        except ProtocolError as error:
            self._fault(error)
            return
        message = decoded.message
        if not self._may_say(message):
            log_event(logger, "too many requests", peer=self.label)
            self._part(f"more than {self._server.settings.limits.messages_per_second} requests a second", None)
            return
        if decoded.discarded:
            names, count = decoded.discarded[:NAMED], len(decoded.discarded)
            log_event(logger, "unknown elements ignored", peer=self.label, elements=" ".join(names), count=count)
        match message:
            case messages.CloseRequest():
                self._how = Departure.RECEIVED_DISCONNECT
                self.goodbye()
            case messages.Authenticate():
                self._authenticate(message, element)
            case messages.Prepare(load_file=str()) if self.is_admin:
                self._load_and_prepare(message, element)
            case _:
                self._receive(message, element, arrival)

    def _receive(self, message: Any, element: Element, arrival: float = 0.0) -> None:
        try:
            self._server.lobby.receive(self, message, arrival)
        except Refusal as refusal:
            log_event(logger, "refused", peer=self.label, request=type(message).__name__, reason=refusal.message)
            if self.is_admin:
                self.send(writer.frame(writer.error_packet(refusal.message, element)))
            else:
                self._part(refusal.message, element)

    def _may_say(self, message: Any) -> bool:
        """Moves that were asked for do not count, administrators do not either; everything else has a rate."""
        asked = isinstance(message, messages.RoomMessage) and self.room is not None and self.is_asked
        return self.is_admin or asked or not self._requests.take(1, self._server.now())

    def _authenticate(self, message: messages.Authenticate, element: Element) -> None:
        """Guessing passwords is slow: after wrong ones from an address, every try from there takes its time."""

        def check() -> None:
            self._go_on_after(lambda: self._check_password(message, element))

        delay = self._server.authentication_delay(self)
        if delay:
            self._rest()
            self._server.call_later(delay, check)
        else:
            self._check_password(message, element)

    def _check_password(self, message: messages.Authenticate, element: Element) -> None:
        try:
            self._server.lobby.receive(self, message, 0.0)
        except Refusal as refusal:
            # Out of the room at once, so that nobody plays against a ghost; the answer waits.
            self._server.lobby.disconnected(self, Departure.PROTOCOL_ERROR)
            self._rest()
            answer = refusal.message
            self._server.call_later(1.0, lambda: self._part(answer, element))

    def _load_and_prepare(self, message: messages.Prepare, element: Element) -> None:
        """Reading a replay takes a while: a thread does it, and this connection waits for it."""
        self._rest()

        def loaded() -> None:
            self._go_on_after(lambda: self._receive(message, element))

        self._server.load_for(message, loaded)

    def _go_on_after(self, then: Callable[[], None]) -> None:
        if self._transport is not None and not self._closing:
            then()
            if not self._closing:
                self._go_on()

    # What goes out

    def send(self, data: bytes) -> None:
        if self._transport is None or self._closing:
            return
        if not self._out:
            self._server.to_flush.append(self)
        self._out.append(data)

    def when_sent(self, then: Callable[[], None]) -> None:
        if self._transport is not None:
            self._when_sent.append(then)

    def flush(self) -> None:
        transport = self._transport
        if transport is None or not self._out:
            self._out.clear()
            return
        if not self._opened:
            self._opened = True
            self._out.insert(0, _OPEN)
        transport.write(b"".join(self._out))
        self._out.clear()
        waiting = transport.get_write_buffer_size()
        if waiting > self._server.settings.limits.unread_bytes:
            self.drop(f"{waiting} bytes are waiting to be read")
        else:
            self._sent()

    def _sent(self) -> None:
        """Tell who waits that the output was handed over, whether or not the peer reads it (W17)."""
        waiting, self._when_sent = self._when_sent, []
        for then in waiting:
            then()

    def is_reading(self) -> bool:
        """Whether output that waited at the last look has become less: slow, but not dead."""
        before, self.waiting = self.waiting, self._transport.get_write_buffer_size() if self._transport else 0
        return self.waiting < before

    # The end

    def goodbye(self, *, after: float = 0.0) -> None:
        if after > 0:
            self.stay()
            self._goodbye = self._server.loop.call_later(after, self._leave)
        else:
            self._leave()

    def stay(self) -> None:
        if self._goodbye is not None:
            self._goodbye.cancel()
            self._goodbye = None

    def _leave(self) -> None:
        """Close the document, then the connection; once."""
        self.stay()
        if self._transport is None or self.closing_at is not None:
            return
        self.send(_CLOSE)
        self._closing = True
        self.closing_at = self._server.now()
        self.flush()
        self._server.lobby.disconnected(self, self._how)
        # Our half is closed; theirs is read to its end, or a reset could destroy what was said last.
        if self._transport is not None:
            try:
                self._transport.resume_reading()
                self._transport.write_eof()
            except OSError:  # they are gone already
                self._transport.abort()

    def _part(self, message: str, element: Element | None) -> None:
        """Say what was wrong, and go. Whoever plays has lost as one who broke the protocol."""
        if self.closing_at is None:
            self._how = Departure.PROTOCOL_ERROR
            self.send(writer.frame(writer.error_packet(message, element)))
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
            self._part(reason, None)
