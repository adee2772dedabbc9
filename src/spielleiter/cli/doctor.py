"""Look at this computer and say what would stop a game and what to do about it (``spielleiter
doctor``).

The questions are in ``diagnosis``, and this prints the answers. It changes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict

import click

from spielleiter import __version__
from spielleiter.cli import debug_option
from spielleiter.cli.diagnosis import Finding, Level, examine
from spielleiter.cli.errors import ExitCode
from spielleiter.cli.terminal import can_show, showable
from spielleiter.cli.values import WholeNumber
from spielleiter.wire import DEFAULT_PORT

_MARKS = {Level.OK: "✓", Level.NOTE: "·", Level.WARNING: "!", Level.PROBLEM: "✗"}
_ASCII_MARKS = {Level.OK: "ok", Level.NOTE: "-", Level.WARNING: "!", Level.PROBLEM: "X"}
_COLORS = {Level.OK: "green", Level.NOTE: None, Level.WARNING: "yellow", Level.PROBLEM: "red"}


@click.command("doctor")
@click.option(
    "--port",
    metavar="PORT",
    type=WholeNumber(1, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="the port to try",
)
@click.option("--json", "as_json", is_flag=True, help="one JSON object, for programs")
@debug_option
def command(port: int, as_json: bool) -> int:
    """Find out what is wrong with this computer's set-up, and what to do.

    Looks at Python and the packages, the port of the server, connections on this machine, the
    clock, the processor, the terminal and the working folder. Every line is good (✓), worth knowing
    (·), a risk (!) or a fault (✗). Exit code 1 if there is a fault.

    \b
    Examples:
      spielleiter doctor
      spielleiter doctor --json > about-this-pc.json
    """
    findings = list(examine(port))
    if as_json:
        shown = [{**asdict(finding), "level": finding.level.value} for finding in findings]
        click.echo(json.dumps({"spielleiter": __version__, "findings": shown}, indent=2))
    else:
        _print(findings)
    return (
        ExitCode.FAILED
        if any(finding.level is Level.PROBLEM for finding in findings)
        else ExitCode.OK
    )


def _print(findings: Iterable[Finding]) -> None:
    marks = _MARKS if can_show("".join(_MARKS.values())) else _ASCII_MARKS
    width = max(len(mark) for mark in marks.values())
    count = {Level.WARNING: 0, Level.PROBLEM: 0}
    for finding in findings:
        mark = click.style(marks[finding.level].ljust(width), fg=_COLORS[finding.level])
        click.echo(f"{mark} {finding.name}: {showable(finding.text)}")
        if finding.advice:
            click.echo(f"{' ' * width}   -> {showable(finding.advice)}")
        if finding.level in count:
            count[finding.level] += 1
    click.echo()
    if count[Level.PROBLEM]:
        click.echo(
            f"{_number(count[Level.PROBLEM], 'fault')} to mend: the lines with "
            f"{marks[Level.PROBLEM]}."
        )
    elif count[Level.WARNING]:
        click.echo(
            f"Games can be played; {_number(count[Level.WARNING], 'thing')} to know, marked with !."
        )
    else:
        click.echo("All is well.")


def _number(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
