"""Read the command line that the contest, the official programs and people give a bot.

``-h`` is the host, as everywhere in the contest, and help is ``--help``. Order does not matter.
What nobody knows is passed over, because whoever starts bots may add to it. Nothing is done here
about what was read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import cache
from typing import NoReturn

from spielleiter.client import environment
from spielleiter.client.clock import parse_seconds
from spielleiter.client.exits import Exit
from spielleiter.games import DEFAULT
from spielleiter.rules.frozen import frozen
from spielleiter.wire import DEFAULT_PORT

DEFAULT_HOST = "localhost"
DEFAULT_CONNECT_SECONDS = 3.0
"""How long a bot tries to connect, for it may be started before the server."""

EXIT_CODES = f"""\
exit codes:
{Exit.explain_all()}

environment:
  {environment.MOVE_SECONDS:<25} seconds a move may take, or "none" (default 2)
  {environment.NOTES:<25} file for notes, marks and hints, one JSON object a move
  {environment.OWN_SERVER:<25} 1 if the server is a Spielleiter, which takes documented hints
  {environment.NAME:<25} what the bot calls itself (default: the name of its class)
  {environment.GAME:<25} the game to join if neither --game nor the bot names one
  {environment.DEBUG:<25} 1 for the same as --debug
"""


WITH_VALUE = frozenset(
    {
        "-h",
        "--host",
        "-p",
        "--port",
        "-r",
        "--reservation",
        "--room",
        "--game",
        "--revision",
        "--seed",
    }
    | {"--connect-seconds"}
)
"""The options that are followed by a value."""


class UsageError(Exception):
    """The command line cannot be read. The message says which part."""


class HelpAsked(Exception):
    """``--help`` was given. The message is the help."""


@frozen
class Options:
    """What a bot was told. ``extra`` is what nobody here knows."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT
    reservation: str | None = None
    room: str | None = None
    game: str | None = None
    revision: str | None = None
    seed: int | None = None
    connect_seconds: float = DEFAULT_CONNECT_SECONDS
    verify: bool = False
    debug: bool = False
    extra: tuple[str, ...] = ()


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        option, _, rest = message.removeprefix("argument ").partition(": ")
        if rest == "expected one argument":
            help_too = "; help is --help" if option.startswith("-h/") else ""
            raise UsageError(f"{option} needs a value{help_too}")
        raise UsageError(message.removeprefix("argument "))


def parse_options(argv: Sequence[str], program: str = "bot") -> Options:
    """Read a command line. Raises UsageError or HelpAsked."""
    parser = _parser()
    found, extra = parser.parse_known_args(list(argv))
    if found.help:
        parser.prog = program
        example = f"python {program} -h {DEFAULT_HOST} -p {DEFAULT_PORT} -r CODE"
        parser.epilog = f"example:\n  {example}\n\n{EXIT_CODES}"
        raise HelpAsked(parser.format_help())
    return Options(
        host=found.host or DEFAULT_HOST,
        port=found.port,
        reservation=found.reservation or None,  # an empty one is how scripts say "none"
        room=found.room or None,
        game=found.game or None,
        revision=found.revision or None,
        seed=found.seed,
        connect_seconds=found.connect_seconds,
        verify=found.verify,
        debug=found.debug,
        extra=tuple(extra),
    )


def split_name(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the first word that is neither an option nor the value of one, and all the others."""
    is_value = False
    for index, word in enumerate(argv):
        if not is_value and not word.startswith("-"):
            return word, [*argv[:index], *argv[index + 1 :]]
        is_value = not is_value and word in WITH_VALUE
    return None, list(argv)


@cache
def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        description="Plays one game on a server and ends. Without -r or --room it takes any free "
        "seat.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("-h", "--host", default=DEFAULT_HOST, help=f"where the server is (default {DEFAULT_HOST})")
    add("-p", "--port", type=_port, default=DEFAULT_PORT, help=f"its port (default {DEFAULT_PORT})")
    add("-r", "--reservation", metavar="CODE", help="take the seat this code was reserved for")
    add("--room", metavar="ID", help="take a free seat in this room")
    add(
        "--game",
        metavar="ID",
        help=f"the game to join, such as {DEFAULT} (default: what the bot says)",
    )
    add("--revision", help="ask a Spielleiter for this revision of the documents")
    add("--seed", type=_seed, help="a number that makes the bot's dice fall the same way again")
    add(
        "--connect-seconds",
        type=_seconds,
        default=DEFAULT_CONNECT_SECONDS,
        metavar="S",
        help="how long to try to connect",
    )
    add("--verify", action="store_true", help="only check that the bot can be made, and end")
    add("--debug", action="store_true", help="say more, and show where in the SDK something failed")
    add("--help", action="store_true", help="show this and end")
    return parser


def _port(text: str) -> int:
    try:
        port = int(text)
    except ValueError:
        port = 0
    if not 1 <= port <= 65535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port, which is a number from 1 to 65535"
        )
    return port


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def _seconds(text: str) -> float:
    try:
        return parse_seconds(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0") from None
