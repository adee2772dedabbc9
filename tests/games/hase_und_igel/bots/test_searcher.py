"""Planner and searcher: exact tables, an inner form that agrees with the rules, legal moves, in
time, and stronger.

How strong exactly is measured by ``python -m benchmarks.strength``; here short matches must be won
clearly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import pytest
from hypothesis import given, settings

from games.hase_und_igel.positions import board, place, states
from spielleiter.client.bot import make_bot
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    Advance,
    EatSalad,
    Field,
    Hare,
    HareMove,
    HareState,
)
from spielleiter.games.hase_und_igel.bots.outlook import DECIDED, Outlook, position_of
from spielleiter.games.hase_und_igel.bots.planner import PlannerPlayer
from spielleiter.games.hase_und_igel.bots.players import PLAYERS
from spielleiter.games.hase_und_igel.bots.race import (
    CARROTS_KNOWN,
    MOST_TURNS,
    race_of,
    solo_turns,
    stock,
)
from spielleiter.games.hase_und_igel.bots.searcher import SearcherPlayer
from spielleiter.games.hase_und_igel.rules.board import make_board, make_track
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018
from spielleiter.games.hase_und_igel.rules.steps import SKIP_MOVE, Runner, steps, turn_bonus
from spielleiter.rules import Clock, FreeClock, Player

FIRST, SECOND = (10, Field.POSITION_1, 0), (30, Field.POSITION_2, SEASON_2018.goal)
"""What a hare of this rank is given, on which field, and where an opponent stands that never
changes the rank.
"""
ALL_CARDS = 0b1111


class TickingClock:
    """Advances by one tick whenever somebody looks at how much time has gone."""

    def __init__(self, tick: float, limit: float = 2.0, started: float = 0.0) -> None:
        self.now, self.tick, self.limit = started, tick, limit

    @property
    def elapsed(self) -> float:
        self.now += self.tick
        return self.now

    @property
    def remaining(self) -> float:
        return self.limit - self.now


def random_states(seed: int) -> Iterator[HareState]:
    """Positions of a game in which the hares go by chance, but now and then with greedy's help, so
    that they arrive.
    """
    dice = Random(seed)
    greedy = HASE_UND_IGEL.players["greedy"](seed)
    state = HASE_UND_IGEL.start(seed)
    while not state.is_over:
        yield state
        by_chance = dice.random() < 0.4
        state = state.play(
            dice.choice(state.legal_moves()) if by_chance else greedy.choose(state, FreeClock())
        )


def match(seed: int, red: Player, blue: Player) -> HareState:
    state = HASE_UND_IGEL.start(seed)
    while not state.is_over:
        state = state.play((red, blue)[state.seat].choose(state, FreeClock()))
    return state


def wins(strong: Callable[[int], Player], weak: Callable[[int], Player], seeds: range) -> int:
    """Games won by the first in a match of pairs: the same board twice, seats swapped."""
    as_red = sum(match(seed, strong(seed), weak(seed)).outcome().winner == 0 for seed in seeds)
    return as_red + sum(
        match(seed, weak(seed), strong(seed)).outcome().winner == 1 for seed in seeds
    )


# The tables


@pytest.mark.parametrize("seed", range(6))
def test_thirteen_turns_as_the_second_and_eighteen_or_nineteen_as_the_first(seed: int) -> None:
    fields = make_board(SEASON_2018, seed)
    at_start = stock(carrots=68, salads=5, cards=ALL_CARDS)
    assert solo_turns(SEASON_2018, fields, *SECOND[:2])[0][at_start] == 13
    assert solo_turns(SEASON_2018, fields, *FIRST[:2])[0][at_start] in (18, 19)


@pytest.mark.parametrize("rank", [FIRST, SECOND], ids=["first", "second"])
@pytest.mark.parametrize("seed", [3, 4])
def test_tables_say_one_more_than_the_best_move_leads_to(
    seed: int, rank: tuple[int, Field, int]
) -> None:
    """By the rules themselves, for hares of all kinds: with 0 in the goal, and only there, that
    makes them exact.
    """
    gain, bonus_field, other = rank
    fields = make_board(SEASON_2018, seed)
    track, turns = (
        make_track(SEASON_2018, fields),
        solo_turns(SEASON_2018, fields, gain, bonus_field),
    )

    def turns_of(runner: Runner) -> int:
        position, carrots, salads, cards, must_eat = runner
        return turns[position + len(fields) * must_eat][stock(carrots, salads, cards)]

    def after(runner: Runner) -> Runner:
        position, carrots, *rest = runner
        return (
            position,
            carrots + turn_bonus(SEASON_2018, fields[position], position, other),
            *rest,
        )

    dice = Random(seed)
    seen = set()
    for _ in range(6000):
        position, salads = dice.randrange(SEASON_2018.goal), dice.randrange(6)
        must_eat = fields[position] is Field.SALAD and salads > 0 and dice.random() < 0.5
        runner = (
            position,
            dice.randrange(dice.choice((30, CARROTS_KNOWN))),
            salads,
            dice.randrange(4),
            must_eat,
        )
        # Skipping is in no plan; whoever has nothing else to do on a position field is paid for
        # waiting, though.
        ahead = [after(step[1:]) for step in steps(track, runner, other) if step[0] != SKIP_MOVE]
        ways = [turns_of(runner) for runner in ahead if runner[1] < CARROTS_KNOWN]
        assert turns_of(runner) == min(MOST_TURNS, 1 + min(ways, default=MOST_TURNS))
        seen.add(turns_of(runner))
    assert set(range(1, 18)) <= seen
    assert turns_of((SEASON_2018.goal, 10, 0, 0, False)) == 0


def test_a_waiting_hare_is_still_to_be_paid() -> None:
    fields = make_board(SEASON_2018, 1)
    race, turns = race_of(SEASON_2018, fields), solo_turns(SEASON_2018, fields, *SECOND[:2])
    paying, other = fields.index(Field.POSITION_2), fields.index(Field.CARROT)
    for carrots in (0, 7, 60):
        held = stock(carrots, 2, ALL_CARDS)
        assert race.second[paying][held] == turns[paying][held + 30]
        assert race.second[other][held] == turns[other][held]


def test_tables_are_kept_but_not_for_ever() -> None:
    one, twin = (make_board(SEASON_2018, 1) for _ in range(2))
    assert race_of(SEASON_2018, one) is race_of(SEASON_2018, twin)
    assert race_of.cache_info().maxsize is not None


# The inner form


def compare(state: HareState) -> None:
    """One position: the same moves, leading to the same positions, ended and won alike."""
    outlook, position = Outlook(state), position_of(state)
    options = outlook.options(position)
    assert [
        option[2][0] for option in sorted(options, key=lambda option: -option[1])
    ] == state.legal_moves()
    assert [option[0] for option in options] == sorted(
        (option[0] for option in options), reverse=True
    )
    for worth, _, step in options:
        after = state.play(step[0])
        assert (abs(worth) >= DECIDED) == after.is_over
        if after.is_over:
            assert (worth > 0) == (after.outcome().winner == state.seat)
        else:
            assert outlook.after(position, step) == position_of(after)


@given(states())
@settings(max_examples=25, deadline=None)
def test_inner_form_is_the_rules_in_any_position(state: HareState) -> None:
    if not state.is_over:
        compare(state)


@pytest.mark.parametrize("seed", range(12))
def test_inner_form_is_the_rules_throughout_games(seed: int) -> None:
    for state in random_states(seed):
        compare(state)
        for move in state.legal_moves()[::3]:  # off the beaten track, too
            after = state.play(move)
            if not after.is_over:
                compare(after)


def test_more_than_the_tables_know_does_no_harm() -> None:
    state = place(Hare(20, 900, 9), Hare(12, 400, 7))
    for player in (PlannerPlayer(1), SearcherPlayer(1, budget=200)):
        assert state.is_legal(player.choose(state, FreeClock()))


# Moves


def test_order_of_strength() -> None:
    assert list(PLAYERS) == ["random", "greedy", "planner", "searcher"]


@pytest.mark.parametrize("make", [PlannerPlayer, lambda seed: SearcherPlayer(seed, budget=100)])
def test_legal_everywhere(make: Callable[[int], Player]) -> None:
    player = make(3)
    for seed in range(4):
        for state in random_states(seed):
            assert player.choose(state, FreeClock()) in state.legal_moves()


@pytest.mark.parametrize("make", [PlannerPlayer, lambda seed: SearcherPlayer(seed, budget=300)])
def test_equal_seeds_play_equal_matches(make: Callable[[int], Player]) -> None:
    assert match(5, make(1), make(2)) == match(5, make(1), make(2))


STRONG: list[Callable[[int], Player]] = [PlannerPlayer, SearcherPlayer]


@pytest.mark.parametrize("make", STRONG)
def test_blue_goes_home_where_that_wins(make: Callable[[int], Player]) -> None:
    fewer = Hare(62, 11, 0, (), Advance(1))
    assert make(1).choose(place(Hare(64, 9, 0, ()), fewer, turn=41), FreeClock()) == HareMove(
        (Advance(2),)
    )


@pytest.mark.parametrize("make", STRONG)
def test_red_goes_home_before_blue_does(make: Callable[[int], Player]) -> None:
    """Both could go home; red is safe now, with fewer carrots than blue will have, and lost a turn
    later.
    """
    red, blue = Hare(62, 6, 0, (), Advance(1)), Hare(63, 5, 0, (), Advance(1))
    state = place(red, blue, turn=40)
    assert make(1).choose(state, FreeClock()) == HareMove((Advance(2),))


@pytest.mark.parametrize("carrots", [40, 60, 90])
def test_searcher_goes_the_shortest_way(carrots: int) -> None:
    """Nobody hinders red, for blue can neither move nor pay: it needs exactly the turns that the
    table promises.
    """
    fields = board(HARE=1, POSITION_1=(59, 61))
    state = place(Hare(57, carrots, 1, (), Advance(1)), Hare(1, 0, 5, ()), turn=20, fields=fields)
    player = SearcherPlayer(1)
    while not state.is_over:
        skips = state.legal_moves() == [SKIP_MOVE]
        assert skips == (state.seat == 1)
        state = state.play(SKIP_MOVE if skips else player.choose(state, FreeClock()))
    promised = solo_turns(SEASON_2018, fields, *FIRST[:2])[len(fields) + 57][stock(carrots, 1, 0)]
    assert promised >= 3
    assert state.in_goal(state.hares[0])
    assert state.turn == 20 + 2 * promised


# Time


@pytest.mark.parametrize(("limit", "stop"), [(2.0, 1.75), (1.0, 0.875), (float("inf"), 1.75)])
def test_searcher_stops_in_time(limit: float, stop: float) -> None:
    clock = TickingClock(0.005, limit)
    state = HASE_UND_IGEL.start(2)
    player = SearcherPlayer(1, budget=1)
    player.choose(state, FreeClock())  # the first move of a game has less
    assert player.choose(state, clock) in state.legal_moves()
    assert stop <= clock.now < stop + 0.02


@pytest.mark.parametrize("make", [PlannerPlayer, SearcherPlayer])
def test_the_tables_are_made_when_the_game_begins(make: type[PlannerPlayer]) -> None:
    state = HASE_UND_IGEL.start(77)
    race_of.cache_clear()
    bot = make_bot(make, 1)
    bot.on_start(state)
    made = race_of.cache_info().misses
    assert made == 1
    bot.choose(state, FreeClock())
    assert race_of.cache_info().misses == made


def test_searcher_answers_at_once_when_it_is_late() -> None:
    clock = TickingClock(0.001, 2.0, started=1.9)
    state = HASE_UND_IGEL.start(2)
    assert SearcherPlayer(1).choose(state, clock) in state.legal_moves()
    assert clock.now < 1.91


def test_a_forced_move_needs_no_search() -> None:
    clock: Clock = TickingClock(0.1)
    state = HASE_UND_IGEL.start(2).play(HareMove((Advance(10),))).play(HareMove((Advance(2),)))
    assert state.must_eat
    assert SearcherPlayer(1).choose(state, clock) == HareMove((EatSalad(),))
    assert clock.elapsed == pytest.approx(0.1)


# Strength


def test_planner_beats_greedy() -> None:
    assert wins(PlannerPlayer, HASE_UND_IGEL.players["greedy"], range(100, 110)) >= 15


def test_searcher_beats_planner() -> None:
    assert wins(lambda seed: SearcherPlayer(seed, budget=600), PlannerPlayer, range(100, 105)) >= 7
