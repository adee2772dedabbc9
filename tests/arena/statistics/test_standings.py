"""The championship's table and the cross table."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.statistics.standings import (
    Cell,
    TableResult,
    by_places,
    counted_scores,
    cross_table,
    table,
)
from spielleiter.games import get_game
from spielleiter.rules import Cause, Text


def match(
    first: int, second: int, scores: tuple[int, int], *, is_regular: bool = True
) -> TableResult:
    points = (1, 1) if scores[0] == scores[1] else (2, 0) if scores[0] > scores[1] else (0, 2)
    return TableResult((first, second), points, scores, is_regular)


def test_wins_come_before_the_mean_score() -> None:
    results = [match(0, 1, (60, 50)), match(0, 2, (60, 59)), match(1, 2, (200, 10))]
    rows = table(3, results)
    assert [(row.bot, row.wins, row.mean_score) for row in rows] == [
        (0, 2, 60),
        (1, 1, 125),
        (2, 0, 34.5),
    ]
    assert [row.place for row in rows] == [1, 2, 3]


def test_equal_wins_are_decided_by_the_higher_mean_score() -> None:
    results = [match(0, 1, (60, 50)), match(1, 2, (90, 80)), match(2, 0, (100, 30))]
    assert [row.bot for row in table(3, results)] == [2, 1, 0]


def test_a_draw_is_half_a_win() -> None:
    # Two draws are worth a win (A1), so that the mean score decides between these three.
    results = [match(0, 3, (50, 50)), match(0, 3, (50, 50)), match(1, 3, (40, 10))]
    results += [match(1, 3, (10, 30)), match(2, 3, (99, 10)), match(2, 3, (1, 2))]
    rows = table(4, results)
    assert [(row.bot, row.victory_points) for row in rows[1:]] == [(0, 2), (2, 2), (1, 2)]
    assert rows[1].draws == 2


def test_what_nothing_tells_apart_shares_a_place() -> None:
    results = [match(0, 1, (50, 50)), match(2, 3, (90, 10))]
    assert [(row.place, row.bot) for row in table(5, results)] == [
        (1, 2),
        (2, 0),
        (2, 1),
        (4, 3),
        (5, 4),
    ]


def test_the_mean_is_over_matches_and_not_a_sum() -> None:
    results = [match(0, 2, (40, 60)), match(0, 2, (40, 60)), match(1, 2, (50, 60))]
    assert [row.bot for row in table(3, results)] == [2, 1, 0]


def test_who_never_played_is_behind_everybody() -> None:
    rows = table(3, [match(0, 1, (-5, -9))])
    assert [(row.bot, row.mean_score) for row in rows] == [(0, -5), (1, -9), (2, None)]


def test_a_bye_counts_as_an_encounter_won_and_leaves_the_mean_alone() -> None:
    rows = table(3, [match(0, 1, (60, 50))], byes={2: 1}, matches_per_encounter=6)
    assert (rows[0].bot, rows[0].victory_points, rows[0].mean_score) == (2, 12, None)
    assert (rows[0].byes, rows[0].matches, rows[0].wins) == (1, 0, 0)


def test_forfeits_are_those_of_the_bot_that_lost() -> None:
    result = TableResult((0, 1), (2, 0), (10, 70), is_regular=False)
    rows = table(2, [result])
    assert [(row.bot, row.forfeits) for row in rows] == [(0, 0), (1, 1)]


def test_the_cross_table_sees_both_sides() -> None:
    cells = cross_table(3, [match(0, 1, (60, 50)), match(1, 0, (70, 30)), match(0, 1, (5, 5))])
    assert cells[0][1] == Cell(3, 1, 1, 1, scored=95, conceded=125)
    assert cells[1][0] == Cell(3, 1, 1, 1, scored=125, conceded=95)
    assert cells[0][1].victory_points == 3
    assert cells[0][0] == cells[0][2] == Cell()


RESULTS = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(0, 9), st.integers(0, 9))
    .filter(lambda drawn: drawn[0] != drawn[1])
    .map(lambda drawn: match(drawn[0], drawn[1], (drawn[2], drawn[3])))
)


@given(RESULTS)
def test_every_table_adds_up_in_any_order(results: list[TableResult]) -> None:
    rows = table(6, results)
    assert sorted(row.bot for row in rows) == list(range(6))
    assert sum(row.victory_points for row in rows) == 2 * len(results)
    assert sum(row.matches for row in rows) == 2 * len(results)
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
    assert rows[0].place == 1
    for better, worse in pairwise(rows):
        assert better.victory_points >= worse.victory_points
        assert better.place <= worse.place
    assert table(6, results[::-1]) == rows


@pytest.mark.parametrize(
    ("name", "kept"), [("blokus-2021", 5), ("blokus-2027", 0), ("hase-und-igel-2018", None)]
)
def test_a_forfeited_match_counts_what_its_result_message_says(name: str, kept: int | None) -> None:
    game = get_game(name)
    state = game.start(1)
    state = state.play(state.legal_moves()[0])
    standing = state.outcome()
    outcome = standing.forfeit(0, Cause.LEFT, Text("weg", "gone"))
    scores = counted_scores(game, outcome, state)
    assert scores[1] == standing.scores[1][0]
    assert scores[0] == (standing.scores[0][0] if kept is None else kept)


def test_a_regular_match_counts_as_it_ended() -> None:
    game = get_game("blokus-2027")
    state = game.start(1)
    for _ in range(8):
        state = state.play(state.legal_moves()[0])
    scores = counted_scores(game, state.outcome(), state)
    assert scores == tuple(parts[0] for parts in state.outcome().scores)
    assert min(scores) > 0


def test_a_knockout_has_the_places_of_its_bracket() -> None:
    rows = table(3, [TableResult((0, 1), (2, 0), (9, 1)), TableResult((1, 2), (2, 0), (9, 1))])
    placed = by_places(rows, {0: 2, 2: 1})
    assert [(row.bot, row.place) for row in placed] == [(1, None), (2, 1), (0, 2)]
    assert {row.bot: row.wins for row in placed} == {row.bot: row.wins for row in rows}
