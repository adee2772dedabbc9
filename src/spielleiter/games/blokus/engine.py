"""Blokus as the engine of ``spielleiter-engine`` sees it: positions there, and lines back.

What the engine does is in that package. Here nothing is judged.
"""

from __future__ import annotations

from typing import Any

from spielleiter.games.blokus.rules.bitboard import CORNERS, STRIDE
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS, SIZE, Color
from spielleiter.games.blokus.rules.state import BlokusState, placed
from spielleiter.games.engines import WheelEngine
from spielleiter.rules import PositionError
from spielleiter.rules.engine import Line

SLIPS = (3.0, 7.0, 14.0)
"""Points that make an inaccuracy, a mistake and a blunder (docs/analysis.md)."""


class BlokusEngine(WheelEngine):
    """Judges positions of every season, and keeps its search from one to the next."""

    slips = SLIPS

    def __init__(self, *, seed: int = 0, threads: int = 1) -> None:
        super().__init__(lambda wheel: wheel.BlokusSearch(seed=seed, threads=threads))

    def position_of(self, state: BlokusState) -> Any:
        return position_of(self.wheel, state)

    def read_line(self, state: BlokusState, line: Any) -> Line:
        return read_line(state.color, line)


def position_of(wheel: Any, state: BlokusState) -> Any:
    """Return the position as the engine knows it. Raises ValueError if it cannot be."""
    season, last = state.game.season, state.last_move
    return wheel.BlokusPosition(
        state.boards,
        state.hands,
        valid=state.valid,
        turn=state.turn,
        start_piece=int(state.start_piece),
        mono_last=state.mono_last,
        last_move_color=None if last is None else int(last.color),
        border_start=season.start_cells != CORNERS,
        turn_limit=season.turn_limit,
        ends_when_finished=season.ends_when_finished,
    )


def read_line(color: Color, line: Any) -> Line:
    """Return a line of the engine in our words."""
    move = read_move(color, line.move)
    follows = [read_move(Color(other), step) for other, step in line.continuation]
    if follows[:1] == [move]:
        follows = follows[1:]
    return Line(move, float(line.win), float(line.points), int(line.visits), tuple(follows))


def read_move(color: Color, move: tuple[int, int, int, int] | None) -> BlokusMove:
    """Return a move of the engine as ours. Raises PositionError for one that is not on the board.

    That would be a fault of the engine.
    """
    if move is None:
        return SkipMove(color)
    piece, form, x, y = move
    if not 0 <= form < len(ORIENTATIONS) or ORIENTATIONS[form].piece != piece:
        raise PositionError(f"the engine speaks of form {form} of piece {piece}")
    shape = ORIENTATIONS[form]
    if not (0 <= x <= SIZE - shape.width and 0 <= y <= SIZE - shape.height):
        raise PositionError(f"the engine puts form {form} to ({x}, {y})")
    return placed(color, form, y * STRIDE + x)
