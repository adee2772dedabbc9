"""Read the position of a recorded match from which ``spielleiter play`` goes on.

What is played from there is not decided here.
"""

from __future__ import annotations

from pathlib import Path

from spielleiter.cli.errors import CliError, ExitCode
from spielleiter.replays import RecordedMatch, read_replay
from spielleiter.rules import AnyGame, AnyState
from spielleiter.server.errors import Refusal
from spielleiter.server.start_positions import fit_position
from spielleiter.wire.errors import ReplayError


def read_position(file: Path, turn: int | None) -> AnyState:
    """Return the position in which ``turn`` is to be played, or the first one of the match.

    Turns that nobody played are passed over, as where a colour had no move. Raises CliError.
    """
    try:
        recorded = read_replay(file)
    except ReplayError as error:
        raise CliError(
            str(error), "name a replay of this or of an official server", ExitCode.USAGE
        ) from None
    for position in recorded.positions:
        if turn is None or position.state.turn >= turn:
            break
    else:
        raise CliError(
            f"{file} has no turn {turn}",
            f"choose one with --turn: {_turns(recorded)}",
            ExitCode.USAGE,
        )
    if position.state.is_over:
        at = "" if turn is None else f" at turn {turn}"
        hint = f"choose an earlier turn with --turn: {_turns(recorded)}"
        raise CliError(
            f"the game in {file} is over{at}",
            hint if _open_turns(recorded) else "choose another replay",
            ExitCode.USAGE,
        )
    return position.state


def _open_turns(recorded: RecordedMatch) -> list[int]:
    return [one.state.turn for one in recorded.positions if not one.state.is_over]


def _turns(recorded: RecordedMatch) -> str:
    """Return which turns there are to go on from."""
    turns = _open_turns(recorded) or list(recorded.turns)
    return f"{min(turns)}" if len(turns) == 1 else f"{min(turns)} to {max(turns)}"


def under_rules_of(game: AnyGame, position: AnyState, file: Path) -> AnyState:
    """Return the position as one of ``game``, which may be another variant. Raises CliError."""
    try:
        return fit_position(game, position)
    except Refusal:
        raise CliError(
            f"the game in {file} is {position.game.title}, not {game.title}",
            f"leave --game out, or say --game {position.game.id}",
            ExitCode.USAGE,
        ) from None
