"""What the tests of the Blokus wire share: the codecs, random positions, a parser that is
not ours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

import recorded
from spielleiter.games.blokus import GAMES, Blokus, BlokusState, Color, SkipMove
from spielleiter.games.blokus.rules.bitboard import pick_placement
from spielleiter.games.blokus.rules.state import placed
from spielleiter.wire.elements import Element

GAME = {game.id: game for game in GAMES}
CODECS = [(game, codec) for game in GAMES for codec in game.codecs.values()]
EACH_CODEC = pytest.mark.parametrize(
    ("game", "codec"), CODECS, ids=[f"{game.id}-{codec.revision}" for game, codec in CODECS]
)
NEWEST, OLDER, OLDEST = GAME["blokus-2021"].codecs.values()
(CODEC_2027,) = GAME["blokus-2027"].codecs.values()
EACH_2021 = pytest.mark.parametrize(
    "codec", [NEWEST, OLDER, OLDEST], ids=lambda codec: codec.revision
)
NAMES = ("Häschen & <Co>", "Zwei \"'")


def parse(text: str) -> Element:
    (found,) = recorded.elements(f"<protocol>{text}</protocol>")
    return found


@cache
def position(game: Blokus, seed: int, moves: int) -> BlokusState:
    """Where a random game stands after some moves, now and then a skip among them; its end if it is
    over before.
    """
    random = Random(seed)
    state = game.start(seed)
    for _ in range(moves):
        if state.is_over:
            break
        color = state.color
        skip = not state.is_first_move(color) and random.random() < 0.05
        state = state.play(
            SkipMove(color) if skip else placed(color, *pick_placement(state.placements(), random))
        )
    return state


def finished(game: Blokus, mono: int) -> BlokusState:
    """A position in which BLUE and GREEN have placed everything."""
    state = replace(position(game, 1, 40), hands=(0, 7, 1, 0), mono_last=mono)
    return replace(state, turn=41, valid=0b0110, last_move=SkipMove(Color.BLUE))
