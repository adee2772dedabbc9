"""Load what the bots of one game need, before the processes they play in are forked.

Thus each bot has a process of its own for each match, and the start of Python and the tables of the
game are paid for once in a run. It does not run a line of a bot's own.
"""

from __future__ import annotations

import gc
import importlib
import random

from spielleiter.games import all_games

PREPARE = f"{__name__}:prepare"
_MODULES = (
    "spielleiter.client.house",
    "spielleiter.client.participant",
    "spielleiter.client.runner",
    "spielleiter.client.session",
    "spielleiter.client.thinker",
    "spielleiter.client.watchdog",
    "spielleiter.shadows",
    "encodings.idna",  # of connections
    "runpy",
)


def prepare(game_id: str) -> None:
    """Load the modules that a bot uses in a match, and play one, which makes the game's tables."""
    gc.set_threshold(10_000, 20, 50)  # a match makes many values and no cycles, see ``workers``
    for name in _MODULES:
        importlib.import_module(name)
    games = {game.id: game for game in all_games()}
    # A bot that was not told its game recognises it among all of them, by their codecs.
    loaded = [game.codecs for game in games.values()]
    assert loaded
    game = games[game_id]
    dice = random.Random(0)
    state = game.start(0)
    while not state.is_over:
        state = state.play(dice.choice(list(state.legal_moves())))
