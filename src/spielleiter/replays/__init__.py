"""Write recorded games as the official servers do, and read whatever they wrote."""

from spielleiter.replays.reader import (
    RecordedGame,
    RecordedPosition,
    load_position,
    parse_replay,
    read_replay,
)
from spielleiter.replays.record import GameRecord, Shown
from spielleiter.replays.verification import Difference, Verification, verify

__all__ = [
    "Difference",
    "GameRecord",
    "RecordedGame",
    "RecordedPosition",
    "Shown",
    "Verification",
    "load_position",
    "parse_replay",
    "read_replay",
    "verify",
]
