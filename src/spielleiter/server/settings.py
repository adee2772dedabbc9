"""Everything about the server that can be set, with names, defaults and help.

Where the values come from is in ``sources``. What one client may cost is in ``limits``.

The fields are the only list of settings there is. Flags, environment variables, TOML keys and help
are made from it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from spielleiter.games import DEFAULT, EXAMPLE_VARIANT, all_games, get_game
from spielleiter.rules import UnknownGame
from spielleiter.server import kinds
from spielleiter.server.kinds import Kind, about
from spielleiter.server.limits import ServerLimits
from spielleiter.wire import DEFAULT_PORT

EXAMPLE_PASSWORD = "examplepassword"  # noqa: S105  it is public: the official servers ship with it
ALL_INTERFACES = "*"


class SettingsError(Exception):
    """A setting that cannot be used, with its place, its name and what would be right."""

    def __init__(self, where: str, key: str, reason: str) -> None:
        super().__init__(f"{where}: {key}: {reason}")
        self.where = where
        self.key = key
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Spec:
    """What is known about one setting. ``key`` is its name in flags and the environment."""

    key: str
    name: str
    kind: Kind
    help: str
    section: str
    flags: tuple[str, ...]
    default: Any
    is_limit: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """A server's configuration, complete and final."""

    host: str = field(
        default="localhost",
        metadata=about(
            "Listening",
            kinds.TEXT,
            f"address to listen on; {ALL_INTERFACES} for every network there is",
        ),
    )
    port: int = field(
        default=DEFAULT_PORT,
        metadata=about(
            "Listening", kinds.PORT, "TCP port to listen on; 0 takes any free one", "-p", "--port"
        ),
    )
    uvloop: bool = field(
        default=False,
        metadata=about(
            "Listening",
            kinds.BOOLEAN,
            "use the faster event loop, if installed; the server's own work then counts as "
            "players' time",
        ),
    )

    web: bool = field(
        default=True,
        metadata=about("Page", kinds.BOOLEAN, "serve the page for browsers, too"),
    )
    web_port: int | None = field(
        default=None,
        metadata=about(
            "Page",
            kinds.optional(kinds.PORT),
            "port of the page, 8080 or the next free one if none is named; 0 takes any free one",
        ),
    )
    web_host: str = field(
        default="",
        metadata=about(
            "Page", kinds.TEXT, "address of the page, if it is another than that of the server"
        ),
    )
    web_name: tuple[str, ...] = field(
        default=(),
        metadata=about(
            "Page", kinds.NAMES, "further name under which browsers may ask for the page"
        ),
    )

    results: tuple[str, ...] = field(
        default=("runs",),
        metadata=about(
            "Page",
            kinds.FOLDERS,
            "folder with runs of the arena, whose results the page shows; may be repeated",
        ),
    )

    password: str | None = field(
        default=EXAMPLE_PASSWORD,
        repr=False,
        metadata=about(
            "Administration",
            kinds.PASSWORD,
            "what administrators authenticate with; empty: nobody can. Others on this machine can "
            "read flags:"
            " prefer the environment or a file",
        ),
    )
    allow_example_password: bool = field(
        default=False,
        metadata=about(
            "Administration",
            kinds.BOOLEAN,
            "listen to the network although the password is the public one",
        ),
    )

    paused: bool = field(
        default=False,
        metadata=about(
            "Games", kinds.BOOLEAN, "games made by joining start paused; prepared ones say it"
        ),
    )
    test_mode: bool = field(
        default=False, metadata=about("Games", kinds.BOOLEAN, "add up scores per display name")
    )
    game: str = field(
        default=DEFAULT,
        metadata=about(
            "Games",
            kinds.GAME,
            "the game of players who join without saying which, if no room is open",
        ),
    )
    revision: str = field(
        default="2021-newest",
        metadata=about(
            "Games",
            kinds.TEXT,
            "how games are written unless one asks, such as 2021-older or 2018-documented",
        ),
    )
    variants: tuple[str, ...] = field(
        default=(),
        metadata=about(
            "Games",
            kinds.NAMES,
            f"rules for a game type, such as {EXAMPLE_VARIANT}; once for each type",
            "--variant",
        ),
    )
    load: Path | None = field(
        default=None,
        metadata=about(
            "Games",
            kinds.FILE,
            "start games from a position of this replay, unless prepared otherwise",
            "--load",
            "--loadGameFile",
        ),
    )
    turn: int | None = field(
        default=None,
        metadata=about(
            "Games",
            kinds.optional(kinds.whole("N", 0)),
            "with --load: from the first position of this turn on",
        ),
    )

    no_timeout: bool = field(
        default=False,
        metadata=about(
            "Time", kinds.BOOLEAN, "nobody loses on time, for debugging", "--no-timeout/--timeout"
        ),
    )
    soft_timeout: float = field(
        default=2.0,
        metadata=about("Time", kinds.SECONDS, "a move that takes longer loses the game"),
    )
    hard_timeout: float = field(
        default=10.0,
        metadata=about("Time", kinds.SECONDS, "without a move for this long the game ends"),
    )

    save_replays: Path | None = field(
        default=None, metadata=about("Replays", kinds.FOLDER, "save every game in this folder")
    )
    replay_gzip: bool = field(
        default=False,
        metadata=about(
            "Replays", kinds.BOOLEAN, "save as .xml.gz instead of .xml", "--gzip/--no-gzip"
        ),
    )

    log_json: bool = field(
        default=False,
        metadata=about("Log", kinds.BOOLEAN, "one JSON object a line instead of text"),
    )
    log_level: str = field(
        default="info",
        metadata=about(
            "Log",
            kinds.choice("debug", "info", "warning", "error"),
            "least important event that is logged",
        ),
    )

    limits: ServerLimits = field(default_factory=ServerLimits)
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the log should say about where the values came from."""

    @property
    def bind_host(self) -> str | None:
        """Return the host as asyncio wants it, None for every interface of both IP versions."""
        return None if self.host in ("", ALL_INTERFACES) else self.host

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can connect."""
        return is_local_host(self.host)


