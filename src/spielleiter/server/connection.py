"""One TCP connection, which turns bytes into requests and answers into bytes.

It feeds the stream, takes the events, dispatches them and flushes the answers.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from spielleiter.keepalive import notice_dead_peer
from spielleiter.match import Departure
from spielleiter.rules import GameError, State
from spielleiter.server import work
from spielleiter.server.admission import host_of, is_local
from spielleiter.server.lobby import Refusal
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer
from spielleiter.server.room import NAMED
from spielleiter.server.services import Timer
from spielleiter.server.start_positions import load_for_request
from spielleiter.server.work import Bucket
from spielleiter.wire import messages, writer
from spielleiter.wire.dialects import BASE
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import ProtocolError, UnknownMessage
from spielleiter.wire.requests import decode_request
from spielleiter.wire.responses import encode_response
from spielleiter.wire.stream import Event, MessageStream

if TYPE_CHECKING:
    from spielleiter.server.app import Server

logger = logging.getLogger("spielleiter.connection")

_OPEN = writer.OPEN.encode()
_CLOSE = writer.CLOSE.encode()

UNKNOWN_MESSAGES = 10
"""So many messages that nobody knows may come from one connection; the next one ends it (W8)."""
IGNORED_BYTES = 1024 * 1024
"""Bytes that may still come after we have said goodbye; a peer that sends more than that is cut."""


class Connection(asyncio.Protocol, Peer):
    """A peer with a socket.

    What came in waits and is handled in order, bit by bit as ``Workload`` has it; the move of a
    player who is asked is handled at once. Handling is *held* while an answer takes time on purpose
    (a password after wrong ones) or of necessity (a replay is read), and *rests* when the client
    has made more work than it may. Meanwhile nothing is read.
    """

    def __init__(self, server: Server) -> None:
        Peer.__init__(self)
        limits, now = server.settings.limits, server.services.clock.now()
        self._server = server
        self._stream = MessageStream(server.stream_limits)
        self._transport: asyncio.Transport | None = None
        self._inbox: deque[tuple[bytes, float]] = (
            deque()
        )  # what has come and when; nothing for the end
        self._read = 0  # how much of the first of them has been read
        self._events: deque[tuple[Event, float]] = deque()
        self._held = False
        self._guessing = False  # a password waits for its answer
        self._behind = 0  # bytes that came meanwhile
        self._answer: Timer | None = None
        self._resting = False
        self._paused = False
        self._ended = False  # they have closed their half, and we have been told
        self._credit = work.MOVE
        self._owed = 0
        self._tags = 0  # read since the last message was handled
        self._moved = False
        self._ignored = 0
        self._out: list[bytes] = []
        self._opened = False
        self._closing = False
        self._when_sent: list[Callable[[], None]] = []
        self._goodbye: Timer | None = None
        self._how = Departure.LOST_CONNECTION
        self._unknown_messages = 0
        self.host = ""
        """What counts as the address."""
        self.allowances: tuple[Bucket, ...] = ()
        self.spent = 0
        self.queued = False
        self.in_message = False
        self._useless = Bucket(1.0, limits.useless_messages, now)
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
        self._transport = transport = cast(
            "asyncio.Transport", transport
        )  # uvloop's only behaves like one
        peername = transport.get_extra_info("peername") or ("?", 0)
        self.address = str(peername[0])
        self.host = host_of(self.address)
        self.connected_at = self._server.services.clock.now()
        self.enter_lobby(self.connected_at)
        # Told at once when output cannot leave: the sweep drops who does not read for long.
        transport.set_write_buffer_limits(high=0)
        notice_dead_peer(
            transport.get_extra_info("socket"), self._server.settings.limits.dead_peer_seconds
        )
        self.label = self._server.admission.new_label(self.address)
        refusal = self._server.admission.admit(self, self.address)
        if refusal is not None:
            log_event(logger, "refused", peer=self.address, reason=refusal)
            self._closing = True
            transport.write(_OPEN + _error_packet(refusal, None) + _CLOSE)
            transport.close()
            return
        # Tournaments run on the server's own machine: there only what everybody makes together
        # counts.
        shared = None if is_local(self.address) else self.host
        self.allowances = self._server.workload.allowances(shared)

    def data_received(self, data: bytes) -> None:
        if self._closing:
            self._ignored += len(data)
            if self._ignored > IGNORED_BYTES and self._transport is not None:
                self._transport.abort()
            return
        server = self._server
        self.greeted = True
        self._inbox.append((data, server.services.clock.arrival()))
        if self._guessing:
            self._behind += max(
                len(data), work.BYTES
            )  # bytes one by one are more work than their number says
            most = server.stream_limits.message_bytes
            if self._behind > most:
                self._part(f"more than {most} bytes behind a password that waits", None)
                server.outbox.flush()
                return
        overdrawn = (
            0.0 if self.is_admin else self._bytes.take(len(data), server.services.clock.now())
        )
        if overdrawn:
            self.rest(overdrawn)
        self._take_move()
        if self.has_work:
            self._owed += work.READ
            server.workload.offer(self)
        server.outbox.flush()
        if self._inbox or self._paused:
            self._choose_reading()

    def eof_received(self) -> bool:
        if self._closing or self._guessing:  # whoever does not wait for the answer does not get it
            return False
        self._inbox.append((b"", self._server.services.clock.arrival()))
        self._take_move()
        if self.has_work:
            self._server.workload.offer(self)
        # What they said last is still worked on; the transport stays for the answers (see _leave).
        self._ended = not self._closing
        self._server.outbox.flush()
        return self._ended

    def connection_lost(self, exc: Exception | None) -> None:
        reason = "closed" if exc is None else str(exc)
        log_event(logger, "disconnected", level=logging.DEBUG, peer=self.label, reason=reason)
        self._closing = True
        self._transport = None
        self._when_sent.clear()
        self._forget_input()
        if self._answer is not None:
            self._answer.cancel()
        self._stream.receive_eof()  # lets go of its parser
        self.stay()
        self._server.admission.remove(self)
        self._server.passwords.remove_waiting(self)
        self._server.lobby.disconnected(self, self._how)
        self._server.outbox.flush()

    def pause_writing(self) -> None:
        self.clogged_at = self._server.services.clock.now()

    def resume_writing(self) -> None:
        self.clogged_at = None

    # What came in

    @property
    def has_work(self) -> bool:
        """Return whether something waits that may be handled now."""
        return bool(self._events or self._inbox) and not (
            self._resting or self._held or self._closing
        )

    def work(self) -> int:
        """Read the next piece of what came or handle the next message, and return the cost."""
        # What looking at the socket cost is paid here, with the first work that follows.
        cost, self._owed = self._owed, 0
        cost += self._handle_next() if self._events else self._read_piece()
        if self._paused:
            self._choose_reading()
        return cost

    def _take_move(self) -> None:
        """Handle at once what a player who is asked says, within the cost of a move (W105)."""
        while self._credit > 0 and self.is_asked and self.has_work:
            cost = self.work()  # a move that is handled sets the credit anew
            self._credit -= cost

    def _read_piece(self) -> int:
        data, arrival = self._inbox[0]
        piece = data if len(data) <= work.PIECE else data[self._read : self._read + work.PIECE]
        self._read += len(piece)
        if self._read >= len(data):
            self._inbox.popleft()
            self._read = 0
        # An empty piece stands for the end of the input, which waits its turn like everything else.
        if piece:
            self._stream.receive_data(piece)
        else:
            self._stream.receive_eof()
        events = self._stream.events_received()
        self._events.extend((event, arrival) for event in events)
        if self._stream.is_idle:
            self.heard_at = None
        elif events or self.heard_at is None:
            # Counts from the beginning of a message, so that a slow trickle does not extend it.
            self.heard_at = arrival
        self.in_message = bool(events) or (bool(self._inbox) and not self._stream.is_idle)
        tags = piece.count(b"<")  # each has one bracket: an upper bound that costs next to nothing
        self._tags += tags
        return work.ELEMENT * tags + len(piece) // work.BYTES

    def _handle_next(self) -> int:
        """Handle the next event and return what that cost.

        A fault of ours ends this connection only, and the log tells it from a mistake of the
        client.
        """
        event, arrival = self._events.popleft()
        cost, self._tags = work.MESSAGE + self._tags // work.LOOKED_AT, 0
        self.in_message = False
        try:
            if isinstance(event, Element):
                cost += self._handle(event, arrival)
            elif isinstance(event, ProtocolError):
                self._fault(event)
            else:
                self.goodbye()
        except Exception as error:
            log_event(logger, "internal error", level=logging.ERROR, peer=self.label, error=error)
            self._part("internal error; the server's log has more", None)
        return cost

    def rest(self, seconds: float) -> None:
        """Read and handle nothing for this many seconds."""
        if not self._resting:
            self._resting = True
            self._choose_reading()
            self._server.services.call_later(seconds, self._rested)

    def _rested(self) -> None:
        self._resting = False
        self._go_on()

    def _hold(self) -> None:
        """Read and handle nothing until ``_release``."""
        self._held = True
        self._choose_reading()

    def _release(self) -> None:
        self._held = False
        self._go_on()

    def _go_on(self) -> None:
        if self.has_work:
            self._server.workload.offer(self)
        self._choose_reading()

    def _choose_reading(self) -> None:
        """Pause or resume reading, so that what would only wait here stays with the system."""
        # While a password waits we read on, to notice when whoever sent it goes.
        waits = (self._held or bool(self._inbox)) and not self._guessing
        pause = not self._closing and (self._resting or waits)
        if pause != self._paused and self._transport is not None and not self._ended:
            self._paused = pause
            if pause:
                self._transport.pause_reading()
            else:
                self._transport.resume_reading()

    def _forget_input(self) -> None:
        self._inbox.clear()
        self._events.clear()
        self._read = 0

    def _fault(self, error: ProtocolError) -> None:
        """Answer what cannot be understood before the connection ends (W8)."""
        log_event(logger, "protocol error", peer=self.label, reason=str(error))
        self._part(str(error), None)

    def _discard(self, error: UnknownMessage) -> None:
        """Answer and pass over an unknown message, up to a number of times (W8)."""
        self._unknown_messages += 1
        if self._unknown_messages > UNKNOWN_MESSAGES:
            self._fault(error)
            return
        log_event(logger, "unknown message", peer=self.label, reason=str(error))
        self.send(_error_packet(str(error), None))

    def _handle(self, element: Element, arrival: float) -> int:
        """Do what the message says and return what that cost besides looking at it."""
        try:
            decoded = decode_request(element)
        except UnknownMessage as error:
            self._discard(error)
            return 0
        except ProtocolError as error:
            self._fault(error)
            return 0
        message = decoded.message
        asked = isinstance(message, messages.RoomMessage) and self.is_asked
        idle = not asked and self._changes_nothing(message)
        if not (asked or self.is_admin) and self._requests.take(
            1, self._server.services.clock.now()
        ):
            log_event(logger, "too many requests", peer=self.label)
            self._part(
                f"more than {self._server.settings.limits.messages_per_second} requests a second",
                None,
            )
            return 0
        if decoded.discarded:
            names, count = decoded.discarded[:NAMED], len(decoded.discarded)
            log_event(
                logger,
                "unknown elements ignored",
                peer=self.label,
                elements=" ".join(names),
                count=count,
            )
        takes_back = isinstance(message, messages.LeaveRoom) and not self._moved
        if (idle or takes_back or (decoded.discarded and not asked)) and not self._may_waste():
            return 0
        if asked:
            self._credit = work.MOVE
            self._moved = True
        elif isinstance(message, messages.Join | messages.JoinRoom | messages.JoinPrepared):
            self._moved = False
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
        return 0 if idle else work.REQUEST

    def _changes_nothing(self, message: Any) -> bool:
        """Return whether the lobby will pass over the message."""
        match message:
            case messages.LeaveRoom(room_id):
                return self.room is None or room_id not in (None, self.room.id)
            case messages.RoomMessage(room_id):
                return room_id == self.last_room
        return False

    def _may_waste(self) -> bool:
        """Count a message that leads nowhere, and part with a peer that sends only those (W106)."""
        if self.is_admin or not self._useless.take(1, self._server.services.clock.now()):
            return True
        most = self._server.settings.limits.useless_messages
        log_event(logger, "too many useless messages", peer=self.label)
        self._part(
            f"more than {most} messages that lead nowhere, and more than one a second: "
            "leaving without a move, rooms that are over, unknown elements",
            None,
        )
        return False

    def _receive(self, message: Any, element: Element, arrival: float = 0.0) -> None:
        try:
            self._server.lobby.receive(self, message, arrival)
        except Refusal as refusal:
            self._refuse(refusal, message, element)

    def _refuse(self, refusal: Refusal, message: Any, element: Element) -> None:
        log_event(
            logger,
            "refused",
            peer=self.label,
            request=type(message).__name__,
            reason=refusal.message,
        )
        if self.is_admin:
            self.send(_error_packet(refusal.message, element))
        else:
            self._part(refusal.message, element)

    def _authenticate(self, message: messages.Authenticate, element: Element) -> None:
        """Answer at once, or so late after wrong passwords that guessing is slow (W107).

        The wait is the same for right and wrong passwords, or a guesser would only wait for the
        right one.
        """
        server = self._server
        delay = server.passwords.delay(self.host)
        right = server.lobby.is_password(message.password)
        if not right:
            server.passwords.note_failure(self.host)
        if right and not delay:
            self._receive(message, element)
            return
        self._guessing = True
        self._behind = 0
        self._hold()
        if delay:
            unheard = server.passwords.add_waiting(self, self.host)
            if unheard is not None:
                unheard.not_looked_at()
            self._answer = server.services.call_later(
                delay, lambda: self._answer_password(message, element)
            )
        else:
            # Out of the room at once, so that nobody plays against a ghost; the answer waits.
            server.lobby.disconnected(self, Departure.PROTOCOL_ERROR)
            self._answer = server.services.call_later(
                1.0, lambda: self._answer_password(message, element)
            )

    def _answer_password(self, message: messages.Authenticate, element: Element) -> None:
        self._guessing = False
        self._server.passwords.remove_waiting(self)
        if self._transport is None or self._closing:
            return
        try:
            self._server.lobby.receive(self, message, 0.0)
        except Refusal as refusal:
            self._part(refusal.message, element)  # and nothing that was said behind it is heard
        else:
            self._release()

    def not_looked_at(self) -> None:
        """Part with a peer whose password cannot wait any longer, because too many wait."""
        self._part(
            "too many passwords wait to be looked at, and this one was not; try again later", None
        )

    def _load_and_prepare(self, message: messages.Prepare, element: Element) -> None:
        """Have a thread read the replay, which takes a while, and hold the connection for it."""
        self._hold()

        def loaded(position: State[Any] | GameError) -> None:
            if self._transport is None or self._closing:
                return
            try:
                self._server.lobby.prepare_loaded(self, message, position)
            except Refusal as refusal:
                self._refuse(refusal, message, element)
            self._release()

        folder, name, turn = (
            self._server.settings.save_replays,
            message.load_file or "",
            message.turn,
        )
        self._server.services.run_in_thread(lambda: load_for_request(folder, name, turn), loaded)

    # What goes out

    def send(self, data: bytes) -> None:
        if self._transport is None or self._closing:
            return
        if not self._out:
            self._server.outbox.add(self)
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
        """Call those who wait for the output to be handed over.

        It does not matter whether the peer reads it (W17).
        """
        waiting, self._when_sent = self._when_sent, []
        for then in waiting:
            then()

    def is_reading(self) -> bool:
        """Return whether output that waited at the last look has become less.

        Such a peer is slow, but not dead.
        """
        before, self.waiting = (
            self.waiting,
            self._transport.get_write_buffer_size() if self._transport else 0,
        )
        return self.waiting < before

    # The end

    def goodbye(self, *, after: float = 0.0) -> None:
        if after > 0:
            self.stay()
            self._goodbye = self._server.services.call_later(after, self._leave)
        else:
            self._leave()

    def stay(self) -> None:
        if self._goodbye is not None:
            self._goodbye.cancel()
            self._goodbye = None

    def _leave(self) -> None:
        """Close the document and then the connection, once only."""
        self.stay()
        if self._transport is None or self.closing_at is not None:
            return
        self.send(_CLOSE)
        self._closing = True
        self._forget_input()
        self.closing_at = self._server.services.clock.now()
        self.flush()
        self._server.lobby.disconnected(self, self._how)
        # Our half is closed; theirs is read to its end, or a reset could destroy what was said
        # last.
        if self._transport is not None:
            try:
                self._choose_reading()
                self._transport.write_eof()
                if self._ended and self._transport is not None:
                    self._transport.close()
            except OSError:  # they are gone already
                self._transport.abort()

    def _part(self, message: str, element: Element | None) -> None:
        """Say what was wrong and close. A player in a match loses it for a protocol error."""
        if self.closing_at is None:
            self._how = Departure.PROTOCOL_ERROR
            self.send(_error_packet(message, element))
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


def _error_packet(message: str, element: Element | None) -> bytes:
    # Every season that knows error packets writes them alike.
    return writer.frame(encode_response(messages.ErrorPacket(message, element), BASE))
