"""What one client has sent and nobody has handled yet, read bit by bit into messages.

It knows neither the socket nor what the messages mean.
"""

from __future__ import annotations

from collections import deque

from spielleiter.server import work
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import MessageStream, StreamEvent


class Inbox:
    """Bytes in the order they came, and the events read from them.

    What is read costs units of work (see ``work``).
    """

    __slots__ = ("_read", "_stream", "_tags", "events", "heard_at", "in_message", "unread")

    def __init__(self, limits: StreamLimits) -> None:
        self._stream = MessageStream(limits)
        self.unread: deque[tuple[bytes, float]] = deque()
        """What has come and when. Empty bytes stand for the end of the input."""
        self._read = 0  # how much of the first of them has been read
        self.events: deque[tuple[StreamEvent, float]] = deque()
        """What was read and can be handled, with the time at which it came."""
        self._tags = 0  # read since the last event was taken
        self.heard_at: float | None = None
        """When the message now being received began, None between messages."""
        self.in_message = False
        """Whether a message was begun that we have more of, or read and not yet handled."""

    def append(self, data: bytes, arrival: float) -> None:
        """Take in what came, to be read later."""
        self.unread.append((data, arrival))

    def append_end(self, arrival: float) -> None:
        """Take in that nothing more will come."""
        # In line with the bytes, so that what was said before the end is handled before it.
        self.unread.append((b"", arrival))

    def read_piece(self) -> int:
        """Read the next piece of what came and return what that cost."""
        # One read of the socket may bring 256 KiB, which are tens of thousands of tags and a tenth
        # of a second of parsing. In pieces the moves of others come in between.
        data, arrival = self.unread[0]
        piece = data if len(data) <= work.PIECE else data[self._read : self._read + work.PIECE]
        self._read += len(piece)
        if self._read >= len(data):
            self.unread.popleft()
            self._read = 0
        self._stream.receive_data(piece)
        events = self._stream.events_received()
        self.events.extend((event, arrival) for event in events)
        if self._stream.is_idle:
            self.heard_at = None
        elif events or self.heard_at is None:
            # Counts from the beginning of a message, so that a slow trickle does not extend it.
            self.heard_at = arrival
        self.in_message = bool(events) or (bool(self.unread) and not self._stream.is_idle)
        # Each tag has one bracket. Counting them gives an upper bound of the work for next to
        # nothing, also where the parser has refused the piece.
        tags = piece.count(b"<")
        self._tags += tags
        return work.ELEMENT * tags + len(piece) // work.BYTES

    def take_event(self) -> tuple[StreamEvent, float, int]:
        """Return the next event, when it arrived, and what looking at it costs."""
        event, arrival = self.events.popleft()
        cost, self._tags = work.MESSAGE + self._tags // work.LOOKED_AT, 0
        self.in_message = False
        return event, arrival, cost

    def clear(self) -> None:
        """Forget what has not been handled."""
        self.unread.clear()
        self.events.clear()
        self._read = 0

    def close(self) -> None:
        """Forget everything, and let go of the parser."""
        self.clear()
        self._stream.receive_eof()
