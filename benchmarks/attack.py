"""Measure what 64 hostile connections cost the players of 40 live matches.

Run ``python -m benchmarks.attack``. There are three processes, which are the server, the players
(this one) and the attackers. They compete for the machine's cores, so the table has the processor
time of server and attackers, and an undisturbed row to compare with.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.crowd import Crowd
from benchmarks.load import EXAMPLE, usage
from spielleiter.games import get_game

CONNECTIONS = 64
MATCHES = 40
THINK = 0.1
"""Seconds a player takes for a move, which makes some 400 moves a second in all."""
GAME = "blokus-2027"
OTHER_TYPE = "swc_2018_hase_und_igel"
SECONDS, QUICK_SECONDS = 8.0, 3.0
WARM_UP = 2.0
PATIENCE = 30.0
"""Seconds after which something that should have happened counts as never."""

P99, SIGTERM, JOIN = 0.025, 2.0, 1.0
"""What we promise, in seconds."""

OPENING = b"<protocol>"
RUBBISH = b"<a/>" * 1990
USELESS = b'<left roomId="x">' + RUBBISH + b"</left>"
JOIN_LEFT = f'<join gameType="{get_game(GAME).game_type}"/><left/>'.encode()
SMALL = b"<left/>"
GUESS = b'<authenticate password="wrong"/>'
TEXT = b"<left>" + (b"x" * 4000 + b"<a/>") * 12 + b"</left>"


# --- the attackers --------------------------------------------------------------------------------


@dataclass
class Spent:
    messages: int = 0
    connections: int = 0


class Attacker(asyncio.Protocol):
    """One hostile connection that sends ``what`` again and again.

    It does so ``rate`` times a second, or as often as the server takes it.
    """

    def __init__(self, spent: Spent, what: bytes, rate: float, again: Callable[[], None]) -> None:
        self.spent, self.what, self.pause, self.again = spent, what, 1 / rate, again
        self.open = self.writable = True

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.spent.connections += 1
        self.transport.write(OPENING)
        self.send()

    def send(self) -> None:
        if self.open:
            if self.writable:
                self.spent.messages += 1
                self.transport.write(self.what)
            asyncio.get_running_loop().call_later(self.pause, self.send)

    def pause_writing(self) -> None:
        self.writable = False

    def resume_writing(self) -> None:
        self.writable = True

    def eof_received(self) -> None:
        self.open = False

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        self.open = False
        self.again()


class Bytewise(Attacker):
    """Sends one byte at a time, as fast as it can, of a message that is never finished for long."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.bytes = self.endless()
        super().connection_made(transport)

    def endless(self) -> Iterator[bytes]:
        while True:
            for byte in self.what:
                yield bytes([byte])

    def send(self) -> None:
        if self.open:
            if self.writable:
                self.spent.messages += 1
                self.transport.write(next(self.bytes))
            asyncio.get_running_loop().call_soon(self.send)


class Comer(Attacker):
    """Connects, says hello and goes."""

    def send(self) -> None:
        self.open = False
        self.transport.close()


class Guesser(Attacker):
    """Tries a password, and does not wait for the answer to a wrong one."""

    def send(self) -> None:
        self.spent.messages += 1
        self.transport.write(self.what)
        asyncio.get_running_loop().call_later(self.pause, self.transport.close)


KINDS: dict[str, tuple[type[Attacker], bytes, float]] = {
    # name: who does it, what it sends, how often a second
    "useless elements": (Attacker, USELESS, 45),
    "join and left": (Attacker, JOIN_LEFT, 22),
    "small messages": (Attacker, SMALL, 45),
    "byte by byte": (Bytewise, USELESS, 1),
    "long texts": (Attacker, TEXT, 20),
    "wrong passwords": (Guesser, GUESS, 20),
    "connections": (Comer, b"", 1),
}
MOVES = "rubbish in moves"
"""Plays against itself and fills its moves with rubbish, up to the largest that are read."""


