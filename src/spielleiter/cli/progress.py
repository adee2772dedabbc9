"""Show how a run gets on, drawn in place in a terminal and one line at a time elsewhere.

All of it goes to standard error, because results go to standard output. What the figures mean is
counted by ``arena.runs.tally``.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from spielleiter.arena.runs.events import (
    MatchFinished,
    MatchRetried,
    RunEvent,
    RunStarted,
    SlowMachine,
)
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.score_sheet import BotFigures, ScoreSheet
from spielleiter.arena.statistics.sprt import SprtState
from spielleiter.cli.screen import format_time
from spielleiter.rules import Cause, one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live

Say = Callable[[str], None]
Now = Callable[[], float]

MOST_FAULTS = 5
"""Lost games of one bot that are told one by one. A bot that fails always would fill the screen."""
_MOST_REMARKS = 5
_STEPS = 20
"""Lines of a run where nobody draws, if it is not slow."""
_LINE_SECONDS = 30.0
"""After so long there is a line in any case."""
_DRAW_SECONDS = 0.25
_SHARE = 20
"""Drawing may take one part in so many of the time."""
_BAR = 30
_LEADERS = 10
_LONGEST_NAME = 40
_FAULTS = {
    Cause.LEFT: "left or crashed",
    Cause.SOFT_TIMEOUT: "was too slow",
    Cause.HARD_TIMEOUT: "did not answer any more",
    Cause.RULE_VIOLATION: "broke a rule",
}


class Pace:
    """How fast a run is. Only games since it was started or resumed count."""

    def __init__(self, now: Now = time.monotonic) -> None:
        self._now = now
        self._start = now()
        self._before = 0

    def begin(self, stored: int) -> None:
        """Start now, with so many games that have been played before."""
        self._start, self._before = self._now(), stored

    def per_second(self, tally: Tally) -> float | None:
        """Return how many games are played in a second, or None if nobody knows yet."""
        seconds = self._now() - self._start
        played = tally.stored - self._before
        return played / seconds if played and seconds > 0 else None

    def left(self, tally: Tally) -> float | None:
        """Return how many seconds the other games will take, or None if nobody knows yet."""
        speed = self.per_second(tally)
        return None if speed is None else max(tally.total - tally.stored, 0) / speed


def format_span(seconds: float) -> str:
    """Return a time of seconds or hours in two units at most."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes < 10 else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours < 48 else f"{hours // 24} days"


def name_of(name: str) -> str:
    """Return a name as it may be shown."""
    return one_line(name, _LONGEST_NAME)


# The figures as text


def count_line(tally: Tally, pace: Pace) -> str:
    """Return how many games there are, how fast they are played, and how long it will take."""
    parts = [f"{tally.stored}/{tally.total} games"]
    speed, left = pace.per_second(tally), pace.left(tally)
    if speed is not None:
        parts.append(f"{speed:.1f} games/s" if speed >= 1 else f"{60 * speed:.1f} games/min")
    if left is not None and not tally.is_over:
        limit = "at most " if tally.plan.sprt is not None else ""
        parts.append(f"{limit}{format_span(left)} left")
    return ", ".join(parts)


def match_lines(tally: Tally) -> list[str]:
    """Return how two bots stand, in lines that are short enough for a terminal."""
    summary = tally.summary
    lines = [counts_line(tally.plan.names, tally.sheet)]
    elo, points = summary.pairs.elo(), summary.points
    if elo is not None and points is not None:
        parts = [f"Elo {_amount(elo.value, elo.error, 0)}"]
        parts.append(f"{_amount(points.value, points.error, 1)} {tally.unit.en} a game")
        lines.append(", ".join(parts))
    if tally.sprt is not None:
        lines.append(sprt_line(tally.sprt))
    if summary.repeated:
        lines.append(f"{summary.repeated} of the games are the same as earlier ones")
    return lines


def counts_line(names: Sequence[str], sheet: ScoreSheet) -> str:
    """Return how often the first of two bots won."""
    first, second = (name_of(name) for name in names)
    figures = sheet.figures[0]
    counts = f"{figures.wins} won, {figures.draws} drawn, {figures.losses} lost"
    return f"{first} against {second}: {counts}"


def sprt_line(state: SprtState) -> str:
    """Return how a sequential test stands."""
    return f"SPRT {state.llr:+.2f}, ends at {state.lower:+.2f} or {state.upper:+.2f}"


def _amount(value: float, error: float | None, digits: int) -> str:
    around = "" if error is None else f" ± {error:.{digits}f}"
    return f"{value:+.{digits}f}{around}"


def bot_line(name: str, figures: BotFigures) -> str:
    """Return what went wrong with a bot, and how slow it was."""
    parts = [
        f"{number} {what}"
        for number, what in (
            (figures.crashes, "crashed"),
            (figures.time_losses, "lost on time"),
            (figures.broken_rules, "lost by a broken rule"),
        )
        if number
    ]
    if figures.slowest is not None:
        parts.append(f"slowest move {format_time(figures.slowest)}")
    return f"{name_of(name)}: {', '.join(parts) or 'no move yet'}"


def leader_lines(tally: Tally) -> list[str]:
    """Return the upper end of a tournament's table."""
    rows = tally.table()
    lines = []
    for row in rows[:_LEADERS]:
        failed = f", {row.forfeits} failed" if row.forfeits else ""
        mean = "" if row.mean_score is None else f", mean score {row.mean_score:.1f}"
        place = "  – " if row.place is None else f"{row.place:3}."
        lines.append(
            f"{place} {name_of(tally.plan.names[row.bot])}: {row.victory_points} points"
            f"{mean}, {row.matches} {'game' if row.matches == 1 else 'games'}{failed}"
        )
    if len(rows) > _LEADERS:
        lines.append(f"     and {len(rows) - _LEADERS} more")
    return lines


# What shows it


class Progress(ABC):
    """Hears the events of a run. ``close`` must be called at the end, whatever happened."""

    def __init__(self, say: Say, now: Now = time.monotonic) -> None:
        self._say = say
        self._now = now
        self.pace = Pace(now)
        self._faults: Counter[int] = Counter()

    def hear(self, event: RunEvent) -> None:
        """Show what an event tells."""
        match event:
            case RunStarted():
                self.pace.begin(event.tally.stored)
                for line in event.remarks[:_MOST_REMARKS]:
                    self._say(one_line(line))
                if len(event.remarks) > _MOST_REMARKS:
                    self._say(f"and {len(event.remarks) - _MOST_REMARKS} more such remarks")
            case MatchFinished():
                self._tell_faults(event)
            case MatchRetried():
                reason = one_line(event.reason)
                self._say(f"game {event.number} could not be played and is tried again: {reason}")
            case SlowMachine():
                self._say(one_line(event.text))
        self.show(event.tally)

    @abstractmethod
    def show(self, tally: Tally) -> None:
        """Show the totals, if it is time for that."""

    def tick(self) -> None:
        """Show that time goes by. It is called now and then."""
        return

    def close(self) -> None:
        """Leave the screen as it should be."""
        return

    def _tell_faults(self, event: MatchFinished) -> None:
        for seat, line in enumerate(event.result.outcome.seats):
            if line.cause not in _FAULTS:
                continue
            bot = event.bots[seat]
            self._faults[bot] += 1
            if self._faults[bot] > MOST_FAULTS:
                continue
            name, reason = name_of(event.names[seat]), one_line(line.reason.en, 200)
            self._say(f"game {event.number}: {name} {_FAULTS[line.cause]}: {reason}")
            if self._faults[bot] == MOST_FAULTS:
                self._say(f"more such games of {name} are counted and not told")


class PlainProgress(Progress):
    """Says a line after each twentieth of the games, or after half a minute."""

    def __init__(self, say: Say, now: Now = time.monotonic) -> None:
        super().__init__(say, now)
        self._said: int | None = None
        """How many games there were when something was said."""
        self._at = now()

    def show(self, tally: Tally) -> None:
        if self._said is None:
            self._said, self._at = tally.stored, self._now()
            return
        step = max(tally.total // _STEPS, 1)
        is_due = tally.stored // step > self._said // step
        is_late = tally.stored > self._said and self._now() - self._at >= _LINE_SECONDS
        is_last = tally.stored > self._said and tally.is_over
        if is_due or is_late or is_last:
            self._said, self._at = tally.stored, self._now()
            self._say(self._line(tally))

    def _line(self, tally: Tally) -> str:
        if tally.plan.kind == "match":
            return "; ".join([count_line(tally, self.pace), *match_lines(tally)])
        leader, *_ = leader_lines(tally)
        return f"{count_line(tally, self.pace)}; {leader.strip()}"


class LiveProgress(Progress):
    """Draws bar and figures in the same place of a terminal, below what has been said."""

    def __init__(self, console: Console, now: Now = time.monotonic) -> None:
        from rich.live import Live

        super().__init__(self._say_above, now)
        self._console = console
        self._tally: Tally | None = None
        self._next = now()
        self._live: Live = Live(console=console, auto_refresh=False)
        self._live.start()

    def show(self, tally: Tally) -> None:
        is_new, self._tally = self._tally is None, tally
        if is_new or tally.is_over or self._now() >= self._next:
            self._draw(tally)

    def tick(self) -> None:
        if self._tally is not None and self._now() >= self._next:
            self._draw(self._tally)

    def close(self) -> None:
        if self._tally is not None:
            self._draw(self._tally)
        self._live.stop()

    def _say_above(self, text: str) -> None:
        from rich.text import Text

        self._console.print(Text(text))

    def _draw(self, tally: Tally) -> None:
        from rich.console import Group
        from rich.text import Text

        began = self._now()
        lines = [f"{self._bar(tally)} {count_line(tally, self.pace)}"]
        if tally.plan.kind == "match":
            lines += match_lines(tally)
            lines += [
                bot_line(name, figures)
                for name, figures in zip(tally.plan.names, tally.bots, strict=True)
            ]
        else:
            lines += leader_lines(tally)
        size = self._console.size
        texts = [Text(line, no_wrap=True, overflow="ellipsis") for line in lines]
        self._live.update(Group(*texts[: max(size.height - 1, 1)]), refresh=True)
        ended = self._now()
        self._next = ended + max(_DRAW_SECONDS, _SHARE * (ended - began))

    def _bar(self, tally: Tally) -> str:
        full, empty = ("━", "·") if self._can_show("━·") else ("#", ".")
        done = _BAR * tally.stored // max(tally.total, 1)
        return full * done + empty * (_BAR - done)

    def _can_show(self, text: str) -> bool:
        try:
            text.encode(self._console.encoding)
        except (UnicodeEncodeError, LookupError):
            return False
        return True
