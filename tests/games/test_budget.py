"""When a search has to stop, on a clock that the test turns."""

from __future__ import annotations

import pytest

from clocks import HandClock
from spielleiter.games import get_game
from spielleiter.games.budget import Budget
from spielleiter.rules import FreeClock


def later(clock: HandClock) -> Budget:
    """The budget of a move that is not the first."""
    budget = Budget()
    budget.start(FreeClock())
    budget.start(clock)
    return budget


@pytest.mark.parametrize(
    ("limit", "stop"), [(2.0, 1.75), (1.0, 0.875), (10.0, 1.75), (float("inf"), 1.75)]
)
def test_undisturbed_it_takes_its_share(limit: float, stop: float) -> None:
    clock = HandClock(limit=limit)
    budget = later(clock)
    while budget.look() < 1.0:
        clock.elapsed += 0.002
    assert budget.stop == pytest.approx(stop)


def test_the_first_move_of_a_game_has_less() -> None:
    budget = Budget()
    budget.start(HandClock())
    assert budget.stop == pytest.approx(1.2)


def test_time_counts_from_the_request_not_from_the_start_of_thinking() -> None:
    late = later(HandClock(elapsed=1.6))
    assert late.stop == pytest.approx(1.75)
    assert late.look() == 1.6


def test_a_gap_brings_the_end_nearer() -> None:
    clock = HandClock()
    budget = later(clock)
    clock.elapsed = 0.2  # nobody let us run for so long
    budget.look()
    assert budget.stop == pytest.approx(1.75 - 2 * 0.19)
    clock.elapsed = 0.25
    budget.look()
    assert budget.stop == pytest.approx(1.75 - 2 * 0.19)  # the longest gap counts


def test_after_a_long_stop_the_answer_is_due_at_once() -> None:
    clock = HandClock()
    budget = later(clock)
    clock.elapsed = 0.9
    assert budget.look() >= budget.stop


def test_what_was_noticed_in_one_move_fades_in_the_next() -> None:
    clock = HandClock()
    budget = later(clock)
    clock.elapsed = 0.3
    budget.look()
    stops = []
    for _ in range(12):
        budget.start(HandClock())
        stops.append(budget.stop)
    assert stops[0] == pytest.approx(1.75 - 2 * (0.3 * 0.7 - 0.01))
    assert stops == sorted(stops)
    assert stops[-1] == pytest.approx(1.75)


class Interrupted:
    """A clock that jumps once, after a few looks: as if the system had run others for that long."""

    limit = 2.0

    def __init__(self) -> None:
        self.looks, self.answered_from = 0, 0.0

    @property
    def elapsed(self) -> float:
        self.looks += 1
        self.answered_from = self.looks * 0.002 + (0.5 if self.looks > 20 else 0.0)
        return self.answered_from

    @property
    def remaining(self) -> float:
        return self.limit - self.answered_from


@pytest.mark.parametrize("game", ["blokus-2021", "hase-und-igel-2018"])
def test_searchers_stop_early_when_they_were_not_scheduled(game: str) -> None:
    state = get_game(game).start(1)
    if game.startswith("blokus"):
        for _ in range(12):
            state = state.play(state.legal_moves()[0])
    player = get_game(game).players["searcher"](1)
    player.choose(state, FreeClock())
    clock = Interrupted()
    assert state.is_legal(player.choose(state, clock))
    assert clock.answered_from < 0.8  # undisturbed it would be 1.75


@pytest.mark.parametrize(("limit", "stop"), [(10.0, 8.75), (1.0, 0.875), (float("inf"), 1.75)])
def test_who_uses_all_takes_a_share_of_any_limit(limit: float, stop: float) -> None:
    budget = Budget(uses_all=True)
    budget.start(FreeClock())
    budget.start(HandClock(limit=limit))
    assert budget.stop == pytest.approx(stop)


def test_a_gap_can_be_told() -> None:
    budget = later(HandClock())
    budget.note_gap(0.005)
    assert budget.stop == pytest.approx(1.75)
    budget.note_gap(0.11)
    assert budget.stop == pytest.approx(1.55)
