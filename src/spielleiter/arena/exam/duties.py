"""Try the duties of a bot one by one, and report what was expected and what came.

``examination`` plays and watches a single match. This module decides which matches are played and
what they mean. A fault is reported by the first step it belongs to. Later steps that meet it again
are not judged.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from spielleiter.arena.bots import BotSpec
from spielleiter.arena.exam.evidence import (
    CheckLimits,
    Evidence,
    Fault,
    OptionForm,
    Trial,
    Vanishing,
)
from spielleiter.arena.exam.examination import examine
from spielleiter.arena.exam.situations import PassingPlayer, find_situations, seeds_of_starts
from spielleiter.arena.exam.steps import (
    OPTION_FORMS,
    ORDINARY_ONLY,
    STEP_OF,
    STEP_TITLES,
    CheckPlan,
    StepResult,
    Verdict,
    long_options,
)
from spielleiter.rules import AnyGame
from spielleiter.wire.codec import AnyCodec

_OPENING_MOVES = 3


async def check_bot(
    spec: BotSpec,
    game: AnyGame,
    *,
    plan: CheckPlan | None = None,
    limits: CheckLimits | None = None,
    revision: str | None = None,
    report: Callable[[StepResult], None] | None = None,
    progress: Callable[[str], None] | None = None,
) -> list[StepResult]:
    """Take a bot through its duties.

    Each step is reported as soon as it is known. ``progress`` is told what is being tried.
    """
    codec = game.codecs[revision] if revision else next(iter(game.codecs.values()))
    exam = _Exam(
        spec, codec, plan or CheckPlan(), limits or CheckLimits(), progress or (lambda _: None)
    )
    results = []
    for step in exam.steps():
        result = await step()
        results.append(result)
        if report is not None:
            report(result)
    return results


class _Exam:
    """The examination of one bot. It is mutable and used once."""

    def __init__(
        self,
        spec: BotSpec,
        codec: AnyCodec,
        plan: CheckPlan,
        limits: CheckLimits,
        progress: Callable[[str], None],
    ) -> None:
        self._spec = spec
        self._codec = codec
        self._game = codec.game
        self._plan = plan
        self._limits = limits
        self._progress = progress
        self._matches: list[Evidence] = []
        self._wins = 0
        self._known: dict[Fault, int] = {}
        """Faults that were reported, and by which step."""

    def steps(self) -> list[Callable[[], Awaitable[StepResult]]]:
        steps = (
            self._starts,
            self._joins,
            self._answers,
            self._plays,
            self._special_positions,
            self._odd_attributes,
            self._closes,
            self._server_gone,
            self._output,
            self._options,
        )
        return list(steps)

    # Ordinary matches, and what they show

    async def _starts(self) -> StepResult:
        await self._play_matches()
        first = self._matches[0]
        connected = first.connect_seconds
        came = "it runs" if connected is None else f"it connected after {connected:.2f} s"
        return self._ordinary(1, "the program starts and stays", came)

    async def _joins(self) -> StepResult:
        joined = [match.join_seconds for match in self._matches if match.join_seconds is not None]
        came = f"it joined after {max(joined):.2f} s at the latest" if joined else ""
        return self._ordinary(
            2, f"it asks for the seat of its reservation within {self._limits.join:g} s", came
        )

    async def _answers(self) -> StepResult:
        answers = [seconds for match in self._matches for seconds in match.answers]
        expected = f"a move within {self._limits.move:g} s of every request"
        came, none_came = "no move came", not answers
        if answers:
            slowest, mean = max(answers), sum(answers) / len(answers)
            came = (
                f"{len(answers)} moves, the slowest after {slowest:.3f} s, {mean:.3f} s on average"
            )
        return self._ordinary(3, expected, came, none_came)

    async def _plays(self) -> StepResult:
        done = sum(match.outcome is not None for match in self._matches)
        planned = len(self._planned_matches())
        expected = (
            f"{_count(planned, 'game')} to the end, as first and as second player, every move legal"
        )
        return self._ordinary(
            4, expected, f"{_count(done, 'game')}, {self._wins} won against random", done < planned
        )

    async def _closes(self) -> StepResult:
        expected = f"it ends within {self._limits.close:g} s of the result, with exit code 0"
        waits = [
            match.end_seconds
            for match in self._matches
            if match.outcome is not None and match.end_seconds is not None
        ]
        if not waits and not self._is_hopeless and not self._reported(7):
            fault = next(iter(self._matches[-1].faults))
            return self._result(
                7, Verdict.SKIPPED, expected, f"no game came to a regular end, {self._see(fault)}"
            )
        return self._ordinary(
            7, expected, f"it ended after {max(waits, default=0):.2f} s at the latest, exit code 0"
        )

    async def _output(self) -> StepResult:
        loudest = max(self._matches, key=lambda match: match.output_bytes)
        most = loudest.output_bytes
        limit = self._limits.output
        expected = f"{limit:,} bytes of output in a game at most"
        if self._is_hopeless:
            return self._hopeless(9, expected)
        verdict = Verdict.FAILED if most > limit else Verdict.PASSED
        came = f"{most:,} bytes in the game with most"
        if loudest.printed:
            lines = "1 line" if loudest.printed == 1 else f"{loudest.printed:,} lines"
            came += f", {lines} printed: spielleiter play --output shows what"
        return self._result(9, verdict, expected, came)

    def _planned_matches(self) -> list[tuple[int, int]]:
        """Return the seed and seat of each match.

        Seats take turns. A start that comes again is played from another seat.
        """
        seeds, seats = seeds_of_starts(self._game), self._game.seats
        # A game with a single start still has to be played from every seat.
        turns = max(self._plan.matches_per_start, -(-seats // len(seeds)))
        planned = [
            (seed, (place + turn) % seats)
            for turn in range(turns)
            for place, seed in enumerate(seeds)
        ]
        return planned[: self._plan.most_matches]

    async def _play_matches(self) -> None:
        planned = self._planned_matches()
        for number, (seed, seat) in enumerate(planned, 1):
            self._progress(f"game {number} of {len(planned)}")
            opponent = self._game.players["random"](seed)
            trial = Trial(self._game.start(seed), seat, opponent, self._seeded(seed))
            evidence = await self._examine(trial)
            self._matches.append(evidence)
            if evidence.outcome is not None:
                self._wins += evidence.outcome.winner == seat
            for fault in evidence.faults:
                self._known.setdefault(fault, STEP_OF[fault])
            if evidence.outcome is None:
                # What fails once fails again, and each failure takes as long as is waited.
                return

    def _seeded(self, seed: int) -> OptionForm:
        if not self._spec.takes_seed:
            return long_options
        return lambda host, port, code: ("--seed", str(seed), *long_options(host, port, code))

    def _reported(self, number: int) -> bool:
        return any(step == number for step in self._known.values())

    def _ordinary(
        self, number: int, expected: str, came: str, incomplete: bool = False
    ) -> StepResult:
        """Return the result of a step that looks at the ordinary matches."""
        for match in self._matches:
            for fault, text in match.faults.items():
                if STEP_OF[fault] == number:
                    return self._result(number, Verdict.FAILED, expected, text, match.last_words)
        if self._is_hopeless and number > 1:
            return self._hopeless(number, expected)
        if incomplete:
            reason = next(
                self._see(fault)
                for match in self._matches
                for fault in match.faults
                if match.outcome is None
            )
            return self._result(number, Verdict.SKIPPED, expected, f"{came}: {reason}")
        return self._result(number, Verdict.PASSED, expected, came)

    # Special matches

    async def _special_positions(self) -> StepResult:
        expected = (
            "a legal game from positions in which a player is skipped, has hardly a "
            "choice, or is passed to"
        )
        trials = [
            (
                situation.title,
                Trial(situation.state, situation.state.seat, PassingPlayer(), long_options),
            )
            for situation in find_situations(self._game)[: self._plan.most_positions]
        ]
        return await self._special(5, expected, trials)

    async def _odd_attributes(self) -> StepResult:
        expected = (
            "attributes that it does not know do not disturb it: later documents may add some"
        )
        trial = replace(self._opening(long_options), odd_attributes=True)
        return await self._special(6, expected, [("a game with odd attributes", trial)])

    async def _server_gone(self) -> StepResult:
        expected = f"it ends within {self._limits.orphaned:g} s, whatever it does at that moment"
        trials = [
            (title, replace(self._opening(long_options), vanish=vanish))
            for title, vanish in (
                ("while it waits", Vanishing.WHILE_WAITING),
                ("while it thinks", Vanishing.WHILE_THINKING),
            )
        ]
        return await self._special(8, expected, trials)

    async def _options(self) -> StepResult:
        expected = (
            "host, port and reservation are understood in short and long form, whatever comes first"
        )
        trials = [(title, self._opening(options)) for title, options in OPTION_FORMS]
        return await self._special(10, expected, trials)

    def _opening(self, options: OptionForm) -> Trial:
        """Return a match of which only the first moves are played."""
        opponent = self._game.players["random"](0)
        return Trial(self._game.start(0), 0, opponent, options, most_moves=_OPENING_MOVES)

    async def _special(
        self, number: int, expected: str, trials: Sequence[tuple[str, Trial]]
    ) -> StepResult:
        """Play all of these trials and return the result of the step.

        A new fault fails the step. A fault that is already known leaves it open.
        """
        if self._is_hopeless:
            return self._hopeless(number, expected)
        done = []
        for title, trial in trials:
            self._progress(f"{STEP_TITLES[number - 1]}: {title}")
            evidence = await self._examine(trial)
            faults = [fault for fault in evidence.faults if fault not in ORDINARY_ONLY]
            for fault in faults:
                if fault not in self._known:
                    self._known[fault] = number
                    came = f"{title}: {evidence.faults[fault]}"
                    return self._result(number, Verdict.FAILED, expected, came, evidence.last_words)
            if not _is_done(trial, evidence):
                return self._result(
                    number, Verdict.SKIPPED, expected, f"{title}: {self._see(faults[0])}"
                )
            seconds = f" ({evidence.end_seconds:.2f} s)" if trial.vanish is not None else ""
            done.append(f"{title}{seconds}")
        return self._result(number, Verdict.PASSED, expected, f"done: {', '.join(done)}")

    # Pieces

    async def _examine(self, trial: Trial) -> Evidence:
        limits = self._limits
        if Fault.STAYED in self._known:
            # Every further match would cost the whole patience again, for a fault that is reported.
            limits = _without_patience(limits)
        return await examine(self._spec, trial, self._codec, limits)

    @property
    def _is_hopeless(self) -> bool:
        """Whether the bot never came as far as a match."""
        return self._reported(1) or self._reported(2)

    def _hopeless(self, number: int, expected: str) -> StepResult:
        fault = next(fault for fault, step in self._known.items() if step in (1, 2))
        return self._result(number, Verdict.SKIPPED, expected, self._see(fault))

    def _see(self, fault: Fault) -> str:
        return f"see step {self._known[fault]}"

    def _result(
        self,
        number: int,
        verdict: Verdict,
        expected: str,
        came: str,
        last_words: tuple[str, ...] = (),
    ) -> StepResult:
        return StepResult(number, STEP_TITLES[number - 1], verdict, expected, came, last_words)


def _is_done(trial: Trial, evidence: Evidence) -> bool:
    """Return whether what was to be tried could be tried."""
    return evidence.outcome is not None or (
        trial.vanish is not None and evidence.end_seconds is not None
    )


def _without_patience(limits: CheckLimits) -> CheckLimits:
    return replace(limits, close=0.0)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