async def _attack(kind: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    spent = Spent()
    if kind == MOVES:
        crowd = Crowd(port, game_id=GAME, password=EXAMPLE, padding=RUBBISH)

        async def play() -> None:
            # The server ends before its attackers.
            with contextlib.suppress(ExceptionGroup, OSError):
                await crowd.play(1_000_000, CONNECTIONS // 2)

        tasks = [loop.create_task(play())]
        while True:
            spent.messages = len(crowd.tally.delays)
            await _tell(spent, tasks)
    who, what, rate = KINDS[kind]

    async def connect() -> None:
        again = asyncio.Event()
        while True:
            again.clear()
            try:
                await loop.create_connection(
                    lambda: who(spent, what, rate, again.set), "127.0.0.1", port
                )
                await again.wait()
            except OSError:
                await asyncio.sleep(0.1)

    tasks = [loop.create_task(connect()) for _ in range(CONNECTIONS)]
    while True:
        await _tell(spent, tasks)


async def _tell(spent: Spent, tasks: list[asyncio.Task[Any]]) -> None:
    """Say a little later how far we are. Raises what ended a task."""
    await asyncio.sleep(0.2)
    told = {
        "messages": spent.messages,
        "connections": spent.connections,
        "cpu": time.process_time(),
    }
    print(json.dumps(told), flush=True)
    for task in tasks:
        if task.done():
            task.result()


# --- the measurement ------------------------------------------------------------------------------


@dataclass
class Row:
    kind: str
    moves: int = 0
    p50: float = 0.0
    p99: float = 0.0
    most: float = 0.0
    join: float = 0.0
    ended: float | None = None
    server: float = 0.0
    attackers: float = 0.0
    messages: float = 0.0
    connections: float = 0.0


class Latest:
    """The newest line that a process has written."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.told = {"messages": 0, "connections": 0, "cpu": 0.0}
        self.process = process
        self.task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            self.told = json.loads(line)


async def _join_time(port: int) -> float:
    began = time.perf_counter()
    try:
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(f'<protocol><join gameType="{OTHER_TYPE}"/>'.encode())
                await reader.readuntil(b"<joined ")
                return time.perf_counter() - began
            finally:
                writer.close()
    except (TimeoutError, OSError, asyncio.IncompleteReadError):
        return PATIENCE


async def _probe(port: int, times: list[float]) -> None:
    while True:
        times.append(await _join_time(port))
        await asyncio.sleep(0.2)


async def _measure(kind: str | None, seconds: float) -> Row:
    """Play for a while, undisturbed without a ``kind``, then have the server end."""
    command = [sys.executable, "-m", "spielleiter", "serve", "--no-web", "--port", "0"]
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    server = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=nothing)
    attackers: asyncio.subprocess.Process | None = None
    tasks: list[asyncio.Task[object]] = []
    try:
        assert server.stdout is not None
        port = int((await server.stdout.readline()).rpartition(b":")[2])
        crowd = Crowd(port, game_id=GAME, think=THINK, password=EXAMPLE)
        tasks.append(asyncio.create_task(crowd.play(1_000_000, MATCHES)))
        await asyncio.sleep(WARM_UP)
        latest = None
        if kind is not None:
            command = [
                sys.executable,
                "-m",
                "benchmarks.attack",
                "--port",
                str(port),
                "--kind",
                kind,
            ]
            attackers = await asyncio.create_subprocess_exec(*command, stdout=pipe)
            latest = Latest(attackers)
            tasks.append(latest.task)
            await asyncio.sleep(WARM_UP)
        joins: list[float] = []
        tasks.append(asyncio.create_task(_probe(port, joins)))
        crowd.tally.delays.clear()
        told = dict(latest.told) if latest else {}
        cpu, began = usage(server.pid)[0], time.perf_counter()
        await asyncio.sleep(seconds)
        took = time.perf_counter() - began
        now = latest.told if latest else {}
        row = Row(kind or "undisturbed", len(crowd.tally.delays))
        row.p50, row.p99, row.most = (crowd.tally.delay(share) for share in (0.5, 0.99, 1.0))
        row.join = max(joins, default=PATIENCE)
        row.server = (usage(server.pid)[0] - cpu) / took
        if told:
            row.attackers, row.messages, row.connections = (
                (now[name] - told[name]) / took for name in ("cpu", "messages", "connections")
            )
        for task in tasks:
            if task is not (latest.task if latest else None):
                task.cancel()
        row.ended = await _end(server)
        return row
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for process in (attackers, server):
            if process is not None:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()


async def _end(server: asyncio.subprocess.Process) -> float | None:
    """Ask the server to end, and return how many seconds that took."""
    if sys.platform == "win32":
        return None
    began = time.perf_counter()
    server.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(PATIENCE):
            await server.wait()
    except TimeoutError:
        return PATIENCE
    return time.perf_counter() - began


HEADINGS = (
    *("attack", "moves", "p50", "p99", "most", "p99 ratio", "join", "SIGTERM"),
    *("server CPU", "attackers' CPU", "sent", "connections", ""),
)


def format_rows(rows: list[Row]) -> str:
    """Return the table, with a mark where a promise is not kept.

    The first row is the undisturbed one.
    """
    lines = [HEADINGS]
    for row in rows:
        kept = row.p99 <= P99 and row.join <= JOIN and (row.ended or 0.0) <= SIGTERM
        lines.append(
            (
                row.kind,
                str(row.moves),
                *(f"{1000 * value:.1f} ms" for value in (row.p50, row.p99, row.most)),
                f"{row.p99 / rows[0].p99:.1f}" if rows[0].p99 else "-",
                f"{1000 * row.join:.0f} ms",
                "-" if row.ended is None else f"{row.ended:.2f} s",
                f"{100 * row.server:.0f} %",
                f"{100 * row.attackers:.0f} %",
                f"{row.messages:.0f}/s",
                f"{row.connections:.0f}/s",
                "" if kept else "missed",
            )
        )
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADINGS))]
    shown = [
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(pairs)
        )
        for pairs in (list(zip(line, widths, strict=True)) for line in lines)
    ]
    title = f"attack: {CONNECTIONS} connections beside {MATCHES} live matches, move → next request"
    promise = (
        f"target: p99 ≤ {1000 * P99:.0f} ms, a join within {JOIN:g} s, SIGTERM within {SIGTERM:g} s"
    )
    return "\n".join([title, "=" * len(title), *(line.rstrip() for line in shown), promise])


async def _all(kinds: list[str], seconds: float) -> list[Row]:
    return [await _measure(kind, seconds) for kind in (None, *kinds)]


def table(*, quick: bool = False, kinds: list[str] | None = None) -> str:
    """Measure and return the table. ``python -m benchmarks`` calls it."""
    return format_rows(
        asyncio.run(_all(kinds or [*KINDS, MOVES], QUICK_SECONDS if quick else SECONDS))
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument(
        "--kind", action="append", choices=[*KINDS, MOVES], help="this one only; may be repeated"
    )
    parser.add_argument(
        "--quick", action="store_true", help=f"{QUICK_SECONDS:g} seconds each, not {SECONDS:g}"
    )
    parser.add_argument("--port", type=int, help="only attack the server there, until killed")
    options = parser.parse_args()
    if options.port is not None:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_attack((options.kind or [next(iter(KINDS))])[0], options.port))
        return 0
    print(f"{os.cpu_count()} cores")
    print(table(quick=options.quick, kinds=options.kind))
    return 0


if __name__ == "__main__":
    sys.exit(main())
