"""How a match stands or ended, with its points, its winner and the reason.

These are values only, and rules are elsewhere.
"""

from __future__ import annotations

from enum import Enum

from spielleiter.rules.frozen import frozen, replace
from spielleiter.rules.text import NO_TEXT, Text

WIN, DRAW, LOSS = 2, 1, 0


class Cause(Enum):
    """Why a seat's match ended, as the documents name it in ``<score cause="...">``."""

    REGULAR = "REGULAR"
    LEFT = "LEFT"
    RULE_VIOLATION = "RULE_VIOLATION"
    SOFT_TIMEOUT = "SOFT_TIMEOUT"
    HARD_TIMEOUT = "HARD_TIMEOUT"


class Departure(Enum):
    """How a seat left its match. All of them lose with cause LEFT, and only the words differ.

    The result of 2027 names the first four as they are called here.
    """

    LOST_CONNECTION = "LOST_CONNECTION"  # the socket closed, or ``</protocol>`` without a goodbye
    RECEIVED_DISCONNECT = "RECEIVED_DISCONNECT"  # an orderly close message
    PROTOCOL_ERROR = "PROTOCOL_ERROR"  # broken XML, unknown message or class
    NOT_CONNECTED = "NOT_CONNECTED"  # never came
    OUT_OF_TURN = "OUT_OF_TURN"  # moved while it was another seat's turn
    UNREQUESTED = "UNREQUESTED"  # moved in its turn, before it was asked


@frozen
class SeatOutcome:
    """One seat's line of the result, with victory ``points`` (2/1/0) and the game's ``parts``."""

    points: int
    parts: tuple[int, ...]
    cause: Cause = Cause.REGULAR
    reason: Text = NO_TEXT


@frozen
class Outcome:
    """The result of a match, or how it would stand if it ended now.

    ``code`` names the end in one word (``NO_MOVES``, ``ROUND_LIMIT``, ``GOAL``, ``LEFT`` ...),
    ``reason`` says it as a sentence. ``winner`` is a seat number, None for a draw.
    """

    seats: tuple[SeatOutcome, ...]
    winner: int | None
    code: str
    reason: Text

    @property
    def scores(self) -> tuple[tuple[int, ...], ...]:
        """The game's own numbers per seat, without the victory points."""
        return tuple(seat.parts for seat in self.seats)

    @property
    def winner_first(self) -> tuple[int, ...]:
        """The seats in the order in which a result names them.

        The winner comes first, then the others as they sit.
        """
        return tuple(sorted(range(len(self.seats)), key=lambda seat: seat != self.winner))

    @property
    def is_regular(self) -> bool:
        """Whether the match was played to its end.

        Then nobody lost by leaving, by the clock or by a broken rule.
        """
        return all(seat.cause is Cause.REGULAR for seat in self.seats)

    def forfeit(self, seat: int, cause: Cause, reason: Text) -> Outcome:
        """Return the same position, lost by ``seat`` for ``cause``.

        The seat has 0 points against 2, and the parts stay as they stand.
        """
        seats = tuple(
            replace(line, points=LOSS, cause=cause, reason=reason)
            if number == seat
            else replace(line, points=WIN, cause=Cause.REGULAR, reason=NO_TEXT)
            for number, line in enumerate(self.seats)
        )
        others = [number for number in range(len(self.seats)) if number != seat]
        return Outcome(seats, others[0] if len(others) == 1 else None, cause.value, reason)
