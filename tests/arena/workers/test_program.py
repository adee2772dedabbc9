"""The program in a worker process, spoken to as the runner does: a line in, a line out."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from spielleiter.arena.workers.journal import Journal, WorkerPhase
from spielleiter.arena.workers.report import Story, UnreadableStory
from spielleiter.arena.workers.table import format_limit
from spielleiter.client.clock import parse_seconds
from spielleiter.processes.dialogue import ProgramSilent
from spielleiter.processes.program import BotProcess
from spielleiter.rules import Cause

PATIENCE = 60.0
HOUSE = [{"kind": "house", "name": "greedy"}, {"kind": "house", "name": "random"}]


def order(
    game: str = "hase-und-igel-2018",
    limits: tuple[float | None, float | None] = (60.0, 120.0),
    moves: tuple[str, ...] = (),
    missing: tuple[int, ...] = (),
) -> str:
    setting = json.dumps([game, HOUSE, ["A", "B"], limits])
    return f"{setting}\t{json.dumps([1, moves, [2, 3], missing, ['', '']])}"


async def talk(path: Path, *orders: str) -> tuple[list[Any], list[Story], BotProcess]:
    """Send orders one after the other. Return answers, journals and the process that has ended."""
    journal = Journal.create(path)
    argv = [sys.executable, "-P", "-m", "spielleiter.arena.workers.program", str(path)]
    process = BotProcess.start(argv, talks=True)
    answers, stories = [], []
    try:
        assert process.dialogue is not None
        for line in orders:
            await process.dialogue.write_line(line, PATIENCE)
            try:
                answers.append(json.loads(await process.dialogue.read_line(PATIENCE)))
            except ProgramSilent:
                break
            stories.append(Story(journal.lines()))
            assert journal.look().phase is WorkerPhase.WAITING
        process.dialogue.close_input()
        assert await process.wait_within(PATIENCE)
    finally:
        await process.end()
        journal.close()
    return answers, stories, process


def test_it_plays_what_it_is_told_and_ends_with_its_input(tmp_path: Path) -> None:
    free = order(limits=(None, None))
    answers, stories, process = asyncio.run(talk(tmp_path / "j", order(), free))
    assert answers == [None, None]
    assert process.exit_code == 0
    first, second = stories
    assert [move.text for move in first.moves] == [move.text for move in second.moves]
    assert first.outcome is not None
    assert first.outcome.is_regular
    report = first.report({})
    assert report.result.slowest[0] == max(m.seconds or 0 for m in first.moves if m.seat == 0)


def test_seats_whose_bots_never_came_have_lost(tmp_path: Path) -> None:
    _, (story,), _ = asyncio.run(talk(tmp_path / "j", order(missing=(1,))))
    assert story.outcome is not None
    assert story.outcome.winner == 0
    assert [seat.cause for seat in story.outcome.seats] == [Cause.REGULAR, Cause.LEFT]
    assert story.moves == []


@pytest.mark.parametrize("nonsense", ["{", order(game="chess"), order(moves=("no move",))])
def test_an_order_that_makes_no_sense_ends_it_with_a_word(tmp_path: Path, nonsense: str) -> None:
    answers, _, process = asyncio.run(talk(tmp_path / "j", nonsense))
    assert answers == []
    assert "Error" in process.stderr.text() or "UnknownGame" in process.stderr.text()


def test_limits_are_written_as_bots_read_them() -> None:
    for seconds in (2.0, 0.25, float("inf")):
        assert parse_seconds(format_limit(seconds)) == seconds


NONSENSE = """x
[]
1
["x"]
["m",1]
0,0,1
0,7,1,"A"
0,"0",1,"A"
0,0,"1","A",0,0,1,"A"
0,0,1,"A",0
0,0,1,"A","B"
["h",0]
["h",0,1]
["n",0,1,{]
["r",[]]
["o",0]
["e",1]"""


@pytest.mark.parametrize("line", [*NONSENSE.splitlines(), "[" * 9999])
def test_a_journal_that_makes_no_sense_is_noticed(line: str) -> None:
    with pytest.raises(UnreadableStory):
        Story([line])
