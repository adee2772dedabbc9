"""Who meets whom, by properties: everybody meets everybody, seats are balanced, nothing depends on
what is not handed in.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.arena.pairing.schedule import (
    Encounter,
    EncounterResult,
    Gauntlet,
    Knockout,
    RoundRobin,
    Schedule,
    encounter_result,
    matches_of,
)
from spielleiter.arena.statistics.standings import TableResult

BOTS = st.integers(2, 101)


def pair(encounter: Encounter) -> frozenset[int]:
    return frozenset((encounter.first, encounter.second))


def balances(encounters: Iterable[Encounter]) -> Counter[int]:
    """Return how much more often each bot began than it did not."""
    found: Counter[int] = Counter()
    for encounter in encounters:
        found[encounter.first] += 1
        found[encounter.second] -= 1
    return found


def assert_rounds_are_fair(encounters: Iterable[Encounter]) -> None:
    met: set[tuple[int, int]] = set()
    for encounter in encounters:
        for bot in pair(encounter):
            assert (encounter.round, bot) not in met, "nobody plays twice in a round"
            met.add((encounter.round, bot))


def first_wins(encounter: Encounter) -> EncounterResult:
    """Return a result in which the better seed wins."""
    better = encounter.first < encounter.second
    return EncounterResult((12, 0) if better else (0, 12), (300, 300))


@given(BOTS, st.integers(1, 2))
def test_in_a_round_robin_everybody_meets_everybody(bots: int, legs: int) -> None:
    schedule = RoundRobin(bots, legs)
    encounters = schedule.upcoming({})
    assert [encounter.number for encounter in encounters] == list(range(schedule.total()))
    met = Counter(map(pair, encounters))
    assert len(met) == bots * (bots - 1) // 2
    assert set(met.values()) == {legs}
    assert all(0 <= bot < bots for one in met for bot in one)
    assert_rounds_are_fair(encounters)
    assert encounters[-1].round == legs * (bots - 1 + bots % 2)
    assert [encounter.round for encounter in encounters] == sorted(
        encounter.round for encounter in encounters
    )
    most = 0 if legs == 2 else (bots - 1) % 2
    assert all(abs(balance) <= most for balance in balances(encounters).values())


def test_the_second_leg_swaps_who_begins() -> None:
    encounters = RoundRobin(5, 2).upcoming({})
    begun = {(encounter.first, encounter.second) for encounter in encounters}
    assert len(begun) == 20


@given(BOTS, st.data())
def test_in_a_gauntlet_challengers_meet_all_others(bots: int, data: st.DataObject) -> None:
    challengers = data.draw(
        st.sets(st.integers(0, bots - 1), min_size=1, max_size=min(bots - 1, 5))
    )
    schedule = Gauntlet(bots, challengers)
    encounters = schedule.upcoming({})
    assert len(encounters) == schedule.total() == len(challengers) * (bots - len(challengers))
    met = Counter(map(pair, encounters))
    assert set(met.values()) == {1}
    assert all(len(one & challengers) == 1 for one in met)
    assert_rounds_are_fair(encounters)
    assert all(abs(balance) <= 1 for balance in balances(encounters).values())
    twice = balances(Gauntlet(bots, challengers, legs=2).upcoming({}))
    assert not any(twice.values())


def test_more_challengers_than_others_meet_them_all() -> None:
    encounters = Gauntlet(5, (0, 1, 2)).upcoming({})
    assert {pair(encounter) for encounter in encounters} == {
        frozenset((one, other)) for one in (0, 1, 2) for other in (3, 4)
    }
    assert_rounds_are_fair(encounters)


@given(BOTS, st.booleans(), st.randoms(use_true_random=False))
def test_a_knockout_ends_with_one_winner(
    bots: int, third_place: bool, source: random.Random
) -> None:
    schedule = Knockout(bots, third_place=third_place and bots >= 4)
    results: dict[int, EncounterResult] = {}
    lost: Counter[int] = Counter()
    played: list[Encounter] = []
    while upcoming := schedule.upcoming(results):
        encounter = source.choice(upcoming)
        played.append(encounter)
        score = source.randint(0, 12)
        results[encounter.number] = EncounterResult((score, 12 - score), (5, 5))
        lost[encounter.first if score < 6 else encounter.second] += score != 6
    assert len(played) == schedule.total()
    assert_rounds_are_fair(
        encounter for encounter in played if encounter.number != schedule.total() - 2
    )
    assert max(encounter.round for encounter in played) == (bots - 1).bit_length()
    places = schedule.places(results)
    assert sorted(places) == list(range(bots))
    assert sorted(places.values())[:2] == [1, 2]
    (winner,) = (bot for bot, place in places.items() if place == 1)
    assert lost[winner] == 0


@given(BOTS)
def test_the_best_seeds_meet_as_late_as_they_can(bots: int) -> None:
    schedule = Knockout(bots)
    results: dict[int, EncounterResult] = {}
    rounds: dict[frozenset[int], int] = {}
    while upcoming := schedule.upcoming(results):
        for encounter in upcoming:
            results[encounter.number] = first_wins(encounter)
            rounds[pair(encounter)] = encounter.round
    last = (bots - 1).bit_length()
    assert rounds[frozenset((0, 1))] == last
    if bots > 3:
        assert rounds[frozenset((0, 3))] == rounds[frozenset((1, 2))] == last - 1
    byes = 2**last - bots
    assert {bot for one, number in rounds.items() if number == 1 for bot in one} == set(
        range(byes, bots)
    )


def test_a_knockout_of_eight_is_the_usual_bracket() -> None:
    schedule = Knockout(8)
    assert [(e.first, e.second) for e in schedule.upcoming({})] == [(0, 7), (3, 4), (1, 6), (2, 5)]
    # The first semifinal can be played as soon as its two bots are known.
    results = {0: EncounterResult((4, 8), (1, 1)), 1: EncounterResult((12, 0), (1, 1))}
    assert Encounter(4, 2, 3, 7) in schedule.upcoming(results)


@pytest.mark.parametrize(
    ("result", "winner"),
    [
        (EncounterResult((7, 5), (10, 900)), 0),
        (EncounterResult((5, 7), (900, 10)), 1),
        (EncounterResult((6, 6), (300, 299)), 0),
        (EncounterResult((6, 6), (299, 300)), 1),
        (EncounterResult((6, 6), (300, 300)), 0),
    ],
)
def test_a_level_encounter_is_decided_by_score_and_then_by_seed(
    result: EncounterResult, winner: int
) -> None:
    assert Knockout(2).places({0: result}) == {winner: 1, 1 - winner: 2}


def test_the_third_place_is_played_out() -> None:
    schedule = Knockout(4, third_place=True)
    results = {0: EncounterResult((12, 0), (1, 1)), 1: EncounterResult((12, 0), (1, 1))}
    third, final = schedule.upcoming(results)
    assert (pair(third), pair(final)) == (frozenset((2, 3)), frozenset((0, 1)))
    results[third.number] = EncounterResult((0, 12), (1, 1))
    assert schedule.places(results) == {3: 3, 2: 4}


SCHEDULES = [RoundRobin(7), RoundRobin(6, 2), Gauntlet(6, (0, 3)), Knockout(11)]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda schedule: type(schedule).__name__)
def test_results_alone_say_what_comes_next(schedule: Schedule) -> None:
    source = random.Random(1)
    results: dict[int, EncounterResult] = {}
    while upcoming := schedule.upcoming(results):
        assert schedule.upcoming(dict(reversed(results.items()))) == upcoming
        chosen = source.choice(upcoming)
        results[chosen.number] = first_wins(chosen)
        assert chosen not in schedule.upcoming(results)
    assert sorted(results) == list(range(schedule.total()))
    numbers = [encounter.number for encounter in schedule.known(results)]
    assert numbers == list(range(schedule.total()))


def test_a_result_of_what_cannot_have_been_played_is_refused() -> None:
    with pytest.raises(ValueError, match="encounter 99 has a result"):
        RoundRobin(4).upcoming({99: EncounterResult((12, 0), (1, 1))})
    with pytest.raises(ValueError, match="encounter 2 has a result"):
        Knockout(4).upcoming({2: EncounterResult((12, 0), (1, 1))})


def test_an_encounter_is_made_of_pairs_with_alternating_starts() -> None:
    planned = matches_of(Encounter(3, 2, 7, 4), 6, seed=5)
    assert [match.bots for match in planned] == [(7, 4), (4, 7)] * 3
    assert [match.number for match in planned] == list(range(18, 24))
    assert [match.pair for match in planned] == [9, 9, 10, 10, 11, 11]
    assert [planned[0].seed, planned[2].seed] == [planned[1].seed, planned[3].seed]
    assert len({match.seed for match in planned}) == 3
    assert {match.round for match in planned} == {2}
    assert planned == matches_of(Encounter(3, 2, 7, 4), 6, seed=5)


def test_seeds_are_the_same_on_every_machine() -> None:
    first, _, second, _ = matches_of(Encounter(0, 1, 0, 1), 4, seed=1)
    assert (first.seed, second.seed) == (67055261712677, 203325894984148)


@given(st.integers(1, 9))
def test_numbers_are_unique_in_a_run(matches: int) -> None:
    encounters = RoundRobin(5).upcoming({})
    planned = [match for encounter in encounters for match in matches_of(encounter, matches)]
    assert len({match.number for match in planned}) == len(planned) == 10 * matches
    pairs = Counter(match.pair for match in planned)
    assert set(pairs.values()) <= {1, 2}
    assert len(pairs) == 10 * ((matches + 1) // 2) == len({match.seed for match in planned})


def test_matches_add_up_to_their_encounter() -> None:
    results = [TableResult((7, 4), (2, 0), (60, 50)), TableResult((4, 7), (1, 1), (33, 33))]
    found = encounter_result(Encounter(0, 1, 7, 4), results)
    assert found == EncounterResult((3, 1), (93, 83))
    with pytest.raises(ValueError, match="does not belong"):
        encounter_result(Encounter(0, 1, 7, 5), results)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: RoundRobin(1), "between 2 and 256 bots, not 1"),
        (lambda: RoundRobin(3, 0), "at least one leg, not 0"),
        (lambda: Gauntlet(3, ()), "needs challengers"),
        (lambda: Gauntlet(3, (3,)), "needs challengers"),
        (lambda: Gauntlet(2, (0, 1)), "somebody to challenge"),
        (lambda: Knockout(3, third_place=True), "needs four bots"),
        (lambda: matches_of(Encounter(0, 1, 0, 1), 0), "at least one match, not 0"),
    ],
)
def test_impossible_schedules_are_refused(make: object, said: str) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match=said):
        make()
