"""Progress of runs: lines where nobody draws, a picture where there is a terminal."""

from __future__ import annotations

import io
import re
from pathlib import Path

from rich.console import Console

from runs import GAME, cup_plan, match_plan, play, result
from spielleiter.arena.runs.events import (
    MatchBegun,
    MatchFinished,
    MatchRetried,
    RunFinished,
    RunStarted,
    SlowMachine,
)
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.sprt import Sprt
from spielleiter.cli.progress import (
    MOST_FAULTS,
    LiveProgress,
    Pace,
    PlainProgress,
    Progress,
    bot_line,
    count_line,
    format_span,
    match_lines,
)
from spielleiter.rules import Cause


class Watch:
    """A clock that stands still until somebody moves it."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def start(progress: Progress, plan: RunPlan, *, played: int = 0) -> Tally:
    tally = Tally(plan, GAME)
    play(tally, played)
    progress.hear(RunStarted(Path("runs/x"), plan, tally, played > 0, 2, ("a remark",)))
    return tally


def finish(progress: Progress, tally: Tally, number: int, **values: object) -> None:
    bots = (0, 1) if number % 2 else (1, 0)
    ended = result(bots.index(0), **values)  # type: ignore[arg-type]
    tally.add(number, (number - 1) // 2, bots, ended)
    names = tally.plan.names[bots[0]], tally.plan.names[bots[1]]
    progress.hear(MatchBegun(number, names, "workers", tally))
    progress.hear(MatchFinished(number, bots, names, ended, tally))


def test_spans() -> None:
    shown = [format_span(seconds) for seconds in (0.2, 59, 61, 599, 3599, 3600 * 5, 86400 * 9)]
    assert shown == ["0 s", "59 s", "1 min 1 s", "9 min 59 s", "59 min", "5 h 0 min", "9 days"]


def test_only_games_since_the_start_count_for_the_pace() -> None:
    watch = Watch()
    tally = Tally(match_plan(100), GAME)
    play(tally, 40)
    pace = Pace(watch)
    pace.begin(tally.stored)
    assert count_line(tally, pace) == "40/100 games"
    watch.seconds += 5
    play(tally, 10)
    assert count_line(tally, pace) == "50/100 games, 2.0 games/s, 25 s left"
    watch.seconds += 95
    assert count_line(tally, pace) == "50/100 games, 6.0 games/min, 8 min 20 s left"
    play(tally, 50)
    assert count_line(tally, pace).startswith("100/100 games, 36.0 games/min")
    assert "left" not in count_line(tally, pace)


def test_a_test_says_at_most_and_shows_its_bounds() -> None:
    watch = Watch()
    tally = Tally(match_plan(1000, Sprt(0, 10)), GAME)
    pace = Pace(watch)
    pace.begin(0)
    watch.seconds += 1
    play(tally, 4)
    assert "at most" in count_line(tally, pace)
    assert any(line.startswith("SPRT +") for line in match_lines(tally))
    assert any("ends at -2.94 or +2.94" in line for line in match_lines(tally))


def test_figures_of_two_bots() -> None:
    tally = Tally(match_plan(20), GAME)
    assert match_lines(tally) == ["A against B: 0 won, 0 drawn, 0 lost"]
    play(tally, 4, digest="same")
    lines = match_lines(tally)
    assert lines[0] == "A against B: 4 won, 0 drawn, 0 lost"
    assert lines[1].startswith("Elo +")
    assert lines[-1] == "2 of the games are the same as earlier ones"


def test_what_became_of_a_bot() -> None:
    tally = Tally(match_plan(20), GAME)
    assert bot_line("B\x1b[2J", tally.bots[1]) == "B: no move yet"
    play(tally, 2, fault=Cause.LEFT)
    play(tally, 1, fault=Cause.SOFT_TIMEOUT)
    play(tally, 1, fault=Cause.RULE_VIOLATION)
    assert bot_line("B", tally.bots[1]) == (
        "B: 2 crashed, 1 lost on time, 1 lost by a broken rule, slowest move 0.500 s"
    )


def test_where_nobody_draws_there_are_twenty_lines_and_no_more() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    tally = start(progress, match_plan(200))
    assert said == ["a remark"]
    for number in range(1, 201):
        finish(progress, tally, number)
    progress.hear(RunFinished(tally))
    progress.close()
    assert len(said) == 1 + 20
    assert said[1].startswith("10/200 games; A against B: 10 won, 0 drawn, 0 lost; Elo +")
    assert said[-1].startswith("200/200 games")
    assert not any("\n" in line or "\x1b" in line for line in said)


def test_remarks_do_not_fill_the_screen() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    plan = match_plan()
    remarks = tuple(f"remark {number}" for number in range(20))
    progress.hear(RunStarted(Path("x"), plan, Tally(plan, GAME), False, 1, remarks))
    assert said == [*remarks[:5], "and 15 more such remarks"]


def test_a_slow_run_says_something_every_half_minute() -> None:
    said: list[str] = []
    watch = Watch()
    progress = PlainProgress(said.append, watch)
    tally = start(progress, match_plan(1000))
    finish(progress, tally, 1)
    watch.seconds += 31
    finish(progress, tally, 2)
    finish(progress, tally, 3)
    assert [line.partition(" ")[0] for line in said] == ["a", "2/1000"]


def test_a_resumed_run_goes_on_counting() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    tally = start(progress, match_plan(4), played=2)
    finish(progress, tally, 3)
    assert said[-1].startswith("3/4 games")


def test_a_tournament_shows_who_leads() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    tally = start(progress, cup_plan())
    finish(progress, tally, 1)
    assert said[-1] == "1/6 games; 1. bot 0: 2 points, mean score 50.0, 1 game"


def test_lost_games_are_told_up_to_a_limit() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    tally = start(progress, match_plan(1000, names=("A", "evil\x1b]0;x\x07\n")))
    for number in range(1, 21):
        finish(progress, tally, number, fault=Cause.LEFT, reason="gone\n\x1b[31mred")
    told = [line for line in said if line.startswith("game ")]
    assert len(told) == MOST_FAULTS
    assert told[0] == "game 1: evil  left or crashed: gone red"
    assert sum("counted and not told" in line for line in said) == 1


def test_trouble_and_a_slow_machine_are_told() -> None:
    said: list[str] = []
    progress = PlainProgress(said.append, Watch())
    tally = start(progress, match_plan(10))
    progress.hear(MatchRetried(3, "the worker\nended", tally))
    progress.hear(SlowMachine("This machine is too slow.", tally))
    assert said[1:] == [
        "game 3 could not be played and is tried again: the worker ended",
        "This machine is too slow.",
    ]


def live(width: int = 100, encoding: str = "utf-8") -> tuple[LiveProgress, io.TextIOWrapper]:
    file = io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors="backslashreplace")
    console = Console(
        file=file,
        force_terminal=True,
        width=width,
        height=20,
        color_system=None,
        legacy_windows=False,
    )
    return LiveProgress(console, Watch()), file


def shown(file: io.TextIOWrapper) -> str:
    file.flush()
    buffer = file.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode(file.encoding)


def test_a_terminal_has_bar_figures_and_bots() -> None:
    progress, file = live()
    tally = start(progress, match_plan(20, names=("[bold]A[/bold]", "B\x1b[2J")))
    for number in range(1, 11):
        finish(progress, tally, number)
    progress.tick()
    progress.close()
    text = shown(file)
    assert "━" * 15 + "·" * 15 + " 10/20 games" in text
    assert "[bold]A[/bold] against B: 10 won" in text
    assert "B: slowest move 0.500 s" in text
    assert "\x1b[2J" not in text
    assert "a remark" in text


def test_a_terminal_without_such_characters_has_a_bar_too() -> None:
    progress, file = live(encoding="ascii")
    tally = start(progress, cup_plan())
    finish(progress, tally, 1)
    finish(progress, tally, 2)
    progress.close()
    assert "#" * 10 + "." * 20 + " 2/6 games" in shown(file)
    assert "1. bot 0: 4 points, mean score 45.0, 2 games" in shown(file)


def test_nothing_is_wider_than_the_terminal() -> None:
    progress, file = live(width=40)
    tally = start(progress, match_plan(20, names=("a" * 60, "b" * 60)))
    finish(progress, tally, 1)
    progress.close()
    lines = re.split(r"[\r\n]+", re.sub(r"\x1b\[[?\d]*\w", "", shown(file)))
    assert max(map(len, lines)) == 40
