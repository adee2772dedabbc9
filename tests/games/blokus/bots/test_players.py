"""The house bots: same seed, same moves; never a needless skip; greedy beats random.

``BLOKUS_MATCHES=100 pytest tests/games/blokus/bots/test_players.py`` plays the long match.
"""

from __future__ import annotations

import os

import pytest

from spielleiter.games.blokus import GAMES, SetMove, SkipMove
from spielleiter.games.blokus.bots.players import PLAYERS
from spielleiter.rules import FreeClock

MATCHES = int(os.environ.get("BLOKUS_MATCHES", "20"))


def play(game, names, seed):
    players = [PLAYERS[name](2 * seed + seat) for seat, name in enumerate(names)]
    states = [game.start(seed)]
    while not states[-1].is_over:
        states.append(states[-1].play(players[states[-1].seat].choose(states[-1], FreeClock())))
    return states


# The contract of all games makes searcher play twice the same; three games more of each variant
# take too long.
@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "searcher"])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_same_seed_same_game_and_no_needless_skip(game, name):
    states = play(game, (name, name), 7)
    assert states == play(game, (name, name), 7)
    assert states != play(game, (name, name), 8)
    assert all(isinstance(state.last_move, SetMove) for state in states[1:])


@pytest.mark.parametrize("name", PLAYERS)
def test_skips_where_nothing_else_is_left(name):
    # An older server may ask a colour that cannot place anything: here the cross has no room in the
    # corner.
    board = "/".join(["BY18", "Y1Y17", "1Y18", *["20"] * 17])
    state = GAMES[0].parse_position(f"{board} 40 PENTO_L X5;1;1;1 BYRG - -")
    assert state.legal_moves() == (SkipMove(state.color),)
    assert PLAYERS[name](1).choose(state, FreeClock()) == SkipMove(state.color)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_greedy_beats_random_in_95_of_100(game):
    won = 0
    for seed in range(MATCHES):
        seat = seed % 2
        names = ("greedy", "random") if seat == 0 else ("random", "greedy")
        won += play(game, names, seed)[-1].outcome().winner == seat
    assert won >= 0.95 * MATCHES


def test_random_picks_every_move_about_equally_often():
    state = GAMES[2].start(1)  # 2021: few first moves
    moves = state.legal_moves()
    player = PLAYERS["random"](5)
    drawn = [player.choose(state, FreeClock()) for _ in range(400 * len(moves))]
    for move in moves:
        assert 300 < drawn.count(move) < 500
