"""Vier gewinnt, an example of a game of one's own. Everything about it is in this folder.

``GAMES`` is all that Spielleiter asks for. Copy the folder, rename it, change the rules.
"""

from .game import FOUR, FOUR_SCATTERED, FourInARow
from .rules import Drop, Position, Variant

GAMES = (FOUR, FOUR_SCATTERED)
"""The variants, the default of the game type first."""

__all__ = ["FOUR", "FOUR_SCATTERED", "GAMES", "Drop", "FourInARow", "Position", "Variant"]
