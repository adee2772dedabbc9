"""Matches in one process have a real clock, and a result whatever a bot does."""

from __future__ import annotations

import contextlib
import sys
import threading
from pathlib import Path

import pytest

from spielleiter import Bot
from spielleiter.client.bot import BotMistake
from spielleiter.games import get_game
from spielleiter.games.hase_und_igel import Advance, HareMove
from spielleiter.rules import Cause
from spielleiter.testing import assert_legal, play_in_process

GAME = get_game("hase-und-igel-2018")
SHORT = 0.05
"""Seconds for a move where a bot is to be stopped."""


def first(state):
    return state.legal_moves()[0]


def causes(match) -> list[Cause]:
    return [seat.cause for seat in match.outcome.seats]


def test_the_clock_is_that_of_the_contest_and_runs():
    seen = []

    def choose(state, clock):
        seen.append((clock.limit, clock.remaining, clock.elapsed))
        return first(state)

    assert play_in_process(choose, first, GAME).outcome.is_regular
    assert {limit for limit, _, _ in seen} == {2.0}
    assert all(0 < remaining <= 2 for _, remaining, _ in seen)
    assert all(elapsed > 0 for _, _, elapsed in seen)


def test_who_thinks_until_little_is_left_comes_to_an_end():
    def choose(state, clock):
        while clock.remaining > 59.99:
            pass
        return first(state)

    assert play_in_process(choose, first, GAME, seconds=60).outcome.is_regular


def test_without_a_limit_the_clock_stands_still():
    seen = set()

    def choose(state, clock):
        seen.add(
            (clock.remaining, clock.elapsed, threading.current_thread() is threading.main_thread())
        )
        return first(state)

    play_in_process(choose, first, GAME, seconds=None)
    assert seen == {(float("inf"), 0.0, True)}


class Raises(Bot):
    def choose(self, state, clock):
        if state.turn >= 2:
            return 1 / 0  # this line
        return first(state)


class Saved(Raises):
    def fallback(self, state):
        return first(state)


class Exits(Bot):
    def choose(self, state, clock):
        sys.exit(3)


class Cheats(Bot):
    def choose(self, state, clock):
        return HareMove((Advance(64),))


class Unmakeable(Bot):
    def __init__(self):
        raise ValueError("no luck")

    def choose(self, state, clock):
        return first(state)


@pytest.mark.parametrize(
    ("bot", "cause", "words"),
    [
        (
            Raises,
            Cause.LEFT,
            ("Raises.choose failed in turn 2", "ZeroDivisionError", "# this line"),
        ),
        (
            Exits,
            Cause.LEFT,
            ("Exits ended itself with sys.exit() in turn 0 (test_matches.py, line",),
        ),
        (Cheats, Cause.RULE_VIOLATION, ("Cheats.choose returned what cannot be played in turn 0",)),
        (
            Unmakeable,
            Cause.LEFT,
            ("Unmakeable could not be made: ValueError: no luck (test_matches.py, line",),
        ),
    ],
)
def test_a_fault_costs_the_match_and_says_where(bot, cause, words):
    match = play_in_process(bot, first, GAME, seed=1)
    assert causes(match) == [cause, Cause.REGULAR]
    assert match.outcome.winner == 1
    (problem,) = match.problems
    assert all(word in problem for word in words), problem
    assert len(match.states) == len(match.moves) + 1
    mirrored = play_in_process(first, bot, GAME, seed=1)
    assert mirrored.outcome.winner == 0


def test_a_fallback_saves_the_match_as_on_a_server():
    match = play_in_process(Saved, first, GAME)
    assert match.outcome.is_regular
    assert "Saved.choose failed in turn 2" in match.problems[0]


def test_a_match_without_faults_has_no_problems():
    assert play_in_process(first, first, GAME).problems == ()


class Loops(Bot):
    def choose(self, state, clock):
        while True:
            state.turn  # noqa: B018


class Stubborn(Bot):
    """It catches what it can."""

    def choose(self, state, clock):
        while True:
            with contextlib.suppress(Exception):
                state.turn  # noqa: B018


class LoopsInHook(Bot):
    def on_state(self, state):
        while True:
            state.turn  # noqa: B018

    def choose(self, state, clock):
        return first(state)


@pytest.mark.parametrize("bot", [Loops, Stubborn, LoopsInHook])
def test_an_endless_loop_ends_and_is_shown(bot):
    match = play_in_process(bot, first, GAME, seconds=SHORT)
    assert causes(match) == [Cause.HARD_TIMEOUT, Cause.REGULAR]
    assert f"{bot.__name__} did not come back" in match.problems[-1]
    assert (
        "state.turn" in match.problems[-1]
        or "while True" in match.problems[-1]
        or "suppress" in match.problems[-1]
    )
    assert "still runs" not in match.problems[-1]


def test_what_sleeps_outside_python_is_left_alone():
    woken = threading.Event()

    class Sleeps(Bot):
        def choose(self, state, clock):
            woken.wait()  # for ever: no exception reaches it there

    try:
        match = play_in_process(Sleeps, first, GAME, seconds=SHORT)
    finally:
        woken.set()
    assert causes(match) == [Cause.HARD_TIMEOUT, Cause.REGULAR]
    assert "woken.wait()" in match.problems[0]


def test_single_moves_have_an_end_too():
    with pytest.raises(
        AssertionError, match=r"Loops did not come back within 0.05 s[\s\S]*in choose"
    ):
        assert_legal(Loops, GAME.start(1), seconds=SHORT)


def test_a_late_move_is_lost():
    def choose(state, clock):
        while clock.remaining:
            pass
        return first(state)

    match = play_in_process(choose, first, GAME, seconds=SHORT)
    assert causes(match)[0] in (Cause.SOFT_TIMEOUT, Cause.HARD_TIMEOUT)
    assert "choose took" in match.problems[0] or "did not come back" in match.problems[0]


def test_names_files_and_folders_are_bots(tmp_path: Path):
    source = (
        "from spielleiter import Bot, run\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
    )
    (tmp_path / "bot.py").write_text(source + "        return state.legal_moves()[0]\nrun(Mine)\n")
    expected = play_in_process(first, GAME.players["random"], GAME, seed=4)
    for bot in (tmp_path, str(tmp_path), tmp_path / "bot.py"):
        assert play_in_process(bot, "random", GAME, seed=4) == expected
    with pytest.raises(BotMistake, match="there is no file"):
        play_in_process(tmp_path / "missing", first)
    with pytest.raises(BotMistake, match="is not a bot"):
        play_in_process(5, first)


def test_everything_of_a_bot_happens_in_one_thread():
    threads = set()

    class Sees(Bot):
        def __init__(self):
            threads.add(threading.get_ident())

        def on_start(self, state):
            threads.add(threading.get_ident())

        def choose(self, state, clock):
            threads.add(threading.get_ident())
            return first(state)

    play_in_process(Sees, first, GAME)
    assert len(threads) == 1


def test_searcher_uses_its_time_here_too():
    state = GAME.start(3)
    clocks = []

    class Seen:
        def __init__(self, seed):
            self.player = GAME.players["searcher"](seed)

        def choose(self, state, clock):
            move = self.player.choose(state, clock)
            clocks.append(clock.elapsed)
            return move

    while not state.is_over and state.turn < 58:
        state = state.play(state.legal_moves()[0])
    match = play_in_process(Seen, first, start=state, seconds=30)
    assert match.states[-1].is_over
    assert clocks
    assert all(clock > 0 for clock in clocks)
