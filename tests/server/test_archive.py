"""Replays on disk have harmless names that never collide, and are whole or not there."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import stat
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.games import get_game
from spielleiter.replays import MatchRecord, RecordedPosition, read_replay
from spielleiter.replays.saves import file_name, write_replay
from spielleiter.server.archive import ReplaySaver

GAME = get_game("hase-und-igel-2018")
WHEN = datetime(2027, 1, 2, 3, 4, 5)


def record(*names: str) -> MatchRecord:
    state = GAME.start(1)
    after = state.play(state.legal_moves()[0])
    shown = [RecordedPosition(state), RecordedPosition(after, (), 0.25)]
    return MatchRecord(
        GAME.codecs["2018"], "room-1", names, shown, [], None, after.outcome(), after
    )


@given(st.text(), st.text())
def test_names_of_files_are_harmless(one: str, two: str) -> None:
    name = file_name(record(one, two), WHEN)
    assert name.startswith("replay_swc_2018_hase_und_igel_2027-01-02_03-04-05_")
    assert name.isascii()
    assert not set(name) & set('/\\:*?"<>| \0')
    assert len(name) < 150


def test_equal_games_in_the_same_second_are_all_kept(tmp_path: Path) -> None:
    paths = [write_replay(record("a", "b"), tmp_path, WHEN) for _ in range(5)]
    assert len(set(paths)) == 5
    assert sorted(tmp_path.iterdir()) == sorted(paths), "nothing else is left behind"
    assert [read_replay(path).positions[1].seconds for path in paths] == [0.25] * 5


def test_a_replay_is_on_the_disk_before_it_has_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[list[str], bool]] = []
    sync = os.fsync

    def watch(handle: int) -> None:
        names = sorted(path.name for path in tmp_path.iterdir())
        seen.append((names, stat.S_ISDIR(os.fstat(handle).st_mode)))
        if not seen[-1][1]:
            assert os.fstat(handle).st_size > 1000, "what is synced is written"
        sync(handle)

    monkeypatch.setattr(os, "fsync", watch)
    path = write_replay(record("a", "b"), tmp_path, WHEN)
    assert seen[0] == ([".room-1.part"], False)
    if os.name == "posix":
        assert seen[1:] == [([path.name], True)], "then the folder with the name in it"


def test_a_disk_that_is_full_leaves_no_half_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(OSError, match="No space"):
        write_replay(record("a", "b"), tmp_path, WHEN)
    assert list(tmp_path.iterdir()) == []


def test_without_links_names_do_not_collide_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError("no links here")

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    paths = [write_replay(record("a", "b"), tmp_path, WHEN, compress=True) for _ in range(3)]
    assert sorted(tmp_path.iterdir()) == sorted(set(paths))
    assert all(read_replay(path).positions for path in paths)


def test_a_disk_that_fails_costs_the_replay_and_nothing_else(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "a file, not a folder"
    blocked.write_text("")
    saver = ReplaySaver(blocked / "replays")
    with caplog.at_level(logging.WARNING, "spielleiter"):
        saver.save(record("a", "b"))
        asyncio.run(saver.close())
    assert [entry.getMessage() for entry in caplog.records] == ["replay not saved"]
    assert caplog.records[0].exc_info is None
