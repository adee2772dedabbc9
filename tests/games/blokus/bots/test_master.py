"""What the bot that plays with the engine does in this game alone.

What such bots do in all games is in ``tests/games/test_engines.py``.
"""

from __future__ import annotations

import wheels
from judging import random_match
from spielleiter.games.blokus import GAMES, Piece, Rotation, SetMove, SkipMove
from spielleiter.games.blokus.bots.master import MasterPlayer
from spielleiter.rules import FreeClock

GAME = GAMES[0]


def test_where_the_engine_finds_an_illegal_move_another_bot_chooses() -> None:
    state = random_match(GAME, 3)[1]
    assert not state.is_legal(SetMove(state.color, Piece.MONO, Rotation.NONE, False, 0, 0))
    with wheels.fake_wheel() as wheel:
        illegal = wheel.Line((0, 0, 0, 0), 0.5, 0.0, 1, [])
        player = MasterPlayer(1)
        player._engine._search.think = lambda *_, **__: [illegal]
        move = player.choose(state, FreeClock())
    assert isinstance(move, SetMove)
    assert state.is_legal(move)


def test_it_skips_where_nothing_can_be_placed() -> None:
    board = "/".join(["BY18", "Y1Y17", "1Y18", *["20"] * 17])
    state = GAME.parse_position(f"{board} 40 PENTO_L X5;1;1;1 BYRG - -")
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        assert player.choose(state, FreeClock()) == SkipMove(state.color)
        assert player._engine._search.thoughts == []
