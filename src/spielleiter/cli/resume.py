"""Go on with a run that was stopped, or print the results of one that is over (``spielleiter
resume``).
"""

from __future__ import annotations

from pathlib import Path

import click

from spielleiter.arena.runs.runner import Runner
from spielleiter.arena.runs.saved_run import RunError, find_bots, read_run
from spielleiter.arena.store.errors import StoreError
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.cli.run_options import choose_form, form_options, parallel_option
from spielleiter.cli.run_results import report
from spielleiter.cli.run_session import RunEnded, play_run

_HELP = """\
Go on with the match or tournament in DIR where it was stopped.

Games that are over stay as they are, and those that were cut are played again. It does not matter
whether the run was stopped with Ctrl+C, killed, or the power failed. If nothing is left to play,
its results are printed once more.

\b
Examples:
  spielleiter resume runs/club
  spielleiter resume runs/club --markdown > table.md

Exit codes are those of spielleiter match for a match. For a tournament 0 says that it is over.
"""


@click.command("resume", help=_HELP)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--changed", is_flag=True, help="Go on although bots have changed since the run began."
)
@parallel_option
@form_options
@debug_option
def command(
    folder: Path,
    changed: bool,
    parallel: int | None,
    as_json: bool,
    as_csv: bool,
    as_markdown: bool,
) -> int:
    """Run ``spielleiter resume``. Return the exit code."""
    form = choose_form(as_json, as_csv, as_markdown)
    if not folder.exists():
        raise CliError(
            f"there is no folder {folder}",
            "name the folder of a run, which the command that began it has told",
            ExitCode.USAGE,
        )
    if folder.is_file():
        folder = folder.parent  # somebody named the database itself
    try:
        saved = read_run(folder)
        tally = saved.tally()
        if tally.is_over:
            return report(RunEnded(folder, tally), form)
        bots = find_bots(saved.plan, saved.game, changed=changed)
    except (RunError, StoreError) as error:
        raise CliError(error.message, error.advice) from None
    ended = play_run(
        saved.plan.way,
        lambda players, listen: Runner.resume(
            saved, folder, bots, players, listen=listen, parallel=parallel
        ),
    )
    return report(ended, form)
