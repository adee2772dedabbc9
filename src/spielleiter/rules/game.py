"""The contract of every game, in which a Game makes States and a State lists and plays Moves.

Three rules hold for every game, and one contract test checks them on each:

* a State is a value: immutable, comparable, hashable, free to keep;
* ``legal_moves()`` and ``play()`` agree: a move is accepted exactly if it, or its canonical
  spelling, is in the list;
* nothing here reads a clock, rolls dice or does I/O; what is random comes from the seed.

"Seat" is a place at the table, numbered from 0 in the order of play. A seat is a player, even
where the player moves several colours.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from spielleiter.rules.deviations import NO_DEVIATIONS, Deviations
from spielleiter.rules.outcome import Outcome
from spielleiter.rules.text import Text
from spielleiter.rules.view import common_view, position_of

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from spielleiter.rules.engine import EngineFactory
    from spielleiter.rules.player import PlayerFactory


_POINTS = Text("Punkte", "points")


class Move(Hashable, Protocol):
    """A frozen value of the game's own making. ``str(move)`` is its notation."""


M = TypeVar("M", bound=Move)
S = TypeVar("S", bound="State[Any]")


class State(ABC, Generic[M]):
    """One complete position of a match, from which anybody who holds it can go on playing.

    Subclasses are frozen dataclasses with slots, or made with ``frozen``. Equality compares the
    whole position including the last move, so a state read from a recording can be compared field
    by field.
    """

    __slots__ = ()

    @property
    @abstractmethod
    def game(self) -> Game[Any, M]:
        """The game, season and variant whose rules hold here."""

    @property
    @abstractmethod
    def turn(self) -> int:
        """Number of the turn, from 0, as the wire counts it."""

    @property
    @abstractmethod
    def round(self) -> int:
        """Number of the round, from 1."""

    @property
    @abstractmethod
    def seat(self) -> int:
        """The seat that has to move. Meaningless once ``is_over``."""

    @property
    @abstractmethod
    def last_move(self) -> M | None:
        """The move that led here, spelled as it was sent, or None at the start."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether the game is over, so that no move will be accepted any more."""

    @abstractmethod
    def legal_moves(self) -> Sequence[M]:
        """Return every legal move once, in its canonical spelling and the game's documented order.

        Empty exactly if the game is over.
        """

    @abstractmethod
    def play(self, move: M) -> Self:
        """Return the state after ``move``. Raises RuleViolation if the rules forbid it."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return the result, or before the end how it would stand if the game ended now."""

    def __str__(self) -> str:
        """Return the board as ``game.picture`` draws it, for ``print(state)``.

        ``repr`` has every field.
        """
        return self.game.picture(self)

    def _repr_svg_(self) -> str:
        """Return the board as ``game.svg`` draws it. A notebook calls this to show a state."""
        return self.game.svg(self)

    def is_legal(self, move: M) -> bool:
        """Return whether ``play`` would accept this move."""
        from spielleiter.rules.errors import RuleViolation

        try:
            self.play(move)
        except RuleViolation:
            return False
        return True


