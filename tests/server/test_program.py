"""The server as people run it, with real sockets, signals and clients that misbehave."""

from __future__ import annotations

import gzip
import json
import signal
import socket
import struct
import sys
import threading
from pathlib import Path

import pytest

import children
from server.program import PATIENCE, Client, Program, kind, running
from spielleiter.keepalive import notice_dead_peer
from spielleiter.replays import read_replay
from spielleiter.replays.verification import verify
from spielleiter.rules import Cause

JOIN_27 = '<protocol><join gameType="swc_2027_blokus"/>'
JOIN_18 = '<protocol><join gameType="swc_2018_hase_und_igel"/>'
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="signals as Unix has them")


def play_both(program: Program, opening: str, game_id: str) -> list[str]:
    """Play a whole game between two obedient clients, and return both results' first score."""
    clients = [program.client(opening) for _ in range(2)]
    results: list[str] = []
    threads = [
        threading.Thread(target=lambda client=client: results.append(kind(client.play(game_id))))
        for client in clients
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    for client in clients:
        client.close()
    return results


def test_one_line_when_it_listens_and_nothing_else_on_stdout(tmp_path: Path) -> None:
    with running(tmp_path) as program:
        assert program.first_line.startswith("Spielleiter ")
        assert f"localhost:{program.port}" in program.first_line
        program.process.terminate()
        assert program.process.stdout is not None
        assert program.process.stdout.read() == ""
        assert program.process.wait(20) == 0


@pytest.mark.parametrize(
    ("opening", "game_id"), [(JOIN_27, "blokus-2027"), (JOIN_18, "hase-und-igel-2018")]
)
def test_whole_games_with_replays_that_verify(tmp_path: Path, opening: str, game_id: str) -> None:
    with running(tmp_path, "--save-replays", "kept", "--gzip") as program:
        assert play_both(program, opening, game_id) == ["result", "result"]
        assert play_both(program, opening, game_id) == ["result", "result"]
        assert program.end() == 0
    files = sorted((tmp_path / "kept").iterdir())
    assert len(files) == 2, "two games in the same second under the same names are two files"
    for file in files:
        assert file.suffixes[-2:] == [".xml", ".gz"]
        checked = verify(read_replay(file))
        assert checked.differences == ()


@on_unix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_games_with_a_result_and_complete_replays(
    tmp_path: Path, number: int
) -> None:
    with running(tmp_path, "--save-replays", "kept") as program:
        one = program.client(JOIN_27)
        one.wait_for("joined")
        two = program.client(JOIN_27)
        one.answer(one.wait_for("moveRequest"), "blokus-2027")
        two.wait_for("moveRequest")
        program.process.send_signal(number)
        assert two.wait_for("result").find("data") is not None
        assert two.all_it_said().rstrip().endswith(b"</protocol>")
        one.close()
        two.close()
        assert program.process.wait(20) == 0
    (file,) = (tmp_path / "kept").iterdir()
    game = read_replay(file)
    assert len(game.positions) == 2, "the signal came after the first move"
    assert game.outcome is not None
    assert {seat.cause for seat in game.outcome.seats} == {Cause.REGULAR}, (
        "nobody lost on time before it"
    )
    text = file.read_text("utf-8")
    assert text.startswith("<protocol>\n<room ")
    assert text.endswith("</protocol>")
    assert 'class="result"' in text


@on_unix
def test_a_stopped_server_costs_no_player_time(tmp_path: Path) -> None:  # W17
    with running(tmp_path, "--soft-timeout", "2", "--hard-timeout", "2.5") as program:
        one, two = program.client(JOIN_27), program.client(JOIN_27)
        request = one.wait_for("moveRequest")
        program.process.send_signal(signal.SIGSTOP)
        move = one.first_move(request, "blokus-2027")
        one.socket.settimeout(3.0)
        with pytest.raises(TimeoutError):  # nothing comes from a stopped server
            one.next()
        one.socket.settimeout(PATIENCE)
        program.process.send_signal(signal.SIGCONT)
        one.say(move)
        assert kind(one.next() or request) == "memento"
        two.wait_for("moveRequest")


def test_settings_from_server_properties_in_the_folder(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text("password = geheim\npaused = true\n")
    with running(tmp_path) as program:
        admin = program.client(
            '<protocol><authenticate password="geheim"/><testMode testMode="true"/>'
        )
        assert admin.wait_for("testing").get("testMode") == "true"
        one, two = program.client(JOIN_27), program.client(JOIN_27)
        two.wait_for("welcomeMessage")
        admin.say(f'<step roomId="{admin.wait_for("joinedGameRoom").get("roomId")}"/>')
        one.wait_for("moveRequest")


def test_start_from_a_turn_of_a_replay(tmp_path: Path) -> None:
    with running(tmp_path, "--save-replays", "kept") as program:
        play_both(program, JOIN_18, "hase-und-igel-2018")
        program.end()
    (file,) = (tmp_path / "kept").iterdir()
    with running(tmp_path, "--load", str(file), "--turn", "11") as program:
        one, two = program.client(JOIN_18), program.client(JOIN_18)
        data = one.wait_for("memento").find("data")
        assert data is not None
        state = data.find("state")
        assert state is not None
        assert state.get("turn") == "11"
        two.wait_for("sc.framework.plugins.protocol.MoveRequest")


def test_a_log_of_json_lines_without_stack_traces(tmp_path: Path) -> None:
    with running(tmp_path, "--log-json") as program:
        dances = b"<protocol>" + b"<dance/>" * 11
        for rubbish in (
            b"\0\0\0",
            b"GET / HTTP/1.1\r\n\r\n",
            dances,
            b"<!DOCTYPE x>",
            b"<a>" * 100,
        ):
            with socket.create_connection(("127.0.0.1", program.port), 20) as client:
                client.sendall(rubbish)
                answer = b""
                while piece := client.recv(4096):
                    answer += piece
            assert b"<errorpacket " in answer
            assert answer.endswith(b"</protocol>")
        program.end()
    events = [json.loads(line) for line in program.log]
    assert sum(event["event"] == "protocol error" for event in events) == 5
    assert sum(event["event"] == "unknown message" for event in events) == 10
    assert not any("Traceback" in line for line in program.log)


def _reset(client: Client) -> None:
    """Close as a crash does, with a reset instead of an orderly end."""
    client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    client.socket.close()


@pytest.mark.parametrize("when", ["at the request", "in the middle of a message"])
def test_a_player_that_crashes_loses_and_the_other_hears_it(tmp_path: Path, when: str) -> None:
    with running(tmp_path) as program:
        one, two = program.client(JOIN_27), program.client(JOIN_27)
        room = one.wait_for("moveRequest").get("roomId")
        if when == "in the middle of a message":
            one.say(f'<room roomId="{room}"><data class="sc.plugin2027.SetMo')
        _reset(one)
        assert "LOST_CONNECTION" in str(two.wait_for("result"))
        two.say("</protocol>")
        assert two.all_it_said().endswith(b"</protocol>")
        assert play_both(program, JOIN_18, "hase-und-igel-2018") == ["result", "result"]


def test_byte_by_byte_is_fine(tmp_path: Path) -> None:
    with running(tmp_path) as program:
        slow = program.client()
        slow.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in JOIN_27.encode():
            slow.socket.sendall(bytes([byte]))
        slow.wait_for("joined")


def test_who_says_nothing_or_never_ends_a_message_is_sent_away(tmp_path: Path) -> None:
    limits = [
        "--limit-first-byte-seconds",
        "0.5",
        "--limit-message-seconds",
        "0.5",
        "--limit-lobby-seconds",
        "1",
    ]
    with running(tmp_path, *limits) as program:
        silent, slow, idle = (
            program.client(),
            program.client("<protocol><join game"),
            program.client("<protocol>"),
        )
        assert b"nothing was said" in silent.all_it_said()
        assert b"not finished" in slow.all_it_said()
        assert b"no game was joined" in idle.all_it_said()


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with running(tmp_path) as program:
        second = pytest.raises(AssertionError, match="cannot listen")
        with second, running(tmp_path, "--port", str(program.port)):
            pass


def test_replay_files_stay_in_their_folder(tmp_path: Path) -> None:
    with running(tmp_path, "--save-replays", "kept") as program:
        admin = program.client('<protocol><authenticate password="examplepassword"/>')
        evil = "../../evil", "C:\\con\0".replace("\0", "")
        admin.say(
            '<prepare gameType="swc_2018_hase_und_igel">'
            + "".join(f'<slot displayName="{name}" canTimeout="false"/>' for name in evil)
            + "</prepare>"
        )
        prepared = admin.wait_for("prepared")
        players = [
            program.client(f'<protocol><joinPrepared reservationCode="{c.text}"/>')
            for c in prepared.children
        ]
        players[1].wait_for("welcomeMessage")
        players[0].close()
        players[1].wait_for("left")
        program.end()
    assert [path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*.xml")] == ["kept"]


def test_gzip_is_really_gzip(tmp_path: Path) -> None:
    with running(tmp_path, "--save-replays", "kept", "--gzip") as program:
        one, two = program.client(JOIN_27), program.client(JOIN_27)
        two.wait_for("memento")
        one.close()
        two.wait_for("left")
        program.end()
    (file,) = (tmp_path / "kept").iterdir()
    assert gzip.decompress(file.read_bytes()).startswith(b"<protocol>")


@pytest.mark.skipif(
    not hasattr(socket, "TCP_USER_TIMEOUT"),
    reason="only Linux notices a vanished peer while sending",
)
def test_the_system_is_asked_to_notice_vanished_peers() -> None:
    """They are noticed within 15 seconds, idle or while sending.

    With a link taken down it took 11.4 and 12.4 seconds.
    """
    with socket.socket() as sock:
        notice_dead_peer(sock, 15.0)
        assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
        idle = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE)
        between = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL)
        probes = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT)
        assert idle + between * probes < 15
        assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) < 15_000


