"""Which bots of a folder the page may start, and that nothing else is ever looked up."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from spielleiter.games import get_game
from spielleiter.web.roster import Roster, read_roster

BLOKUS, HARE = get_game("blokus-2027"), get_game("hase-und-igel-2018")
BOT = "from spielleiter import Bot, run\nclass Mine(Bot):\n    {}\nrun(Mine)\n"


def test_bots_of_the_folder_come_after_those_of_the_house(tmp_path: Path) -> None:
    (tmp_path / "any.py").write_text(BOT.format("pass"))
    (tmp_path / "hare.py").write_text(BOT.format("game = 'hase-und-igel-2018'"))
    (tmp_path / "notes.txt").write_text("not a bot")
    (tmp_path / "module.py").write_text("x = 1\n")
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(BOT.format("pass"))
    roster = read_roster(tmp_path)
    assert roster.names(BLOKUS) == [*BLOKUS.players, "any", "team"]
    assert roster.names(HARE) == [*HARE.players, "any", "hare", "team"]
    found = roster.find(BLOKUS, "any")
    assert found is not None
    assert found.name == "any"


def test_a_bot_that_is_called_like_one_of_the_house_has_a_name_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "greedy.py").write_text(BOT.format("pass"))
    roster = read_roster(tmp_path)
    assert list(roster.own[BLOKUS.id]) == ["greedy *"]
    house, own = roster.find(BLOKUS, "greedy"), roster.find(BLOKUS, "greedy *")
    assert house is not None
    assert own is not None
    assert str(tmp_path / "greedy.py") not in house.argv
    assert str(tmp_path / "greedy.py") in own.argv


@pytest.mark.skipif(sys.platform == "win32", reason="programs are not marked there")
def test_a_program_that_just_lies_there_is_no_bot(tmp_path: Path) -> None:
    program = tmp_path / "backup"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)
    assert read_roster(tmp_path).own[BLOKUS.id] == {}


@pytest.mark.parametrize("name", ["human", "ls -l", "/bin/sh", "../x.py", "", "nobody"])
def test_no_other_name_finds_anything(name: str) -> None:
    assert Roster().find(BLOKUS, name) is None


def test_a_folder_that_cannot_be_read_has_no_bots(tmp_path: Path) -> None:
    assert read_roster(tmp_path / "missing").own[BLOKUS.id] == {}


def test_a_bot_that_was_made_later_is_found_when_somebody_looks_again(tmp_path: Path) -> None:
    roster = read_roster(tmp_path)
    (tmp_path / "later.py").write_text(BOT.format("pass"))

    asyncio.run(roster.renew())

    assert list(roster.own[BLOKUS.id]) == ["later"]
    assert roster.find(BLOKUS, "later") is not None


def test_a_bot_that_was_deleted_can_no_longer_be_started(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT.format("pass"))
    roster = read_roster(tmp_path)
    (tmp_path / "mine.py").unlink()

    asyncio.run(roster.renew())

    assert roster.find(BLOKUS, "mine") is None


def test_a_folder_in_which_nothing_has_changed_is_not_read_again(tmp_path: Path) -> None:
    (tmp_path / "team").mkdir()
    (tmp_path / "team" / "bot.py").write_text(BOT.format("pass"))
    roster = read_roster(tmp_path)
    before = roster.own

    asyncio.run(roster.renew())

    assert roster.own is before
    (tmp_path / "team" / "bot.py").write_text(BOT.format("game = 'hase-und-igel-2018'"))
    asyncio.run(roster.renew())
    assert "team" not in roster.own[BLOKUS.id]


def test_a_roster_without_a_folder_stays_as_it_is() -> None:
    roster = Roster()
    asyncio.run(roster.renew())
    assert roster.own == {}
