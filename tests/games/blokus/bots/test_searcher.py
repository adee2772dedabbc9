"""Planner and searcher: legal and never a needless skip, the same again from the same seed, in
time, and stronger.

How strong exactly is measured by ``python -m benchmarks.strength``; here a short match must be won
clearly.
"""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from spielleiter.games.blokus import GAMES, SetMove, SkipMove
from spielleiter.games.blokus.bots.evaluation import RatedPosition, far_reach, near_reach
from spielleiter.games.blokus.bots.planner import PlannerPlayer
from spielleiter.games.blokus.bots.players import PLAYERS
from spielleiter.games.blokus.bots.searcher import SearcherPlayer
from spielleiter.games.blokus.rules.bitboard import BOARD, cells_of, indices, pick_placement, square
from spielleiter.games.blokus.rules.pieces import Color
from spielleiter.games.blokus.rules.state import placed
from spielleiter.rules import FreeClock

GAME = GAMES[0]
BY_ID = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.id)


def random_states(game, seed):
    """All positions of a game in which every placement is equally likely."""
    random = Random(seed)
    states = [game.start(seed)]
    while not states[-1].is_over:
        states.append(
            states[-1].play(
                placed(states[-1].color, *pick_placement(states[-1].placements(), random))
            )
        )
    return states


class TickingClock:
    """Advances by one tick whenever somebody looks at it, and counts how often."""

    def __init__(self, tick, limit=2.0):
        self.tick, self.limit, self.readings = tick, limit, 0

    @property
    def elapsed(self):
        self.readings += 1
        return self.readings * self.tick

    @property
    def remaining(self):
        return self.limit - self.elapsed


def test_order_of_strength():
    assert list(PLAYERS) == ["random", "greedy", "planner", "searcher"]


# Moves


@BY_ID
@pytest.mark.parametrize("make", [PlannerPlayer, lambda seed: SearcherPlayer(seed, budget=200)])
def test_legal_everywhere(game, make):
    player = make(3)
    for seed in (1, 2):
        states = random_states(game, seed)
        # First moves, a few of the middle, and all late ones, where few moves are left.
        for state in [*states[:4], *states[4:40:9], *states[40:-1:3]]:
            move = player.choose(state, FreeClock())
            assert isinstance(move, SetMove)
            assert state.is_legal(move)
            assert move == move.canonical


@pytest.mark.parametrize("name", ["planner", "searcher"])
def test_a_forced_move_needs_no_time(name):
    board = "/".join(["B19", *["20"] * 19])
    state = GAME.parse_position(f"{board} 40 PENTO_L 1;1;1;1 BYRG - -")
    forced, skip = state.legal_moves()
    clock = TickingClock(0.1)
    assert isinstance(skip, SkipMove)
    assert PLAYERS[name](1).choose(state, clock) == forced
    assert clock.readings == 0


@pytest.mark.parametrize("name", ["planner", "searcher"])
def test_skips_only_where_nothing_else_is_left(name):
    board = "/".join(["BY18", "Y1Y17", "1Y18", *["20"] * 17])
    state = GAME.parse_position(f"{board} 40 PENTO_L X5;1;1;1 BYRG - -")
    assert PLAYERS[name](1).choose(state, FreeClock()) == SkipMove(state.color)


# The same again


@pytest.mark.parametrize("name", ["planner", "searcher"])
def test_same_seed_same_moves(name):
    states = random_states(GAME, 4)[6:60:12]

    def moves(seed):
        player = PLAYERS[name](seed)
        return [player.choose(state, FreeClock()) for state in states]

    assert moves(1) == moves(1)


def test_equal_first_moves_are_drawn_by_lot():
    # The empty board is symmetric: without the lot every game would begin in the same corner.
    assert (
        len({PLAYERS["planner"](seed).choose(GAME.start(2), FreeClock()) for seed in range(8)}) > 1
    )


def test_budget_bounds_the_search_where_the_clock_stands_still(monkeypatch):
    state = random_states(GAME, 1)[24]
    counts = []
    rate = RatedPosition.rate_moves

    def counted(self, found, *enough):
        rated = rate(self, found, *enough)
        counts.append(len(rated))
        return rated

    monkeypatch.setattr(RatedPosition, "rate_moves", counted)
    SearcherPlayer(1, budget=1500).choose(state, FreeClock())
    # The root itself is free; the last position may begin just below the budget; each position
    # costs one more.
    assert sum(counts[1:-1]) < 1500 <= sum(counts[1:]) + 2 * len(counts)


# Time


