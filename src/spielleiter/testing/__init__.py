"""Test games and bots of your own. Needs no test runner and the standard library only.

``check_game(MY_GAME)`` holds a game against the contract. ``assert_legal(MyBot, game_from("..."))``
and ``play_in_process(MyBot, OtherBot)`` try a bot without a server, ``ScriptedServer`` with one
that says what it is told.
"""

from spielleiter.testing.bots import assert_legal, game_from, load_bot
from spielleiter.testing.contract import check_game, random_game
from spielleiter.testing.contract_wire import check_codec
from spielleiter.testing.matches import PlayedMatch, play_in_process
from spielleiter.testing.scripted import (
    ScriptedServer,
    ScriptFailed,
    close,
    expect,
    expect_end,
    script_of,
    send,
)

__all__ = [
    "PlayedMatch",
    "ScriptFailed",
    "ScriptedServer",
    "assert_legal",
    "check_codec",
    "check_game",
    "close",
    "expect",
    "expect_end",
    "game_from",
    "load_bot",
    "play_in_process",
    "random_game",
    "script_of",
    "send",
]
