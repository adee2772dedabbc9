"""Blokus, seasons 2021 and 2027. Start with README.md; ``GAMES`` lists the seasons and variants."""

from spielleiter.games.blokus.game import GAMES, Blokus
from spielleiter.games.blokus.rules import (
    FULL_HAND,
    SIZE,
    BlokusMove,
    BlokusState,
    Color,
    Piece,
    PositionError,
    Rotation,
    Season,
    SetMove,
    SkipMove,
)

__all__ = [
    "FULL_HAND",
    "GAMES",
    "SIZE",
    "Blokus",
    "BlokusMove",
    "BlokusState",
    "Color",
    "Piece",
    "PositionError",
    "Rotation",
    "Season",
    "SetMove",
    "SkipMove",
]
