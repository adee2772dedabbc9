"""Everything about the server that can be set, with names, defaults and help.

Where the values come from is in ``sources``.

The fields are the only list of settings there is: flags, environment variables, TOML keys and help
are made from it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from types import MappingProxyType
from typing import Any

from spielleiter.games import DEFAULT, EXAMPLE_VARIANT, all_games, find_game_type, get_game
from spielleiter.rules import AnyGame, UnknownGame
from spielleiter.server import kinds
from spielleiter.server.kinds import Kind
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


def _about(section: str, kind: Kind, text: str, *flags: str) -> Mapping[str, Any]:
    return {"section": section, "kind": kind, "help": text, "flags": flags}


def _limit(kind: Kind, text: str) -> Mapping[str, Any]:
    return _about("Limits", kind, text)


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one client may cost, so that no client costs another one their game."""

    # Moves are below 1 KiB and the longest request we know below 4 KiB; what is longer is no client
    # of ours.
    message_bytes: int = field(
        default=65536, metadata=_limit(kinds.SIZE, "longest message taken from a client")
    )
    # Expat reads an unfinished token again with each new byte: an attribute without end costs
    # quadratic time.
    token_bytes: int = field(
        default=8192, metadata=_limit(kinds.SIZE, "longest single tag or text in a message")
    )
    # A move is three levels deep; depth costs memory for each open element.
    nesting: int = field(default=16, metadata=_limit(kinds.COUNT, "deepest nesting of elements"))
    # A slot has four; the parser builds all attributes of a tag before anyone can look at them.
    attributes: int = field(
        default=32, metadata=_limit(kinds.COUNT, "most attributes of one element")
    )
    # A parser keeps every name it has seen until the connection ends; all seasons together have
    # fewer than 100.
    names: int = field(
        default=256, metadata=_limit(kinds.COUNT, "most different element and attribute names")
    )
    # Names go into every state, log and page; nobody reads more.
    display_name_length: int = field(
        default=100, metadata=_limit(kinds.COUNT, "longest display name in characters")
    )
    # A move has five, a large position about 500. Each costs some microseconds, whatever it is
    # called.
    elements: int = field(
        default=2000, metadata=_limit(kinds.COUNT, "most elements in one message")
    )
    # Each takes a file descriptor and up to 100 kB; the usual hard limit of a system is about this.
    connections: int = field(
        default=20000, metadata=_limit(kinds.COUNT, "most connections at once")
    )
    # A whole class behind one address fits; one PC cannot take all places.
    connections_per_address: int = field(
        default=64,
        metadata=_limit(kinds.COUNT, "most connections at once from one address of the network"),
    )
    # Tournaments and load tests run thousands of bots on the server's own machine, where flooding
    # it needs no socket.
    connections_per_loopback: int = field(
        default=20000, metadata=_limit(kinds.COUNT, "most connections at once from this machine")
    )
    # One for each pair of connections; prepared rooms cost memory until somebody plays in them.
    rooms: int = field(default=10000, metadata=_limit(kinds.COUNT, "most rooms at once"))
    # Whoever prepares a game starts its players next; forgotten rooms would fill the house.
    room_seconds: float = field(
        default=3600.0,
        metadata=_limit(kinds.SECONDS, "time a prepared game waits for its first player"),
    )
    # A client speaks at once; whoever is silent is a port scanner or waits for a banner.
    first_byte_seconds: float = field(
        default=10.0,
        metadata=_limit(kinds.SECONDS, "time until a new connection must have sent something"),
    )
    # Against senders of one byte a second: a started message of 64 KiB takes less even on a bad
    # line.
    message_seconds: float = field(
        default=10.0,
        metadata=_limit(kinds.SECONDS, "time until a started message must be complete"),
    )
    # The documents have clients join first thing; an administrator authenticates first thing.
    lobby_seconds: float = field(
        default=60.0,
        metadata=_limit(kinds.SECONDS, "time until a connection must have joined or authenticated"),
    )
    # A whole game is about 1 MB: a client that far behind does not read, and memory is not its to
    # fill.
    unread_bytes: int = field(
        default=4 * 1024**2, metadata=_limit(kinds.SIZE, "most output waiting for a slow client")
    )
    # The fastest bots send 100 kB a second; reading is work, and who makes work must not slow
    # others down.
    bytes_per_second: int = field(
        default=1024**2,
        metadata=_limit(
            kinds.SIZE, "most input a second from one client, which is then read more slowly"
        ),
    )
    # A game needs less than one a second; an administrator stepping through one perhaps ten.
    messages_per_second: int = field(
        default=50, metadata=_limit(kinds.COUNT, "most messages a second, on average")
    )
    # An administrator prepares a round of games in one go.
    message_burst: int = field(
        default=200,
        metadata=_limit(kinds.COUNT, "most messages at once, before the average counts"),
    )
    # Reading one element is the unit, some two microseconds. A game takes 100 a second besides its
    # moves, which do not count; this is a hundredth of a core. What is saved in two idle seconds
    # may be used at once.
    work_per_second: int = field(
        default=5000,
        metadata=_limit(
            kinds.COUNT,
            "most work a second for one client, in elements read; it is then served more slowly",
        ),
    )
    # A class of thirty that joins at the same moment makes 7000. This is a tenth of a core.
    work_per_address: int = field(
        default=50_000,
        metadata=_limit(
            kinds.COUNT, "most work a second for all clients of one address of the network"
        ),
    )
    # Two thousand players who come at the same moment make 450000, and two seconds save 400000.
    # Half a core.
    work_in_all: int = field(
        default=200_000,
        metadata=_limit(
            kinds.COUNT, "most work a second for all clients together; moves do not count"
        ),
    )
    # A late move, a second goodbye, an element of a newer season: one or two a game. One a second
    # is forgiven.
    useless_messages: int = field(
        default=20,
        metadata=_limit(kinds.COUNT, "most messages that lead nowhere, before one a second counts"),
    )
    # A crashed PC or a pulled plug sends no goodbye; the opponent should not wait for the hard
    # limit of every move.
    dead_peer_seconds: float = field(
        default=15.0, metadata=_limit(kinds.SECONDS, "time until a peer that vanished is noticed")
    )
    # Official clients close by themselves after ``left``; the documents have the server do it.
    goodbye_seconds: float = field(
        default=5.0,
        metadata=_limit(kinds.SECONDS, "time a client has to close after its game before we do"),
    )
    # A person mistypes a few times; a program that guesses gets nowhere at this rate.
    auth_attempts_per_minute: int = field(
        default=5,
        metadata=_limit(
            kinds.COUNT, "wrong passwords a minute from one address before tries take longer"
        ),
    )
    # Many addresses that try a few each are one guesser, too.
    auth_failures_per_minute: int = field(
        default=60,
        metadata=_limit(
            kinds.COUNT, "wrong passwords a minute from everywhere before tries take longer"
        ),
    )
    # Each waits six seconds, so this allows 200 a second if somebody holds that many connections;
    # one address of the network has 64 and gets 10. Fewer would let a flood push the right password
    # out.
    auth_waiting: int = field(
        default=1200, metadata=_limit(kinds.COUNT, "most passwords that wait for their answer")
    )


