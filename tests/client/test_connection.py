"""A player's socket: what waits has a limit, a vanished server is noticed, closing ends the reader
in any case.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from spielleiter.client.admin import MOST_EVENTS, AdminError, Watching
from spielleiter.client.bot import Bot
from spielleiter.client.clock import DEFAULT_SECONDS
from spielleiter.client.connection import DEAD_SERVER_SECONDS, MOST_WAITING, Arrival, ServerLink
from spielleiter.client.events import PauseShown
from spielleiter.client.participant import Playing
from spielleiter.client.session import PlayerSession
from spielleiter.client.thinker import Thinker
from spielleiter.games import get_game
from spielleiter.wire import messages, writer
from spielleiter.wire.dialects import BASE
from spielleiter.wire.responses import encode_response

ENOUGH = 40 * MOST_WAITING
"""Pieces after which a flood ends, so that a reader without a limit fails a test and does not fill
the memory.
"""


class Flood:
    """A socket on which there is always more to read until it is shut down."""

    family = socket.AF_UNIX if hasattr(socket, "AF_UNIX") else None

    def __init__(self) -> None:
        self.given = 0
        self.is_open = True

    def recv(self, size: int) -> bytes:
        if not self.is_open or self.given >= ENOUGH:
            return b""
        self.given += 1
        return b"x" * size

    def shutdown(self, how: int) -> None:
        if how == socket.SHUT_WR:
            self.is_open = False

    def sendall(self, data: bytes) -> None:
        pass

    def settimeout(self, seconds: float | None) -> None:
        pass

    def setsockopt(self, *_: int) -> None:
        pass

    def close(self) -> None:
        pass


def full(connection: ServerLink) -> None:
    """Until the reader can put nothing more, or has read to the end."""
    while not connection._arrivals.full() and connection._reader.is_alive():
        connection._reader.join(0.001)


def test_a_server_that_floods_has_to_wait() -> None:
    flood = Flood()
    connection = ServerLink(flood)  # type: ignore[arg-type]
    for taken in range(3):
        full(connection)
        assert flood.given <= MOST_WAITING + 1 + taken, "one more is in the reader's hands"
        arrival = connection.receive()
        assert arrival is not None
        assert len(arrival.data) * MOST_WAITING <= 4 * 1024 * 1024
    connection.close(b"")
    connection._reader.join(20)
    assert not connection._reader.is_alive()


def test_a_vanished_server_is_noticed() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        sock = socket.create_connection(listening.getsockname())
        connection = ServerLink(sock)
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert (
                0
                < sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT)
                < DEAD_SERVER_SECONDS * 1000
            )
        other, _ = listening.accept()
        other.close()
        connection.close(b"")


GAME = get_game("blokus-2027")
START = GAME.start(1)


class First(Bot):
    def choose(self, state: Any, clock: Any) -> Any:
        return state.legal_moves()[0]


class FloodingServer:
    """Shows a position, asks for a move, and then sends rubbish until it has an answer."""

    def __init__(self) -> None:
        self.pieces = self._pieces()
        self.answer = b""

    def _pieces(self) -> Iterator[bytes]:
        state = GAME.codecs["2027"].encode_state(START, ("", ""))
        yield (
            b"<protocol>"
            + writer.frame(encode_response(messages.Joined("r"), BASE))
            + writer.frame(encode_response(messages.Memento("r", state), BASE))
        )
        yield b'<room roomId="r"><data class="moveRequest"/></room>'
        for _ in range(200):
            if self.answer:
                break
            yield b"<rubbish/>" * 1000
        else:
            raise AssertionError("nothing is answered while rubbish comes")
        yield writer.frame(encode_response(messages.Left("r"), BASE))

    def receive(self, timeout: float | None = None) -> Arrival:
        return Arrival(0.0, next(self.pieces))

    def send(self, data: bytes) -> bool:
        if b"<room" in data:
            self.answer = data
        return True

    def close(self, goodbye: bytes) -> None:
        pass


def test_a_flood_does_not_keep_a_bot_from_answering() -> None:
    server = FloodingServer()
    join = messages.Join(GAME.game_type)
    said: list[str] = []
    thinker = Thinker(First(), said.append)
    session = PlayerSession(join, GAME)
    Playing(
        thinker,
        session,
        join,
        server,  # type: ignore[arg-type]
        move_seconds=DEFAULT_SECONDS,
        notes=None,
        say=said.append,
        say_details=lambda _: None,
    ).play()
    assert b"<piece" in server.answer


def test_events_that_nobody_takes_have_a_limit() -> None:
    async def watch() -> None:
        watching = Watching("r")
        for _ in range(MOST_EVENTS):
            watching.take(PauseShown(True))
        with pytest.raises(AdminError, match="wait to be taken"):
            watching.take(PauseShown(True))

    asyncio.run(watch())
