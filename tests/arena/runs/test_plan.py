"""What a run is to do, and the way there and back through JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from spielleiter.arena.runs.plan import Form, PlanError, PlannedBot, RunPlan, Way
from spielleiter.arena.statistics.sprt import EloScale, Sprt
from spielleiter.games import DEFAULT
from spielleiter.match import TimeControl

A = PlannedBot("A", "greedy", "house bot", "")
B = PlannedBot("B ü\n", "node 'x y.js'", "command", "ab12")
C = PlannedBot("C", "./c.py", "Python program", "cd34")
MATCH = RunPlan("match", DEFAULT, (A, B), matches=200, seed=7)
CUP = RunPlan("tournament", DEFAULT, (A, B, C))


@pytest.mark.parametrize(
    "plan",
    [
        MATCH,
        replace(MATCH, time=None, sprt=Sprt(0, 5, 0.1, 0.2, EloScale.NORMALISED)),
        replace(MATCH, time=TimeControl(0.5, 0.75), opening_moves=4, way=Way.SOCKETS, folder="/x"),
        CUP,
        replace(CUP, form=Form.SWISS, rounds=2),
        replace(CUP, form=Form.GAUNTLET, challengers=(1, 2)),
        replace(CUP, form=Form.KNOCKOUT, bots=(A, B, C, PlannedBot("D", "d")), third_place=True),
    ],
)
def test_a_plan_is_the_same_after_json(plan: RunPlan) -> None:
    assert RunPlan.from_json(json.loads(json.dumps(plan.to_json()))) == plan


def test_the_total_follows_from_the_form() -> None:
    assert MATCH.total == 200
    assert CUP.total == 3 * 6
    assert replace(CUP, form=Form.DOUBLE_ROUND_ROBIN).total == 6 * 6
    assert replace(CUP, form=Form.SWISS, rounds=3).total == 3 * 6
    assert replace(CUP, form=Form.KNOCKOUT).total == 2 * 6
    assert replace(CUP, form=Form.GAUNTLET).total == 2 * 6
    assert CUP.to_json()["total"] == 18


def test_dice_differ_between_seats_matches_and_runs_and_never_change() -> None:
    dice = [MATCH.dice(number) for number in range(1, 101)]
    assert len({die for pair in dice for die in pair}) == 200
    assert replace(MATCH, seed=8).dice(1) != MATCH.dice(1)
    assert RunPlan("match", DEFAULT, (A, B), seed=7).dice(1) == (18577772929624, 53541627724191)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"kind": "war"}, "match or a tournament"),
        ({"bots": (A, B, C)}, "two bots"),
        ({"bots": (A,)}, "two bots"),
        ({"form": Form.SWISS}, "two bots"),
        ({"bots": (A, replace(B, name="A"))}, "two bots are called 'A'"),
        ({"bots": (A, replace(B, name=""))}, "characters"),
        ({"bots": (A, replace(B, name="x" * 61))}, "characters"),
        ({"bots": (A, replace(B, text="x" * 200_000))}, "longer than any command"),
        ({"matches": 0}, "at least one match"),
        ({"matches": 2_000_000}, "at most 1,000,000 matches"),
        ({"opening_moves": 41}, "between 0 and 40 moves"),
        ({"time": TimeControl(0.0, 1.0)}, "more than 0 seconds"),
        ({"time": TimeControl(float("nan"), 1.0)}, "more than 0 seconds"),
        ({"time": TimeControl(2.0, 1.0)}, "between 2 and"),
    ],
)
def test_what_cannot_be_played_is_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanError, match=words):
        replace(MATCH, **changes)


def test_a_tournament_that_does_not_fit_its_bots_is_refused() -> None:
    with pytest.raises(PlanError, match="between 1 and 3 rounds"):
        replace(CUP, form=Form.SWISS, rounds=9)
    with pytest.raises(PlanError, match="challengers"):
        replace(CUP, form=Form.GAUNTLET, challengers=(3,))
    with pytest.raises(PlanError, match="sequential test"):
        replace(CUP, sprt=Sprt(0, 5))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("format", 2),
        ("kind", None),
        ("bots", {}),
        ("bots", [1, 2]),
        ("bots", [{"name": "A"}]),
        ("form", "league"),
        ("matches", "200"),
        ("matches", True),
        ("seed", 1.5),
        ("time", 2),
        ("time", {"soft": "2", "hard": 3}),
        ("challengers", ["A"]),
        ("sprt", {"elo0": 5, "elo1": 0, "alpha": 0.05, "beta": 0.05, "scale": "logistic"}),
        ("way", "by mail"),
        ("folder", None),
    ],
)
def test_a_plan_that_somebody_changed_is_refused(key: str, value: object) -> None:
    with pytest.raises(PlanError):
        RunPlan.from_json(MATCH.to_json() | {key: value})


@pytest.mark.parametrize("value", [None, [], "plan", {}])
def test_what_is_not_a_plan_is_refused(value: object) -> None:
    with pytest.raises(PlanError):
        RunPlan.from_json(value)
