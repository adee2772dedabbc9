"""A player on a real socket who does not read, while more is sent than the buffers hold."""

from __future__ import annotations

import asyncio
import socket

from spielleiter.server import Server, Settings

PATIENCE = 20.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""
SMALL = 2048
"""Bytes of the buffers of the player who does not read."""
JOIN = b'<join gameType="swc_2021_blokus"/>'
MANY_ANSWERS = b'<observe roomId="nowhere"/>' * 200


async def opponent_of_who_does_not_read(settings: Settings) -> str:
    """What the second player of a match hears whose first player reads nothing."""
    server = Server(settings)
    await server.start()
    deaf = socket.socket()
    try:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        deaf.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(deaf, ("127.0.0.1", server.port))
        await loop.sock_sendall(deaf, b'<protocol><authenticate password="p"/>')
        while not any(connection.is_admin for connection in server.admission.connections):
            await asyncio.sleep(0)
        (connection,) = server.admission.connections
        assert connection._transport is not None
        connection._transport.get_extra_info("socket").setsockopt(
            socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL
        )
        await loop.sock_sendall(deaf, MANY_ANSWERS + JOIN)
        while not server.lobby.rooms:
            await asyncio.sleep(0)
        assert connection.clogged_at is not None
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
        writer.write(b"<protocol>" + JOIN)
        heard = await reader.readuntil(b'class="result"')
        heard += await reader.readuntil(b"</room>")
        assert connection.clogged_at is not None, "it has not read to the end"
        writer.close()
        return heard.decode()
    finally:
        deaf.close()
        await server.stop()


def test_unread_output_is_no_excuse() -> None:  # W17
    settings = Settings(host="127.0.0.1", port=0, password="p", soft_timeout=0.1, hard_timeout=0.2)
    heard = asyncio.run(asyncio.wait_for(opponent_of_who_does_not_read(settings), PATIENCE))
    assert 'cause="HARD_TIMEOUT"' in heard
