"""One frozen value for each message, in both directions.

``requests`` and ``responses`` read and write them as XML.

``Request`` is what a client says, ``Response`` what a server says. Attributes named "ours" are not
in any official document. Official programs ignore attributes they do not know, so they harm nobody.

Some responses carry a part that only the game's codec understands. Where such a message was read it
is an Element, and where it is to be written it may be the text that the codec has written, because
a server must not build every position twice.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from spielleiter.rules.frozen import frozen
from spielleiter.wire.elements import Element

Part = TypeVar("Part", bound=Element | str, covariant=True)
"""A codec's part of a message, as an Element or as the codec's text."""

# --- client to server: anyone ---------------------------------------------------------------------


@frozen
class Join:
    """Take any free seat in a game of this type, or of the default type if there is none."""

    game_type: str | None = None
    revision: str | None = None  # ours: the revision of the documents this client was written for


@frozen
class JoinRoom:
    """Take a free seat in this room."""

    room_id: str
    revision: str | None = None  # ours


@frozen
class JoinPrepared:
    """Take the seat that this reservation code belongs to."""

    code: str
    revision: str | None = None  # ours


@frozen
class RoomMessage:
    """Something for a room, usually a move in ``data``, which the game's codec reads."""

    room_id: str
    data: Element | None


@frozen
class LeaveRoom:
    """A client leaves a room, or the one it sits in if it names none."""

    room_id: str | None = None


@frozen
class CloseRequest:
    """A client is about to close. Usually ``</protocol>`` follows."""


# --- client to server: administrators -------------------------------------------------------------


@frozen
class Authenticate:
    """Become an administrator. A good password has no answer."""

    password: str
    revision: str | None = None  # ours

    def __repr__(self) -> str:  # what is printed may end in a log
        return "Authenticate(password=***)"


@frozen
class Slot:
    """One seat of a prepared game."""

    display_name: str = ""
    can_timeout: bool = True
    reserved: bool = True


@frozen
class Prepare:
    """Make a room with these seats. ``load`` is 2018's position inside the request."""

    game_type: str
    paused: bool = False
    slots: tuple[Slot, ...] = ()
    load: Element | None = None
    revision: str | None = None  # ours
    seed: int | None = None  # ours: the first position
    variant: str | None = None  # ours: the id of a variant of the game type
    load_file: str | None = None  # ours: a name in the server's replay folder
    turn: int | None = None  # ours: the turn in that file


@frozen
class Observe:
    """Watch a room."""

    room_id: str


@frozen
class Pause:
    """Stop a game before its next request, or let it go on."""

    room_id: str
    pause: bool


@frozen
class Step:
    """Ask for one turn of a paused game.

    ``forced`` also starts a game whose seats are not all taken.
    """

    room_id: str
    forced: bool = False


@frozen
class Cancel:
    """End a game now."""

    room_id: str


@frozen
class Timeout:
    """Switch the clock of one seat on or off."""

    room_id: str
    slot: int
    activate: bool


@frozen
class TestMode:
    """Collect scores per display name, or stop doing so."""

    __test__ = False  # pytest, this is not a test

    on: bool


@frozen
class ScoreForPlayer:
    """Ask for the collected scores of a display name."""

    display_name: str
    game_type: str | None = None  # ours: in which game; else the one prepared last


@frozen
class FreeReservation:
    """Let anyone join the seat that this code was for."""

    code: str


Request = (
    Join
    | JoinRoom
    | JoinPrepared
    | RoomMessage
    | LeaveRoom
    | CloseRequest
    | Authenticate
    | Prepare
    | Observe
    | Pause
    | Step
    | Cancel
    | Timeout
    | TestMode
    | ScoreForPlayer
    | FreeReservation
)

# --- server to client -----------------------------------------------------------------------------


@frozen
class Joined:
    """You have a seat in this room."""

    room_id: str


@frozen
class JoinedGameRoom:
    """Tell administrators that somebody joined.

    Seasons say ``existing`` or ``playerCount``, or both.
    """

    room_id: str
    existing: bool | None = None
    player_count: int | None = None


@frozen
class Prepared:
    """The room is there. It has one code per reserved seat, in the order of the seats."""

    room_id: str
    reservations: tuple[str, ...] = ()


@frozen
class Observed:
    """You watch this room."""

    room_id: str


@frozen
class Left:
    """This room is over for you."""

    room_id: str


@frozen
class Welcome:
    """Tell players who they are, by colour or team as the season spells it."""

    room_id: str
    color: str


@frozen
class Memento(Generic[Part]):
    """A position, for the game's codec to read."""

    room_id: str
    state: Part
    seconds: float | None = None  # ours, in replays: how long the last move took


@frozen
class MoveRequest:
    """Your move."""

    room_id: str


@frozen
class PausedNotice:
    """Tell observers that the game was paused or goes on."""

    room_id: str
    paused: bool


@frozen
class RoomError(Generic[Part]):
    """Something a player did in this room was wrong.

    ``original`` is the ``<data>`` they sent. As a codec's text it is the move, written under the
    tag that the dialect has for it (``Dialect.original_tag``).
    """

    room_id: str
    message: str
    original: Part | None = None


@frozen
class ResultMessage(Generic[Part]):
    """The result, for the game's codec to read."""

    room_id: str
    data: Part


@frozen
class ErrorPacket:
    """A request could not be fulfilled.

    ``original`` is the request as it was sent, but for an attribute ``class``, which is lost.
    """

    message: str
    original: Element | None = None


@frozen
class Testing:
    """Scores are collected, or no longer."""

    __test__ = False

    on: bool


@frozen
class ScoreValue:
    """One number of a collected score.

    ``value`` is as written, ``aggregation`` is SUM or AVERAGE.
    """

    name: str
    aggregation: str
    relevant: bool
    value: str


@frozen
class PlayerScore:
    """What a display name has collected over ``tests`` games."""

    display_name: str
    tests: int
    values: tuple[ScoreValue, ...] = ()


@frozen
class PlayerScores:
    """Answer to ScoreForPlayer. It is empty if there is nothing."""

    scores: tuple[PlayerScore, ...] = ()


@frozen
class ServerClose:
    """The server is about to close this connection."""


@frozen
class UnknownServerMessage:
    """Something a client does not know or cannot read, and passes over. ``reason`` says why."""

    element: Element
    reason: str


Response = (
    Joined
    | JoinedGameRoom
    | Prepared
    | Observed
    | Left
    | Welcome
    | Memento[Element]
    | MoveRequest
    | PausedNotice
    | RoomError[Element]
    | ResultMessage[Element]
    | ErrorPacket
    | Testing
    | PlayerScores
    | ServerClose
    | UnknownServerMessage
)

WrittenResponse = Memento[str] | RoomError[str] | ResultMessage[str]
"""Responses whose part a codec has written as text."""
