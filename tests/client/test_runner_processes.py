"""``run`` in processes of their own: whole games on recorded traffic."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import recorded
from client.scripts import (
    ASK,
    ENDING,
    GAME,
    HEAD,
    ONE_MOVE,
    START,
    memento,
)
from spielleiter.client import Exit
from spielleiter.client.environment import GAME as GAME_VARIABLE
from spielleiter.testing import ScriptedServer, close, expect, expect_end, script_of, send

pytestmark = pytest.mark.usefixtures("own_environment")


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
