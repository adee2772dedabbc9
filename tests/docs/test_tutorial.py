"""The tutorial can fail: every block of code runs, prints what it shows, and is the same in both
languages.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import children
import pages
from spielleiter.games import DEFAULT, get_game
from spielleiter.testing import assert_legal, load_bot, play_in_process

FOLDER = pages.ROOT / "docs/tutorial"
BLOCKS = pages.read_blocks(FOLDER / "en.md")
FILES = {block.file: block.body for block in BLOCKS if block.file is not None}
SNIPPETS = [block.body for block in BLOCKS if block.language == "python" and block.file is None]
BOTS = [name for name, body in FILES.items() if "\nrun(" in body]
COMMANDS = [
    (block.chapter, command)
    for block in BLOCKS
    if block.language == "console"
    for command in pages.read_commands(block)
]

PATIENCE = 120.0
"""Seconds after which a command hangs."""
NOT_RUN = {
    "python -m venv .venv": "the tests have an environment",
    ". .venv/bin/activate": "the tests have an environment",
    "python -m pip install ./spielleiter": "needs a package index for what builds it",
    "python -m pip install pytest": "whoever runs this has it",
}
ENDS = {
    "spielleiter doctor": (0, 1),  # what it finds here is not the tutorial's business
    "spielleiter play human biggest.py --seed 1 --watch terminal": (130,),
    "spielleiter play clumsy.py random --seed 1 --watch none": (1,),
}
"""How a command ends, where that is not 0."""
ON_SERVER = re.compile(r"spielleiter serve|spielleiter bot|python (ahead|biggest)\.py")
TOGETHER = {11: 10, 16: 3}
"""A chapter that needs what another one leaves behind."""
TRIED: dict[int, list[pages.Command]] = {}
"""Commands that are run one after the other, by chapter."""
for number, command in COMMANDS:
    if command.line not in NOT_RUN and not ON_SERVER.match(command.line):
        TRIED.setdefault(TOGETHER.get(number, number), []).append(command)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """All files of the tutorial in one folder, as it asks for."""
    for name, body in FILES.items():
        (tmp_path / name).write_text(body, encoding="utf-8", newline="\n")
    return tmp_path


def argv_of(line: str, folder: Path) -> list[str]:
    words = []
    for word in shlex.split(line):
        words += (
            sorted(path.relative_to(folder).as_posix() for path in folder.glob(word))
            if "*" in word
            else [word]
        )
    first = {"python": [sys.executable], "spielleiter": [sys.executable, "-m", "spielleiter"]}[
        words[0]
    ]
    return [*first, *words[1:]]


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "120", **more}


def check(command: pages.Command, folder: Path) -> None:
    done = subprocess.run(
        argv_of(command.line, folder),
        cwd=folder,
        env=environment(),
        input=command.typed,
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
        check=False,
    )
    output = done.stdout + done.stderr
    assert done.returncode in ENDS.get(command.line, (0,)), (
        f"{command.line} ended with {done.returncode}:\n{output}"
    )
    assert command.matches(output), (
        f"{command.line} printed:\n{output}\nThe tutorial shows:\n{command.shown}"
    )


def test_both_languages_have_the_same_code_in_the_same_chapters() -> None:
    assert pages.read_blocks(FOLDER / "de.md") == BLOCKS


def test_every_block_is_of_a_kind_that_is_tried() -> None:
    assert {block.language for block in BLOCKS} == {"python", "console"}
    assert len(BOTS) == len(FILES) - 2  # match.py and test_ahead.py are no bots
    assert set(NOT_RUN) | set(ENDS) <= {command.line for _, command in COMMANDS}


def test_the_six_lines_are_those_of_the_readme() -> None:
    readme = [
        block.body
        for block in pages.read_blocks(pages.ROOT / "README.md")
        if block.language == "python"
    ]
    assert FILES["biggest.py"] in readme
    assert len(FILES["biggest.py"].split("\n\n")) == 3


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_snippets_run(snippet: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(snippet, "tutorial", "exec"), {})


@pytest.mark.parametrize("chapter", TRIED)
def test_commands_print_what_is_shown(chapter: int, folder: Path) -> None:
    for command in TRIED[chapter]:
        check(command, folder)


def load(name: str, folder: Path) -> Callable[..., object]:
    for module in re.findall(r"^import (\w+)", FILES[name], re.MULTILINE):
        if module not in sys.stdlib_module_names:
            pytest.importorskip(module)
    bot: Callable[..., object] = load_bot(folder / name)
    return bot


@pytest.mark.parametrize("name", BOTS)
def test_every_bot_answers_in_time(name: str, folder: Path) -> None:
    bot = load(name, folder)
    game = get_game(getattr(bot, "game", None) or DEFAULT)
    assert_legal(bot, game.start(seed=1), seconds=2)


@pytest.mark.parametrize("name", ["threaded.py", "waiting.py", "arrays.py"])
def test_bots_that_no_command_starts_play_whole_games(name: str, folder: Path) -> None:
    played = play_in_process(load(name, folder), get_game(DEFAULT).players["random"], seed=1)
    assert played.outcome.is_regular


def test_the_last_bot_beats_greedy_as_second_player_too(folder: Path) -> None:
    """One game, because each takes seconds; as first player it wins in chapter 10, and the table is
    from many.
    """
    played = play_in_process(get_game(DEFAULT).players["greedy"], load("ahead.py", folder), seed=1)
    assert played.outcome.winner == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_table_promises_that_every_step_is_better(language: str) -> None:
    text = (FOLDER / f"{language}.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| `(\w+\.py)` \|(?: (\d+) \w+ (\d+) )? *\| (\d+) \w+ (\d+) \|$", text, re.MULTILINE
    )
    assert [row[0] for row in rows] == [
        "biggest.py",
        "corners.py",
        "rivals.py",
        "reach.py",
        "nearby.py",
        "ahead.py",
    ]
    for _, won, played, _, _ in rows[1:]:
        assert int(won) / int(played) > 0.6
    assert int(rows[-1][3]) / int(rows[-1][4]) >= 0.6


def test_the_server_chapter(folder: Path) -> None:
    """One server, the opponent and the bot, as in three terminals; only the port is another one."""
    serve, greedy, *bots = (command for _, command in COMMANDS if ON_SERVER.match(command.line))
    with children.running(
        argv_of(serve.line, folder),
        cwd=folder,
        env=environment(SPIELLEITER_PORT="0"),
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        port = server.stdout.readline().strip().rpartition(":")[2]
        for bot in bots:
            command = [*argv_of(greedy.line, folder), "-p", port]
            with children.running(command, cwd=folder, env=environment()):
                done = subprocess.run(
                    [*argv_of(bot.line, folder), "-p", port],
                    cwd=folder,
                    env=environment(),
                    capture_output=True,
                    encoding="utf-8",
                    timeout=PATIENCE,
                    check=False,
                )
                assert done.returncode == 0, done.stderr
                assert bot.matches(done.stdout + done.stderr), done.stderr
