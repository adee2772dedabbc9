"""``spielleiter bot``: which word is the bot, and files that cannot be loaded."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from spielleiter import cli

BOT = "class Mine(Bot):\n    def choose(self, state, clock):\n        return state.legal_moves()[0]\n"
SDK = "from spielleiter import Bot, run\n"


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def start(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spielleiter", *args], capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("words", ["-p 7 greedy", "--port 7 greedy", "greedy -p 7", "-p 7 greedy --game blokus-2027"])
def test_options_in_any_order(words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(import_module("spielleiter.cli.bot"), "run", lambda bot, argv: given.append((bot.name, argv)))
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
        ["spielleiter: missing argument: the name of a house bot, or a file", "  see: spielleiter bot --help"],
    )


FAILURES = {
    "import of what is not there": (
        "import numpy_of_tomorrow.linalg\n",
        "ModuleNotFoundError: No module named 'numpy_of_tomorrow'",
        "-m pip install numpy_of_tomorrow",
    ),
    "any other mistake": ("1 / 0\n", "ZeroDivisionError: division by zero", "mend that line and try again"),
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


def test_debug_shows_where() -> None:
    Path("mine.py").write_text(SDK + "1 / 0\n" + BOT + "run(Mine)\n")
    assert "Traceback" in start("bot", "mine.py", "--debug").stderr
