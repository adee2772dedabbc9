"""Where the official servers of Blokus are known to differ from the rules.

Each entry names its ruling (docs/rulings.md). What is not listed here is a difference.
"""

from __future__ import annotations

from spielleiter.games.blokus.game import Blokus
from spielleiter.games.blokus.rules.moves import SetMove
from spielleiter.games.blokus.rules.pieces import SIZE, Color
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.rules import DRAW, LOSS, Deviations, Outcome
from spielleiter.rules.frozen import replace

_OLDER = frozenset({"2021-older", "2021-oldest"})
_NEWEST = "2021-newest"
_FOREVER = 10_000

LONGER_COUNT = "21.3.1 counts one turn more when the last colour falls out (B20)"
DROPPED_EARLY = "21.0.x takes a colour out of play too early (B21)"
NO_ROUND_LIMIT = "21.0.x knows no round limit (B22)"
OTHER_COUNT = "servers up to 21.1.0 count turns and rounds in their own way (W24)"
ALWAYS_DRAWN = "21.0.x gives one victory point each, whoever won (W83)"
NO_POINTS_CANCELLED = "21.4.0 gives no victory points for a game that was cancelled (W27)"


class BlokusDeviations(Deviations):
    """The known faults of the servers of 2021."""

    def explain_step(
        self, revision: str, before: BlokusState, after: BlokusState
    ) -> list[str] | None:
        if after.last_move is None:
            return None
        if revision in _OLDER:
            return _explain_older(before, after)
        if revision != _NEWEST or not before.is_legal(after.last_move):
            return None
        expected = before.play(after.last_move)
        counted_on = not expected.valid and replace(expected, turn=expected.turn + 1) == after
        return [LONGER_COUNT] if counted_on else None

    def explain_outcome(
        self, revision: str, expected: Outcome, found: Outcome, *, over: bool
    ) -> str | None:
        if found.scores != expected.scores:
            return None
        points = {line.points for line in found.seats}
        if revision in _OLDER and over and points == {DRAW} and found.winner == expected.winner:
            return ALWAYS_DRAWN
        if revision == _NEWEST and not over and points == {LOSS} and found.is_regular:
            return NO_POINTS_CANCELLED
        return None


def _explain_older(before: BlokusState, after: BlokusState) -> list[str] | None:
    """Follow the move by rules without a limit.

    After it only the colours in play and the counting may differ.
    """
    move = after.last_move
    endless = Blokus(replace(before.game.season, turn_limit=_FOREVER, ends_when_finished=False))
    unlimited = replace(before, game=endless)
    if move is None or not unlimited.is_legal(move):
        return None
    expected = unlimited.play(move)
    taken_out = expected.valid & ~after.valid
    same_but_colors = (
        replace(expected, game=after.game, valid=after.valid, turn=after.turn) == after
    )
    added = after.valid & ~expected.valid
    if not same_but_colors or added or (not taken_out and after.color != expected.color):
        return None
    if not all(
        _only_at_far_edge(expected, color)
        for color in expected.valid_colors
        if taken_out >> color & 1
    ):
        return None
    reasons = (
        (before.is_over, NO_ROUND_LIMIT),
        (taken_out, DROPPED_EARLY),
        (after.turn != expected.turn, OTHER_COUNT),
    )
    return [reason for applies, reason in reasons if applies]


def _only_at_far_edge(state: BlokusState, color: Color) -> bool:
    """Return whether this colour can place pieces on the last row or column only.

    The servers 21.0.x overlook these.
    """
    asked = replace(state, turn=state.turn - state.turn % 4 + color, valid=state.valid | 1 << color)
    places = (move.cells for move in asked.legal_moves() if isinstance(move, SetMove))
    return all(any(SIZE - 1 in cell for cell in cells) for cells in places)
