"""The referee, which decides one match from events and handed-in times.

It carries nothing out itself. ``play_match`` does, for seats that are objects in this process.
"""

from spielleiter.match.referee import (
    Ask,
    Begin,
    Complain,
    Effect,
    Finish,
    MoveRecord,
    PausedChanged,
    Phase,
    Referee,
    ShowState,
    TimeControl,
    Wording,
)
from spielleiter.match.table import (
    MOST_MOVES,
    Answer,
    EndlessMatch,
    FinishedMatch,
    PlayerSeat,
    Seat,
    SeatLeft,
    SeatStuck,
    play_match,
)
from spielleiter.rules import Departure

__all__ = [
    "MOST_MOVES",
    "Answer",
    "Ask",
    "Begin",
    "Complain",
    "Departure",
    "Effect",
    "EndlessMatch",
    "Finish",
    "FinishedMatch",
    "MoveRecord",
    "PausedChanged",
    "Phase",
    "PlayerSeat",
    "Referee",
    "Seat",
    "SeatLeft",
    "SeatStuck",
    "ShowState",
    "TimeControl",
    "Wording",
    "play_match",
]
