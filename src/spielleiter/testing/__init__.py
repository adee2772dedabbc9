"""Public help for authors of games and bots. Standard library only, no test runner needed.

``check_game(MY_GAME)`` holds a game against the contract.
"""

from spielleiter.testing.contract import check_game, random_game
from spielleiter.testing.contract_wire import check_codec

__all__ = ["check_codec", "check_game", "random_game"]
