"""Say what a run has shown: for people, and as JSON, CSV or Markdown for programs.

Results go to standard output, and where to find more goes to standard error.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import click

from spielleiter.arena.pairing.schedule import Knockout
from spielleiter.arena.runs.events import StopReason
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.tally import BotFigures, Tally
from spielleiter.arena.statistics.conclusion import Conclusion, RunVerdict
from spielleiter.arena.statistics.strength import Estimate
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.cli.errors import ExitCode
from spielleiter.cli.progress import bot_line, match_lines
from spielleiter.cli.run_session import RunEnded, say, show_path
from spielleiter.cli.tables import (
    Tables,
    csv_table,
    harmless,
    json_tables,
    markdown_tables,
    text_tables,
)
from spielleiter.games import get_game
from spielleiter.rules import Cause, one_line

FORMS = ("text", "json", "csv", "markdown")
"""In which results can be printed."""
_CODES = {RunVerdict.FIRST: ExitCode.OK, RunVerdict.SECOND: ExitCode.SECOND}
_LONGEST_WORDS = 200
_TRACEBACK = "Traceback (most recent call last)"
_MARK = "!!! "
"""Before what the SDK says about a method of a bot that failed."""
_WAYS = {"workers": "in worker processes", "sockets": "over sockets"}


def report(ended: RunEnded, form: str) -> int:
    """Print the results of a run in one of ``FORMS``. Return the exit code."""
    if ended.tally.plan.kind == "match":
        code = _report_match(ended, form)
    else:
        code = _report_tournament(ended, form)
    _say_where(ended)
    return code


# Two bots


def _report_match(ended: RunEnded, form: str) -> int:
    tally = ended.tally
    conclusion = tally.conclude(get_game(tally.plan.game).score_names[0])
    code = ended.stop_code
    if code is None:
        code = _CODES.get(conclusion.verdict, ExitCode.UNDECIDED)
    if form == "json":
        _print_json(match_json(ended, conclusion, code))
    elif form == "csv":
        click.echo(match_csv(tally, conclusion), nl=False)
    elif form == "markdown":
        click.echo(
            f"{one_line(conclusion.text.en, 1000)}\n\n{markdown_tables(tables(tally))}", nl=False
        )
    else:
        click.secho(one_line(conclusion.text.en, 1000), bold=True)
        for line in match_text(ended):
            click.echo(line)
    return code


def match_text(ended: RunEnded) -> list[str]:
    """Return the figures behind the sentence, a line each."""
    tally = ended.tally
    counts, *_ = match_lines(tally)
    lines = [f"{counts}; {_counted(tally)}{_played(count_ways(ended))}"]
    if tally.sprt is not None:
        lines += [line for line in match_lines(tally) if line.startswith("SPRT")]
    failures = first_failures(ended)
    lines += [_bot_line(tally, number, failures) for number in range(len(tally.bots))]
    if tally.summary.repeated:
        lines.append(
            f"{tally.summary.repeated} games are the same as earlier ones and count once in the "
            "errors; more --opening-moves make them differ"
        )
    return lines


def _counted(tally: Tally) -> str:
    return f"{tally.played} of {tally.total} games"


def _played(ways: Mapping[str, int]) -> str:
    if not ways:
        return ""
    if len(ways) == 1:
        (way,) = ways
        return f", played {_WAYS.get(way, way)}"
    return ", " + " and ".join(f"{number} {_WAYS.get(way, way)}" for way, number in ways.items())


def count_ways(ended: RunEnded) -> dict[str, int]:
    """Return how many games of a run were played in which way."""
    try:
        with StoreReader(ended.folder) as reader:
            rows = reader.read_rows("SELECT way, count(*) FROM result GROUP BY way ORDER BY way")
    except StoreError:  # whatever is wrong has been told, or will be by the next command
        return {}
    return {str(way): int(number) for way, number in rows}


@dataclass(frozen=True, slots=True)
class RunFailure:
    """The first game that a bot lost by a crash, by the clock or by a broken rule."""

    game: int
    reason: str
    said: str
    """What the bot printed last as an error: the exception of a Python bot, if there was one."""

    def __str__(self) -> str:
        what = one_line(self.said or self.reason, _LONGEST_WORDS)
        return f"first in game {self.game}: {what}"


def first_failures(ended: RunEnded) -> dict[int, RunFailure]:
    """Return the first failure of each bot that has one, by number of the bot."""
    left = {
        number
        for number, bot in enumerate(ended.tally.bots)
        if bot.crashes or bot.time_losses or bot.broken_rules
    }
    found: dict[int, RunFailure] = {}
    try:
        with StoreReader(ended.folder) as reader:
            runs = reader.runs() if left else ()
            for match in (one for run in runs for one in reader.matches(run.id, finished=True)):
                if not left:
                    break
                assert match.result is not None
                bots = match.plan.first_bot, match.plan.second_bot
                for seat, line in enumerate(match.result.outcome.seats):
                    if line.cause is Cause.REGULAR or bots[seat] not in left:
                        continue
                    errors = [
                        output.text
                        for output in reader.outputs(match)
                        if output.seat == seat and output.stream == "stderr"
                    ]
                    said = last_words(errors) if line.cause is Cause.LEFT else ""
                    found[bots[seat]] = RunFailure(match.plan.number, line.reason.en, said)
                    left.discard(bots[seat])
    except StoreError:  # as above
        return found
    return found


def last_words(lines: Sequence[str]) -> str:
    """Return what names the last exception in these lines, or else the last line."""
    for number, line in reversed(list(enumerate(lines))):
        if _MARK in line:  # the SDK has said it in one line
            return line.partition(_MARK)[2]
        if _TRACEBACK in line:
            margin = line.index(_TRACEBACK)
            for below in lines[number + 1 :]:
                if below[margin : margin + 1].strip():
                    return below[margin:]
    return next((line for line in reversed(lines) if line.strip()), "")


def match_json(ended: RunEnded, conclusion: Conclusion, code: int) -> dict[str, Any]:
    """Return all that is known about two bots as JSON values."""
    tally, summary = ended.tally, ended.tally.summary
    state = tally.sprt
    return {
        **_run_json(ended, code),
        "verdict": conclusion.verdict.value,
        "text": {"en": conclusion.text.en, "de": conclusion.text.de},
        "more_games": conclusion.more_matches,
        "won": summary.wins,
        "drawn": summary.draws,
        "lost": summary.losses,
        "score": summary.score,
        "elo": _estimate(summary.pairs.elo()),
        "normalised_elo": _estimate(summary.pairs.normalised_elo()),
        "superiority": summary.pairs.superiority(),
        "points": _estimate(summary.points),
        "pairs": list(summary.pairs.counts),
        "repeated": summary.repeated,
        "unpaired": summary.unpaired,
        "sprt": None
        if state is None
        else {
            "llr": state.llr,
            "lower": state.lower,
            "upper": state.upper,
            "decision": state.decision.value,
        },
    }


def match_csv(tally: Tally, conclusion: Conclusion) -> str:
    """Return a line of names and one of figures."""
    summary = tally.summary
    elo, points = summary.pairs.elo(), summary.points
    first, second = tally.plan.names
    values: dict[str, object] = {
        "first": harmless(first),
        "second": harmless(second),
        "game": tally.plan.game,
        "seed": tally.plan.seed,
        "games": tally.played,
        "planned": tally.total,
        "won": summary.wins,
        "drawn": summary.draws,
        "lost": summary.losses,
        "score": f"{summary.score:.4f}",
        **_columns("elo", elo),
        **_columns("points", points),
        "repeated": summary.repeated,
        "verdict": conclusion.verdict.value,
    }
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([values.keys(), values.values()])
    return out.getvalue()


def _columns(name: str, estimate: Estimate | None) -> dict[str, str]:
    parts = (
        (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)
    )
    keys = (name, f"{name}_low", f"{name}_high")
    return {
        key: "" if part is None else f"{part:.2f}" for key, part in zip(keys, parts, strict=True)
    }


# Many bots


def _report_tournament(ended: RunEnded, form: str) -> int:
    tally = ended.tally
    code = ended.stop_code
    if code is None:
        code = ExitCode.OK
    found = tables(tally)
    if form == "json":
        _print_json({**_run_json(ended, code), **json_tables(found)})
    elif form == "csv":
        click.echo(csv_table(found), nl=False)
    elif form == "markdown":
        click.echo(markdown_tables(found), nl=False)
    else:
        click.echo(text_tables(found))
        click.echo(f"\n{_counted(tally)}{_played(count_ways(ended))}")
        for line in failure_lines(ended):
            click.echo(line)
    return code


def tables(tally: Tally) -> Tables:
    """Return the tables of a run."""
    schedule = tally.plan.schedule()
    places = schedule.places(tally.encounters()) if isinstance(schedule, Knockout) else None
    return Tables(
        tally.plan.names, tuple(tally.table()), tally.ratings(), tally.cross_table(), places
    )


def failure_lines(ended: RunEnded) -> list[str]:
    """Return what went wrong with bots that did not play all their games to the end."""
    failures = first_failures(ended)
    return [_bot_line(ended.tally, number, failures) for number in sorted(failures)]


def _bot_line(tally: Tally, number: int, failures: Mapping[int, RunFailure]) -> str:
    line = bot_line(tally.plan.names[number], tally.bots[number])
    return f"{line}; {failures[number]}" if number in failures else line


# Both


def _run_json(ended: RunEnded, code: int) -> dict[str, Any]:
    tally, plan = ended.tally, ended.tally.plan
    stopped = ended.stopped
    return {
        "kind": plan.kind,
        "game": plan.game,
        "folder": str(ended.folder),
        "seed": plan.seed,
        "form": plan.form.value,
        "opening_moves": plan.opening_moves,
        "games": {"planned": tally.total, "stored": tally.stored, "counted": tally.played},
        "ways": count_ways(ended),
        "is_over": tally.is_over,
        "stopped": None
        if stopped is None
        else {"reason": stopped.reason.value, "text": stopped.text, "advice": stopped.advice},
        "exit_code": int(code),
        "delay_seconds": tally.delay,
        "bots": _bots_json(plan, tally.bots, first_failures(ended)),
    }


def _bots_json(
    plan: RunPlan, figures: Sequence[BotFigures], failures: Mapping[int, RunFailure]
) -> list[dict[str, Any]]:
    return [
        {
            "name": bot.name,
            "start": bot.text,
            "kind": bot.kind,
            "hash": bot.hash,
            "won": figure.wins,
            "drawn": figure.draws,
            "lost": figure.losses,
            "crashed": figure.crashes,
            "lost_on_time": figure.time_losses,
            "broken_rules": figure.broken_rules,
            "slowest_move": figure.slowest,
            "first_failure": asdict(failures[number]) if number in failures else None,
        }
        for number, (bot, figure) in enumerate(zip(plan.bots, figures, strict=True))
    ]


def _estimate(estimate: Estimate | None) -> dict[str, float | None] | None:
    if estimate is None:
        return None
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "error": estimate.error,
    }


def _print_json(value: dict[str, Any]) -> None:
    # Names may hold halves of surrogate pairs, which only escapes can be written as.
    click.echo(json.dumps(value, indent=2, allow_nan=False))


def _say_where(ended: RunEnded) -> None:
    """Say how to go on, and where to see more."""
    stopped, folder = ended.stopped, show_path(ended.folder)
    if stopped is not None:
        if stopped.reason is StopReason.INTERRUPTED:
            say(f"stopped after {ended.tally.stored} of {ended.tally.total} games")
        else:
            say(f"spielleiter: {one_line(stopped.text, 1000)}")
            say(f"  {one_line(stopped.advice, 1000)}")
        say(f"go on with: spielleiter resume {folder}")
    say(f"all games are in {folder}; see them again with: spielleiter results {folder}")
