"""A room with its seats and one match. It tells as events what the referee decides.

There are no sockets, no event loop and no XML to write here. Timers are asked for, and the clock is
handed in. Players and observers are written to by the room's ``Audience``.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spielleiter.match import (
    Ask,
    Begin,
    Complain,
    Departure,
    Effect,
    Finish,
    PausedChanged,
    Phase,
    Referee,
    ShowState,
    TimeControl,
)
from spielleiter.replays import MatchRecord, RecordedComplaint, RecordedPosition
from spielleiter.rules import Outcome, State
from spielleiter.server.audience import Audience
from spielleiter.server.feed import (
    ComplaintMade,
    Feed,
    MatchPaused,
    MatchStarted,
    MoveRequested,
    PlayerLeft,
    PlayerSeated,
    PositionRepeated,
    PositionShown,
    RoomEvent,
    RoomSummary,
)
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer
from spielleiter.server.services import Services, Timer
from spielleiter.wire.codec import Codec
from spielleiter.wire.dialects import Dialect
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError
from spielleiter.wire.wording import SeasonWording

logger = logging.getLogger("spielleiter.room")

NAMED = 5
"""Unknown elements that a log line names. The others are counted."""


@dataclass(slots=True)
class RoomSeat:
    """A place in a room. If it has a ``code``, only a player who knows the code may sit down."""

    name: str | None = None
    can_timeout: bool = True
    code: str | None = None
    peer: Peer | None = None


class Room:
    """One match with its seats. Mutable, and used from one thread.

    Everything that happens here is published once. When to do what follows the habits of the room's
    own revision. How each reader is told follows theirs, and is up to the audience.
    """

    def __init__(
        self,
        room_id: str,
        state: State[Any],
        revision: str,
        seats: list[RoomSeat],
        services: Services,
        feed: Feed,
        *,
        when_over: Callable[[Room, Outcome | None], None],
        time: TimeControl,
        paused: bool = False,
        prepared: bool = False,
    ) -> None:
        self.id = room_id
        self.game = state.game
        self.codecs: Mapping[str, Codec[Any, Any]] = state.game.codecs
        self.revision = revision
        self.seats = seats
        self.prepared = prepared
        self.opened_at = services.clock.now()
        self.names = tuple(self._name(seat) for seat in seats)
        self.audience = Audience(room_id, self.codecs, revision, self.names, seats)
        # The referee gets the words and no reference to the room. There is no circle then, and a
        # match that is over is freed at once, without the collector.
        self._wording = SeasonWording(self.codecs[revision], self.names)
        timed = [seat.can_timeout for seat in seats]
        self.referee = Referee(state, self._wording, time=time, can_timeout=timed, paused=paused)
        self.record = MatchRecord(self.codecs[revision], room_id)
        self._services = services
        self._when_over = when_over
        self._feed = feed
        self._asked_at: float | None = None
        self._timer: Timer | None = None

    def publish(self, event: RoomEvent) -> None:
        """Tell the room's players and observers what has happened, and then all other listeners."""
        # What cannot be written to a player is a failure of the room itself, since nobody can play
        # without it, and comes out here. All others are caught by the audience and the feed.
        self.audience.hear(event)
        self._feed.publish(event)

    # Seats

    def _name(self, seat: RoomSeat) -> str:
        return self._own_dialect.default_display_name if seat.name is None else seat.name

    def summarize(self) -> RoomSummary:
        """Return the room as it stands."""
        return RoomSummary(
            self.id,
            self.game,
            self.names,
            tuple(seat.peer is not None for seat in self.seats),
            self.referee.phase,
            self.prepared,
            self.referee.paused,
            self.referee.state,
            len(self.referee.records),
        )

    @property
    def reservation_codes(self) -> list[str]:
        """Return the codes of the seats that are kept for somebody, in the order of the seats."""
        return [seat.code for seat in self.seats if seat.code is not None]

    @property
    def players(self) -> int:
        return sum(seat.peer is not None for seat in self.seats)

    def free_seat(self) -> int | None:
        """Return a seat anybody may take, while the match has not begun."""
        if self.referee.phase is not Phase.WAITING:
            return None
        for number, seat in enumerate(self.seats):
            if seat.peer is None and seat.code is None:
                return number
        return None

    def sit(self, number: int, peer: Peer) -> None:
        """Give ``peer`` the seat. When the last seat is taken, the match begins."""
        self.seats[number].peer = peer
        peer.take_seat(self, number)
        self.publish(PlayerSeated(self.id, number, self.names[number]))
        if self.players == len(self.seats):
            self.carry_out(self.referee.begin(show_start=self._own_dialect.paused_start_shown))

    def stand_up(self, peer: Peer, how: Departure) -> None:
        """Take ``peer`` from their seat, because they are gone.

        Before the start the seat is free again. During the match it is lost.
        """
        number = peer.seat
        if number is None or self.seats[number].peer is not peer:
            return
        peer.leave_seat(self._services.clock.now())
        self.seats[number].peer = None
        self.publish(PlayerLeft(self.id, number, self.names[number]))
        if self.referee.phase is Phase.PLAYING:
            log_event(logger, "player left", room=self.id, seat=number, how=how.name)
            self.carry_out(self.referee.leave(number, how))

    def resign(self, peer: Peer) -> None:
        """Let ``peer`` give up in mid-game and stay to hear how the match ended."""
        assert peer.seat is not None
        self.carry_out(self.referee.leave(peer.seat, Departure.RECEIVED_DISCONNECT))

    # Requests

    def observe(self, peer: Peer) -> None:
        """Let ``peer`` watch from now on. A match that is on is shown as it stands (W3)."""
        peer.begin_observing(self)
        self.audience.admit(peer)

    def unobserve(self, peer: Peer) -> None:
        self.audience.dismiss(peer)
        peer.end_observing(self)

    def receive(self, peer: Peer, data: Element | None, arrival: float) -> None:
        """Handle a player's ``<room>`` message, which is a move or should have been one."""
        seat = peer.seat
        assert seat is not None
        referee = self.referee
        if data is None or referee.phase is not Phase.PLAYING:
            self._unreadable(seat, "data: a move is expected here")
            return
        try:
            received = self.audience.codec(peer).decode_move(data, referee.state)
        except CodecError as error:
            self._unreadable(seat, str(error))
            return
        if received.discarded:
            names, count = " ".join(received.discarded[:NAMED]), len(received.discarded)
            log_event(
                logger,
                "unknown elements ignored",
                room=self.id,
                seat=seat,
                elements=names,
                count=count,
            )
        seconds = 0.0 if self._asked_at is None else max(0.0, arrival - self._asked_at)
        if seat == referee.asked:
            self._stop_timer()
        self.carry_out(referee.move(seat, received.move, seconds, received.hints))

    def _unreadable(self, seat: int, reason: str) -> None:
        """Say why this is not a move, and let the player lose as by a broken connection (W4)."""
        log_event(logger, "unreadable move", room=self.id, seat=seat, reason=reason)
        how, expected = Departure.PROTOCOL_ERROR, self.referee.state.seat
        self.publish(
            ComplaintMade(
                self.id, seat, reason, move=None, violation=None, how=how, expected=expected
            )
        )
        self.carry_out(self.referee.leave(seat, how))

    def pause(self, paused: bool) -> None:
        effects = self.referee.pause(paused)
        if self._own_dialect.paused_notice_first:
            effects.sort(key=lambda effect: not isinstance(effect, PausedChanged))
        self.carry_out(effects)

    def step(self, *, forced: bool) -> None:
        if forced and self.referee.phase is Phase.WAITING:
            missing = [number for number, seat in enumerate(self.seats) if seat.peer is None]
            self.carry_out(self.referee.abandon(missing))
        else:
            self.carry_out(self.referee.step())

    def cancel(self) -> None:
        """End the match now with the result as it stands.

        Before the start nobody has a result to hear, and the room is only closed.
        """
        if self.referee.phase is Phase.WAITING:
            self.referee.cancel()
            self._when_over(self, None)
        else:
            self.carry_out(self.referee.cancel())

    def set_can_timeout(self, seat: int, can_timeout: bool) -> None:
        self.seats[seat].can_timeout = self.referee.can_timeout[seat] = can_timeout
        if seat == self.referee.asked and self._asked_at is not None:
            self._stop_timer()
            # What passed while nobody counted does not count.
            self._asked_at = self._services.clock.now()
            self._start_timer(seat)

    # Effects

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case ShowState():
                    self._show(effect)
                case Ask(seat):
                    self._ask(seat)
                case Begin():
                    self.publish(MatchStarted(self.id, self.names))
                case Complain():
                    self._complain(effect)
                case PausedChanged(paused):
                    self.publish(MatchPaused(self.id, paused))
                case Finish(outcome, state):
                    self._finish(outcome, state)

    def _show(self, effect: ShowState) -> None:
        shown = self.record.shown
        if shown and shown[-1].state is effect.state:
            self.publish(PositionRepeated(self.id))
            return
        moves = self.referee.records
        move = moves[-1] if moves else None
        seconds = None if move is None else move.seconds
        shown.append(RecordedPosition(effect.state, effect.hints, seconds))
        self.publish(PositionShown(self.id, effect.state, move, self.names, effect.to_players))

    def _ask(self, seat: int) -> None:
        self._asked_at = None
        self.publish(MoveRequested(self.id, seat, self.referee.state.turn))

    def request_sent(self, request: MoveRequested) -> None:
        """Let the player's time run, now that the request has left.

        It runs from here whether or not the player reads (W17).
        """
        # The request may have been answered, or the match have ended, before it was written.
        if (
            self.referee.asked == request.seat
            and self.referee.state.turn == request.turn
            and self._asked_at is None
        ):
            self._asked_at = self._services.clock.now()
            self._start_timer(request.seat)

    def _start_timer(self, seat: int) -> None:
        if self.referee.can_timeout[seat]:
            assert self._asked_at is not None
            left = self._asked_at + self.referee.time.hard - self._services.clock.now()
            self._timer = self._services.call_later(max(left, 0.0), lambda: self._time_is_up(seat))

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_is_up(self, seat: int) -> None:
        """End the match if the player's fair time is over, or else start the timer again.

        The timer counts real time and the clock fair time. What was not the player's fault is given
        back.
        """
        # Fair time is never ahead of real time, so the timer may ring too early and never too late.
        # Looking at the fair clock once more is all it takes.
        self._timer = None
        if self._asked_at is None or seat != self.referee.asked:
            return
        if self._services.clock.now() - self._asked_at < self.referee.time.hard:
            self._start_timer(seat)
        else:
            self.carry_out(self.referee.overdue(seat))

    def _complain(self, effect: Complain) -> None:
        seat, move, violation, how = effect.seat, effect.move, effect.violation, effect.how
        expected = self.referee.state.seat
        if violation is not None:
            self.record.complaint = RecordedComplaint(seat, violation, move)
        message = self._wording.complaint(
            seat, move, violation=violation, how=how, expected=expected, to_offender=False
        )
        self.publish(ComplaintMade(self.id, seat, message, move, violation, how, expected))

    def _finish(self, outcome: Outcome, state: State[Any]) -> None:
        self._stop_timer()
        record = self.record
        record.names, record.moves = self.names, self.referee.records
        record.outcome, record.final, record.late = outcome, state, self.referee.late
        self._when_over(self, outcome)

    @property
    def _own_dialect(self) -> Dialect:
        return self.codecs[self.revision].dialect
