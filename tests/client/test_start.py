"""A bot's process loads what it needs to play, for it is started anew for every match."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spielleiter import games

SLOW = (
    "ast",
    "asyncio",
    "dataclasses",
    "difflib",
    "email",
    "importlib.metadata",
    "inspect",
    "json",
    "logging",
    "pathlib",
    "shutil",
    "traceback",
    "zipfile",
)
"""Modules of Python that some bots need in some matches, and that are slow to load."""

BEGIN = """
import sys
from spielleiter import Bot, run
from spielleiter.client.bot import make_bot
from spielleiter.client.house import HouseBot
from spielleiter.client.recognition import recognise
from spielleiter.games import get_game
from spielleiter.wire.stream import parse_element

class Mine(Bot):
    def choose(self, state, clock):
        return state.legal_moves()[0]

game = get_game(sys.argv[1])
state = game.start(3)
for codec in game.codecs.values():
    element = parse_element(codec.encode_state(state, ("a", "b")))
    found = recognise(element, game)
    assert found.game is game and found.decode_state(element).state == state
make_bot(Mine, 1).choose(state, None)
make_bot(HouseBot("random", 1), 1).on_start(state)
print("\\n".join(sys.modules))
"""


@pytest.mark.parametrize("game", games.all_games(), ids=lambda game: game.id)
def test_a_bot_that_begins_a_match_has_loaded_nothing_slow(game: games.AnyGame) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", BEGIN, game.id],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert loaded.isdisjoint(SLOW), loaded.intersection(SLOW)
    own = type(game).__module__.rpartition(".")[0]
    others = {type(one).__module__.rpartition(".")[0] for one in games.all_games()} - {own}
    assert own in loaded
    assert loaded.isdisjoint(others)
