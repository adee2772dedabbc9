"""Gather what one client is told, and write it to its transport in one piece.

It does not decide when, nor what becomes of a client that does not read.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from spielleiter.wire import messages, writer
from spielleiter.wire.dialects import BASE
from spielleiter.wire.elements import Element
from spielleiter.wire.responses import encode_response

OPEN = writer.OPEN.encode()
CLOSE = writer.CLOSE.encode()


def error_packet(message: str, element: Element | None) -> bytes:
    """Return the packet that says what was wrong with a request, and repeats it if it is given."""
    # Every season that knows error packets writes them alike.
    return writer.frame(encode_response(messages.ErrorPacket(message, element), BASE))


class Output:
    """Packets that wait to be written, and those who want to know when they were."""

    __slots__ = ("_is_opened", "_seen_waiting", "_when_sent", "packets")

    def __init__(self) -> None:
        self.packets: list[bytes] = []
        """What is written next time, in this order."""
        self._when_sent: list[Callable[[], None]] = []
        self._is_opened = False
        self._seen_waiting = 0

    def when_sent(self, then: Callable[[], None]) -> None:
        """Have ``then`` called when everything added so far was written, read or not (W17)."""
        # Handed to the system is all that we can know. Waiting until the peer has read it would let
        # a player think for free by reading late.
        self._when_sent.append(then)

    def write_to(self, transport: asyncio.Transport) -> int:
        """Write everything, and return how many bytes now wait to be read by the other end."""
        if not self._is_opened:
            self._is_opened = True
            self.packets.insert(0, OPEN)
        transport.write(b"".join(self.packets))
        self.packets.clear()
        return transport.get_write_buffer_size()

    def tell_sent(self) -> None:
        """Call those who wait for the output to be handed over."""
        waiting, self._when_sent = self._when_sent, []
        for then in waiting:
            then()

    def has_become_less(self, transport: asyncio.Transport | None) -> bool:
        """Return whether fewer bytes wait to be read than at the last look."""
        before = self._seen_waiting
        self._seen_waiting = 0 if transport is None else transport.get_write_buffer_size()
        return self._seen_waiting < before

    def forget_waiters(self) -> None:
        """Call nobody any more, because nothing will be written."""
        self._when_sent.clear()
