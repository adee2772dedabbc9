"""The answers that a diagnosis consists of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Level(Enum):
    """How bad it is."""

    OK = "ok"
    NOTE = "note"
    """Worth knowing. Nothing is wrong."""
    WARNING = "warning"
    """Games can be played, but something may go wrong."""
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to one question. ``advice`` says what to do, where there is something to do."""

    name: str
    level: Level
    text: str
    advice: str = ""
