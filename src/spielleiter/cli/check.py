"""Walk a bot through its duties and print for each what was expected and what came (``spielleiter
check``).

What the duties are is in ``arena.duties``.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence

import click

from spielleiter.arena.bots import BotError, BotKind
from spielleiter.arena.exam.duties import check_bot
from spielleiter.arena.exam.steps import CheckPlan, StepResult, Verdict
from spielleiter.arena.lookup import choose_game, find_bot
from spielleiter.arena.scripts import has_windows_lines
from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode, unknown_game
from spielleiter.cli.signals import until_told_to_end
from spielleiter.cli.terminal import can_show, showable
from spielleiter.cli.values import WholeNumber
from spielleiter.games import DEFAULT, VARIABLE
from spielleiter.rules import UnknownGame, one_line

_MARKS = {
    Verdict.PASSED: ("✓", "ok"),
    Verdict.FAILED: ("✗", "FAILED"),
    Verdict.SKIPPED: ("·", "not judged"),
}
_COLORS = {Verdict.PASSED: "green", Verdict.FAILED: "red", Verdict.SKIPPED: None}
_QUICK_GAMES = 2
_CONTEST_SCRIPT = "start.sh"
"""What the contest starts in a folder, whatever is started here."""
_FOREIGN = (BotKind.PROGRAM, BotKind.JAR, BotKind.COMMAND)
"""What cannot be looked into."""

_HELP = f"""\
Walk a bot through its duties, step by step, and say for each what was expected and what
came.

BOT is a house bot's name, a .py file, a folder, a program, or a command in quotes, in whatever
language. Exit code 1 if it fails in one of its duties.

\b
Examples:
  spielleiter check mybot
  spielleiter check "java -jar player.jar" --game {DEFAULT} --quick
"""


@click.command("check", help=_HELP)
@click.argument("bot", metavar="BOT")
@click.option(
    "--game",
    "game_id",
    metavar="ID",
    help=f"the game it is to play  [default: what the bot says, else {VARIABLE}, else {DEFAULT}]",
)
@click.option(
    "--games",
    metavar="N",
    type=WholeNumber(1),
    default=1,
    show_default=True,
    help="whole games of each start, such as each start piece that a season has",
)
@click.option("--quick", is_flag=True, help=f"only {_QUICK_GAMES} whole games in all")
@click.option(
    "--revision", metavar="NAME", help="the revision of the documents that the bot was written for"
)
@debug_option
def command(bot: str, game_id: str | None, games: int, quick: bool, revision: str | None) -> int:
    """Run ``spielleiter check``. Return the exit code."""
    try:
        game = choose_game(game_id, [bot], os.environ)
        spec = find_bot(bot, game)
    except UnknownGame as error:
        raise unknown_game(error) from None
    except BotError as error:
        raise CliError(error.message, error.hint, ExitCode.USAGE) from None
    if spec.is_human:
        raise CliError("people have no duties here", "name a bot", ExitCode.USAGE)
    if revision is not None and revision not in game.codecs:
        known = ", ".join(game.codecs)
        raise CliError(
            f"{game.title} has no revision {revision!r}", f"there are: {known}", ExitCode.USAGE
        )
    is_guess = spec.kind in _FOREIGN and spec.game is None and not game_id
    unsaid = " (it does not say which game it is for: see --game)" if is_guess else ""
    click.echo(f"{spec.name}, a {spec.kind.value}, plays {game.title}{unsaid}:")
    if spec.source is not None and has_windows_lines(spec.source / _CONTEST_SCRIPT):
        click.echo(
            f"   note: {one_line(str(spec.source / _CONTEST_SCRIPT))} has line ends of Windows (CR "
            "LF):"
            " it starts nothing in the contest. Save it with line ends LF."
        )
    for line in spec.warnings:
        click.secho(showable(line), fg="red")
    status = _Status()
    plan = CheckPlan(games, _QUICK_GAMES if quick else None)
    checked = check_bot(
        spec, game, plan=plan, revision=revision, report=status.report, progress=status.show
    )
    results = asyncio.run(until_told_to_end(checked))
    status.clear()
    return _conclude(results)


class _Status:
    """One line at the bottom that says what is going on, where there is a terminal."""

    def __init__(self) -> None:
        self._is_shown = False
        self._can = sys.stdout.isatty()
        self._symbols = can_show("✓✗·")

    def show(self, text: str) -> None:
        if self._can:
            self.clear()
            click.echo(f"   ... {showable(text)}", nl=False)
            self._is_shown = True

    def clear(self) -> None:
        if self._is_shown:
            click.echo("\r\033[K", nl=False)
            self._is_shown = False

    def report(self, result: StepResult) -> None:
        self.clear()
        mark = _MARKS[result.verdict][0 if self._symbols else 1]
        click.echo(
            f"{result.number:>2} {click.style(mark, fg=_COLORS[result.verdict])} {result.title}"
        )
        click.echo(f"     expected: {result.expected}")
        click.echo(f"     came:     {showable(result.came)}")
        if result.last_words and result.verdict is Verdict.FAILED:
            click.echo("     the last it said:")
            for line in result.last_words:
                click.echo(f"       {showable(line)}")


def _conclude(results: Sequence[StepResult]) -> int:
    failed = [result for result in results if result.verdict is Verdict.FAILED]
    passed = sum(result.verdict is Verdict.PASSED for result in results)
    if passed == len(results):
        click.echo(f"All {passed} duties are done.")
        return ExitCode.OK
    steps = ", ".join(f"{result.number} ({result.title})" for result in failed)
    click.echo(f"{passed} of {len(results)} duties are done. Failed: {steps}.")
    return ExitCode.FAILED
