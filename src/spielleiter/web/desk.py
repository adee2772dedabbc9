"""Start matches for the page on the running server, and take part in those that are on.

A match is played by ``arena.match`` as any other. Its seats have bots of the roster, people at
browsers, or guests, for whom a reservation waits. Who may ask for what is decided in ``doing``.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import replace
from random import SystemRandom
from typing import Any

from spielleiter.arena.arena_match import NeverBegan
from spielleiter.arena.bots import distinct_names
from spielleiter.arena.match import play_arena_match
from spielleiter.arena.seating import Seating
from spielleiter.match import Phase
from spielleiter.rules import Text
from spielleiter.server import Server
from spielleiter.server.errors import Refusal
from spielleiter.server.logs import log_event
from spielleiter.server.room import Room
from spielleiter.web.answers import Mistake
from spielleiter.web.gallery import Gallery
from spielleiter.web.people import PersonSeat
from spielleiter.web.roster import Roster
from spielleiter.web.started import Order, StartedMatch, past_of
from spielleiter.web.telling import Teller

logger = logging.getLogger("spielleiter.web")

MOST_AT_ONCE = 16
"""Matches that the page has started and that are on. Each has two programs at most."""
LEFT_SECONDS = 60.0
"""After which a match that its people have left gives way to a new one, if there is no room."""
MOST_KEPT = 300
"""Matches of which the seats are remembered, so that a move can be taken back after the end."""
GUEST_SECONDS = 3600.0
"""How long a guest is waited for."""
TOO_MANY = Text(
    "Es laufen schon so viele Partien, wie der Server von hier aus startet. Beende eine davon.",
    "As many matches are on as the server starts from here. End one of them.",
)
NO_ROOM = Text("Der Server nimmt keine Partie mehr an: ", "The server takes no more matches: ")
NOT_ON = Text("Die Partie läuft nicht mehr.", "The match is not on any more.")
NO_UNDO = Text(
    "Zurücknehmen geht nur gegen einen Bot und ohne Zeitlimit.",
    "Moves can be taken back only against a bot and without a time limit.",
)
NOTHING_TO_UNDO = Text("Du hast noch nicht gezogen.", "You have not moved yet.")


class MatchDesk:
    """Everything that the page has started. Used from the loop's thread."""

    def __init__(self, server: Server, gallery: Gallery, teller: Teller, roster: Roster) -> None:
        self.server = server
        self.roster = roster
        self.matches: dict[str, StartedMatch] = {}
        self._gallery = gallery
        self._teller = teller
        self._tokens: dict[str, PersonSeat] = {}
        self._starting = 0

    def find_seat(self, token: str) -> PersonSeat | None:
        """Return the seat of a person by its token, or None."""
        return self._tokens.get(token)

    # Starting

    async def start(self, order: Order) -> StartedMatch:
        """Start a match and return it as soon as its room is there. Raises Mistake."""
        on = sum(match.is_on for match in self.matches.values())
        if on + self._starting >= MOST_AT_ONCE and not self._make_room():
            raise Mistake(503, TOO_MANY)
        self._starting += 1
        opened: asyncio.Future[StartedMatch] = asyncio.get_running_loop().create_future()
        task = asyncio.get_running_loop().create_task(self._play(order, opened))
        try:
            either: tuple[asyncio.Future[Any], ...] = (opened, task)
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not opened.done():
                task.result()  # raises why
            match = opened.result()
        finally:
            self._starting -= 1
        match.task = task
        return match

    def _make_room(self) -> bool:
        """End the match that its people left first, and return whether there was one."""
        left = [
            (match.left_seconds or 0.0, match.id)
            for match in self.matches.values()
            if match.is_on and match.id in self.server.lobby.rooms
        ]
        seconds, match_id = max(left, default=(0.0, ""))
        if not match_id or seconds <= LEFT_SECONDS:
            return False
        self.cancel(match_id)
        return True

    async def _play(self, order: Order, opened: asyncio.Future[StartedMatch]) -> None:
        loop = asyncio.get_running_loop()
        timers: list[asyncio.TimerHandle] = []

        def open_room(room: Room) -> None:
            opened.set_result(self._open(order, room))
            timers.append(loop.call_later(GUEST_SECONDS, self._give_up, room.id))

        try:
            await self._play_to_the_end(order, opened, open_room)
        except Refusal as error:
            raise Mistake(503, Text(NO_ROOM.de + str(error), NO_ROOM.en + str(error))) from error
        except NeverBegan:
            pass
        except Exception as error:
            if not opened.done():
                raise
            log_event(logger, "match failed", level=logging.ERROR, error=error)
        finally:
            for timer in timers:
                timer.cancel()
            if opened.done() and not opened.cancelled():
                opened.result().end()

    async def _play_to_the_end(
        self,
        order: Order,
        opened: asyncio.Future[StartedMatch],
        open_room: Callable[[Room], None],
    ) -> None:
        played = await play_arena_match(
            order.players,
            order.game,
            seed=SystemRandom().getrandbits(31) if order.seed is None else order.seed,
            watch=lambda watched: opened.result().watch(watched),
            human=lambda state: opened.result().choose(state),
            patience=order.patience,
            server=self.server,
            seating=Seating(
                position=None if order.past is None else order.past.positions[-1],
                names=distinct_names(order.players),
                hear=lambda seat, stream, data: opened.result().printed.hear(seat, stream, data),
                timed=order.clock,
                opened=open_room,
            ),
        )
        opened.result().conclude(played)

    def _open(self, order: Order, room: Room) -> StartedMatch:
        story = self._gallery.get(room.id)
        if story is None:  # the page shows as many matches as it can
            raise Mistake(503, TOO_MANY)
        match = StartedMatch(order, story, self._teller, self.server.services.clock.now)
        for seat in match.people:
            if seat is not None:
                self._tokens[seat.token] = seat
        story.reservations = tuple(
            code if spec.is_guest else None
            for spec, code in zip(order.players, room.reservation_codes, strict=True)
        )
        self.matches[story.id] = match
        self._forget_old()
        return match

    def _forget_old(self) -> None:
        ended = [match for match in self.matches.values() if not match.is_on and match.task]
        for match in ended[: max(0, len(self.matches) - MOST_KEPT)]:
            self._forget(match)

    def _forget(self, match: StartedMatch) -> None:
        self.matches.pop(match.id, None)
        for seat in match.people:
            if seat is not None:
                self._tokens.pop(seat.token, None)

    def _give_up(self, match_id: str) -> None:
        """End a match whose guest did not come."""
        room = self.server.lobby.rooms.get(match_id)
        if room is not None and room.referee.phase is Phase.WAITING:
            self.cancel(room.id)

    # What is on

    def _room(self, match_id: str) -> Room:
        room = self.server.lobby.rooms.get(match_id)
        if room is None:
            raise Mistake(409, NOT_ON)
        return room

    def cancel(self, match_id: str) -> None:
        """End a match as it stands, whoever started it. Raises Mistake."""
        self._room(match_id).cancel()
        self.server.outbox.flush()

    def pause(self, match_id: str, *, is_paused: bool) -> None:
        """Pause a match, whoever started it, or let it go on. Raises Mistake."""
        self._room(match_id).pause(is_paused)
        self.server.outbox.flush()

    async def undo(self, match: StartedMatch) -> StartedMatch:
        """Take back the last move of the person, in a new match. Raises Mistake.

        Whoever asks twice gets the same match twice.
        """
        if match.successor is None:
            match.successor = asyncio.ensure_future(self._undo(match))
        try:
            return await asyncio.shield(match.successor)
        except Mistake:
            match.successor = None
            raise

    async def _undo(self, match: StartedMatch) -> StartedMatch:
        order, story = match.order, match.story
        timed = order.clock and not self.server.settings.no_timeout
        if timed or not order.is_solo:
            raise Mistake(409, NO_UNDO)
        mine = next(seat for seat in match.people if seat is not None)
        moved = [index for index, move in enumerate(story.moves) if move.seat == mine.number]
        if not moved:
            raise Mistake(409, NOTHING_TO_UNDO)
        started = await self.start(replace(order, seed=None, past=past_of(story, moved[-1])))
        follower = started.people[mine.number]
        assert follower is not None
        # Told before the old match ends, so that the browser follows and does not say that it is
        # over.
        mine.follow(started.id, follower.token)
        if match.id in self.server.lobby.rooms:
            self.cancel(match.id)
        story.successor = started.id
        self._gallery.remove(story)
        return started

    async def close(self) -> None:
        """End everything that was started, with all its programs."""
        tasks = [match.task for match in self.matches.values() if match.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
