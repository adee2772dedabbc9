"""Seasons are data: another record is another game, and everything reads it."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from games.hase_und_igel.positions import board
from spielleiter.games.hase_und_igel import (
    GAMES,
    HASE_UND_IGEL,
    HASE_UND_IGEL_DOCUMENTED,
    Card,
    Field,
    Hare,
    HareState,
    HaseUndIgel,
)
from spielleiter.games.hase_und_igel.bots.players import PLAYERS
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018, SEASONS
from spielleiter.rules import DRAW, FreeClock, RuleViolation, UnknownGame

SHORT = replace(
    SEASON_2018,
    id="hase-und-igel-short",
    title="Hase und Igel, short",
    length=22,
    fixed=((0, Field.START), (10, Field.SALAD), (11, Field.HEDGEHOG), (21, Field.GOAL)),
    segments=(
        (
            tuple(range(1, 10)),
            (Field.HARE, Field.POSITION_1, Field.POSITION_2, *[Field.CARROT] * 6),
        ),
        (tuple(range(12, 21)), (Field.HARE, *[Field.CARROT] * 8)),
    ),
    last_turn=20,
    start_carrots=40,
    start_salads=1,
    start_cards=(Card.EAT_SALAD, Card.TAKE_OR_DROP_CARROTS),
    first_gain=4,
    second_gain=6,
    retreat_gain=3,
    goal_carrots=5,
    exchange_values=(7, -7),
    take_or_drop_values=(9, -9),
    first_seat_wins_ties=False,
)
GAME = HaseUndIgel(SHORT)


def place(red: Hare, blue: Hare, turn: int = 4) -> HareState:
    fields = [dict(SHORT.fixed).get(index, Field.CARROT) for index in range(SHORT.length)]
    fields[1], fields[2] = Field.HARE, Field.POSITION_2
    return HareState(GAME, tuple(fields), (red, blue), turn, None)


def played(state: HareState, move: str) -> Hare:
    return state.play(GAME.parse_move(move)).hares[state.seat]


def test_there_is_a_game_for_each_season() -> None:
    assert [game.season for game in GAMES] == list(SEASONS)
    assert [game.id for game in (HASE_UND_IGEL, HASE_UND_IGEL_DOCUMENTED)] == [
        season.id for season in SEASONS
    ]


def test_a_game_is_its_season_also_in_another_process() -> None:
    assert HaseUndIgel(SEASON_2018) == HASE_UND_IGEL != HASE_UND_IGEL_DOCUMENTED
    assert hash(HaseUndIgel(SEASON_2018)) == hash(HASE_UND_IGEL)
    assert pickle.loads(pickle.dumps(HASE_UND_IGEL)) is HASE_UND_IGEL
    state = GAME.start(3)
    assert pickle.loads(pickle.dumps(state)) == state


def test_codecs_are_made_once() -> None:
    assert HASE_UND_IGEL.codecs["2018"] is HASE_UND_IGEL.codecs["2018"]
    with pytest.raises(UnknownGame, match="hase-und-igel-short"):
        _ = GAME.codecs


def test_the_start_is_that_of_the_season() -> None:
    state = GAME.start(1)
    assert len(state.board) == 22
    assert state.me == Hare(0, 40, 1, (Card.EAT_SALAD, Card.TAKE_OR_DROP_CARROTS))


def test_carrots_change_by_the_values_of_the_season() -> None:
    assert played(place(Hare(3, 20), Hare(4)), "X-7").carrots == 13
    assert played(place(Hare(0, 20), Hare(4)), "A1 C:TAKE_OR_DROP_CARROTS:9").carrots == 28
    assert played(place(Hare(13, 20), Hare(4)), "F").carrots == 26
    assert played(place(Hare(10, 20, 1), Hare(4)), "E").carrots == 24
    assert played(place(Hare(10, 20, 1), Hare(12)), "E").carrots == 26
    with pytest.raises(RuleViolation, match=r"not one of those allowed here: 9, -9"):
        played(place(Hare(0, 20), Hare(4)), "A1 C:TAKE_OR_DROP_CARROTS:20")
    with pytest.raises(RuleViolation, match=r"not one of those allowed here: 7, -7"):
        played(place(Hare(3, 20), Hare(4)), "X+10")


def test_the_goal_is_that_of_the_season() -> None:
    state = place(Hare(20, 6, 0), Hare(4))
    after = state.play(GAME.parse_move("A1"))
    assert after.in_goal(after.hares[0])
    with pytest.raises(RuleViolation, match="at most 5 carrots; this leaves 6"):
        played(place(Hare(20, 7, 0), Hare(4)), "A1")
    with pytest.raises(RuleViolation, match="The goal is field 21; this leads to field 22"):
        played(place(Hare(20, 7, 0), Hare(4)), "A2")


def test_equal_hares_draw_where_the_season_says_so() -> None:
    ended = place(Hare(21, 3, 0), Hare(21, 3, 0), turn=8)
    assert ended.is_over
    assert ended.outcome().winner is None
    assert {seat.points for seat in ended.outcome().seats} == {DRAW}
    assert "A draw." in GAME.picture(ended)
    twins = (Hare(64, 3, 0), Hare(64, 3, 0))
    assert HareState(HASE_UND_IGEL, board(), twins, 8, None).outcome().winner == 0


@pytest.mark.parametrize("name", PLAYERS)
def test_every_house_bot_plays_another_season(name: str) -> None:
    state = GAME.start(5)
    players = [GAME.players[name](seed) for seed in (1, 2)]
    while not state.is_over:
        assert GAME.parse_position(GAME.format_position(state)) == state
        assert all(state.is_legal(move) for move in state.legal_moves())
        state = state.play(players[state.seat].choose(state, FreeClock()))
    assert state.turn <= SHORT.last_turn
