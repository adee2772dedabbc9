"""The engine's rules of Hase und Igel are those of ``spielleiter.games.hase_und_igel``."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from spielleiter.games.hase_und_igel import (
    GAMES,
    Card,
    EatSalad,
    Field,
    Hare,
    HareState,
    HaseUndIgel,
)
from spielleiter.games.hase_und_igel.bots.race import solo_turns, stock
from spielleiter.games.hase_und_igel.engine import position_of, read_move, spell_move

engine = pytest.importorskip("spielleiter_engine")

BOARD = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG"
START = (0, 68, 5, 15, False)
BY_ID = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)
INNER = [field for field in Field if field not in (Field.START, Field.GOAL)]


def assert_same(state: HareState, position: Any) -> None:
    assert [read_move(move) for move in position.legal_moves()] == list(state.legal_moves())
    assert position.is_over() == state.is_over
    assert position.turn == state.turn
    assert position.winner() == state.outcome().winner
    assert position.hares == position_of(engine, state).hares


def random_state(game: HaseUndIgel, dice: random.Random) -> HareState:
    """Return a position that can be, whether a match gets there or not."""
    board = game.start(dice.randrange(1000)).board
    if dice.random() < 0.5:
        board = (Field.START, *dice.choices(INNER, k=63), Field.GOAL)
    first = dice.choice((dice.randint(1, 64), dice.randint(50, 64)))
    second = min(64, max(0, first + dice.choice((dice.randint(-5, 5), dice.randint(-64, 64)))))
    if second == first != 64:
        second -= 1
    hares = [_random_hare(field, dice) for field in (first, second)]
    dice.shuffle(hares)
    return HareState(game, board, (hares[0], hares[1]), dice.randint(0, 60), None)


def _random_hare(field: int, dice: random.Random) -> Hare:
    carrots = dice.choice((dice.randint(0, 40), dice.randint(0, 300), dice.randint(0, 5000)))
    cards = tuple(card for card in Card if dice.random() < 0.6)
    last = dice.choice((None, EatSalad()))
    return Hare(field, carrots, dice.randint(0, 5), cards, last)


@BY_ID
def test_any_position_has_the_same_moves_and_successors(game: HaseUndIgel) -> None:
    dice = random.Random(game.id)
    for _ in range(1500):
        state = random_state(game, dice)
        position = position_of(engine, state)
        assert_same(state, position)
        for move in state.legal_moves():
            assert_same(state.play(move), position.play(spell_move(move)))


@BY_ID
def test_whole_games_go_the_same_way(game: HaseUndIgel) -> None:
    for seed in range(100):
        dice = random.Random(seed)
        state = game.start(seed)
        position = position_of(engine, state)
        assert_same(state, position)
        while not state.is_over:
            move = dice.choice(state.legal_moves())
            state, position = state.play(move), position.play(spell_move(move))
            assert_same(state, position)


def test_the_race_is_the_same() -> None:
    game = GAMES[0]
    board = game.start(7).board
    rows = [
        solo_turns(game.season, board, gain, field)
        for gain, field in ((10, Field.POSITION_1), (30, Field.POSITION_2))
    ]
    dice = random.Random(7)
    for _ in range(300):
        hares, expected = [], []
        for field in dice.sample(range(64), 2):
            salads, cards, carrots = dice.randint(0, 5), dice.randint(0, 15), dice.randint(0, 255)
            must_eat = board[field] is Field.SALAD and salads > 0 and dice.random() < 0.5
            hares.append((field, carrots, salads, cards, must_eat))
            place = field + 65 if must_eat else field
            expected.append(tuple(row[place][stock(carrots, salads, cards)] for row in rows))
        letters = "".join(read_letters(board))
        assert engine.HaresPosition(letters, hares, turn=3).solo_turns() == expected


def read_letters(board: tuple[Field, ...]) -> list[str]:
    from spielleiter.games.hase_und_igel.notation import LETTERS

    return [LETTERS[field] for field in board]


# Bad input


@pytest.mark.parametrize(
    ("board", "hares", "turn", "complaint"),
    [
        (BOARD[1:], [START, START], 0, "a board has 65 fields, not 64"),
        (BOARD.replace("1", "x"), [START, START], 0, "is not a field"),
        ("C" + BOARD[1:], [START, START], 0, "must be the start"),
        (BOARD[:-1] + "C", [START, START], 0, "must be the goal"),
        (BOARD, [START], 0, "there must be two hares"),
        (BOARD, [START] * 3, 0, "there must be two hares"),
        (BOARD, [START, START], 61, "the turn must be 0 to 60"),
        (BOARD, [START, (65, 0, 0, 0, False)], 0, "blue must stand on a field from 0 to 64"),
        (BOARD, [(3, 0, 0, 0, False)] * 2, 0, "both hares stand on field 3"),
        (BOARD, [START, (3, 10**6, 0, 0, False)], 0, "more than 999999 carrots"),
        (BOARD, [START, (3, 0, 100, 0, False)], 0, "more than 99 salads"),
        (BOARD, [START, (3, 0, 0, 16, False)], 0, "a card that there is not"),
        (BOARD, [START, (3, 0, 1, 0, True)], 0, "stands on no salad field"),
        (BOARD, [START, (10, 0, 0, 0, True)], 0, "has no salad"),
    ],
)
def test_positions_that_cannot_be_are_refused(
    board: str, hares: list[Any], turn: int, complaint: str
) -> None:
    with pytest.raises(ValueError, match=complaint):
        engine.HaresPosition(board, hares, turn=turn)


@pytest.mark.parametrize("value", [-1, 300, 2**40, 2**70])
def test_numbers_that_are_too_large_are_refused(value: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        engine.HaresPosition(BOARD, [START, (value, 0, 0, 0, False)], turn=0)
    with pytest.raises((ValueError, OverflowError)):
        engine.HaresPosition(BOARD, [START, START], turn=value)


def test_moves_that_are_not_legal_are_refused() -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    for move in ([], [("advance", 64)], [("fly", 1)], [("advance", 1)], [("advance", 2**31 - 1)]):
        with pytest.raises(ValueError, match="is not legal here"):
            position.play(move)
    over = engine.HaresPosition(BOARD, [(64, 3, 0, 0, False), START], turn=2)
    with pytest.raises(ValueError, match="the game is over"):
        over.play([("advance", 1)])
    with pytest.raises(ValueError, match="the game is over"):
        engine.HaresSearch().think(over, 1)


@pytest.mark.parametrize("seconds", [0, -1, math.nan, math.inf, 86_401])
def test_a_time_that_cannot_be_is_refused(seconds: float) -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    with pytest.raises(ValueError, match="the time must be more than 0 and at most 86400 seconds"):
        engine.HaresSearch().think(position, seconds)


@pytest.mark.parametrize(
    "options",
    [{"simulations": 0}, {"lines": 0}, {"lines": 1001}, {"every": 0}, {"every": math.nan}],
)
def test_other_limits_that_cannot_be_are_refused(options: dict[str, Any]) -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    with pytest.raises(ValueError, match=r"at least|must be from"):
        engine.HaresSearch().think(position, 1, **options)


@pytest.mark.parametrize("memory", [0, 2**17])
def test_memory_has_its_limits(memory: int) -> None:
    with pytest.raises(ValueError, match="memory_mb must be"):
        engine.HaresSearch(memory_mb=memory)


def test_anything_else_is_an_error_and_no_crash() -> None:
    """Throw values of all kinds at everything there is."""
    dice = random.Random(1)
    values: list[Any] = [None, "", "S" * 65, BOARD, -1, 0, 1, 2**64, 1.5, math.nan, [], (), b"x"]
    values += [[START, START], [("advance", 1)], [("advance", "x")], {"a": 1}, object(), True]
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    search = engine.HaresSearch(memory_mb=1)
    attempts: list[Callable[[Any, Any, Any], object]] = [
        lambda first, second, third: engine.HaresPosition(first, second, turn=third),
        lambda first, *_: position.play(first),
        lambda first, *_: engine.HaresSearch(memory_mb=first),
        lambda first, *_: search.prepare(first),
        lambda first, second, third: search.think(first, second, simulations=third),
        lambda first, second, _: search.think(
            position, 1, simulations=20, lines=first, every=second
        ),
    ]
    for _ in range(2000):
        chosen = dice.choices(values, k=3)
        for attempt in attempts:
            try:
                attempt(*chosen)
            except (ValueError, TypeError, OverflowError):
                continue


# Thinking


def test_so_many_positions_give_the_same_lines_each_time() -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)

    def lines() -> list[Any]:
        found = engine.HaresSearch().think(position, 600, simulations=5000, lines=3)
        return [(one.move, one.win, one.points, one.visits, one.continuation) for one in found]

    assert lines() == lines()


def test_who_listens_hears_lines_and_may_stop() -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    heard = []

    def listen(lines: list[Any]) -> bool:
        heard.append(lines)
        return len(heard) < 3

    lines = engine.HaresSearch().think(position, 600, on_progress=listen, every=0.01, lines=2)
    assert len(heard) == 3
    assert 1 <= len(lines) <= 2


def test_an_error_of_who_listens_is_told() -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)

    def listen(lines: list[Any]) -> bool:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.HaresSearch().think(position, 600, on_progress=listen, every=0.01)


def test_others_run_while_it_thinks() -> None:
    position = engine.HaresPosition(BOARD, [START, START], turn=0)
    stop = threading.Event()
    search = engine.HaresSearch()
    thread = threading.Thread(
        target=lambda: search.think(
            position, 600, on_progress=lambda _: not stop.is_set(), every=0.01
        )
    )
    thread.start()
    other = engine.HaresSearch().think(position, 600, simulations=100)
    stop.set()
    thread.join()
    assert other
