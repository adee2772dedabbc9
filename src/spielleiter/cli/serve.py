"""Make settings of flags, files and environment and start the server with them (``spielleiter
serve``).

The flags are made from the list of settings. Only flags that do not set anything are written
out here.
"""

from __future__ import annotations

import contextlib
import logging
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import click

from spielleiter.cli import debug_option
from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.server import Server, ServerError, kinds, serve
from spielleiter.server.logs import configure_logging, log_event
from spielleiter.server.settings import SPECS, Settings, SettingsError, Spec, check_settings
from spielleiter.server.sources import OFFICIAL_REPLAYS, PREFIX, load_settings

PROPERTIES = Path("server.properties")
TOML = Path("spielleiter.toml")

logger = logging.getLogger("spielleiter.serve")


class ServeCommand(click.Command):
    """Help with the options under the heading each setting names."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in _SECTIONS}
        for param in self.get_params(ctx):
            record = param.get_help_record(ctx)
            if record is not None:
                sections[_section(param.name or "")].append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


_SECTIONS = tuple(dict.fromkeys(["Files", *(spec.section for spec in SPECS.values()), "Other"]))


def _section(name: str) -> str:
    if name in SPECS:
        return SPECS[name].section
    return "Files" if name in ("properties", "config") else "Other"


def _option(spec: Spec) -> click.Option:
    """Return the flag of a setting.

    Values stay text here, because ``load_settings`` reads them and names mistakes.
    """
    text = f"{spec.help}{_show_default(spec)}"
    if spec.kind is kinds.BOOLEAN:
        return click.Option([*spec.flags, spec.key], default=None, help=text)
    repeated = spec.kind in (kinds.NAMES, kinds.FOLDERS)
    return click.Option(
        [*spec.flags, spec.key], multiple=repeated, metavar=spec.kind.metavar, help=text
    )


def _show_default(spec: Spec) -> str:
    if spec.kind is kinds.BOOLEAN:
        return "" if not spec.default else "  [default: yes]"
    if spec.default in (None, ()):
        return ""
    if isinstance(spec.default, tuple):
        return f"  [default: {', '.join(spec.default)}]"
    shown = f"{spec.default:g}" if isinstance(spec.default, float) else str(spec.default)
    return f"  [default: {shown}]"


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None


def read_settings(
    properties: Path | None, config: Path | None, flags: dict[str, object]
) -> Settings:
    """Return the settings for these flags here and now.

    Files named nowhere are taken from the working directory.
    """
    try:
        settings = load_settings(
            properties or _existing(PROPERTIES), config or _existing(TOML), os.environ, flags
        )
        check_settings(settings)
    except SettingsError as error:
        raise CliError(str(error), "see: spielleiter serve --help", ExitCode.USAGE) from error
    return settings


@contextlib.asynccontextmanager
async def _open_page(server: Server) -> AsyncIterator[None]:
    # Imported on first use, because a server without a page should start faster.
    from spielleiter.web.program import open_page

    async with open_page(server, server.settings) as page:
        if page is not None:
            click.echo(f"The page: {page.link()}")
            if not page.is_local:
                click.echo(f"To watch, for everybody else: {page.address}")
        yield


def _serve(
    properties: Path | None,
    config: Path | None,
    save_replay: str | None,
    plugins: str | None,
    **given: Any,
) -> int:
    flags = {key: value for key, value in given.items() if value is not None and value != ()}
    if save_replay is not None:
        flags.setdefault("save_replays", OFFICIAL_REPLAYS)
    settings = read_settings(properties, config, flags)
    # The server sets up its own log later, in place of this one.
    stop_logging = configure_logging(settings.log_level, json_lines=settings.log_json)
    try:
        for note in settings.notes:
            log_event(logger, note, level=logging.WARNING)
        if plugins is not None:
            log_event(
                logger, "--plugins has no effect, the games are built in", level=logging.WARNING
            )
        return serve(settings, beside=_open_page if settings.web else None)
    except ServerError as error:
        raise CliError(str(error)) from error
    finally:
        stop_logging()


command = ServeCommand(
    "serve",
    callback=_serve,
    help=f"""Start the game server. Players, observers and administrators of the seasons 2018,
    2021 and 2027 connect to it unchanged. It also serves a page for browsers. It prints where both
    are and runs until Ctrl+C.

    Everything can also be set in {PROPERTIES} (as for the official servers), in {TOML} (below
    [server] and [server.limits]) and as environment variables ({PREFIX}PORT=13051). Flags win over
    the environment, that over TOML, that over {PROPERTIES}. Both files are used if they are in the
    working directory.

    \b
    Examples:
      spielleiter serve --port 13051 --save-replays games
      spielleiter serve --no-timeout --log-level debug
      {PREFIX}PASSWORD=... spielleiter serve --host '*'
    """,
    params=[
        click.Option(
            ["--properties"],
            metavar="FILE",
            type=click.Path(path_type=Path),
            help=f"settings in the official format  [default: {PROPERTIES}, if there]",
        ),
        click.Option(
            ["--config"],
            metavar="FILE",
            type=click.Path(path_type=Path),
            help=f"settings in TOML  [default: {TOML}, if there]",
        ),
        *(_option(spec) for spec in SPECS.values()),
        # As the official servers spell it; they ignore the word after it, too.
        click.Option(
            ["--saveReplay", "save_replay"],
            is_flag=False,
            flag_value="true",
            metavar="",
            help=f"the same as --save-replays {OFFICIAL_REPLAYS}",
        ),
        click.Option(
            ["--plugins"], metavar="DIR", help="accepted and without effect, the games are built in"
        ),
    ],
)
command = debug_option(command)
