"""Test mode: scores added up per display name, as the official servers of 2018 and 2021 do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from spielleiter.protocol import writer
from spielleiter.protocol.messages import PlayerScore, ScoreValue
from spielleiter.rules import Codec, Outcome

NAMES = 10_000
"""Most names kept: names come from administrators, memory is ours."""


@dataclass(slots=True)
class Score:
    """What one name has reached: victory points summed, everything else averaged."""

    fragments: tuple[str, ...]
    games: int = 0
    values: list[float] = field(default_factory=list)

    def add(self, points: int, parts: Sequence[int]) -> None:
        self.games += 1
        numbers = [points, *parts]
        if not self.values:
            self.values = [float(number) for number in numbers]
            return
        self.values[0] += points
        for place, number in enumerate(numbers[1:], 1):
            self.values[place] += (number - self.values[place]) / self.games


class ScoreBoard:
    def __init__(self) -> None:
        self._scores: dict[str, Score] = {}

    def add(self, names: Sequence[str], outcome: Outcome, codec: Codec[Any, Any]) -> None:
        for name, seat in zip(names, outcome.seats, strict=True):
            if name in self._scores or len(self._scores) < NAMES:
                score = self._scores.setdefault(name, Score(codec.fragments))
                if score.fragments == codec.fragments:
                    score.add(seat.points, seat.parts)

    def packet(self, name: str) -> str:
        """The answer to ``scoreForPlayer``; empty for a name nobody played under."""
        score = self._scores.get(name)
        if score is None:
            return writer.player_score([])
        values = [
            ScoreValue(fragment, "AVERAGE" if place else "SUM", True, f"{value:.6f}" if place else f"{value:.0f}")
            for place, (fragment, value) in enumerate(zip(score.fragments, score.values, strict=True))
        ]
        return writer.player_score([PlayerScore(name, score.games, tuple(values))])
