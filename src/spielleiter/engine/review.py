"""Walk a match and say what each move cost, compared with the best one.

Every position is judged once. A move that seems bad is looked at again: the position after the best
move is judged as long as the one after the move that was played, so that both are seen from equally
far. Anything that thinks as an ``Analyser`` does can be asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from spielleiter.engine.analyser import check_seconds
from spielleiter.engine.patience import Thinker, is_blank
from spielleiter.engine.verdicts import WIN_SLIPS, Verdict, judge
from spielleiter.rules import AnyGame, AnyState, GameError, Text
from spielleiter.rules.engine import EngineError, Line

LINES = 1
"""How many moves of a position are asked for."""
_NO_TIME = Text(
    "Die Engine kam nicht dazu, der Rechner ist zu beschäftigt.",
    "the engine had no time to look, because the computer is too busy.",
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """How a position stands for seat 0, as chance to win and as points ahead at the end."""

    win: float
    points: float

    def seen_by(self, seat: int) -> Estimate:
        """Return the same as this seat sees it."""
        return self if seat == 0 else Estimate(1 - self.win, -self.points)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move with what it cost. Estimates are as the player who made it sees them.

    ``lost`` and ``lost_win`` are points and chance to win, compared with ``best``.
    """

    index: int
    """The position in which it was played."""
    turn: int
    seat: int
    move: Any
    best: Any
    before: Estimate
    after: Estimate
    lost: float
    lost_win: float
    verdict: Verdict
    continuation: tuple[Any, ...] = ()
    """What the engine expected to follow the best move."""
    remark: Text | None = None
    """Why the best move was better, in words of the game."""


@dataclass(frozen=True, slots=True)
class Review:
    """What is known about a match. Where nothing is known there is None.

    ``estimates`` has an entry for each position, ``moves`` one fewer.
    """

    game: AnyGame
    seconds: float
    slips: tuple[float, float, float]
    turns: tuple[int, ...]
    estimates: tuple[Estimate | None, ...]
    moves: tuple[JudgedMove | None, ...]
    is_complete: bool = True
    problems: tuple[Text, ...] = ()
    """Positions that could not be judged, a sentence each."""


class Reviewer:
    """Judges the positions of a match one by one. ``review`` tells what is known by then."""

    def __init__(
        self,
        states: Sequence[AnyState],
        thinker: Thinker,
        seconds: float,
        moves: Iterable[int] | None = None,
    ) -> None:
        """Prepare to judge these moves, by the index of the position before, or all of them.

        Raises EngineError if the game has no engine.
        """
        check_seconds(seconds)
        self._states = tuple(states)
        self._thinker = thinker
        self._seconds = seconds
        self._slips = thinker.slips(states[0].game)
        known = range(len(states) - 1)
        self._wanted = set(known if moves is None else moves) & set(known)
        asked = {index + step for index in self._wanted for step in (0, 1)}
        self._agenda = sorted(asked if self._wanted or moves is not None else {0})
        self._estimates: dict[int, Estimate] = {}
        self._lines: dict[int, Line] = {}
        self._judged: dict[int, JudgedMove] = {}
        self._problems: list[Text] = []
        self._done = 0

    @property
    def total(self) -> int:
        """How many positions are to be judged."""
        return len(self._agenda)

    @property
    def done(self) -> int:
        """How many of them are."""
        return self._done

    def run(self) -> Iterator[int]:
        """Judge position after position, and yield the index of each when it is done."""
        for index in self._agenda[self._done :]:
            self._judge_position(index)
            if index - 1 in self._wanted:
                self._judge_move(index - 1)
            self._done += 1
            yield index

    def review(self) -> Review:
        """Return what is known so far."""
        count = len(self._states)
        return Review(
            self._states[0].game,
            self._seconds,
            self._slips,
            tuple(state.turn for state in self._states),
            tuple(self._estimates.get(index) for index in range(count)),
            tuple(self._judged.get(index) for index in range(count - 1)),
            self._done == self.total and len(self._wanted) == count - 1,
            tuple(self._problems),
        )

    # One position

    def _judge_position(self, index: int) -> None:
        state = self._states[index]
        try:
            estimate, line = self._judge(state)
        except (EngineError, GameError) as error:
            # A recording may hold a position that the rules do not know. The others count.
            self._problems.append(_describe_problem(state.turn, error))
            return
        self._estimates[index] = estimate
        if line is not None:
            self._lines[index] = line

    def _judge(self, state: AnyState) -> tuple[Estimate, Line | None]:
        if state.is_over:
            return final_estimate(state), None
        line = self._thinker.analyse(state, self._seconds, lines=LINES)[0]
        if is_blank(line):
            raise EngineError(_NO_TIME)
        return Estimate(line.win, line.points).seen_by(state.seat), line

    # One move

    def _judge_move(self, index: int) -> None:
        state, after = self._states[index], self._states[index + 1]
        before, line = self._estimates.get(index), self._lines.get(index)
        reached, played = self._estimates.get(index + 1), after.last_move
        if before is None or line is None or reached is None:
            return
        # Where a recording lacks positions, the move that is there was made in another one.
        if played is None or not state.is_legal(played):
            return
        seat = state.seat
        self._judged[index] = self._compare(
            index, played, line, before.seen_by(seat), reached.seen_by(seat)
        )

    def _compare(
        self, index: int, played: Any, line: Line, before: Estimate, after: Estimate
    ) -> JudgedMove:
        state = self._states[index]
        lost, lost_win = _losses(before, after)
        is_best = _canonical(played) == _canonical(line.move)
        if not is_best and self._is_slip(lost, lost_win):
            lost, lost_win = _losses(self._look_again(state, line, before), after)
        verdict = Verdict.GOOD
        if is_best:
            lost = lost_win = 0.0
        else:
            verdict = judge(lost, lost_win, self._slips)
        slipped = verdict is not Verdict.GOOD
        return JudgedMove(
            index,
            state.turn,
            state.seat,
            played,
            line.move,
            before,
            after,
            lost,
            lost_win,
            verdict,
            line.continuation,
            state.game.compare_moves(state, played, line.move) if slipped else None,
        )

    def _is_slip(self, lost: float, lost_win: float) -> bool:
        return lost >= self._slips[0] or lost_win >= WIN_SLIPS[0]

    def _look_again(self, state: AnyState, line: Line, before: Estimate) -> Estimate:
        """Return how it would stand after the best move, as the player on turn sees it."""
        try:
            return self._judge(state.play(line.move))[0].seen_by(state.seat)
        except (EngineError, GameError):
            return before


def final_estimate(state: AnyState) -> Estimate:
    """Return how a game ended, as seat 0 sees it."""
    outcome = state.outcome()
    win = 0.5 if outcome.winner is None else float(outcome.winner == 0)
    first, second, *_ = (parts[0] for parts in outcome.scores)
    return Estimate(win, float(first - second))


def _losses(before: Estimate, after: Estimate) -> tuple[float, float]:
    return max(0.0, before.points - after.points), max(0.0, before.win - after.win)


def _canonical(move: Any) -> Any:
    """Return one spelling of a move that has several."""
    return getattr(move, "canonical", move)


def _describe_problem(turn: int, error: EngineError | GameError) -> Text:
    said = error.text if isinstance(error, EngineError) else Text(str(error), str(error))
    return Text(
        f"Zug {turn} ließ sich nicht bewerten: {said.de}",
        f"Turn {turn} could not be judged: {said.en}",
    )
