"""Whatever comes through the interface: an error in words, never a crash of the interpreter."""

from __future__ import annotations

import random

import pytest

engine = pytest.importorskip("spielleiter_engine")

FULL_HAND = (1 << 21) - 1
REFUSED = (ValueError, TypeError, OverflowError)
SEARCHES = 150
POSITIONS = 4000


def whole_number(rng: random.Random) -> int:
    kinds = (
        lambda: rng.randrange(-3, 30),
        lambda: rng.getrandbits(21),
        lambda: rng.getrandbits(rng.randrange(1, 600)),
        lambda: -rng.getrandbits(64),
        lambda: 2**64,
    )
    return rng.choice(kinds)()


SIZES = (1, 2, 3, 3, 4, 4, 4, 4, 4, *[5] * 12)
CELLS = [1 << (y * 21 + x) for y in range(20) for x in range(20)]


def board(hand: int, rng: random.Random) -> int:
    """Return as many squares as the pieces that are not in the hand have, or fewer, or nonsense."""
    if rng.random() < 0.02:
        return whole_number(rng)
    most = sum(size for piece, size in enumerate(SIZES) if not hand >> piece & 1)
    return sum(rng.sample(CELLS, rng.randrange(most + 2)))


def arguments(rng: random.Random) -> tuple[list[int], list[int], dict[str, object]]:
    hands = [rng.choice((0, 1, rng.getrandbits(21), rng.getrandbits(8), FULL_HAND)) for _ in "BYRG"]
    boards: list[int] = []
    for hand in hands:
        taken = sum(boards) if rng.random() < 0.98 else 0
        boards.append(board(hand, rng) & ~taken)
    facts: dict[str, object] = {
        "valid": rng.choice((15, 15, 15, rng.randrange(16))),
        "turn": rng.randrange(100),
        "start_piece": rng.randrange(9, 21),
        "mono_last": 0,
        "last_move_color": rng.choice((None, rng.randrange(4))),
        "season": rng.choice((2021, 2027)),
    }
    if rng.random() < 0.2:
        facts[rng.choice(list(facts))] = whole_number(rng)
    return boards, hands, facts


def build(rng: random.Random) -> engine.BlokusPosition | None:
    boards, hands, facts = arguments(rng)
    try:
        return engine.BlokusPosition(boards, hands, **facts)
    except REFUSED:
        return None


def play_on(position: engine.BlokusPosition, rng: random.Random) -> None:
    for _ in range(6):
        moves = position.legal_moves()
        assert len(set(moves)) == len(moves)
        if position.is_over():
            assert not moves
            assert not position.may_pass()
            return
        move = rng.choice(moves) if moves else None
        if move is None and not position.may_pass():
            return
        position = position.play(move)
        assert all(-1 < points < 260 for points in position.points())


def test_positions_that_can_be_are_played_and_others_refused() -> None:
    rng = random.Random(1)
    built = 0
    for _ in range(POSITIONS):
        position = build(rng)
        if position is not None:
            built += 1
            play_on(position, rng)
    assert POSITIONS // 20 < built < POSITIONS


def test_searches_in_strange_positions() -> None:
    rng = random.Random(2)
    search = engine.BlokusSearch(memory_mb=16)
    searched = 0
    while searched < SEARCHES:
        position = build(rng)
        if position is None or position.is_over():
            continue
        lines = search.think(position, 60, simulations=rng.randrange(1, 40))
        assert lines[0].move is None or lines[0].move in position.legal_moves()
        searched += 1


@pytest.mark.parametrize(
    "move",
    [
        (0, 0, 0),
        (0, 0, 0, 0, 0),
        (-1, 0, 0, 0),
        (0, 91, 0, 0),
        (0, 0, 20, 0),
        "move",
        7,
        (None,) * 4,
    ],
)
def test_moves_that_are_none(move: object) -> None:
    position = engine.BlokusPosition(
        [0] * 4,
        [FULL_HAND] * 4,
        valid=15,
        turn=0,
        start_piece=10,
        mono_last=0,
        last_move_color=None,
        season=2027,
    )
    with pytest.raises(REFUSED):
        position.play(move)


@pytest.mark.parametrize("boards", [None, [None] * 4, ["x"] * 4, [1.5] * 4, [[]] * 4, [0] * 5, {}])
def test_boards_that_are_none(boards: object) -> None:
    with pytest.raises(REFUSED):
        engine.BlokusPosition(
            boards,
            [FULL_HAND] * 4,
            valid=15,
            turn=0,
            start_piece=10,
            mono_last=0,
            last_move_color=None,
            season=2027,
        )


def test_rules_must_be_given() -> None:
    with pytest.raises(ValueError, match="season or all of its rules"):
        engine.BlokusPosition(
            [0] * 4,
            [FULL_HAND] * 4,
            valid=15,
            turn=0,
            start_piece=10,
            mono_last=0,
            last_move_color=None,
        )
