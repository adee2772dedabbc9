"""The lobby knows which rooms there are, who sits where and who may sit down.

It needs neither sockets nor an event loop. What administrators ask for is in ``administration``.

A request that cannot be granted raises a Refusal, and the caller answers it with an error packet.
Players are sent away after one, because their program waits for an answer that will not come.
Administrators stay (W5).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from spielleiter.games import find_game_type, get_game
from spielleiter.match import Departure, Phase, TimeControl
from spielleiter.rules import AnyGame, Outcome, State
from spielleiter.server.errors import Refusal
from spielleiter.server.feed import Feed, MatchEnded, RoomClosed, RoomOpened, RoomSummary
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer
from spielleiter.server.room import Room, RoomSeat
from spielleiter.server.scores import ScoreBoard
from spielleiter.server.services import Services
from spielleiter.server.settings import Settings
from spielleiter.server.start_positions import fit_position
from spielleiter.server.variants import (
    choose_revision,
    choose_variant,
    set_revision,
    unknown_type,
)
from spielleiter.wire import complaints, messages, writer
from spielleiter.wire.responses import encode_response

logger = logging.getLogger("spielleiter.lobby")


class Lobby:
    """All rooms of a server and the peers in them. Mutable, and used from one thread."""

    def __init__(
        self,
        settings: Settings,
        services: Services,
        feed: Feed,
        *,
        start_position: State[Any] | None = None,
    ) -> None:
        self.settings = settings
        self.start_position = start_position
        """Where matches of its game type begin that have no seed of their own (W19)."""
        self.feed = feed
        """Where everything that happens in the rooms is told."""
        self.rooms: dict[str, Room] = {}
        self.admins: dict[Peer, None] = {}
        """Who is told when somebody joins, the oldest first."""
        self.scores = ScoreBoard()
        self.test_mode = settings.test_mode
        self.matches_finished = 0
        self._services = services
        self._reservations: dict[str, tuple[Room, int]] = {}
        self._handlers: dict[type, Callable[[Peer, Any], None]] = {
            messages.Join: self._join,
            messages.JoinRoom: self._join_room,
            messages.JoinPrepared: self._join_prepared,
            messages.LeaveRoom: self._leave_room,
        }

    # Entrances

    def receive(self, peer: Peer, message: Any, arrival: float) -> None:
        """Handle one request of a player. Raises Refusal.

        Requests of administrators are in ``administration``.
        """
        if isinstance(message, messages.RoomMessage):
            self._room_message(peer, message, arrival)
        else:
            self._handlers[type(message)](peer, message)

    def disconnected(self, peer: Peer, how: Departure) -> None:
        """Take note that the connection is gone, however it came to that."""
        self.admins.pop(peer, None)
        for room in list(peer.observing.values()):
            room.unobserve(peer)
        room_of = peer.room
        if room_of is not None:
            room_of.stand_up(peer, how)
            self._forget_if_empty(room_of)

    def close(self) -> None:
        """End every match as it stands, so that everybody gets a result and each replay an end."""
        for room in list(self.rooms.values()):
            room.cancel()

    def list_rooms(self) -> list[RoomSummary]:
        """Return every room as it stands, the oldest first."""
        return [room.summarize() for room in self.rooms.values()]

    # The end of a match

    def _room_is_over(self, room: Room, outcome: Outcome | None) -> None:
        # Forgotten first, so that a listener who hears of the end and asks for the rooms does not
        # find this one any more.
        self._forget(room)
        if outcome is None:
            log_event(logger, "room cancelled", room=room.id)
        else:
            self._match_is_over(room, outcome)
            room.publish(MatchEnded(room.id, room.record))
        room.publish(RoomClosed(room.id))
        # Everybody has been told, and may go.
        for observer in list(room.audience.observers):
            room.unobserve(observer)
        players = [seat.peer for seat in room.seats if seat.peer is not None]
        for peer in players:
            peer.leave_seat(self._services.clock.now(), match_is_over=True)
            if not peer.is_admin:
                peer.close(after=self.settings.limits.goodbye_seconds)

    def _match_is_over(self, room: Room, outcome: Outcome) -> None:
        self.matches_finished += 1
        if self.test_mode:
            self.scores.add(room.names, outcome, room.game.game_type)
        log_event(
            logger,
            "game over",
            room=room.id,
            game=room.game.id,
            names=" - ".join(room.names),
            points=":".join(str(seat.points) for seat in outcome.seats),
            score=":".join("/".join(map(str, parts)) for parts in outcome.scores),
            end=outcome.code,
            moves=len(room.referee.records),
            slowest=round(max((move.seconds for move in room.referee.records), default=0.0), 3),
        )

    # Joining

    def _join(self, peer: Peer, message: messages.Join) -> None:
        self._must_be_free(peer)
        set_revision(peer, message.revision)
        wanted = message.game_type
        if wanted is not None and find_game_type(wanted) is None:
            raise unknown_type(wanted)
        # A join never lands in a room of another type (W6).
        for room in self.rooms.values():
            if wanted is None or room.game.game_type == wanted:
                seat = room.free_seat()
                if seat is not None:
                    self._seat(peer, room, seat, existing=True)
                    return
        game_type = wanted or get_game(self.settings.game).game_type
        # The player who opens a room gets the rules of the documents they read. The room itself is
        # written as the server is set, and everybody reads it in their own revision.
        game = choose_variant(self.settings, game_type, revision=peer.revision)
        seats = [RoomSeat(can_timeout=not self.settings.no_timeout) for _ in range(game.seats)]
        state = self.first_state(game)
        revision = choose_revision(self.settings, choose_variant(self.settings, game_type))
        room = self._open(state, revision, seats, paused=self.settings.paused, prepared=False)
        self._seat(peer, room, 0, existing=False)

    def _seat(self, peer: Peer, room: Room, seat: int, *, existing: bool) -> None:
        self._take(peer, room, seat)
        dialect = room.codecs[room.revision].dialect
        message = messages.JoinedGameRoom(room.id, existing, room.players)
        notice = writer.frame(encode_response(message, dialect))
        for admin in self.admins:
            admin.send(notice)

    def _take(self, peer: Peer, room: Room, seat: int) -> None:
        log_event(logger, "joined", room=room.id, seat=seat, peer=peer.label, game=room.game.id)
        peer.keep_open()
        room.sit(seat, peer)

    def _join_room(self, peer: Peer, message: messages.JoinRoom) -> None:
        self._must_be_free(peer)
        room = self.find_room(message.room_id)
        seat = room.free_seat()
        if seat is None:
            raise Refusal(complaints.full_room(room.id))
        set_revision(peer, message.revision)
        self._take(peer, room, seat)

    def _join_prepared(self, peer: Peer, message: messages.JoinPrepared) -> None:
        self._must_be_free(peer)
        place = self._reservations.get(message.code)
        if place is None or place[0].seats[place[1]].peer is not None:
            raise Refusal(complaints.unknown_reservation())
        room, seat = place
        set_revision(peer, message.revision)
        self._take(peer, room, seat)

    def _leave_room(self, peer: Peer, message: messages.LeaveRoom) -> None:
        room = peer.room
        if room is None or message.room_id not in (None, room.id):
            return
        if room.referee.phase is Phase.PLAYING:
            room.resign(peer)  # hears the result like everybody else
        else:
            room.stand_up(peer, Departure.RECEIVED_DISCONNECT)
            self._forget_if_empty(room)

    def _must_be_free(self, peer: Peer) -> None:
        if peer.room is not None:
            raise Refusal(f"join: this connection has a seat in room {peer.room.id} already")

    # Playing

    def _room_message(self, peer: Peer, message: messages.RoomMessage, arrival: float) -> None:
        if message.room_id == peer.last_room:
            return  # it was on its way when the match ended (W14)
        room = self.find_room(message.room_id)
        if peer.room is not room:
            raise Refusal(complaints.not_a_member(room.id))
        if room.referee.phase is Phase.WAITING:
            raise Refusal(f"the game in room {room.id} has not begun: nobody asked for a move")
        room.receive(peer, message.data, arrival)

    # Prepared rooms

    def prepare_room(
        self,
        game: AnyGame,
        slots: Sequence[messages.Slot],
        *,
        position: Callable[[], State[Any]],
        paused: bool = False,
        revision: str | None = None,
    ) -> Room:
        """Open a room for one match and return it.

        ``reservation_codes`` says who may sit down.

        ``position`` is asked where the match begins, once the slots are found to be in order.
        Raises Refusal.
        """
        seats = self._prepared_seats(game, slots)
        state = position()
        room = self._open(
            state,
            choose_revision(self.settings, game, revision),
            seats,
            paused=paused,
            prepared=True,
        )
        for number, seat in enumerate(seats):
            if seat.code is not None:
                self._reservations[seat.code] = (room, number)
        log_event(
            logger,
            "prepared",
            room=room.id,
            game=game.id,
            names=" - ".join(room.names),
            paused=paused,
        )
        return room

    def _prepared_seats(self, game: AnyGame, slots: Sequence[messages.Slot]) -> list[RoomSeat]:
        if not 1 <= len(slots) <= game.seats:
            raise Refusal(f"prepare: needs 1 to {game.seats} slots, has {len(slots)}")
        longest = self.settings.limits.display_name_length
        timed = not self.settings.no_timeout  # W15
        for slot in slots:
            if len(slot.display_name or "") > longest:
                raise Refusal(f"prepare: a displayName may have {longest} characters at most")
        seats = [
            RoomSeat(
                slot.display_name,
                slot.can_timeout and timed,
                self._services.new_id() if slot.reserved else None,
            )
            for slot in slots
        ]
        return seats + [RoomSeat(can_timeout=timed) for _ in range(game.seats - len(seats))]

    def free_reservation(self, code: str) -> None:
        """Let whoever joins have the seat that was kept for this code. Raises Refusal."""
        place = self._reservations.get(code)
        if place is None:
            raise Refusal(complaints.unknown_reservation())
        room, seat = place
        if room.seats[seat].peer is not None:
            raise Refusal("freeReservation: whom the seat was reserved for sits there already")
        del self._reservations[code]
        room.seats[seat].code = None

    # Rooms

    def first_state(self, game: AnyGame, seed: int | None = None) -> State[Any]:
        """Return where a match begins that was not given a position (W19). Raises Refusal."""
        loaded = self.start_position
        if loaded is not None and seed is None and loaded.game.game_type == game.game_type:
            return fit_position(game, loaded)
        state: State[Any] = game.start(self._services.new_seed() if seed is None else seed)
        return state

    def _open(
        self,
        state: State[Any],
        revision: str,
        seats: list[RoomSeat],
        *,
        paused: bool,
        prepared: bool,
    ) -> Room:
        if len(self.rooms) >= self.settings.limits.rooms:
            raise Refusal(
                f"there are {len(self.rooms)} rooms already, and no more are allowed; try again "
                "later"
            )
        settings = self.settings
        time = TimeControl(settings.soft_timeout, settings.hard_timeout)
        room = Room(
            self._services.new_id(),
            state,
            revision,
            seats,
            self._services,
            self.feed,
            when_over=self._room_is_over,
            time=time,
            paused=paused,
            prepared=prepared,
        )
        self.rooms[room.id] = room
        room.publish(RoomOpened(room.id, room.game, room.names, prepared, paused))
        return room

    def find_room(self, room_id: str) -> Room:
        """Return the room with this id. Raises Refusal."""
        room = self.rooms.get(room_id)
        if room is None:
            raise Refusal(complaints.unknown_room(room_id))
        return room

    def _forget(self, room: Room) -> None:
        self.rooms.pop(room.id, None)
        for seat in room.seats:
            if seat.code is not None:
                self._reservations.pop(seat.code, None)

    def _forget_if_empty(self, room: Room) -> None:
        """Close a room that nobody prepared when its last player leaves.

        A prepared room waits for its players (W7).
        """
        if not room.prepared and room.players == 0 and room.id in self.rooms:
            room.cancel()

    def cancel_forgotten(self, before: float) -> None:
        """Cancel prepared rooms that nobody has entered since ``before``."""
        for room in [
            room for room in self.rooms.values() if room.players == 0 and room.opened_at < before
        ]:
            log_event(logger, "forgotten", room=room.id)
            room.cancel()
