"""Stands in for the package ``spielleiter-engine`` where a test needs no good moves.

It has the same names and takes the same values, and checks what it is given. It prefers big pieces
and thinks no longer than it takes to list them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.games.blokus import GAMES, Color, Piece
from spielleiter.games.blokus.rules.bitboard import BORDER, STRIDE, indices
from spielleiter.games.blokus.rules.consistency import check_consistency
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS
from spielleiter.games.blokus.rules.state import BlokusState, placed
from spielleiter.games.hase_und_igel import GAMES as HARE_GAMES
from spielleiter.games.hase_und_igel import Card, EatSalad, Hare, HareState
from spielleiter.games.hase_und_igel.engine import read_move, spell_move
from spielleiter.games.hase_und_igel.notation import LETTERS
from spielleiter.games.hase_und_igel.rules.state import check_position
from spielleiter.rules import PositionError

API_VERSION = 1
__version__ = "0.0.fake"
PlainMove = tuple[int, int, int, int]


@dataclass(frozen=True)
class Line:
    move: PlainMove | None
    win: float
    points: float
    visits: int
    continuation: list[tuple[int, PlainMove | None]]


class BlokusPosition:
    def __init__(
        self,
        boards: Sequence[int],
        hands: Sequence[int],
        *,
        valid: int,
        turn: int,
        start_piece: int,
        mono_last: int,
        last_move_color: int | None,
        border_start: bool,
        turn_limit: int,
        ends_when_finished: bool,
    ) -> None:
        facts = (border_start, turn_limit, ends_when_finished)
        seasons = {
            (
                one.season.start_cells == BORDER,
                one.season.turn_limit,
                one.season.ends_when_finished,
            ): one
            for one in GAMES
        }
        total = 0
        for board in boards:
            if total & board:
                raise ValueError("two colours lie on the same square")
            total |= board
        assert last_move_color is None or 0 <= last_move_color < 4
        self.state = BlokusState(
            seasons[facts],
            tuple(boards),
            tuple(hands),
            valid,
            turn,
            Piece(start_piece),
            None,
            mono_last,
        )
        try:
            check_consistency(self.state)
        except PositionError as error:
            raise ValueError(str(error)) from None

    def legal_moves(self) -> list[PlainMove]:
        return [
            (int(ORIENTATIONS[form].piece), form, index % STRIDE, index // STRIDE)
            for form, places in self.state.placements()
            for index in indices(places)
        ]


class BlokusSearch:
    def __init__(
        self, *, seed: int = 0, threads: int = 1, memory_mb: int = 256, scalar: bool = False
    ) -> None:
        self.thoughts: list[dict[str, Any]] = []

    def think(
        self,
        position: BlokusPosition,
        seconds: float,
        *,
        simulations: int | None = None,
        on_progress: Callable[[list[Line]], bool] | None = None,
        every: float = 0.25,
        lines: int = 5,
    ) -> list[Line]:
        self.thoughts.append({"seconds": seconds, "simulations": simulations})
        state = position.state
        if state.is_over:
            raise ValueError("the game is over")
        found = sorted(position.legal_moves(), key=lambda move: -Piece(move[0]).size)[:lines]
        made = [self._line(state, move) for move in found] or [self._line(state, None)]
        if on_progress is not None:
            on_progress(made)
        return made

    def _line(self, state: BlokusState, move: PlainMove | None) -> Line:
        scores = [
            sum(state.score(color) for color in Color if color.seat == seat) for seat in (0, 1)
        ]
        lead = scores[state.seat] - scores[1 - state.seat]
        size = 0 if move is None else Piece(move[0]).size
        points = lead + 4.0 * size - 10
        return Line(
            move, 1 / (1 + math.exp(-points / 20)), points, 10 * size + 1, self._reply(state, move)
        )

    def _reply(
        self, state: BlokusState, move: PlainMove | None
    ) -> list[tuple[int, PlainMove | None]]:
        if move is None:
            return []
        after = state.play(placed(state.color, move[1], move[3] * STRIDE + move[2]))
        return [] if after.is_over else [(int(after.color), None)]


PlainActions = list[tuple[str, int]]
FIELDS = {letter: field for field, letter in LETTERS.items()}


@dataclass(frozen=True)
class HaresLine:
    move: PlainActions
    win: float
    points: float
    visits: int
    continuation: list[PlainActions]


class HaresPosition:
    def __init__(
        self,
        board: str,
        hares: Sequence[tuple[int, int, int, int, bool]],
        *,
        turn: int,
        pays_after_end: bool = True,
    ) -> None:
        game = next(one for one in HARE_GAMES if one.season.pays_after_end is pays_after_end)
        red, blue = map(self._hare, hares)
        fields = tuple(FIELDS[letter] for letter in board)
        self.state = HareState(game, fields, (red, blue), turn, None)
        try:
            check_position(game.season, fields, (red, blue), turn)
        except PositionError as error:
            raise ValueError(str(error)) from None

    @staticmethod
    def _hare(hare: tuple[int, int, int, int, bool]) -> Hare:
        field, carrots, salads, cards, must_eat = hare
        held = tuple(card for place, card in enumerate(Card) if cards >> place & 1)
        return Hare(field, carrots, salads, held, None if must_eat else EatSalad())

    def legal_moves(self) -> list[PlainActions]:
        return [spell_move(move) for move in self.state.legal_moves()]


class HaresSearch:
    def __init__(self, *, memory_mb: int = 64) -> None:
        self.thoughts: list[dict[str, Any]] = []
        self.prepared: list[HaresPosition] = []

    def prepare(self, position: HaresPosition) -> None:
        self.prepared.append(position)

    def think(
        self,
        position: HaresPosition,
        seconds: float,
        *,
        simulations: int | None = None,
        on_progress: Callable[[list[HaresLine]], bool] | None = None,
        every: float = 0.25,
        lines: int = 5,
    ) -> list[HaresLine]:
        self.thoughts.append({"seconds": seconds, "simulations": simulations})
        if position.state.is_over:
            raise ValueError("the game is over")
        found = position.legal_moves()[:lines]
        made = [HaresLine(move, 0.5, 0.0, 1, self._reply(position, move)) for move in found]
        if on_progress is not None:
            on_progress(made)
        return made

    def _reply(self, position: HaresPosition, move: PlainActions) -> list[PlainActions]:
        after = position.state.play(read_move(move))
        return [] if after.is_over else [spell_move(after.legal_moves()[0])]
