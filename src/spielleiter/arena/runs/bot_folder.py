"""Find the bots in a folder, such as the files that a class has handed in.

Each file or folder in it is one bot, or is left out with the reason. Nothing is started.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter.arena.bots import LONGEST_NAME, BotError, BotSpec
from spielleiter.arena.lookup import find_bot, own_game
from spielleiter.arena.pairing.schedule import MOST_BOTS
from spielleiter.games import default_game, get_game
from spielleiter.rules import AnyGame, one_line

MOST_ENTRIES = 2000
"""Of a folder that is looked at. One with more is not what was meant."""
_PROGRAMS = (".sh", ".jar", ".exe", ".bat", ".cmd")
_NOT_BOTS = frozenset({"__pycache__", "node_modules", "venv", "runs"})


@dataclass(frozen=True, slots=True)
class FolderBot:
    """A bot that was found. ``text`` is what ``find_bot`` finds it by."""

    text: str
    name: str
    spec: BotSpec


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something in the folder that does not take part."""

    name: str
    """Of the file or folder."""
    reason: str
    """A sentence without a full stop."""
    hint: str = ""
    is_mistake: bool = False
    """Whether it looks like a bot, so that somebody will miss it."""


@dataclass(frozen=True, slots=True)
class BotFolder:
    """What a folder holds, in the order of names."""

    game: AnyGame
    bots: tuple[FolderBot, ...]
    left_out: tuple[LeftOut, ...]


def read_bot_folder(folder: Path, game: str | None, environ: Mapping[str, str]) -> BotFolder:
    """Look at each thing in a folder.

    ``game`` is the id of the game if somebody said it. Otherwise it is the one that most bots are
    for, or the default. Raises BotError if the folder cannot be read or has too much in it, and
    UnknownGame.
    """
    entries, left_out = _split(_list(folder))
    chosen = _choose_game(game, entries, environ)
    found: list[FolderBot] = []
    for path in entries:
        try:
            spec = find_bot(str(path), chosen)
        except BotError as error:
            left_out.append(_explain(path, error))
        else:
            found.append(FolderBot(str(path), _name(path), spec))
    if len(found) > MOST_BOTS:
        raise BotError(
            f"{folder} has {len(found)} bots in it",
            f"a tournament has {MOST_BOTS} at most; move some of them elsewhere",
        )
    left_out.sort(key=lambda entry: entry.name)
    return BotFolder(chosen, tuple(_named_apart(found)), tuple(left_out))


def _list(folder: Path) -> list[Path]:
    names: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                names.append(entry.name)
                if len(names) > MOST_ENTRIES:
                    raise BotError(
                        f"{folder} has more than {MOST_ENTRIES} files in it",
                        "name the folder that has the bots in it, and nothing else",
                    )
    except OSError as error:
        raise BotError(
            f"{folder} cannot be read: {error.strerror or error}", "name a folder with bots"
        ) from None
    return [(folder / name).absolute() for name in sorted(names)]


def _split(paths: Iterable[Path]) -> tuple[list[Path], list[LeftOut]]:
    """Return what may be a bot, and what by its name or kind is not."""
    entries: list[Path] = []
    left_out: list[LeftOut] = []
    for path in paths:
        reason = _why_not(path)
        if reason is None:
            entries.append(path)
        else:
            left_out.append(LeftOut(path.name, reason))
    return entries, left_out


def _why_not(path: Path) -> str | None:
    """Return why something is not a bot without looking into it, or None."""
    if path.name.startswith((".", "_")) or path.name in _NOT_BOTS:
        return "names like this are not for bots"
    if path.is_dir():
        return None
    if not path.is_file():
        return "it is not a file that can be read"
    stem = path.stem
    if path.suffix == ".py":
        is_test = stem.startswith("test_") or stem.endswith("_test") or stem == "conftest"
        return "it is a test" if is_test else None
    if path.suffix.lower() in _PROGRAMS or (os.name != "nt" and os.access(path, os.X_OK)):
        return None
    return "it is not a program"


def _choose_game(game: str | None, paths: Sequence[Path], environ: Mapping[str, str]) -> AnyGame:
    """Return the game that was said, or the one most bots are for, the first of equals."""
    if game:
        return get_game(game)
    votes: dict[str, int] = {}
    for path in paths:
        try:
            wanted = own_game(str(path))
        except BotError:
            continue  # whoever wants to start it will be told
        if wanted is not None:
            votes[wanted.id] = votes.get(wanted.id, 0) + 1
    return get_game(max(votes, key=votes.__getitem__)) if votes else default_game(environ)


def _explain(path: Path, error: BotError) -> LeftOut:
    message = error.message
    for prefix in (f"{path} is ", f"{path} has ", f"{path} "):
        if message.startswith(prefix):
            message = f"it {message.removeprefix(f'{path} ')}"
            break
    # A file without a Bot beside bots is a module that they share, and a folder without one holds
    # something else. Everything that cannot be read or started was meant to be a bot.
    is_mistake = "has no Bot in it" not in message
    return LeftOut(path.name, message, error.hint, is_mistake)


def _name(path: Path) -> str:
    """Return what a bot in a folder is called after its file or folder."""
    text = path.name if path.is_dir() else path.stem
    return one_line(text, LONGEST_NAME - 1).strip() or "bot"


def _named_apart(bots: Sequence[FolderBot]) -> Iterator[FolderBot]:
    """Yield the bots with names of which no two are the same.

    ``anna.py`` and ``anna.jar`` keep their endings, and what is still the same gets a number.
    """
    short = [bot.name for bot in bots]
    taken: set[str] = set()
    for bot in bots:
        name = bot.name
        if short.count(name) > 1:
            name = one_line(Path(bot.text).name, LONGEST_NAME - 1).strip() or "bot"
        number, plain = 2, name
        while name in taken:
            name = f"{plain[: LONGEST_NAME - 5]} {number}"
            number += 1
        taken.add(name)
        yield replace(bot, name=name)
