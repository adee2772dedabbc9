"""Why a bot failed first."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.played_runs import store_run
from spielleiter.arena.results.failures import RunFailure, first_failures, last_words
from spielleiter.arena.runs.saved_run import read_run
from spielleiter.arena.store.reader import StoreReader


def test_the_first_failure_of_each_bot_is_found(tmp_path: Path) -> None:
    folder = store_run(tmp_path, ("greedy", "random", "crasher"), games=2)
    saved = read_run(folder)
    with StoreReader(folder) as reader:
        found = first_failures(reader, saved.id, saved.tally().bots)
    assert found == {2: RunFailure(3, "its connection was closed", "")}
    assert str(found[2]) == "first in game 3: its connection was closed"


def test_what_a_bot_said_last_explains_more_than_the_referee() -> None:
    assert str(RunFailure(3, "its connection was closed", "ValueError: 3\nbye")) == (
        "first in game 3: ValueError: 3 bye"
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], ""),
        (["one", "two", " "], "two"),
        (
            ["Traceback (most recent call last):", '  File "x"', "    f()", "ValueError: 3", "bye"],
            "ValueError: 3",
        ),
        (["anna: !!! choose failed: ValueError: 3", "anna: bye"], "choose failed: ValueError: 3"),
        (["Traceback (most recent call last):", "  cut here"], "  cut here"),
    ],
)
def test_last_words(lines: list[str], said: str) -> None:
    assert last_words(lines) == said
