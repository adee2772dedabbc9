"""A player's socket: times are right, what waits has a limit, a vanished server is noticed."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
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

PATIENCE = 60.0


@pytest.fixture
def ends() -> Iterator[tuple[ServerLink, socket.socket]]:
    """Return a connection, and the server's end of it."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(PATIENCE)
        yield ServerLink(ours), theirs


def reader() -> threading.Thread:
    return next(thread for thread in threading.enumerate() if thread.name == "spielleiter reader")


def flood(sock: socket.socket) -> None:
    """Send until nobody can receive it any more."""
    with contextlib.suppress(OSError):
        while True:
            sock.sendall(b"x" * 100_000)


def test_what_comes_is_handed_out_with_its_time(ends: tuple[ServerLink, socket.socket]) -> None:
    connection, server = ends
    assert connection.receive(0.0) is None
    began = time.perf_counter()
    server.sendall(b"one")
    arrival = connection.receive()
    assert arrival is not None
    assert arrival.data == b"one"
    assert began < arrival.at <= time.perf_counter()


def test_the_end_is_told_once(ends: tuple[ServerLink, socket.socket]) -> None:
    """Whoever takes everything that is there must come to an end."""
    connection, server = ends
    server.sendall(b"one")
    server.close()
    found = []
    while (arrival := connection.receive(0.0)) is not None:
        found.append(arrival.data)
    assert found == [b"one", b""]


def test_the_time_is_right_while_nobody_waits(ends: tuple[ServerLink, socket.socket]) -> None:
    connection, server = ends
    with connection.reading():
        thread = reader()
        server.sendall(b"one")
        server.shutdown(socket.SHUT_WR)
        thread.join(PATIENCE)  # it ends with the connection
        came = time.perf_counter()
    found = [connection.receive(), connection.receive(), connection.receive(0.0)]
    assert [arrival and arrival.data for arrival in found] == [b"one", b"", None]
    assert all(arrival.at < came for arrival in found if arrival is not None)


def test_what_nobody_waited_for_comes_in_order(ends: tuple[ServerLink, socket.socket]) -> None:
    connection, server = ends
    for number in range(3):
        with connection.reading():
            server.sendall(b"%d" % number)
        server.sendall(b"!")
    data = b""
    while len(data) < 6:
        arrival = connection.receive(PATIENCE)
        assert arrival is not None
        data += arrival.data
    assert data == b"0!1!2!"


def test_a_server_that_floods_has_to_wait(ends: tuple[ServerLink, socket.socket]) -> None:
    connection, server = ends
    flooding = threading.Thread(target=flood, args=(server,), daemon=True)
    flooding.start()
    with connection.reading():
        thread = reader()
        thread.join(PATIENCE)
        assert not thread.is_alive()
    assert len(connection._waiting) == MOST_WAITING
    assert sum(len(arrival.data) for arrival in connection._waiting) <= 4 * 1024 * 1024
    connection.close(b"")
    flooding.join(PATIENCE)
    assert not flooding.is_alive()


def test_a_goodbye_arrives_also_where_something_was_not_read(
    ends: tuple[ServerLink, socket.socket],
) -> None:
    connection, server = ends
    server.sendall(b"x" * 1000)
    server.shutdown(socket.SHUT_WR)
    connection.close(b"goodbye")
    assert server.recv(100) == b"goodbye"
    assert server.recv(100) == b""


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
