"""Do what clients ask, and answer what cannot be done or understood.

Who may do what is decided by the lobby and by ``administration``. Bytes and sockets are elsewhere.
"""

from __future__ import annotations

import logging
from typing import Any

from spielleiter.rules import GameError, State
from spielleiter.server import work
from spielleiter.server.administration import Administration
from spielleiter.server.authentication import Authentication
from spielleiter.server.connection import Connection
from spielleiter.server.errors import Refusal
from spielleiter.server.lobby import Lobby
from spielleiter.server.logs import log_event
from spielleiter.server.output import error_packet
from spielleiter.server.room import NAMED
from spielleiter.server.services import Services
from spielleiter.server.settings import Settings
from spielleiter.server.start_positions import load_for_request
from spielleiter.wire import messages
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import ProtocolError, UnknownMessage
from spielleiter.wire.requests import Decoded, decode_request
from spielleiter.wire.stream import StreamEvent

logger = logging.getLogger("spielleiter.connection")


class RequestHandler:
    """Handles what all connections of a server send, one event at a time."""

    def __init__(
        self,
        settings: Settings,
        services: Services,
        lobby: Lobby,
        administration: Administration,
        authentication: Authentication,
    ) -> None:
        self._settings = settings
        self._services = services
        self._lobby = lobby
        self._administration = administration
        self._authentication = authentication

    def handle(self, connection: Connection, event: StreamEvent, arrival: float) -> int:
        """Handle one event, and return what that cost besides looking at it.

        A fault of ours ends this connection only, and the log tells it from a mistake of the
        client.
        """
        try:
            if isinstance(event, Element):
                return self._handle_element(connection, event, arrival)
            if isinstance(event, ProtocolError):
                self._fault(connection, event)
            else:
                connection.close()
        except Exception as error:
            log_event(
                logger, "internal error", level=logging.ERROR, peer=connection.label, error=error
            )
            connection.part("internal error; the server's log has more", None)
        return 0

    def _handle_element(self, connection: Connection, element: Element, arrival: float) -> int:
        try:
            decoded = decode_request(element)
        except UnknownMessage as error:
            self._discard(connection, error)
            return 0
        except ProtocolError as error:
            self._fault(connection, error)
            return 0
        message = decoded.message
        asked = isinstance(message, messages.RoomMessage) and connection.is_asked
        idle = not asked and _changes_nothing(connection, message)
        if not self._is_allowed(connection, decoded, asked=asked, idle=idle):
            return 0
        if asked:
            connection.credit = work.MOVE
            connection.conduct.has_moved = True
        elif isinstance(message, messages.Join | messages.JoinRoom | messages.JoinPrepared):
            connection.conduct.has_moved = False
        self._carry_out(connection, message, element, arrival)
        return 0 if idle else work.REQUEST

    # What may be asked

    def _is_allowed(
        self, connection: Connection, decoded: Decoded, *, asked: bool, idle: bool
    ) -> bool:
        """Count the request, and part with a client that asks too much or for nothing (W106)."""
        if not (asked or connection.is_admin) and connection.conduct.asks_too_much(
            self._services.clock.now()
        ):
            log_event(logger, "too many requests", peer=connection.label)
            most = self._settings.limits.messages_per_second
            connection.part(f"more than {most} requests a second", None)
            return False
        if decoded.discarded:
            names, count = decoded.discarded[:NAMED], len(decoded.discarded)
            log_event(
                logger,
                "unknown elements ignored",
                peer=connection.label,
                elements=" ".join(names),
                count=count,
            )
        # Leaving is a right, but joining and leaving again and again makes the server open and
        # close rooms for nothing, so it counts until a move has been played.
        takes_back = (
            isinstance(decoded.message, messages.LeaveRoom) and not connection.conduct.has_moved
        )
        wasted = idle or takes_back or (decoded.discarded and not asked)
        return not wasted or self._may_waste(connection)

    def _may_waste(self, connection: Connection) -> bool:
        """Count a message that leads nowhere, and part with a peer that sends only those."""
        if connection.is_admin or not connection.conduct.wastes_too_much(
            self._services.clock.now()
        ):
            return True
        most = self._settings.limits.useless_messages
        log_event(logger, "too many useless messages", peer=connection.label)
        connection.part(
            f"more than {most} messages that lead nowhere, and more than one a second: "
            "leaving without a move, rooms that are over, unknown elements",
            None,
        )
        return False

    def _discard(self, connection: Connection, error: UnknownMessage) -> None:
        """Answer and pass over an unknown message, up to a number of times (W8)."""
        if connection.conduct.is_not_understood():
            self._fault(connection, error)
            return
        log_event(logger, "unknown message", peer=connection.label, reason=str(error))
        connection.send(error_packet(str(error), None))

    def _fault(self, connection: Connection, error: ProtocolError) -> None:
        """Answer what cannot be understood before the connection ends (W8)."""
        log_event(logger, "protocol error", peer=connection.label, reason=str(error))
        connection.part(str(error), None)

    # What is done

    def _carry_out(
        self, connection: Connection, message: Any, element: Element, arrival: float
    ) -> None:
        try:
            match message:
                case messages.CloseRequest():
                    connection.close_as_asked()
                case messages.Authenticate():
                    self._authentication.authenticate(connection, message, element)
                case messages.Prepare(load_file=str()) if connection.is_admin:
                    self._load_and_prepare(connection, message, element)
                case _ if self._administration.handles(message):
                    self._administration.receive(connection, message)
                case _:
                    self._lobby.receive(connection, message, arrival)
        except Refusal as refusal:
            self._refuse(connection, refusal, message, element)

    def _refuse(
        self, connection: Connection, refusal: Refusal, message: Any, element: Element
    ) -> None:
        log_event(
            logger,
            "refused",
            peer=connection.label,
            request=type(message).__name__,
            reason=refusal.message,
        )
        if connection.is_admin:
            connection.send(error_packet(refusal.message, element))
        else:
            connection.part(refusal.message, element)

    def _load_and_prepare(
        self, connection: Connection, message: messages.Prepare, element: Element
    ) -> None:
        """Have a thread read the replay, which takes a while, and hold the connection for it."""
        connection.hold()
        folder, name, turn = self._settings.save_replays, message.load_file or "", message.turn

        def loaded(position: State[Any] | GameError) -> None:
            if connection.is_gone:
                return
            try:
                self._administration.prepare_loaded(connection, message, position)
            except Refusal as refusal:
                self._refuse(connection, refusal, message, element)
            connection.release()

        self._services.run_in_thread(lambda: load_for_request(folder, name, turn), loaded)


def _changes_nothing(connection: Connection, message: Any) -> bool:
    """Return whether the lobby will pass over the message."""
    match message:
        case messages.LeaveRoom(room_id):
            return connection.room is None or room_id not in (None, connection.room.id)
        case messages.RoomMessage(room_id):
            return room_id == connection.last_room
    return False
