"""``run`` as a bot's file calls it: whole games on recorded traffic, and everything that goes
wrong.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

import recorded
from spielleiter.client import Bot, Exit, run_match
from spielleiter.client.environment import GAME as GAME_VARIABLE
from spielleiter.games import all_games, get_game
from spielleiter.testing import ScriptedServer, close, expect, expect_end, script_of, send

HEAD = (
    '<protocol>\n  <joined roomId="r"/>\n  <room roomId="r">\n    <data '
    'class="welcomeMessage" color="ONE"/>\n  </room>'
)
ASK = '\n  <room roomId="r">\n    <data class="moveRequest"/>\n  </room>'
LEFT = '\n  <left roomId="r"/>'
GAME = get_game("blokus-2027")
CODEC = GAME.codecs["2027"]


def memento(state) -> str:
    return (
        '\n<room roomId="r"><data '
        f'class="memento">{CODEC.encode_state(state, ("", ""))}</data></room>'
    )


def result(state) -> str:
    return f'\n<room roomId="r">{CODEC.encode_outcome(state.outcome(), state, ("a", "b"))}</room>'


START = GAME.start(1)
AFTER = START.play(START.legal_moves()[0])
ONE_MOVE = [expect("join"), send(HEAD + memento(START) + ASK), expect("room")]
"""A game in which one move is asked for."""
ENDING = [send(memento(AFTER) + result(AFTER) + LEFT), expect_end(), close()]


class First(Bot):
    """Plays the first legal move."""

    def choose(self, state, clock):
        return state.legal_moves()[0]


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch):
    for name in [name for name in os.environ if name.startswith("SPIELLEITER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(GAME_VARIABLE, GAME.id)  # most scripts here are of that season


def played(bot, script, *argv: str) -> tuple[int, ScriptedServer]:
    with ScriptedServer(script) as server:
        code = run_match(bot, [*server.address, *argv])
        server.wait()
    return code, server


def lines(capsys) -> str:
    return capsys.readouterr().err


# --- whole games, as separate processes -----------------------------------------------------------

BOT = """
from spielleiter import Bot, run

class MyBot(Bot):
    def choose(self, state, clock):
        assert 0 < clock.remaining <= 60
        return self.rng.choice(state.legal_moves())

