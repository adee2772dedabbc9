"""Play matches between programs that are started anew for each, over sockets.

This is how the contest plays. All matches share one server on this machine. What a single match
needs is in ``game``, and this only gives it an opening and turns what it returns into a report.
"""

from __future__ import annotations

import asyncio
import errno
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from typing import Any

from spielleiter.arena.arena_match import ArenaMatch, Patience
from spielleiter.arena.match import open_server, play_arena_match
from spielleiter.arena.runs.capture import OutputCapture
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.runs.preparation import PREPARE
from spielleiter.arena.seating import Seating
from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    StoredMove,
    StoredNote,
    digest_of,
)
from spielleiter.arena.thoughts import is_worth_storing, turn_of
from spielleiter.client.seat import sends_hints
from spielleiter.match import TimeControl
from spielleiter.processes.guard import GUARD, Guard
from spielleiter.rules import AnyGame, AnyState
from spielleiter.server import Server, Settings
from spielleiter.server.clock import FairClock
from spielleiter.server.errors import Refusal
from spielleiter.server.limits import ServerLimits

JOIN_SECONDS = 30.0
"""How long bots may take to join. A machine that plays many matches starts programs slowly."""
_OUR_TROUBLE = tuple(
    os.strerror(code)
    for code in (
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.EAGAIN,
        errno.ENOSPC,
        errno.ECHILD,
    )
)
"""Why a program is not started where the program is not to blame."""
_DAY = 86400.0
_CONNECTIONS = 4
"""Of one match. Two are of its bots, and those of the match before may not be gone yet."""


class SocketPlayer:
    """Plays every kind of bot but people. ``close`` it at the end.

    ``clock`` is that of the loop, see ``server.clock``. Without it the work of this process counts
    against the bots.
    """

    way = "sockets"

    def __init__(self, clock: FairClock | None = None, patience: Patience | None = None) -> None:
        self._clock = clock
        self._patience = patience or Patience(join=JOIN_SECONDS)
        self._servers: dict[TimeControl | None, Server] = {}
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._under_way = 0
        self._guards: dict[str, Guard] = {}

    def can_play(self, job: MatchJob) -> str | None:
        for spec, name in zip(job.bots, job.names, strict=True):
            if spec.is_human:
                return f"{name} is a person, and matches of a run are played by programs"
        return None

    async def play(self, job: MatchJob) -> MatchReport:
        server = await self._server(job.time)
        self._under_way += 1
        try:
            _check_room(server, self._under_way)
            return await self._play(job, server)
        finally:
            self._under_way -= 1

    async def _play(self, job: MatchJob, server: Server) -> MatchReport:
        start = job.opening.position(job.game)
        began = time.monotonic()
        captures = [OutputCapture(seat, lambda: time.monotonic() - began) for seat in range(2)]

        def note_turn(turn: int) -> None:
            for capture in captures:
                capture.turn = turn

        seating = Seating(
            position=start,
            dice=job.dice,
            names=job.names,
            hear=lambda seat, stream, data: captures[seat].add(stream, data),
            turned=note_turn,
            guard=self._guard(job.game),
        )
        try:
            played = await play_arena_match(
                job.bots,
                job.game,
                seed=job.opening.seed,
                patience=self._patience,
                server=server,
                seating=seating,
            )
        except (OSError, Refusal) as error:
            raise ArenaTrouble(f"match {job.number} could not be played: {error}") from error
        _check_trouble(played)
        for capture in captures:
            capture.close()
        return _report(job.game, start, played, captures, time.monotonic() - began)

    async def close(self) -> None:
        self._servers.clear()
        await self._stack.aclose()
        for guard in self._guards.values():
            await asyncio.to_thread(guard.close)
        self._guards.clear()

    def _guard(self, game: AnyGame) -> Guard:
        """Return who starts the bots of this game."""
        if sys.platform != "linux":  # a fork that does not become another program is safe here only
            return GUARD
        if game.id not in self._guards:
            self._guards[game.id] = Guard(prepare=(PREPARE, game.id))
        return self._guards[game.id]

    async def _server(self, limit: TimeControl | None) -> Server:
        """Return the server for matches with this limit, which is opened for the first one."""
        async with self._opening:
            if limit not in self._servers:
                opened = open_server(_settings(limit), self._clock)
                try:
                    self._servers[limit] = await self._stack.enter_async_context(opened)
                except OSError as error:
                    raise ArenaTrouble(
                        f"no server can be opened on this machine: {error.strerror or error}"
                    ) from error
            return self._servers[limit]


def _settings(limit: TimeControl | None) -> Settings:
    if limit is None:
        unhurried = ServerLimits(
            room_seconds=_DAY, first_byte_seconds=_DAY, message_seconds=_DAY, lobby_seconds=_DAY
        )
        return Settings(no_timeout=True, limits=unhurried)
    return Settings(soft_timeout=limit.soft, hard_timeout=limit.hard)


def _check_room(server: Server, matches: int) -> None:
    """Raise ArenaTrouble if a bot could be turned away because this process may open few files."""
    wanted, there = _CONNECTIONS * matches, server.admission.most
    if there < wanted:
        raise ArenaTrouble(
            f"there is room for {there} of {wanted} connections, because this process may open few "
            "files: allow more with ulimit -n 1024, or play fewer games at the same time"
        )


def _check_trouble(played: ArenaMatch) -> None:
    """Raise ArenaTrouble if a bot was not started because the system had no room for it."""
    for bot in played.bots:
        if any(reason in bot.problem for reason in _OUR_TROUBLE):
            raise ArenaTrouble(f"{bot.name} could not be started: {bot.problem}")


def _report(
    game: AnyGame,
    start: AnyState,
    played: ArenaMatch,
    captures: Sequence[OutputCapture],
    seconds: float,
) -> MatchReport:
    record = played.record
    assert record.final is not None  # the match is over
    moves = tuple(
        StoredMove(ply, move.turn, move.seat, game.format_move(move.move), move.seconds, move.hints)
        for ply, move in enumerate(record.moves)
    )
    result = MatchResult(
        outcome=played.outcome,
        way=SocketPlayer.way,
        final=game.format_position(record.final),
        digest=digest_of(game.id, game.format_position(start), (move.text for move in moves)),
        seconds=seconds,
        slowest=tuple(
            max((move.seconds for move in record.moves if move.seat == seat), default=None)
            for seat in range(game.seats)
        ),
        was_cancelled=played.was_cancelled,
        detail={"bots": [_ending(bot) for bot in played.bots]},
    )
    return MatchReport(
        result,
        moves,
        tuple(
            StoredNote(seat, note, turn_of(note))
            for seat, bot in enumerate(played.bots)
            for note in bot.notes
            if is_worth_storing(note, sends_hints=sends_hints(game))
        ),
        tuple(line for capture in captures for line in capture.lines()),
    )


def _ending(bot: Any) -> dict[str, Any]:
    return {
        "trouble": None if bot.trouble is None else bot.trouble.value,
        "problem": bot.problem,
        "exit_code": bot.exit_code,
        "was_ended": bot.was_ended,
    }