class Game(ABC, Generic[S, M]):
    """One game in one season and variant, with the facts about it and how its matches begin.

    The facts are class or instance attributes; a game folder offers ready instances.
    """

    id: str
    """What people type, lower-case words joined by ``-``, the last of them the season."""
    game_type: str
    """What the wire says, which is one word that variants of one season share."""
    title: str
    """What people read, which is the name of the game and the season."""
    seats: ClassVar[int] = 2

    @property
    def titles(self) -> Text:
        """The title in both languages, which is the same in both unless a game says otherwise."""
        return Text(self.title, self.title)

    @property
    @abstractmethod
    def seat_names(self) -> tuple[Text, ...]:
        """What to call each seat, in the words of the game."""

    @property
    def score_names(self) -> tuple[Text, ...]:
        """What each of the game's own numbers counts, in the order of ``SeatOutcome.parts``."""
        return (_POINTS,)

    @property
    def score_unit(self) -> Text:
        """What the first of these numbers counts, in the plural as in "12 points"."""
        return _POINTS

    def describe_scores(self, scores: Sequence[Sequence[int]]) -> Text:
        """Return the numbers of all seats for people.

        That is ``218 : 85``, or with names where there are several.
        """
        pairs = [" : ".join(map(str, numbers)) for numbers in zip(*scores, strict=True)]
        if len(pairs) == 1:
            return Text(pairs[0], pairs[0])
        named = list(zip(self.score_names, pairs, strict=False))
        return Text(
            ", ".join(f"{name.de} {pair}" for name, pair in named),
            ", ".join(f"{name.en} {pair}" for name, pair in named),
        )

    def describe_result(self, outcome: Outcome) -> Text:
        """Return the numbers of a result for people, the winner's first.

        That is ``218 : 106`` for "B wins, 218 : 106".
        """
        return self.describe_scores([outcome.scores[seat] for seat in outcome.winner_first])

    @abstractmethod
    def start(self, seed: int) -> S:
        """Return the first position.

        Equal seeds give equal positions, on every machine and version.
        """

    @abstractmethod
    def parse_move(self, text: str) -> M:
        """Read what ``format_move`` wrote. Raises NotationError."""

    @abstractmethod
    def format_move(self, move: M) -> str:
        """Return the move as short text for people, logs and tests."""

    @abstractmethod
    def parse_position(self, text: str) -> S:
        """Read what ``format_position`` wrote. Raises NotationError."""

    @abstractmethod
    def format_position(self, state: S) -> str:
        """Return the whole position on one line."""

    @abstractmethod
    def picture(self, state: S, *, color: bool = False) -> str:
        """Return the position as lines of text, with ANSI colours if ``color``."""

    @abstractmethod
    def svg(self, state: S) -> str:
        """Return the position as a picture, which is one whole SVG element as text."""

    def view(self, state: S) -> dict[str, Any]:
        """Return the position as a dictionary of JSON values, for pages and notebooks.

        A game overrides this to add its own keys to those that every game has (docs/views.md).
        """
        return common_view(state)

    def from_view(self, view: Mapping[str, Any]) -> S:
        """Return the position that a view shows. Raises NotationError for anything else.

        Only ``game`` and ``position`` are read. The other keys follow from them.
        """
        return self.parse_position(position_of(self, view))

    @property
    @abstractmethod
    def players(self) -> Mapping[str, PlayerFactory]:
        """House bots by name, weakest first. ``random`` and ``greedy`` are always there."""

    @property
    @abstractmethod
    def codecs(self) -> Mapping[str, Any]:
        """Return how this game is written on the wire, by revision. The first is the default.

        The values are ``spielleiter.wire.codec.Codec`` objects, made once per game. The rules do
        not know the wire, so their type does not stand here.
        """

    @property
    def deviations(self) -> Deviations:
        """Return what this game's official servers are known to do otherwise than its rules."""
        return NO_DEVIATIONS

    @property
    def templates(self) -> Traversable | None:
        """Return the folder with the files of a new bot for this game, or None.

        ``spielleiter new`` then takes a bot that plays any game. The name of each file ends with
        ``.template``.
        """
        return None

    @property
    def page(self) -> Traversable | None:
        """Return the folder with what the page in the browser needs to show this game, or None.

        The page loads ``view.js`` from it. A game without one is shown as its SVG picture.
        """
        return None

    def mobility(self, state: S) -> tuple[int | None, ...]:
        """Return how many moves each seat has, None where that is not known.

        A game overrides this if it can count faster than by listing, or for every seat.
        """
        if state.is_over:
            return (0,) * self.seats
        count = len(state.legal_moves())
        return tuple(count if seat == state.seat else None for seat in range(self.seats))

    def cells_at_fault(self, state: S, move: M) -> tuple[tuple[int, int], ...]:  # noqa: ARG002
        """Return the squares that make this move illegal here, where there are such squares."""
        return ()

    def find_engine(self) -> EngineFactory:
        """Return what makes an engine that judges positions of this game.

        Raises NoEngine where there is none, and EngineMissing where it is not installed.
        """
        # Imported on first use, because bots that only play need no engine.
        from spielleiter.rules.engine import no_engine

        raise no_engine(self)

    def compare_moves(self, state: S, played: M, better: M) -> Text | None:  # noqa: ARG002
        """Return why a move was worse than another, as a clause that a pupil understands.

        Both are legal in this position. None if there is nothing to say.
        """
        return None

    def __repr__(self) -> str:
        return f"<Game {self.id}>"


AnyState = State[Any]
AnyGame = Game[Any, Any]
"""For code that takes every game and looks into none of its moves or positions."""
