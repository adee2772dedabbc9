"""Where official servers are known to differ from the rules: recordings of theirs are not wrong for
it.

Each entry names its ruling (docs/rulings.md). What is not listed here is a difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spielleiter.games.blokus import SIZE, Blokus, BlokusState, Color, SetMove
from spielleiter.match import TimeControl
from spielleiter.rules import DRAW, LOSS, AnyState, Cause, Outcome
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.dialects import DIALECTS

_OLDER = frozenset({"2021-older", "2021-oldest"})
_FOREVER = 10_000

LONGER_COUNT = "21.3.1 counts one turn more when the last colour falls out (B20)"
DROPPED_EARLY = "21.0.x takes a colour out of play too early (B21)"
NO_ROUND_LIMIT = "21.0.x knows no round limit (B22)"
OTHER_COUNT = "servers up to 21.1.0 count turns and rounds in their own way (W24)"
ALWAYS_DRAWN = "21.0.x gives one victory point each, whoever won (W83)"
NO_POINTS_CANCELLED = "21.4.0 gives no victory points for a game that was cancelled (W27)"
HALF_A_MOVE = "18.2.6 counts what an illegal move did before it was found illegal (W83)"
HARD_AS_SOFT = "21.4.0 reports a hard timeout as SOFT_TIMEOUT (W83)"


def explain_step(codec: AnyCodec, before: AnyState, after: AnyState) -> list[str] | None:
    """Why a recorded position is not what the rules give, if an official server is known for it;
    else None.
    """
    if (
        not isinstance(before, BlokusState)
        or not isinstance(after, BlokusState)
        or after.last_move is None
    ):
        return None
    if codec.revision in _OLDER:
        return _explain_older(before, after)
    if codec.revision != "2021-newest" or not before.is_legal(after.last_move):
        return None
    expected = before.play(after.last_move)
    counted_on = not expected.valid and replace(expected, turn=expected.turn + 1) == after
    return [LONGER_COUNT] if counted_on else None


def _explain_older(before: BlokusState, after: BlokusState) -> list[str] | None:
    """Followed by rules without a limit; then only the colours in play and the counting may
    differ.
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
    """Whether all that this colour can still place lies on the last row or column, which 21.0.x
    overlooks.
    """
    asked = replace(state, turn=state.turn - state.turn % 4 + color, valid=state.valid | 1 << color)
    places = (move.cells for move in asked.legal_moves() if isinstance(move, SetMove))
    return all(any(SIZE - 1 in cell for cell in cells) for cells in places)


def explain_outcome(
    codec: AnyCodec, expected: Outcome, found: Outcome, *, over: bool
) -> str | None:
    """The same for a result; ``over`` says whether the position was the end of the game."""
    return next(
        (reason for reason, applies in _RESULTS.items() if applies(codec, expected, found, over)),
        None,
    )


def explain_cause(codec: AnyCodec, found: Outcome, names: tuple[str, ...]) -> str | None:
    """A cause that the reason beside it contradicts."""
    dialect = DIALECTS.get(codec.dialect)
    if dialect is None:
        return None
    for seat, line in enumerate(found.seats):
        said = dialect.hard_timeout_reason(dialect.called(seat, names[seat]), TimeControl().hard).de
        if line.cause is Cause.SOFT_TIMEOUT and line.reason.de == said:
            return HARD_AS_SOFT
    return None


def _always_drawn(codec: AnyCodec, expected: Outcome, found: Outcome, over: bool) -> bool:
    drawn = all(line.points == DRAW for line in found.seats)
    same = found.scores == expected.scores and found.winner == expected.winner
    return codec.revision in _OLDER and over and drawn and same


def _no_points(codec: AnyCodec, expected: Outcome, found: Outcome, over: bool) -> bool:
    pointless = all(line.points == LOSS for line in found.seats)
    return (
        codec.revision == "2021-newest"
        and not over
        and pointless
        and found.is_regular
        and found.scores == expected.scores
    )


def _half_a_move(codec: AnyCodec, expected: Outcome, found: Outcome, over: bool) -> bool:  # noqa: ARG001
    """Only the offender's own numbers differ."""
    offenders = [
        seat for seat, line in enumerate(found.seats) if line.cause is Cause.RULE_VIOLATION
    ]
    if codec.revision != "2018" or len(offenders) != 1:
        return False
    others = [seat for seat in range(len(found.seats)) if seat not in offenders]
    same_points = [line.points for line in found.seats] == [line.points for line in expected.seats]
    return same_points and all(found.scores[seat] == expected.scores[seat] for seat in others)


_RESULTS: dict[str, Callable[[AnyCodec, Outcome, Outcome, bool], bool]] = {
    ALWAYS_DRAWN: _always_drawn,
    NO_POINTS_CANCELLED: _no_points,
    HALF_A_MOVE: _half_a_move,
}
