"""``spielleiter bot``: which word is the bot, and files that cannot be loaded."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

import recorded
import wheels
from server.program import PATIENCE, running
from spielleiter import cli
from spielleiter.client import Exit, run_match
from spielleiter.client.admin import AdminClient
from spielleiter.client.house import HouseBot
from spielleiter.games import get_game
from spielleiter.testing import ScriptedServer, close, expect, expect_end, script_of, send
from spielleiter.wire.messages import Slot

BOT = (
    "class Mine(Bot):\n    def choose(self, state, clock):\n        return state.legal_moves()[0]\n"
)
SDK = "from spielleiter import Bot, run\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spielleiter", *args],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    "words", ["-p 7 greedy", "--port 7 greedy", "greedy -p 7", "-p 7 greedy --game blokus-2027"]
)
def test_options_in_any_order(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        import_module("spielleiter.cli.bot"),
        "run",
        lambda bot, argv: given.append((bot.name, argv)),
    )
    assert CliRunner().invoke(cli.main, ["bot", *words.split()]).exit_code == 0
    ((name, argv),) = given
    assert name == "greedy"
    assert argv[argv.index("--port" if "--port" in words else "-p") + 1] == "7"
    assert "greedy" not in argv


@pytest.mark.parametrize("words", ["", "-p 7", "--verify"])
def test_no_name(words: str) -> None:
    result = CliRunner().invoke(cli.main, ["bot", *words.split()])
    assert (result.exit_code, result.stderr.splitlines()) == (
        2,
        [
            "spielleiter: missing argument: the name of a house bot, or a file",
            "  see: spielleiter bot --help",
        ],
    )


FAILURES = {
    "import of what is not there": (
        "import numpy_of_tomorrow.linalg\n",
        "ModuleNotFoundError: No module named 'numpy_of_tomorrow'",
        "-m pip install numpy_of_tomorrow",
    ),
    "any other mistake": (
        "1 / 0\n",
        "ZeroDivisionError: division by zero",
        "mend that line and try again",
    ),
}


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("end", ["", "run(Mine)\n"])
def test_a_file_that_cannot_be_loaded_is_one_line_with_its_place(failure: str, end: str) -> None:
    line, said, advice = FAILURES[failure]
    path = Path("mine.py").absolute()
    path.write_text(SDK + line + BOT + end)
    done = start("bot", "mine.py", "-p", "1")
    assert (done.returncode, done.stdout) == (1, "")
    problem, hint = done.stderr.splitlines()
    assert problem == f"spielleiter: {path}, line 2: {said}"
    assert hint.endswith(advice)


@pytest.mark.parametrize("game_id", ["blokus-2021", "blokus-2027", "hase-und-igel-2018"])
def test_a_house_bot_plays_what_its_reservation_is_for(
    game_id: str, tmp_path: Path
) -> None:  # W119
    async def play(port: int) -> list[tuple[int | None, str]]:
        async with await AdminClient.connect("localhost", port, "secret") as admin:
            room = await admin.prepare(get_game(game_id), [Slot("greedy"), Slot("planner")])
            bots: list[asyncio.subprocess.Process] = []
            try:
                for name, code in zip(("greedy", "planner"), room.codes, strict=True):
                    words = ("-m", "spielleiter", "bot", name, "-p", str(port), "-r", code)
                    pipe = asyncio.subprocess.PIPE
                    bots.append(
                        await asyncio.create_subprocess_exec(sys.executable, *words, stderr=pipe)
                    )
                ended = await asyncio.wait_for(
                    asyncio.gather(*(bot.communicate() for bot in bots)), 3 * PATIENCE
                )
            finally:
                for bot in bots:
                    if bot.returncode is None:
                        bot.kill()
                        await bot.wait()
        return [(bot.returncode, said.decode()) for bot, (_, said) in zip(bots, ended, strict=True)]

    with running(tmp_path, "--password", "secret", "--no-timeout") as server:
        for (code, said), name in zip(
            asyncio.run(play(server.port)), ("greedy", "planner"), strict=True
        ):
            assert code == 0, said
            # Before it stands whatever a slow machine made the bot say, such as that it waits.
            assert re.fullmatch(rf"{name}: (won|lost), .*", said.splitlines()[-1])


def test_a_house_bot_that_the_game_of_its_reservation_does_not_have(
    capsys: pytest.CaptureFixture[str],
) -> None:
    script = script_of(
        recorded.text("18.2.6", "prepared-full-game-1", "two", "server"), join="joinPrepared"
    )
    server = ScriptedServer([*script[:2], expect_end(), close()])
    with wheels.no_wheel(), server:
        assert run_match(HouseBot("castler", 1), ["-r", "c", *server.address]) is Exit.OTHER_GAME
        server.wait()
    assert capsys.readouterr().err == (
        "castler: this room plays Hase und Igel 2018, and the house has no castler for it."
        " House bots of Hase und Igel 2018 are random, greedy, planner, searcher.\n"
    )


def test_a_game_named_on_the_command_line_is_not_given_up_for_another() -> None:
    script = script_of(
        recorded.text("18.2.6", "prepared-full-game-1", "two", "server"), join="joinPrepared"
    )
    with ScriptedServer([*script[:2], expect_end(), close()]) as server:
        done = start("bot", "greedy", "--game", "blokus-2021", "-r", "c", *server.address)
        server.wait()
    assert done.returncode == 6
    assert "this room plays Hase und Igel 2018, but greedy is for Blokus 2021" in done.stderr


@pytest.mark.parametrize(
    ("args", "variable", "asked_for"),
    [
        ((), "", "swc_2021_blokus"),
        ((), "blokus-2027", "swc_2027_blokus"),
        (("--game", "hase-und-igel-2018"), "blokus-2027", "swc_2018_hase_und_igel"),
    ],
)
def test_without_a_reservation_the_default_is_joined(
    args: tuple[str, ...], variable: str, asked_for: str, monkeypatch: pytest.MonkeyPatch
) -> None:  # W118
    monkeypatch.setenv("SPIELLEITER_GAME", variable)
    with ScriptedServer([expect("join"), send("<protocol>"), close()]) as server:
        assert start("bot", "greedy", *args, *server.address).returncode == 4
        server.wait()
    assert server.received[0].get("gameType") == asked_for


def test_an_unknown_season_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SPIELLEITER_GAME", "chess")
    done = start("bot", "greedy")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "spielleiter: SPIELLEITER_GAME: there is no game 'chess'; there are: "
    )
    Path("mine.py").write_text(SDK + BOT)
    with ScriptedServer(
        [expect("joinPrepared"), send("<protocol>"), close()]
    ) as server:  # it is not asked for
        assert start("bot", "mine.py", "-r", "c", *server.address).returncode == 4
        server.wait()


def test_debug_shows_where() -> None:
    Path("mine.py").write_text(SDK + "1 / 0\n" + BOT + "run(Mine)\n")
    assert "Traceback" in start("bot", "mine.py", "--debug").stderr
