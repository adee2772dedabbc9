"""What the bot that plays with the engine does in this game alone.

What such bots do in all games is in ``tests/games/test_engines.py``.
"""

from __future__ import annotations

import wheels
from judging import random_match
from spielleiter.games.hase_und_igel import GAMES, HareMove
from spielleiter.games.hase_und_igel.bots.master import MasterPlayer
from spielleiter.rules import FreeClock

GAME = GAMES[0]
STATES = random_match(GAME, 3)[:-1]


def test_the_tables_are_made_before_the_first_move() -> None:
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        player.on_start(STATES[0])
        (prepared,) = player._engine._search.prepared
        assert prepared.state.board == STATES[0].board


def test_the_only_move_needs_no_thought() -> None:
    state = next(one for one in STATES if len(one.legal_moves()) == 1)
    with wheels.fake_wheel():
        player = MasterPlayer(1)
        assert player.choose(state, FreeClock()) == state.legal_moves()[0]
        assert player._engine._search.thoughts == []


def test_where_the_engine_finds_an_illegal_move_another_bot_chooses() -> None:
    state = next(one for one in STATES if len(one.legal_moves()) > 1)
    with wheels.fake_wheel() as wheel:
        illegal = wheel.HaresLine([("advance", 64)], 0.5, 0.0, 1, [])
        player = MasterPlayer(1)
        player._engine._search.think = lambda *_, **__: [illegal]
        move = player.choose(state, FreeClock())
    assert isinstance(move, HareMove)
    assert state.is_legal(move)
