"""Turn what somebody types into a bot that can be started.

This module starts nothing. It reports what cannot work before a match begins.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from spielleiter.arena.bots import HUMAN, LONGEST_NAME, BotError, BotKind, BotSpec
from spielleiter.arena.scripts import (
    check_script,
    exists,
    has_windows_lines,
    is_program,
    windows_lines_error,
)
from spielleiter.arena.source_files import SourceFile, UnreadableSource, read_source
from spielleiter.games import all_games, default_game, get_game
from spielleiter.rules import AnyGame, UnknownGame, one_line
from spielleiter.rules.engine import MASTER, EngineError
from spielleiter.shadows import describe_shadow, find_shadows

ENTRIES = ("bot.py", "main.py", "start.sh")
"""What is started in a folder, the first that is there."""
_VAGUE = frozenset({"bot", "main", "start", "logic", "player", "client"})
"""Names of files that say nothing, so that the name of their folder is used instead."""
BOT_FORMS = (
    "the name of a house bot, a .py file, a folder, a program, a .jar, or a command in "
    'quotes such as "node player.js"'
)
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh"})
_MOST_WARNINGS = 5
_WINDOWS_PROGRAMS = (".exe", ".bat", ".cmd", ".com")


def find_bot(text: str, game: AnyGame) -> BotSpec:
    """Return the bot that ``text`` means in a game of ``game``.

    Tries, in this order, ``human``, a house bot, a file or folder, and a command with arguments.
    Raises BotError if it is none of them.
    """
    if text == HUMAN:
        return BotSpec(BotKind.HUMAN, HUMAN)
    if text in game.players:
        return BotSpec(
            BotKind.HOUSE, text, (*_ourselves(), text, "--game", game.id), takes_seed=True
        )
    path = path_of(text)
    spec = _from_path(path) if exists(path) else _from_command(text, game)
    _check_game(text, spec, game)
    return replace(spec, name=one_line(spec.name, LONGEST_NAME).strip() or "bot")


def path_of(text: str) -> Path:
    """Return what somebody typed as a path, with ~ resolved where there is such a user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - Path's raises where there is none


def choose_game(named: str | None, texts: Sequence[str], environ: Mapping[str, str]) -> AnyGame:
    """Return the game that these bots are to play (W118).

    ``named`` on the command line wins over what the bots' own files say, and that over
    SPIELLEITER_GAME in ``environ``. Whether the bots can start is not looked at. Raises UnknownGame
    or BotError.
    """
    if named:
        return get_game(named)
    own = {text: game for text in texts if (game := own_game(text)) is not None}
    if not own:
        return default_game(environ)
    (first, game), *others = own.items()
    for text, other in others:
        if other != game:
            raise BotError(
                f"{first} is a bot for {game.title}, and {text} is one for {other.title}",
                f"say which game they are to play: --game {game.id} or --game {other.id}"
                if type(other) is type(game)
                else "choose two bots for the same game",
            )
    return game


def own_game(text: str) -> AnyGame | None:
    """Return the game that a bot's own file says it is for, or None. Raises BotError."""
    if text == HUMAN or any(text in game.players for game in all_games()):
        return None  # find_bot does not look for a file of that name either
    path = path_of(text)
    try:
        spec = _from_path(path) if exists(path) else None
    except BotError:  # whoever wants to start it will be told
        return None
    return None if spec is None else _told_game(text, spec)


def _told_game(text: str, spec: BotSpec) -> AnyGame | None:
    if spec.game is None:
        return None
    try:
        return get_game(spec.game)
    except UnknownGame as unknown:
        raise BotError(
            f"{text} is for a game that is not there: {unknown}",
            f"mend the line game = ... in {spec.told_by}",
        ) from None


def _ourselves() -> tuple[str, ...]:
    """Return the command that runs a house bot, or a file with a Bot in it."""
    # With -m Python puts the working directory first on its path. Without -P a random.py that lies
    # there would replace Python's own, and house bots would fail in somebody else's folder.
    return (sys.executable, "-P", "-m", "spielleiter", "bot")


def _launcher() -> tuple[str, ...]:
    """Return the command for Python whose own modules win over files beside the bot."""
    return (sys.executable, "-P", "-m", "spielleiter.launch")


