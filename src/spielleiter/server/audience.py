"""The XML peers of one room, who are its players and its observers.

They learn of a match through the room's events, like every other listener. What is said to whom,
and in which words, follows from the event and from the revision that each of them reads. There are
no sockets here. A peer gathers what it is sent until it is flushed.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from spielleiter.server.feed import (
    ComplaintMade,
    MatchEnded,
    MatchPaused,
    MatchStarted,
    MoveRequested,
    PlayerSeated,
    PositionRepeated,
    PositionShown,
    RoomClosed,
    RoomEvent,
)
from spielleiter.server.logs import log_event
from spielleiter.server.output import error_packet
from spielleiter.server.peer import Peer
from spielleiter.wire import messages, writer
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import BASE, Dialect
from spielleiter.wire.responses import encode_response
from spielleiter.wire.wording import SeasonWording

if TYPE_CHECKING:
    from spielleiter.server.room import RoomSeat

logger = logging.getLogger("spielleiter.audience")


class Audience:
    """Writes to everybody in a room what happens there. Mutable, and used from one thread.

    Who sits where is up to the room. ``seats`` is the room's own list, and is only read here.
    """

    def __init__(
        self,
        room_id: str,
        codecs: Mapping[str, AnyCodec],
        revision: str,
        names: tuple[str, ...],
        seats: Sequence[RoomSeat],
    ) -> None:
        self.observers: list[Peer] = []
        self._room_id = room_id
        self._codecs = codecs
        self._own_codec = codecs[revision]
        self._names = names
        self._seats = seats
        self._latest: PositionShown | None = None
        self._players_saw_latest = False
        # The latest position as its readers see it. Older ones are shown to nobody, and keeping
        # them would hold the memory of a whole match for each revision.
        self._rendered: dict[tuple[str, bool], bytes] = {}
        self._requests: dict[str, bytes] = {}
        self._state_frame = writer.state_frame(room_id)

    def codec(self, peer: Peer) -> AnyCodec:
        """Return how this peer reads and writes, which is as the room does unless they asked."""
        if peer.revision is None:
            return self._own_codec
        return self._codecs.get(peer.revision) or self._own_codec

    def admit(self, observer: Peer) -> None:
        """Let ``observer`` watch from now on. A match that is on is shown as it stands (W3)."""
        if observer not in self.observers:
            self.observers.append(observer)
        observer.send(_packet(messages.Observed(self._room_id)))
        if self._latest is not None:
            observer.send(self._position(self._latest, observer, with_hints=True))

    def dismiss(self, observer: Peer) -> None:
        """Let ``observer`` watch no longer. Somebody who never did may be dismissed, too."""
        if observer in self.observers:
            self.observers.remove(observer)

    def hear(self, event: RoomEvent) -> None:
        """Write to everybody concerned what has happened in the room."""
        match event:
            case PositionShown():  # these two first, because they come with every move
                self._latest = event
                self._players_saw_latest = False
                self._rendered.clear()
                self._show(event, to_players=event.to_players)
            case MoveRequested():
                self._request(event)
            case PositionRepeated():
                assert self._latest is not None
                self._show(self._latest, to_players=True)
            case PlayerSeated(seat=seat):
                self._confirm(seat)
            case MatchStarted():
                self._welcome()
            case MatchPaused(is_paused=paused):
                self._tell_paused(paused)
            case ComplaintMade():
                self._complain(event)
            case MatchEnded():
                self._tell_result(event)
            case RoomClosed():
                left = _packet(messages.Left(self._room_id))
                for peer in self._everybody():
                    peer.send(left)

    # Before the match

    def _confirm(self, number: int) -> None:
        """Answer that a seat is taken, to whom it concerns now."""
        newcomer = self._seats[number].peer
        is_full = all(seat.peer is not None for seat in self._seats)
        for seat in self._seats:
            if seat.peer is None:
                continue
            # Where joined is an answer it comes at once; before 2027 a prepared seat hears it
            # when all are there (W42).
            waits = seat.code is not None and self._dialect(seat.peer).joined_when_full
            if is_full if waits else seat.peer is newcomer:
                seat.peer.send(_packet(messages.Joined(self._room_id)))

    def _welcome(self) -> None:
        for number, seat in enumerate(self._seats):
            if seat.peer is not None:
                color = self.codec(seat.peer).seat_name(number)
                message = messages.Welcome(self._room_id, color)
                seat.peer.send(_packet(message, self._dialect(seat.peer)))

    # One move

    def _show(self, latest: PositionShown, *, to_players: bool) -> None:
        # The start of a paused game was shown when all were there. Its request comes alone (W85).
        is_new = to_players and not self._players_saw_latest
        for observer in self.observers:
            if is_new or self._dialect(observer).observers_see_pauses:
                self._try_send(observer, lambda peer: self._position(latest, peer, with_hints=True))
        if is_new:
            self._players_saw_latest = True
            for seat in self._seats:
                if seat.peer is not None and seat.peer not in self.observers:
                    seat.peer.send(self._position(latest, seat.peer, with_hints=False))

    def _position(self, shown: PositionShown, peer: Peer, *, with_hints: bool) -> bytes:
        """Return the position as this peer reads it, rendered once for all who read it alike."""
        codec = self.codec(peer)
        hints = shown.hints if with_hints or codec.echoes_hints else ()
        # Peers with the same key get the same bytes, so a crowd of observers costs one rendering.
        key = (codec.revision, bool(hints))
        found = self._rendered.get(key)
        if found is None:
            head, tail = self._state_frame
            text = codec.encode_state(shown.state, self._names, hints)
            found = self._rendered[key] = head + writer.shift_state(text) + tail
        return found

    def _request(self, event: MoveRequested) -> None:
        peer = self._seats[event.seat].peer
        assert peer is not None
        revision = self.codec(peer).revision
        request = self._requests.get(revision)
        if request is None:
            request = _packet(messages.MoveRequest(self._room_id), self._dialect(peer))
            self._requests[revision] = request
        peer.send(request)
        # The room owns the time. It is found through the player, since a reference from here would
        # make a circle with it, and a match that is over is freed at once, without the collector.
        room = peer.room
        assert room is not None
        peer.when_sent(lambda: room.request_sent(event))

    def _complain(self, event: ComplaintMade) -> None:
        """Tell the offender, and where a rule was broken the observers, too."""
        offender = self._seats[event.seat].peer
        if offender is not None:
            offender.send(self._complaint(event, offender, to_offender=True))
        if event.violation is not None:
            for observer in self.observers:
                if observer is not offender:
                    self._try_send(
                        observer, lambda peer: self._complaint(event, peer, to_offender=False)
                    )

    def _complaint(self, event: ComplaintMade, reader: Peer, *, to_offender: bool) -> bytes:
        codec, dialect = self.codec(reader), self._dialect(reader)
        message, original = event.message, None
        if event.move is not None:
            wording = SeasonWording(codec, self._names)
            message = wording.complaint(
                event.seat,
                event.move,
                violation=event.violation,
                how=event.how,
                expected=event.expected,
                to_offender=to_offender,
            )
            original = codec.encode_move(event.move, tag=dialect.original_tag)
        return _packet(messages.RoomError(self._room_id, message, original), dialect)

    def _tell_paused(self, paused: bool) -> None:
        for observer in self.observers:
            if self._dialect(observer).has_paused_notice:
                observer.send(_packet(messages.PausedNotice(self._room_id, paused)))

    # The end

    def _tell_result(self, event: MatchEnded) -> None:
        rendered: dict[str, bytes] = {}

        def render(peer: Peer) -> bytes:
            codec = self.codec(peer)
            packet = rendered.get(codec.revision)
            if packet is None:
                packet = rendered[codec.revision] = self._result(event, codec)
            return packet

        for peer in self._everybody():
            self._try_send(peer, render)

    def _result(self, event: MatchEnded, codec: AnyCodec) -> bytes:
        outcome, state = event.record.outcome, event.record.final
        assert outcome is not None
        assert state is not None
        packets = b""
        # The last state of a match that no move ended is shown where it says how it ended (H25).
        if self._latest is not None and not state.is_over and codec.dialect.end_in_state:
            text = codec.encode_last_state(state, self._names, self._latest.hints, outcome)
            packets = _packet(messages.Memento(self._room_id, text))
        text = codec.encode_outcome(outcome, state, self._names)
        return packets + _packet(messages.ResultMessage(self._room_id, text))

    def _try_send(self, peer: Peer, render: Callable[[Peer], bytes]) -> None:
        """Send what ``render`` returns for ``peer``. A fault of ours there is theirs alone.

        This is for those without whom a match can go on. A position or request that cannot be
        written to a player comes out as an error where the room publishes.
        """
        try:
            packet = render(peer)
        except Exception as error:
            log_event(
                logger,
                "internal error",
                level=logging.ERROR,
                room=self._room_id,
                peer=peer.label,
                error=error,
            )
            packet = error_packet("internal error; the server's log has more", None)
        peer.send(packet)

    def _everybody(self) -> list[Peer]:
        players = [seat.peer for seat in self._seats if seat.peer is not None]
        return players + [peer for peer in self.observers if peer not in players]

    def _dialect(self, peer: Peer) -> Dialect:
        return self.codec(peer).dialect


def _packet(
    message: messages.Response | messages.WrittenResponse, dialect: Dialect = BASE
) -> bytes:
    """Return a message as it goes over the wire. Where all dialects agree none is needed."""
    return writer.frame(encode_response(message, dialect))
