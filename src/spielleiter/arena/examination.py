"""Play one game with one bot on a server of its own that notes everything the bot does.

Unlike a real server, this one plays the opponent itself, begins from any position, plays on after a
late answer, and can say odd things or vanish when told to. It does not judge. What came is in the
Evidence. Every wait has an end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import NoReturn

from spielleiter.arena.bots import BotSpec, bot_environment
from spielleiter.client.watchdog import tidy_dump
from spielleiter.processes.program import BotProcess, StartFailure, describe_exit
from spielleiter.rules import (
    AnyState,
    Cause,
    FreeClock,
    Outcome,
    Player,
    RuleViolation,
    Text,
)
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import CLOSE_TAGS, Dialect
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ProtocolError
from spielleiter.wire.requests import decode_request
from spielleiter.wire.stream import MessageStream, StreamEnd

HOST = "127.0.0.1"
ROOM = "check"
_CHUNK = 1 << 16
_LAST_LINES = 8
_GRACE_SECONDS = 1.0
"""To say its last words, for a bot that has lost by a fault."""
_LOOK_SECONDS = 0.02
"""How often it is looked whether a bot that has not come yet still lives."""

Options = Callable[[str, int, str], Sequence[str]]
"""Host, port and reservation code as a command line."""
_Event = Element | ProtocolError | StreamEnd


@dataclass(frozen=True, slots=True)
class CheckLimits:
    """What a bot may take, in seconds unless a field says otherwise."""

    join: float = 10.0
    move: float = 2.0
    hard: float = 10.0
    """Nobody waits longer for a move."""
    close: float = 5.0
    """To end after the result."""
    orphaned: float = 5.0
    """To end after the server has gone."""
    output: int = 1_000_000
    """Bytes of output in one game."""
    late_moves: int = 3
    """So many late answers end a game; before, it goes on to see what else there is."""


class Fault(Enum):
    """What a bot can do wrong."""

    NOT_STARTED = auto()
    ENDED_EARLY = auto()
    NEVER_CONNECTED = auto()
    NEVER_JOINED = auto()
    JOINED_WRONGLY = auto()
    LATE = auto()
    NO_ANSWER = auto()
    ILLEGAL = auto()
    UNREADABLE = auto()
    UNASKED = auto()
    LEFT = auto()
    STAYED = auto()
    BAD_EXIT = auto()
    OUTLIVED = auto()
    """Still there long after the server."""


class Vanishing(Enum):
    """Whether the server goes away during the opponent's move or while the bot itself thinks."""

    WHILE_WAITING = auto()
    WHILE_THINKING = auto()


@dataclass(frozen=True, slots=True)
class Trial:
    """What is to be tried."""

    start: AnyState
    seat: int
    opponent: Player
    options: Options
    odd_attributes: bool = False
    most_moves: int | None = None
    """After so many of the bot's moves the game is cancelled: its result is as it stands then."""
    vanish: Vanishing | None = None


@dataclass(slots=True)
class Evidence:
    """What came of a trial.

    ``faults`` are in the order in which they happened, each with a description of what came.
    """

    connect_seconds: float | None = None
    join_seconds: float | None = None
    answers: list[float] = field(default_factory=list)
    """Seconds for each move that was asked for."""
    faults: dict[Fault, str] = field(default_factory=dict)
    outcome: Outcome | None = None
    """Of a game that came to its regular end."""
    end_seconds: float | None = None
    """From the result, or from the server's vanishing, to the end of the process."""
    exit_code: int | None = None
    output_bytes: int = 0
    printed: int = 0
    """Lines that the bot itself printed."""
    last_words: tuple[str, ...] = ()

    def add(self, fault: Fault, text: str) -> None:
        self.faults.setdefault(fault, text)


async def sit(spec: BotSpec, trial: Trial, codec: AnyCodec, limits: CheckLimits) -> Evidence:
    """Start the bot, play, and return what happened.

    Never raises for what a bot does, and leaves no process behind.
    """
    table = _Table(spec, trial, codec, limits)
    await table.run()
    return table.evidence


class _Over(Exception):
    """Say that nothing more can be tried at this table."""


