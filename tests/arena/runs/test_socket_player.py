"""Matches of a run over sockets: openings, dice, output, notes, and whose fault trouble is."""

from __future__ import annotations

import asyncio
import errno
import os
import sys
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

import children
from arena.fake_players import GAME
from spielleiter.arena.arena_match import Patience
from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import draw_opening
from spielleiter.arena.runs.attempts import killed_seats
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.runs.socket_player import SocketPlayer
from spielleiter.arena.store.values import MatchReport, digest_of
from spielleiter.match import TimeControl
from spielleiter.processes.program import BotProcess, StartFailure
from spielleiter.rules import Cause

T = TypeVar("T")
OPENING = draw_opening(GAME, 5, 4)
TALKER = """
from spielleiter import Bot, run

class Talker(Bot):
    def choose(self, state, clock):
        print(f"turn {state.turn}")
        self.debug.note(f"I see {state.turn}")
        return state.legal_moves()[0]

run(Talker)
"""
CRASHER = """
from spielleiter import Bot, run
import os

class Crasher(Bot):
    def choose(self, state, clock):
        print("last words", flush=True)
        os._exit(3)

run(Crasher)
"""


def do(main: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(children.PATIENCE):
            return await main

    return asyncio.run(limited())


def job(
    first: BotSpec | None = None,
    second: BotSpec | None = None,
    *,
    number: int = 1,
    time: TimeControl | None = None,
) -> MatchJob:
    bots = first or find_bot("random", GAME), second or find_bot("random", GAME)
    names = f"first {number}", f"second {number}"
    return MatchJob(number, GAME, OPENING, bots, names, (11, 12), time)


def play(*jobs: MatchJob, **options: Any) -> list[MatchReport]:
    async def main() -> list[MatchReport]:
        player = SocketPlayer(**options)
        try:
            return await asyncio.gather(*(player.play(one) for one in jobs))
        finally:
            await player.close()

    return do(main())


def write(folder: Path, text: str, name: str = "mine.py") -> BotSpec:
    (folder / name).write_text(text)
    return find_bot(str(folder / name), GAME)


def test_a_match_begins_with_its_opening_and_its_dice() -> None:
    one, same, other_limit = play(job(), job(number=2), job(number=3, time=TimeControl(9.0, 9.0)))
    start = OPENING.position(GAME)
    assert one.moves[0].turn == start.turn == 4
    texts = [move.text for move in one.moves]
    assert one.result.digest == digest_of(GAME.id, GAME.format_position(start), texts)
    assert texts == [move.text for move in same.moves]
    assert texts == [move.text for move in other_limit.moves]
    state = start
    for text in texts:
        state = state.play(GAME.parse_move(text))
    assert one.result.final == GAME.format_position(state)
    assert one.result.outcome == state.outcome()
    assert one.result.way == "sockets"
    assert one.result.slowest[0] == max(move.seconds or 0 for move in one.moves if move.seat == 0)
    assert [move.ply for move in one.moves] == list(range(len(texts)))


def test_dice_decide_what_bots_with_chance_do() -> None:
    first = job()
    second = MatchJob(1, GAME, OPENING, first.bots, first.names, (13, 14))
    one, other = play(first, second)
    assert one.result.digest != other.result.digest


def test_output_has_its_turn_and_notes_are_kept(tmp_path: Path) -> None:
    (report,) = play(job(write(tmp_path, TALKER)))
    mine = [move.turn for move in report.moves if move.seat == 0]
    said = [line for line in report.outputs if line.seat == 0 and line.stream == "stdout"]
    assert [line.text for line in said] == [f"turn {turn}" for turn in mine]
    # A line may be read when the move that followed it has been made already, but not before.
    turns = [-1 if line.turn is None else line.turn for line in said]
    assert all(seen >= turn for seen, turn in zip(turns, mine, strict=True))
    assert turns == sorted(turns)
    assert sorted(line.at for line in said) == [line.at for line in said]
    noted = [note for note in report.notes if note.seat == 0]
    assert [note.turn for note in noted] == mine
    assert noted[0].content["notes"] == [f"I see {mine[0]}"]
    assert [note for note in report.notes if note.seat == 1] == []  # random notes nothing


def test_a_bot_that_crashes_loses_and_says_why(tmp_path: Path) -> None:
    (report,) = play(job(None, write(tmp_path, CRASHER)))
    outcome = report.result.outcome
    assert outcome.winner == 0
    assert outcome.seats[1].cause is Cause.LEFT
    assert report.result.detail["bots"][1]["exit_code"] == 3
    assert "last words" in [line.text for line in report.outputs if line.seat == 1]


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_bot_that_somebody_killed_is_told_from_one_that_crashed(tmp_path: Path) -> None:
    killed = CRASHER.replace("os._exit(3)", "os.kill(os.getpid(), 9)")
    crashed, shot = play(
        job(None, write(tmp_path, CRASHER)), job(None, write(tmp_path, killed, "shot.py"))
    )
    assert shot.result.outcome.winner == 0
    assert killed_seats(shot) == {1}
    assert not killed_seats(crashed)


def test_a_bot_that_is_no_program_loses(tmp_path: Path) -> None:
    gone = BotSpec(BotKind.PROGRAM, "gone", (str(tmp_path / "gone"),))
    (report,) = play(job(gone), patience=Patience(join=20.0))
    assert report.result.outcome.seats[0].cause is Cause.LEFT
    assert report.result.detail["bots"][0]["trouble"] == "could not be started"
    assert report.moves == ()


@pytest.mark.parametrize("code", [errno.EMFILE, errno.EAGAIN, errno.ENOMEM])
def test_a_system_without_room_is_not_the_bots_fault(
    code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def start(*args: object, **options: object) -> BotProcess:
        raise StartFailure(f"python cannot be started: {os.strerror(code)}")

    monkeypatch.setattr(BotProcess, "start", start)
    with pytest.raises(ArenaTrouble, match="could not be started"):
        play(job())


def test_a_server_that_cannot_be_opened_is_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*args: object, **options: object) -> None:
        raise OSError(errno.EADDRINUSE, os.strerror(errno.EADDRINUSE))

    monkeypatch.setattr("spielleiter.server.Server.start", fail)
    with pytest.raises(ArenaTrouble, match="no server can be opened on this machine"):
        play(job())


def test_a_match_that_is_cut_leaves_no_program_behind(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    waits = f"""
from spielleiter import Bot, run
import os, pathlib, threading

class Waiter(Bot):
    def choose(self, state, clock):
        pathlib.Path({str(file)!r}).write_text(str(os.getpid()))
        threading.Event().wait()

run(Waiter)
"""

    async def main() -> None:
        player = SocketPlayer()
        task = asyncio.create_task(player.play(job(write(tmp_path, waits))))
        while not file.exists() or not file.read_text():
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await player.close()

    do(main())
    if sys.platform != "win32":
        with pytest.raises(ProcessLookupError):
            os.kill(int(file.read_text()), 0)


def test_a_server_that_would_turn_bots_away_is_our_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spielleiter.server.app.most_connections", lambda: 3)

    async def main() -> None:
        player = SocketPlayer()
        try:
            with pytest.raises(ArenaTrouble, match=r"room for 3 of 4 connections.*ulimit -n"):
                await player.play(job())
        finally:
            await player.close()

    do(main())


def test_people_do_not_play_runs() -> None:
    async def main() -> None:
        player = SocketPlayer()
        assert player.can_play(job()) is None
        reason = player.can_play(job(find_bot("human", GAME)))
        assert reason is not None
        assert "first 1 is a person" in reason

    do(main())
