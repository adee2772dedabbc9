"""Play one match with one bot on a server of its own that notes everything the bot does.

Unlike a real server, this one plays the opponent itself, begins from any position, plays on after a
late answer, and can say odd things or vanish when told to. As on a real server, the referee decides
who has lost and why. What the bot did is in the Evidence. Every wait has an end.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
from typing import Any, NoReturn

from spielleiter.arena.bots import HOST, BotSpec, bot_environment
from spielleiter.arena.exam.connection import CHUNK, BotConnection, BotEvent, with_odd_attributes
from spielleiter.arena.exam.evidence import CheckLimits, Evidence, Fault, Trial, Vanishing
from spielleiter.client.watchdog import tidy_dump
from spielleiter.match import (
    Ask,
    Begin,
    Complain,
    Departure,
    Effect,
    Finish,
    Referee,
    ShowState,
    TimeControl,
)
from spielleiter.processes.program import BotProcess, StartFailure, describe_exit
from spielleiter.rules import AnyState, FreeClock, Outcome
from spielleiter.wire import messages
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import CLOSE_TAGS, Dialect
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ProtocolError
from spielleiter.wire.requests import decode_request
from spielleiter.wire.responses import encode_response
from spielleiter.wire.stream import StreamEnd
from spielleiter.wire.wording import SeasonWording

ROOM = "check"
_LAST_LINES = 8
_GRACE_SECONDS = 1.0
"""How long a bot that has lost by a fault has for its last words."""
_LOOK_SECONDS = 0.02
"""How often to look whether a bot that has not connected yet still lives."""


async def examine(spec: BotSpec, trial: Trial, codec: AnyCodec, limits: CheckLimits) -> Evidence:
    """Start the bot, play, and return what happened.

    Never raises for what a bot does, and leaves no process behind.
    """
    examination = _Examination(spec, trial, codec, limits)
    await examination.run()
    return examination.evidence


class _NoMatch(Exception):
    """The bot did not join, so there is nothing to play."""


class _NoMove(Exception):
    """What came instead of a move is a fault. The text says what it was."""

    def __init__(self, fault: Fault, came: str) -> None:
        super().__init__(came)
        self.fault = fault


class _Examination:
    """One trial while it is played. It is used once, in one loop."""

    def __init__(self, spec: BotSpec, trial: Trial, codec: AnyCodec, limits: CheckLimits) -> None:
        self.evidence = Evidence()
        self._spec = spec
        self._trial = trial
        self._codec = codec
        self._limits = limits
        self._code = secrets.token_hex(16)
        self._names = tuple(
            spec.name if seat == trial.seat else "opponent" for seat in range(codec.game.seats)
        )
        self._line: BotConnection | None = None
        self._has_vanished = False
        self._process: BotProcess
        self._referee: Referee

    @property
    def _dialect(self) -> Dialect:
        return self._codec.dialect

    # From start to end

    async def run(self) -> None:
        server = await asyncio.start_server(self._accept, HOST, 0, limit=CHUNK)
        try:
            if not self._start(server.sockets[0].getsockname()[1]):
                return
            try:
                with contextlib.suppress(_NoMatch):
                    await self._join()
                    await self._play()
                server.close()
                await self._wait_for_end()
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
        command = [*self._spec.argv, *self._trial.options(HOST, port, self._code)]
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
            self._line = BotConnection(reader, writer_)
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
            self._refuse(
                Fault.NEVER_JOINED, f"it connected and said nothing for {self._limits.join:g} s"
            )
        if isinstance(event, StreamEnd):
            self._refuse(Fault.NEVER_JOINED, "it connected and went away without a word")
        try:
            message = _read(event)
        except ProtocolError as error:
            self._refuse(Fault.NEVER_JOINED, f"it sent what cannot be read: {error}")
        if not isinstance(message, messages.JoinPrepared):
            self._refuse(
                Fault.JOINED_WRONGLY,
                f"it sent {type(message).__name__}, without the reservation code",
            )
        if message.code != self._code:
            self._refuse(
                Fault.JOINED_WRONGLY,
                f"it sent the reservation code {message.code!r}, which is another one",
            )
        self.evidence.join_seconds = loop.time() - started
        self._codec = self._codec.game.codecs.get(message.revision or "", self._codec)
        self._send(messages.Joined(ROOM))

    def _refuse(self, fault: Fault, came: str) -> NoReturn:
        self.evidence.add(fault, came)
        raise _NoMatch

    async def _connection(self, deadline: float) -> BotConnection:
        loop = asyncio.get_running_loop()
        while self._line is None:
            if self._process.is_gone:
                assert self._process.exit_code is not None
                ended = describe_exit(self._process.exit_code)
                self._refuse(Fault.ENDED_EARLY, f"it ended before it connected ({ended})")
            if loop.time() > deadline:
                self._refuse(
                    Fault.NEVER_CONNECTED, f"it did not connect within {self._limits.join:g} s"
                )
            await asyncio.sleep(_LOOK_SECONDS)
        return self._line

    # Playing

    async def _play(self) -> None:
        limits = self._limits
        self._referee = Referee(
            self._trial.start,
            SeasonWording(self._codec, self._names),
            time=TimeControl(limits.move, limits.hard),
            # A late move does not end the match at once, see _take_move.
            can_timeout=[False] * len(self._names),
        )
        effects = self._referee.begin()
        while effects:
            effects = await self._carry_out(effects)

    async def _carry_out(self, effects: list[Effect]) -> list[Effect]:
        """Do what the referee says, and return what it says about the answer to a request."""
        for effect in effects:
            match effect:
                case Begin():
                    color = self._codec.seat_name(self._trial.seat)
                    self._send(messages.Welcome(ROOM, color))
                case ShowState(state):
                    self._send(messages.Memento(ROOM, self._codec.encode_state(state, self._names)))
                case Complain():
                    self._complain(effect)
                case Finish(outcome, state):
                    self._finish(outcome, state)
                case Ask(seat):
                    return await self._ask(seat)
        return []

    async def _ask(self, seat: int) -> list[Effect]:
        trial, state = self._trial, self._referee.state
        mine = seat == trial.seat
        if self.evidence.answers and trial.vanish is (
            Vanishing.WHILE_THINKING if mine else Vanishing.WHILE_WAITING
        ):
            await self._vanish(asked=mine)
            return []
        if len(self.evidence.answers) == trial.most_moves:
            return self._referee.cancel()
        if mine:
            return await self._ask_bot(state)
        return self._referee.move(seat, trial.opponent.choose(state, FreeClock()), 0.0)

    async def _vanish(self, *, asked: bool) -> None:
        assert self._line is not None
        if asked:
            self._send(messages.MoveRequest(ROOM))
        await self._line.flush()
        self._line.drop()
        self._has_vanished = True

    async def _ask_bot(self, state: AnyState) -> list[Effect]:
        """Ask the bot for a move, and tell the referee what came."""
        assert self._line is not None
        limits, where = self._limits, f"in turn {state.turn}"
        # A bot that answers twice would be right about the next request by chance and out of step
        # for the rest of the match. So the second answer is a fault at once, and not read.
        if self._line.has_more:
            return self._leave(Fault.UNASKED, f"it sent something before it was asked, {where}")
        self._send(messages.MoveRequest(ROOM))
        await self._line.flush()
        loop = asyncio.get_running_loop()
        asked_at = loop.time()
        event = await self._line.next(limits.hard)
        seconds = loop.time() - asked_at
        if event is None:
            came = f"no move came within {limits.hard:g} s, {where}"
            self.evidence.add(Fault.NO_ANSWER, came)
            return self._referee.stuck(self._trial.seat)
        if isinstance(event, Element) and event.tag not in CLOSE_TAGS:
            self.evidence.answers.append(seconds)
        try:
            move = self._read_move(event, state, where)
        except _NoMove as problem:
            return self._leave(problem.fault, str(problem))
        return self._take_move(state, move, seconds)

    def _take_move(self, state: AnyState, move: Any, seconds: float) -> list[Effect]:
        """Hand a move to the referee, who overlooks the first late ones.

        Of a move that is late and illegal the latter is told, because it is the worse fault.
        """
        seat, limits = self._trial.seat, self._limits
        if seconds > limits.move and state.is_legal(move):
            self.evidence.add(Fault.LATE, f"a move took {seconds:.2f} s, in turn {state.turn}")
            late = sum(answer > limits.move for answer in self.evidence.answers)
            # The referee ends a match with the first late move. Here it is told to look away until
            # there were enough of them, or nothing after the first slow move would be tried.
            self._referee.can_timeout[seat] = late >= limits.late_moves
        return self._referee.move(seat, move, seconds)

    def _read_move(self, event: BotEvent, state: AnyState, where: str) -> Any:
        """Return the move that came. Raises _NoMove."""
        if isinstance(event, StreamEnd):
            raise _NoMove(Fault.LEFT, f"it went away instead of moving, {where}")
        try:
            message = _read(event)
            if isinstance(message, messages.CloseRequest):
                raise _NoMove(Fault.LEFT, f"it said goodbye instead of moving, {where}")
            if not isinstance(message, messages.RoomMessage) or message.data is None:
                raise CodecError("room", f"a move is expected, not {type(message).__name__}")
            if message.room_id != ROOM:
                raise CodecError("room@roomId", f"the room is {ROOM!r}, not {message.room_id!r}")
            return self._codec.decode_move(message.data, state).move
        except (ProtocolError, CodecError) as error:
            came = f"its move cannot be read, {where}: {error}"
            raise _NoMove(Fault.UNREADABLE, came) from None

    def _leave(self, fault: Fault, came: str) -> list[Effect]:
        self.evidence.add(fault, came)
        return self._referee.leave(self._trial.seat, Departure.LOST_CONNECTION)

    # The end

    def _complain(self, effect: Complain) -> None:
        violation, move = effect.violation, effect.move
        assert violation is not None  # nothing that came unasked is read, let alone handed on
        complaint = self._codec.complaint(violation, move, self._spec.name, to_offender=True)
        original = self._codec.encode_move(move, tag=self._dialect.original_tag)
        self._send(messages.RoomError(ROOM, complaint, original))
        spelled = self._codec.game.format_move(move)
        where = f"in turn {self._referee.state.turn}"
        self.evidence.add(Fault.ILLEGAL, f"{spelled} breaks a rule, {where}: {violation}")

    def _finish(self, outcome: Outcome, state: AnyState) -> None:
        if outcome.is_regular:
            self.evidence.outcome = outcome
        elif self._dialect.end_in_state:
            last = self._codec.encode_last_state(state, self._names, (), outcome)
            self._send(messages.Memento(ROOM, last))
        self._send(
            messages.ResultMessage(ROOM, self._codec.encode_outcome(outcome, state, self._names))
        )
        self._send(messages.Left(ROOM))

    async def _wait_for_end(self) -> None:
        """Wait for the bot to end. Like the official servers, this one lets the bot close first."""
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

    def _send(self, message: messages.Response | messages.WrittenResponse) -> None:
        assert self._line is not None
        packet = encode_response(message, self._dialect)
        self._line.send(with_odd_attributes(packet) if self._trial.odd_attributes else packet)


def _read(event: Element | ProtocolError) -> messages.Request:
    """Return what the bot sent as a request.

    Raises ProtocolError if it cannot be read.
    """
    if isinstance(event, ProtocolError):
        raise event
    return decode_request(event).message
