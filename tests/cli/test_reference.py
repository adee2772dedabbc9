"""docs/cli.md against the commands themselves: nothing missing, nothing invented, every example can
be typed.
"""

import re
import shlex
from pathlib import Path

import click
import pytest

from spielleiter.arena.exam.steps import STEP_TITLES
from spielleiter.cli import main
from spielleiter.cli.errors import ExitCode
from spielleiter.client import Exit
from spielleiter.client.arguments import HelpAsked, parse_options

PAGE = (Path(__file__).parents[2] / "docs/cli.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", PAGE, re.MULTILINE))
EVERYWHERE = {"--help", "--debug"}
FLAG = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*")
# With all settings, because a command remembers with which flags it was first asked for help.
CONTEXT = click.Context(main, info_name="spielleiter", **main.context_settings)
COMMANDS = main.list_commands(CONTEXT)


def find(name: str) -> click.Command:
    command = main.get_command(CONTEXT, name)
    assert command is not None
    return command


def options_of(command: click.Command) -> set[str]:
    """Every flag a command takes, those of its subcommands too."""
    context = click.Context(command, parent=CONTEXT, **command.context_settings)
    found = {
        flag
        for param in command.get_params(context)
        if isinstance(param, click.Option) and not param.hidden and "--help" not in param.opts
        for flag in (*param.opts, *param.secondary_opts)
    }
    if isinstance(command, click.Group):
        found |= {flag for child in command.commands.values() for flag in options_of(child)}
    return found - EVERYWHERE


def bot_options() -> set[str]:
    with pytest.raises(HelpAsked) as asked:
        parse_options(["--help"])
    usage = str(asked.value).partition("example:")[0]
    return set(FLAG.findall(usage.partition("options:")[2])) - EVERYWHERE


def table_flags(section: str) -> set[str]:
    """The flags in the first column of the section's tables of options."""
    rows = re.findall(r"^\| (`-.*?) \| ", section, re.MULTILINE)
    return {flag for row in rows for flag in FLAG.findall(row)}


def test_every_command_has_a_section_and_a_line_in_the_list() -> None:
    assert [
        name for name in SECTIONS if name not in ("Exit codes", "Who is a BOT", "Which game")
    ] == COMMANDS
    assert re.findall(r"^\| \[`(\w+)`\]\(#\1\) \|", PAGE, re.MULTILINE) == COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_the_options_are_those_of_the_command(name: str) -> None:
    expected = options_of(find(name)) or (bot_options() if name == "bot" else set())
    assert table_flags(SECTIONS[name]) == expected


@pytest.mark.parametrize("name", COMMANDS)
def test_every_section_has_an_example_that_can_be_typed(name: str) -> None:
    examples = re.findall(r"^```sh\n(.*?)^```", SECTIONS[name], re.MULTILINE | re.DOTALL)
    lines = [line for example in examples for line in example.splitlines()]
    assert lines
    for line in lines:
        program, command, *args = shlex.split(line)
        assert (program, command) == ("spielleiter", name)
        parse(find(name), args)


def parse(command: click.Command, args: list[str]) -> None:
    """Raises UsageError for what the command would not take. Nothing is run."""
    with command.make_context(command.name, list(args), parent=CONTEXT) as context:
        if isinstance(command, click.Group):
            _, child, rest = command.resolve_command(context, args)
            assert child is not None
            parse(child, rest)


def test_examples_are_really_tried() -> None:
    with pytest.raises(click.UsageError):
        parse(find("replay"), ["show"])
    with pytest.raises(click.UsageError):
        parse(find("check"), ["mybot", "--fast"])


def codes(section: str, heading: str) -> list[int]:
    table = section.partition(f"| {heading} | meaning |")[2].partition("\n\n")[0]
    return [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)]


def test_exit_codes() -> None:
    assert codes(SECTIONS["Exit codes"], "code") == sorted(ExitCode)
    assert codes(SECTIONS["bot"], "exit code of every bot") == sorted(Exit)


def test_the_duties_are_those_that_are_checked() -> None:
    duties = re.findall(r"^\| (\d+) \| ([^|]+) \|", SECTIONS["check"], re.MULTILINE)
    assert duties == [(str(number), title) for number, title in enumerate(STEP_TITLES, 1)]