def _warn_of_names(folder: Path, *, started_by_us: bool) -> tuple[str, ...]:
    found = find_shadows(str(folder))
    lines = [describe_shadow(path, started_by_us=started_by_us) for path in found[:_MOST_WARNINGS]]
    if len(found) > _MOST_WARNINGS:
        lines.append(
            f"{folder} has {len(found) - _MOST_WARNINGS} more files with names of Python's own "
            "modules."
        )
    return tuple(lines)


# Files and folders


def _from_path(path: Path) -> BotSpec:
    path = path.absolute()
    if path.is_dir():
        return _from_folder(path)
    if path.suffix == ".py":
        return _from_source(_read(path), _name_of(path), path)
    if path.suffix == ".jar":
        return _from_jar(path)
    return _from_program(path, path)


def _python_bot(
    kind: BotKind,
    name: str,
    argv: tuple[str, ...],
    watched: Path,
    source: SourceFile,
    warnings: tuple[str, ...],
) -> BotSpec:
    return BotSpec(
        kind,
        name,
        argv,
        source.path.parent,
        watched,
        source.game,
        takes_seed=True,
        warnings=warnings,
        told_by=source.path,
    )


def _from_source(source: SourceFile, name: str, watched: Path) -> BotSpec:
    path = source.path
    named = _warn_of_names(path.parent, started_by_us=True)
    if source.runs:
        argv = (*_launcher(), str(path))
        return _python_bot(BotKind.PYTHON, name, argv, watched, source, named)
    if len(source.bots) > 1:
        raise BotError(
            f"{path} has {len(source.bots)} Bots in it: {', '.join(source.bots)}",
            f"say which one plays: put run({source.bots[0]}) at its end",
        )
    if source.bots:
        argv = (*_ourselves(), str(path))
        return _python_bot(BotKind.BOT_FILE, name, argv, watched, source, named)
    if not source.speaks:
        raise BotError(
            f"{path} has no Bot in it",
            "write a class derived from spielleiter.Bot with a method choose(self, state, clock),"
            " or: spielleiter new NAME",
        )
    return BotSpec(
        BotKind.PYTHON, name, (*_launcher(), str(path)), path.parent, watched, warnings=named
    )


def _from_folder(folder: Path) -> BotSpec:
    path = entry_file(folder)
    if path.suffix == ".py":
        return _from_source(_read(path), folder.name, folder)
    return replace(
        _from_program(path, folder), warnings=_warn_of_names(folder, started_by_us=False)
    )


def entry_file(folder: Path) -> Path:
    """Return the file that plays in a folder.

    Raises BotError if there is none.
    """
    for entry in ENTRIES:
        path = folder / entry
        if path.is_file():
            return path
    sources = [_read(path) for path in sorted(folder.glob("*.py")) if not _is_test(path)]
    for candidates in ([s for s in sources if s.has_bot], [s for s in sources if s.speaks]):
        if len(candidates) > 1:
            names = ", ".join(source.path.name for source in candidates)
            raise BotError(
                f"{folder} has {len(candidates)} Bots in it: {names}",
                f"name the file: {candidates[0].path}; or call the one that plays {ENTRIES[0]}",
            )
        if candidates:
            return candidates[0].path
    raise BotError(
        f"{folder} has no Bot in it: no {', '.join(ENTRIES[:-1])} or {ENTRIES[-1]}, and no .py "
        "file with a Bot",
        "name the file that plays, or make a bot with: spielleiter new NAME",
    )


def _from_jar(path: Path) -> BotSpec:
    java = shutil.which("java")
    if java is None:
        raise BotError(
            f"{path} needs Java, and there is no java here",
            "install Java, and put java into the PATH",
        )
    return BotSpec(BotKind.JAR, _name_of(path), (java, "-jar", str(path)), path.parent, path)


def _from_program(path: Path, watched: Path) -> BotSpec:
    if sys.platform == "win32":
        if path.suffix.lower() not in _WINDOWS_PROGRAMS:
            raise BotError(
                f"{path} is not a program that Windows can start",
                f'give the command: "PROGRAM {path}"',
            )
    elif not os.access(path, os.X_OK):
        if is_program(path):
            raise BotError(
                f"{path} is not executable", f"make it so: chmod +x {shlex.quote(str(path))}"
            )
        raise BotError(f"{path} is not a bot", f"a bot is {BOT_FORMS}")
    check_script(path)
    name = watched.name if watched.is_dir() else _name_of(path)
    started = _started_by(path)
    game, told_by = (None, None) if started is None else (started.game, started.path)
    return BotSpec(BotKind.PROGRAM, name, (str(path),), path.parent, watched, game, told_by=told_by)


