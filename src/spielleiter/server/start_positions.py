"""Read positions in which matches begin from files. Which match begins there is not decided here.

Both functions wait for the disk.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from spielleiter.replays import load_position
from spielleiter.rules import GameError, State
from spielleiter.server.errors import ServerError
from spielleiter.wire.errors import ReplayError

LARGEST_REPLAY = 8 * 1024 * 1024
"""Bytes of a replay that a request may have read, packed and unpacked: a game with many hints has
fewer.
"""


def load_for_server(path: Path, turn: int | None) -> State[Any]:
    """Return the position in which the matches of a server begin (W19). Raises ServerError."""
    try:
        state = load_position(path, turn)
    except GameError as error:
        raise ServerError(f"cannot load a position from {path}: {error}") from None
    if state.is_over:
        raise ServerError(
            f"the game in {path} is over in that position; choose an earlier one with --turn"
        )
    return state


def load_for_request(folder: Path | None, name: str, turn: int | None) -> State[Any] | GameError:
    """Return the position that a request names, or the error that says why there is none.

    A request reads nothing but files in the replay ``folder``, and no more of them than
    ``LARGEST_REPLAY``.
    """
    try:
        return load_position(_find_replay(folder, name), turn, most=LARGEST_REPLAY)
    except GameError as error:
        return error


def _find_replay(folder: Path | None, name: str) -> Path:
    if folder is None or name in ("", ".", "..") or Path(name).name != name:
        raise ReplayError(f"{name!r} is not a file in the server's replay folder")
    path = folder / name
    try:
        path.stat()
    except (OSError, ValueError):
        raise ReplayError(f"there is no file {name!r} in the server's replay folder") from None
    return path
