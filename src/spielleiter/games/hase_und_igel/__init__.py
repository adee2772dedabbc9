"""Hase und Igel, in which two hares race over 65 fields and the best plan for carrots wins.

Start with README.md in this folder. ``GAMES`` lists the seasons and variants.
"""

from spielleiter.games.hase_und_igel.game import (
    GAMES,
    HASE_UND_IGEL,
    HASE_UND_IGEL_DOCUMENTED,
    HaseUndIgel,
)
from spielleiter.games.hase_und_igel.rules.board import Board, Field
from spielleiter.games.hase_und_igel.rules.moves import (
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState

__all__ = [
    "GAMES",
    "HASE_UND_IGEL",
    "HASE_UND_IGEL_DOCUMENTED",
    "Action",
    "Advance",
    "Board",
    "Card",
    "EatSalad",
    "ExchangeCarrots",
    "FallBack",
    "Field",
    "Hare",
    "HareMove",
    "HareState",
    "HaseUndIgel",
    "PlayCard",
    "Season",
    "Skip",
]
