"""A position of Hase und Igel, two hares on a track.

A position never changes. ``play`` makes the next one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.board import Board, Field, check_board
from spielleiter.games.hase_und_igel.rules.judge import Walker, game_over, perform
from spielleiter.games.hase_und_igel.rules.moves import (
    Action,
    Card,
    EatSalad,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018, Season
from spielleiter.games.hase_und_igel.rules.steps import CARD_BITS, Runner, steps, turn_bonus
from spielleiter.rules import DRAW, LOSS, WIN, Outcome, PositionError, SeatOutcome, State, Text
from spielleiter.rules.frozen import frozen

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel

RED, BLUE = 0, 1

_RUNNING = Text("Das Spiel läuft noch.", "The game is still running.")
ENDS: dict[str, Text] = {
    "GOAL": Text(
        "Das Spiel ist beendet.\nEin Spieler ist im Ziel",
        "The game is over: a player has reached the goal.",
    ),
    "ROUND_LIMIT": Text("Das Rundenlimit wurde erreicht.", "The round limit has been reached."),
}


@frozen
class Hare:
    """One player's piece and stock, which is that of the start of 2018 where nothing is given.

    ``last_action`` is the last one that was not a skip, and ``last_action_order`` is its place in
    its move, which the wire repeats.
    """

    position: int = 0
    carrots: int = SEASON_2018.start_carrots
    salads: int = SEASON_2018.start_salads
    cards: tuple[Card, ...] = SEASON_2018.start_cards
    last_action: Action | None = None
    last_action_order: int = 0

    @property
    def has_just_eaten(self) -> bool:
        """Whether the last action was to eat a salad, by card or not."""
        last = self.last_action
        return isinstance(last, EatSalad) or (
            isinstance(last, PlayCard) and last.card is Card.EAT_SALAD
        )


@frozen
class HareState(State[HareMove]):
    """A whole position. Seat 0 is red and begins."""

    game: HaseUndIgel
    board: Board
    hares: tuple[Hare, Hare]
    turn: int
    last_move: HareMove | None

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
        return _is_over(self.game.season, self.turn, *self.hares)

    def in_goal(self, hare: Hare) -> bool:
        """Return whether a hare of this position has arrived."""
        return hare.position == self.game.season.goal

    def runner(self) -> Runner:
        """Return the hare to move in the inner form of ``steps``."""
        me = self.me
        cards = 0
        for card in me.cards:
            cards |= CARD_BITS[card]
        return me.position, me.carrots, me.salads, cards, self.must_eat

    def legal_moves(self) -> list[HareMove]:
        """Return every legal move once.

        First come the advances, nearest first, each on a hare field with its card sequences (cards
        in the order of ``Card``, values as in the season: 20, 0, -20). Then follow exchange (+10,
        -10), eat, fall back, and skip.
        """
        if self.is_over:
            return []
        track = self.game.track_of(self.board)
        return [step[0] for step in steps(track, self.runner(), self.opponent.position)]

    def play(self, move: HareMove) -> HareState:
        if self.is_over:
            raise game_over()
        season, me, other = self.game.season, self.me, self.opponent
        walker = Walker(me.position, me.carrots, me.salads, me.cards, self.must_eat)
        perform(self.game.track_of(self.board), walker, other.position, move)
        last = move.actions[-1]
        if isinstance(last, Skip):
            moved = me
        else:
            place = len(move.actions) - 1
            moved = Hare(walker.position, walker.carrots, walker.salads, walker.cards, last, place)
        bonus = turn_bonus(season, self.board[other.position], other.position, moved.position)
        if bonus and (season.pays_after_end or not _is_over(season, self.turn + 1, moved, other)):
            # H12. All fields are named, because ``dataclasses.replace`` takes several times as long
            # and a search does this for every other move.
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
        code = "RUNNING"
        if self.is_over:
            code = "GOAL" if any(map(self.in_goal, self.hares)) else "ROUND_LIMIT"
        # Farther is better, then fewer carrots (H10).
        ranks = [(hare.position, -hare.carrots) for hare in self.hares]
        winner: int | None = BLUE if ranks[BLUE] > ranks[RED] else RED
        if ranks[RED] == ranks[BLUE] and not self.game.season.first_seat_wins_ties:
            winner = None
        reason = ENDS.get(code, _RUNNING)
        seats = tuple(
            SeatOutcome(
                DRAW if winner is None else WIN if seat == winner else LOSS,
                (hare.position, hare.carrots),
                reason=reason,
            )
            for seat, hare in enumerate(self.hares)
        )
        return Outcome(seats, winner, code, reason)


def start_hare(season: Season) -> Hare:
    """Return a hare as it begins in this season."""
    return Hare(0, season.start_carrots, season.start_salads, season.start_cards)


def _is_over(season: Season, turn: int, one: Hare, other: Hare) -> bool:
    if turn >= season.last_turn:
        return True
    # The goal counts at the end of a round only: after red enters it, blue has one more move (H11).
    if turn % 2:
        return False
    goal = season.length - 1  # the property costs a call, and this is asked three times a move
    return one.position == goal or other.position == goal


def check_position(season: Season, board: Board, hares: tuple[Hare, Hare], turn: int) -> None:
    """Raise PositionError if no match can stand like this. For positions from outside."""
    check_board(season, board)
    if not 0 <= turn <= season.last_turn:
        raise PositionError(f"turn must be 0 to {season.last_turn}, not {turn}")
    for name, hare in zip(("red", "blue"), hares, strict=True):
        if not 0 <= hare.position <= season.goal:
            raise PositionError(
                f"{name} must stand on a field from 0 to {season.goal}, not {hare.position}"
            )
        if min(hare.carrots, hare.salads) < 0:
            raise PositionError(f"{name} cannot have fewer than 0 carrots or salads")
        if len(set(hare.cards)) < len(hare.cards):
            raise PositionError(f"{name} has a card twice")
    field = hares[0].position
    if field == hares[1].position and 0 < field < season.goal:
        raise PositionError(f"both hares stand on field {field}; only start and goal are shared")
