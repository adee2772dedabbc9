"""Make the examples that the page's rules show, from the same tables as the pictures in docs."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from spielleiter.games import all_games, get_game
from spielleiter.games.blokus import Blokus, Color
from spielleiter.games.blokus.rules.pieces import SIZE
from spielleiter.games.hase_und_igel import HaseUndIgel
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from tools import blokus_pictures

_HEAD = "// Made by `make pages` from the rules, as the pictures in docs/rules are.\n"


def _module(values: Mapping[str, Any]) -> str:
    """Return values as a module."""
    lines = [f"\nexport const {name} = {_show(value)};\n" for name, value in values.items()]
    return _HEAD + "".join(lines)


def _show(value: Any) -> str:
    """Return a value with one line for each thing in it."""
    if isinstance(value, dict):
        rows = [f"  {json.dumps(key)}: {json.dumps(one)},\n" for key, one in value.items()]
        return "{\n" + "".join(rows) + "}"
    return "[\n" + "".join(f"  {json.dumps(one)},\n" for one in value) + "]"


def blokus() -> str:
    """Return touches, first pieces, what differs between seasons, and a match that is over."""
    seasons = {
        game.id: {
            "startRule": game.season.start_mistake,
            "startPieces": [piece.name for piece in game.season.start_pieces],
            "rounds": game.season.turn_limit // 4,
            "endsWhenFinished": game.season.ends_when_finished,
        }
        for game in all_games()
        if isinstance(game, Blokus)
    }
    end = blokus_pictures.played_out("blokus-2021", 4)
    return _module(
        {
            "LIES": blokus_pictures.LIES,
            "TOUCHES": [
                {
                    "cells": cells,
                    "color": color,
                    "rule": blokus_pictures.touch_rule(cells, color),
                }
                for cells, color in blokus_pictures.TOUCHES
            ],
            "STARTS": {
                game.season.start_mistake: _start(game)
                for game in map(get_game, ("blokus-2021", "blokus-2027"))
            },
            "SEASONS": seasons,
            "FINISHED": {
                "board": end.game.view(end)["board"],
                "left": [sum(piece.size for piece in end.hand(color)) for color in Color],
                "scores": [end.score(color) for color in Color],
            },
        }
    )


def _start(game: Blokus) -> dict[str, Any]:
    covered, marked = blokus_pictures.first_pieces(game.id)
    letters = {cell: color.letter for cell, color in covered.items()}
    rows = ["".join(letters.get((x, y), ".") for x in range(SIZE)) for y in range(SIZE)]
    return {"board": rows, "marked": marked}


def hase_und_igel() -> str:
    """Return a board, which of its fields are fixed, its groups, and a turn with three cards."""
    game: HaseUndIgel = get_game("hase-und-igel-2018")
    state = game.start(1)
    return _module(
        {
            "BOARD": [field.value for field in state.board],
            "FIXED": [index for index, _ in SEASON_2018.fixed],
            "SEASON": {
                "rounds": SEASON_2018.last_turn // 2,
                "carrots": SEASON_2018.start_carrots,
                "salads": SEASON_2018.start_salads,
                **game.view(state)["season"],
                "exchange": SEASON_2018.exchange_values,
                "takeOrDrop": SEASON_2018.take_or_drop_values,
            },
            "TURN": _turn(game),
        }
    )


def _turn(game: HaseUndIgel) -> dict[str, Any]:
    """Return a position in which three cards follow an advance, and that move."""
    for seed in range(1000):
        board = [field.value for field in game.start(seed).board]
        for other in range(2, len(board) - 2):
            if board[other - 1] == board[other + 1] == "HARE" and board[other] == "CARROT":
                return _turn_on(game, seed, other)
    raise ValueError("no board has a field between two hare fields")


def _turn_on(game: HaseUndIgel, seed: int, other: int) -> dict[str, Any]:
    words = game.format_position(game.start(seed)).split()
    start = max(0, other - 5)
    words[1] = "10"
    words[2] = f"{start},60,3,TEHF,-"
    words[3] = f"{other},40,4,TEHF,-"
    state = game.parse_position(" ".join(words))
    move = game.parse_move(f"A{other - 1 - start} C:HURRY_AHEAD C:FALL_BACK C:EAT_SALAD")
    after = state.play(move).hares[0]
    return {
        "view": {**game.view(state), "position": ""},
        "move": str(move),
        "carrots": after.carrots,
        "field": after.position,
    }


MODULES: Mapping[str, Callable[[], str]] = {
    "blokus": blokus,
    "hase_und_igel": hase_und_igel,
}