def _started_by(script: Path) -> SourceFile | None:
    """Return the Python file that a ``start.sh`` beside it starts.

    Returns None if there is no such file that can be read.
    """
    if script.name != ENTRIES[-1]:
        return None
    for entry in ENTRIES[:-1]:
        path = script.with_name(entry)
        if path.is_file():
            try:
                return read_source(path)
            except (UnreadableSource, OSError):
                return None
    return None


def _read(path: Path) -> SourceFile:
    try:
        return read_source(path)
    except UnreadableSource as error:
        raise BotError(f"this is not Python: {error}", "mend that line and try again") from None
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror or error}") from None


def _is_test(path: Path) -> bool:
    return path.stem.startswith("test_") or path.stem.endswith("_test") or path.stem == "conftest"


def _name_of(path: Path) -> str:
    return path.parent.name if path.stem in _VAGUE and path.parent.name else path.stem


# Commands and mistakes


def _from_command(text: str, game: AnyGame) -> BotSpec:
    try:
        words = _split(text)
    except ValueError as error:
        raise BotError(
            f"{text!r} cannot be read as a command: {error}", "check its quotation marks"
        ) from None
    if len(words) < 2:
        raise _unknown(text, game)
    program = shutil.which(words[0])
    if program is None:
        raise BotError(
            f"there is no program {words[0]!r} to start {text!r} with",
            "name it with its whole path, or put it into the PATH",
        )
    check_script(Path(program))
    files = [Path(word) for word in words[1:] if exists(Path(word)) and Path(word).is_file()]
    named = files[0].absolute() if files else Path(program)
    if files and Path(program).stem in _SHELLS and has_windows_lines(files[0]):
        raise windows_lines_error(files[0])
    is_python = bool(files) and named.suffix == ".py"
    warnings = _warn_of_names(named.parent, started_by_us=False) if is_python else ()
    source = named if files else None
    return BotSpec(
        BotKind.COMMAND, _name_of(named), (program, *words[1:]), None, source, warnings=warnings
    )


def _split(text: str) -> list[str]:
    if sys.platform != "win32":
        return shlex.split(text)
    # The rules of POSIX would eat the backslashes of paths. Without them the quotation marks stay.
    return [word.strip('"') for word in shlex.split(text, posix=False)]


def _unknown(text: str, game: AnyGame) -> BotError:
    if text == MASTER:
        try:
            game.find_engine()
        except EngineError as error:
            return BotError(f"{text} plays with the engine. {error.text.en}", error.hint.en)
    for other in all_games():
        if text in other.players:
            return BotError(
                f"{text} is a house bot of {other.title}, not of {game.title}",
                f"those of {game.title} are {', '.join(game.players)}; or play with --game "
                f"{other.id}",
            )
    if Path(text).suffix or Path(text).name != text:
        message = f"there is no file or folder {text}"
    else:
        message = (
            f"there is no bot {text!r}: no house bot of {game.title} and no file or "
            "folder of that name"
        )
    close = difflib.get_close_matches(text, [*game.players, HUMAN, *_beside(text)], n=1)
    known = f"house bots are {', '.join(game.players)}"
    return BotError(message, f"did you mean {close[0]}?" if close else known)


def _beside(text: str) -> list[str]:
    """Return files that the name may have been meant for."""
    path = path_of(text)
    try:
        return [str(path.parent / found.name) for found in path.parent.iterdir()]
    except (OSError, ValueError):
        return []


def _check_game(text: str, spec: BotSpec, game: AnyGame) -> None:
    wanted = _told_game(text, spec)
    # Another season of the same game is worth a try, since bots often understand both.
    if wanted is not None and type(wanted) is not type(game):
        raise BotError(
            f"{text} is a bot for {wanted.title}, not for {game.title}",
            f"play with --game {wanted.id}",
        )