def is_local_host(host: str) -> bool:
    """Return whether what listens on this host can be reached from this machine alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _specs() -> Iterator[Spec]:
    for owner, prefix in ((Settings, ""), (ServerLimits, "limit_")):
        for one in fields(owner):
            if one.metadata:
                key = prefix + one.name
                dashed = key.replace("_", "-")
                usual = (
                    f"--{dashed}/--no-{dashed}"
                    if one.metadata["kind"] is kinds.BOOLEAN
                    else f"--{dashed}"
                )
                yield Spec(
                    key,
                    one.name,
                    one.metadata["kind"],
                    one.metadata["help"],
                    one.metadata["section"],
                    one.metadata["flags"] or (usual,),
                    one.default,
                    is_limit=owner is ServerLimits,
                )


SPECS: Mapping[str, Spec] = MappingProxyType({spec.key: spec for spec in _specs()})
"""Every setting by its key, in the order help should show them."""


def check_settings(settings: Settings) -> None:
    """Refuse what is readable but must not or cannot work. Raises SettingsError."""
    if (
        settings.password == EXAMPLE_PASSWORD
        and not settings.is_local
        and not settings.allow_example_password
    ):
        raise SettingsError(
            "settings",
            "password",
            f"everyone who can reach {settings.host} knows the example password; set another one,"
            " or allow_example_password if that is meant",
        )
    _check_numbers(settings)
    _check_path("load", settings.load, lambda path: path.is_file(), "is not a file that is there")
    _check_path(
        "save_replays",
        settings.save_replays,
        lambda path: path.is_dir() or not path.exists(),
        "is a file; name a folder",
    )
    _check_games(settings)


def _check_path(key: str, path: Path | None, is_right: Callable[[Path], bool], reason: str) -> None:
    try:
        if path is None or is_right(path):
            return
    except OSError as error:
        reason = f"cannot be looked at: {error.strerror}"
    raise SettingsError("settings", key, f"{str(path)!r} {reason}")


def _check_numbers(settings: Settings) -> None:
    if settings.hard_timeout < settings.soft_timeout:
        raise SettingsError(
            "settings",
            "hard_timeout",
            f"{settings.hard_timeout:g} s is below soft_timeout, {settings.soft_timeout:g} s",
        )
    if settings.limits.token_bytes > settings.limits.message_bytes:
        raise SettingsError(
            "settings",
            "limit_token_bytes",
            f"{settings.limits.token_bytes} is above limit_message_bytes, "
            f"{settings.limits.message_bytes}",
        )
    if settings.turn is not None and settings.load is None:
        raise SettingsError(
            "settings", "turn", "says where in a replay to begin; name the replay with load"
        )


def _check_games(settings: Settings) -> None:
    chosen: dict[str, str] = {}
    for name in settings.variants:
        try:
            game = get_game(name)
        except UnknownGame as unknown:
            raise SettingsError("settings", "variants", str(unknown)) from None
        other = chosen.setdefault(game.game_type, name)
        if other != name:
            raise SettingsError(
                "settings", "variants", f"{other} and {name} are both {game.game_type}; choose one"
            )
    try:
        get_game(settings.game)
    except UnknownGame as unknown:
        raise SettingsError("settings", "game", str(unknown)) from None
    known = sorted({revision for game in all_games() for revision in game.codecs})
    if settings.revision not in known:
        raise SettingsError(
            "settings", "revision", f"{settings.revision!r} is not one of {', '.join(known)}"
        )
