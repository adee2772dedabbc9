"""The connection to a bot that is examined, as messages one by one.

It decides nothing. What comes is kept in order, and what goes out may carry odd attributes.
"""

from __future__ import annotations

import asyncio
import contextlib
import re

from spielleiter.wire import writer
from spielleiter.wire.dialects import CLOSE_TAGS
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import ProtocolError
from spielleiter.wire.stream import MessageStream, StreamEnd

CHUNK = 1 << 16
BotEvent = Element | ProtocolError | StreamEnd
"""What can come from a bot."""


class BotConnection:
    """One connection to a bot. What the bot says waits here until somebody looks."""

    def __init__(self, reader: asyncio.StreamReader, writer_: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer_
        self._events: asyncio.Queue[BotEvent] = asyncio.Queue()
        self._listening = asyncio.get_running_loop().create_task(self._listen())
        self._opened = False

    @property
    def has_more(self) -> bool:
        """Whether the bot has said something that nobody has looked at."""
        return not self._events.empty()

    async def next(self, seconds: float) -> BotEvent | None:
        """Return what the bot says next, or None if it says nothing for so long."""
        try:
            async with asyncio.timeout(max(seconds, 0)):
                return await self._events.get()
        except TimeoutError:
            return None

    async def _listen(self) -> None:
        stream = MessageStream()
        while stream.is_open:
            try:
                data = await self._reader.read(CHUNK)
            except OSError:
                data = b""
            stream.receive_data(data)
            for event in stream.events_received():
                self._events.put_nowait(event)
                if not isinstance(event, Element) or event.tag in CLOSE_TAGS:
                    self.close()

    def send(self, packet: str) -> None:
        if not self._writer.is_closing():
            opening = b"" if self._opened else writer.OPEN.encode()
            self._opened = True
            self._writer.write(opening + writer.frame(packet))

    async def flush(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.drain()

    def close(self) -> None:
        """Close the connection as the protocol wants it, with a last tag."""
        if not self._writer.is_closing():
            self._writer.write(writer.CLOSE.encode())
            self._writer.close()

    def drop(self) -> None:
        """Break the connection off, as a server that dies would."""
        self._listening.cancel()
        self._writer.transport.abort()


_TAG = re.compile(r"<(joined|left|room|data|state|board)\b([^<>]*?)(/?)>")


def with_odd_attributes(packet: str) -> str:
    """Return the packet with attributes that nobody knows.

    Bots have to read it, because documents may grow by attributes at any time.
    """
    return _TAG.sub(r'<\1\2 oddAttribute="1"\3>', packet)
