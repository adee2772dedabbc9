"""What counts as saving a bot."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from spielleiter.cli import saves
from spielleiter.cli.saves import fingerprint, until_saved


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("bot.py", "start.sh", "deep/table.py", "player.jar"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("1")
    return tmp_path


@pytest.mark.parametrize("name", ["bot.py", "start.sh", "deep/table.py", "player.jar", "new.py"])
def test_sources_count(folder: Path, name: str) -> None:
    before = fingerprint([str(folder)])
    (folder / name).write_text("22")
    assert fingerprint([str(folder)]) != before


@pytest.mark.parametrize(
    "name",
    ["bot.log", "learned.json", "__pycache__/bot.py", ".venv/x.py", ".git/x.py", "deep/.idea/x.py"],
)
def test_what_a_bot_writes_does_not(folder: Path, name: str) -> None:
    before = fingerprint([str(folder)])
    assert len(before) == 4
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text("22")
    assert fingerprint([str(folder)]) == before


def test_a_file_counts_whatever_it_is_called_and_python_with_its_neighbours(folder: Path) -> None:
    (folder / "player").write_text("1")
    assert set(fingerprint([str(folder / "player"), "greedy"])) == {folder / "player"}
    (folder / "helper.py").write_text("1")
    assert set(fingerprint([str(folder / "bot.py")])) == {folder / "bot.py", folder / "helper.py"}


def test_large_folders_are_not_walked_to_the_end(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saves, "MOST_ENTRIES", 3)
    opened: list[str] = []
    scandir = os.scandir

    def watched(path: str) -> object:
        opened.append(str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", watched)
    assert set(fingerprint([str(folder)])) == {
        folder / name for name in ("bot.py", "start.sh", "player.jar")
    }
    assert opened == [str(folder)]


def test_a_save_is_noticed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saves, "POLL_SECONDS", 0.0)

    async def save() -> None:
        async with asyncio.timeout(30):
            waiting = asyncio.create_task(until_saved([str(folder)], fingerprint([str(folder)])))
            await asyncio.sleep(0)
            assert not waiting.done()
            (folder / "bot.py").write_text("22")
            await waiting

    asyncio.run(save())
