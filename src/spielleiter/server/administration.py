"""What administrators ask for, from their password to pausing a match.

Rooms and seats are the lobby's. How long the answer to a password is put off is in
``authentication``.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Callable
from typing import Any

from spielleiter.rules import AnyGame, GameError, State
from spielleiter.server.errors import Refusal
from spielleiter.server.lobby import Lobby
from spielleiter.server.logs import log_event
from spielleiter.server.peer import Peer
from spielleiter.server.settings import Settings
from spielleiter.server.start_positions import decode_position, fit_position
from spielleiter.server.variants import choose_revision, choose_variant, set_revision
from spielleiter.wire import complaints, messages, writer
from spielleiter.wire.dialects import BASE
from spielleiter.wire.responses import encode_response

logger = logging.getLogger("spielleiter.lobby")


class Administration:
    """Grants the requests of administrators, and refuses them to everybody else."""

    def __init__(self, settings: Settings, lobby: Lobby) -> None:
        self._settings = settings
        self._lobby = lobby
        self._handlers: dict[type, Callable[[Peer, Any], None]] = {
            messages.Prepare: self._prepare,
            messages.Observe: self._observe,
            messages.Pause: self._pause,
            messages.Step: self._step,
            messages.Cancel: self._cancel,
            messages.Timeout: self._timeout,
            messages.TestMode: self._test_mode,
            messages.ScoreForPlayer: self._score_for_player,
            messages.FreeReservation: self._free_reservation,
        }

    # Becoming an administrator

    def is_password(self, given: str) -> bool:
        """Return whether this is the administrators' password.

        A wrong password takes as long to tell as the right one.
        """
        expected = self._settings.password
        same = hmac.compare_digest(
            given.encode("utf-8", "surrogatepass"),
            (expected or "").encode("utf-8", "surrogatepass"),
        )
        return same and expected is not None

    def admit(self, peer: Peer, message: messages.Authenticate) -> None:
        """Make the peer an administrator if the password is right. Raises Refusal."""
        set_revision(peer, message.revision)
        if self.is_password(message.password):
            peer.is_admin = True
            peer.keep_open()  # W9: an administrator's connection is not closed after a game
            self._lobby.admins[peer] = None
            log_event(logger, "administrator", peer=peer.label)
            return
        log_event(logger, "authentication failed", peer=peer.label)
        raise Refusal(complaints.failed_authentication())

    # Requests

    def handles(self, message: Any) -> bool:
        """Return whether only administrators may ask for this."""
        return type(message) in self._handlers

    def receive(self, peer: Peer, message: Any) -> None:
        """Do what a message asks for that this class handles. Raises Refusal."""
        self._must_be_admin(peer, message)
        self._handlers[type(message)](peer, message)

    def _must_be_admin(self, peer: Peer, message: Any) -> None:
        if not peer.is_admin:
            raise Refusal(complaints.unauthenticated(message))

    def prepare_loaded(
        self, peer: Peer, message: messages.Prepare, loaded: State[Any] | GameError
    ) -> None:
        """Grant a request for a match that begins in a file's position. Raises Refusal.

        ``loaded`` is what the file holds, or why it cannot be read.
        """
        self._must_be_admin(peer, message)
        self._prepare(peer, message, loaded)

    def _prepare(
        self,
        peer: Peer,
        message: messages.Prepare,
        loaded: State[Any] | GameError | None = None,
    ) -> None:
        wanted = message.revision or peer.revision
        game = choose_variant(self._settings, message.game_type, message.variant, wanted)
        room = self._lobby.prepare_room(
            game,
            message.slots,
            position=lambda: self._prepared_state(game, message, loaded),
            paused=message.paused,
            revision=wanted,
        )
        peer.prepared_type = game.game_type
        _answer(peer, messages.Prepared(room.id, tuple(room.reservation_codes)))

    def _prepared_state(
        self, game: AnyGame, message: messages.Prepare, loaded: State[Any] | GameError | None
    ) -> State[Any]:
        if message.load is not None:
            return fit_position(game, decode_position(game, message.load))
        if isinstance(loaded, GameError):
            raise Refusal(f"prepare: {loaded}")
        if loaded is not None:
            return fit_position(game, loaded)
        return self._lobby.first_state(game, message.seed)

    def _observe(self, peer: Peer, message: messages.Observe) -> None:
        self._lobby.find_room(message.room_id).observe(peer)

    def _pause(self, _peer: Peer, message: messages.Pause) -> None:
        self._lobby.find_room(message.room_id).pause(message.pause)

    def _step(self, _peer: Peer, message: messages.Step) -> None:
        self._lobby.find_room(message.room_id).step(forced=message.forced)

    def _cancel(self, _peer: Peer, message: messages.Cancel) -> None:
        self._lobby.find_room(message.room_id).cancel()

    def _timeout(self, _peer: Peer, message: messages.Timeout) -> None:
        room = self._lobby.find_room(message.room_id)
        if not 0 <= message.slot < len(room.seats):
            raise Refusal(
                f"timeout: there is no slot {message.slot}; slots are 0 to {len(room.seats) - 1}"
            )
        room.set_can_timeout(message.slot, message.activate)

    def _test_mode(self, peer: Peer, message: messages.TestMode) -> None:
        self._lobby.test_mode = message.on
        _answer(peer, messages.Testing(message.on))

    def _score_for_player(self, peer: Peer, message: messages.ScoreForPlayer) -> None:
        name, scores = message.display_name, self._lobby.scores
        # W86: the request names no game, so it is about the one its sender lets play.
        game_type = message.game_type or peer.prepared_type or scores.last_played(name)
        if game_type is None:
            _answer(peer, messages.PlayerScores())
            return
        game = choose_variant(self._settings, game_type)
        codec = game.codecs[choose_revision(self._settings, game, peer.revision)]
        _answer(peer, scores.collected(name, codec))

    def _free_reservation(self, _peer: Peer, message: messages.FreeReservation) -> None:
        self._lobby.free_reservation(message.code)


def _answer(peer: Peer, message: messages.Response) -> None:
    """Send a message that concerns no room's game, so that all seasons write it alike."""
    peer.send(writer.frame(encode_response(message, BASE)))