def test_a_prepared_game_starts_from_a_saved_replay(tmp_path: Path) -> None:
    with running(tmp_path, "--save-replays", "kept") as program:
        play_both(program, JOIN_18, "hase-und-igel-2018")
        admin = program.client('<protocol><authenticate password="examplepassword"/>')
        children.wait_until(
            lambda: any((tmp_path / "kept").glob("*.xml"))
        )  # written behind the game
        (file,) = (tmp_path / "kept").iterdir()
        admin.say(
            f'<prepare gameType="swc_2018_hase_und_igel" load="{file.name}" '
            'turn="20"><slot/><slot/></prepare>'
            '<prepare gameType="swc_2018_hase_und_igel" load="nothing.xml"><slot/><slot/></prepare>'
            f'<prepare gameType="swc_2018_hase_und_igel" load="{file.name}" '
            'turn="999"><slot/><slot/></prepare>'
        )
        codes = [child.text for child in admin.wait_for("prepared").children]
        assert "no file" in (admin.wait_for("errorpacket").get("message") or "")
        assert "999" in (admin.wait_for("errorpacket").get("message") or "")
        one, _ = (
            program.client(f'<protocol><joinPrepared reservationCode="{code}"/>') for code in codes
        )
        data = one.wait_for("memento").find("data")
        assert data is not None
        state = data.find("state")
        assert state is not None
        assert state.get("turn") == "20"


def test_the_replay_knows_how_long_each_move_took(tmp_path: Path) -> None:
    with running(tmp_path, "--save-replays", "kept") as program:
        play_both(program, JOIN_18, "hase-und-igel-2018")
        program.end()
    (file,) = (tmp_path / "kept").iterdir()
    first, *others = read_replay(file).positions
    assert first.seconds is None
    assert all(position.seconds is not None and 0 <= position.seconds < 2 for position in others)


@on_unix
def test_whole_games_on_the_faster_loop(tmp_path: Path) -> None:
    with running(tmp_path, "--uvloop") as program:
        assert play_both(program, JOIN_27, "blokus-2027") == ["result", "result"]
        one, two = program.client(JOIN_18), program.client(JOIN_18)
        one.wait_for("sc.framework.plugins.protocol.MoveRequest")
        one.close()
        assert "LEFT" in str(two.wait_for("result"))
        assert program.end() == 0
