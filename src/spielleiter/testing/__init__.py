"""Test games and bots of your own. Needs no test runner and the standard library only.

``check_game(MY_GAME)`` holds a game against the contract. ``assert_legal(MyBot, state_from(text))``
and ``play_in_process(MyBot, OtherBot)`` try a bot without a server, and ``ScriptedServer`` tries it
with one that says what it is told.
"""

from spielleiter.testing.bots import assert_legal, load_bot, state_from
from spielleiter.testing.contract import check_game, random_match
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
    "load_bot",
    "play_in_process",
    "random_match",
    "script_of",
    "send",
    "state_from",
]
