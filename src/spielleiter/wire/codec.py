"""Define how a game is read from elements and written as text.

The tags themselves are in ``games/*/wire/``.

A codec reads Elements, which whoever owns the stream has parsed, and writes text, because writing
is what a server does most. Text is pretty-printed as the official servers do it, with two spaces a
level, the outermost element in column 0 and no trailing newline. The caller indents it to its
place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from spielleiter.rules.errors import RuleViolation
from spielleiter.rules.frozen import frozen
from spielleiter.rules.game import Game, Move, State
from spielleiter.rules.outcome import Outcome
from spielleiter.rules.text import Text
from spielleiter.wire.dialects import Dialect
from spielleiter.wire.elements import Element

S = TypeVar("S", bound=State[Any])
M = TypeVar("M", bound=Move)


@frozen
class ReceivedMove(Generic[M]):
    """A move as it came, with the sender's hints and the names of children nobody knows."""

    move: M
    hints: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


@frozen
class ReceivedState(Generic[S]):
    """A position as it came, with what surrounds it on the wire."""

    state: S
    names: tuple[str, ...] = ("", "")
    hints: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()


class Codec(ABC, Generic[S, M]):
    """One game in one revision of its documents. Encode and decode come in pairs.

    ``dialect`` says how everything around the game's own elements is spelled and done.
    """

    revision: str
    dialect: Dialect
    hints_allowed: bool = True
    """Whether this season's official server takes ``<hint>`` in a move."""
    echoes_hints: bool = False
    """Whether players, too, are shown the hints of the last move."""
    fragments: tuple[str, ...] = ("Siegpunkte", "Punkte")
    """The names of the result's parts. Over many games the first is summed, the others averaged."""

    @property
    @abstractmethod
    def game(self) -> Game[S, M]:
        """Return the game, season and variant that this writes and reads."""

    @abstractmethod
    def encode_state(self, state: S, names: Sequence[str], hints: Sequence[str] = ()) -> str:
        """Write ``<state class="state" ...>...</state>``.

        ``hints`` are those of the last move, where the season echoes them.
        """

    def encode_last_state(
        self,
        state: S,
        names: Sequence[str],
        hints: Sequence[str],
        outcome: Outcome,  # noqa: ARG002 - for documents whose last state says how it ended
    ) -> str:
        """Write the position in which a match ended. Override it where that says how it ended."""
        return self.encode_state(state, names, hints)

    @abstractmethod
    def decode_state(self, element: Element) -> ReceivedState[S]:
        """Read a ``<state>``.

        Unknown children and attributes are ignored and named. Raises CodecError.
        """

    @abstractmethod
    def encode_move(self, move: M, hints: Sequence[str] = (), tag: str = "data") -> str:
        """Write ``<data class="...">...</data>``, or the same under another tag.

        Such tags are ``lastMove`` and ``originalMessage``.
        """

    @abstractmethod
    def decode_move(self, element: Element, state: S) -> ReceivedMove[M]:
        """Read a ``<data>``.

        ``state`` supplies what an older document leaves out. Raises CodecError.
        """

    def decode_last_move(self, element: Element, state: S) -> ReceivedMove[M]:
        """Read the ``<lastMove>`` of a position, which was played in ``state``.

        Override it where that is not written like a move. Raises CodecError.
        """
        return self.decode_move(element, state)

    @abstractmethod
    def encode_outcome(self, outcome: Outcome, state: S, names: Sequence[str]) -> str:
        """Write ``<data class="result">...</data>``."""

    @abstractmethod
    def decode_outcome(self, element: Element) -> Outcome:
        """Read a result. Raises CodecError."""

    def decode_names(self, element: Element) -> tuple[str, ...]:  # noqa: ARG002 - for seasons that need it
        """Return the display names that a result repeats, by seat.

        They are empty except in seasons whose positions have none.
        """
        return ("",) * self.game.seats

    @abstractmethod
    def describe_move(self, move: M) -> str:
        """Return the move as the official server of the season words it in its messages."""

    @abstractmethod
    def violation_reason(self, violation: RuleViolation, move: M | None, name: str) -> Text:
        """Say why this seat lost.

        The German is what the result of the season says.

        The English is the broken rule alone, for our own sentences, which have named the player
        already.
        """

    @abstractmethod
    def complaint(
        self, violation: RuleViolation, move: M | None, name: str, *, to_offender: bool
    ) -> str:
        """Return the ``message`` of the error packet about a move that broke a rule."""

    @abstractmethod
    def seat_name(self, seat: int) -> str:
        """Return the ``color`` of the welcome message."""


AnyCodec = Codec[Any, Any]
"""For code that takes the codec of every game."""
