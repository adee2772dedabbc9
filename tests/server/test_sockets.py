"""The sockets a server listens on."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from spielleiter.server import ServerError
from spielleiter.server.sockets import OWN_FILES, allow_many_files, listen, most_connections


@contextmanager
def opened(host: str | None, port: int = 0) -> Iterator[list[socket.socket]]:
    sockets = listen(host, port)
    try:
        yield sockets
    finally:
        for sock in sockets:
            sock.close()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
def test_all_sockets_have_one_port(host: str) -> None:
    with opened(host) as sockets:
        assert len({sock.getsockname()[1] for sock in sockets}) == 1
        assert sockets[0].getsockname()[0] == "127.0.0.1"


def test_a_port_that_is_taken_is_said_with_what_to_do() -> None:
    with opened("127.0.0.1") as (first,):
        first.listen()
        port = first.getsockname()[1]
        with pytest.raises(ServerError, match=f"cannot listen on 127.0.0.1:{port}: .*--port"):
            listen("127.0.0.1", port)


def test_a_name_that_cannot_be_one_is_said() -> None:
    name = "a" * 64 + ".example"
    with pytest.raises(ServerError, match=r"cannot listen on 'aaa.*not the name of a computer"):
        listen(name, 0)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit of open files")
def test_some_files_are_left_for_ourselves() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, before[1]))
        assert most_connections() == 256 - OWN_FILES
        allow_many_files()
        assert most_connections() > 256 - OWN_FILES
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)
