"""The rules of Blokus, with its pieces, moves, positions and seasons.

Notation, wire and players are elsewhere.
"""

from spielleiter.games.blokus.rules.moves import BlokusMove, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import (
    FULL_HAND,
    ORIENTATIONS,
    SIZE,
    Cell,
    Color,
    Piece,
    Rotation,
)
from spielleiter.games.blokus.rules.seasons import SEASONS, Season
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.rules import PositionError

__all__ = [
    "FULL_HAND",
    "ORIENTATIONS",
    "SEASONS",
    "SIZE",
    "BlokusMove",
    "BlokusState",
    "Cell",
    "Color",
    "Piece",
    "PositionError",
    "Rotation",
    "Season",
    "SetMove",
    "SkipMove",
]
