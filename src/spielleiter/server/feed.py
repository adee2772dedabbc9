"""Tell listeners in this process what happens in the rooms, as typed events.

Nothing here is XML. Each room tells an event first to its ``Audience``, which writes it to the
players and observers, and then to the server's ``Feed``, where everybody else listens.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any
from weakref import WeakSet

from spielleiter.match import MoveRecord, Phase
from spielleiter.replays import MatchRecord
from spielleiter.rules import Departure, Game, RuleViolation, State
from spielleiter.server.logs import log_event

logger = logging.getLogger("spielleiter.feed")


@dataclass(frozen=True, slots=True)
class RoomOpened:
    """A room has been opened and waits for its players."""

    room_id: str
    game: Game[Any, Any]
    names: tuple[str, ...]
    is_prepared: bool
    is_paused: bool


@dataclass(frozen=True, slots=True)
class PlayerSeated:
    """Somebody has taken a seat. When it was the last one, the match begins."""

    room_id: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    """A seat is empty again, before the match has begun or while it is played."""

    room_id: str
    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All seats are taken, and the match begins."""

    room_id: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PositionShown:
    """A position has been reached. Each one is told once, the first one without a move."""

    room_id: str
    state: State[Any]
    move: MoveRecord | None
    """The move that led here, with its seconds and the hints its player sent."""
    names: tuple[str, ...]
    to_players: bool = True
    """Whether the players see it, too, or in a paused match only those who watch."""

    @property
    def hints(self) -> tuple[str, ...]:
        """Return the hints of the move that led here."""
        return () if self.move is None else self.move.hints


@dataclass(frozen=True, slots=True)
class PositionRepeated:
    """A paused match goes on, and the last position is shown again to everybody.

    Players may see it for the first time. A listener that has kept it learns nothing new.
    """

    room_id: str


@dataclass(frozen=True, slots=True)
class MoveRequested:
    """A player is asked for a move. Their time begins when the request has left."""

    room_id: str
    seat: int
    turn: int


@dataclass(frozen=True, slots=True)
class MatchPaused:
    """A match was paused, or goes on."""

    room_id: str
    is_paused: bool


@dataclass(frozen=True, slots=True)
class ComplaintMade:
    """A player was told what they did wrong."""

    room_id: str
    seat: int
    message: str
    """The sentence of the room's own season."""
    move: Any
    """The move it is about, or None if what came could not be read as one."""
    violation: RuleViolation | None
    """The rule that the move broke."""
    how: Departure | None
    """What was wrong where no rule was broken."""
    expected: int
    """The seat whose turn it was."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match has a result.

    The record of a match that never began, because a player did not come, has no positions.
    """

    room_id: str
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class RoomClosed:
    """A room is gone. Nothing more is told of it."""

    room_id: str


RoomEvent = (
    RoomOpened
    | PlayerSeated
    | PlayerLeft
    | MatchStarted
    | PositionShown
    | PositionRepeated
    | MoveRequested
    | MatchPaused
    | ComplaintMade
    | MatchEnded
    | RoomClosed
)
Listener = Callable[[RoomEvent], None]


@dataclass(frozen=True, slots=True)
class RoomSummary:
    """A room as it stands, for whoever comes later than its events."""

    room_id: str
    game: Game[Any, Any]
    names: tuple[str, ...]
    seated: tuple[bool, ...]
    """For each seat whether somebody sits there."""
    phase: Phase
    is_prepared: bool
    is_paused: bool
    state: State[Any]
    moves: int
    """How many moves have been played in this room."""


class FeedOverrun(Exception):
    """Raised to a follower of the feed that has fallen behind and was cut off.

    ``lost`` says how many events it has missed. There are no more to come.
    """

    def __init__(self, limit: int, lost: int) -> None:
        super().__init__(
            f"{lost} events were lost because {limit} were waiting already; ask the lobby for "
            "list_rooms() to see how things stand, and follow the feed anew"
        )
        self.limit = limit
        self.lost = lost


@dataclass(eq=False, slots=True)
class _Subscription:
    """One listener that is told. Whoever subscribes twice has two."""

    listener: Listener
    is_on: bool = True


