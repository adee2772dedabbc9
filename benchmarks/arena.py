"""Matches a second in worker processes and over sockets, beside the same in one bare loop.

``python -m benchmarks arena`` plays greedy against random. The bare loop is in one process and
knows no referee, no clock and no limits. Matches are compared by the wall clock, as ratios within
one turn, because cores are what workers are for. On a machine that has other work to do the wall
clock says little, so what the CPU time allows on so many free cores is there, too.
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
from spielleiter.arena.runs.socket_player import SocketPlayer
from spielleiter.arena.store.values import MatchReport
from spielleiter.arena.workers.pool import WorkerPool
from spielleiter.games import DEFAULT, get_game
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame

TARGET = 1.5
"""Times the matches a second of the bare loop that two workers on two cores must reach."""
SOCKETS_TARGET = 0.1
"""The same for matches over sockets, with two processes that are started for each."""
MOST_SHARE = 0.1
"""Of the matches' CPU time that watching them may cost."""
WORKERS = 2
FEWER = 10
"""Of so many matches one is played over sockets, too, because that takes so much longer."""


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
    sockets: float
    """One match over sockets, when as many as there are workers are played at a time."""

    @property
    def ratio(self) -> float:
        return self.bare / self.pooled

    @property
    def ratio_of_work(self) -> float:
        """What the ratio would be if nothing else were to be done on as many cores as workers."""
        return WORKERS * self.bare_cpu / (self.pooled_cpu + self.own_cpu)

    @property
    def sockets_ratio(self) -> float:
        return self.bare / self.matches / self.sockets

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


async def play_over_sockets(player: SocketPlayer, jobs: Sequence[MatchJob]) -> float:
    """Play them, some at a time, and return the seconds that one took."""
    slots = asyncio.Semaphore(WORKERS)

    async def play(job: MatchJob) -> MatchReport:
        async with slots:
            return await player.play(job)

    began = time.perf_counter()
    reports = await asyncio.gather(*map(play, jobs))
    assert all(report.result.outcome.is_regular for report in reports)
    return (time.perf_counter() - began) / len(jobs)


async def compare(
    pool: WorkerPool, player: SocketPlayer, game: AnyGame, seeds: Sequence[int]
) -> Turn:
    began, cpu = time.perf_counter(), time.process_time()
    play_in_loop(game, seeds)
    bare, bare_cpu = time.perf_counter() - began, time.process_time() - cpu
    began, cpu = time.perf_counter(), time.process_time()
    reports = await asyncio.gather(*map(pool.play, make_jobs(game, seeds)))
    pooled, own_cpu = time.perf_counter() - began, time.process_time() - cpu
    assert all(report.result.outcome.is_regular for report in reports)
    pooled_cpu = sum(report.result.detail["cpu"] for report in reports)
    sockets = await play_over_sockets(player, make_jobs(game, seeds[: len(seeds) // FEWER]))
    return Turn(len(seeds), bare, bare_cpu, pooled, pooled_cpu, own_cpu, sockets)


async def measure(matches: int, repetitions: int) -> list[Turn]:
    """Play in both ways by turns, after matches that do not count, in which everything starts."""
    game = get_game(DEFAULT)
    pool, player = WorkerPool(WORKERS), SocketPlayer()
    try:
        first = make_jobs(game, range(2 * WORKERS))
        await asyncio.gather(*map(pool.play, first))
        await play_over_sockets(player, first)
        return [
            await compare(pool, player, game, range(turn * matches, (turn + 1) * matches))
            for turn in range(repetitions)
        ]
    finally:
        await pool.close()
        await player.close()


def format_turns(turns: Sequence[Turn]) -> str:
    """Return the table. Each figure is the median of its turns."""

    def middle(name: str) -> float:
        return median(getattr(turn, name) for turn in turns)

    def per_match(name: str) -> float:
        return median(getattr(turn, name) / turn.matches for turn in turns)

    ratio, share, sockets_ratio = (middle(name) for name in ("ratio", "share", "sockets_ratio"))
    of_work = middle("ratio_of_work")
    bare, pooled = 1 / per_match("bare"), 1 / per_match("pooled")
    rows = [
        ("bare loop, one process", f"{bare:.1f}/s", f"{per_match('bare_cpu') * 1e3:.1f} ms", ""),
        (
            f"{WORKERS} workers",
            f"{pooled:.1f}/s",
            f"{per_match('pooled_cpu') * 1e3:.1f} ms",
            f"{ratio:.2f} × (≥ {TARGET:g} ×"
            + (" missed)" if ratio < TARGET else ")")
            + f", by CPU {of_work:.2f} ×",
        ),
        (
            "watching them",
            "",
            f"{per_match('own_cpu') * 1e3:.1f} ms",
            f"{100 * share:.1f} % (≤ {100 * MOST_SHARE:g} %"
            + (" missed)" if share > MOST_SHARE else ")"),
        ),
        (
            "sockets, new processes",
            f"{1 / middle('sockets'):.1f}/s",
            "",
            f"{sockets_ratio:.3f} × (≥ {SOCKETS_TARGET:g} ×"
            + (" missed)" if sockets_ratio < SOCKETS_TARGET else ")"),
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
