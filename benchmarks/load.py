"""Let a crowd of scripted players loose on a server, and say what it cost and how long it took.

Run ``python -m benchmarks.load``. Without --port it starts a server of its own and watches its
memory and CPU (where the system tells, on Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.crowd import Crowd
from spielleiter.server.sockets import allow_many_files

EXAMPLE = "examplepassword"
MOST_GROWTH = 5.0
"""Megabytes that still count as flat.

The allocator keeps some. A leak of one match in ten would cost more.
"""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.load", description=__doc__)
    parser.add_argument("--port", type=int, help="of a running server; default: start one")
    parser.add_argument("--password", default=EXAMPLE)
    parser.add_argument("--game", default="blokus-2027")
    parser.add_argument("--games", type=int, default=1000, help="how many in all")
    parser.add_argument("--concurrent", type=int, default=20, help="how many at a time")
    parser.add_argument(
        "--think", type=float, default=0.0, help="seconds a player takes for a move"
    )
    parser.add_argument(
        "--idle", type=int, default=0, help="silent connections held open meanwhile"
    )
    parser.add_argument(
        "--flat", action="store_true", help="fail if memory grows after the first third"
    )
    parser.add_argument("--serve", default="", help="more options for the server that is started")
    return parser.parse_args()


def usage(pid: int) -> tuple[float, float]:
    """Return CPU seconds and resident megabytes of a process, zeros if the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0, 0.0
    ticks = os.sysconf("SC_CLK_TCK")
    memory = re.search(r"VmRSS:\s+(\d+)", status)
    return (int(fields[11]) + int(fields[12])) / ticks, int(memory[1]) / 1024 if memory else 0.0


async def _report(pid: int, crowd: Crowd, seen: list[tuple[int, float]]) -> None:
    while True:
        await asyncio.sleep(10)
        cpu, memory = usage(pid)
        seen.append((crowd.tally.matches, memory))
        print(f"  {crowd.tally.matches} games, server {cpu:.1f} s CPU, {memory:.1f} MB", flush=True)


def _growth(seen: list[tuple[int, float]], games: int) -> float:
    """Return the megabytes that came between a third of the matches and the end."""
    later = [memory for played, memory in seen if played >= games / 3]
    return later[-1] - later[0] if len(later) > 1 else 0.0


async def _main(options: argparse.Namespace, port: int, pid: int | None) -> int:
    crowd = Crowd(port, game_id=options.game, think=options.think, password=options.password)
    empty = usage(pid)[1] if pid is not None else 0.0
    silent = [await asyncio.open_connection("127.0.0.1", port) for _ in range(options.idle)]
    for _, writer in silent:
        writer.write(b"<protocol>")
    if silent and pid is not None:
        await asyncio.sleep(1)
        each = (usage(pid)[1] - empty) * 1024 / len(silent)
        print(f"idle       {len(silent)} connections, {each:.1f} kB of memory each")
    seen: list[tuple[int, float]] = []
    watcher = asyncio.create_task(_report(pid, crowd, seen)) if pid is not None else None
    before = usage(pid) if pid is not None else (0.0, 0.0)
    began = time.perf_counter()
    tally = await crowd.play(options.games, options.concurrent)
    took = time.perf_counter() - began
    if watcher is not None:
        watcher.cancel()
    for _, writer in silent:
        writer.close()
    print(
        f"games      {tally.matches} in {took:.1f} s, {options.concurrent} at a time, think "
        f"{options.think:g} s"
    )
    print(f"irregular  {tally.irregular}, without a result {tally.cut}")
    shares = ", ".join(
        f"p{share:g} {tally.delay(share / 100) * 1000:.1f} ms" for share in (50, 90, 99, 99.9)
    )
    print(
        f"delay      {shares}, most {max(tally.delays, default=0) * 1000:.1f} ms over "
        f"{len(tally.delays)} moves"
    )
    if pid is not None:
        cpu, memory = usage(pid)
        print(f"server     {(cpu - before[0]) / tally.matches * 1000:.1f} ms CPU per game")
        print(f"memory     {before[1]:.1f} MB before, {memory:.1f} MB after")
    grown = _growth(seen, options.games)
    if options.flat:
        print(f"growth     {grown:+.1f} MB over the last two thirds of the games")
    failed = (
        tally.irregular
        or tally.cut
        or tally.matches != options.games
        or (options.flat and grown > MOST_GROWTH)
    )
    return 1 if failed else 0


def main() -> int:
    options = _arguments()
    allow_many_files()
    if options.port is not None:
        return asyncio.run(_main(options, options.port, None))
    command = [
        sys.executable,
        "-m",
        "spielleiter",
        "serve",
        "--no-web",
        "--port",
        "0",
        "--log-level",
        "warning",
    ]
    server = subprocess.Popen([*command, *options.serve.split()], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        line = server.stdout.readline()
        return asyncio.run(_main(options, int(line.rpartition(":")[2]), server.pid))
    finally:
        server.terminate()
        try:
            server.wait(10)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait(10)


if __name__ == "__main__":
    sys.exit(main())
