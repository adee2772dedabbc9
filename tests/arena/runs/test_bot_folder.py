"""A folder of pupils' files: who takes part, who does not, and why."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from spielleiter.arena.bots import BotError
from spielleiter.arena.runs.bot_folder import MOST_ENTRIES, read_bot_folder
from spielleiter.rules import UnknownGame

BOT = "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
BODY = "        return state.legal_moves()[0]\n"
HARE = BODY + "    game = 'hase-und-igel-2018'\n"
posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no executable bit")


def fill(folder: Path, *names: str, text: str = BOT + BODY) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def test_files_and_folders_are_bots_by_their_own_names(tmp_path: Path) -> None:
    fill(tmp_path, "anna.py", "Ben Müller.py", "carla/bot.py", "bot.py", "main.py")
    found = read_bot_folder(tmp_path, None, {})
    assert [bot.name for bot in found.bots] == ["Ben Müller", "anna", "bot", "carla", "main"]
    assert found.left_out == ()
    assert found.game.id == "blokus-2021"
    assert all(Path(bot.text).exists() for bot in found.bots)


def test_what_is_left_out_has_a_reason(tmp_path: Path) -> None:
    fill(tmp_path, "anna.py", "test_anna.py", "__pycache__/anna.pyc", ".hidden.py", "notes.txt")
    fill(tmp_path, "helper.py", text="VALUE = 1\n")
    fill(tmp_path, "empty/readme.md")
    fill(tmp_path, "dora.py", text="def choose(:\n")
    fill(tmp_path, "emil.py", text=BOT + BODY + BOT.replace("Mine", "Other") + BODY)
    found = read_bot_folder(tmp_path, None, {})
    assert [bot.name for bot in found.bots] == ["anna"]
    left_out = {entry.name: entry for entry in found.left_out}
    assert sorted(left_out) == [
        ".hidden.py",
        "__pycache__",
        "dora.py",
        "emil.py",
        "empty",
        "helper.py",
        "notes.txt",
        "test_anna.py",
    ]
    assert left_out["test_anna.py"].reason == "it is a test"
    assert left_out["helper.py"].reason == "it has no Bot in it"
    assert left_out["dora.py"].reason.startswith("this is not Python")
    assert left_out["emil.py"].reason.startswith("it has 2 Bots in it")
    mistakes = [entry.name for entry in found.left_out if entry.is_mistake]
    assert mistakes == ["dora.py", "emil.py"]


def test_the_game_is_that_of_most_bots_and_others_are_left_out(tmp_path: Path) -> None:
    fill(tmp_path, "anna.py", "ben.py", text=BOT + HARE)
    fill(tmp_path, "carla.py", text=BOT + BODY + "    game = 'blokus-2027'\n")
    fill(tmp_path, "dora.py")
    found = read_bot_folder(tmp_path, None, {"SPIELLEITER_GAME": "blokus-2021"})
    assert found.game.id == "hase-und-igel-2018"
    assert [bot.name for bot in found.bots] == ["anna", "ben", "dora"]
    (carla,) = found.left_out
    assert (carla.is_mistake, carla.reason) == (
        True,
        "it is a bot for Blokus 2027, not for Hase und Igel 2018",
    )
    assert read_bot_folder(tmp_path, "blokus-2021", {}).game.id == "blokus-2021"
    with pytest.raises(UnknownGame):
        read_bot_folder(tmp_path, "chess", {})


def test_where_nobody_says_a_game_the_environment_does(tmp_path: Path) -> None:
    fill(tmp_path, "anna.py")
    assert read_bot_folder(tmp_path, None, {"SPIELLEITER_GAME": "blokus-2027"}).game.id == (
        "blokus-2027"
    )


def test_no_two_names_are_the_same(tmp_path: Path) -> None:
    fill(tmp_path, "anna.py", "anna/bot.py", f"{'x' * 70}1.py", f"{'x' * 70}2.py")
    names = [bot.name for bot in read_bot_folder(tmp_path, None, {}).bots]
    assert names[:2] == ["anna", "anna.py"]
    assert len(set(names)) == 4
    assert all(len(name) <= 60 for name in names)


@posix
def test_programs_count_if_they_can_be_started(tmp_path: Path) -> None:
    fill(tmp_path, "anna.sh", "ben.sh", "carla", text="#!/bin/sh\nexit 1\n")
    for name in ("anna.sh", "carla"):
        (tmp_path / name).chmod(0o755)
    found = read_bot_folder(tmp_path, None, {})
    assert [bot.name for bot in found.bots] == ["anna", "carla"]
    (ben,) = found.left_out
    assert (ben.reason, ben.is_mistake) == ("it is not executable", True)
    assert "chmod +x" in ben.hint


@posix
def test_names_that_are_not_text_harm_nobody(tmp_path: Path) -> None:
    path = tmp_path / "evil\x1b[2J\nname.py"
    path.write_text(BOT + BODY)
    (bot,) = read_bot_folder(tmp_path, None, {}).bots
    assert bot.name == "evil name"


def test_a_folder_that_is_not_there_or_far_too_large(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="cannot be read"):
        read_bot_folder(tmp_path / "gone", None, {})
    for number in range(MOST_ENTRIES + 1):
        (tmp_path / f"{number}.txt").touch()
    with pytest.raises(BotError, match="more than 2000 files"):
        read_bot_folder(tmp_path, None, {})
