"""Say what a bot is that can be started, with its command, its name and its environment.

``lookup`` makes such a bot from what somebody types. Nothing is started here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from spielleiter.client import environment

HUMAN = "human"
HOST = "127.0.0.1"
"""Where bots find the servers of this package, which only this machine can reach."""
LONGEST_NAME = 60
"""Characters of a bot's name.

Files may have longer ones, which no server takes and no screen has room for.
"""


class BotError(Exception):
    """Say that a bot cannot be started.

    ``message`` says why, and ``hint`` says what to do.
    """

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class BotKind(Enum):
    """The ways in which a bot can be started."""

    HOUSE = "house bot"
    PYTHON = "Python program"
    BOT_FILE = "file with a Bot in it"
    PROGRAM = "program"
    JAR = "Java archive"
    COMMAND = "command"
    HUMAN = "human"
    GUEST = "joins by itself"


@dataclass(frozen=True, slots=True)
class BotSpec:
    """A bot that can be started. ``argv`` is the command without the contest's options."""

    kind: BotKind
    name: str
    """For people and for the wire, made from the name of a file that may hold anything."""
    argv: tuple[str, ...] = ()
    folder: Path | None = None
    """Where it runs, None for the working directory."""
    source: Path | None = None
    """The file or folder whose change makes it another bot."""
    game: str | None = None
    """The game it says it is for."""
    takes_seed: bool = False
    warnings: tuple[str, ...] = ()
    """What its author should know before it plays.

    Each is a sentence about a file beside it that hides a module of Python, or is hidden by one.
    """
    told_by: Path | None = None
    """The file in which it says which game it is for."""

    @property
    def is_human(self) -> bool:
        return self.kind is BotKind.HUMAN

    @property
    def is_guest(self) -> bool:
        """Whether somebody else starts it, who was told the reservation."""
        return self.kind is BotKind.GUEST

    def command(self, host: str, port: int, reservation: str, seed: int | None = None) -> list[str]:
        """Return the whole command, with the options as the contest gives them."""
        dice = [] if seed is None or not self.takes_seed else ["--seed", str(seed)]
        return [
            *self.argv,
            *dice,
            "--host",
            host,
            "--port",
            str(port),
            "--reservation",
            reservation,
        ]


def distinct_names(bots: Sequence[BotSpec]) -> tuple[str, ...]:
    """Return a display name for each bot, so that no two are the same."""
    seen: dict[str, int] = {}
    names = []
    for bot in bots:
        seen[bot.name] = seen.get(bot.name, 0) + 1
        names.append(bot.name if seen[bot.name] == 1 else f"{bot.name} {seen[bot.name]}")
    return tuple(names)


def bot_environment(
    base: Mapping[str, str],
    *,
    name: str,
    notes: Path | None = None,
    move_seconds: float | None = None,
) -> dict[str, str]:
    """Return what a bot finds in its environment.

    ``name`` is what the bot is called here. ``move_seconds`` is None if there is no limit.
    """
    ours = {
        environment.OWN_SERVER: "1",
        environment.NAME: name,
        environment.MOVE_SECONDS: "none" if move_seconds is None else f"{move_seconds:g}",
        # What a bot said before it crashed must not be lost in a buffer, nor an umlaut crash it on
        # Windows.
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8:backslashreplace",
    }
    if notes is not None:
        ours[environment.NOTES] = str(notes)
    return {**base, **ours}
