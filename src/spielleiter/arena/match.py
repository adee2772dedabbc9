"""Play one match between programs, from start to result.

A match has a server, a room and two processes, and every wait has an end. Whoever watches is told
positions as they come. What went wrong is in the result, and ``verdict`` puts it into words.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from spielleiter.arena.arena_match import (
    ArenaMatch,
    NeverBegan,
    Patience,
    Trouble,
    WatchedPosition,
)
from spielleiter.arena.bots import HOST, BotSpec, bot_environment, distinct_names
from spielleiter.arena.match_seat import MatchSeat
from spielleiter.arena.seating import PersonLeaves, Seating
from spielleiter.arena.thoughts import ThoughtFile
from spielleiter.client.events import MoveAsked
from spielleiter.client.session import PlayerSession
from spielleiter.match import Phase
from spielleiter.processes.guard import temporary_folder
from spielleiter.processes.program import BotProcess, StartFailure
from spielleiter.processes.promises import done_aside
from spielleiter.replays import MatchRecord
from spielleiter.rules import AnyGame, AnyState
from spielleiter.server import Server, Settings
from spielleiter.server.clock import FairClock
from spielleiter.server.connection import Connection
from spielleiter.server.feed import (
    MatchEnded,
    PlayerLeft,
    PlayerSeated,
    PositionShown,
    RoomClosed,
    RoomEvent,
)
from spielleiter.server.room import Room
from spielleiter.server.services import Services
from spielleiter.wire import messages

_JOIN_TICK_SECONDS = 0.1
"""How often bots are looked at until all seats are taken.

The server's feed tells at once of those who sit down. Nobody tells of those who died.
"""
_TICK_SECONDS = 0.25
"""How often bots are looked at during a match."""
_LOST_SECONDS = 2.0
"""How long the connection of a bot may outlive it."""

Chooser = Callable[[AnyState], Awaitable[Any]]
"""Asks a person for a move.