@pytest.mark.parametrize("turn", [8, 30, 50])
@pytest.mark.parametrize(
    ("limit", "stop"), [(2.0, 1.75), (10.0, 1.75), (float("inf"), 1.75), (0.4, 0.35)]
)
def test_stops_in_time(turn, limit, stop):
    state = random_states(GAME, 5)[turn]
    clock = TickingClock(stop / 400, limit)
    player = SearcherPlayer(1, budget=1)
    player.choose(state, FreeClock())  # the first move of a game has less
    assert state.is_legal(player.choose(state, clock))
    # Two readings to learn the limit; then one before each position, and none after the one that
    # says stop.
    assert 400 <= clock.readings <= 401


def test_answers_at_once_where_the_time_is_over_already():
    state = random_states(GAME, 5)[20]
    clock = TickingClock(3.0)
    assert state.is_legal(SearcherPlayer(1).choose(state, clock))
    assert clock.readings <= 3


# The estimate


def test_near_reach_is_what_a_piece_of_five_can_cover():
    # An empty board and one open corner: all squares at most four steps away.
    reached = near_reach(BOARD, square(10, 10))
    assert set(cells_of(reached)) == {
        (x, y) for x in range(20) for y in range(20) if abs(x - 10) + abs(y - 10) <= 4
    }


def test_far_reach_goes_over_corners_but_not_through_walls():
    wall = sum(square(12, y) for y in range(20))
    reached = set(cells_of(far_reach(BOARD & ~wall, square(10, 10))))
    assert reached == {(x, y) for x in range(4, 12) for y in range(4, 17)}
    gap = wall ^ square(12, 12)
    assert (13, 11) in set(cells_of(far_reach(BOARD & ~gap, square(10, 10))))


@BY_ID
def test_a_rated_position_follows_the_rules(game):
    """Move for move it knows what a state knows: turn, colours in play, moves, points, the end."""
    for seed in (1, 2, 3):
        states = random_states(game, seed)
        position = RatedPosition(states[0])
        for before, state in pairwise(states):
            assert position.placements() == before.placements()
            move = state.last_move
            position = position.after(move.orientation.index, move.y * 21 + move.x)
            assert position.points == [state.score(color) for color in Color]
            assert bool(position.live) != state.is_over
            if not state.is_over:
                fresh = RatedPosition(state)
                assert (position.turn, position.live) == (state.turn, state.valid)
                color = state.color
                assert position.near[color] == fresh.near[color]
                assert position.far[color] == fresh.far[color]
        scores = states[-1].outcome().scores
        lead = scores[0][0] - scores[1][0]
        assert position.lead == (-lead if position.turn & 1 else lead)


def test_finishing_is_worth_its_bonus():
    board = "/".join(["B19", *["20"] * 18, "19Y"])
    single, pair = (
        RatedPosition(GAME.parse_position(f"{board} 40 PENTO_L {hand};1;-;- BY - -"))
        for hand in ("1", "2")
    )
    assert single.after(0, 22).points[Color.BLUE] == 89 + 15 + 5
    form, positions = pair.placements()[0]
    assert pair.after(form, next(indices(positions))).points[Color.BLUE] == 89 + 15


def test_sides_see_the_same_with_opposite_signs():
    """Swapping the colours of the sides turns the estimate round: nobody is favoured."""
    rows = "/".join(["B18Y", *["20"] * 18, "G18R"])
    hands = ";".join(["2,I3"] * 4)
    values = []
    for turn in (40, 41):
        position = RatedPosition(GAME.parse_position(f"{rows} {turn} PENTO_L {hands} BYRG - -"))
        values.append(max(position.rate_moves(position.placements()))[0])
    assert values[0] == pytest.approx(values[1], abs=0.2)  # the weights move on by one turn


# Strength


def play(players, seed):
    state = GAME.start(seed)
    while not state.is_over:
        state = state.play(players[state.seat].choose(state, FreeClock()))
    return state.outcome()


def test_planner_beats_greedy():
    won = 0
    for seed in range(2):
        won += play([PLAYERS["planner"](seed), PLAYERS["greedy"](seed + 10)], seed).winner == 0
        won += play([PLAYERS["greedy"](seed + 10), PLAYERS["planner"](seed)], seed).winner == 1
    assert won >= 3


def exact_lead(state, seat):
    """The lead of a seat at the end if both play perfectly and never skip: every line, played by
    the rules.
    """
    if state.is_over:
        scores = state.outcome().scores
        return scores[seat][0] - scores[1 - seat][0]
    leads = (
        exact_lead(state.play(move), seat)
        for move in state.legal_moves()
        if isinstance(move, SetMove)
    )
    return max(leads) if state.seat == seat else min(leads)


@pytest.mark.parametrize("seed", range(12))
def test_searcher_plays_a_short_end_perfectly(seed):
    state = random_states(GAMES[seed % len(GAMES)], seed)[-5]
    clock = TickingClock(1e-9)
    after = state.play(SearcherPlayer(1).choose(state, clock))
    assert exact_lead(after, state.seat) == exact_lead(state, state.seat)
    assert clock.elapsed < 0.001  # solved: he does not go on thinking
