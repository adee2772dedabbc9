"""The JSON view and the SVG picture of Hase und Igel show where the hares are."""

from __future__ import annotations

from spielleiter.games import get_game

GAME = get_game("hase-und-igel-2018")


def test_view_after_one_move() -> None:
    state = GAME.start(seed=1)
    move = next(move for move in state.legal_moves() if len(move.actions) == 1)
    view = GAME.view(state.play(move))
    red, blue = view["hares"]
    assert red["field"] > 0
    assert red["carrots"] < 68
    assert red["last_action"] == str(move)
    assert blue == {
        "field": 0,
        "carrots": 68,
        "salads": 5,
        "cards": ["TAKE_OR_DROP_CARROTS", "EAT_SALAD", "HURRY_AHEAD", "FALL_BACK"],
        "last_action": None,
    }
    assert len(view["board"]) == 65
    assert view["season"] == {
        "first_gain": 10,
        "second_gain": 30,
        "retreat_gain": 10,
        "goal_carrots": 10,
    }
    assert (view["board"][0], view["board"][-1]) == ("START", "GOAL")


def test_picture_shows_what_each_hare_has() -> None:
    picture = GAME.svg(GAME.start(seed=1))
    assert "Red to move" in picture
    assert picture.count("field 0, carrots 68, salads 5") == 2
