"""Add up the scores of test mode per game and display name (W86).

The official servers know one game, so they go by the name alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from spielleiter.rules import Outcome
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.messages import PlayerScore, PlayerScores, ScoreValue

NAMES = 10_000
"""Names that are kept at most, so that administrators cannot fill the memory."""


@dataclass(slots=True)
class Score:
    """What one name has reached, with victory points summed and everything else averaged."""

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
    """Scores by game type and name.

    Games count different things, and a name may play several of them.
    """

    def __init__(self) -> None:
        self._scores: dict[tuple[str, str], Score] = {}
        self._last_played: dict[str, str] = {}

    def add(self, names: Sequence[str], outcome: Outcome, game_type: str) -> None:
        for name, seat in zip(names, outcome.seats, strict=True):
            key = game_type, name
            if key in self._scores or len(self._scores) < NAMES:
                self._scores.setdefault(key, Score()).add(seat.points, seat.parts)
                self._last_played[name] = game_type

    def last_played(self, name: str) -> str | None:
        """Return the game type of the last game that was played under this name."""
        return self._last_played.get(name)

    def collected(self, name: str, codec: AnyCodec) -> PlayerScores:
        """Return the answer to ``scoreForPlayer``, which is empty for a name nobody played under.

        ``codec`` has the names of the values.
        """
        score = self._scores.get((codec.game.game_type, name))
        if score is None:
            return PlayerScores()
        values = [
            ScoreValue(
                fragment,
                "AVERAGE" if place else "SUM",
                True,
                f"{value:.6f}" if place else f"{value:.0f}",
            )
            for place, (fragment, value) in enumerate(
                zip(codec.fragments, score.values, strict=True)
            )
        ]
        return PlayerScores((PlayerScore(name, score.games, tuple(values)),))
