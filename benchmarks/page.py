"""Measure what the page costs the players: 200 spectators of one match beside 100 live matches.

Run ``python -m benchmarks page``. The server is in this process, players and spectators are in two
others. Without a page, with one, and with spectators take turns, so that a slow minute hits all
alike.

A move waits for two things: for what the server did when the move came, and for what it does
before the next request. Both are measured as CPU time of the server's thread, which is the same on
a busy machine and on an idle one. The delay by the wall clock stands beside it.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from benchmarks.crowd import Crowd
from benchmarks.load import EXAMPLE
from spielleiter.match import Phase
from spielleiter.server import Server, Settings
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.feed import MoveRequested, RoomEvent
from spielleiter.server.program import tune_collector
from spielleiter.server.services import Services
from spielleiter.server.sockets import allow_many_files
from spielleiter.web.program import open_page

SPECTATORS = 200
HOME = 10
"""Who look at the small boards of all matches meanwhile."""
MATCHES = 100
THINK = 0.25
"""Seconds a player takes for a move, which makes some 400 moves a second in all."""
GAME = "blokus-2027"
NO_PAGE, UNWATCHED, WATCHED = "no page", "page, nobody watches", "page, spectators"
SECONDS, QUICK_SECONDS = 5.0, 3.0
ROUNDS, QUICK_ROUNDS = 5, 1
PATIENCE = 120.0

MOST_RATIO, MOST_MORE = 1.2, 0.005
"""What we promise: p99 grows by less than 20 % or by less than 5 ms."""


# --- the spectators -------------------------------------------------------------------------------


@dataclass
class Seen:
    connected: int = 0
    messages: int = 0
    bytes: int = 0


class Watching(asyncio.Protocol):
    """One spectator, who only counts."""

    def __init__(self, path: str, port: int, seen: Seen) -> None:
        self.path, self.port, self.seen = path, port, seen

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # asyncio hands a socket's protocol nothing else, though it promises less.
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.transport.write(
            f"GET {self.path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        if data.startswith(b"HTTP/1.1 101"):
            self.seen.connected += 1
        self.seen.messages += data.count(b'"type":"position"') + data.count(b'"type":"summary"')
        self.seen.bytes += len(data)


def _newest_match(port: int) -> str:
    """Return the match that has the most moves before it."""
    with urllib.request.urlopen(f"http://localhost:{port}/api/matches", timeout=PATIENCE) as answer:
        matches = json.load(answer)["matches"]
    running = [match for match in matches if match["phase"] == "running"]
    return str(min(running, key=lambda match: match["count"])["id"])


async def _watch(port: int) -> None:
    loop, seen = asyncio.get_running_loop(), Seen()
    match = await asyncio.to_thread(_newest_match, port)
    paths = [f"/api/matches/{match}/live"] * SPECTATORS + ["/api/live"] * HOME
    for path in paths:
        await loop.create_connection(
            # mypy cannot tell the type of a lambda that keeps a variable of its loop.
            lambda path=path: Watching(path, port, seen),  # type: ignore[misc]
            "127.0.0.1",
            port,
        )
    while await asyncio.to_thread(sys.stdin.readline):
        print(json.dumps(vars(seen)), flush=True)


# --- the players ----------------------------------------------------------------------------------


async def _play(port: int) -> None:
    """Play until killed. For each line on standard input, tell the delays since the last one."""
    crowd = Crowd(port, game_id=GAME, think=THINK, password=EXAMPLE)
    playing = asyncio.create_task(crowd.play(1_000_000, MATCHES))
    while not playing.done() and await asyncio.to_thread(sys.stdin.readline):
        delays, crowd.tally.delays = crowd.tally.delays, []
        print(json.dumps(delays), flush=True)
    playing.cancel()


# --- the measurement ------------------------------------------------------------------------------


class TurnClock(FairClock):
    """The server's clock, which also knows how much the loop has worked in its turns."""

    def __init__(self) -> None:
        super().__init__()
        self._turn_began = time.thread_time()
        self._turn_before = 0.0

    def look_begins(self) -> None:
        self._turn_before = time.thread_time() - self._turn_began
        super().look_begins()

    def look_ends(self, *, waited: bool) -> None:
        super().look_ends(waited=waited)
        self._turn_began = time.thread_time()
        if waited:
            self._turn_before = 0.0  # what woke the loop did not wait for the turn before

    def waited(self) -> float:
        """Return what somebody waits for who is answered now, in seconds of work."""
        return self._turn_before + time.thread_time() - self._turn_began


@dataclass
class PageRow:
    """What was measured in one of the three ways, in all rounds."""

    kind: str
    work: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    each: list[float] = field(default_factory=list)
    """p99 of each round."""
    cpu: float = 0.0
    seconds: float = 0.0
    told: float = 0.0


