"""What bots need is loaded once, and a bot that begins there plays as any other."""

from __future__ import annotations

import subprocess
import sys

import pytest

from children import PATIENCE
from spielleiter.arena.runs import preparation
from spielleiter.games import DEFAULT, all_games

COUNT = """
import sys
from importlib import import_module
module, _, function = sys.argv[1].partition(":")
getattr(import_module(module), function)(sys.argv[2])
before = set(sys.modules)
import spielleiter.client.house, spielleiter.client.runner
from spielleiter.games import get_game
assert get_game(sys.argv[2]).codecs
print(*sorted(name for name in set(sys.modules) - before if name.startswith("spielleiter")))
"""


@pytest.mark.parametrize("game", [game.id for game in all_games()])
def test_every_game_can_be_prepared(game: str) -> None:
    preparation.prepare(game)


def test_nothing_of_ours_is_left_to_load() -> None:
    done = subprocess.run(
        [sys.executable, "-c", COUNT, preparation.PREPARE, DEFAULT],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert done.stdout.strip() == ""
