"""Find out which of two bots is stronger (``spielleiter match``)."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path

import click

from spielleiter.arena.bots import BotError, BotSpec, distinct_names
from spielleiter.arena.lookup import choose_game, find_bot
from spielleiter.arena.runs.plan import MOST_MATCHES, PlanError, RunPlan, Way
from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import find_bots, planned_bot
from spielleiter.arena.statistics.sprt import Sprt
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, unknown_game
from spielleiter.cli.run_options import (
    bad_bot,
    bad_plan,
    choose_form,
    choose_moves,
    choose_seed,
    choose_time,
    form_options,
    game_option,
    playing_options,
    refuse_people,
    tell_warnings,
    working_folder,
)
from spielleiter.cli.run_results import report
from spielleiter.cli.run_session import choose_folder, drop_if_empty, play_run
from spielleiter.cli.values import ParamType, WholeNumber
from spielleiter.games import EXAMPLES
from spielleiter.rules import AnyGame, UnknownGame

GAMES = 200
GAMES_WITH_TEST = 20_000
"""The most games of a sequential test, if nobody says otherwise. Most tests need far fewer."""

_HELP = f"""\
Play many games between A and B, and say which of them is stronger.

Games come in pairs: both bots play the same opening from both sides. At the end there is a
sentence, such as "A is stronger (p > 95 %), +34 ± 20 Elo, 12.3 ± 4.0 points a game", or how many
more games it would take. Ctrl+C ends with the result so far, and spielleiter resume goes on.

A and B are names of house bots, .py files, folders, programs, .jar files, or commands in quotes.

\b
Examples:
  spielleiter match mybot greedy
  spielleiter match new/bot.py old/bot.py --games 1000 --game {EXAMPLES[0]}
  spielleiter match new old --sprt 0,10
  spielleiter match new old --json > result.json

\b
Exit codes:
  0    A is proved stronger
  1    the games could not be played
  2    the command line is wrong, or a bot cannot be started
  3    B is proved stronger
  4    nothing is proved
  130  interrupted with Ctrl+C
  143  ended by SIGTERM; 129 by SIGHUP
"""


class EloBounds(ParamType):
    """The two bounds of a sequential test, such as ``0,10``."""

    name = "bounds"
    allowed = "two numbers of Elo with a comma between them, the smaller first, such as 0,10"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Sprt:
        if isinstance(value, Sprt):
            return value
        try:
            low, high = (float(part) for part in str(value).split(","))
        except ValueError:
            self.fail(f"{str(value)!r} is not {self.allowed}", param, ctx)
        try:
            return Sprt(low, high)
        except ValueError as error:
            self.fail(str(error), param, ctx)


@click.command("match", help=_HELP)
@click.argument("first", metavar="A")
@click.argument("second", metavar="B")
@click.option(
    "--games",
    type=WholeNumber(2, MOST_MATCHES),
    metavar="N",
    help=f"Games that are played, an even number.  [default: {GAMES}, or with --sprt at most "
    f"{GAMES_WITH_TEST}]",
)
@game_option
@click.option(
    "--sprt",
    type=EloBounds(),
    metavar="ELO0,ELO1",
    help="End as soon as it is proved that A is ahead by ELO1 rather than ELO0, or the opposite.",
)
@playing_options
@form_options
@debug_option
def command(
    first: str,
    second: str,
    games: int | None,
    game: str | None,
    sprt: Sprt | None,
    parallel: int | None,
    time: float | None,
    opening_moves: int | None,
    seed: int | None,
    sockets: bool,
    out: Path | None,
    as_json: bool,
    as_csv: bool,
    as_markdown: bool,
) -> int:
    """Run ``spielleiter match``. Return the exit code."""
    form = choose_form(as_json, as_csv, as_markdown)
    if games is not None and games % 2:
        raise click.UsageError(
            f"games are played in pairs, so --games is even: {games - 1} or {games + 1}"
        )
    if games is None:
        games = GAMES if sprt is None else GAMES_WITH_TEST
    texts = (first, second)
    chosen, specs = _find(game, texts)
    tell_warnings(specs)
    try:
        plan = RunPlan(
            kind="match",
            game=chosen.id,
            bots=tuple(
                planned_bot(spec, text, chosen, name)
                for spec, text, name in zip(specs, texts, distinct_names(specs), strict=True)
            ),
            matches=games,
            seed=choose_seed(seed),
            opening_moves=choose_moves(opening_moves, chosen),
            time=choose_time(time),
            sprt=sprt,
            way=Way.SOCKETS if sockets else Way.AUTO,
            folder=working_folder(),
        )
    except PlanError as error:
        raise bad_plan(error) from None
    return start(plan, chosen, form, out, parallel)


def _find(game: str | None, texts: tuple[str, str]) -> tuple[AnyGame, list[BotSpec]]:
    try:
        chosen = choose_game(game, texts, os.environ)
        specs = [find_bot(text, chosen) for text in texts]
    except UnknownGame as error:
        raise unknown_game(error) from None
    except BotError as error:
        raise bad_bot(error) from None
    for spec in specs:
        refuse_people(spec)
    return chosen, specs


def start(plan: RunPlan, game: AnyGame, form: str, out: Path | None, parallel: int | None) -> int:
    """Play a new run in a folder of its own, and print its results. Return the exit code."""
    from spielleiter.arena.runs.saved_run import RunError

    try:
        bots = find_bots(plan, game)
    except RunError as error:
        raise CliError(error.message, error.advice, ExitCode.USAGE) from None
    folder = choose_folder(out, _words(plan), datetime.now())
    try:
        ended = play_run(
            plan.way,
            lambda players, listen: Runner(
                folder, plan, bots, players, listen=listen, parallel=parallel
            ),
            is_new=True,
        )
    finally:
        drop_if_empty(folder)
    return report(ended, form)


def _words(plan: RunPlan) -> tuple[str, ...]:
    """Return what the folder of a run is called after."""
    return plan.names if plan.kind == "match" else (plan.form.value, f"{len(plan.bots)}", "bots")
