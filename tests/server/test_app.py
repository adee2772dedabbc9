"""A server as a whole starts and ends, and everybody hears it."""

from __future__ import annotations

import asyncio

import pytest

from server.stage import Stage
from server.test_lobby import HARE, join, tags
from spielleiter.server import Server, ServerError, Settings

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""


def test_who_is_there_when_the_server_ends_is_told_and_nobody_comes_in_then() -> None:
    async def main() -> bytes:
        server = Server(Settings(host="127.0.0.1", port=0))
        await server.start()
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"<protocol><join/>")
        await reader.readuntil(b"<joined")
        stopping = asyncio.create_task(server.stop())
        heard = await reader.read()
        writer.close()
        await stopping
        assert not server.admission.connections
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection("127.0.0.1", server.port)
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), PATIENCE))
    assert b"<left" in heard
    assert heard.rstrip().endswith(b"</protocol>")


def test_who_follows_the_feed_comes_to_an_end_with_the_server() -> None:
    async def main() -> list[str]:
        server = Server(Settings(host="127.0.0.1", port=0))
        await server.start()

        async def follow() -> list[str]:
            with server.feed.follow() as events:
                return [type(event).__name__ async for event in events]

        following = asyncio.create_task(follow())
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"<protocol><join/>")
        await reader.readuntil(b"<joined")
        await server.stop()
        writer.close()
        return await following

    heard = asyncio.run(asyncio.wait_for(main(), PATIENCE))
    assert heard[0] == "RoomOpened"
    assert heard[-1] == "RoomClosed"


def test_a_port_that_is_taken_is_an_error_with_a_sentence() -> None:
    async def main() -> None:
        first = Server(Settings(host="127.0.0.1", port=0))
        await first.start()
        try:
            with pytest.raises(ServerError, match="Is another server running there"):
                await Server(Settings(host="127.0.0.1", port=first.port)).start()
        finally:
            await first.stop()

    asyncio.run(asyncio.wait_for(main(), PATIENCE))


def test_a_closing_server_gives_every_game_a_result() -> None:
    stage = Stage()
    players, waiting = [join(stage), join(stage)], join(stage, HARE)
    stage.server.lobby.close()
    stage.server.outbox.flush()
    assert tags(players[1])[-2:] == ["result", "left"]
    assert tags(waiting)[-1] == "left"
