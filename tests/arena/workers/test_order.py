"""What the runner writes down about a match is what the worker reads."""

from __future__ import annotations

import math

import pytest

from spielleiter.arena.lookup import find_bot
from spielleiter.arena.pairing.openings import Opening
from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.workers import order as orders
from spielleiter.arena.workers.order import OrderReader, write_order, write_setting
from spielleiter.games import get_game
from spielleiter.match import TimeControl

GAME = get_game("hase-und-igel-2018")
HOUSE = [{"kind": "house", "name": "greedy"}, {"kind": "house", "name": "random"}]
FILE = {"kind": "program", "file": "/a folder/ä.py"}
NAMES = ("Anna\t\n", "Bén \udc80")


def job(time: TimeControl | None = None, names: tuple[str, str] = NAMES) -> MatchJob:
    bots = (find_bot("greedy", GAME), find_bot("random", GAME))
    opening = Opening(7, ("one", "two\tthree"))
    return MatchJob(3, GAME, opening, bots, names, (2**63, 5), time)


def line(job: MatchJob, *bots: dict[str, str]) -> bytes:
    text = write_order(write_setting(job, bots), job, [1], ["/tmp/a b", "/tmp/ü"])
    assert "\n" not in text
    return text.encode() + b"\n"


def test_everything_arrives() -> None:
    order = OrderReader().read(line(job(TimeControl(0.5, 3.0)), *HOUSE))
    assert order[1:] == (7, ["one", "two\tthree"], [2**63, 5], [1], ["/tmp/a b", "/tmp/ü"])
    setting = order.setting
    assert setting.game == GAME
    assert setting.bots == HOUSE
    assert tuple(setting.names) == NAMES
    assert (setting.soft, setting.hard, setting.control) == (0.5, 3.0, TimeControl(0.5, 3.0))
    assert setting.is_ours
    assert not setting.has_guests


def test_without_a_limit_there_is_none() -> None:
    setting = OrderReader().read(line(job(), HOUSE[0], FILE)).setting
    assert (setting.soft, setting.hard, setting.control) == (math.inf, math.inf, None)
    assert setting.has_guests


def test_what_matches_have_in_common_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(orders, "_MOST_SETTINGS", 2)
    reader = OrderReader()
    first = reader.read(line(job(), *HOUSE)).setting
    assert reader.read(line(job(), *HOUSE)).setting is first
    for number in range(2):
        reader.read(line(job(names=("A", str(number))), *HOUSE))
    again = reader.read(line(job(), *HOUSE)).setting
    assert again is not first  # so many are not remembered
    assert again.names == first.names
