"""Measure what a match costs the server.

The server runs in this process and the players in another, so that CPU time is the server's alone.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Callable

from benchmarks.measure import Case
from spielleiter.server import Server, Settings
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.services import Services

MATCHES = 10


def _play(game_id: str, concurrent: int) -> Callable[[], int]:
    async def main(clock: FairClock) -> None:
        server = Server(Settings(port=0), services=Services(clock=clock))
        await server.start()
        command = [
            sys.executable,
            "-m",
            "benchmarks.load",
            "--port",
            str(server.port),
            "--game",
            game_id,
        ]
        command += ["--games", str(MATCHES), "--concurrent", str(concurrent)]
        crowd = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
        if await crowd.wait() != 0:
            raise RuntimeError("the crowd did not play all its games")
        await server.stop()

    def run() -> int:
        clock = FairClock()
        with asyncio.Runner(loop_factory=lambda: make_loop(clock)) as runner:
            runner.run(main(clock))
        return MATCHES

    return run


def cases() -> list[Case]:
    return [
        Case("Blokus 2027, one game at a time", _play("blokus-2027", 1), "game", "≤ 25 ms"),
        Case("Blokus 2027, ten at once", _play("blokus-2027", 10), "game", "≤ 25 ms"),
        Case("Hase und Igel 2018, ten at once", _play("hase-und-igel-2018", 10), "game", ""),
    ]
