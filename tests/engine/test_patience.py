"""Who thinks on a busy machine is asked again, until they have had their time."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from spielleiter.engine.patience import MOST_ROUNDS, PatientThinker
from spielleiter.games.blokus import GAMES
from spielleiter.rules import AnyGame, AnyState
from spielleiter.rules.engine import Line

STATE = GAMES[0].start(1)


class BusyMachine:
    """Somebody who gets a share of the time, and stops early if they have seen everything."""

    def __init__(self, share: float, ends_after: float = 1e9) -> None:
        self.share = share
        self.ends_after = ends_after
        self.wall = 0.0
        self.worked = 0.0
        self.asked: list[float] = []

    def slips(self, game: AnyGame) -> tuple[float, float, float]:
        return (1.0, 2.0, 3.0)

    def analyse(self, state: AnyState, seconds: float, *, lines: int = 5) -> Sequence[Line]:
        self.asked.append(seconds)
        taken = min(seconds, self.ends_after)
        self.wall += taken
        self.worked += self.share * taken
        return [Line(state.legal_moves()[0], 0.5, 0.0, round(1000 * self.worked))] * lines


def ask(machine: BusyMachine, seconds: float = 1.0) -> Sequence[Line]:
    thinker = PatientThinker(machine, worked=lambda: machine.worked, now=lambda: machine.wall)
    return thinker.analyse(STATE, seconds, lines=1)


def test_alone_once_is_enough() -> None:
    machine = BusyMachine(1.0)
    (line,) = ask(machine)
    assert machine.asked == [1.0]
    assert line.visits == 1000


@pytest.mark.parametrize("share", [0.5, 0.2])
def test_on_a_busy_machine_it_gets_its_time(share: float) -> None:
    machine = BusyMachine(share)
    (line,) = ask(machine)
    assert len(machine.asked) > 1
    assert 0.9 <= machine.worked <= 1.0
    assert line.visits == round(1000 * machine.worked)  # the last answer counts


def test_it_does_not_wait_for_ever() -> None:
    machine = BusyMachine(0.0)
    ask(machine)
    assert len(machine.asked) == MOST_ROUNDS


def test_who_has_seen_everything_is_not_asked_again() -> None:
    machine = BusyMachine(0.5, ends_after=0.1)
    ask(machine)
    assert machine.asked == [1.0]


def test_who_had_no_time_to_look_is_asked_again() -> None:
    machine = BusyMachine(0.0, ends_after=0.1)  # no visits, and the answer comes early
    ask(machine)
    assert len(machine.asked) == MOST_ROUNDS


def test_who_keeps_a_part_free_has_not_seen_everything() -> None:
    machine = BusyMachine(0.2, ends_after=0.8)
    ask(machine)
    assert len(machine.asked) > 1


def test_it_has_the_slips_of_the_other() -> None:
    assert PatientThinker(BusyMachine(1.0)).slips(GAMES[0]) == (1.0, 2.0, 3.0)
