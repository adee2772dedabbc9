"""A room with its seats, its observers and one match. It carries out what the referee decides.

There are no sockets and no event loop here. Peers are written to, timers are asked for, and the
clock is handed in.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from spielleiter.match import (
    Ask,
    Complain,
    Departure,
    Effect,
    Finish,
    PausedChanged,
    Phase,
    Referee,
    ShowState,
    TellSeat,
    TimeControl,
)
from spielleiter.replays import MatchRecord, RecordedPosition
from spielleiter.rules import Outcome, State
from spielleiter.server.feed import (
    ComplaintMade,
    Feed,
    MatchPaused,
    PlayerLeft,
    PlayerSeated,
    PositionShown,
    RoomSummary,
)
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer
from spielleiter.server.services import Services, Timer
from spielleiter.wire import writer
from spielleiter.wire.codec import Codec
from spielleiter.wire.dialects import Dialect
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError
from spielleiter.wire.wording import SeasonWording

logger = logging.getLogger("spielleiter.room")

NAMED = 5
"""Unknown elements that a log line names; the rest is counted."""


@dataclass(slots=True)
class Seat:
    """A place in a room. If it has a ``code``, only a player who knows the code may sit down."""

    name: str | None = None
    can_timeout: bool = True
    code: str | None = None
    peer: Peer | None = None


class Room:
    """One match with its seats and observers. Mutable, and used from one thread."""

    def __init__(
        self,
        room_id: str,
        state: State[Any],
        revision: str,
        seats: list[Seat],
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
        self.observers: list[Peer] = []
        self.prepared = prepared
        self.opened_at = services.clock.now()
        self.names = tuple(self._name(seat) for seat in seats)
        # The referee gets words and no room: a match that is over is freed at once, without the
        # collector.
        wording = SeasonWording(self.codecs[revision], self.names)
        timed = [seat.can_timeout for seat in seats]
        self.referee = Referee(state, wording, time=time, can_timeout=timed, paused=paused)
        self.record = MatchRecord(self.codecs[revision], room_id)
        self._services = services
        self._when_over = when_over
        self._feed = feed
        self._asked_at: float | None = None
        self._timer: Timer | None = None
        self._rendered: dict[tuple[str, bool], bytes] = {}
        self._seen: State[Any] | None = None
        """The position that players have seen last."""

    # Seats

    def _name(self, seat: Seat) -> str:
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
        full = self.players == len(self.seats)
        for seat in self.seats:
            # Where joined is an answer it comes at once; before 2027 a prepared seat hears it
            # when all are there (W42).
            if seat.peer is not None and (
                seat.peer is peer if self._answers_at_once(seat) else full
            ):
                seat.peer.send(writer.frame(writer.joined(self.id)))
        self._feed.publish(PlayerSeated(self.id, number, self.names[number]))
        if full:
            self.carry_out(self.referee.begin(show_start=self._own_dialect.paused_start_shown))

    def _answers_at_once(self, seat: Seat) -> bool:
        assert seat.peer is not None
        return seat.code is None or not self._dialect(seat.peer).joined_when_full

    def stand_up(self, peer: Peer, how: Departure) -> None:
        """Take ``peer`` from their seat, because they are gone.

        Before the start the seat is free again. During the match it is lost.
        """
        number = peer.seat
        if number is None or self.seats[number].peer is not peer:
            return
        peer.leave_seat(self._services.clock.now())
        self.seats[number].peer = None
        self._feed.publish(PlayerLeft(self.id, number, self.names[number]))
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
        if peer not in self.observers:
            self.observers.append(peer)
            peer.begin_observing(self)
        peer.send(writer.frame(writer.observed(self.id)))
        if self.referee.phase is Phase.PLAYING:
            peer.send(self._memento(peer, with_hints=True))

    def unobserve(self, peer: Peer) -> None:
        if peer in self.observers:
            self.observers.remove(peer)
        peer.end_observing(self)

    def receive(self, peer: Peer, data: Element | None, arrival: float) -> None:
        """Handle a player's ``<room>`` message, which is a move or should have been one."""
        seat = peer.seat
        assert seat is not None
        referee = self.referee
        if data is None or referee.phase is not Phase.PLAYING:
            self._unreadable(peer, seat, "data: a move is expected here")
            return
        try:
            received = self._codec(peer).decode_move(data, referee.state)
        except CodecError as error:
            self._unreadable(peer, seat, str(error))
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

    def _unreadable(self, peer: Peer, seat: int, reason: str) -> None:
        """Say why this is not a move, and let the player lose as by a broken connection (W4)."""
        log_event(logger, "unreadable move", room=self.id, seat=seat, reason=reason)
        peer.send(writer.frame(writer.room_error(self._dialect(peer), self.id, reason)))
        self._feed.publish(ComplaintMade(self.id, seat, reason, None))
        self.carry_out(self.referee.leave(seat, Departure.PROTOCOL_ERROR))

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

        Before the start there is only a goodbye.
        """
        if self.referee.phase is Phase.WAITING:
            self.referee.cancel()
            self._close(None)
        else:
            self.carry_out(self.referee.cancel())

    def set_can_timeout(self, seat: int, can_timeout: bool) -> None:
        self.seats[seat].can_timeout = self.referee.can_timeout[seat] = can_timeout
        if seat == self.referee.asked and self._asked_at is not None:
            self._stop_timer()
            self._asked_at = (
                self._services.clock.now()
            )  # what passed while nobody counted does not count
            self._start_timer(seat)

    # Effects

    def carry_out(self, effects: list[Effect]) -> None:
        for effect in effects:
            match effect:
                case TellSeat(seat):
                    self._welcome(seat)
                case ShowState():
                    self._show(effect)
                case Ask(seat):
                    self._ask(seat)
                case Complain():
                    self._complain(effect)
                case PausedChanged(paused):
                    self._tell_paused(paused)
                case Finish(outcome, state):
                    self._finish(outcome, state)

    def _welcome(self, number: int) -> None:
        peer = self.seats[number].peer
        if peer is not None:
            color = self._codec(peer).seat_name(number)
            peer.send(writer.frame(writer.welcome(self._dialect(peer), self.id, color)))

    def _show(self, effect: ShowState) -> None:
        self._rendered.clear()
        moves = self.referee.records
        shown = self.record.shown
        is_reached = not shown or shown[-1].state is not effect.state
        if is_reached:
            shown.append(
                RecordedPosition(effect.state, effect.hints, moves[-1].seconds if moves else None)
            )
        # The start of a paused game was shown when all were there; its request comes alone (W85).
        is_new = effect.to_players and effect.state is not self._seen
        for observer in self.observers:
            if is_new or self._dialect(observer).observers_see_pauses:
                observer.send(self._memento(observer, with_hints=True))
        if is_new:
            self._seen = effect.state
            for seat in self.seats:
                if seat.peer is not None and seat.peer not in self.observers:
                    seat.peer.send(self._memento(seat.peer, with_hints=False))
        if is_reached:
            move = moves[-1] if moves else None
            self._feed.publish(PositionShown(self.id, effect.state, move, self.names))

    def _memento(self, peer: Peer, *, with_hints: bool) -> bytes:
        """Return the position as this peer reads it, rendered once for all who read it alike."""
        codec = self._codec(peer)
        shown = (
            self.record.shown[-1]
            if self.record.shown
            else RecordedPosition(self.referee.state, (), None)
        )
        hints = shown.hints if with_hints or codec.echoes_hints else ()
        # Peers with the same key get the same bytes, so a crowd of observers costs one rendering.
        key = (codec.revision, bool(hints))
        found = self._rendered.get(key)
        if found is None:
            text = codec.encode_state(shown.state, self.names, hints)
            found = self._rendered[key] = writer.frame(writer.memento(self.id, text))
        return found

    def _ask(self, number: int) -> None:
        peer = self.seats[number].peer
        assert peer is not None
        peer.send(writer.frame(writer.move_request(self._dialect(peer), self.id)))
        turn = self.referee.state.turn

        def started() -> None:
            # The time runs from here, whether or not the player reads (W17). The request may have
            # been answered, or the match have ended, before it was written.
            if (
                self.referee.asked == number
                and self.referee.state.turn == turn
                and self._asked_at is None
            ):
                self._asked_at = self._services.clock.now()
                self._start_timer(number)

        self._asked_at = None
        peer.when_sent(started)

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
        self._timer = None
        if self._asked_at is None or seat != self.referee.asked:
            return
        if self._services.clock.now() - self._asked_at < self.referee.time.hard:
            self._start_timer(seat)
        else:
            self.carry_out(self.referee.overdue(seat))

    def _complain(self, effect: Complain) -> None:
        peer = self.seats[effect.seat].peer
        name = self.names[effect.seat]
        if peer is not None:
            peer.send(self._complaint(effect, peer, name, to_offender=True))
        if effect.violation is not None:
            for observer in self.observers:
                if observer is not peer:
                    observer.send(self._complaint(effect, observer, name, to_offender=False))
            own = self.codecs[self.revision]
            if own.dialect.replays_hold_errors:
                self.record.complaint = self._complaint_packet(effect, own, name, to_offender=False)
        text = self._complaint_text(effect, self.codecs[self.revision], name, to_offender=False)
        self._feed.publish(ComplaintMade(self.id, effect.seat, text, effect.move))

    def _complaint(self, effect: Complain, reader: Peer, name: str, *, to_offender: bool) -> bytes:
        return writer.frame(
            self._complaint_packet(effect, self._codec(reader), name, to_offender=to_offender)
        )

    def _complaint_packet(
        self, effect: Complain, codec: Codec[Any, Any], name: str, *, to_offender: bool
    ) -> str:
        dialect = codec.dialect
        message = self._complaint_text(effect, codec, name, to_offender=to_offender)
        original = codec.encode_move(effect.move, tag=dialect.original_tag)
        return writer.room_error(dialect, self.id, message, original)

    def _complaint_text(
        self, effect: Complain, codec: Codec[Any, Any], name: str, *, to_offender: bool
    ) -> str:
        if effect.violation is not None:
            return codec.complaint(effect.violation, effect.move, name, to_offender=to_offender)
        assert effect.how is not None
        expected = self.referee.state.seat
        return SeasonWording(codec, self.names).protest(
            effect.seat, effect.how, expected, effect.move
        )

    def _tell_paused(self, paused: bool) -> None:
        for observer in self.observers:
            if self._dialect(observer).has_paused_notice:
                observer.send(writer.frame(writer.paused_notice(self.id, paused)))
        self._feed.publish(MatchPaused(self.id, paused))

    def _finish(self, outcome: Outcome, state: State[Any]) -> None:
        self._stop_timer()
        record = self.record
        record.names, record.moves = self.names, self.referee.records
        record.outcome, record.final = outcome, state
        rendered: dict[str, bytes] = {}
        for peer in self._everybody():
            codec = self._codec(peer)
            packet = rendered.get(codec.revision)
            if packet is None:
                text = codec.encode_outcome(outcome, state, self.names)
                result = writer.frame(writer.room(self.id, text))
                packet = self._last_state(codec, outcome, state) + result
                rendered[codec.revision] = packet
            peer.send(packet)
        self._close(outcome)

    def _last_state(self, codec: Codec[Any, Any], outcome: Outcome, state: State[Any]) -> bytes:
        """Return the last state of a match that no move ended, where one is shown (H25)."""
        if state.is_over or not self.record.shown or not codec.dialect.end_in_state:
            return b""
        hints = self.record.shown[-1].hints
        text = codec.encode_last_state(state, self.names, hints, outcome)
        return writer.frame(writer.memento(self.id, text))

    def _close(self, outcome: Outcome | None) -> None:
        """Let everybody leave the room, and remove the room from the server."""
        left = writer.frame(writer.left(self.id))
        for peer in self._everybody():
            peer.send(left)
        self._when_over(self, outcome)

    def _everybody(self) -> list[Peer]:
        players = [seat.peer for seat in self.seats if seat.peer is not None]
        return players + [peer for peer in self.observers if peer not in players]

    @property
    def _own_dialect(self) -> Dialect:
        return self.codecs[self.revision].dialect

    def _codec(self, peer: Peer) -> Codec[Any, Any]:
        return self.codecs.get(peer.revision or self.revision) or self.codecs[self.revision]

    def _dialect(self, peer: Peer) -> Dialect:
        return self._codec(peer).dialect
