"""Where a bot is when its time is up, shown while it is there."""

from __future__ import annotations

import asyncio
import math
import subprocess
import sys
import threading
from pathlib import Path
from types import FrameType

import pytest

from spielleiter.client import watchdog as watching
from spielleiter.client.bot import Bot, make_bot
from spielleiter.client.clock import MoveClock
from spielleiter.client.thinker import Thinker
from spielleiter.client.watchdog import Watchdog, describe_frames, own_frames
from spielleiter.games import get_game

STATE = get_game("blokus-2021").start(1)
PATIENCE, SHORT = 60, 0.01


class Stage:
    """A time that only the bot turns on, and what was said."""

    def __init__(self) -> None:
        self.now = 0.0
        self.lines: list[str] = []
        self._came = threading.Event()

    def say(self, line: str) -> None:
        self.lines.append(line)
        self._came.set()

    def wait_for_the_watchdog(self) -> None:
        self.now = 5.0
        assert self._came.wait(PATIENCE)

    def thinker(self, bot) -> Thinker:
        dog = Watchdog(self.say, "mine", lambda: self.now)
        return Thinker(make_bot(bot, 1), self.say, "mine", watchdog=dog, hook_seconds=SHORT)

    def clock(self) -> MoveClock:
        return MoveClock(SHORT, now=lambda: self.now)


def test_a_choice_that_takes_too_long_is_shown_with_its_own_lines() -> None:
    stage = Stage()

    def deeper(state):
        stage.wait_for_the_watchdog()  # the line it is in
        return state.legal_moves()[0]

    stage.thinker(lambda state: deeper(state)).decide(STATE, stage.clock())
    headline, *lines = stage.lines
    assert (
        headline == f"!!! mine is still in choose after {SHORT} s, in turn 0 (round 1); it is here:"
    )
    assert any("stage.wait_for_the_watchdog()  # the line it is in" in line for line in lines)
    assert not any("threading.py" in line or "thinking.py" in line for line in lines)


def test_a_hook_is_shown_too() -> None:
    stage = Stage()

    class Slow(Bot):
        def choose(self, state, clock):
            pass

        def on_state(self, state):
            stage.wait_for_the_watchdog()

    stage.thinker(Slow).show(STATE)
    assert stage.lines[0] == f"!!! mine is still in on_state after {SHORT} s; it is here:"


def test_where_a_coroutine_waits_is_found() -> None:
    found = []

    async def choose(state):
        asyncio.get_running_loop().call_soon(lambda: found.extend(watched._waiting_frames()))
        await asyncio.sleep(0)
        return state.legal_moves()[0]

    watched = Stage().thinker(choose)
    watched.decide(STATE, MoveClock())
    watched.close()
    assert "choose" in [frame.f_code.co_name for frame in found]


def test_what_is_in_time_or_has_no_limit_is_not_shown() -> None:
    stage = Stage()
    dog = Watchdog(stage.say, "mine", lambda: stage.now)
    with dog.watch("choose", 3600.0):
        pass
    stage.now = 7200.0
    with dog.watch("choose", math.inf):
        pass
    assert stage.lines == []


class Alarms:
    """Stands in for the module that dumps without Python, and counts."""

    def __init__(self) -> None:
        self.set: list[float] = []
        self.cancelled = threading.Event()

    def dump_traceback_later(self, seconds: float, file: object) -> None:
        self.set.append(seconds)
        self.cancelled.clear()

    def cancel_dump_traceback_later(self) -> None:
        self.cancelled.set()


@pytest.fixture
def alarms(monkeypatch: pytest.MonkeyPatch) -> Alarms:
    found = Alarms()
    monkeypatch.setattr(watching, "faulthandler", found)
    return found


