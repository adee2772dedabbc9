"""Matches in worker processes: the same as over sockets, and no bot costs anybody else anything."""

from __future__ import annotations

import asyncio
import errno
import os
import re
import signal
import sys
import tempfile
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from arena.workers.written_bots import FIRST, bot
from spielleiter.arena.arena_match import Patience
from spielleiter.arena.bots import BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening, draw_opening
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.store.values import MatchReport
from spielleiter.arena.workers import pool as workers
from spielleiter.arena.workers.pool import WorkerPool
from spielleiter.games import get_game
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame, Cause

T = TypeVar("T")
GAME = get_game("hase-und-igel-2018")
BLOKUS = get_game("blokus-2027")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
SHORT = TimeControl(0.2, 0.4)
"""For bots that never come back. Others have all the time in the world."""
LONG = TimeControl(60.0, 120.0)

Write = Callable[..., BotSpec]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str, name: str = "mine.py", game: AnyGame = GAME) -> BotSpec:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return find_bot(str(path), game)

    return write


def run(main: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(120):
            return await main

    return asyncio.run(limited())


def job(
    first: BotSpec | str,
    second: BotSpec | str = "greedy",
    *,
    game: AnyGame = GAME,
    seed: int = 1,
    opening: Opening | None = None,
    time: TimeControl | None = LONG,
) -> MatchJob:
    one, two = (find_bot(spec, game) if isinstance(spec, str) else spec for spec in (first, second))
    opening = Opening(seed) if opening is None else opening
    names = (one.name, two.name if two.name != one.name else f"{two.name} 2")
    return MatchJob(seed, game, opening, (one, two), names, (seed * 2, seed * 2 + 1), time)


def play_all(jobs: list[MatchJob], size: int = 1) -> list[MatchReport]:
    async def main() -> list[MatchReport]:
        pool = WorkerPool(size)
        try:
            return list(await asyncio.gather(*map(pool.play, jobs)))
        finally:
            await pool.close()

    return run(main())


def play(*args: Any, **options: Any) -> MatchReport:
    (report,) = play_all([job(*args, **options)])
    return report


def causes(report: MatchReport) -> list[Cause]:
    return [seat.cause for seat in report.result.outcome.seats]


def said(report: MatchReport, seat: int = 0) -> list[str]:
    return [line.text for line in report.outputs if line.seat == seat]


# -- what a match is told as -----------------------------------------------------------------------


def test_an_opening_is_played_before_the_bots_begin() -> None:
    opening = draw_opening(BLOKUS, 5, 4)
    report = play("greedy", "random", game=BLOKUS, opening=opening)
    start = opening.position(BLOKUS)
    assert report.moves[0].turn == start.turn
    for move in report.moves:
        start = start.play(BLOKUS.parse_move(move.text))
    assert BLOKUS.format_position(start) == report.result.final
    assert report.result.slowest[0] == max(m.seconds for m in report.moves if m.seat == 0)


def test_notes_and_hints_are_kept(write: Write) -> None:
    noted = "        self.debug.note(f'turn {state.turn}')\n        self.hint('well')\n"
    report = play(write(bot(noted + FIRST)))
    own = [move.turn for move in report.moves if move.seat == 0]
    assert [(note.seat, note.turn, note.content["notes"]) for note in report.notes] == [
        (0, turn, [f"turn {turn}"]) for turn in own
    ]
    assert {move.hints for move in report.moves if move.seat == 0} == {("well",)}


# -- one bot costs nobody else anything ------------------------------------------------------------

NEVER = "        while True: pass\n"
ENDLESS = {
    "choose": (bot(NEVER), Cause.HARD_TIMEOUT),
    "stubborn": (
        bot(
            "        while True:\n"
            "            try:\n"
            "                while True: pass\n"
            "            except BaseException: pass\n"
        ),
        Cause.HARD_TIMEOUT,
    ),
    "hook": (bot(more="    def on_state(self, state):\n" + NEVER), Cause.HARD_TIMEOUT),
    "locked": (
        bot("        import re\n        re.match('(a|a)*b', 'a' * 60)\n"),
        Cause.HARD_TIMEOUT,
    ),
    "waits": (
        bot("        import threading\n        threading.Event().wait()\n"),
        Cause.HARD_TIMEOUT,
    ),
}


@pytest.mark.parametrize("where", ENDLESS)
def test_a_bot_that_does_not_come_back_has_lost(where: str, write: Write) -> None:
    text, cause = ENDLESS[where]
    report, following = play_all([job(write(text), time=SHORT), job("greedy", "random")])
    assert causes(report) == [cause, Cause.REGULAR]
    assert report.result.outcome.winner == 1
    assert report.result.detail == {"ended": {"0": "did not come back"}}
    if sys.platform != "win32":
        assert any("mine.py" in line for line in said(report))
    assert following.result.outcome.is_regular


def test_moves_that_were_made_are_kept(write: Write) -> None:
    late = f"        if state.turn > 3:\n    {NEVER}        print('turn', state.turn)\n{FIRST}"
    report = play(write(bot(late)), time=SHORT)
    assert causes(report)[0] is Cause.HARD_TIMEOUT
    assert [move.turn for move in report.moves] == [0, 1, 2, 3]
    assert said(report)[:2] == ["turn 0", "turn 2"]
    assert report.outputs[1].turn == 2


def test_a_late_move_has_lost_too(write: Write) -> None:
    text = bot("        while clock.remaining: pass\n" + FIRST)
    report = play(write(text), time=TimeControl(0.05, 60.0))
    assert causes(report) == [Cause.SOFT_TIMEOUT, Cause.REGULAR]
    assert report.moves == ()


def test_a_bot_that_never_arrives_has_lost(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "JOIN_SECONDS", 0.3)
    report = play("greedy", write(bot(above="while True: pass")))
    assert causes(report) == [Cause.REGULAR, Cause.LEFT]


def test_the_end_of_a_match_does_not_hang_either(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "LEAVE_SECONDS", 0.2)
    report = play(write(bot(more="    def on_result(self, outcome):\n" + NEVER)))
    assert report.result.outcome.is_regular
    assert report.result.outcome == GAME.parse_position(report.result.final).outcome()


CRASHES = {
    "os._exit": "        os._exit(0)\n",
    "segfault": "        import ctypes\n        ctypes.string_at(0)\n",
    "kill -9": "        os.kill(os.getpid(), 9)\n",
    "closes everything": "        os.closerange(0, 100)\n        print('still there')\n" + FIRST,
    "breaks recursion": (
        "        sys.setrecursionlimit(10**9)\n"
        "        import ctypes\n"
        "        ctypes.pythonapi.abort()\n"
    ),
}


@posix
@pytest.mark.parametrize("how", CRASHES)
def test_a_bot_that_ends_the_process_has_lost(how: str, write: Write) -> None:
    crash = "".join(f"    {line}\n" for line in CRASHES[how].splitlines())
    text = bot(f"        if state.turn == 2:\n{crash}{FIRST}")
    jobs = [job(write(text)), job("greedy", "random")]
    report, following = play_all(jobs)
    assert causes(report) == [Cause.LEFT, Cause.REGULAR]
    assert [move.turn for move in report.moves][:2] == [0, 1]
    assert report.result.outcome.winner == 1
    assert following.result.outcome.is_regular


FLOODS = {
    "print": "        print('x' * 100)\n" * 3,
    "one line": "        sys.stdout.write('x' * 1000000)\n",
    "past Python": "        os.write(1, b'x' * 99 + b'\\n')\n        os.system('echo child')\n",
    "more than a pipe": "        for _ in range(30): os.write(2, b'x' * 9999 + b'\\n')\n",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_what_a_bot_prints_is_kept_and_limited(flood: str, write: Write) -> None:
    report = play(write(bot(FLOODS[flood] + FIRST)))
    assert report.result.outcome.is_regular
    lines = said(report)
    assert lines
    assert said(report, 1) == []
    assert sum(map(len, lines)) < 300_000
    if flood == "past Python":
        assert "child" in lines


LEFTOVERS = {
    "thread": "import threading\nthreading.Thread(target=threading.Event().wait).start()",
    "child": (
        "import subprocess\n"
        "subprocess.Popen([sys.executable, '-c', 'import threading; threading.Event().wait()'])"
    ),
    "builtins": "import builtins\nbuiltins.mess = None",
    "output": "os.close(1)",
    "signal": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
}


@posix
@pytest.mark.parametrize("what", LEFTOVERS)
def test_a_process_in_which_something_is_left_is_not_used_again(what: str, write: Write) -> None:
    asks = bot("        print(os.getpid())\n" + FIRST)
    first = write(asks, "asks.py")
    dirty = write(bot(above=LEFTOVERS[what]), "dirty.py")
    one, two, three = play_all([job(first), job(dirty), job(first)])
    assert said(one)[0] != said(three)[0]
    assert "worker" in two.result.detail
    assert three.result.outcome.is_regular


CHANGES = {
    "path": ("sys.path.clear()", "from zoneinfo import ZoneInfo"),
    "random": ("import random; random.seed(0)", "import random; print(random.random())"),
    "recursion": ("sys.setrecursionlimit(5000)", "print(sys.getrecursionlimit() == 5000)"),
    "environment": ("os.environ['MESS'] = '1'", "print('MESS' in os.environ)"),
    "folder": ("os.chdir('/')", "print(os.getcwd() == '/')"),
    "streams": ("sys.stdout.close(); sys.stdin.close()", "print(sys.stdin.read())"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_what_a_bot_changes_for_itself_is_its_own(what: str, write: Write) -> None:
    mess, look = CHANGES[what]
    messy = write(bot(f"        {mess}\n{FIRST}"), "messy/messy.py")
    tidy = write(bot(f"        {look}\n{FIRST}"), "tidy/tidy.py")
    swapped, after = play_all([job(messy, tidy), job(tidy, "greedy")])
    assert swapped.result.outcome.is_regular
    assert after.result.outcome.is_regular
    if what == "random":
        assert "0.8444218515250481" not in said(swapped, 1)  # what Python draws first after seed(0)
    elif what != "environment":
        assert "True" not in said(swapped, 1)
    assert "True" not in said(after)


def test_matches_do_not_remember_each_other(write: Write) -> None:
    text = bot(
        "        seen.append(1)\n        self.known.append(1)\n"
        "        print(len(seen), len(self.known), helper.count())\n" + FIRST,
        above="import helper\nseen = []",
        more="    known = []",
    )
    helper = "numbers = []\ndef count():\n    numbers.append(1)\n    return len(numbers)\n"
    spec = write(text, "own/bot.py")
    (Path(str(spec.folder)) / "helper.py").write_text(helper)
    for report in play_all([job(spec, spec), job(spec, spec)]):
        for seat in (0, 1):
            assert said(report, seat)[:2] == ["1 1 1", "2 2 2"]


def test_files_of_the_same_name_do_not_meet(write: Write, tmp_path: Path) -> None:
    specs = []
    for name in ("one", "two"):
        late = "        import late\n        print(helper.NAME, late.NAME)\n"
        specs.append(write(bot(late + FIRST, above="import helper"), f"{name}/bot.py"))
        (tmp_path / name / "helper.py").write_text(f"NAME = {name!r}\n")
        (tmp_path / name / "late.py").write_text(f"NAME = {name!r}\n")
    report = play(*specs)
    assert set(said(report, 0)[:-1]) == {"one one"}  # the last line is the result
    assert set(said(report, 1)[:-1]) == {"two two"}


def test_a_file_without_run_is_a_bot_too(write: Write) -> None:
    assert play(write(bot(end=""))).result.outcome.is_regular


# -- the pool --------------------------------------------------------------------------------------


def test_what_cannot_play_here_is_told(write: Write, tmp_path: Path) -> None:
    async def main() -> list[str | None]:
        pool = WorkerPool(1)
        specs: list[BotSpec | str] = ["greedy", write(bot())]
        specs.append(write("import socket\nsocket.socket()\n", "own.py"))
        specs.append(
            write(
                bot(end="from spielleiter.client.runner import run_match\nrun_match(Mine)"), "on.py"
            )
        )
        specs.append(find_bot(f"{sys.executable} {tmp_path / 'own.py'}", GAME))
        reasons = [pool.can_play(job(spec)) for spec in specs]
        with pytest.raises(ArenaTrouble, match="--sockets"):
            await pool.play(job(specs[2]))
        await pool.close()
        return reasons

    reasons = run(main())
    assert reasons[:2] == [None, None]
    for reason, words in zip(reasons[2:], ("by itself", "run_match", "a command"), strict=True):
        assert reason is not None
        assert words in reason


def test_a_worker_that_somebody_ends_between_moves_costs_nobody_a_match() -> None:
    async def main() -> tuple[MatchReport, MatchReport]:
        pool = WorkerPool(1)
        try:
            before = await pool.play(job("greedy", "random"))
            (worker,) = pool._idle
            os.kill(worker.process.pid, signal.SIGKILL if sys.platform != "win32" else 9)
            return before, await pool.play(job("greedy", "random"))
        finally:
            await pool.close()

    before, after = run(main())
    assert after.result.outcome == before.result.outcome
    assert after.result.digest == before.result.digest


def test_a_match_that_is_cut_leaves_no_process(write: Write) -> None:
    async def main() -> None:
        pool = WorkerPool(1)
        task = asyncio.create_task(pool.play(job(write(bot(NEVER)), time=None)))
        while not pool._started:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await pool.close()
        assert not pool._idle

    run(main())


def test_workers_that_cannot_start_are_our_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/there/is/no/python")
    with pytest.raises(ArenaTrouble, match="cannot be started"):
        play("greedy", "random")


def test_a_disk_without_room_for_workers_is_our_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: Path) -> None:
        raise OSError(errno.ENOSPC, "it is full")

    monkeypatch.setattr(workers.Journal, "create", refuse)
    place = re.escape(tempfile.gettempdir())
    with pytest.raises(ArenaTrouble, match=f"no room for a worker's .* {place}: it is full"):
        play("greedy", "random")


def test_processes_are_replaced_after_many_matches(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MOST_MATCHES", 2)
    spec = write(bot("        print(os.getpid())\n" + FIRST))
    pids = [said(report)[0] for report in play_all([job(spec)] * 3)]
    assert pids[0] == pids[1] != pids[2]


def test_the_patience_is_that_of_matches_over_sockets() -> None:
    assert Patience().join == workers.JOIN_SECONDS
    assert Patience().leave == workers.LEAVE_SECONDS
