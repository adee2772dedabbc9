"""Versions of bots: what makes a bot another one, and what does not."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from arena.fake_players import GAME
from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs import fingerprint
from spielleiter.arena.runs.fingerprint import hash_bot
from spielleiter.games import get_game

if TYPE_CHECKING:
    import pytest

BOT = "from spielleiter import Bot, run\nimport helper\nclass Mine(Bot):\n    pass\nrun(Mine)\n"


def hash_of(path: Path) -> str:
    return hash_bot(find_bot(str(path), GAME), GAME)


def test_a_house_bot_changes_with_its_game() -> None:
    found = hash_bot(find_bot("random", GAME), GAME)
    assert len(found) == 16
    assert found == hash_bot(find_bot("greedy", GAME), GAME)
    blokus = get_game("blokus-2021")
    assert found != hash_bot(find_bot("random", blokus), blokus)


def test_a_file_changes_with_itself_and_with_what_it_imports(tmp_path: Path) -> None:
    bot, helper = tmp_path / "bot.py", tmp_path / "helper.py"
    bot.write_text(BOT)
    seen = {hash_of(bot)}
    helper.write_text("from deeper import thing\n")
    seen.add(hash_of(bot))
    (tmp_path / "deeper").mkdir()
    (tmp_path / "deeper" / "__init__.py").write_text("thing = 1\n")
    seen.add(hash_of(bot))
    (tmp_path / "deeper" / "__init__.py").write_text("thing = 2\n")
    seen.add(hash_of(bot))
    bot.write_text(BOT + "# better\n")
    seen.add(hash_of(bot))
    assert len(seen) == 5
    (tmp_path / "other_pupil.py").write_text("x = 1\n")
    assert hash_of(bot) in seen


def test_a_folder_changes_with_its_files_but_not_with_what_a_bot_writes(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    (tmp_path / "weights.json").write_text("[1]")
    before = hash_of(tmp_path)
    for name in ("last.log", ".hidden", "__pycache__/bot.cpython-311.pyc", "logs/1.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("new")
    assert hash_of(tmp_path) == before
    (tmp_path / "weights.json").write_text("[2]")
    assert hash_of(tmp_path) != before


def test_a_command_changes_with_the_files_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "player.py").write_text("1")
    spec = BotSpec(BotKind.COMMAND, "x", (sys.executable, "player.py", "--deep"))
    before = hash_bot(spec, GAME)
    (tmp_path / "player.py").write_text("2")
    assert hash_bot(spec, GAME) != before


def test_what_has_no_files_has_no_hash() -> None:
    assert hash_bot(BotSpec(BotKind.COMMAND, "x", ("no-such-program",)), GAME) == ""


def test_large_files_count_by_their_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "MOST_BYTES", 10)
    (tmp_path / "bot.py").write_text(BOT)
    before = hash_of(tmp_path)
    (tmp_path / "bot.py").write_text(BOT.replace("Mine", "Your"))
    assert hash_of(tmp_path) == before
    (tmp_path / "bot.py").write_text(BOT + " ")
    assert hash_of(tmp_path) != before


def test_only_so_many_files_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fingerprint, "MOST_FILES", 2)
    for name in ("bot.py", "later.txt", "latest.txt"):
        (tmp_path / name).write_text(BOT)
    before = hash_of(tmp_path)
    (tmp_path / "latest.txt").write_text("2")
    assert hash_of(tmp_path) == before
    (tmp_path / "later.txt").write_text("2")
    assert hash_of(tmp_path) != before
