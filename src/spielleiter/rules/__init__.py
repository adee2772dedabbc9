"""What a game is. Standard library only; nothing here knows any particular game.

``State`` and ``Game`` are the contract, ``Outcome`` the result, ``RuleViolation`` and its siblings
the errors, ``Codec`` and ``Element`` how a game meets the wire.
"""

from spielleiter.rules.codec import Codec, Element, ReceivedMove, ReceivedState, escape, indent, quote
from spielleiter.rules.errors import (
    CodecError,
    GameError,
    NotationError,
    ReplayError,
    RuleViolation,
    UnknownGame,
)
from spielleiter.rules.game import Game, Move, State
from spielleiter.rules.outcome import DRAW, LOSS, WIN, Cause, Outcome, SeatOutcome
from spielleiter.rules.outside_text import one_line, xml_text
from spielleiter.rules.player import Clock, FreeClock, Player, PlayerFactory
from spielleiter.rules.text import Text

__all__ = [
    "DRAW",
    "LOSS",
    "WIN",
    "Cause",
    "Clock",
    "Codec",
    "CodecError",
    "Element",
    "FreeClock",
    "Game",
    "GameError",
    "Move",
    "NotationError",
    "Outcome",
    "Player",
    "PlayerFactory",
    "ReceivedMove",
    "ReceivedState",
    "ReplayError",
    "RuleViolation",
    "SeatOutcome",
    "State",
    "Text",
    "UnknownGame",
    "escape",
    "indent",
    "one_line",
    "quote",
    "xml_text",
]
