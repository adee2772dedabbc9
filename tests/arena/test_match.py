"""Whole matches with real processes over real sockets, of good bots and every kind of bad ones.

Nothing ever hangs.
"""

from __future__ import annotations

import asyncio
import re
import sys
import threading
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest

from spielleiter.arena.arena_match import (
    ArenaMatch,
    NeverBegan,
    Patience,
    Trouble,
    WatchedPosition,
)
from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.match import open_server, play_arena_match
from spielleiter.arena.seating import PersonLeaves, Seating
from spielleiter.arena.verdict import (
    OUTPUT_LINES,
    explain,
    last_words,
    output_lines,
    printed_lines,
    warnings,
)
from spielleiter.games import get_game
from spielleiter.processes.program import BotProcess
from spielleiter.rules import Cause, State
from spielleiter.server import Settings
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.room import Room

T = TypeVar("T")
GAME = get_game("hase-und-igel-2018")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")

FIRST = "        return state.legal_moves()[0]\n"


def bot(choose: str = FIRST, above: str = "") -> str:
    head = (
        f"from spielleiter import Bot, run\n{above}\nclass Mine(Bot):\n    def choose(self, "
        "state, clock):\n"
    )
    return f"{head}{choose}\nrun(Mine)\n"


@pytest.fixture
def write(tmp_path: Path) -> Any:
    def write(text: str, name: str = "mine.py") -> BotSpec:
        path = tmp_path / name
        path.write_text(text)
        if path.suffix != ".py":
            path.chmod(0o755)
        return find_bot(str(path), GAME)

    return write