class Feed:
    """Tells listeners what happens, in the order in which it happens.

    Listeners are called in the server's own thread, between two packets to the players. They must
    return at once and leave the rooms alone. Whoever has more to do uses ``follow``.
    """

    def __init__(self) -> None:
        # Replaced and never changed in place, so that publishing needs no copy.
        self._subscriptions: tuple[_Subscription, ...] = ()
        self._followers: WeakSet[Follower] = WeakSet()
        self._is_closed = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell ``listener`` every event from now on.

        Returns a function that ends this, and that may be called more than once.
        """
        subscription = _Subscription(listener)
        self._subscriptions += (subscription,)
        return lambda: self._end(subscription)

    def follow(self, *, limit: int = 10_000) -> Follower:
        """Return every event from now on, as an asynchronous iterator with a queue of its own.

        This is for listeners that have more to do, in a task of the server's loop::

            with server.feed.follow() as events:
                async for event in events:
                    await save(event)

        A follower may be as slow as it likes, as long as no more than ``limit`` events wait for it.
        Then it is cut off. It still gets those that wait, and after them ``FeedOverrun``. When the
        server has stopped, it ends after the last event.
        """
        follower = Follower(self, limit)
        self._followers.add(follower)
        if self._is_closed:
            follower.end()
        return follower

    def close(self) -> None:
        """Say that nothing will happen any more. Followers end after the events that wait."""
        self._is_closed = True
        for follower in list(self._followers):
            follower.end()

    def _end(self, subscription: _Subscription) -> None:
        subscription.is_on = False
        self._subscriptions = tuple(one for one in self._subscriptions if one.is_on)

    def publish(self, event: RoomEvent) -> None:
        """Tell every listener. One that raises is logged and told no more."""
        for subscription in self._subscriptions:
            if not subscription.is_on:  # a listener that was told before has ended it
                continue
            try:
                subscription.listener(event)
            except Exception as error:
                # A match must not suffer from whoever watches it.
                self._end(subscription)
                log_event(
                    logger,
                    "listener failed",
                    level=logging.ERROR,
                    room=event.room_id,
                    event_type=type(event).__name__,
                    error=error,
                )


class Follower:
    """The events since ``Feed.follow`` was called, for one task that takes them at its own pace."""

    def __init__(self, feed: Feed, limit: int) -> None:
        if limit < 1:
            raise ValueError(f"limit: at least 1 event must be allowed to wait, not {limit}")
        self._limit = limit
        self._waiting: deque[RoomEvent] = deque()
        self._lost = 0
        self._is_closed = False
        self._changed = asyncio.Event()
        self._unsubscribe = feed.subscribe(self._hear)

    def __enter__(self) -> Follower:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Follow no longer. Whoever waits for the next event is told that there is none."""
        self.end()
        self._waiting.clear()
        self._lost = 0

    def end(self) -> None:
        """Hear nothing more. Whoever follows gets the events that wait, and then no more."""
        self._unsubscribe()
        self._is_closed = True
        self._changed.set()

    def __aiter__(self) -> Follower:
        return self

    async def __anext__(self) -> RoomEvent:
        """Return the next event. Raises FeedOverrun after the last one of a follower cut off."""
        while not self._waiting:
            if self._lost:
                lost = self._lost
                self.close()
                raise FeedOverrun(self._limit, lost)
            if self._is_closed:
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        return self._waiting.popleft()

    def _hear(self, event: RoomEvent) -> None:
        # Called by whoever publishes, who must not wait: one event is appended, or one is counted.
        if self._lost or len(self._waiting) >= self._limit:
            # Once cut off it stays so, even if there is room again, or the events would have a gap
            # that nobody can see.
            if not self._lost:
                log_event(
                    logger,
                    "follower cut off",
                    level=logging.WARNING,
                    room=event.room_id,
                    event_type=type(event).__name__,
                    reason=f"{self._limit} events wait for it already",
                )
            self._lost += 1
            return
        self._waiting.append(event)
        self._changed.set()
