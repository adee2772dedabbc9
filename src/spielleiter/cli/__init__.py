"""Find the subcommand of ``spielleiter``, load its file, and turn errors into one line and an exit
code.

Each subcommand is one file here that offers ``command``. A file is loaded when its command runs, so
help is quick and a part that is not installed breaks nothing but itself.
"""

from __future__ import annotations

import contextlib
import difflib
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from spielleiter import __version__
from spielleiter.cli.errors import (
    CliError,
    ExitCode,
    OutputError,
    check_output,
    echo_error,
    finish_streams,
    prepare_streams,
)
from spielleiter.rules import one_line

SUBCOMMANDS = {
    "play": "play one game between two bots, or against one",
    "new": "make a folder with a bot that already plays",
    "check": "walk a bot through its duties, step by step",
    "match": "find out which of two bots is stronger",
    "tournament": "let many bots play against each other, and make the table",
    "resume": "go on with a match or tournament that was stopped",
    "doctor": "find out what is wrong with this computer's set-up",
    "serve": "start the game server that players connect to",
    "watch": "show the games of another server in the browser",
    "results": "list, join, export and report what runs played",
    "replay": "show, verify and list recorded games",
    "analyse": "say for each move of a recorded game how good it was",
    "bot": "connect a house bot to a server",
}
"""Every subcommand with its line in the help. One is listed as soon as its file is there."""


class HelpfulGroup(click.Group):
    """A group that takes ``help`` for a command, and says which commands there are."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] == "help":
            words = [word for word in args[1:] if not word.startswith("-")]
            if not words:
                click.echo(ctx.get_help(), color=ctx.color)
                ctx.exit()
            args = [*words, "--help"]
        known = self.list_commands(ctx)
        if args and args[0] not in known and not args[0].startswith("-"):
            close = difflib.get_close_matches(args[0].lower(), known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            ctx.fail(f"there is no command {args[0]!r}; {hint}")
        name, command, rest = super().resolve_command(ctx, args)
        root = ctx.find_root().command
        if isinstance(root, LazyGroup) and command is not None:
            root.called = f"{ctx.command_path} {name}", command
        return name, command, rest


class LazyGroup(HelpfulGroup):
    """A group whose commands are files in this folder, and whose errors are one line."""

    debug = False
    called: tuple[str, click.Command] | None = None
    """How the command was called that was found last, and the command.

    click forgets it where it complains about an option without a value.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for name in SUBCOMMANDS if find_spec(f"{__name__}.{name}") is not None]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        try:
            command: click.Command = import_module(f"{__name__}.{cmd_name}").command
        except ModuleNotFoundError as error:
            if error.name is None or error.name.partition(".")[0] == "spielleiter":
                raise
            raise CliError(
                f"{cmd_name} needs the package {error.name}, which is not installed",
                f"install it: python -m pip install {error.name}",
            ) from error
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, because click would load every file for its help."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, SUBCOMMANDS[name]) for name in self.list_commands(ctx)])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run and exit. A command's own return value, if it is a number, is the exit code."""
        if not standalone_mode:
            return self._run(args, prog_name, complete_var, standalone_mode=False, **extra)
        prepare_streams()
        try:
            return self._run(args, prog_name, complete_var, standalone_mode=True, **extra)
        finally:
            finish_streams()

    def _run(
        self,
        args: Sequence[str] | None,
        prog_name: str | None,
        complete_var: str | None,
        *,
        standalone_mode: bool,
        **extra: Any,
    ) -> Any:
        """Run the command, and exit if ``standalone_mode`` says so."""
        self.debug, self.called = False, None
        try:
            try:
                # On Windows click would take the * of --host * for a pattern of files.
                extra.setdefault("windows_expand_args", False)
                result = super().main(
                    args, prog_name or "spielleiter", complete_var, standalone_mode=False, **extra
                )
            except click.UsageError as error:
                # A group without a command is a question. Versions of click without this class
                # answer it themselves.
                if type(error).__name__ != "NoArgsIsHelpError" or error.ctx is None:
                    raise
                click.echo(error.ctx.get_help(), color=error.ctx.color)
                result = ExitCode.OK
        except (Exception, KeyboardInterrupt) as error:
            if not standalone_mode:
                raise
            sys.exit(self._report(check_output(error) or error))
        if standalone_mode:
            if failure := check_output():
                sys.exit(self._report(failure))
            sys.exit(result if isinstance(result, int) else ExitCode.OK)
        return result

    def _report(self, error: BaseException) -> int:
        """Say on stderr what went wrong. Return the exit code."""
        if isinstance(error, OutputError) and error.is_unread:
            return ExitCode.FAILED
        message, hint, exit_code = self._explain(error)
        with contextlib.suppress(OSError):  # then nobody can be told
            if self.debug:
                for line in "".join(traceback.format_exception(error)).splitlines():
                    click.echo(one_line(line), err=True)
            echo_error(message, hint)
        return exit_code

    def _explain(self, error: BaseException) -> tuple[str, str, int]:
        """Return an error as a line, what to do about it, and the exit code."""
        match error:
            case CliError():
                return error.message, error.hint, error.exit_code
            case click.Abort() | KeyboardInterrupt():
                return "interrupted", "", ExitCode.INTERRUPTED
            case click.UsageError():
                from spielleiter.cli.usage import explain_usage

                return *explain_usage(
                    error, *(self.called or ("spielleiter", self))
                ), ExitCode.USAGE
            case click.ClickException():
                return error.format_message(), "", error.exit_code
            case _:
                said = " ".join(str(error).split())
                name = type(error).__name__
                return (
                    f"unexpected {name}: {said}" if said else f"unexpected {name}",
                    (
                        "this is a mistake of ours; run again as spielleiter --debug ... to see "
                        "where, "
                        "and report it"
                    ),
                    ExitCode.FAILED,
                )


def _set_debug(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001
    group = ctx.find_root().command
    if value and isinstance(group, LazyGroup):
        group.debug = True


debug_option = click.option(
    "--debug",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_set_debug,
    help="Show tracebacks: where in the program an error arose.",
)
"""Subcommands take it too, because whoever meets an error appends it to what they typed."""


_EXIT_CODES = f"""\b
Exit codes:
{ExitCode.explain_all()}
  143  ended by SIGTERM; 129 by SIGHUP

COMMAND -h, or spielleiter help COMMAND, says more about a command.
"""


@click.group(
    "spielleiter",
    cls=LazyGroup,
    epilog=_EXIT_CODES,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="spielleiter", message="%(prog)s %(version)s")
@debug_option
def main() -> None:
    """Referee server, player kit and arena for the games of the Software-Challenge Germany.

    \b
    Examples:
      spielleiter play                   watch two house bots
      spielleiter new mybot              a bot of your own that already plays
      spielleiter play mybot             watch it against a house bot
      spielleiter serve                  a server on port 13050
    """