run(MyBot)
"""
FULL_GAMES = [
    ("18.2.6", "prepared-full-game-1", "two", "joinPrepared"),
    ("21.1.0", "full-game", "one", "join"),
    ("21.2.1", "full-game", "one", "joinPrepared"),
    ("21.3.1", "full-game", "one", "join"),
    ("21.3.3", "full-game", "one", "joinPrepared"),
    ("21.4.0", "join-full-game", "two", "join"),
    ("27.0.4", "join-full-game", "one", "join"),
    ("27.0.4", "prepared-paused-step", "two", "joinPrepared"),
]


def start(folder: Path, source: str, *argv: str, **environment: str) -> subprocess.Popen[str]:
    file = folder / "mybot.py"
    file.write_text(textwrap.dedent(source))
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith("SPIELLEITER_")
    }
    kept[GAME_VARIABLE] = GAME.id
    return subprocess.Popen(
        [sys.executable, str(file), *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=folder,
        env=kept | environment,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    try:
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize(("version", "scenario", "connection", "join"), FULL_GAMES)
def test_a_bot_in_six_lines_plays_recorded_games(tmp_path, version, scenario, connection, join):
    text = recorded.text(version, scenario, connection, "server")
    script = [*script_of(text.removesuffix("\n</protocol>"), join=join), expect_end(), close()]
    argv = ["-r", "a-code"] if join == "joinPrepared" else ["--game", "blokus-20" + version[:2]]
    with ScriptedServer(script) as server:
        bot = start(tmp_path, BOT, *argv, *server.address, SPIELLEITER_MOVE_SECONDS="60")
        code, out, err = finish(bot)
        server.wait()
    assert (code, out) == (Exit.OK, ""), err
    assert len(err.splitlines()) == 1
    assert err.startswith(("MyBot: won, ", "MyBot: lost, ", "MyBot: draw, "))
    requests = sum(step == expect("room") for step in script)
    assert sum(element.tag == "room" for element in server.received) == requests > 5
    assert server.end.orderly


def test_a_plain_function_plays(tmp_path):
    source = "from spielleiter import run\nrun(lambda state: state.legal_moves()[0])"
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        code, _, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert code == 0, err


def test_printing_ten_megabytes_harms_nobody(tmp_path):
    source = BOT.replace("assert 0", "print('x' * 10_000_000); assert 0")
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        code, out, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert (code, len(out)) == (0, 10_000_001), err


def test_what_is_printed_is_there_even_if_the_bot_fails(tmp_path):
    source = BOT.replace("assert 0", "print('thinking'); raise KeyError(7); assert 0")
    with ScriptedServer([*ONE_MOVE[:2], expect_end(), close()]) as server:
        code, out, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert (code, out) == (Exit.BOT_FAILED, "thinking\n")
    assert 'mybot.py", line 6, in choose' in err
    assert "client" not in err  # none of our own frames
    assert "KeyError: 7" in err
    assert "leaves the game" in err


def test_asyncio_of_its_own_works(tmp_path):
    source = """
    import asyncio
    from spielleiter import Bot, run

    class MyBot(Bot):
        async def on_start(self, state):
            self.lock = asyncio.Lock()
            self.loop = asyncio.get_running_loop()

        async def choose(self, state, clock):
            assert asyncio.get_running_loop() is self.loop
            async with self.lock:
                return await asyncio.to_thread(lambda: state.legal_moves()[0])

    run(MyBot)
    """
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        code, _, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert code == 0, err


def test_threads_of_its_own_work_and_do_not_keep_the_process_alive(tmp_path):
    source = """
    import threading
    from concurrent.futures import ThreadPoolExecutor
    import spielleiter.client.runner as running
    from spielleiter import Bot, run

    running._EXIT_SECONDS = 0.1

    class MyBot(Bot):
        def on_start(self, state):
            self.pool = ThreadPoolExecutor(2)
            threading.Thread(target=threading.Event().wait).start()

        def choose(self, state, clock):
            return self.pool.submit(lambda: state.legal_moves()[0]).result()

    run(MyBot)
    """
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        code, _, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert code == 0, err
    assert "still runs" in err


@pytest.mark.skipif(sys.platform == "win32", reason="needs a signal")
@pytest.mark.parametrize("where", ["waiting", "thinking"])
def test_ctrl_c_says_goodbye(tmp_path, where):
    # A loop, because Python notices a signal at once in a loop only: one that comes between the
    # last look for signals and a long sleep is noticed when the sleep is over.
    source = BOT.replace(
        "assert 0", "print('thinking', flush=True)\n        while True: pass\n        assert 0"
    )
    source = source.replace(
        "    def choose",
        "    def on_start(self, state): print('started', flush=True)\n    def choose",
    )
    asked = ASK if where == "thinking" else ""
    with ScriptedServer(
        [expect("join"), send(HEAD + memento(START) + asked), expect_end(), close()]
    ) as server:
        process = start(tmp_path, source, *server.address)
        assert process.stdout.readline() == "started\n"
        if asked:
            assert process.stdout.readline() == "thinking\n"
        process.send_signal(signal.SIGINT)
        code, _, err = finish(process)
        server.wait()
    assert (code, err) == (Exit.INTERRUPTED, "MyBot: interrupted\n")
    assert server.end.orderly


def test_a_bot_that_exits_by_itself_keeps_its_exit_code(tmp_path):
    source = BOT.replace("assert 0", "raise SystemExit(7); assert 0")
    with ScriptedServer([*ONE_MOVE[:2], expect_end(), close()]) as server:
        code, _, err = finish(start(tmp_path, source, *server.address))
        server.wait()
    assert code == 7
    assert "ended itself" in err
    assert server.end.orderly


def test_importing_does_not_play(tmp_path):
    assert finish(start(tmp_path, BOT, SPIELLEITER_IMPORT_ONLY="1")) == (0, "", "")


def test_verify_and_help(tmp_path):
    assert finish(start(tmp_path, BOT, "--verify")) == (0, "", "MyBot: is ready to play\n")
    code, out, err = finish(start(tmp_path, BOT, "--help"))
    assert (code, err) == (0, "")
    assert "-h HOST" in out
    assert "mybot.py" in out
    assert all(f"  {int(exit_code)} " in out for exit_code in Exit)


# --- bots that fail, in this process --------------------------------------------------------------


class WithFallback(First):
    def fallback(self, state):
        return state.legal_moves()[1]


def broken(base, value=None, error=None):
    class Broken(base):
        def choose(self, state, clock):
            if error is not None:
                raise error
            return value(state) if callable(value) else value

    return Broken


ILLEGAL = AFTER.legal_moves()[-1]  # of the other colour
FAULTS = {
    "raises": ({"error": ValueError("no idea")}, "ValueError: no idea"),
    "returns nothing": ({"value": None}, "None"),
    "returns a number": ({"value": 5}, "5, of type int, is not a move of Blokus 2027"),
    "returns all moves": (
        {"value": lambda state: state.legal_moves()},
        "items in a tuple, not one move; return one of state.legal_moves()",
    ),
    "returns an illegal move": ({"value": ILLEGAL}, "is not legal"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_fallback_saves_the_game(fault, capsys):
    arguments, words = FAULTS[fault]
    code, server = played(broken(WithFallback, **arguments), [*ONE_MOVE, *ENDING])
    said = lines(capsys)
    assert code == Exit.OK, said
    move = CODEC.decode_move(server.received[1].find("data"), START).move
    assert move == START.legal_moves()[1]
    assert words in said
    assert f"!!! playing the fallback move {move}" in said
    assert "in turn 0 (round 1)" in said


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if "illegal" not in fault])
def test_without_a_fallback_the_bot_leaves(fault, capsys):
    arguments, words = FAULTS[fault]
    code, server = played(broken(Bot, **arguments), [*ONE_MOVE[:2], expect_end(), close()])
    said = lines(capsys)
    assert code == Exit.BOT_FAILED
    assert words in said
    assert "fallback(self, state)" in said
    assert [element.tag for element in server.received] == ["join", "close"]


def test_an_illegal_move_without_a_fallback_is_left_to_the_server(capsys):
    error = '\n<room roomId="r"><data class="error" message="Ungueltiger Zug"/></room>'
    script = [*ONE_MOVE, send(error), close()]
    code, server = played(broken(Bot, value=ILLEGAL), script)
    assert code == Exit.BOT_FAILED
    assert CODEC.decode_move(server.received[1].find("data"), START).move == ILLEGAL
    said = lines(capsys)
    assert "[WRONG_COLOR]" in said
    assert "as it is; the server will decide" in said
    assert "the server threw us out: Ungueltiger Zug" in said


@pytest.mark.parametrize("fallback", [None, 5, ZeroDivisionError])
def test_a_fallback_that_fails_is_none(fallback, capsys):
    class Hopeless(broken(Bot, error=ValueError())):
        def fallback(self, state):
            if fallback is ZeroDivisionError:
                return 1 / 0
            return fallback

    code, _ = played(Hopeless, [*ONE_MOVE[:2], expect_end(), close()])
    assert code == Exit.BOT_FAILED
    assert ("fallback" in lines(capsys).split("leaves the game")[0]) == (fallback is not None)


@dataclass(frozen=True)
class Frozen(First):
    depth: int = 3


class OwnPlace(First):
    @property
    def seat(self):
        return "window"


class OwnNew(First):
    def __new__(cls):
        return object.__new__(cls)

    def choose(self, state, clock):
        self.hint("still there")
        return super().choose(state, clock)


def overwriting(**values):
    class Overwriting(First):
        def __init__(self):  # without super().__init__()
            vars(self).update(values)

    return Overwriting


OVERWRITING = {
    "debug": (overwriting(debug=False), ["debug"]),
    "hint": (overwriting(hint="none"), ["hint"]),
    "all": (
        overwriting(
            debug=None, hint=3, rng=4, seat="a", game=[5], take_hints=6, _hints=7, _spielleiter=8
        ),
        ["debug", "hint"],
    ),
    "nothing": (overwriting(), []),
    "frozen": (Frozen, []),
    "property": (OwnPlace, []),
    "new": (OwnNew, ["debug"]),
}


@pytest.mark.parametrize("made", [False, True])
@pytest.mark.parametrize("bot", OVERWRITING)
def test_attributes_of_its_own_cost_no_game(bot, made, capsys):
    kind, off = OVERWRITING[bot]
    code, _ = played(kind() if made else kind, [*ONE_MOVE, *ENDING], "--seed", "1")
    said = lines(capsys).splitlines()
    assert code == Exit.OK, said
    assert [line.split()[1] for line in said if line.endswith("are off")] == off
    assert len(said) == len(off) + 1


def test_a_lost_game_by_time_says_so(capsys):
    from spielleiter.rules import Cause, Text

    outcome = AFTER.outcome().forfeit(
        0, Cause.SOFT_TIMEOUT, Text("a hat fuer die Antwort laenger als 2 Sekunden gebraucht.", "")
    )
    text = f'<room roomId="r">{CODEC.encode_outcome(outcome, AFTER, ("a", "b"))}</room>'
    code, _ = played(First, [*ONE_MOVE, send(text + LEFT), expect_end(), close()])
    assert code == Exit.BOT_FAILED
    said = lines(capsys)
    assert said == "First: !!! First has lost: it took too long for a move (SOFT_TIMEOUT)\n"
    played(First, [*ONE_MOVE, send(text + LEFT), expect_end(), close()], "--debug")
    assert (
        "First: the server says: a hat fuer die Antwort laenger als 2 Sekunden gebraucht.\n"
        in lines(capsys)
    )


def test_a_fault_in_async_code_is_shown_with_the_authors_lines_only(capsys):
    class Later(WithFallback):
        async def choose(self, state, clock):
            return await self.search()

        async def search(self):
            return [][0]

    assert played(Later, [*ONE_MOVE, *ENDING])[0] == Exit.OK
    said = lines(capsys)
    assert "IndexError" in said
    assert said.count("File ") == 2
    assert "return await self.search()" in said


def test_a_move_that_took_too_long_is_said(capsys):
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        assert run_match(First, server.address, move_seconds=1e-9) == Exit.OK
    assert "s are allowed, so the game is probably lost" in lines(capsys)


@pytest.mark.parametrize("version", ["18.2.6", "21.4.0", "27.0.4"])
def test_a_game_lost_by_a_rule(version, capsys):
    scenario = "violation-advance-too-far" if version == "18.2.6" else "violation-first-wrong-piece"
    text = recorded.text(version, scenario, "one", "server")
    assert played(First, script_of(text, join="joinPrepared"), "-r", "c")[0] == Exit.BOT_FAILED
    said = lines(capsys)
    assert "the server says: Ungueltiger Zug von" in said
    assert (
        "threw us out" if version == "18.2.6" else "has lost: it broke a rule (RULE_VIOLATION)"
    ) in said


def test_hooks_are_called_in_order_and_may_fail(capsys):
    seen = []

    class Curious(First):
        def __init__(self):  # no super().__init__() needed
            seen.append(("init", self.seat, self.rng.random()))

        def on_start(self, state):
            seen.append(("start", self.seat, state))
            raise ValueError("early")

        def on_state(self, state):
            seen.append(("state", state))

        def on_result(self, outcome):
            seen.append(("result", outcome.scores))

        def on_error(self, message):
            seen.append(("error", message))

    error = '\n<room roomId="r"><data class="error" message="oops"/></room>'
    code, _ = played(Curious, [*ONE_MOVE, send(error), *ENDING], "--seed", "5")
    assert code == Exit.OK
    rolled = seen.pop(0)[2]
    assert seen == [
        ("start", 0, START),
        ("state", START),
        ("error", "oops"),
        ("state", AFTER),
        ("result", AFTER.outcome().scores),
    ]
    said = lines(capsys)
    assert "Curious.on_start failed: ValueError: early" in said
    assert "in on_start" in said
    played(Curious, [*ONE_MOVE, *ENDING], "--seed", "5")
    assert seen[5][2] == rolled


def test_house_players_and_objects_play(capsys):
    script = [*ONE_MOVE, *ENDING]
    house = GAME.players["greedy"]
    assert played(house, script)[0] == 0
    assert played(house(3), script)[0] == 0
    assert played(First(), script, "--seed", "1")[0] == 0
    names = [line.split(":")[0] for line in lines(capsys).splitlines()]
    assert names == ["GreedyPlayer", "GreedyPlayer", "First"]


def test_a_bot_whose_making_fails(capsys):
    class Sad(First):
        def __init__(self):
            self.table = Path("/no/such/table").read_bytes()

    assert run_match(Sad, []) == Exit.USAGE
    said = lines(capsys)
    assert "in __init__" in said
    assert "FileNotFoundError" in said


@pytest.mark.parametrize("bot", [5, int, object()])
def test_what_is_no_bot(bot, capsys):
    assert run_match(bot, []) == Exit.USAGE
    assert "choose" in lines(capsys)


def test_a_bot_without_choose_says_so(capsys):
    class Empty(Bot):
        pass

    class Wrong(Bot):
        choose = None

    for bot in (Empty, Empty(), Wrong):
        assert run_match(bot, []) == Exit.USAGE
        name = getattr(bot, "__name__", "Empty")
        said = (
            f"{name}: {name} has no method choose(self, state, clock): write one that "
            "returns a move\n"
        )
        assert lines(capsys) == said


def test_choose_may_be_given_to_the_instance():
    class Late(Bot):
        def __init__(self):
            self.choose = First().choose

    assert played(Late, [*ONE_MOVE, *ENDING])[0] == Exit.OK


def test_messages_begin_with_the_name_that_others_use(monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_NAME", "team 7")
    code, _ = played(
        broken(Bot, error=ValueError("no idea")), [*ONE_MOVE[:2], expect_end(), close()]
    )
    assert code == Exit.BOT_FAILED
    said = lines(capsys).splitlines()
    assert all(line.startswith("team 7: ") for line in said)
    assert said[0].startswith("team 7: !!! Broken.choose failed in turn 0")
    assert said[-1].startswith("team 7: team 7 has no move in turn 0")


# --- the last line --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "scenario", "player", "join", "words"),
    [
        (
            "18.2.6",
            "prepared-full-game-1",
            "two",
            "joinPrepared",
            "The round limit has been reached.",
        ),
        ("27.0.4", "join-full-game", "one", "join", "No colour can place another piece."),
        ("21.4.0", "join-full-game", "two", "join", ""),
    ],
)
def test_how_a_game_ended_is_said_in_english(version, scenario, player, join, words, capsys):
    text = recorded.text(version, scenario, player, "server")
    argv = (
        ["-r", "c"]
        if join == "joinPrepared"
        else ["--game", "blokus-2021" if version < "27" else "blokus-2027"]
    )
    assert played(First, script_of(text, join=join), *argv)[0] == Exit.OK
    said = lines(capsys)
    assert said.startswith(("First: won, ", "First: lost, ", "First: draw, "))
    assert words in said
    assert not re.search(r"\b(hat|Punkte|Feldnummer|Spiel)\b", said)
    assert ("field " in said and ", carrots " in said) == (version == "18.2.6")


# --- servers that fail ----------------------------------------------------------------------------


def one_line(capsys) -> str:
    said = lines(capsys)
    assert said.count("\n") == 1
    return said


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


@pytest.mark.parametrize(("said", "code"), [("blokus-2027", Exit.OTHER_GAME), (None, Exit.OK)])
def test_a_room_of_another_game(said, code, capsys):
    class Choosy(First):
        game = said

    text = recorded.text("18.2.6", "prepared-full-game-1", "two", "server")
    script = script_of(text, join="joinPrepared")
    if code is Exit.OTHER_GAME:
        script = [script[0], script[1], expect_end(), close()]
    assert played(Choosy, script, "-r", "c")[0] == code
    spoken = one_line(capsys)
    assert ("this room plays Hase und Igel 2018, but Choosy is for Blokus 2027" in spoken) == (
        code != Exit.OK
    )


def test_a_room_of_another_season_is_played(capsys):
    class Choosy(First):
        game = "blokus-2027"

    text = recorded.text("21.4.0", "join-full-game", "one", "server")
    assert played(Choosy, script_of(text, join="joinPrepared"), "-r", "c")[0] == Exit.OK
    assert "this room plays Blokus 2021, not Blokus 2027: playing on by its rules" in lines(capsys)


REFUSED = [expect("join"), send("<protocol>"), close()]


class Of2027(First):
    game = "blokus-2027"


class OfNothing(First):
    game = "chess"


@pytest.mark.parametrize(
    ("bot", "argv", "variable", "asked_for"),
    [
        (First, [], None, "swc_2021_blokus"),
        (First, [], "", "swc_2021_blokus"),
        (First, [], "hase-und-igel-2018", "swc_2018_hase_und_igel"),
        (First, [], " swc_2027_blokus ", "swc_2027_blokus"),
        (Of2027, [], None, "swc_2027_blokus"),
        (Of2027, [], "hase-und-igel-2018", "swc_2027_blokus"),
        (Of2027, [], "chess", "swc_2027_blokus"),
        (Of2027, ["--game", "hase-und-igel-2018"], "blokus-2021", "swc_2018_hase_und_igel"),
    ],
)
def test_flag_before_bot_before_environment_before_default(
    bot, argv, variable, asked_for, monkeypatch
):  # W118
    monkeypatch.delenv(GAME_VARIABLE)
    if variable is not None:
        monkeypatch.setenv(GAME_VARIABLE, variable)
    code, server = played(bot, REFUSED, *argv)
    assert (code, server.received[0].get("gameType")) == (Exit.REFUSED, asked_for)


@pytest.mark.parametrize("source", ["SPIELLEITER_GAME", "OfNothing.game"])
def test_a_game_that_is_not_there_is_said_with_its_place(source, monkeypatch, capsys):
    monkeypatch.setenv(GAME_VARIABLE, "chess")
    assert run_match(First if source == GAME_VARIABLE else OfNothing, ["-p", "1"]) == Exit.USAGE
    said = one_line(capsys)
    assert f": {source}: there is no game 'chess'; there are: " in said
    for game in all_games():
        assert game.id in said


def test_a_reservation_leads_to_its_game_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv(GAME_VARIABLE, "chess")
    script = [expect("joinPrepared"), *ONE_MOVE[1:], *ENDING]
    assert played(First, script, "-r", "c")[0] == Exit.OK


# --- the command line -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (["-p", "x"], "-p/--port: 'x' is not a port, which is a number from 1 to 65535"),
        (["-p", "70000"], "'70000' is not a port"),
        (["-r"], "-r/--reservation needs a value"),
        (["--seed", "pi"], "'pi' is not a whole number"),
        (["--game", "chess"], "there is no game 'chess'; there are: blokus-2027"),
        (["--connect-seconds", "-1"], "not a number of seconds"),
    ],
)
def test_bad_command_lines(argv, words, capsys):
    assert run_match(First, argv) == Exit.USAGE
    assert words in one_line(capsys)


def test_any_order_unknown_extras_and_empty_values(capsys):
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        argv = [
            "--turbo",
            "--reservation",
            "",
            "--port",
            str(server.port),
            "--room=",
            "-h",
            server.host,
            "--fast=1",
        ]
        assert run_match(First, argv) == 0
        server.wait()
    assert "passing over what I do not know: --turbo --fast=1" in lines(capsys)


@pytest.mark.parametrize(
    ("told", "given", "limit"),
    [(None, None, 2.0), ("0.5", None, 0.5), ("none", None, float("inf")), ("3", 1.5, 1.5)],
)
def test_the_limit_of_the_clock(told, given, limit, monkeypatch):
    seen = []

    def choose(state, clock):
        seen.append((clock.limit, clock.elapsed, clock.remaining))
        return state.legal_moves()[0]

    if told is not None:
        monkeypatch.setenv("SPIELLEITER_MOVE_SECONDS", told)
    with ScriptedServer([*ONE_MOVE, *ENDING]) as server:
        assert run_match(choose, server.address, move_seconds=given) == 0
    ((counted, elapsed, remaining),) = seen
    assert counted == limit
    assert elapsed >= 0
    assert remaining <= limit


def test_a_bad_limit_is_said(monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_MOVE_SECONDS", "soon")
    assert run_match(First, []) == Exit.USAGE
    assert "SPIELLEITER_MOVE_SECONDS is 'soon'" in one_line(capsys)


# --- notes ----------------------------------------------------------------------------------------


class Talkative(First):
    def on_start(self, state):
        self.debug.note("hello")

    def choose(self, state, clock):
        self.debug.note("best of 3")
        self.debug.mark(3, 4, "here", "red")
        self.hint("a hint")
        return super().choose(state, clock)

    def on_result(self, outcome):
        self.debug.note("well played")


def test_notes_are_kept_beside_the_move(tmp_path, monkeypatch):
    file = tmp_path / "notes.jsonl"
    monkeypatch.setenv("SPIELLEITER_NOTES", str(file))
    code, server = played(Talkative, [*ONE_MOVE, *ENDING])
    assert code == 0
    move, end = [json.loads(line) for line in file.read_text().splitlines()]
    assert 0 <= move.pop("seconds") < 60
    assert move == {
        "turn": 0,
        "seat": 0,
        "move": str(START.legal_moves()[0]),
        "notes": ["hello", "best of 3"],
        "marks": [{"x": 3, "y": 4, "text": "here", "color": "red"}],
        "hints": ["a hint"],
    }
    assert (end["turn"], end["move"], end["notes"]) == (1, None, ["well played"])
    assert server.received[1].find("data").find("hint") is None  # 2027 drops who sends one


def kept(tmp_path, monkeypatch, bot, script) -> list:
    file = tmp_path / "notes.jsonl"
    monkeypatch.setenv("SPIELLEITER_NOTES", str(file))
    played(bot, script)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_a_fallback_is_kept_with_its_reason_and_place(tmp_path, monkeypatch):
    (move,) = kept(
        tmp_path,
        monkeypatch,
        broken(WithFallback, error=ValueError("no idea")),
        [*ONE_MOVE, *ENDING],
    )
    line = next(
        n
        for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
        if "raise error" in text
    )
    assert (move["fallback"], move["problem"]) == (
        True,
        f"ValueError: no idea (test_runner.py, line {line})",
    )


def test_the_place_is_the_authors_own_even_if_the_error_is_raised_by_what_he_called(
    tmp_path, monkeypatch
):
    class Deep(WithFallback):
        def choose(self, state, clock):
            state.play(ILLEGAL)  # here
            return json.loads("{")

    (move,) = kept(tmp_path, monkeypatch, Deep, [*ONE_MOVE, *ENDING])
    line = next(
        n
        for n, text in enumerate(Path(__file__).read_text().splitlines(), 1)
        if text.endswith("# here")
    )
    assert move["problem"].startswith("RuleViolation: ")
    assert move["problem"].endswith(f" (test_runner.py, line {line})")


def test_an_illegal_move_that_is_sent_is_no_fallback(tmp_path, monkeypatch):
    (move,) = kept(tmp_path, monkeypatch, broken(Bot, value=ILLEGAL), [*ONE_MOVE, *ENDING])
    assert move["fallback"] is False
    assert move["problem"].startswith("choose returned what cannot be played: ")


def test_hooks_that_failed_are_kept(tmp_path, monkeypatch):
    class Hooked(First):
        def on_start(self, state):
            raise ValueError("early")

        def on_result(self, outcome):
            return 1 / 0

    move, end = kept(tmp_path, monkeypatch, Hooked, [*ONE_MOVE, *ENDING])
    assert "problem" not in move
    (early,), (late,) = move["failed_hooks"], end["failed_hooks"]
    assert re.fullmatch(r"on_start: ValueError: early \(test_runner.py, line \d+\)", early)
    assert re.fullmatch(
        r"on_result: ZeroDivisionError: division by zero \(test_runner.py, line \d+\)", late
    )


def test_where_notes_cannot_be_written_the_game_goes_on(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SPIELLEITER_NOTES", str(tmp_path / "no" / "folder"))
    assert played(Talkative, [*ONE_MOVE, *ENDING])[0] == 0
    assert "notes cannot be written" in lines(capsys)


def test_debug_shows_notes_and_moves(capsys):
    assert played(Talkative, [*ONE_MOVE, *ENDING], "--debug")[0] == 0
    said = lines(capsys)
    assert f"turn 0: {START.legal_moves()[0]} after" in said
    assert "turn 0: best of 3" in said
    assert "turn 0: hint: a hint" in said