With PersonLeaves they lose. What else it raises ends the match and comes out of
``play_arena_match``.
"""


@contextlib.asynccontextmanager
async def open_server(settings: Settings, clock: FairClock | None = None) -> AsyncIterator[Server]:
    """Open a server for matches of our own.

    It listens on this machine only, on any free port, and has no administrators.
    """
    server = Server(
        replace(settings, host=HOST, port=0, password=None, load=None, turn=None),
        services=Services() if clock is None else Services(clock=clock),
    )
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


async def play_arena_match(
    bots: Sequence[BotSpec],
    game: AnyGame,
    *,
    seed: int,
    settings: Settings | None = None,
    watch: Callable[[WatchedPosition], None] | None = None,
    human: Chooser | None = None,
    patience: Patience | None = None,
    logs: Path | None = None,
    server: Server | None = None,
    seating: Seating | None = None,
) -> ArenaMatch:
    """Play one match in which the first bot begins. Never raises for what a bot does.

    What ``watch`` raises ends the match and is raised here when the bots are gone. ``logs`` is a
    folder for the bots' output, one file each. If a ``server`` is given, many matches can share it,
    and its settings count. Otherwise one is opened with ``settings``. ``seating`` lets it begin
    elsewhere than at the start. Raises NeverBegan if the room was closed while it waited.
    """
    async with contextlib.AsyncExitStack() as stack:
        if server is None:
            server = await stack.enter_async_context(open_server(settings or Settings()))
        async with _folder_aside() as folder:
            running = _RunningMatch(server, bots, game, seed, patience or Patience(), human)
            running.seating = seating or Seating()
            return await running.play(watch, folder, logs)


@contextlib.asynccontextmanager
async def _folder_aside() -> AsyncIterator[Path]:
    """Make a folder that is gone afterwards, without keeping other matches of the loop waiting."""
    with contextlib.ExitStack() as stack:
        try:
            yield await done_aside(lambda: stack.enter_context(temporary_folder()))
        finally:
            await done_aside(stack.close)


@dataclass(slots=True)
class _RunningMatch:
    """One match while it is played. It is used once, in one loop."""

    server: Server
    bots: Sequence[BotSpec]
    game: AnyGame
    seed: int
    patience: Patience
    human: Chooser | None
    seats: list[MatchSeat] = field(default_factory=list)
    room: Room = field(init=False)
    over: asyncio.Future[MatchRecord] = field(init=False)
    watch_error: asyncio.Future[Exception] = field(init=False)
    """What the watcher raised."""
    seats_changed: asyncio.Event = field(default_factory=asyncio.Event)
    watch: Callable[[WatchedPosition], None] | None = None
    was_cancelled: bool = False
    seating: Seating = field(default_factory=Seating)

    async def play(
        self, watch: Callable[[WatchedPosition], None] | None, folder: Path, logs: Path | None
    ) -> ArenaMatch:
        self.over = asyncio.get_running_loop().create_future()
        self.watch_error = asyncio.get_running_loop().create_future()
        self.watch = watch
        self.seats = [
            MatchSeat(number, spec, name, ThoughtFile(folder / f"notes-{number}.jsonl"))
            for number, (spec, name) in enumerate(
                zip(self.bots, self.seating.names or distinct_names(self.bots), strict=True)
            )
        ]
        self.room = self._prepare()
        unsubscribe = self.server.feed.subscribe(self._hear)
        try:
            if self.seating.opened is not None:
                self.seating.opened(self.room)
            async with asyncio.TaskGroup() as starts:
                for seat, code in zip(self.seats, self.room.reservation_codes, strict=True):
                    starts.create_task(self._start(seat, code, logs))
            await self._until_seated()
            await self._until_over()
            self._raise_watch_error()
            await self._dismiss(self.patience.leave)
        finally:
            # This also runs when a watcher or a person raised something, or the task is cancelled.
            # The server may be shared, so neither the room nor a process may stay behind.
            unsubscribe()
            self._cancel()
            if self.over.done():
                self.over.exception()  # it is known, and nobody has to log it
            await self._dismiss(0.0)
        return self._result()

    def _result(self) -> ArenaMatch:
        record = self.over.result()
        assert record.outcome is not None
        reports = tuple(seat.report() for seat in self.seats)
        return ArenaMatch(
            record,
            record.outcome,
            reports,
            self.seed,
            self.server.settings,
            self.patience,
            self.was_cancelled,
        )

    # In the lobby

    def _prepare(self) -> Room:
        timed = self.seating.timed
        slots = [
            messages.Slot(seat.name, can_timeout=timed and not seat.spec.is_human)
            for seat in self.seats
        ]
        return self.server.lobby.prepare_room(self.game, slots, position=self._first_position)

    def _first_position(self) -> AnyState:
        position = self.seating.position
        return self.game.start(self.seed) if position is None else position

    def _hear(self, event: RoomEvent) -> None:
        """Take in what happened in our room. The server may have other rooms."""
        if event.room_id != self.room.id:
            return
        match event:
            case PlayerSeated() | PlayerLeft():
                self.seats_changed.set()
            case PositionShown():
                if self.seating.turned is not None:
                    self.seating.turned(event.state.turn)
                self._show(event)
            case MatchEnded(record=record):
                self.over.set_result(record)
            case RoomClosed() if not self.over.done():
                self.over.set_exception(NeverBegan("the room was closed before all had come"))

    def _show(self, event: PositionShown) -> None:
        if self.watch is None or self.watch_error.done():
            return
        move = event.move
        thoughts = None if move is None else self.seats[move.seat].thoughts.find(move.turn)
        try:
            self.watch(
                WatchedPosition(event.state, move, event.names, thoughts, self._count_written())
            )
        except Exception as error:
            # This runs inside the server, which must not be harmed. It is raised where the match
            # is awaited, see _wait.
            self.watch_error.set_result(error)

    def _count_written(self) -> tuple[Mapping[str, int], ...]:
        """Return how much each bot has printed, so that its lines find the move they belong to."""
        if self.seating.hear is None:
            return ()
        return tuple(
            {} if seat.process is None else seat.process.count_written() for seat in self.seats
        )

    def _cancel(self) -> None:
        """End the match as it stands, if it is still on."""
        if self.room.id in self.server.lobby.rooms:
            self.room.cancel()
            self.server.outbox.flush()

    # Seats

    async def _start(self, seat: MatchSeat, code: str, logs: Path | None) -> None:
        if seat.spec.is_guest:
            return
        if seat.spec.is_human:
            seat.person = asyncio.get_running_loop().create_task(self._sit(code))
            return
        # Starting a program waits for the system and for its keeper. The loop has other matches.
        await done_aside(lambda: self._start_process(seat, code, logs))

    def _start_process(self, seat: MatchSeat, code: str, logs: Path | None) -> None:
        settings, hear, dice = self.server.settings, self.seating.hear, self.seating.dice
        seed = self.seed * 2 + seat.number if dice is None else dice[seat.number]
        timed = self.seating.timed and not settings.no_timeout
        log = None if logs is None else logs / f"{seat.number + 1}-{_file_name(seat.name)}.log"
        try:
            seat.process = BotProcess.start(
                seat.spec.command(self.server.local_host, self.server.port, code, seed),
                folder=seat.spec.folder,
                environment=bot_environment(
                    os.environ,
                    name=seat.name,
                    notes=seat.thoughts.path,
                    move_seconds=settings.soft_timeout if timed else None,
                ),
                log=log,
                hear=None if hear is None else functools.partial(hear, seat.number),
                guard=self.seating.guard,
            )
        except StartFailure as failure:
            seat.trouble, seat.problem = Trouble.NOT_STARTED, str(failure)

    async def _sit(self, code: str) -> None:
        """Connect a person as a bot would connect, and ask them for each move."""
        assert self.human is not None
        session = PlayerSession(messages.JoinPrepared(code), self.game, own_server=True)
        reader, out = await asyncio.open_connection(self.server.local_host, self.server.port)
        try:
            out.write(session.opening())
            while data := await reader.read(65536):
                for event in session.receive_data(data):
                    if isinstance(event, MoveAsked):
                        out.write(session.move(await self.human(event.state)))
        except PersonLeaves:
            pass  # the server notices that the connection is closed
        finally:
            out.close()

    async def _until_seated(self) -> None:
        """Wait until everybody sits or will never sit, then start the match."""
        # A bot that never comes does not cancel the match. It is started by force all the same, so
        # that the referee decides. Whoever came wins against whoever did not, with a record and a
        # reason as after any other match.
        loop = asyncio.get_running_loop()
        deadline = None if self.patience.join is None else loop.time() + self.patience.join
        while not self.over.done():
            for seat in self.seats:
                self._look_at(seat, late=deadline is not None and loop.time() > deadline)
            if all(seat.joined or seat.trouble for seat in self.seats):
                break
            self.seats_changed.clear()
            changed = loop.create_task(self.seats_changed.wait())
            try:
                await self._wait(_JOIN_TICK_SECONDS, changed)
            finally:
                changed.cancel()
        if self.room.referee.phase is Phase.WAITING:
            self.room.step(forced=True)
            self.server.outbox.flush()

    def _look_at(self, seat: MatchSeat, *, late: bool) -> None:
        if seat.trouble is not None:
            return
        if self.room.referee.phase is not Phase.WAITING:
            seat.joined = True
            return
        seat.joined = self.room.seats[seat.number].peer is not None
        if not seat.joined and seat.process is not None:
            if seat.process.is_gone:
                seat.trouble = Trouble.ENDED_EARLY
            elif late:
                seat.trouble = Trouble.NEVER_JOINED

    async def _until_over(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = None if self.patience.match is None else loop.time() + self.patience.match
        while not self.over.done():
            await self._wait(_TICK_SECONDS)
            for seat in self.seats:
                self._drop_if_lost(seat, loop.time())
            if deadline is not None and loop.time() > deadline and not self.over.done():
                self.was_cancelled = True
                self._cancel()

    def _drop_if_lost(self, seat: MatchSeat, now: float) -> None:
        """Drop the connection of a bot whose process ended some time ago."""
        # Usually the system closes the connection of a process that ends, and the server notices.
        # Something that the bot started and that has left its process group may have inherited the
        # socket and keep it open. Nobody would answer, and an untimed match would wait for ever.
        # The pause is for a last move that was sent and is not read yet.
        if seat.process is None or not seat.process.is_gone:
            return
        if seat.gone_at is None:
            seat.gone_at = now
        elif now - seat.gone_at > _LOST_SECONDS:
            peer = self.room.seats[seat.number].peer
            if isinstance(peer, Connection):
                peer.drop("its process has ended")

    async def _wait(self, seconds: float, *more: asyncio.Future[Any]) -> None:
        """Wait this long, or until the match is over or one of ``more`` is done.

        Raises what a person or the watcher raised.
        """
        people = [seat.person for seat in self.seats if seat.person is not None]
        awaited: list[asyncio.Future[Any]] = [self.over, self.watch_error, *people, *more]
        await asyncio.wait(awaited, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        self._raise_watch_error()
        for person in people:
            if person.done() and not person.cancelled() and not self.over.done():
                person.result()
                # Their connection is closed, and the match will know in a moment. The task stays
                # done, so without this sleep the caller would loop without a pause until then.
                await asyncio.sleep(seconds)

    def _raise_watch_error(self) -> None:
        if self.watch_error.done():
            raise self.watch_error.result()

    async def _dismiss(self, patience: float) -> None:
        """Let everybody go, and end the bots that have not left within ``patience``."""
        for seat in self.seats:
            if seat.person is not None:
                seat.person.cancel()
        people = [seat.person for seat in self.seats if seat.person is not None]
        await asyncio.gather(*people, return_exceptions=True)
        await asyncio.gather(*(seat.end(patience) for seat in self.seats))


def _file_name(name: str) -> str:
    return "".join(
        letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_"
        for letter in name
    )[:60]
