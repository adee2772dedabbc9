"""Places of bots in one process: each finds its own, and nothing is left when nobody is in one.

What bots do to each other there is in ``test_pool``.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from spielleiter.arena.workers.output import SeatOutput
from spielleiter.arena.workers.place import FilePlace, Premises

SEEN = "SPIELLEITER_SEEN_BY_TESTS"
Make = Callable[[str], FilePlace]


def look() -> tuple[Any, ...]:
    """Return what bots may change for themselves."""
    return (
        os.getcwd(),  # noqa: PTH109 - as bots ask for it
        sys.stdout,
        sys.argv,
        list(sys.path),
        sys.modules["__main__"],
        random.random,
        sys.getrecursionlimit(),
    )


@pytest.fixture
def premises(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Premises]:
    monkeypatch.setenv(SEEN, "")
    monkeypatch.chdir(tmp_path)
    before, premises = look(), Premises()
    yield premises
    premises.vacate()
    assert look()[1:] == before[1:]  # the working directory is put back after a match


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    made: list[FilePlace] = []

    def make(name: str) -> FilePlace:
        file = tmp_path / name / "bot.py"
        file.parent.mkdir()
        file.write_text("")
        made.append(FilePlace(file.resolve(), {SEEN: name}, SeatOutput(lambda *_: None)))
        return made[-1]

    yield make
    for place in made:
        place.close()


def test_a_bot_finds_what_it_left(premises: Premises, make: Make) -> None:
    one, two = make("one"), make("two")
    premises.enter(one)
    assert os.environ[SEEN] == "one"
    sys.argv.append("mine")
    sys.path.append("mine")
    mine = look()
    premises.pause()
    assert look() == mine  # nobody else needs a place, so it stays as it is
    premises.enter(two)
    assert os.environ[SEEN] == "two"
    assert all(ours != theirs for ours, theirs in zip(look()[:6], mine, strict=False))
    premises.enter(one)
    assert look() == mine


def test_who_makes_it_narrow_has_it_for_itself(premises: Premises, make: Make) -> None:
    usual = sys.getrecursionlimit()
    one = make("one")
    premises.enter(one)
    sys.setrecursionlimit(usual - 100)
    premises.pause()
    assert sys.getrecursionlimit() == usual
    premises.enter(one)
    assert sys.getrecursionlimit() == usual - 100
