"""Files beside a bot that are named like a module of Python, or like this package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from spielleiter.shadows import describe_shadow, find_shadows
from spielleiter.testing import load_bot

NAMES = ("random", "string", "math", "copy", "queue", "types", "token", "spielleiter")
CLASS = "from spielleiter import Bot, run\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
BOT = CLASS + "        return state.legal_moves()[0]\n"
STARTS = {"a file that runs itself": "run(Mine)\n", "a file with a Bot in it": ""}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What a pupil's folder looks like in the second week; the working directory, too."""
    for name in NAMES:
        (tmp_path / f"{name}.py").write_text("def exercise():\n    return 3\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def start(*args: str, module: bool = True) -> subprocess.CompletedProcess[str]:
    """Like the installed command, which does not have the working directory in front; or a file
    itself.
    """
    command = [sys.executable, *(("-P", "-m", "spielleiter") if module else ()), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


@pytest.mark.parametrize("end", STARTS.values(), ids=STARTS.keys())
def test_they_break_no_bot_that_we_start_and_are_named(folder: Path, end: str) -> None:
    (folder / "bot.py").write_text(
        "import random\nimport queue\nassert random.Random and queue.Queue\n" + BOT + end
    )
    done = start("bot", "bot.py", "--verify")
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].endswith("is ready to play")
    assert str(folder / "copy.py") in done.stderr


@pytest.mark.parametrize("end", STARTS.values(), ids=STARTS.keys())
def test_play_says_which_file_to_rename(folder: Path, end: str) -> None:
    (folder / "bot.py").write_text(BOT + end)
    done = start("play", "bot.py", "random", "--watch", "none", "--seed", "1", "--no-timeout")
    assert done.returncode == 0, done.stdout + done.stderr
    for name in sorted(NAMES)[:5]:
        assert done.stdout.count(f"{folder / name}.py is named like ") == 1
        assert f"to my_{name}.py." in done.stdout
    assert "3 more files" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_check_says_it_too(folder: Path) -> None:
    (folder / "bot.py").write_text("1 / 0\n" + BOT + "run(Mine)\n")
    done = start("check", "bot.py")
    assert f"{folder / 'copy.py'} is named like Python's own module copy" in done.stdout
    assert "ZeroDivisionError" in done.stdout


def test_who_wants_his_own_file_learns_why_he_gets_another(folder: Path) -> None:
    (folder / "bot.py").write_text("from random import exercise\n" + BOT + "run(Mine)\n")
    done = start("play", "bot.py", "random", "--watch", "none", "--no-timeout")
    assert done.returncode == 1
    assert "cannot import name 'exercise'" in done.stdout
    assert f"{folder / 'random.py'} is named like Python's own module random" in done.stdout


@pytest.mark.parametrize("name", [name for name in NAMES if name != "spielleiter"])
@pytest.mark.parametrize("first", ["", "from spielleiter.games.blokus import Color\n"])
def test_started_without_us_one_line_names_the_file(tmp_path: Path, name: str, first: str) -> None:
    (tmp_path / "bot.py").write_text(first + BOT + "run(Mine)\n")
    shadow = tmp_path / f"{name}.py"
    shadow.write_text("def exercise():\n    return 3\n")
    done = start(str(tmp_path / "bot.py"), "--verify", module=False)
    assert "Traceback" not in done.stderr
    if (
        done.returncode
    ):  # not every one of them is needed, nor can every one be hidden on every system
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 2)
        assert done.stderr.startswith(
            f"spielleiter: {shadow} takes the place of Python's own module {name}"
        )
        assert f"Rename it, for instance to my_{name}.py" in done.stderr


def test_random_is_one_that_is_needed(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT + "run(Mine)\n")
    (tmp_path / "random.py").write_text("")
    assert start(str(tmp_path / "bot.py"), "--verify", module=False).returncode == 2


def test_the_working_directory_is_not_in_the_way_of_our_command(tmp_path: Path) -> None:
    (tmp_path / "random.py").write_text("")
    command = [sys.executable, "-m", "spielleiter", "bot", "random", "--verify"]
    done = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


def test_helpers_are_found_before_installed_packages(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("def value():\n    return 7\n")
    (tmp_path / "bot.py").write_text(
        "import click\nassert click.value() == 7\n" + BOT + "run(Mine)\n"
    )
    program = [
        sys.executable,
        "-P",
        "-m",
        "spielleiter.launch",
        str(tmp_path / "bot.py"),
        "--verify",
    ]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_a_program_sees_itself_as_if_python_had_started_it(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(
        "import pickle, sys\nclass Thing: pass\n"
        "assert isinstance(pickle.loads(pickle.dumps(Thing())), Thing)\n"
        "print(__name__, __file__, *sys.argv)\n"
        "1 / 0\n"
    )
    command = [sys.executable, "-P", "-m", "spielleiter.launch", str(program), "-p", "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.split() == ["__main__", str(program), str(program), "-p", "7"]
    assert done.returncode == 1
    plain = subprocess.run(
        [sys.executable, str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stderr == plain.stderr


def test_bots_for_tests_are_loaded_beside_them(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))
    (folder / "helper_of_mine.py").write_text("VALUE = 5\n")
    (folder / "bot.py").write_text(
        "import random, helper_of_mine\nassert random.Random\n" + BOT + "run(Mine)\n"
    )
    assert load_bot(folder / "bot.py").__name__ == "Mine"


def test_what_is_no_shadow(tmp_path: Path) -> None:
    for name in ("bot.py", "helpers.py", "random.txt", "random.py.bak"):
        (tmp_path / name).write_text("")
    (tmp_path / "spielleiter").mkdir()
    (tmp_path / "spielleiter/__init__.py").write_text("")  # as an archive for the contest has it
    (tmp_path / "json").mkdir()  # a folder with data hides nothing
    assert find_shadows(str(tmp_path)) == []
    assert find_shadows(str(tmp_path / "missing")) == []


def test_what_can_never_be_imported_is_said_so(tmp_path: Path) -> None:
    assert "never gets this file" in describe_shadow(str(tmp_path / "time.py"), started_by_us=False)
    (tmp_path / "json").mkdir()
    (tmp_path / "json/__init__.py").write_text("")
    assert find_shadows(str(tmp_path)) == [str(tmp_path / "json")]
    assert describe_shadow(str(tmp_path / "json"), started_by_us=False).endswith("to my_json.")
