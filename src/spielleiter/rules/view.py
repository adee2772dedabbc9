"""The part of a JSON view that is the same for every game. docs/views.md names every key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from spielleiter.rules.errors import NotationError
from spielleiter.rules.outcome import Outcome

if TYPE_CHECKING:
    from spielleiter.rules.game import Game, State


def common_view(state: State[Any]) -> dict[str, Any]:
    """Return what can be told about a position of any game, as JSON values.

    ``position`` holds the whole position, so it alone suffices to go on playing.
    """
    game, last, outcome = state.game, state.last_move, state.outcome()
    over = state.is_over
    return {
        "game": game.id,
        "title": game.title,
        "turn": state.turn,
        "round": state.round,
        "seat": None if over else state.seat,
        "over": over,
        "last_move": None if last is None else game.format_move(last),
        "scores": [list(parts) for parts in outcome.scores],
        "outcome": _view_outcome(outcome) if over else None,
        "position": game.format_position(state),
    }


def _view_outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "code": outcome.code,
        "winner": outcome.winner,
        "reason": {"de": outcome.reason.de, "en": outcome.reason.en},
    }


def position_of(game: Game[Any, Any], view: object) -> str:
    """Return the line under ``position`` in a view of this game. Raises NotationError."""
    if not isinstance(view, Mapping):
        kind = type(view).__name__
        raise NotationError("view", kind, "a view is a JSON object with 'game' and 'position'")
    for key in ("game", "position"):
        if not isinstance(view.get(key), str):
            raise NotationError("view", key, f"it needs {key!r}, which is a text")
    if view["game"] != game.id:
        raise NotationError("view", view["game"], f"it is of another game than {game.id}")
    position: str = view["position"]
    return position
