"""One TCP connection: bytes to requests, answers to bytes. Feed, take events, dispatch, flush; nothing clever."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spielleiter.match import Departure
from spielleiter.protocol import messages, writer
from spielleiter.protocol.errors import ProtocolError
from spielleiter.protocol.requests import decode_request
from spielleiter.protocol.stream import MessageStream
from spielleiter.rules import Element
from spielleiter.server.lobby import Refusal
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer

if TYPE_CHECKING:
    from spielleiter.server.app import Server

logger = logging.getLogger("spielleiter.connection")

_OPEN = writer.OPEN.encode()
_CLOSE = writer.CLOSE.encode()


class Connection(asyncio.Protocol, Peer):
    """A peer with a socket."""

    def __init__(self, server: Server) -> None:
        Peer.__init__(self)
        self._server = server
        self._stream = MessageStream(server.limits)
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._opened = False
        self._closing = False
        self._clogged = False
        self._when_sent: list[Callable[[], None]] = []
        self._goodbye: asyncio.TimerHandle | None = None
        self._how = Departure.LOST_CONNECTION
        self._allowance = float(server.settings.limits.message_burst)
        self._allowance_at = 0.0
        self.connected_at = 0.0
        self.heard_at: float | None = None
        """When the message now being received began, None between messages."""
        self.closing_at: float | None = None
        """Since when this end is closed and the other one is awaited."""
        self.clogged_at: float | None = None
        """Since when output waits for a peer that does not read."""
        self.greeted = False

    # The transport's side

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        peername = transport.get_extra_info("peername") or ("?", 0)
        self.address = str(peername[0])
        self.connected_at = self.free_since = self._server.now()
        # Told at once when output cannot leave: a request's time runs from its bytes leaving.
        transport.set_write_buffer_limits(high=0)
        _notice_dead_peers(transport.get_extra_info("socket"), self._server.settings.limits.dead_peer_seconds)
        refusal = self._server.admit(self)
        if refusal is not None:
            log_event(logger, "refused", peer=self.address, reason=refusal)
            self._part(refusal, None)
            self.flush()

    def data_received(self, data: bytes) -> None:
        if self._closing:
            return
        arrival = self._server.clock.arrival()
        self.greeted = True
        self._stream.receive_data(data)
        self._handle_safely(arrival)
        self.heard_at = (self.heard_at or arrival) if not self._stream.is_idle else None
        self._server.flush()

    def eof_received(self) -> bool:
        if not self._closing:
            self._stream.receive_eof()
            self._handle_safely(self._server.clock.arrival())
            self._server.flush()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        reason = "closed" if exc is None else str(exc)
        log_event(logger, "disconnected", level=logging.DEBUG, peer=self.label, reason=reason)
        self._closing = True
        self._transport = None
        self._when_sent.clear()
        if self._goodbye is not None:
            self._goodbye.cancel()
        self._server.gone(self)
        self._server.lobby.disconnected(self, self._how)
        self._server.flush()

    def pause_writing(self) -> None:
        self._clogged = True
        self.clogged_at = self._server.now()

    def resume_writing(self) -> None:
        self._clogged = False
        self.clogged_at = None
        self._sent()

    # What came in

    def _handle_safely(self, arrival: float) -> None:
        """The outer edge: a fault of ours costs this connection, and is told from a client's mistake in the log."""
        try:
            self._handle_events(arrival)
        except Exception as error:
            log_event(logger, "internal error", level=logging.ERROR, peer=self.label, error=error)
            self._how = Departure.PROTOCOL_ERROR
            self._part("internal error; the server's log has more", None)

    def _handle_events(self, arrival: float) -> None:
        for event in self._stream.events_received():
            if self._closing:
                return
            if isinstance(event, Element):
                try:
                    self._handle(event, arrival)
                except ProtocolError as error:
                    self._fault(error)
            elif isinstance(event, ProtocolError):
                self._fault(event)
            else:
                self.goodbye()

    def _fault(self, error: ProtocolError) -> None:
        """What cannot be understood gets an answer, not a silent end (W8)."""
        self._how = Departure.PROTOCOL_ERROR
        log_event(logger, "protocol error", peer=self.label, reason=str(error))
        self._part(str(error), None)

    def _handle(self, element: Element, arrival: float) -> None:
        decoded = decode_request(element)
        message = decoded.message
        if decoded.discarded:
            log_event(logger, "unknown elements ignored", peer=self.label, elements=decoded.discarded)
        if isinstance(message, messages.CloseRequest):
            self._how = Departure.RECEIVED_DISCONNECT
            self.goodbye()
            return
        if not isinstance(message, messages.RoomMessage) and not self._may_ask():
            self._how = Departure.PROTOCOL_ERROR
            log_event(logger, "too many requests", peer=self.label)
            self._part(f"more than {self._server.settings.limits.messages_per_second} requests a second", None)
            return
        try:
            self._server.lobby.receive(self, message, arrival)
        except Refusal as refusal:
            self._refuse(refusal, element, message)

    def _refuse(self, refusal: Refusal, element: Element, message: Any) -> None:
        log_event(logger, "refused", peer=self.label, request=type(message).__name__, reason=refusal.message)
        if self.is_admin and not refusal.final:
            self._send_error(refusal.message, element)
        elif isinstance(message, messages.Authenticate):
            # Guessing passwords is slow: the answer waits.
            self._closing = True
            self._server.call_later(1.0, lambda: self._part(refusal.message, element, flush=True))
        else:
            self._how = Departure.PROTOCOL_ERROR
            self._part(refusal.message, element)

    def _may_ask(self) -> bool:
        """A bucket that fills with time: moves that were asked for do not count, administrators do not either."""
        if self.is_admin:
            return True
        now = self._server.now()
        rate = self._server.settings.limits.messages_per_second
        full = self._server.settings.limits.message_burst
        self._allowance = min(full, self._allowance + (now - self._allowance_at) * rate)
        self._allowance_at = now
        self._allowance -= 1
        return self._allowance >= 0

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
        elif not self._clogged:
            self._sent()

    def _sent(self) -> None:
        waiting, self._when_sent = self._when_sent, []
        for then in waiting:
            then()

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
        if not self._closing:
            self.send(_CLOSE)
        self._closing = True
        self.closing_at = self._server.now()
        self.flush()
        self._server.lobby.disconnected(self, self._how)
        # Our half is closed; theirs is read to its end, or a reset could destroy what was said last.
        if self._transport is not None:
            try:
                self._transport.write_eof()
            except OSError:  # they are gone already
                self._transport.abort()

    def _part(self, message: str, element: Element | None, *, flush: bool = False) -> None:
        """Say what was wrong, and go."""
        if self.closing_at is not None:
            return
        self._closing = False
        self._send_error(message, element)
        self._leave()
        if flush:
            self._server.flush()

    def _send_error(self, message: str, element: Element | None) -> None:
        self.send(writer.frame(writer.error_packet(message, element)))

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
            self._how = Departure.PROTOCOL_ERROR
            self._part(reason, None)


def _notice_dead_peers(sock: socket.socket | None, seconds: float) -> None:
    """Ask the system to find out within ``seconds`` that the other end is gone, idle or while sending."""
    if sock is None or sock.family not in (socket.AF_INET, socket.AF_INET6):
        return
    options = [(socket.SOL_SOCKET, "SO_KEEPALIVE", 1)]
    interval = max(1, int(seconds // 4))
    options += [
        (socket.IPPROTO_TCP, "TCP_KEEPIDLE", interval),
        (socket.IPPROTO_TCP, "TCP_KEEPALIVE", interval),  # macOS' name for the same
        (socket.IPPROTO_TCP, "TCP_KEEPINTVL", interval),
        (socket.IPPROTO_TCP, "TCP_KEEPCNT", 3),
        # Without this a peer that vanishes while we send is noticed after minutes (Linux only).
        (socket.IPPROTO_TCP, "TCP_USER_TIMEOUT", int(seconds * 800)),
    ]
    for level, name, value in options:
        option = getattr(socket, name, None)
        if option is not None:
            try:
                sock.setsockopt(level, option, value)
            except OSError:
                logger.debug("the system does not know %s", name)
