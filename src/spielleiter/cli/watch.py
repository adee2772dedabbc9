"""Show the matches of another server on a page in the browser (``spielleiter watch``).

The page is a client of that server, ours or an official one of any season.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import webbrowser

import click

from spielleiter.cli import debug_option
from spielleiter.cli.display import has_display
from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.cli.signals import until_told_to_end
from spielleiter.cli.values import WholeNumber
from spielleiter.client.admin import AdminError
from spielleiter.rules import one_line
from spielleiter.server import ServerError, Settings
from spielleiter.server.settings import EXAMPLE_PASSWORD
from spielleiter.server.sources import PREFIX
from spielleiter.web.program import open_page
from spielleiter.web.remote import RemotePlace, RemoteReader
from spielleiter.wire import DEFAULT_PORT

PASSWORD = f"{PREFIX}PASSWORD"

_HELP = f"""\
Show the games of another server on a page in the browser, until Ctrl+C.

The server may be a Spielleiter or an official one of any season. The page shows what that server
lets an administrator observe. Servers tell administrators of games that players join by
themselves; a prepared game is shown if its room is named.

\b
Examples:
  spielleiter watch
  spielleiter watch --server 192.168.1.20:13050 --password secret
  spielleiter watch --room 7fd1a53c-8a16-4c4f-9e4b-0d5ab6d0b1a5

Others on this machine can read options. The password may also be in {PASSWORD}.
"""


@click.command("watch", help=_HELP)
@click.option(
    "--server",
    metavar="HOST:PORT",
    default=f"localhost:{DEFAULT_PORT}",
    show_default=True,
    help="Where the server is.",
)
@click.option("--password", metavar="TEXT", help="The administrator's.  [default: the public one]")
@click.option("--room", "rooms", metavar="ID", multiple=True, help="Also observe this room.")
@click.option(
    "--web-port",
    type=WholeNumber(0, 65535),
    metavar="PORT",
    help="Port of the page; 0 takes any free one.  [default: 8080, or the next free one]",
)
@click.option(
    "--web-host",
    metavar="HOST",
    default="localhost",
    show_default=True,
    help="Address of the page; * for every network there is.",
)
@debug_option
def command(
    server: str, password: str | None, rooms: tuple[str, ...], web_port: int | None, web_host: str
) -> int:
    """Run ``spielleiter watch``. Return the exit code."""
    host, port = parse_address(server)
    given = password or os.environ.get(PASSWORD) or EXAMPLE_PASSWORD
    place = RemotePlace(host, port, given, rooms)
    settings = Settings(host=web_host, web_port=web_port)
    return asyncio.run(until_told_to_end(_watch(place, settings)))


def parse_address(text: str) -> tuple[str, int]:
    """Return host and port. Raises CliError."""
    host, colon, port = text.rpartition(":")
    if not colon or text.endswith("]"):  # a newer address without a port has colons, too
        host, port = text, str(DEFAULT_PORT)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        raise CliError(
            f"{text!r} is not the address of a server",
            f"write it like localhost:{DEFAULT_PORT}",
            ExitCode.USAGE,
        )
    return host, int(port)


async def _watch(place: RemotePlace, settings: Settings) -> int:
    try:
        async with open_page(None, settings) as page:
            if page is None:
                raise CliError("there is no free port for the page", "name one with --web-port")
            site = page.site
            site.remote = place.address

            def note_away(is_away: bool) -> None:
                site.is_remote_away = is_away

            reader = RemoteReader(site.gallery, place, _say, note_away)
            reading = asyncio.ensure_future(reader.run())
            try:
                click.echo(f"Watching {one_line(place.address)}; Ctrl+C ends.")
                click.echo(f"The page: {page.link()}")
                if has_display(os.environ):
                    with contextlib.suppress(webbrowser.Error):
                        await asyncio.to_thread(webbrowser.open, page.link())
                await reading
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)
    except AdminError as error:
        raise CliError(str(error), "is the server running, and is the password right?") from None
    except ServerError as error:
        raise CliError(str(error)) from None
    return ExitCode.OK


def _say(sentence: str) -> None:
    click.echo(one_line(sentence, 1000), err=True)
