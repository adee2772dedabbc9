"""Options that the commands for runs share, and how they become a part of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from random import SystemRandom
from typing import TypeVar

import click

from spielleiter.arena.bots import BotError, BotSpec
from spielleiter.arena.pairing.openings import MOST_MOVES, default_moves
from spielleiter.arena.runs.machine import MOST_PARALLEL
from spielleiter.arena.runs.plan import LONGEST_SECONDS, PlanError
from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.cli.run_session import say
from spielleiter.cli.terminal import showable
from spielleiter.cli.values import Folder, Seconds, WholeNumber
from spielleiter.games import DEFAULT, EXAMPLES, VARIABLE
from spielleiter.match import TimeControl
from spielleiter.rules import AnyGame

F = TypeVar("F", bound=Callable[..., object])

PATIENCE = 5
"""How many times as long as a move may take it is waited for. It is the contest's 10 to 2."""
_MOST_SEED = 2**53
_MOST_WARNINGS = 5


def game_option(command: F) -> F:
    return click.option(
        "--game",
        metavar="ID",
        help=f"The game, such as {EXAMPLES[0]}.  [default: what a bot is for, else {VARIABLE}, "
        f"else {DEFAULT}]",
    )(command)


def playing_options(command: F) -> F:
    """Add the options that say how games are played."""
    for option in (
        click.option(
            "--sockets",
            is_flag=True,
            help="Start every bot anew for every game and let it play over a socket, as in the "
            "contest.  [default: Python bots play in processes that stay]",
        ),
        click.option(
            "--seed",
            type=WholeNumber(0, _MOST_SEED),
            metavar="N",
            help="The same number gives the same openings and dice again.",
        ),
        click.option(
            "--opening-moves",
            type=WholeNumber(0, MOST_MOVES),
            metavar="N",
            help="Moves drawn by lot before the bots begin.  [default: as many as make games "
            "differ]",
        ),
        click.option(
            "--time",
            type=Seconds(above_zero=True),
            metavar="S",
            help=f"Seconds a move may take.  [default: {TimeControl().soft:g}]",
        ),
        parallel_option,
        click.option(
            "--out",
            type=Folder(),
            metavar="DIR",
            help="The folder for the results, new or empty.  [default: a new one in runs]",
        ),
    ):
        command = option(command)
    return command


parallel_option = click.option(
    "--parallel",
    type=WholeNumber(1, MOST_PARALLEL),
    metavar="N",
    help="Games that are played at the same time.  [default: what the processors can bear]",
)


def form_options(command: F) -> F:
    """Add the options that say how results are printed."""
    for name, text in (
        ("--markdown", "Print the results as Markdown."),
        ("--csv", "Print the results as CSV."),
        ("--json", "Print the results as one JSON document."),
    ):
        command = click.option(name, f"as_{name[2:]}", is_flag=True, help=text)(command)
    return command


def choose_form(as_json: bool, as_csv: bool, as_markdown: bool) -> str:
    """Return in which form results are printed. Raises UsageError for two of them."""
    chosen = [
        form
        for form, is_wanted in (("json", as_json), ("csv", as_csv), ("markdown", as_markdown))
        if is_wanted
    ]
    if len(chosen) > 1:
        raise click.UsageError(f"--{chosen[0]} and --{chosen[1]} exclude each other")
    return chosen[0] if chosen else "text"


def choose_seed(seed: int | None) -> int:
    return SystemRandom().getrandbits(31) if seed is None else seed


def choose_time(seconds: float | None) -> TimeControl:
    """Return the limits for a move. Raises CliError for more than a run may take."""
    if seconds is None:
        return TimeControl()
    if PATIENCE * seconds > LONGEST_SECONDS:
        raise CliError(
            f"{seconds:g} seconds are too many for a move",
            f"take {LONGEST_SECONDS / PATIENCE:g} at most",
            ExitCode.USAGE,
        )
    return TimeControl(seconds, PATIENCE * seconds)


def choose_moves(moves: int | None, game: AnyGame) -> int:
    return default_moves(game) if moves is None else moves


def bad_bot(error: BotError) -> CliError:
    return CliError(error.message, error.hint, ExitCode.USAGE)


def bad_plan(error: PlanError) -> CliError:
    return CliError(str(error), "see the page of the command in docs/cli.md", ExitCode.USAGE)


def refuse_people(spec: BotSpec) -> None:
    if spec.is_human:
        raise CliError(
            "people cannot play so many games",
            "name a bot, or play one game: spielleiter play human",
            ExitCode.USAGE,
        )


def tell_warnings(specs: Sequence[BotSpec]) -> None:
    """Say what the authors of the bots should know before they play."""
    lines = dict.fromkeys(line for spec in specs for line in spec.warnings)
    for line in list(lines)[:_MOST_WARNINGS]:
        say(showable(line))
    if len(lines) > _MOST_WARNINGS:
        say(f"and {len(lines) - _MOST_WARNINGS} more such warnings; spielleiter check shows them")


def working_folder() -> str:
    """Return where relative paths of bots are meant from."""
    try:
        return str(Path.cwd())
    except OSError as error:
        raise CliError(
            f"the working directory is not there: {error.strerror or error}",
            "change to another one",
        ) from None
