"""A position of Blokus as JSON values, for pages and notebooks.

docs/views.md names every key.
"""

from __future__ import annotations

from typing import Any

from spielleiter.games.blokus.rules.moves import SetMove
from spielleiter.games.blokus.rules.pieces import SIZE, Color
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.rules.view import common_view


def view(state: BlokusState) -> dict[str, Any]:
    """Return what every game tells about a position, then the board, the colours and the move."""
    last = state.last_move
    return {
        **common_view(state),
        "color": None if state.is_over else state.color.name,
        "start_piece": state.start_piece.name,
        "start_rule": state.game.season.start_mistake,
        "board": _rows(state),
        "last_cells": [list(cell) for cell in last.cells] if isinstance(last, SetMove) else [],
        "colors": [_color(state, color) for color in Color],
    }


def _rows(state: BlokusState) -> list[str]:
    rows = [["."] * SIZE for _ in range(SIZE)]
    for x, y, color in state.occupied():
        rows[y][x] = color.letter
    return ["".join(row) for row in rows]


def _color(state: BlokusState, color: Color) -> dict[str, Any]:
    return {
        "name": color.name,
        "letter": color.letter,
        "seat": color.seat,
        "score": state.score(color),
        "in_play": bool(state.valid >> color & 1),
        "mono_last": bool(state.mono_last >> color & 1),
        "hand": [piece.name for piece in state.hand(color)],
    }
