"""Load what the bots of one game need, before the processes they play in are forked.

Thus each bot has a process of its own for each match, and the start of Python, the tables of the
game and the first time that anything is done are paid for once in a run. It does not run a line of
a bot's own.
"""

from __future__ import annotations

import gc
import importlib
import os
import random
from collections import deque
from typing import Any

from spielleiter.client.arguments import parse_options
from spielleiter.client.bot import make_bot
from spielleiter.client.connection import Arrival, ServerLink
from spielleiter.client.notes import NoteFile
from spielleiter.client.participant import Playing
from spielleiter.client.session import PlayerSession
from spielleiter.client.thinker import Thinker
from spielleiter.games import all_games
from spielleiter.rules import AnyGame
from spielleiter.wire import messages, writer
from spielleiter.wire.responses import encode_response

PREPARE = f"{__name__}:prepare"
_MODULES = (
    "spielleiter.client.house",
    "spielleiter.client.runner",
    "spielleiter.client.watchdog",
    "spielleiter.shadows",
    "encodings.idna",  # of connections
    "runpy",
)
_ROOM = "00000000-0000-0000-0000-000000000000"


def prepare(game_id: str) -> None:
    """Load the modules that a bot uses in a match, and play one with them.

    That makes the game's tables, and Python has made the code quick that comes again and again.
    """
    gc.set_threshold(10_000, 20, 50)  # a match makes many values and no cycles, see ``workers``
    for name in _MODULES:
        importlib.import_module(name)
    games = {game.id: game for game in all_games()}
    # A bot that was not told its game recognises it among all of them, by their codecs.
    loaded = [game.codecs for game in games.values()]
    assert loaded
    parse_options([])
    rehearse(games[game_id])


def rehearse(game: AnyGame) -> None:
    """Play a match as a bot does, but without a server, threads or a clock that counts."""
    dice = random.Random(0)
    server = _Rehearsal(game, dice)
    join = messages.Join(game.game_type)
    notes = NoteFile(os.devnull)
    bot = make_bot(server.choose)
    playing = Playing(
        Thinker(bot, _nobody_hears),
        PlayerSession(join, game),
        join,
        server,
        move_seconds=1.0,
        notes=notes,
        say=_nobody_hears,
        say_details=_nobody_hears,
    )
    playing.play()
    notes.close()


def _nobody_hears(line: str) -> None:
    pass


class _Rehearsal(ServerLink):
    """Says what a server says to the player of the first seat, and plays the other one."""

    def __init__(self, game: AnyGame, dice: random.Random) -> None:
        self._codec = next(iter(game.codecs.values()))
        self._dice = dice
        self._state = game.start(0)
        self._chosen: Any = None
        self._names = ("",) * game.seats
        self._said: deque[bytes] = deque([writer.OPEN.encode()])
        self._say(messages.Joined(_ROOM))
        self._say(messages.Welcome(_ROOM, self._codec.seat_name(0)))
        self._go_on()

    def choose(self, state: Any) -> Any:
        self._chosen = self._dice.choice(list(state.legal_moves()))
        return self._chosen

    def _go_on(self) -> None:
        """Show positions until it is the player's turn, or the end."""
        self._show()
        while not self._state.is_over and self._state.seat != 0:
            self._state = self._state.play(self.choose(self._state))
            self._show()
        if not self._state.is_over:
            self._say(messages.MoveRequest(_ROOM))
            return
        outcome = self._codec.encode_outcome(self._state.outcome(), self._state, self._names)
        self._say(messages.ResultMessage(_ROOM, outcome))
        self._say(messages.Left(_ROOM))

    def _show(self) -> None:
        self._say(messages.Memento(_ROOM, self._codec.encode_state(self._state, self._names)))

    def _say(self, message: messages.Response | messages.WrittenResponse) -> None:
        self._said.append(writer.frame(encode_response(message, self._codec.dialect)))

    def receive(self, timeout: float | None = None) -> Arrival | None:  # noqa: ARG002
        return Arrival(0.0, self._said.popleft()) if self._said else None

    def send(self, data: bytes) -> bool:
        if data.lstrip().startswith(b"<room"):
            self._state = self._state.play(self._chosen)
            self._go_on()
        return True

    def close(self, goodbye: bytes) -> None:
        pass
