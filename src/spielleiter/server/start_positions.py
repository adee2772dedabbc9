"""Read positions in which matches begin, from files and from requests.

Which match begins there is not decided here. The functions that load files wait for the disk.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from spielleiter.replays import load_position
from spielleiter.rules import AnyGame, GameError, State
from spielleiter.server.errors import Refusal, ServerError
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import CodecError, ReplayError

LARGEST_REPLAY = 8 * 1024 * 1024
"""Bytes of a replay that a request may have read, packed and unpacked.

A game with many hints has fewer.
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


def decode_position(game: AnyGame, element: Element) -> State[Any]:
    """Return the position that a request carries, in whichever revision. Raises Refusal."""
    error: CodecError | None = None
    for codec in game.codecs.values():
        try:
            state: State[Any] = codec.decode_state(element).state
        except CodecError as problem:
            error = error or problem
        else:
            return state
    raise Refusal(f"prepare: the position to load cannot be read: {error}")


def fit_position(game: AnyGame, state: State[Any]) -> State[Any]:
    """Return the position under the rules of ``game``. Raises Refusal if no match begins there."""
    if state.game.game_type != game.game_type:
        raise Refusal(f"the position to load is one of {state.game.title}, not of {game.title}")
    if state.game is not game:  # another variant, whose rules hold from here on
        state = replace(state, game=game)  # type: ignore[type-var]  # every state is a dataclass
    if state.is_over:
        raise Refusal("the game to load is over in that position; choose an earlier turn")
    return state