def run(main: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(60):
            return await main

    return asyncio.run(limited())


def play(first: BotSpec | str, second: BotSpec | str = "random", **options: Any) -> ArenaMatch:
    bots = [find_bot(one, GAME) if isinstance(one, str) else one for one in (first, second)]
    return run(play_arena_match(bots, GAME, seed=1, **options))


async def first_move(state: State[Any]) -> Any:
    return state.legal_moves()[0]


def causes(played: ArenaMatch) -> list[Cause]:
    return [seat.cause for seat in played.outcome.seats]


# -- games as they should be -----------------------------------------------------------------------


def test_a_game_to_its_end(write: Any, tmp_path: Path) -> None:
    noted = "        self.debug.note(f'turn {state.turn}')\n        print('thinking')\n"
    sights: list[WatchedPosition] = []
    played = play(write(bot(noted + FIRST)), watch=sights.append, logs=tmp_path / "logs")
    record = played.record
    assert played.is_regular
    assert causes(played) == [Cause.REGULAR, Cause.REGULAR]
    assert record.names == ("mine", "random")
    assert record.final is not None
    assert record.final.is_over
    assert [watched.state for watched in sights] == [shown.state for shown in record.shown]
    assert [watched.move for watched in sights] == [None, *record.moves]
    assert all(move.seconds >= 0 for move in record.moves)
    state = GAME.start(1)
    for move in record.moves:
        state = state.play(move.move)
    assert state == record.final
    mine, other = played.bots
    assert [(one.exit_code, one.was_ended, one.trouble) for one in played.bots] == [
        (0, False, None)
    ] * 2
    own = [move.turn for move in record.moves if move.seat == 0]
    assert [(note["turn"], note["notes"]) for note in mine.notes] == [
        (turn, [f"turn {turn}"]) for turn in own
    ]
    assert [
        watched.thoughts and (watched.thoughts.turn, watched.thoughts.notes)
        for watched in sights
        if watched.move
    ] == [(move.turn, (f"turn {move.turn}",) if move.seat == 0 else ()) for move in record.moves]
    assert mine.stdout.splitlines() == ["thinking"] * len(own)
    assert "thinking" in (tmp_path / "logs" / "1-mine.log").read_text()
    assert other.stderr.startswith("random: ")
    winner = record.names[played.outcome.winner or 0]
    assert explain(played).startswith(f"{winner} wins, field ")
    assert explain(played).endswith(played.outcome.reason.en)
    assert last_words(played) == []
    assert warnings(played) == []
    assert output_lines(played)[: len(own)] == ["mine | thinking"] * len(own)
    assert printed_lines(played) == [f"mine: {len(own)} lines printed, --output shows them"]
    (said,) = output_lines(played)[len(own) :]
    assert said.startswith(("mine ! won, field ", "mine ! lost, field "))


def test_what_went_wrong_in_a_bot_that_played_on_is_said(write: Any) -> None:
    above = "class Base(Bot):\n    def fallback(self, state): return state.legal_moves()[0]\n"
    text = bot("        return 1 / (state.turn % 4) and state.legal_moves()[0]\n", above).replace(
        "Mine(Bot)", "Mine(Base)"
    )
    text = text.replace(
        "\nrun(",
        "\n    def on_start(self, state): [][0]\n    def on_state(self, state): {}[state.turn]\n"
        "run(",
    )
    sights: list[WatchedPosition] = []
    played = play(write(text), watch=sights.append)
    assert played.is_regular
    turns = [move.turn for move in played.record.moves if move.seat == 0 and move.turn % 4 == 0]
    assert len(turns) > 1
    fallbacks, start, states = warnings(played)
    assert fallbacks == (
        f"{len(turns)} moves of mine were fallback moves, the first in turn 0: "
        "ZeroDivisionError: division by zero (mine.py, line 7)"
    )
    assert (
        start
        == "on_start of mine failed once: IndexError: list index out of range (mine.py, line 9)"
    )
    shown = len(played.record.shown)
    assert (
        states
        == f"on_state of mine failed {shown} times, the first time: KeyError: 0 (mine.py, line 10)"
    )
    assert [
        watched.move.turn
        for watched in sights
        if watched.move and watched.thoughts and watched.thoughts.is_fallback
    ] == turns


def test_output_has_a_limit_and_does_nothing_to_the_terminal(write: Any) -> None:
    loud = "        print('x\\x1b[2J\\ty\\n' * 50)\n"
    lines = [
        line for line in output_lines(play(write(bot(loud + FIRST)))) if line.startswith("mine |")
    ]
    assert lines[0] == "mine | ... what was printed before is left out"
    assert len(lines) == OUTPUT_LINES + 1
    assert set(lines[1:]) == {"mine | x   y", "mine | "}


def test_the_same_seed_gives_the_same_game_and_many_share_a_server() -> None:
    bots = [find_bot("random", GAME), find_bot("random", GAME)]
    clock = FairClock()

    async def main() -> list[ArenaMatch]:
        async with asyncio.timeout(60), open_server(Settings(), clock) as server:
            games = [play_arena_match(bots, GAME, seed=seed, server=server) for seed in (1, 2, 1)]
            return await asyncio.gather(*games)

    with asyncio.Runner(loop_factory=lambda: make_loop(clock)) as runner:
        one, two, again = runner.run(main())
    moves = [[move.move for move in played.record.moves] for played in (one, two, again)]
    assert moves[0] == moves[2] != moves[1]
    assert one.record.names == ("random", "random 2")
    assert all(played.is_regular for played in (one, two, again))


def test_who_watches_one_of_many_games_sees_every_position_of_it_once() -> None:
    bots = [find_bot("random", GAME), find_bot("random", GAME)]
    seen: dict[int, list[WatchedPosition]] = {1: [], 2: []}

    async def main() -> list[ArenaMatch]:
        async with asyncio.timeout(60), open_server(Settings()) as server:
            games = [
                play_arena_match(bots, GAME, seed=seed, server=server, watch=seen[seed].append)
                for seed in (1, 2)
            ]
            return await asyncio.gather(*games)

    for played, sights in zip(asyncio.run(main()), seen.values(), strict=True):
        assert [watched.state for watched in sights] == [one.state for one in played.record.shown]
        assert [watched.move for watched in sights] == [None, *played.record.moves]
        assert {watched.names for watched in sights} == {("random", "random 2")}


def test_a_bot_file_without_run_is_run(write: Any) -> None:
    text = bot().replace("run(Mine)", "")
    assert play(write(text)).is_regular


def test_a_person_plays(write: Any) -> None:
    asked: list[State[Any]] = []

    async def choose(state: State[Any]) -> Any:
        asked.append(state)
        return state.legal_moves()[0]

    # A person has all the time in the world, however little the bots have.
    played = play("random", "human", human=choose, settings=Settings(no_timeout=True))
    assert played.is_regular
    assert [state.seat for state in asked] == [1] * len(asked)
    assert len(asked) == sum(move.seat == 1 for move in played.record.moves)


def test_what_a_person_raises_ends_the_game(write: Any) -> None:
    async def choose(state: State[Any]) -> Any:
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        play("random", "human", human=choose)


def test_a_person_who_leaves_loses(write: Any) -> None:
    async def leave(state: State[Any]) -> Any:
        raise PersonLeaves

    played = play("human", human=leave)
    assert causes(played) == [Cause.LEFT, Cause.REGULAR]


def test_a_guest_is_waited_for_and_the_room_is_told_before() -> None:
    guest = BotSpec(BotKind.GUEST, "somebody")

    async def main() -> ArenaMatch:
        async with open_server(Settings()) as server:
            rooms: list[Room] = []
            bots = [guest, find_bot("random", GAME)]
            seating = Seating(opened=rooms.append, timed=False)
            match = asyncio.create_task(
                play_arena_match(bots, GAME, seed=1, server=server, seating=seating)
            )
            while not rooms:
                await asyncio.sleep(0)
            assert [seat.can_timeout for seat in rooms[0].seats] == [False, False]
            code = rooms[0].reservation_codes[0]
            command = find_bot("random", GAME).command(server.local_host, server.port, code)
            process = await asyncio.create_subprocess_exec(
                *command, stderr=asyncio.subprocess.DEVNULL
            )
            played = await match
            await process.wait()
            return played

    played = run(main())
    assert played.is_regular
    assert played.bots[0].name == "somebody"


def test_a_room_that_is_closed_while_it_waits_ends_the_match() -> None:
    async def main() -> None:
        async with open_server(Settings()) as server:
            rooms: list[Room] = []
            bots = [BotSpec(BotKind.GUEST, "somebody"), find_bot("random", GAME)]
            match = asyncio.create_task(
                play_arena_match(
                    bots, GAME, seed=1, server=server, seating=Seating(opened=rooms.append)
                )
            )
            while not rooms:
                await asyncio.sleep(0)
            rooms[0].cancel()
            with pytest.raises(NeverBegan):
                await match

    run(main())


def test_a_bot_may_print_ten_megabytes(write: Any) -> None:
    loud = "        if state.turn == 0:\n            for _ in range(160): print('x' * 65535)\n"
    played = play(write(bot(loud + FIRST)), settings=Settings(no_timeout=True))
    assert played.is_regular
    assert len(played.bots[0].stdout) == 1024**2
    assert played.bots[0].printed == 160
    assert printed_lines(played) == ["mine: 160 lines printed, --output shows them"]


@posix
def test_a_launcher_in_the_background(write: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(bot())
    script = write(f'#!/bin/sh\n"{sys.executable}" "{tmp_path}/mine.py" "$@" &\n', "launch.sh")
    assert play(script).is_regular


# -- bots that fail --------------------------------------------------------------------------------


def test_a_bot_that_ends_at_once(write: Any) -> None:
    played = play(write("import socket, sys\nsys.exit('no licence today')\n"))
    assert played.bots[0].trouble is Trouble.ENDED_EARLY
    assert played.bots[0].exit_code == 1
    assert causes(played) == [Cause.LEFT, Cause.REGULAR]
    assert explain(played) == "mine ended before it joined the game (exit code 1). random wins."
    assert last_words(played) == ["The last that mine said:", "    no licence today"]
    assert not played.bots[1].was_ended


def test_two_bots_that_end_at_once(write: Any) -> None:
    played = play(write("import socket\n"), write("import socket\n", "yours.py"))
    assert played.outcome.winner is None
    assert explain(played) == (
        "mine ended before it joined the game (exit code 0). yours ended before it joined the game "
        "(exit code 0). "
        "Nobody wins."
    )


def test_a_bot_that_never_joins(write: Any) -> None:
    idle = write("import socket, threading\nthreading.Event().wait()\n")
    played = play(idle, "human", human=first_move, patience=Patience(join=0.3))
    assert (played.bots[0].trouble, played.bots[0].was_ended) == (Trouble.NEVER_JOINED, True)
    assert explain(played) == "mine did not join the game within 0.3 s. human wins."


@posix
def test_a_bot_that_cannot_be_started(write: Any) -> None:
    played = play(write("echo hello\n", "mine"), "human", human=first_move)
    assert played.bots[0].trouble is Trouble.NOT_STARTED
    assert explain(played).startswith("mine could not be started: ")
    assert "Exec format error" in explain(played)


def test_a_bot_that_raises_in_choose(write: Any) -> None:
    played = play(write(bot("        return {}['plan']\n")))
    assert causes(played) == [Cause.LEFT, Cause.REGULAR]
    assert (
        explain(played)
        == "mine left the game in turn 0: its program ended (exit code 1). random wins."
    )
    said = "\n".join(last_words(played))
    assert 'mine.py", line 5, in choose' in said
    assert "KeyError: 'plan'" in said


@posix
def test_a_bot_that_is_killed(write: Any) -> None:
    played = play(write(bot("        os.kill(os.getpid(), 9)\n", "import os")))
    assert (
        explain(played)
        == "mine left the game in turn 0: its program ended (killed by SIGKILL). random wins."
    )


def test_a_bot_that_plays_an_illegal_move(write: Any) -> None:
    played = play(write(bot("        return state.game.parse_move('A40')\n")))
    assert causes(played) == [Cause.RULE_VIOLATION, Cause.REGULAR]
    assert explain(played).startswith("mine broke a rule in turn 0: ")
    assert explain(played).endswith(" random wins.")
    assert not played.is_regular


def test_a_bot_that_sleeps(write: Any) -> None:
    idle = write(bot("        threading.Event().wait()\n", "import threading"))
    played = play(
        idle, settings=Settings(soft_timeout=0.1, hard_timeout=0.2), patience=Patience(leave=0.1)
    )
    assert causes(played) == [Cause.HARD_TIMEOUT, Cause.REGULAR]
    assert explain(played) == "mine did not move within 0.2 s in turn 0. random wins."
    assert played.bots[0].was_ended


def test_a_bot_that_is_too_slow(write: Any) -> None:
    slow = write(bot("        threading.Event().wait(0.2)\n" + FIRST, "import threading"))
    played = play(slow, settings=Settings(soft_timeout=0.05, hard_timeout=30))
    assert causes(played) == [Cause.SOFT_TIMEOUT, Cause.REGULAR]
    # Not always in its first turn: a pause of the whole machine is not charged to it (W17).
    reason = r"mine took longer than the 0\.05 s it has for a move in turn \d+\. random wins\."
    assert re.fullmatch(reason, explain(played))


def test_a_game_that_takes_too_long_is_stopped(write: Any) -> None:
    idle = write(bot("        threading.Event().wait()\n", "import threading"))
    played = play(idle, settings=Settings(no_timeout=True), patience=Patience(leave=0.1, match=0.3))
    assert played.was_cancelled
    assert not played.is_regular
    assert (
        explain(played)
        == "The game took longer than 0.3 s and was stopped at field 0 : 0, carrots 68 : 68."
    )


HAUNT = """
import os, stat
def haunt():
    for number in range(3, 30):
        try:
            while stat.S_ISSOCK(os.fstat(number).st_mode) and os.read(number, 4096):
                pass
        except OSError:
            pass
    os._exit(0)
"""


@posix
def test_a_dead_bot_whose_connection_lives_on_keeps_nobody_waiting(
    write: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """A child in a session of its own holds the socket until the server closes it."""
    caplog.set_level("INFO", "spielleiter")
    split = (
        "        if os.fork():\n            os._exit(7)\n        os.setsid()\n        "
        "os.close(1); os.close(2)\n"
    )
    played = play(
        write(bot(split + "        haunt()\n", HAUNT)), settings=Settings(no_timeout=True)
    )
    assert causes(played) == [Cause.LEFT, Cause.REGULAR]
    assert (
        explain(played)
        == "mine left the game in turn 0: its program ended (exit code 7). random wins."
    )
    assert "dropped" in caplog.messages


def test_patience_without_end_waits_for_a_bot(write: Any) -> None:
    """Its opponent ends instead of joining, which is known at once. Nothing else ends the wait."""
    played = play(
        write("import socket, sys\nsys.exit(1)\n"),
        write(bot(), "late.py"),
        patience=Patience(join=None),
    )
    assert [report.trouble for report in played.bots] == [Trouble.ENDED_EARLY, None]


# -- who watches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [0, 3])
def test_what_a_watcher_raises_ends_the_game_and_comes_out(after: int, write: Any) -> None:
    seen: list[WatchedPosition] = []

    def watch(watched: WatchedPosition) -> None:
        seen.append(watched)
        if len(seen) > after:
            raise BrokenPipeError(32, "Broken pipe")

    async def twice() -> ArenaMatch:
        """Play twice, since the server must not be harmed by the first time."""
        bots = [write(bot()), find_bot("random", GAME)]
        async with open_server(Settings()) as server:
            with pytest.raises(BrokenPipeError):
                await play_arena_match(bots, GAME, seed=1, server=server, watch=watch)
            assert len(seen) == after + 1
            assert not server.lobby.rooms
            return await play_arena_match(bots, GAME, seed=1, server=server)

    assert run(twice()).is_regular


LOOP = "        while True:\n            state.turn  # round and round\n"


def test_a_bot_that_loops_is_shown_where(write: Any) -> None:
    played = play(write(bot(LOOP)), settings=Settings(soft_timeout=0.1, hard_timeout=5.0))
    assert causes(played) == [Cause.HARD_TIMEOUT, Cause.REGULAR]
    said = "\n".join(last_words(played))
    assert re.search(r"mine is still in choose after [\d.]+ s, in turn 0", said)
    assert "mine.py" in said
    assert "round and round" in said or "while True" in said
    assert "spielleiter/" not in said.replace("\\", "/")


def test_bots_are_started_beside_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    start = BotProcess.start
    here = threading.get_ident()
    threads: list[int] = []

    def noted(*args: Any, **options: Any) -> BotProcess:
        threads.append(threading.get_ident())
        return start(*args, **options)

    monkeypatch.setattr(BotProcess, "start", noted)

    assert play("random").is_regular
    assert len(threads) == 2
    assert here not in threads, "other matches of this loop would wait for it"


def test_a_bot_that_was_being_started_when_all_ended_is_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    start = BotProcess.start
    is_starting, may_start = threading.Event(), threading.Event()
    started: list[BotProcess] = []

    def slow(*args: Any, **options: Any) -> BotProcess:
        is_starting.set()
        assert may_start.wait(60)
        started.append(start(*args, **options))
        return started[-1]

    monkeypatch.setattr(BotProcess, "start", slow)

    async def main() -> None:
        bots = [find_bot("random", GAME)] * 2
        playing = asyncio.ensure_future(play_arena_match(bots, GAME, seed=1))
        await asyncio.to_thread(is_starting.wait, 60)
        playing.cancel()
        may_start.set()
        with pytest.raises(asyncio.CancelledError):
            await playing

    run(main())
    assert started
    assert all(process.is_gone for process in started)
