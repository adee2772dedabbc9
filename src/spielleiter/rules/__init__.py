"""What a game is, with the standard library only and without any particular game.

``State`` and ``Game`` are the contract, ``Outcome`` the result, ``RuleViolation`` and its siblings
the errors. How a game is written as XML is not known here, see ``spielleiter.wire``.
"""

from spielleiter.rules.deviations import Deviations
from spielleiter.rules.errors import (
    GameError,
    NotationError,
    PositionError,
    RuleViolation,
    UnknownGame,
)
from spielleiter.rules.game import AnyGame, AnyState, Game, Move, State
from spielleiter.rules.outcome import DRAW, LOSS, WIN, Cause, Departure, Outcome, SeatOutcome
from spielleiter.rules.outside_text import one_line
from spielleiter.rules.player import Clock, FreeClock, Player, PlayerFactory
from spielleiter.rules.text import Text

__all__ = [
    "DRAW",
    "LOSS",
    "WIN",
    "AnyGame",
    "AnyState",
    "Cause",
    "Clock",
    "Departure",
    "Deviations",
    "FreeClock",
    "Game",
    "GameError",
    "Move",
    "NotationError",
    "Outcome",
    "Player",
    "PlayerFactory",
    "PositionError",
    "RuleViolation",
    "SeatOutcome",
    "State",
    "Text",
    "UnknownGame",
    "one_line",
]
