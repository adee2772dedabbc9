"""The fast rules against the slow ones: whole games move by move, and perft tables."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.blokus import slow_blokus
from games.blokus.slow_blokus import BORDER_SQUARES, CORNER_SQUARES, SlowBlokus
from spielleiter.games.blokus import GAMES, BlokusState, Color, Piece, SetMove, SkipMove
from spielleiter.games.blokus.rules.bitboard import count_placements

GAME = {game.id: game for game in GAMES}

# The same facts as the seasons' records, stated a second time.
FACTS = {
    "blokus-2027": (BORDER_SQUARES, 96, False),
    "blokus-2027-documented": (BORDER_SQUARES, 100, True),
    "blokus-2021": (CORNER_SQUARES, 100, True),
    "blokus-2021-official": (CORNER_SQUARES, 100, False),
}


def slow_twin(state: BlokusState) -> SlowBlokus:
    """The slow form of a position in which no colour has finished yet."""
    assert all(state.hands)
    twin = SlowBlokus(state.start_piece.name, *FACTS[state.game.id])
    twin.board = {(x, y): color.name for x, y, color in state.occupied()}
    twin.hands = {color.name: {piece.name for piece in state.hand(color)} for color in Color}
    twin.valid = [color.name for color in state.valid_colors]
    twin.turn = state.turn
    return twin


def slow_move(move):
    if isinstance(move, SkipMove):
        return move.color.name, None, frozenset()
    return move.color.name, move.piece.name, frozenset(move.cells)


def assert_same(state: BlokusState, twin: SlowBlokus) -> None:
    assert state.is_over == twin.over
    assert state.turn == twin.turn
    assert state.round == twin.round
    assert {(x, y): color.name for x, y, color in state.occupied()} == twin.board
    assert {
        color.name: {piece.name for piece in state.hand(color)} for color in Color
    } == twin.hands
    assert [color.name for color in state.valid_colors] == twin.valid
    assert {color.name for color in Color if state.mono_last >> color & 1} == twin.mono_last
    assert [state.score(color) for color in Color] == [twin.points(color.name) for color in Color]
    fast = [slow_move(move) for move in state.legal_moves()]
    assert len(fast) == len(set(fast))
    assert set(fast) == twin.moves()
    for color in Color:
        placements = list(twin.placements(color.name))
        assert state.can_place(color) == bool(placements)
        assert count_placements(state.placements(color)) == len(placements)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
def test_a_random_game_is_the_same_move_by_move(game):
    random = Random(f"{game.id} against the slow rules")
    state = game.start(random.randrange(1000))
    twin = slow_twin(state)
    assert_same(state, twin)
    while not state.is_over:
        moves = state.legal_moves()
        # Skips would be rare by chance alone: offer them more often.
        move = moves[-1] if random.random() < 0.1 else random.choice(moves)
        state = state.play(move)
        twin.play(slow_move(move))
        assert_same(state, twin)
    assert twin.over


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
@pytest.mark.parametrize("finisher", Color, ids=lambda color: color.name)
def test_games_in_which_a_colour_finishes_are_the_same(game, finisher):
    """One colour has only its small pieces left, so that it soon places everything."""
    random = Random(f"{game.id} {finisher.name} finishes")
    state = game.start(finisher)
    while state.turn < 24:
        state = state.play(
            random.choice([move for move in state.legal_moves() if isinstance(move, SetMove)])
        )
    few = Piece.MONO.bit | Piece.DOMINO.bit
    hands = tuple(few if color == finisher else hand for color, hand in enumerate(state.hands))
    cells = {(x, y): color for x, y, color in state.occupied()}
    state = BlokusState.build(
        game, cells, hands, state.valid_colors, state.turn, state.start_piece, state.last_move, 0
    )
    twin = slow_twin(state)
    finished = False
    for _ in range(16):
        assert_same(state, twin)
        if state.is_over:
            break
        moves = state.legal_moves()
        if state.color is finisher:  # DOMINO first, MONO last
            moves = sorted(
                (move for move in moves if isinstance(move, SetMove)), key=lambda move: -move.size
            )[:1]
        move = random.choice(moves)
        state = state.play(move)
        twin.play(slow_move(move))
        finished = finished or not state.hands[finisher]
    assert_same(state, twin)
    assert finished
    assert state.is_over == FACTS[game.id][2]
    assert state.outcome().code == ("ALL_PLACED" if FACTS[game.id][2] else "RUNNING")


def perft(state: BlokusState, depth: int) -> int:
    if depth == 1:
        return len(state.legal_moves())
    return sum(perft(state.play(move), depth - 1) for move in state.legal_moves())


def perft_table() -> list:
    lines = (Path(__file__).parent / "perft.txt").read_text().splitlines()
    rows = [line.split(" | ") for line in lines if not line.startswith("#")]
    return [
        pytest.param(
            GAME[name].parse_position(position),
            [int(count) for count in counts.split()],
            id=f"{name}-{row}",
        )
        for row, (name, position, counts) in enumerate(rows)
    ]


@pytest.mark.parametrize(("state", "counts"), perft_table())
def test_perft_of_the_fast_rules(state, counts):
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("state", "counts"), perft_table())
def test_perft_of_the_slow_rules(state, counts):
    twin = slow_twin(state)
    assert [slow_blokus.perft(twin, depth) for depth in range(1, len(counts) + 1)] == counts
