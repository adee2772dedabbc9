"""Matches a second in worker processes, beside the same matches in one bare loop in one process.

``python -m benchmarks arena`` plays greedy against random. The bare loop knows no referee, no clock
and no limits. All matches are compared by the wall clock, as ratios within one turn, because cores
are what workers are for; and by the CPU time of this process, which is the price of watching them.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from benchmarks.match import play_bare
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.workers.pool import WorkerPool
from spielleiter.games import DEFAULT, get_game
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame

TARGET = 1.5
"""Times the matches a second of the bare loop that two workers on two cores must reach."""
MOST_SHARE = 0.1
"""Of the matches' CPU time that watching them may cost."""
WORKERS = 2


@dataclass(frozen=True, slots=True)
class Turn:
    """The same matches in both ways, in seconds of the wall clock and of the processor."""

    matches: int
    bare: float
    bare_cpu: float
    pooled: float
    pooled_cpu: float
    """Of the workers."""
    own_cpu: float
    """Of the process that watches them."""

    @property
    def ratio(self) -> float:
        return self.bare / self.pooled

    @property
    def ratio_of_work(self) -> float:
        """What the ratio would be if both workers had a core of their own all the time."""
        return WORKERS * self.bare_cpu / self.pooled_cpu

    @property
    def share(self) -> float:
        return self.own_cpu / self.bare_cpu


def play_in_loop(game: AnyGame, seeds: Sequence[int]) -> None:
    for seed in seeds:
        players = [game.players["greedy"](2 * seed), game.players["random"](2 * seed + 1)]
        play_bare(game.start(seed), players)


def make_jobs(game: AnyGame, seeds: Sequence[int]) -> list[MatchJob]:
    bots = (find_bot("greedy", game), find_bot("random", game))
    names = ("greedy", "random")
    return [
        MatchJob(seed, game, Opening(seed), bots, names, (2 * seed, 2 * seed + 1), TimeControl())
        for seed in seeds
    ]


async def compare(pool: WorkerPool, game: AnyGame, seeds: Sequence[int]) -> Turn:
    began, cpu = time.perf_counter(), time.process_time()
    play_in_loop(game, seeds)
    bare, bare_cpu = time.perf_counter() - began, time.process_time() - cpu
    began, cpu = time.perf_counter(), time.process_time()
    reports = await asyncio.gather(*map(pool.play, make_jobs(game, seeds)))
    pooled, own_cpu = time.perf_counter() - began, time.process_time() - cpu
    assert all(report.result.outcome.is_regular for report in reports)
    pooled_cpu = sum(report.result.detail["cpu"] for report in reports)
    return Turn(len(seeds), bare, bare_cpu, pooled, pooled_cpu, own_cpu)


async def measure(matches: int, repetitions: int) -> list[Turn]:
    """Play in both ways by turns, after matches that do not count, in which everything starts."""
    game = get_game(DEFAULT)
    pool = WorkerPool(WORKERS)
    try:
        await asyncio.gather(*map(pool.play, make_jobs(game, range(2 * WORKERS))))
        return [
            await compare(pool, game, range(turn * matches, (turn + 1) * matches))
            for turn in range(repetitions)
        ]
    finally:
        await pool.close()


def format_turns(turns: Sequence[Turn]) -> str:
    """Return the table. Each figure is the median of its turns."""

    def middle(name: str) -> float:
        return median(getattr(turn, name) for turn in turns)

    def per_match(name: str) -> float:
        return median(getattr(turn, name) / turn.matches for turn in turns)

    ratio, of_work, share = (middle(name) for name in ("ratio", "ratio_of_work", "share"))
    bare, pooled = 1 / per_match("bare"), 1 / per_match("pooled")
    rows = [
        ("bare loop, one process", f"{bare:.1f}/s", f"{per_match('bare_cpu') * 1e3:.1f} ms", ""),
        (
            f"{WORKERS} workers",
            f"{pooled:.1f}/s",
            f"{per_match('pooled_cpu') * 1e3:.1f} ms",
            f"{ratio:.2f} ×, of CPU {of_work:.2f} × (≥ {TARGET:g} ×"
            + (" missed)" if max(ratio, of_work) < TARGET else ")"),
        ),
        (
            "watching them",
            "",
            f"{per_match('own_cpu') * 1e3:.1f} ms",
            f"{100 * share:.1f} % (≤ {100 * MOST_SHARE:g} %"
            + (" missed)" if share > MOST_SHARE else ")"),
        ),
    ]
    lines = [
        "arena (wall clock)",
        "==================",
        f"{'case':<26}matches     CPU a match  ratio",
    ]
    lines += [f"{name:<26}{rate:<12}{cpu:<13}{said}".rstrip() for name, rate, cpu, said in rows]
    return "\n".join(lines)


def table(*, quick: bool = False) -> str:
    """Measure and return a table."""
    return format_turns(asyncio.run(measure(20 if quick else 100, 1 if quick else 5)))
