"""Answer passwords, at once or late.

How late is decided by ``passwords``, and who is let in by ``administration``.
"""

from __future__ import annotations

from spielleiter.match import Departure
from spielleiter.server.administration import Administration
from spielleiter.server.connection import Connection
from spielleiter.server.errors import Refusal
from spielleiter.server.lobby import Lobby
from spielleiter.server.passwords import PasswordGuard
from spielleiter.wire import messages
from spielleiter.wire.elements import Element

WRONG_DELAY = 1.0
"""Seconds until a wrong password is answered that has no other delay."""


class Authentication:
    """Answers the passwords of all connections of a server."""

    def __init__(
        self, lobby: Lobby, administration: Administration, passwords: PasswordGuard[Connection]
    ) -> None:
        self._lobby = lobby
        self._administration = administration
        self._passwords = passwords

    def authenticate(
        self, connection: Connection, message: messages.Authenticate, element: Element
    ) -> None:
        """Answer a password, late enough after wrong ones that guessing is slow (W107).

        The wait is the same for right and wrong passwords, or a guesser would only wait for the
        right one. Raises Refusal if the answer comes at once and is no.
        """
        delay = self._passwords.delay(connection.host)
        right = self._administration.is_password(message.password)
        if not right:
            self._passwords.note_failure(connection.host)
        if right and not delay:
            self._administration.admit(connection, message)
            return
        connection.put_off(delay or WRONG_DELAY, lambda: self._answer(connection, message, element))
        if delay:
            unheard = self._passwords.add_waiting(connection, connection.host)
            if unheard is not None:
                unheard.part(
                    "too many passwords wait to be looked at, and this one was not; try again "
                    "later",
                    None,
                )
        else:
            # A wrong password ends the connection, and only its answer is put off. The seat is
            # given back now, because an opponent should not wait for somebody who is as good as
            # gone.
            self._lobby.disconnected(connection, Departure.PROTOCOL_ERROR)

    def _answer(
        self, connection: Connection, message: messages.Authenticate, element: Element
    ) -> None:
        self._passwords.remove_waiting(connection)
        if connection.is_gone:
            return
        try:
            self._administration.admit(connection, message)
        except Refusal as refusal:
            # Nothing that was said behind it is heard.
            connection.part(refusal.message, element)
        else:
            connection.release()
