"""Say what a run has shown, to people and as JSON, CSV or Markdown to programs.

Results go to standard output, and where to find more goes to standard error.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import click

from spielleiter.arena.results.failures import RunFailure, first_failures
from spielleiter.arena.runs.events import StopReason
from spielleiter.arena.runs.plan import RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.statistics.conclusion import Conclusion, RunVerdict
from spielleiter.arena.statistics.score_sheet import BotFigures
from spielleiter.arena.statistics.strength import Estimate
from spielleiter.arena.store.database import find_database
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.cli.errors import ExitCode
from spielleiter.cli.result_lines import result_lines, tables_of
from spielleiter.cli.run_session import RunEnded, say, show_path
from spielleiter.cli.tables import csv_table, harmless, json_tables, markdown_tables
from spielleiter.rules import one_line

FORMS = ("text", "json", "csv", "markdown")
"""In which results can be printed."""
_CODES = {RunVerdict.FIRST: ExitCode.OK, RunVerdict.SECOND: ExitCode.SECOND}


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
    conclusion = tally.conclude()
    code = ended.stop_code
    if code is None:
        code = _CODES.get(conclusion.verdict, ExitCode.UNDECIDED)
    if form == "json":
        _print_json(match_json(ended, conclusion, code))
    elif form == "csv":
        click.echo(match_csv(tally, conclusion), nl=False)
    elif form == "markdown":
        click.echo(
            f"{one_line(conclusion.text.en, 1000)}\n\n{markdown_tables(tables_of(tally.findings))}",
            nl=False,
        )
    else:
        _print_text(ended)
    return code


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
    found = tables_of(tally.findings)
    if form == "json":
        _print_json({**_run_json(ended, code), **json_tables(found)})
    elif form == "csv":
        click.echo(csv_table(found), nl=False)
    elif form == "markdown":
        click.echo(markdown_tables(found), nl=False)
    else:
        _print_text(ended)
    return code


# Both


def _print_text(ended: RunEnded) -> None:
    found = ended.tally.findings
    if found.conclusion is not None:
        click.secho(one_line(found.conclusion.text.en, 1000), bold=True)
    for line in result_lines(found, _failures(ended)):
        click.echo(line)


def _failures(ended: RunEnded) -> Mapping[int, RunFailure]:
    try:
        with StoreReader(ended.folder) as reader:
            (run,) = reader.runs()
            return first_failures(reader, run.id, ended.tally.bots)
    except (StoreError, ValueError):  # what is wrong was told, or will be by the next command
        return {}


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
        "ways": dict(tally.sheet.ways),
        "is_over": tally.is_over,
        "stopped": None
        if stopped is None
        else {"reason": stopped.reason.value, "text": stopped.text, "advice": stopped.advice},
        "exit_code": int(code),
        "delay_seconds": tally.delay,
        "bots": _bots_json(plan, tally.bots, _failures(ended)),
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
            say(f"go on with: spielleiter resume {folder}")
        else:
            # The advice has the command that goes on, but not as a shell takes it.
            advice = stopped.advice.replace(f"resume {ended.folder}", f"resume {folder}")
            say(f"spielleiter: {one_line(stopped.text, 1000)}")
            say(f"  {one_line(advice, 1000)}")
            if not find_database(ended.folder).exists():
                return
    say(f"all games are in {folder}; see them again with: spielleiter results {folder}")
