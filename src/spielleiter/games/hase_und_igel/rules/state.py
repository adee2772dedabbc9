"""A position of Hase und Igel: two hares on a track. Immutable; ``play`` makes the next one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.board import (
    GOAL_INDEX,
    Board,
    Field,
    board_fault,
    track_of,
)
from spielleiter.games.hase_und_igel.rules.judge import Walker, game_over, perform
from spielleiter.games.hase_und_igel.rules.moves import (
    ALL_CARDS,
    Action,
    Card,
    EatSalad,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.steps import CARD_BITS, Runner, steps, turn_bonus
from spielleiter.rules import LOSS, WIN, Outcome, SeatOutcome, State, Text

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel

RED, BLUE = 0, 1
LAST_TURN = 60
"""The game ends when this many turns are over: 30 rounds (H9)."""

START_CARROTS, START_SALADS = 68, 5

_RUNNING = Text("Das Spiel läuft noch.", "The game is still running.")
ENDS: dict[str, Text] = {
    "GOAL": Text(
        "Das Spiel ist beendet.\nEin Spieler ist im Ziel",
        "The game is over: a player has reached the goal.",
    ),
    "ROUND_LIMIT": Text("Das Rundenlimit wurde erreicht.", "The round limit has been reached."),
}


@dataclass(frozen=True, slots=True)
class Hare:
    """One player's piece and stock.

    ``last_action`` is the last one that was no skip; ``last_action_order`` its place in its move,
    which the wire repeats.
    """

    position: int = 0
    carrots: int = START_CARROTS
    salads: int = START_SALADS
    cards: tuple[Card, ...] = ALL_CARDS
    last_action: Action | None = None
    last_action_order: int = 0

    @property
    def has_just_eaten(self) -> bool:
        """Whether the last action was to eat a salad, by card or not."""
        last = self.last_action
        return isinstance(last, EatSalad) or (
            isinstance(last, PlayCard) and last.card is Card.EAT_SALAD
        )

    @property
    def in_goal(self) -> bool:
        """Whether the hare has arrived."""
        return self.position == GOAL_INDEX


@dataclass(frozen=True, slots=True)
class HareState(State[HareMove]):
    """A whole position. Seat 0 is red and begins."""

    game: HaseUndIgel = field(repr=False)
    board: Board = field()
    hares: tuple[Hare, Hare] = field()
    turn: int = field()
    last_move: HareMove | None = field()

    @property
    def seat(self) -> int:
        return self.turn % 2

    @property
    def round(self) -> int:
        return 1 + self.turn // 2

    @property
    def me(self) -> Hare:
        """The hare whose turn it is."""
        return self.hares[self.turn % 2]

    @property
    def opponent(self) -> Hare:
        """The other hare."""
        return self.hares[1 - self.turn % 2]

    @property
    def must_eat(self) -> bool:
        """Whether the hare to move has to eat a salad now (H14)."""
        me = self.me
        return self.board[me.position] is Field.SALAD and me.salads > 0 and not me.has_just_eaten

    @property
    def is_over(self) -> bool:
        return _is_over(self.turn, *self.hares)

    def runner(self) -> Runner:
        """The hare to move in the inner form of ``steps``."""
        me = self.me
        cards = 0
        for card in me.cards:
            cards |= CARD_BITS[card]
        return me.position, me.carrots, me.salads, cards, self.must_eat

    def legal_moves(self) -> list[HareMove]:
        """Every legal move once: advances, nearest first, each on a hare field with its card
        sequences (cards in the order of ``Card``, values 20, 0, -20); exchange +10, -10; eat; fall
        back; skip.
        """
        if self.is_over:
            return []
        return [
            step[0] for step in steps(track_of(self.board), self.runner(), self.opponent.position)
        ]

    def play(self, move: HareMove) -> HareState:
        if self.is_over:
            raise game_over()
        me, other = self.me, self.opponent
        walker = Walker(me.position, me.carrots, me.salads, me.cards, self.must_eat)
        perform(track_of(self.board), walker, other.position, move)
        last = move.actions[-1]
        if isinstance(last, Skip):
            moved = me
        else:
            place = len(move.actions) - 1
            moved = Hare(walker.position, walker.carrots, walker.salads, walker.cards, last, place)
        bonus = turn_bonus(self.board[other.position], other.position, moved.position)
        if bonus and (self.game.pays_after_end or not _is_over(self.turn + 1, moved, other)):  # H12
            other = Hare(
                other.position,
                other.carrots + bonus,
                other.salads,
                other.cards,
                other.last_action,
                other.last_action_order,
            )
        hares = (other, moved) if self.turn % 2 else (moved, other)
        return HareState(self.game, self.board, hares, self.turn + 1, move)

    def outcome(self) -> Outcome:
        red, blue = self.hares
        code = "RUNNING"
        if self.is_over:
            code = "GOAL" if red.in_goal or blue.in_goal else "ROUND_LIMIT"
        # Farther is better, then fewer carrots; red, who began, wins what is then still equal
        # (H10).
        winner = BLUE if (blue.position, -blue.carrots) > (red.position, -red.carrots) else RED
        reason = ENDS.get(code, _RUNNING)
        seats = tuple(
            SeatOutcome(
                WIN if seat == winner else LOSS, (hare.position, hare.carrots), reason=reason
            )
            for seat, hare in enumerate(self.hares)
        )
        return Outcome(seats, winner, code, reason)


def _is_over(turn: int, one: Hare, other: Hare) -> bool:
    # The goal counts at the end of a round only: after red enters it, blue has one more move (H11).
    return turn >= LAST_TURN or (turn % 2 == 0 and (one.in_goal or other.in_goal))


def position_fault(board: Board, hares: tuple[Hare, Hare], turn: int) -> str | None:
    """Why no match can stand like this, or None. For positions that come from outside."""
    fault = board_fault(board)
    if fault is None and not 0 <= turn <= LAST_TURN:
        fault = f"turn must be 0 to {LAST_TURN}, not {turn}"
    for name, hare in zip(("red", "blue"), hares, strict=True):
        if fault is None and not 0 <= hare.position <= GOAL_INDEX:
            fault = f"{name} must stand on a field from 0 to {GOAL_INDEX}, not {hare.position}"
        if fault is None and min(hare.carrots, hare.salads) < 0:
            fault = f"{name} cannot have fewer than 0 carrots or salads"
        if fault is None and len(set(hare.cards)) < len(hare.cards):
            fault = f"{name} has a card twice"
    if (
        fault is None
        and hares[0].position == hares[1].position
        and 0 < hares[0].position < GOAL_INDEX
    ):
        fault = f"both hares stand on field {hares[0].position}; only start and goal are shared"
    return fault
