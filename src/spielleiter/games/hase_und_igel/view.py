"""A position of Hase und Igel as JSON values, for pages and notebooks.

docs/views.md names every key.
"""

from __future__ import annotations

from typing import Any

from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState
from spielleiter.rules.view import common_view


def view(state: HareState) -> dict[str, Any]:
    """Return what every game tells about a position, then the track, both hares and the season."""
    return {
        **common_view(state),
        "board": [field.value for field in state.board],
        "hares": [_hare(hare) for hare in state.hares],
        "season": _season(state.game.season),
    }


def _hare(hare: Hare) -> dict[str, Any]:
    return {
        "field": hare.position,
        "carrots": hare.carrots,
        "salads": hare.salads,
        "cards": [card.value for card in hare.cards],
        "last_action": None if hare.last_action is None else str(hare.last_action),
    }


def _season(season: Season) -> dict[str, int]:
    return {
        "first_gain": season.first_gain,
        "second_gain": season.second_gain,
        "retreat_gain": season.retreat_gain,
        "goal_carrots": season.goal_carrots,
    }