class _Line:
    """The connection to the bot. What the bot says waits here until somebody looks."""

    def __init__(self, reader: asyncio.StreamReader, writer_: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer_
        self._events: asyncio.Queue[_Event] = asyncio.Queue()
        self._listening = asyncio.get_running_loop().create_task(self._listen())
        self._opened = False

    @property
    def has_more(self) -> bool:
        """Whether the bot has said something that nobody has looked at."""
        return not self._events.empty()

    async def next(self, seconds: float) -> _Event | None:
        """Return what the bot says next, or None if it says nothing for so long."""
        try:
            async with asyncio.timeout(max(seconds, 0)):
                return await self._events.get()
        except TimeoutError:
            return None

    async def _listen(self) -> None:
        stream = MessageStream()
        while stream.is_open:
            try:
                data = await self._reader.read(_CHUNK)
            except OSError:
                data = b""
            if data:
                stream.receive_data(data)
            else:
                stream.receive_eof()
            for event in stream.events_received():
                self._events.put_nowait(event)
                if not isinstance(event, Element) or event.tag in CLOSE_TAGS:
                    self.close()

    def send(self, packet: str) -> None:
        if not self._writer.is_closing():
            opening = b"" if self._opened else writer.OPEN.encode()
            self._opened = True
            self._writer.write(opening + writer.frame(packet))

    async def flush(self) -> None:
        with contextlib.suppress(OSError):
            await self._writer.drain()

    def close(self) -> None:
        """Say goodbye and close."""
        if not self._writer.is_closing():
            self._writer.write(writer.CLOSE.encode())
            self._writer.close()

    def drop(self) -> None:
        """Close the connection without saying goodbye."""
        self._listening.cancel()
        self._writer.transport.abort()


class _Table:
    """One trial while it is played. It is used once, in one loop."""

    def __init__(self, spec: BotSpec, trial: Trial, codec: AnyCodec, limits: CheckLimits) -> None:
        self.evidence = Evidence()
        self._spec = spec
        self._sitting = trial
        self._codec = codec
        self._limits = limits
        self._code = secrets.token_hex(16)
        self._names = tuple(
            spec.name if seat == trial.seat else "opponent" for seat in range(codec.game.seats)
        )
        self._line: _Line | None = None
        self._has_vanished = False
        self._process: BotProcess

    @property
    def _dialect(self) -> Dialect:
        return self._codec.dialect

    # From start to end

    async def run(self) -> None:
        server = await asyncio.start_server(self._accept, HOST, 0, limit=_CHUNK)
        try:
            if not self._start(server.sockets[0].getsockname()[1]):
                return
            try:
                with contextlib.suppress(_Over):
                    await self._join()
                    await self._play()
                server.close()
                await self._part()
            finally:
                await self._process.end()
                self._note_process()
        finally:
            server.close()
            if self._line is not None:
                self._line.drop()

    def _start(self, port: int) -> bool:
        environment = bot_environment(
            os.environ, name=self._spec.name, move_seconds=self._limits.move
        )
        command = [*self._spec.argv, *self._sitting.options(HOST, port, self._code)]
        try:
            self._process = BotProcess.start(
                command, folder=self._spec.folder, environment=environment
            )
        except StartFailure as failure:
            self.evidence.add(Fault.NOT_STARTED, str(failure))
            return False
        return True

    def _note_process(self) -> None:
        process, evidence = self._process, self.evidence
        evidence.output_bytes = process.stdout.total + process.stderr.total
        evidence.printed = process.count_printed(self._spec.name)
        said = process.stderr.text().strip() or process.stdout.text().strip()
        evidence.last_words = tuple(
            line.rstrip() for line in tidy_dump(said.splitlines())[-_LAST_LINES:]
        )

    # Joining

    def _accept(self, reader: asyncio.StreamReader, writer_: asyncio.StreamWriter) -> None:
        if self._line is None:
            self._line = _Line(reader, writer_)
        else:
            writer_.close()  # one seat, one connection

    async def _join(self) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        deadline = started + self._limits.join
        line = await self._connection(deadline)
        self.evidence.connect_seconds = loop.time() - started
        event = await line.next(deadline - loop.time())
        if event is None:
            self._over(
                Fault.NEVER_JOINED, f"it connected and said nothing for {self._limits.join:g} s"
            )
        if isinstance(event, StreamEnd):
            self._over(Fault.NEVER_JOINED, "it connected and went away without a word")
        try:
            message = _read(event)
        except ProtocolError as error:
            self._over(Fault.NEVER_JOINED, f"it sent what cannot be read: {error}")
        if not isinstance(message, messages.JoinPrepared):
            self._over(
                Fault.JOINED_WRONGLY,
                f"it sent {type(message).__name__}, without the reservation code",
            )
        if message.code != self._code:
            self._over(
                Fault.JOINED_WRONGLY,
                f"it sent the reservation code {message.code!r}, which is another one",
            )
        self.evidence.join_seconds = loop.time() - started
        self._codec = self._codec.game.codecs.get(message.revision or "", self._codec)
        self._send(writer.joined(ROOM))
        self._send(writer.welcome(self._dialect, ROOM, self._codec.seat_name(self._sitting.seat)))

    async def _connection(self, deadline: float) -> _Line:
        loop = asyncio.get_running_loop()
        while self._line is None:
            if self._process.is_gone:
                assert self._process.exit_code is not None
                ended = describe_exit(self._process.exit_code)
                self._over(Fault.ENDED_EARLY, f"it ended before it connected ({ended})")
            if loop.time() > deadline:
                self._over(
                    Fault.NEVER_CONNECTED, f"it did not connect within {self._limits.join:g} s"
                )
            await asyncio.sleep(_LOOK_SECONDS)
        return self._line

    # Playing

    async def _play(self) -> None:
        trial = self._sitting
        state = trial.start
        while not state.is_over:
            self._send(writer.memento(ROOM, self._codec.encode_state(state, self._names)))
            mine = state.seat == trial.seat
            if self.evidence.answers and trial.vanish is (
                Vanishing.WHILE_THINKING if mine else Vanishing.WHILE_WAITING
            ):
                await self._vanish(asked=mine)
                return
            if len(self.evidence.answers) == trial.most_moves:
                break
            if mine:
                state = await self._take_move(state)
            else:
                state = state.play(trial.opponent.choose(state, FreeClock()))
        else:
            self._send(writer.memento(ROOM, self._codec.encode_state(state, self._names)))
        self.evidence.outcome = state.outcome()
        self._finish(state, state.outcome())

    async def _vanish(self, *, asked: bool) -> None:
        assert self._line is not None
        if asked:
            self._send(writer.move_request(self._dialect, ROOM))
        await self._line.flush()
        self._line.drop()
        self._has_vanished = True

    async def _take_move(self, state: AnyState) -> AnyState:
        """Ask for a move and return the position after it.

        What is wrong ends the game as a real server would end it.
        """
        assert self._line is not None
        limits, where = self._limits, f"in turn {state.turn}"
        if self._line.has_more:
            self._forfeit(
                state, Cause.LEFT, Fault.UNASKED, f"it sent something before it was asked, {where}"
            )
        self._send(writer.move_request(self._dialect, ROOM))
        await self._line.flush()
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        event = await self._line.next(limits.hard)
        seconds = loop.time() - asked_at
        if event is None:
            self._forfeit(
                state,
                Cause.HARD_TIMEOUT,
                Fault.NO_ANSWER,
                f"no move came within {limits.hard:g} s, {where}",
            )
        if isinstance(event, Element) and event.tag not in CLOSE_TAGS:
            self.evidence.answers.append(seconds)
        after = self._after(state, event, where)
        if seconds > limits.move:
            self.evidence.add(Fault.LATE, f"a move took {seconds:.2f} s, {where}")
            if sum(answer > limits.move for answer in self.evidence.answers) >= limits.late_moves:
                self._lose(state, Cause.SOFT_TIMEOUT)
        return after

    def _after(self, state: AnyState, event: _Event, where: str) -> AnyState:
        if isinstance(event, StreamEnd):
            self._forfeit(state, Cause.LEFT, Fault.LEFT, f"it went away instead of moving, {where}")
        try:
            message = _read(event)
            if isinstance(message, messages.CloseRequest):
                self._forfeit(
                    state, Cause.LEFT, Fault.LEFT, f"it said goodbye instead of moving, {where}"
                )
            if not isinstance(message, messages.RoomMessage) or message.data is None:
                raise CodecError("room", f"a move is expected, not {type(message).__name__}")
            if message.room_id != ROOM:
                raise CodecError("room@roomId", f"the room is {ROOM!r}, not {message.room_id!r}")
            move = self._codec.decode_move(message.data, state).move
        except (ProtocolError, CodecError) as error:
            self._forfeit(
                state, Cause.LEFT, Fault.UNREADABLE, f"its move cannot be read, {where}: {error}"
            )
        try:
            after: AnyState = state.play(move)
        except RuleViolation as violation:
            complaint = self._codec.complaint(violation, move, self._spec.name, to_offender=True)
            original = self._codec.encode_move(move, tag=self._dialect.original_tag)
            self._send(writer.room_error(self._dialect, ROOM, complaint, original))
            reason = self._codec.violation_reason(violation, move, self._spec.name)
            came = f"{self._codec.game.format_move(move)} breaks a rule, {where}: {violation}"
            self._forfeit(state, Cause.RULE_VIOLATION, Fault.ILLEGAL, came, reason)
        return after

    # The end

    def _over(self, fault: Fault, came: str) -> NoReturn:
        self.evidence.add(fault, came)
        raise _Over

    def _forfeit(
        self, state: AnyState, cause: Cause, fault: Fault, came: str, reason: Text | None = None
    ) -> NoReturn:
        self.evidence.add(fault, came)
        self._lose(state, cause, reason)

    def _lose(self, state: AnyState, cause: Cause, reason: Text | None = None) -> NoReturn:
        name, limits, dialect = self._spec.name, self._limits, self._dialect
        reasons = {
            Cause.SOFT_TIMEOUT: dialect.soft_timeout_reason(name, limits.move),
            Cause.HARD_TIMEOUT: dialect.hard_timeout_reason(name, limits.hard),
            Cause.LEFT: dialect.left_reason(name),
        }
        lost = state.outcome().forfeit(self._sitting.seat, cause, reason or reasons[cause])
        if dialect.end_in_state:
            last = self._codec.encode_last_state(state, self._names, (), lost)
            self._send(writer.memento(ROOM, last))
        self._finish(state, lost)
        raise _Over

    def _finish(self, state: AnyState, outcome: Outcome) -> None:
        self._send(writer.room(ROOM, self._codec.encode_outcome(outcome, state, self._names)))
        self._send(writer.left(ROOM))

    async def _part(self) -> None:
        """See the bot off. Like the official servers, this one waits for the bot to close."""
        evidence, limits = self.evidence, self._limits
        if evidence.outcome is None and not self._has_vanished:
            if evidence.join_seconds is not None and Fault.NO_ANSWER not in evidence.faults:
                await self._process.wait_within(min(_GRACE_SECONDS, limits.close))
            return
        patience = limits.orphaned if self._has_vanished else limits.close
        loop = asyncio.get_running_loop()
        over_at = loop.time()
        if not await self._process.wait_within(patience):
            fault, what = (
                (Fault.OUTLIVED, "server is gone")
                if self._has_vanished
                else (Fault.STAYED, "result")
            )
            evidence.add(fault, f"it still runs {patience:g} s after the {what}")
            return
        evidence.end_seconds = loop.time() - over_at
        evidence.exit_code = self._process.exit_code
        if evidence.outcome is not None and evidence.exit_code:
            evidence.add(Fault.BAD_EXIT, f"it ended with {describe_exit(evidence.exit_code)}")

    def _send(self, packet: str) -> None:
        assert self._line is not None
        self._line.send(_with_odd_attributes(packet) if self._sitting.odd_attributes else packet)


def _read(event: Element | ProtocolError) -> messages.Request:
    """Return what the bot sent as a request.

    Raises ProtocolError if it cannot be read.
    """
    if isinstance(event, ProtocolError):
        raise event
    return decode_request(event).message


_TAG = re.compile(r"<(joined|left|room|data|state|board)\b([^<>]*?)(/?)>")


def _with_odd_attributes(packet: str) -> str:
    """Return the packet with attributes that nobody knows.

    Bots have to read it, because documents may grow by attributes at any time.
    """
    return _TAG.sub(r'<\1\2 oddAttribute="1"\3>', packet)
