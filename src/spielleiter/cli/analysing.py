"""Have the engine judge a recorded match, with progress on standard error.

Ctrl+C ends the thinking and not the command, so that what is known by then can be shown.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click

from spielleiter.cli.errors import CliError
from spielleiter.cli.progress import format_span
from spielleiter.cli.values import Ranges
from spielleiter.engine import Analyser, EngineError, Review, Reviewer, explain_review
from spielleiter.engine.patience import PatientThinker, Thinker
from spielleiter.engine.telling import tell_review
from spielleiter.replays import RecordedMatch
from spielleiter.rules import Text

LINE_SECONDS = 10.0
"""Seconds between two lines where nothing can be drawn in place."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What is known about a match, in figures and in words."""

    review: Review
    sentences: tuple[Text, ...]
    was_interrupted: bool

    def tell(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return tell_review(self.review, self.sentences)


def analyse_recording(
    recorded: RecordedMatch,
    seconds: float,
    *,
    turns: Ranges | None = None,
    you: int | None = None,
    thinker: Thinker | None = None,
) -> Analysis:
    """Judge the moves of a recorded match, those of some turns or all. Raises CliError."""
    states = [position.state for position in recorded.positions]
    with engine_errors():
        reviewer = Reviewer(
            states,
            thinker or PatientThinker(Analyser()),
            seconds,
            _chosen(recorded.turns[:-1], turns),
        )
        progress = Progress(reviewer.total)
        was_interrupted = False
        try:
            for _ in reviewer.run():
                progress.show(reviewer.done)
        except KeyboardInterrupt:
            was_interrupted = True
        finally:
            progress.finish()
    review = reviewer.review()
    sentences = explain_review(review, recorded.names, recorded.outcome, you=you)
    return Analysis(review, sentences, was_interrupted)


def _chosen(known: tuple[int, ...], turns: Ranges | None) -> list[int] | None:
    """Return the moves of these turns by their index, None for all. Raises CliError if none is."""
    if turns is None:
        return None
    found = [
        index
        for index, turn in enumerate(known)
        if any(first <= turn <= last for first, last in turns)
    ]
    if not found:
        there = f"{min(known)} to {max(known)}" if known else "none"
        raise CliError("no move was made in these turns", f"the turns there are {there}")
    return found


@contextmanager
def engine_errors() -> Iterator[None]:
    """Turn what an engine complains about into an error of a command."""
    try:
        yield
    except EngineError as error:
        raise CliError(error.text.en, error.hint.en) from error


class Progress:
    """How many positions are judged, drawn in place in a terminal and line by line elsewhere."""

    def __init__(
        self, total: int, now: Callable[[], float] = time.monotonic, *, drawn: bool | None = None
    ) -> None:
        self._total = total
        self._now = now
        self._drawn = sys.stderr.isatty() if drawn is None else drawn
        self._start = self._told = now()
        self._is_open = False

    def show(self, done: int) -> None:
        """Say that so many are done."""
        now = self._now()
        if not self._drawn and now - self._told < LINE_SECONDS:
            return
        self._told = now
        left = (now - self._start) / max(1, done) * (self._total - done)
        text = f"{done} of {self._total} positions judged, {format_span(left)} left"
        if self._drawn:
            click.echo(f"\r{text:<60}", err=True, nl=False)
            self._is_open = True
        else:
            click.echo(text, err=True)

    def finish(self) -> None:
        """Take away what is drawn."""
        if self._is_open:
            click.echo(f"\r{'':<60}\r", err=True, nl=False)
            self._is_open = False
