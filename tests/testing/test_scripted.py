"""The scripted server follows its script, and says where a peer did not."""

from __future__ import annotations

import socket

import pytest

from spielleiter.testing import (
    ScriptedServer,
    ScriptFailed,
    close,
    expect,
    expect_end,
    script_of,
    send,
)


def talk(server: ScriptedServer, *said: bytes) -> bytes:
    """Say all of it at once, then listen to the end."""
    with socket.create_connection((server.host, server.port), timeout=30) as sock:
        sock.sendall(b"".join(said))
        sock.shutdown(socket.SHUT_WR)
        heard = b""
        while data := sock.recv(4096):
            heard += data
        return heard


def test_a_script_is_followed():
    script = [
        expect("join", lambda element: element.get("gameType") == "x"),
        send("<protocol>"),
        send(b"<a/>"),
        close(),
    ]
    with ScriptedServer(script) as server:
        assert talk(server, b'<protocol><join gameType="x"/>') == b"<protocol><a/>\n</protocol>"
        server.wait()
    assert [element.tag for element in server.received] == ["join"]
    assert server.address == ["--host", "127.0.0.1", "--port", str(server.port)]


def test_the_end_of_the_peer_is_noted():
    for goodbye, orderly in ((b"</protocol>", True), (b"", False)):
        with ScriptedServer([expect_end(), close(orderly=False)]) as server:
            assert talk(server, b"<protocol><a/><b/>", goodbye) == b""
            server.wait()
        assert server.end.orderly == orderly
        assert len(server.received) == 2


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (b'<protocol><leave roomId="1"/>', 'step 1: expected <join>, got <leave roomId="1">'),
        (b"<protocol><join/>", "step 1: expected <join>, got <join>"),
        (b"<protocol>", "step 1: expected <join>, but the peer went away"),
        (b"GET /", "unreadable"),
    ],
)
def test_what_differs_is_said(said, words):
    with ScriptedServer(
        [expect("join", lambda element: element.get("gameType") is not None)]
    ) as server:
        talk(server, said)
        with pytest.raises(ScriptFailed, match=words):
            server.wait()


def test_nobody_comes():
    with (
        ScriptedServer([], patience=0.01) as server,
        pytest.raises(ScriptFailed, match="nobody connected"),
    ):
        server.wait()


def test_leaving_does_not_wait_for_anybody():
    with ScriptedServer([], patience=3600):
        pass


def test_leaving_breaks_off_the_script():
    server = ScriptedServer([send("hello"), expect("join")], patience=3600)
    with socket.socket() as sock:
        with server:
            sock.connect((server.host, server.port))
            assert sock.recv(5) == b"hello"
        assert sock.recv(1) == b""


def test_a_silent_peer_fails_the_script():
    server = ScriptedServer([expect("join")], patience=0.01)
    with socket.create_connection((server.host, server.port)) as sock, server:
        assert sock.recv(1) == b""  # the script has given up
        with pytest.raises(ScriptFailed, match=r"nothing came for 0\.01 s; so far came nothing"):
            server.wait()


def test_recordings_become_scripts():
    ask = '<room roomId="r"><data class="moveRequest"/></room>'
    old = ask.replace("moveRequest", "sc.framework.plugins.protocol.MoveRequest")
    recorded = f"<protocol><joined/>{ask}<x/>{old}<left/>"
    assert script_of(recorded, join="joinPrepared") == [
        expect("joinPrepared"),
        send(f"<protocol><joined/>{ask}"),
        expect("room"),
        send(f"<x/>{old}"),
        expect("room"),
        send("<left/>"),
    ]