def test_calls_that_follow_each_other_share_an_alarm(alarms: Alarms) -> None:
    stage = Stage()
    dog = Watchdog(stage.say, "mine", lambda: stage.now)
    for number in range(10):
        stage.now = number / 100
        with dog.watch("choose", 3600.0):
            pass
    assert len(alarms.set) == 1
    assert alarms.set[0] > 3600.5  # late enough for every one of them
    with dog.watch("choose", 1800.0):  # but not for one that has less time
        assert len(alarms.set) == 2
    stage.now = 10.0
    with dog.watch("choose", 3600.0):  # or much more
        assert len(alarms.set) == 3
    dog.close()
    assert alarms.cancelled.is_set()


def test_the_call_that_lasts_is_shown_and_not_the_one_that_set_the_alarm(alarms: Alarms) -> None:
    stage = Stage()
    dog = Watchdog(stage.say, "mine", lambda: stage.now)
    with dog.watch("the first", 1 + SHORT):
        pass
    stage.now = 1.0
    with dog.watch("the second", SHORT):
        stage.wait_for_the_watchdog()
    assert stage.lines[0] == "!!! mine is still in the second; it is here:"
    assert len([line for line in stage.lines if line.startswith("!!!")]) == 1
    assert alarms.cancelled.is_set()


def test_who_does_nothing_is_left_alone(alarms: Alarms) -> None:
    """The alarm that a call has set is off when it would be due."""
    stage = Stage()
    dog = Watchdog(stage.say, "mine", lambda: stage.now)
    with dog.watch("choose", SHORT):
        pass
    stage.now = 5.0
    assert alarms.cancelled.wait(PATIENCE)
    assert stage.lines == []


def test_deep_recursion_is_cut() -> None:
    def dive(depth: int) -> list[FrameType]:
        if depth % 2:
            return dive(depth - 1)
        return dive(depth - 1) if depth else own_frames(threading.get_ident())

    lines = describe_frames([(frame, frame.f_lineno) for frame in dive(50)])
    assert len(lines) <= 13  # with its headline it fits into what is shown of a bot that failed
    assert any("more calls" in line for line in lines)
    assert "own_frames(threading.get_ident())" in lines[-1]
    assert "in no line of its own file" in describe_frames([])[0]


GREEDY_FOR_THE_LOCK = """
import sys
from spielleiter.client.watchdog import Watchdog

def choose():
    return sum(range(3 * 10**8))  # one call that lets nothing else run

with Watchdog(lambda line: print(line, file=sys.stderr), "mine").watch("choose", 0.0):
    choose()
"""


def test_a_call_that_lets_nothing_else_run_is_shown_by_python_itself(tmp_path: Path) -> None:
    program = tmp_path / "bot.py"
    program.write_text(GREEDY_FOR_THE_LOCK)
    done = subprocess.run(
        [sys.executable, str(program)],
        capture_output=True,
        text=True,
        timeout=5 * PATIENCE,
        check=True,
    )
    assert f'"{program}", line 6 in choose' in done.stderr or "return sum(" in done.stderr


DUMP = """said before
Timeout (0:00:02.500000)!
Thread 0x00007f5b1ffff6c0 (most recent call first):
  File "{threading}", line 327 in wait
  File "{ours}", line 77 in _run

Thread 0x00007f5b24b41740 (most recent call first):
  File "{authors}", line 6 in choose
  File "{ours}", line 140 in decide
  File "<frozen runpy>", line 88 in _run_code"""


def test_pythons_own_dump_is_shown_with_the_authors_lines_only() -> None:
    dump = DUMP.format(threading=threading.__file__, ours=watching.__file__, authors=__file__)
    assert watching.tidy_dump(dump.splitlines()) == [
        "said before",
        "Timeout (0:00:02.500000)!",
        "",
        "Thread 0x00007f5b24b41740 (most recent call first):",
        f'  File "{__file__}", line 6 in choose',
    ]


@pytest.mark.parametrize("stream", [None, object()])
def test_without_an_output_nothing_breaks(stream, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", stream)
    with Watchdog(lambda _: None, "mine").watch("choose", 3600.0):
        pass
