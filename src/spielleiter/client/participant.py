"""Play one game, with events going to the bot and the bot's moves to the connection."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable

from spielleiter.client.clock import MoveClock
from spielleiter.client.connection import ServerLink
from spielleiter.client.events import (
    Closed,
    ErrorReceived,
    Event,
    Ignored,
    MatchOver,
    MoveAsked,
    OtherGame,
    PauseShown,
    RoomLeft,
    SeatTaken,
    Started,
    StateShown,
    Unreadable,
)
from spielleiter.client.exits import Exit, Failure
from spielleiter.client.notes import NoteFile
from spielleiter.client.results import describe_loss, describe_result
from spielleiter.client.session import (
    LONGEST_HINT,
    MOST_HINTS,
    JoinMessage,
    PlayerSession,
    cut_hints,
)
from spielleiter.client.thinker import Decision, Thinker
from spielleiter.games import all_games
from spielleiter.rules import Cause, Outcome
from spielleiter.wire import messages

_LEFT_SECONDS = 1.0
"""After the result, how long to wait for the server's ``left`` before going."""
_MOST_PENDING = 10_000
"""Events looked at before a move is sent: a server that floods must not keep us from answering."""
_WAITING_SECONDS = 2.0
"""Tell players who wait longer for their game to begin what they wait for."""

_UNREAD = contextlib.nullcontext()

Say = Callable[[str], None]