@dataclass(frozen=True, slots=True)
class Settings:
    """A server's configuration, complete and final."""

    host: str = field(
        default="localhost",
        metadata=_about(
            "Listening",
            kinds.TEXT,
            f"address to listen on; {ALL_INTERFACES} for every network there is",
        ),
    )
    port: int = field(
        default=DEFAULT_PORT,
        metadata=_about(
            "Listening", kinds.PORT, "TCP port to listen on; 0 takes any free one", "-p", "--port"
        ),
    )
    uvloop: bool = field(
        default=False,
        metadata=_about(
            "Listening",
            kinds.BOOLEAN,
            "use the faster event loop, if installed; the server's own work then counts as "
            "players' time",
        ),
    )

    password: str | None = field(
        default=EXAMPLE_PASSWORD,
        repr=False,
        metadata=_about(
            "Administration",
            kinds.PASSWORD,
            "what administrators authenticate with; empty: nobody can. Others on this machine can "
            "read flags:"
            " prefer the environment or a file",
        ),
    )
    allow_example_password: bool = field(
        default=False,
        metadata=_about(
            "Administration",
            kinds.BOOLEAN,
            "listen to the network although the password is the public one",
        ),
    )

    paused: bool = field(
        default=False,
        metadata=_about(
            "Games", kinds.BOOLEAN, "games made by joining start paused; prepared ones say it"
        ),
    )
    test_mode: bool = field(
        default=False, metadata=_about("Games", kinds.BOOLEAN, "add up scores per display name")
    )
    game: str = field(
        default=DEFAULT,
        metadata=_about(
            "Games",
            kinds.GAME,
            "the game of players who join without saying which, if no room is open",
        ),
    )
    revision: str = field(
        default="2021-newest",
        metadata=_about(
            "Games",
            kinds.TEXT,
            "how games are written unless one asks, such as 2021-older or 2018-documented",
        ),
    )
    variants: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            "Games",
            kinds.NAMES,
            f"rules for a game type, such as {EXAMPLE_VARIANT}; once for each type",
            "--variant",
        ),
    )
    load: Path | None = field(
        default=None,
        metadata=_about(
            "Games",
            kinds.FILE,
            "start games from a position of this replay, unless prepared otherwise",
            "--load",
            "--loadGameFile",
        ),
    )
    turn: int | None = field(
        default=None,
        metadata=_about(
            "Games",
            kinds.optional(kinds.whole("N", 0)),
            "with --load: from the first position of this turn on",
        ),
    )

    no_timeout: bool = field(
        default=False,
        metadata=_about(
            "Time", kinds.BOOLEAN, "nobody loses on time, for debugging", "--no-timeout/--timeout"
        ),
    )
    soft_timeout: float = field(
        default=2.0,
        metadata=_about("Time", kinds.SECONDS, "a move that takes longer loses the game"),
    )
    hard_timeout: float = field(
        default=10.0,
        metadata=_about("Time", kinds.SECONDS, "without a move for this long the game ends"),
    )

    save_replays: Path | None = field(
        default=None, metadata=_about("Replays", kinds.FOLDER, "save every game in this folder")
    )
    replay_gzip: bool = field(
        default=False,
        metadata=_about(
            "Replays", kinds.BOOLEAN, "save as .xml.gz instead of .xml", "--gzip/--no-gzip"
        ),
    )

    log_json: bool = field(
        default=False,
        metadata=_about("Log", kinds.BOOLEAN, "one JSON object a line instead of text"),
    )
    log_level: str = field(
        default="info",
        metadata=_about(
            "Log",
            kinds.choice("debug", "info", "warning", "error"),
            "least important event that is logged",
        ),
    )

    limits: ServerLimits = ServerLimits()
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the log should say about where the values came from."""

    @property
    def bind_host(self) -> str | None:
        """Return the host as asyncio wants it, None for every interface of both IP versions."""
        return None if self.host in ("", ALL_INTERFACES) else self.host

    @property
    def is_local(self) -> bool:
        """Return whether only this machine can connect."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ipaddress.ip_address(self.host.partition("%")[0]).is_loopback
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


def variant_for(
    settings: Settings,
    game_type: str,
    revision: str | None = None,
) -> AnyGame | None:
    """Return the variant this server plays for a game type of the wire, None if there is none.

    A variant that is named wins. Otherwise whoever asks for a revision of the documents gets the
    rules that belong to it, where a variant has this revision for its own.
    """
    for name in settings.variants:
        game = get_game(name)
        if game.game_type == game_type:
            return game
    default = get_game(settings.game)
    own = default if default.game_type == game_type else None
    same_type = [game for game in all_games() if game.game_type == game_type]
    for wanted in (revision, settings.revision):
        fitting = [game for game in same_type if next(iter(game.codecs)) == wanted]
        if fitting:
            return own if own in fitting else fitting[0]
    return own or find_game_type(game_type)
