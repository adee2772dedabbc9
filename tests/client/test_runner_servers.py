"""``run`` with servers that fail or say what nobody understands."""

from __future__ import annotations

import socket
import sys

import pytest

import recorded
from client.scripts import (
    AFTER,
    ASK,
    ENDING,
    HEAD,
    LEFT,
    ONE_MOVE,
    First,
    lines,
    one_line,
    played,
    result,
)
from spielleiter.client import Bot, Exit, run_match
from spielleiter.games import get_game
from spielleiter.testing import ScriptedServer, close, expect, expect_end, script_of, send

pytestmark = pytest.mark.usefixtures("own_environment")


def test_no_server(capsys):
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    code = run_match(First, ["-p", str(port), "-h", "127.0.0.1", "--connect-seconds", "0.01"])
    assert code == Exit.NO_SERVER
    assert f"no server answers at 127.0.0.1:{port}" in one_line(capsys)


def test_no_host(capsys):
    assert (
        run_match(First, ["-h", "nowhere.invalid", "--connect-seconds", "0.01"]) == Exit.NO_SERVER
    )
    assert "nowhere.invalid" in one_line(capsys)


REFUSALS = {
    "reservation": (
        ["-r", "nope"],
        "joinPrepared",
        "unknown-reservation",
        "does not take the reservation code 'nope'",
    ),
    "room": (["--room", "nope"], "joinRoom", "room-unknown", "no seat for us in room 'nope'"),
    "game": (
        ["--game", "blokus-2021"],
        "join",
        "unknown-game",
        "does not let us join swc_2021_blokus",
    ),
}


@pytest.mark.parametrize("version", ["18.2.6", "21.0.3", "21.4.0", "27.0.4"])
@pytest.mark.parametrize("kind", REFUSALS)
def test_refused(version, kind, capsys):
    argv, join, recording, words = REFUSALS[kind]
    text = recorded.text(version, "lobby-errors", recording, "server")
    script = [
        expect(join),
        send(text.removesuffix("\n</protocol>").removesuffix("<protocol/>")),
        close(orderly=False),
    ]
    code, _ = played(First, script, *argv)
    assert code == Exit.REFUSED
    assert words in one_line(capsys)


def test_what_a_server_says_steers_no_terminal(capsys):
    said = '<protocol><errorpacket message="go\x9b2J \u202eaway&#xa;now"/></protocol>'
    code, _ = played(First, [expect("join"), send(said), close(orderly=False)])
    assert code == Exit.REFUSED
    assert "It says: go \ufffdaway now" in one_line(capsys)


def test_what_a_bot_is_called_steers_no_terminal(monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_NAME", "a\x1b[31mb\nc\u202e\udcff")
    assert run_match(First, ["--verify"]) == Exit.OK
    assert lines(capsys) == "ab c\ufffd\ufffd: is ready to play\n"


def test_help_of_an_oddly_named_file(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["odd\x1b[31m\udcff.py"])
    assert run_match(First, ["--help"]) == Exit.OK
    assert "python odd\ufffd.py -h localhost" in capsys.readouterr().out


def test_server_gone(capsys):
    code, _ = played(First, [*ONE_MOVE, close(orderly=False)])
    assert code == Exit.SERVER_GONE
    assert "went away in turn 0, before the game was over" in one_line(capsys)


def test_server_gone_before_the_game(capsys):
    code, _ = played(First, [expect("join"), send(HEAD), close()])
    assert code == Exit.SERVER_GONE
    assert "before the game began" in one_line(capsys)


UNKNOWN = (
    '\n<room roomId="r"><data class="memento"><state '
    'class="sc.plugin2031.GameState"/></data></room>'
)
BROKEN = '\n<room roomId="r"><data class="memento"><state turn="x"/></data></room>'


@pytest.mark.parametrize("argv", [[], ["-r", "c"]])
def test_a_game_that_nobody_knows_is_left_at_once(argv, capsys):
    script = [
        expect("joinPrepared" if argv else "join"),
        send(HEAD + UNKNOWN),
        expect_end(),
        close(),
    ]
    code, _ = played(First, script, *argv)
    assert code == Exit.OTHER_GAME
    said = one_line(capsys)
    assert said.startswith(
        "First: this room plays a game that nobody here knows (sc.plugin2031.GameState), "
    )
    assert "blokus-2027" in said


def test_a_request_for_a_move_in_an_unreadable_position_is_answered_by_leaving(capsys):
    code, server = played(First, [*ONE_MOVE, send(BROKEN + ASK), expect_end(), close()])
    assert code == Exit.OTHER_GAME
    bad, leaves = lines(capsys).splitlines()
    assert bad.startswith("First: !!! the server sent a position that cannot be read: ")
    assert leaves.startswith(
        "First: the server asks for a move in a position that we cannot read, and so we leave."
    )
    assert server.end.orderly


def test_an_unreadable_position_alone_is_survived(capsys):
    code, _ = played(First, [*ONE_MOVE, send(BROKEN), *ENDING])
    assert code == Exit.OK
    assert "the server says" not in lines(capsys)


def test_an_unreadable_result(capsys):
    bad = '\n<room roomId="r"><data class="result"/></room>'
    code, _ = played(First, [*ONE_MOVE, send(bad + LEFT), expect_end(), close()])
    assert code == Exit.SERVER_GONE
    assert (
        lines(capsys).splitlines()[-1] == "First: the game ended without a result that can be read"
    )


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (
            ["--game", "blokus-2021"],
            " of Blokus 2021; there are: 2021-newest, 2021-older, 2021-oldest.",
        ),
        (
            ["-r", "c"],
            "; there are: 2027, 2021-newest, 2021-older, 2021-oldest, 2018, 2018-documented.",
        ),
    ],
)
def test_an_unknown_revision(argv, words, capsys):
    assert run_match(First, [*argv, "--revision", "foo"]) == Exit.USAGE
    assert f"there is no revision 'foo'{words}" in one_line(capsys)


def test_many_long_hints_are_cut_and_said_once(capsys):
    class Talkative(First):
        def choose(self, state, clock):
            for number in range(100):
                self.hint(f"{number} " * 1000)
            return super().choose(state, clock)

    hare = get_game("hase-und-igel-2018")
    text = recorded.text("18.2.6", "prepared-full-game-1", "two", "server")
    code, server = played(
        Talkative, script_of(text, join="joinPrepared"), "-r", "c", "--debug", "--game", hare.id
    )
    assert code == Exit.OK
    sent = [element.find("data") for element in server.received if element.tag == "room"]
    assert {sum(child.tag == "hint" for child in data.children) for data in sent} == {20}
    assert lines(capsys).count("hints are cut: 20 with a move, 500 characters each") == 1


def test_server_that_is_none(capsys):
    code, _ = played(
        First, [expect("join"), send("HTTP/1.1 400 Bad Request\r\n\r\n"), close(orderly=False)]
    )
    assert code == Exit.REFUSED
    assert "unreadable" in one_line(capsys)


def test_cancelled(capsys):
    code, _ = played(First, [*ONE_MOVE, send(LEFT), expect_end(), close()])
    assert code == Exit.SERVER_GONE
    assert "cancelled" in one_line(capsys)


def test_the_game_may_end_while_the_bot_thinks(capsys):
    class Slow(Bot):
        def choose(self, state, clock):
            server.wait()  # which has said everything by then
            return state.legal_moves()[0]

    with ScriptedServer([*ONE_MOVE[:2], send(result(AFTER) + LEFT), close()]) as server:
        assert run_match(Slow, server.address) == Exit.OK
    assert [element.tag for element in server.received] == ["join"]