def quantile(values: list[float], share: float) -> float:
    """Return the value below which this share of them lies."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


async def _measure(row: PageRow, clock: TurnClock, seconds: float) -> None:
    """Play for a while, and add what was measured to the row."""
    server = Server(Settings(port=0, web_port=0), services=Services(clock=clock))
    work: list[float] = []

    def hear(event: RoomEvent) -> None:
        if isinstance(event, MoveRequested):
            work.append(clock.waited())

    await server.start()
    # As ``spielleiter serve`` does it. Without that a full collection stops the server for a tenth
    # of a second when many spectators have just come.
    tune_collector()
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(server.stop)
        page = None
        if row.kind != NO_PAGE:
            page = await stack.enter_async_context(open_page(server, server.settings))
        server.feed.subscribe(hear)
        players = await _start(stack, "--play", server.port)
        async with asyncio.timeout(PATIENCE):
            while sum(room.phase is Phase.PLAYING for room in server.lobby.list_rooms()) < MATCHES:
                await asyncio.sleep(0.1)
        watching = None
        if row.kind == WATCHED:
            assert page is not None
            watching = await _start(stack, "--watch", page.port)
            async with asyncio.timeout(PATIENCE):
                while (await _told(watching))["connected"] < SPECTATORS + HOME:
                    await asyncio.sleep(0.1)
            await asyncio.sleep(1.0)
        await _told(players)
        seen = await _told(watching)
        work.clear()
        cpu, began = time.thread_time(), time.perf_counter()
        await asyncio.sleep(seconds)
        row.cpu += time.thread_time() - cpu
        row.seconds += time.perf_counter() - began
        row.work += work
        row.each.append(quantile(work, 0.99))
        row.delays += await _told(players)
        row.told += (await _told(watching))["messages"] - seen["messages"]


async def _start(
    stack: contextlib.AsyncExitStack, what: str, port: int
) -> asyncio.subprocess.Process:
    pipe = subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "benchmarks.page", what, str(port)),
        stdin=pipe,
        stdout=pipe,
        limit=1 << 24,
    )

    async def end() -> None:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    stack.push_async_callback(end)
    return process


async def _told(process: asyncio.subprocess.Process | None) -> Any:
    """Ask a process how far it is."""
    if process is None:
        return {"messages": 0}
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"\n")
    async with asyncio.timeout(PATIENCE):
        return json.loads(await process.stdout.readline())


def measure_rows(seconds: float, rounds: int) -> list[PageRow]:
    """Measure everything, in turn."""
    allow_many_files()
    rows = [PageRow(kind) for kind in (NO_PAGE, UNWATCHED, WATCHED)]
    for _ in range(rounds):
        for row in rows:
            clock = TurnClock()
            with asyncio.Runner(loop_factory=partial(make_loop, clock)) as runner:
                runner.run(_measure(row, clock, seconds))
    return rows


def format_rows(rows: list[PageRow]) -> str:
    """Return the table, with a mark where the promise is not kept. The first row has no page."""
    headings = (
        *("", "moves", "p50", "best p99", "p99 of each round", "ratio", "server CPU"),
        *("told", "p50 by the clock", "p99 by the clock", ""),
    )
    lines = [headings]
    # The best round of each, because a machine that is busy elsewhere lets moves gather, and they
    # then wait for each other.
    base = min(rows[0].each)
    for row in rows:
        p99 = min(row.each)
        kept = p99 <= base * MOST_RATIO or p99 <= base + MOST_MORE
        seconds = row.seconds or 1.0
        lines.append(
            (
                row.kind,
                str(len(row.work)),
                f"{1000 * quantile(row.work, 0.5):.2f} ms",
                f"{1000 * p99:.2f} ms",
                ", ".join(f"{1000 * value:.2f}" for value in row.each) + " ms",
                f"{p99 / base:.2f}" if base else "-",
                f"{100 * row.cpu / seconds:.0f} %",
                f"{row.told / seconds:.0f}/s",
                f"{1000 * quantile(row.delays, 0.5):.1f} ms",
                f"{1000 * quantile(row.delays, 0.99):.1f} ms",
                "" if kept else "missed",
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(headings))]
    shown = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    title = f"page: {SPECTATORS} spectators beside {MATCHES} live matches, move → next request"
    promise = (
        f"target: p99 grows by less than {100 * (MOST_RATIO - 1):.0f} % or {1000 * MOST_MORE:g} ms"
    )
    return "\n".join([title, "=" * len(title), *shown, promise])


def table(*, quick: bool = False) -> str:
    """Measure and return the table. ``python -m benchmarks`` calls it."""
    seconds, rounds = (QUICK_SECONDS, QUICK_ROUNDS) if quick else (SECONDS, ROUNDS)
    return format_rows(measure_rows(seconds, rounds))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.page", description=__doc__)
    parser.add_argument("--watch", type=int, metavar="PORT", help="only watch the page there")
    parser.add_argument("--play", type=int, metavar="PORT", help="only play on the server there")
    parser.add_argument("--quick", action="store_true", help="one short round")
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        if options.watch is not None:
            asyncio.run(_watch(options.watch))
        elif options.play is not None:
            asyncio.run(_play(options.play))
        else:
            print(table(quick=options.quick))
    return 0


if __name__ == "__main__":
    sys.exit(main())
