"""Matches that somebody wants to see."""

from __future__ import annotations

from pathlib import Path

from arena.played_runs import HARES, store_run
from spielleiter.arena.results.choice import TROUBLE, Choice
from spielleiter.arena.results.reading import collect
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.rules import LOSS, WIN


def test_matches_are_chosen(tmp_path: Path) -> None:
    store_run(tmp_path, ("greedy", "random", "crasher"), games=2, game=HARES)
    with StoreReader(tmp_path) as reader:
        ((place,), _) = join_runs([reader])
        three = collect(place)

    def numbers(choice: Choice) -> list[int]:
        return [match.number for match in three.matches if match in choice]

    assert numbers(Choice()) == [1, 2, 3, 4, 5, 6]
    assert numbers(Choice(bot=2)) == [3, 4, 5, 6]
    assert numbers(Choice(bot=2, opponent=0)) == [3, 4]
    assert numbers(Choice(bot=2, seat=0)) == [4, 6]
    assert numbers(Choice(bot=2, points=LOSS)) == [3, 4, 5, 6]
    assert numbers(Choice(bot=2, points=WIN)) == []
    assert numbers(Choice(causes=TROUBLE["crash"])) == [3, 4, 5, 6]
    assert numbers(Choice(bot=0, causes=TROUBLE["crash"])) == []
    assert numbers(Choice(causes=TROUBLE["time"])) == []
    assert numbers(Choice(numbers=frozenset({2, 5}))) == [2, 5]
