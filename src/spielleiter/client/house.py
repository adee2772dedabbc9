"""Play as one of the house's bots.

``spielleiter bot`` does that for people. A run starts such a bot for every seat of a match, so
``play_house_bot`` does it without the command line and all that it loads.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from random import SystemRandom
from typing import Any

from spielleiter.client.arguments import HelpAsked, UsageError, parse_options, split_name
from spielleiter.client.bot import PlayerBot
from spielleiter.client.environment import OWN_SERVER
from spielleiter.client.exits import Exit, Failure
from spielleiter.client.runner import run
from spielleiter.games import get_game
from spielleiter.rules import UnknownGame


class HouseBot(PlayerBot):
    """One of the house's players, under the name people call it.

    Which game it plays follows from the first position: a reservation code does not say (W119).
    """

    def __init__(self, name: str, seed: int) -> None:
        self._name = name
        self._seed = seed

    @property
    def name(self) -> str:
        return self._name

    def on_start(self, state: Any) -> Any:
        """Become the player of this name for the game that is played.

        Raises Failure if there is none.
        """
        game = state.game
        make = game.players.get(self._name)
        if make is None:
            raise Failure(
                Exit.OTHER_GAME,
                f"this room plays {game.title}, and the house has no {self._name} for it.",
                f"House bots of {game.title} are {', '.join(game.players)}.",
            )
        player = make(self._seed)
        self.adopt(player)
        begin = getattr(player, "on_start", None)
        return begin(state) if callable(begin) else None


def play_house_bot(words: Sequence[str]) -> None:
    """Play as the arguments of ``spielleiter bot`` say, and end the process.

    It returns without having done anything unless a server of ours has started this process for a
    house bot and names the game. Everything else is for the command line, also every mistake.
    """
    if words[:1] != ["bot"] or os.environ.get(OWN_SERVER) != "1":
        return
    try:
        name, argv = split_name(words[1:])
        options = parse_options(argv, "spielleiter bot")
        if name is None or not options.game or name not in get_game(options.game).players:
            return
    except (HelpAsked, UsageError, UnknownGame):
        return
    sys.argv = [name, *argv]
    seed = SystemRandom().getrandbits(32) if options.seed is None else options.seed
    run(HouseBot(name, seed), argv)
