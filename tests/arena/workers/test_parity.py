"""Matches in worker processes and over sockets: the same moves, verdicts, sentences and notes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import children
from arena.workers.written_bots import FIRST, bot
from spielleiter.arena.arena_match import Patience
from spielleiter.arena.bots import BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening, draw_opening
from spielleiter.arena.runs.jobs import MatchJob, MatchPlayer
from spielleiter.arena.runs.socket_player import SocketPlayer
from spielleiter.arena.store.values import MatchReport
from spielleiter.arena.workers.pool import WorkerPool
from spielleiter.games import get_game
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame, Cause

HARE = get_game("hase-und-igel-2018")
"""Its server takes hints."""
BLOKUS = get_game("blokus-2027")
"""Its server takes none."""
LONG = TimeControl(60.0, 120.0)
Write = Callable[..., BotSpec]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(text: str, name: str = "mine.py", game: AnyGame = HARE) -> BotSpec:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True, parents=True)
        path.write_text(text)
        return find_bot(str(path), game)

    return write


def job(
    first: BotSpec | str,
    second: BotSpec | str = "greedy",
    *,
    game: AnyGame = HARE,
    opening: Opening | None = None,
    time: TimeControl | None = LONG,
) -> MatchJob:
    one, two = (find_bot(spec, game) if isinstance(spec, str) else spec for spec in (first, second))
    begin = draw_opening(game, 5, 3) if opening is None else opening
    return MatchJob(1, game, begin, (one, two), ("One & only", "Zwei"), (11, 12), time)


def play_both_ways(match: MatchJob) -> tuple[MatchReport, MatchReport]:
    """Return the match as workers and as sockets play it."""

    async def play(player: MatchPlayer) -> MatchReport:
        try:
            assert player.can_play(match) is None
            return await player.play(match)
        finally:
            await player.close()

    async def main() -> tuple[MatchReport, MatchReport]:
        sockets = SocketPlayer(patience=Patience(join=children.PATIENCE))
        async with asyncio.timeout(2 * children.PATIENCE):
            return await asyncio.gather(play(WorkerPool(1)), play(sockets))

    in_worker, over_sockets = asyncio.run(main())
    assert (in_worker.result.way, over_sockets.result.way) == ("workers", "sockets")
    return in_worker, over_sockets


def told(report: MatchReport) -> dict[str, Any]:
    """Return what must be the same. Times differ, and what else the machine has to do with it."""
    result = report.result
    return {
        "moves": [(move.ply, move.turn, move.seat, move.text, move.hints) for move in report.moves],
        "outcome": result.outcome,
        "final": result.final,
        "digest": result.digest,
        "was_cancelled": result.was_cancelled,
        "notes": [
            (note.seat, note.turn, {**note.content, "seconds": None}) for note in report.notes
        ],
    }


def said(report: MatchReport, stream: str, seat: int = 0) -> list[str]:
    lines = [line.text for line in report.outputs if (line.seat, line.stream) == (seat, stream)]
    # A program may say that its opponent takes its time to start.
    return [line for line in lines if not line.endswith("waiting for the opponent")]


def same(match: MatchJob) -> tuple[MatchReport, MatchReport]:
    in_worker, over_sockets = play_both_ways(match)
    assert told(in_worker) == told(over_sockets)
    return in_worker, over_sockets


@pytest.mark.parametrize("game", [HARE, BLOKUS], ids=lambda game: game.id)
@pytest.mark.parametrize("pair", [("greedy", "greedy"), ("random", "greedy")])
def test_both_ways_play_the_same_match(game: AnyGame, pair: tuple[str, str]) -> None:
    report, _ = same(job(*pair, game=game))
    assert report.result.outcome.is_regular
    assert len(report.moves) > 3


THINKS = bot(
    "        self.debug.note(f'I see {state.turn}')\n"
    "        if state.turn % 3 == 0:\n"
    "            self.debug.mark(1, 2, 'here', 'red')\n"
    "        self.hint('a hint')\n"
    "        print('turn', state.turn)\n"
    "        print('trouble', file=sys.stderr)\n" + FIRST,
    more="    def on_result(self, outcome):\n        self.debug.note('that was it')\n",
)
HINTS = bot("        self.hint(f'only a hint in {state.turn}')\n" + FIRST)
WRITES = bot(
    "        with open(os.environ['SPIELLEITER_NOTES'], 'a') as file:\n"
    '            file.write(\'{"turn": %d, "notes": ["by hand"]}\\n[]\\n{\' % state.turn)\n'
    "            file.write('}\\n')\n" + FIRST
)


@pytest.mark.parametrize("game", [HARE, BLOKUS], ids=lambda game: game.id)
@pytest.mark.parametrize("text", [THINKS, HINTS, WRITES], ids=["thinks", "hints", "writes"])
def test_both_ways_keep_what_bots_note(game: AnyGame, text: str, write: Write) -> None:
    report, sockets = same(job(write(text, game=game), game=game))
    own = [move.turn for move in report.moves if move.seat == 0]
    turns = [note.turn for note in report.notes]
    if text == THINKS:
        assert turns[:-1] == own
        assert report.notes[-1].content["notes"] == ["that was it"]
        assert said(report, "stdout") == said(sockets, "stdout") == [f"turn {turn}" for turn in own]
    elif text == HINTS:
        assert turns == ([] if game is HARE else own)
    else:
        assert turns == own
    # The last line is the result, in words.
    assert said(report, "stderr") == said(sockets, "stderr")
    assert said(report, "stderr")[-1].startswith("One & only: ")


def test_bots_find_the_same_environment(write: Write) -> None:
    shown = (
        "        if state.turn < 5:\n"
        "            for name in ('NAME', 'MOVE_SECONDS', 'SERVER', 'IMPORT_ONLY'):\n"
        "                print(name, os.environ.get('SPIELLEITER_' + name))\n"
        "            print(os.path.exists(os.path.dirname(os.environ['SPIELLEITER_NOTES'])))\n"
        "            print(os.getcwd(), clock.limit, __name__, self.rng.random(), self.seat)\n"
    )
    text = bot(shown + FIRST)
    match = job(write(text, "one/one.py"), write(text, "two/two.py"), time=TimeControl(7.5, 20.0))
    report, sockets = same(match)
    for seat in (0, 1):
        assert said(report, "stdout", seat) == said(sockets, "stdout", seat)
        assert len(said(report, "stdout", seat)) == 6


FAULTY = {
    "raises": (bot("        1 / 0\n"), Cause.LEFT),
    "raises later": (bot(f"        state.turn > 5 and 1 / 0\n{FIRST}"), Cause.LEFT),
    "falls back": (
        bot("        1 / 0\n", more="    def fallback(self, state):\n" + FIRST),
        Cause.REGULAR,
    ),
    "returns nothing": (bot("        pass\n"), Cause.LEFT),
    "returns a list": (bot("        return state.legal_moves()\n"), Cause.LEFT),
    "exits": (bot("        sys.exit(3)\n"), Cause.LEFT),
    "crashes": (bot(f"        state.turn > 5 and os._exit(3)\n{FIRST}"), Cause.LEFT),
    "cannot be made": (
        bot(more="    def __init__(self):\n        raise ValueError('no luck')\n"),
        Cause.LEFT,
    ),
    "cannot be loaded": (bot(above="import nothing_like_this"), Cause.LEFT),
    "is interrupted": (bot("        raise KeyboardInterrupt\n"), Cause.LEFT),
    "hook fails": (
        bot(more="    def on_state(self, state):\n        raise ValueError\n"),
        Cause.REGULAR,
    ),
    "cheats": (
        bot(
            "        from spielleiter.games.hase_und_igel import Advance, HareMove\n"
            "        return HareMove((Advance(64),))\n"
        ),
        Cause.RULE_VIOLATION,
    ),
    "no memory": (bot("        raise MemoryError\n"), Cause.LEFT),
    "recursion": (bot("        return self.choose(state, clock)\n"), Cause.LEFT),
}


@pytest.mark.parametrize("fault", FAULTY)
def test_both_ways_have_the_same_verdict(fault: str, write: Write) -> None:
    text, cause = FAULTY[fault]
    report, _ = same(job(write(text)))
    assert report.result.outcome.seats[0].cause is cause


SLOW = {
    # The clock of a bot begins after that of the server, so whoever waits for its end is late.
    "soft": ("        while clock.remaining: pass\n" + FIRST, TimeControl(0.2, 60.0)),
    "hard": ("        while True: pass\n", TimeControl(0.2, 0.4)),
}


@pytest.mark.parametrize("limit", SLOW)
@pytest.mark.parametrize("game", [HARE, BLOKUS], ids=lambda game: game.id)
def test_both_ways_have_the_same_limits(limit: str, game: AnyGame, write: Write) -> None:
    choose, time = SLOW[limit]
    report, _ = same(job(write(bot(choose), game=game), game=game, opening=Opening(1), time=time))
    assert report.result.outcome.seats[0].cause is Cause[f"{limit.upper()}_TIMEOUT"]
    assert report.moves == ()


def test_two_bots_that_never_come_have_both_lost(write: Write) -> None:
    broken = "import sys\nfrom spielleiter import Bot, run\nsys.exit(1)\nrun(Bot)\n"
    one = write(broken, "one.py")
    two = write(bot("", above="os._exit(4)", end="        pass\nrun(Mine)"), "two.py")
    report, _ = same(job(one, two))
    assert [seat.cause for seat in report.result.outcome.seats] == [Cause.LEFT, Cause.LEFT]
    assert report.result.outcome.winner is None
    assert report.result.detail["ended"] == {"1": "exit code 4"}
