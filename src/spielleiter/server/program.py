"""Run the server as a process of its own, with its loop, its signals and its garbage collector.

It prints the one line that says where it listens. What a server does is in ``app``.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext

from spielleiter import __version__
from spielleiter.server.app import Server
from spielleiter.server.clock import FairClock, make_loop
from spielleiter.server.errors import ServerError
from spielleiter.server.logs import configure_logging, log_event
from spielleiter.server.services import Services
from spielleiter.server.settings import Settings, check_settings
from spielleiter.server.sockets import allow_many_files

logger = logging.getLogger("spielleiter.server")


Beside = Callable[[Server], AbstractAsyncContextManager[object]]
"""Makes what runs in the server's loop while the server runs."""


def serve(
    settings: Settings,
    *,
    ready: Callable[[Server], None] | None = None,
    beside: Beside | None = None,
) -> int:
    """Run a server until it is told to end, and return the exit code.

    ``ready`` is called when it listens. ``beside`` is entered then, and left before the server
    ends. Raises ServerError if it cannot start.
    """
    check_settings(settings)
    configure_logging(settings.log_level, json_lines=settings.log_json, queue=True)
    allow_many_files()
    clock = FairClock()
    server = Server(settings, services=Services(clock=clock))
    try:
        runner = asyncio.Runner(loop_factory=lambda: make_loop(clock, uvloop=settings.uvloop))
        with runner:
            runner.run(_run(server, ready, beside))
    except ModuleNotFoundError as error:
        if error.name != "uvloop":
            raise
        raise ServerError(
            "uvloop is not installed: pip install 'spielleiter[speed]', or leave out --uvloop"
        ) from None
    return 0


async def _run(
    server: Server, ready: Callable[[Server], None] | None, beside: Beside | None
) -> None:
    await server.start()
    tune_collector()
    ended = _hear_signals()
    bound = server.settings.bind_host
    host = "every network address of this machine, port " if bound is None else bound + ":"
    print(f"Spielleiter {__version__} listens on {host}{server.port}", flush=True)  # noqa: T201 - the one line
    try:
        async with nullcontext() if beside is None else beside(server):
            if ready is not None:
                ready(server)
            await ended.wait()
            log_event(
                logger,
                "ending",
                rooms=len(server.lobby.rooms),
                finished=server.lobby.matches_finished,
            )
    finally:
        await server.stop()


def tune_collector() -> None:
    """Have Python's collector leave what stays alone, and stop the players rarely."""
    # What was made at start-up stays: the collector need not look at it during a game. What games
    # leave behind is freed by counting references; a full collection, which stops everything for a
    # tenth of a second with a thousand games, is for cycles that we may have missed.
    gc.collect()
    gc.freeze()
    # The messages that are being read must not set it off either, or a hostile client would have it
    # run all the time: 64 connections with the longest message each are some 300,000 objects.
    gc.set_threshold(500_000, 1, 1_000)


def _hear_signals() -> asyncio.Event:
    """Return an event that is set when the process is asked to end."""
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()

    def end() -> None:
        if ended.is_set():  # asked twice: somebody does not want to wait for a slow disk
            os._exit(1)
        ended.set()

    for name in ("SIGINT", "SIGTERM"):
        number = getattr(signal, name, None)
        if number is not None:
            try:
                loop.add_signal_handler(number, end)
            except NotImplementedError:  # Windows
                signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
    return ended
