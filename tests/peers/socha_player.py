"""A player written with the official Python client: any move it thinks possible, the first one.

Run by a test.

Only its public interface is used; the version check at start-up needs the network and is left out.
"""

import random

from socha import GameState, Move
from socha.api.networking.game_client import IClientHandler
from socha.starter import Starter

Starter.check_socha_version = staticmethod(lambda: None)


class Logic(IClientHandler):
    game_state: GameState

    def on_update(self, state: GameState) -> None:
        self.game_state = state

    def calculate_move(self) -> Move:
        return random.Random(self.game_state.turn).choice(self.game_state.possible_moves())


if __name__ == "__main__":
    Starter(logic=Logic())
