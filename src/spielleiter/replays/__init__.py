"""Write recorded games as the official servers do, and read whatever they wrote."""

from spielleiter.replays.reader import (
    RecordedMatch,
    load_position,
    parse_replay,
    read_replay,
)
from spielleiter.replays.record import MatchRecord, RecordedComplaint, RecordedPosition
from spielleiter.replays.verification import Difference, Verification, verify

__all__ = [
    "Difference",
    "MatchRecord",
    "RecordedComplaint",
    "RecordedMatch",
    "RecordedPosition",
    "Verification",
    "load_position",
    "parse_replay",
    "read_replay",
    "verify",
]