class Playing:
    """One game of one bot on one connection.

    ``say`` tells the author something, ``say_details`` only if they asked for more (--debug).
    """

    def __init__(
        self,
        thinker: Thinker,
        session: PlayerSession,
        join: JoinMessage,
        connection: ServerLink,
        *,
        move_seconds: float,
        notes: NoteFile | None,
        say: Say,
        say_details: Say,
    ) -> None:
        self._thinker = thinker
        self._session = session
        self._join = join
        self._connection = connection
        self._move_seconds = move_seconds
        self._notes = notes
        self._say = say
        self._say_details = say_details
        self._pending: deque[tuple[float, Event]] = deque()
        self._last_error: str | None = None
        self._exit: Exit | None = None
        self._has_begun = False
        self._told_to_wait = False
        self._told_of_cuts = False
        self._saw_unreadable = False

    def play(self) -> Exit:
        """Play until the game is over.

        Raises Failure, or BotMistake if the bot has no move.

        Always says goodbye.
        """
        try:
            self._connection.send(self._session.opening())
            while True:
                event = self._next()
                if event is None:
                    assert self._exit is not None
                    return self._exit
                self._handle(*event)
                if isinstance(event[1], RoomLeft | Closed) and self._exit is not None:
                    return self._exit
        finally:
            self._connection.close(self._session.goodbye())

    def _next(self) -> tuple[float, Event] | None:
        """Return the next event and when it came, or None if the game is over and nothing more
        comes.
        """
        while not self._pending:
            if self._exit is not None:
                if not self._take(_LEFT_SECONDS):
                    return None
            elif self._has_begun or self._told_to_wait:
                self._take(None)
            elif not self._take(_WAITING_SECONDS):
                self._told_to_wait = True
                seat = "has a seat" if self._session.room_id is not None else "is connected"
                self._say(f"{seat}, waiting for the opponent")
        return self._pending.popleft()

    def _take(self, timeout: float | None) -> bool:
        """Put what comes within ``timeout`` into ``_pending``. Return False if nothing came."""
        arrival = self._connection.receive(timeout)
        if arrival is None:
            return False
        events = self._session.receive_data(arrival.data)
        self._pending.extend((arrival.at, event) for event in events)
        return True

    def _handle(self, at: float, event: Event) -> None:
        match event:
            case SeatTaken(room_id):
                self._say_details(f"has a seat in room {room_id}")
            case Started(seat, state):
                self._has_begun = True
                self._say_details(f"{state.game.title} begins; we have seat {seat}")
                with self._reading("on_start"):
                    self._thinker.start(seat, state)
            case StateShown(state):
                with self._reading("on_state"):
                    self._thinker.show(state)
            case MoveAsked():
                self._answer(at, event)
            case MatchOver(outcome):
                self._end(outcome)
            case ErrorReceived(text):
                self._complain(text)
            case Unreadable():
                self._unreadable(event)
            case OtherGame():
                self._compare(event)
            case Closed():
                self._closed()
            case Ignored(reason):
                self._say_details(f"ignored: {reason}")
            case RoomLeft() | PauseShown():
                pass

    def _reading(self, hook: str) -> contextlib.AbstractContextManager[None]:
        """Return what surrounds a hook, so that the time of a request that comes then is right.

        It is not needed where the request is there already. While the bot chooses a move nothing
        comes whose time matters.
        """
        if not self._thinker.has_hook(hook):
            return _UNREAD
        is_asked = any(isinstance(event, MoveAsked) for _, event in self._pending)
        return _UNREAD if is_asked else self._connection.reading()

    def _answer(self, at: float, asked: MoveAsked) -> None:
        state = asked.state
        clock = MoveClock(self._move_seconds, at)
        decision = self._thinker.decide(state, clock)
        self._keep(state.turn, state.seat, str(decision.move), decision)
        if decision.seconds > self._move_seconds:
            self._say(
                f"!!! {self._thinker.name} took {decision.seconds:.2f} s in turn {state.turn}; "
                f"{self._move_seconds:g} s are allowed, so the game is probably lost"
            )
        while len(self._pending) < _MOST_PENDING and self._take(0.0):
            pass  # the server may have ended the game while we thought
        if not any(isinstance(event, MatchOver | Closed) for _, event in self._pending):
            self._connection.send(self._session.move(decision.move, self._cut(decision.hints)))
            if decision.after is not None:
                self._session.look_ahead(decision.after)

    def _cut(self, hints: tuple[str, ...]) -> list[str]:
        cut = cut_hints(hints)
        if cut != list(hints) and self._session.sends_hints and not self._told_of_cuts:
            self._told_of_cuts = True
            self._say_details(
                f"hints are cut: {MOST_HINTS} with a move, {LONGEST_HINT} characters each"
            )
        return cut

    def _keep(self, turn: int, seat: int, move: str | None, decision: Decision) -> None:
        if move is not None:
            self._say_details(f"turn {turn}: {move} after {decision.seconds:.3f} s")
        hints = () if self._session.sends_hints else decision.hints
        for note in (*decision.notes, *(f"hint: {hint}" for hint in hints)):
            self._say_details(f"turn {turn}: {note}")
        if self._notes is not None:
            complaint = self._notes.write(turn, seat, move, decision)
            if complaint is not None:
                self._say(f"!!! {complaint}")

    def _end(self, outcome: Outcome | None) -> None:
        self._thinker.finish(outcome)
        state = self._session.state
        last = self._thinker.last_thoughts()
        if last is not None:
            self._keep(0 if state is None else state.turn, self._session.seat or 0, None, last)
        seat = self._session.seat
        if outcome is None:
            why = " that can be read" if self._saw_unreadable else ": it was cancelled"
            self._say(f"the game ended without a result{why}")
            self._exit = Exit.SERVER_GONE if self._last_error is None else Exit.BOT_FAILED
            return
        mine = None if seat is None else outcome.seats[seat]
        self._exit = Exit.OK
        if mine is not None and mine.cause is not Cause.REGULAR:
            self._exit = Exit.BOT_FAILED
            self._say(describe_loss(self._thinker.name, mine.cause))
        else:
            self._say(describe_result(outcome, seat, state))
        for reason in dict.fromkeys(line.reason.de for line in outcome.seats):
            if reason:
                self._say_details(f"the server says: {reason}")

    def _complain(self, text: str) -> None:
        if self._session.room_id is None:
            raise _refusal(self._join, f" It says: {text}")
        self._last_error = text
        self._say(f"!!! the server says: {text}")
        with self._reading("on_error"):
            self._thinker.complain(text)

    def _unreadable(self, event: Unreadable) -> None:
        """Handle something that cannot be read. The server itself may be content."""
        if event.must_leave:
            if self._has_begun:
                self._thinker.finish(None)
            raise Failure(
                Exit.OTHER_GAME,
                f"{event.text}, and so we leave.",
                f"Known here are {', '.join(game.id for game in all_games())}; a newer spielleiter "
                "may know more.",
            )
        if self._session.room_id is None:
            raise Failure(
                Exit.REFUSED,
                f"{event.text}.",
                "Is it a game server? Name another with -h HOST -p PORT.",
            )
        self._saw_unreadable = True
        self._say(f"!!! {event.text}")
        with self._reading("on_error"):
            self._thinker.complain(event.text)

    def _compare(self, event: OtherGame) -> None:
        """Try another season of the same game, which may work, but refuse another game."""
        found, expected = event.found, event.expected
        if type(found) is not type(expected):
            raise Failure(
                Exit.OTHER_GAME,
                f"this room plays {found.title}, but {self._thinker.name} is for {expected.title}.",
                f"Prepare a game of {expected.game_type}, or start a bot for {found.id}.",
            )
        self._say(f"this room plays {found.title}, not {expected.title}: playing on by its rules")

    def _closed(self) -> None:
        if self._exit is not None:
            return
        if self._session.room_id is None:
            raise _refusal(self._join, " It closed the connection without saying why.")
        if self._last_error is not None:
            # Servers before 2021 end a game like this for a player who broke a rule.
            self._thinker.finish(None)
            raise Failure(Exit.BOT_FAILED, f"the server threw us out: {self._last_error}")
        state = self._session.state
        when = (
            "before the game began"
            if state is None
            else f"in turn {state.turn}, before the game was over"
        )
        self._thinker.finish(None)
        raise Failure(
            Exit.SERVER_GONE,
            f"the server went away {when}.",
            "Its log should say why; a player who breaks the protocol is dropped like this, too.",
        )


def _refusal(join: JoinMessage, said: str) -> Failure:
    match join:
        case messages.JoinPrepared(code):
            problem = f"the server does not take the reservation code {code!r}.{said}"
            advice = (
                "A code works once, for one game, on the server that gave it: prepare a new game."
            )
        case messages.JoinRoom(room_id):
            problem = f"the server has no seat for us in room {room_id!r}.{said}"
            advice = "Rooms close with their game, and servers before 21.4.0 know no --room at all."
        case messages.Join(game_type):
            problem = f"the server does not let us join {game_type}.{said}"
            advice = "If it plays another season, name that with --game."
    return Failure(Exit.REFUSED, problem, advice)
