"""One match as the page tells it, from its first position to why it ended.

A story is filled by events, by a recording or by a record. It keeps positions as the immutable
states that they are. How a story is written as JSON is in ``telling``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from spielleiter.arena.thoughts import Thoughts
from spielleiter.match import MoveRecord
from spielleiter.rules import AnyGame, AnyState, Outcome, Text, one_line

MOST_OUTPUT = 2000
"""Lines that are kept of what the bots of one match print."""
LONGEST_LINE = 500
"""Characters of one line."""
LONGEST_NAME = 100


class StoryPhase(Enum):
    """Where a match stands."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    ENDED = "ended"


class Source(Enum):
    """Where a story comes from."""

    LIVE = "live"
    FILE = "file"
    RUN = "run"


class ChangeKind(Enum):
    """What has changed in a story."""

    SEATS = "seats"
    POSITION = "position"
    THOUGHTS = "thoughts"
    ASKED = "asked"
    OUTPUT = "output"
    PAUSED = "paused"
    ENDED = "ended"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that has changed, with the index of the position, move or line it is about."""

    kind: ChangeKind
    index: int = 0


@dataclass(slots=True)
class StorySeat:
    """Who sits where, and whether they have come."""

    name: str
    joined: bool = False
    person: bool = False


@dataclass(frozen=True, slots=True)
class StoryMove:
    """A move with what is kept beside it. ``seconds`` is None where it is not known."""

    turn: int
    seat: int
    notation: str
    seconds: float | None
    hints: tuple[str, ...] = ()
    thoughts: Thoughts | None = None


@dataclass(frozen=True, slots=True)
class OutputLine:
    """A line that a bot printed, beside the position at which it came."""

    seat: int
    stream: str
    text: str
    index: int


@dataclass(frozen=True, slots=True)
class RefusedMove:
    """A move that was refused, with the rule it broke and the squares at fault."""

    seat: int
    move: str
    rule: str
    reason: Text
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Ending:
    """How and why a match ended."""

    outcome: Outcome
    reason: Text
    index: int
    fault: RefusedMove | None = None


Hearer = Callable[["MatchStory", Change], None]


@dataclass(slots=True, eq=False)
class MatchStory:
    """A match, and whoever wants to hear of its changes. Used from the loop's thread."""

    id: str
    game: AnyGame
    seats: list[StorySeat]
    source: Source
    now: Callable[[], float]
    """Seconds of the clock by which players are asked."""
    limit: float | None = None
    """Seconds for a move, None where time does not count."""
    phase: StoryPhase = StoryPhase.WAITING
    positions: list[AnyState] = field(default_factory=list)
    moves: list[StoryMove] = field(default_factory=list)
    output: deque[OutputLine] = field(default_factory=lambda: deque(maxlen=MOST_OUTPUT))
    printed: int = 0
    """Lines printed so far, also those that are not kept any more."""
    asked: int | None = None
    asked_at: float = 0.0
    ending: Ending | None = None
    reservations: tuple[str | None, ...] = ()
    """For each seat the code that it is kept for, None where anybody may sit down."""
    notes: tuple[Text, ...] = ()
    """What was unusual about a recording."""
    successor: str = ""
    """The id of the match that is played instead, so that whoever watches can follow.

    A move was taken back, or a bot was saved.
    """
    record: Any = None
    """What the match can be written as a replay file from, see ``downloads``."""
    review: Mapping[str, Any] | None = None
    """What an engine said about the moves, as ``engine.telling`` writes it."""
    hearers: list[Hearer] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.name for seat in self.seats)

    def called(self, seat: int) -> Text:
        """Return the player's name, or what the game calls the seat of somebody without one."""
        name = self.seats[seat].name
        return Text(name, name) if name else self.game.seat_names[seat]

    @property
    def newest(self) -> AnyState | None:
        return self.positions[-1] if self.positions else None

    def _tell(self, kind: ChangeKind, index: int = 0) -> None:
        change = Change(kind, index)
        for hear in self.hearers:
            hear(self, change)

    # What happens

    def seat(self, number: int, *, joined: bool = True, person: bool | None = None) -> None:
        """Note that somebody took the seat, or left it before the match began."""
        self.seats[number].joined = joined
        if person is not None:
            self.seats[number].person = person
        self._tell(ChangeKind.SEATS)

    def begin(self, names: tuple[str, ...] = ()) -> None:
        """Note that all have come and the match begins."""
        for place, name in zip(self.seats, names, strict=False):
            place.name, place.joined = shown_name(name), True
        if self.phase is StoryPhase.WAITING:
            self.phase = StoryPhase.RUNNING
        self._tell(ChangeKind.SEATS)

    def add_position(self, state: AnyState, move: MoveRecord | None = None) -> None:
        """Add a position and the move that led there. The first position needs none."""
        if self.positions:
            self.moves.append(self._move(state, move))
        self.positions.append(state)
        self.asked = None
        self._tell(ChangeKind.POSITION, len(self.positions) - 1)

    def _move(self, state: AnyState, move: MoveRecord | None) -> StoryMove:
        before = self.positions[-1]
        if move is None:
            last = state.last_move
            text = "" if last is None else self.game.format_move(last)
            return StoryMove(before.turn, before.seat, text, None)
        text = self.game.format_move(move.move)
        return StoryMove(move.turn, move.seat, text, move.seconds, move.hints)

    def add_thoughts(self, turn: int, seat: int, thoughts: Thoughts) -> None:
        """Put what a bot kept beside its move to the newest move of this turn and seat."""
        for index in range(len(self.moves) - 1, -1, -1):
            move = self.moves[index]
            if (move.turn, move.seat) == (turn, seat):
                self.moves[index] = StoryMove(
                    turn, seat, move.notation, move.seconds, move.hints, thoughts
                )
                self._tell(ChangeKind.THOUGHTS, index)
                return

    def add_output(self, seat: int, stream: str, text: str, index: int | None = None) -> None:
        """Add a line that a bot printed, beside the newest position unless another is named.

        It is made harmless and cut.
        """
        if index is None:
            index = max(0, len(self.positions) - 1)
        self.output.append(OutputLine(seat, stream, one_line(text, LONGEST_LINE), index))
        self.printed += 1
        self._tell(ChangeKind.OUTPUT, self.printed - 1)

    def ask(self, seat: int) -> None:
        """Note that a player is asked for a move, from now on."""
        self.asked, self.asked_at = seat, self.now()
        self._tell(ChangeKind.ASKED)

    def pause(self, is_paused: bool) -> None:
        """Note that the match is paused, or goes on."""
        if self.phase is not StoryPhase.ENDED:
            begun = StoryPhase.RUNNING if self.positions else StoryPhase.WAITING
            self.phase = StoryPhase.PAUSED if is_paused else begun
        self._tell(ChangeKind.PAUSED)

    def finish(self, ending: Ending | None) -> None:
        """Note that the match is over. Without an ending nobody knows why, or it never began."""
        self.phase, self.asked, self.ending = StoryPhase.ENDED, None, ending
        self._tell(ChangeKind.ENDED)

    def lead_to(self, successor: str) -> None:
        """Send whoever watches to the match that is played instead. This one is still shown."""
        self.successor = successor
        self._tell(ChangeKind.GONE)

    def leave(self) -> None:
        """Note that the page has no room for this match any more."""
        self._tell(ChangeKind.GONE)


def shown_name(name: str) -> str:
    """Return a player's name as one harmless line."""
    return one_line(name, LONGEST_NAME)
