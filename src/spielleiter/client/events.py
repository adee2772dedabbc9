"""Values in which a PlayerSession tells what happened on its connection. No logic here."""

from __future__ import annotations

from spielleiter.rules import AnyGame, AnyState, Outcome
from spielleiter.rules.frozen import frozen


@frozen
class SeatTaken:
    """The server has a seat for us in this room. The game may start later."""

    room_id: str


@frozen
class Started:
    """The first position is there. ``seat`` is ours, None if the server has not said."""

    seat: int | None
    state: AnyState


@frozen
class StateShown:
    """A position came, perhaps the first one, with the players' names and the last move's hints
    where there are any.
    """

    state: AnyState
    names: tuple[str, ...] = ("", "")
    hints: tuple[str, ...] = ()


@frozen
class MoveAsked:
    """Our move, in this position."""

    state: AnyState


@frozen
class MatchOver:
    """The game has ended. There is no outcome if it was cancelled or its result cannot be read.

    ``names`` are the players' where the result has them, by seat.
    """

    outcome: Outcome | None
    names: tuple[str, ...] = ("", "")


@frozen
class RoomLeft:
    """The server is done with us, and nothing more will come about this game."""

    room_id: str


@frozen
class OtherGame:
    """The room plays another game or season than the one we came for."""

    found: AnyGame
    expected: AnyGame


@frozen
class PauseShown:
    """The game was paused, or goes on. Only observers are told."""

    paused: bool


@frozen
class ErrorReceived:
    """The server complains."""

    text: str


@frozen
class Unreadable:
    """Something the server said cannot be read here.

    ``must_leave``: and so there is no way to play on, because it is the first position, or the one
    in which a move is asked for.
    """

    text: str
    must_leave: bool = False


@frozen
class Ignored:
    """Something came that a player need not know. ``reason`` says what."""

    reason: str


@frozen
class Closed:
    """The connection is over. ``orderly``: the server said goodbye with ``</protocol>``."""

    orderly: bool


Event = (
    SeatTaken
    | Started
    | StateShown
    | MoveAsked
    | MatchOver
    | RoomLeft
    | OtherGame
    | PauseShown
    | ErrorReceived
    | Unreadable
    | Ignored
    | Closed
)
