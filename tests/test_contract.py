"""One contract, every game: what the house plays, in all seasons and variants, and the game of one
folder.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import spielleiter
import third_game
from spielleiter.games import all_games
from spielleiter.rules import Game
from spielleiter.testing import check_game, random_match

GAMES: dict[str, Game[Any, Any]] = {game.id: game for game in (*all_games(), *third_game.GAMES)}
SAME_START = {"vier-gewinnt"}
"""Games whose seed decides nothing."""


def test_both_games_of_the_house_are_here() -> None:
    assert {"blokus-2021", "blokus-2027", "hase-und-igel-2018"} <= set(GAMES)


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_contract(game: Game[Any, Any]) -> None:
    check_game(game, range(2), varied_start=game.id not in SAME_START, moves_per_state=10)


PROGRAM = """
import sys
from spielleiter.games import all_games
from spielleiter.testing import random_match
import third_game
for game in (*all_games(), *third_game.GAMES):
    for state in random_match(game, 3):
        print(game.id, game.format_position(state), sep="\\t")
"""


def test_a_seed_means_the_same_in_every_process() -> None:
    """Sets and dictionaries must not decide anything: another process hashes strings otherwise."""
    # Not the whole of sys.path: other tests load bots from folders that hide modules of Python.
    path = os.pathsep.join(
        str(Path(package.__file__).parents[1]) for package in (third_game, spielleiter)
    )
    lines = []
    for hash_seed in ("1", "2"):
        environment = {
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONHASHSEED": hash_seed,
            "PYTHONIOENCODING": "utf-8",
        }
        command = [sys.executable, "-c", PROGRAM]
        done = subprocess.run(
            command, env=environment, capture_output=True, encoding="utf-8", timeout=60, check=True
        )
        lines.append(done.stdout.splitlines())
    assert lines[0] == lines[1]
    here = [
        f"{game.id}\t{game.format_position(state)}"
        for game in GAMES.values()
        for state in random_match(game, 3)
    ]
    assert lines[0] == here
