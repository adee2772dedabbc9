"""The Swiss system by properties, and the matchings it rests on."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter.arena.pairing.matching import Matching
from spielleiter.arena.pairing.schedule import Encounter, EncounterResult
from spielleiter.arena.pairing.swiss import Swiss, most_rounds, usual_rounds

Results = dict[int, EncounterResult]


def drawn(source: random.Random) -> EncounterResult:
    points = source.choice((0, 4, 6, 7, 12))
    return EncounterResult((points, 12 - points), (source.randint(0, 600), source.randint(0, 600)))


def played(schedule: Swiss, source: random.Random) -> tuple[list[Encounter], Results]:
    """Play a tournament in which anybody beats anybody."""
    results: Results = {}
    encounters: list[Encounter] = []
    while upcoming := schedule.upcoming(results):
        for encounter in upcoming:
            encounters.append(encounter)
            results[encounter.number] = drawn(source)
    return encounters, results


def pairs_of(encounters: list[Encounter]) -> Counter[frozenset[int]]:
    return Counter(frozenset((encounter.first, encounter.second)) for encounter in encounters)


@given(st.integers(2, 101), st.data())
@settings(max_examples=20)
def test_nobody_meets_twice_in_half_as_many_rounds_as_bots(bots: int, data: st.DataObject) -> None:
    rounds = data.draw(st.integers(1, min((bots + 1) // 2, 12)))
    schedule = Swiss(bots, rounds)
    encounters, results = played(schedule, data.draw(st.randoms(use_true_random=False)))
    assert len(encounters) == schedule.total() == rounds * (bots // 2)
    assert set(pairs_of(encounters).values()) == {1}
    byes = schedule.byes(results)
    assert sum(byes.values()) == rounds * (bots % 2)
    assert set(byes.values()) <= {1}
    for number in range(1, rounds + 1):
        in_round = [bot for e in encounters if e.round == number for bot in (e.first, e.second)]
        assert len(in_round) == len(set(in_round)) == bots - bots % 2


@given(st.integers(2, 16), st.randoms(use_true_random=False))
def test_as_many_rounds_as_there_can_be_end_with_few_repeats(
    bots: int, source: random.Random
) -> None:
    schedule = Swiss(bots, most_rounds(bots))
    encounters, results = played(schedule, source)
    assert len(encounters) == bots * (bots - 1) // 2
    repeats = sum(number - 1 for number in pairs_of(encounters).values())
    assert repeats <= bots // 2
    assert set(schedule.byes(results).values()) <= {1}


def test_a_hundred_and_one_bots_are_paired() -> None:
    schedule = Swiss(101, 7)
    encounters, _ = played(schedule, random.Random(1))
    assert set(pairs_of(encounters).values()) == {1}


def test_equals_meet() -> None:
    schedule = Swiss(8, 3)
    results: Results = {}
    assert [(e.first, e.second) for e in schedule.upcoming({})] == [(4, 0), (1, 5), (6, 2), (3, 7)]
    for encounter in schedule.upcoming({}):
        better = encounter.first < encounter.second
        results[encounter.number] = EncounterResult((12, 0) if better else (0, 12), (300, 300))
    second = schedule.upcoming(results)
    assert {frozenset((e.first, e.second)) for e in second} == {
        frozenset(pair) for pair in ((0, 2), (1, 3), (4, 6), (5, 7))
    }


def test_the_lowest_bot_without_a_bye_gets_it() -> None:
    schedule = Swiss(5, 3)
    assert schedule.byes({}) == {4: 1}
    results: Results = {}
    for encounter in schedule.upcoming({}):
        results[encounter.number] = EncounterResult((12, 0), (encounter.first, 0))
    byes = schedule.byes(results)
    assert byes.keys() > {4}
    losers = {encounter.second for encounter in schedule.known({})}
    assert (byes.keys() - {4}) <= losers


def test_a_bye_counts_as_an_encounter_won() -> None:
    schedule = Swiss(5, 2, matches=6)
    results = {e.number: EncounterResult((6, 6), (300, 300)) for e in schedule.upcoming({})}
    first = schedule.upcoming(results)[0]
    assert 4 in (first.first, first.second), "twelve points are the most, so 4 plays at the top"


@given(st.integers(2, 30), st.randoms(use_true_random=False))
def test_whoever_began_less_often_begins(bots: int, source: random.Random) -> None:
    encounters, _ = played(Swiss(bots, min(usual_rounds(bots) + 2, most_rounds(bots))), source)
    begun: Counter[int] = Counter()
    for encounter in encounters:
        assert begun[encounter.first] <= begun[encounter.second]
        begun[encounter.first] += 1
        begun[encounter.second] -= 1


@given(st.integers(2, 12), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_results_alone_say_what_comes_next(bots: int, source: random.Random) -> None:
    rounds = min(4, most_rounds(bots))
    asked = Swiss(bots, rounds)
    results: Results = {}
    while upcoming := asked.upcoming(results):
        chosen = source.choice(upcoming)
        results[chosen.number] = drawn(source)
        fresh = Swiss(bots, rounds)
        assert fresh.upcoming(results) == asked.upcoming(results)
        assert fresh.byes(results) == asked.byes(results)


@given(st.integers(4, 12), st.randoms(use_true_random=False))
@settings(max_examples=10)
def test_other_results_are_not_confused_with_earlier_ones(bots: int, source: random.Random) -> None:
    asked = Swiss(bots, 3)
    _, first = played(asked, source)
    for _ in range(3):
        _, second = played(Swiss(bots, 3), source)
        for number in range(len(second) + 1):
            part = {key: second[key] for key in range(number)}
            assert asked.upcoming(part) == Swiss(bots, 3).upcoming(part)
        assert asked.known(first) == Swiss(bots, 3).known(first)


def test_a_round_waits_for_the_one_before() -> None:
    schedule = Swiss(6, 3)
    first = schedule.upcoming({})
    results = {first[0].number: EncounterResult((12, 0), (1, 1))}
    assert schedule.upcoming(results) == first[1:]
    with pytest.raises(ValueError, match="encounter 5 has a result"):
        schedule.upcoming({5: EncounterResult((12, 0), (1, 1))})


def test_too_many_rounds_are_refused() -> None:
    assert (most_rounds(2), most_rounds(7), most_rounds(8)) == (1, 7, 7)
    with pytest.raises(ValueError, match="8 bots has between 1 and 7 rounds, not 8"):
        Swiss(8, 8)
    with pytest.raises(ValueError, match="not 0"):
        Swiss(8, 0)
    assert [usual_rounds(bots) for bots in (2, 3, 8, 9, 101)] == [1, 2, 3, 4, 7]


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    size = draw(st.integers(1, 10))
    neighbours: list[set[int]] = [set() for _ in range(size)]
    possible = [(one, other) for one in range(size) for other in range(one)]
    for one, other in draw(
        st.lists(st.sampled_from(possible), max_size=18) if possible else st.just([])
    ):
        neighbours[one].add(other)
        neighbours[other].add(one)
    return neighbours


def largest(neighbours: list[set[int]], left: frozenset[int]) -> int:
    """Try everything."""

    @cache
    def pairs(left: frozenset[int]) -> int:
        if not left:
            return 0
        vertex = min(left)
        rest = left - {vertex}
        return max(
            [pairs(rest), *(1 + pairs(rest - {other}) for other in neighbours[vertex] & rest)]
        )

    return pairs(left)


@given(graphs())
@settings(max_examples=200)
def test_a_matching_is_as_large_as_can_be(neighbours: list[set[int]]) -> None:
    matching = Matching(neighbours)
    matching.grow()
    everybody = frozenset(range(len(neighbours)))
    assert len(neighbours) - len(matching.exposed()) == 2 * largest(neighbours, everybody)


@given(graphs())
@settings(max_examples=200)
def test_a_pair_is_taken_exactly_if_all_others_can_be_paired(neighbours: list[set[int]]) -> None:
    matching = Matching(neighbours)
    matching.grow()
    exposed = matching.exposed()
    for vertex in exposed:
        matching.remove(vertex)
    left = frozenset(range(len(neighbours))) - set(exposed)
    for one in sorted(left):
        for other in sorted(neighbours[one] & left):
            if one not in left:
                break
            possible = 2 * largest(neighbours, left - {one, other}) == len(left) - 2
            assert matching.take(one, other) == possible
            if possible:
                left -= {one, other}
