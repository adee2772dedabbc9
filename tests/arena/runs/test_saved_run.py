"""Runs found again in their folders, and their bots with them."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.fake_players import GAME, FakePlayer, plan_of
from arena.store.samples import BOTS, new_run
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import RunError, find_bots, has_run, planned_bot, read_run
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.writer import StoreWriter

BOT = "from spielleiter import Bot, run\nclass Mine(Bot):\n    pass\nrun(Mine)\n"


def played(folder: Path, plan: RunPlan) -> Path:
    async def main() -> None:
        bots = [find_bot("random", GAME) for _ in plan.bots]
        await Runner(folder, plan, bots, [FakePlayer()], parallel=1).run()

    asyncio.run(main())
    return folder


def test_a_run_is_read_as_it_was_played(tmp_path: Path) -> None:
    plan = plan_of(3, matches=2)
    assert not has_run(tmp_path)
    saved = read_run(played(tmp_path, plan))
    assert has_run(tmp_path)
    assert saved.plan == plan
    assert saved.game is GAME
    assert sorted(saved.matches) == list(range(1, 7))
    assert saved.tally().played == 6


def test_a_folder_without_a_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreError):
        read_run(tmp_path)
    with StoreWriter(tmp_path), pytest.raises(StoreError, match="there is no run"):
        read_run(tmp_path)


def test_a_folder_with_two_runs_or_an_unknown_plan_is_refused(tmp_path: Path) -> None:
    with StoreWriter(tmp_path) as writer:
        writer.add_run(new_run(), BOTS).result()
        with pytest.raises(RunError, match="cannot go on: 'format' of the plan"):
            read_run(tmp_path)
        writer.add_run(new_run(), BOTS).result()
        with pytest.raises(RunError, match="2 runs"):
            read_run(tmp_path)


def test_a_game_that_is_not_there_is_refused(tmp_path: Path) -> None:
    played(tmp_path, plan_of(matches=2))
    with closing(sqlite3.connect(tmp_path / "run.db")) as database, database:
        database.execute("UPDATE run SET plan = replace(plan, 'hase-und-igel-2018', 'chess')")
    with pytest.raises(RunError, match="chess") as caught:
        read_run(tmp_path)
    assert "version" in caught.value.advice


def plan_with(folder: Path, text: str) -> RunPlan:
    spec = find_bot(text, GAME)
    bots = planned_bot(spec, text, GAME, "Mine"), planned_bot(spec, text, GAME, "Other")
    return replace(plan_of(), bots=bots, folder=str(folder))


def test_bots_are_found_again_from_anywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    monkeypatch.chdir(tmp_path)
    plain = plan_with(tmp_path, "mine.py")
    command = plan_with(tmp_path, f'"{sys.executable}" mine.py')
    monkeypatch.chdir("/")
    (found, _) = find_bots(plain, GAME)
    assert found.source == tmp_path / "mine.py"
    (found, _) = find_bots(command, GAME)
    assert found.folder == tmp_path
    assert Path.cwd() == Path("/").resolve()


def test_a_bot_that_changed_is_refused_unless_it_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    plan = plan_with(tmp_path, str(path))
    path.write_text(BOT + "# better\n")
    with pytest.raises(RunError, match="Mine, Other have changed since the run began") as caught:
        find_bots(plan, GAME)
    assert "--changed" in caught.value.advice
    assert len(find_bots(plan, GAME, changed=True)) == 2


def test_a_bot_that_is_gone_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(BOT)
    plan = plan_with(tmp_path, str(path))
    path.unlink()
    with pytest.raises(RunError, match="Mine: there is no file or folder"):
        find_bots(plan, GAME)


def test_a_working_folder_that_is_gone_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    plan = replace(plan_with(tmp_path, str(tmp_path / "mine.py")), folder=str(tmp_path / "gone"))
    with pytest.raises(RunError, match="in which the run began is not there"):
        find_bots(plan, GAME)
