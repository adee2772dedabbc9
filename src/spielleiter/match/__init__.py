"""The referee, which decides one match from events and handed-in times.

It carries nothing out itself.
"""

from spielleiter.match.referee import (
    Ask,
    Complain,
    Effect,
    Finish,
    MoveRecord,
    PausedChanged,
    Phase,
    Referee,
    ShowState,
    TellSeat,
    TimeControl,
    Wording,
)
from spielleiter.rules import Departure

__all__ = [
    "Ask",
    "Complain",
    "Departure",
    "Effect",
    "Finish",
    "MoveRecord",
    "PausedChanged",
    "Phase",
    "Referee",
    "ShowState",
    "TellSeat",
    "TimeControl",
    "Wording",
]
