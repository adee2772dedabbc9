"""Reading: many matches, broken rows, several databases, and databases that are being written."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.samples import BOTS, SMALL, new_run, planned
from spielleiter.arena.store import reader as reader_module
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.reader import StoreReader, join_runs
from spielleiter.arena.store.values import StoredMove
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

RUN = new_run(key="the-one")


def create(folder: Path, results: int, matches: int = 3, key: str = "the-one") -> Path:
    folder.mkdir(exist_ok=True)
    with StoreWriter(folder) as writer:
        plans = [planned(number) for number in range(1, matches + 1)]
        created = writer.add_run(replace(RUN, key=key), BOTS, plans).result()
        for match_id in created.match_ids[:results]:
            writer.add_result(match_id, SMALL)
    return folder / "run.db"


@pytest.mark.parametrize("matches", [0, 1, 4, 5, 6, 10, 13])
def test_all_matches_are_read_page_by_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, matches: int
) -> None:
    monkeypatch.setattr(reader_module, "PAGE", 5)
    create(tmp_path, 3, matches)
    pages: list[int] = []
    read = StoreReader._read

    def count(self: StoreReader, wanted: object) -> object:
        rows = read(self, wanted)  # type: ignore[arg-type]
        pages.append(len(rows))
        return rows

    monkeypatch.setattr(StoreReader, "_read", count)
    with StoreReader(tmp_path) as reader:
        numbers = [match.plan.number for match in reader.matches(1)]
        assert numbers == list(range(1, matches + 1))
        assert max(pages) <= 5
        left = [match.plan.number for match in reader.unfinished(1)]
        assert left == list(range(4, matches + 1))


def test_a_run_is_read_while_it_is_written(tmp_path: Path) -> None:
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(RUN, BOTS, [planned(1), planned(2)]).result()
        with StoreReader(tmp_path) as reader:
            matches = reader.matches(1)
            assert next(matches).result is None
            assert writer.add_result(created.match_ids[0], SMALL).result() is True
            assert reader.match(1, 1).result == SMALL.result
            assert next(matches).plan.number == 2


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    create(tmp_path, 0)
    with StoreReader(tmp_path) as reader:
        with pytest.raises(StoreError, match="there is no run 9 in") as caught:
            reader.run(9)
        assert caught.value.fault is StoreFault.MISSING
        with pytest.raises(StoreError, match="there is no match 9 in run 1 of"):
            reader.match(1, 9)


LEFT = Text("hat aufgegeben", "has left")
OUTCOMES = [
    Outcome((SeatOutcome(1, (3, 4)), SeatOutcome(1, (3, 4))), None, "ROUND_LIMIT", Text("a", "b")),
    Outcome((SeatOutcome(0, (3,), Cause.LEFT, LEFT), SeatOutcome(2, (1,))), 1, "LEFT", LEFT),
    Outcome(
        (SeatOutcome(0, (0,), Cause.LEFT, LEFT), SeatOutcome(0, (0,), Cause.LEFT, LEFT)),
        None,
        "LEFT",
        LEFT,
    ),
]


@pytest.mark.parametrize("outcome", OUTCOMES, ids=["draw", "left", "nobody came"])
def test_outcomes_are_read_as_they_were(tmp_path: Path, outcome: Outcome) -> None:
    result = replace(
        SMALL.result,
        outcome=outcome,
        was_cancelled=True,
        slowest=(None, 1.5),
        seconds=None,
        detail={"exit_codes": [1, None]},
    )
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(RUN, BOTS, [planned(1)]).result()
        writer.add_result(created.match_ids[0], replace(SMALL, result=result)).result()
    with StoreReader(tmp_path) as reader:
        assert reader.match(1, 1).result == result


def read_everything(reader: StoreReader) -> None:
    reader.runs()
    reader.bots(1)
    for match in reader.matches(1):
        reader.moves(match)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE match SET opening = '{' WHERE number = 2", "match 2 of run 1: opening"),
        ("UPDATE match SET opening = '[]' WHERE number = 2", "match 2 of run 1: opening"),
        ("UPDATE match SET seed = 'x' WHERE number = 2", "match 2 of run 1: seed"),
        ("UPDATE result SET scores = '[1, 2]'", "match 1 of run 1: scores"),
        ("UPDATE result SET scores = '[[1]]'", "match 1 of run 1: points, scores, causes"),
        ("UPDATE result SET causes = '[\"BORED\", 1]'", "match 1 of run 1: causes"),
        ("UPDATE result SET points = '[null, 1]'", "match 1 of run 1: points"),
        ("UPDATE result SET reasons = '[[\"a\"], 1]'", "match 1 of run 1: reasons"),
        ("UPDATE result SET finished_at = 'now'", "match 1 of run 1: finished_at"),
        ("UPDATE result SET slowest = '[\"x\"]'", "match 1 of run 1: slowest"),
        ("UPDATE result SET final = x'ff'", "match 1 of run 1: final"),
        ("UPDATE run SET plan = 'null'", "run 1: plan"),
        ("UPDATE bot SET words = '{}' WHERE number = 1", "bot 1 of run 1: words"),
        ("UPDATE move SET hints = '[1]'", "move 0 of match 1 of run 1: hints"),
    ],
)
def test_a_broken_row_is_named(tmp_path: Path, statement: str, words: str) -> None:
    path = create(tmp_path, 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(statement)
    with StoreReader(path) as reader, pytest.raises(StoreError) as caught:
        read_everything(reader)
    assert caught.value.fault is StoreFault.DAMAGED
    assert caught.value.message.startswith(words)


def test_text_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    path = create(tmp_path, 1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE result SET final = CAST(x'ff' AS TEXT)")
    with StoreReader(path) as reader, pytest.raises(StoreError):
        list(reader.matches(1))


def test_runs_of_several_databases_are_joined(tmp_path: Path) -> None:
    one = create(tmp_path / "one", 1)
    create(tmp_path / "two", 1, key="another")
    copy = tmp_path / "copy"
    shutil.copytree(one.parent, copy)
    with StoreWriter(copy) as writer:
        writer.add_result(2, SMALL).result()
    places = [tmp_path / name for name in ("one", "two", "copy")]
    readers = [StoreReader(place) for place in places]
    try:
        runs, left_out = join_runs(readers)
        found = [(run.reader.path.parent.name, run.stored.run.key) for run in runs]
        assert found == [("copy", "the-one"), ("two", "another")]
        (sentence,) = left_out
        assert sentence == (
            f"run 1 of {one} is the same as run 1 of {copy / 'run.db'} and counts once"
        )
        runs, left_out = join_runs([readers[0], readers[0]])
        assert len(runs) == len(left_out) == 1
    finally:
        for reader in readers:
            reader.close()


def test_times_of_moves_are_counted_in_ranges_for_each_bot(tmp_path: Path) -> None:
    seconds = (0.1, 0.5, None, 0.09, 2.0, 0.5)
    moves = tuple(
        StoredMove(ply, ply, ply % 2, "A1", seconds) for ply, seconds in enumerate(seconds)
    )
    swapped = replace(planned(2), first_bot=1, second_bot=0)
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(new_run(), BOTS, [planned(1), swapped, planned(3)]).result()
        writer.add_result(created.match_ids[0], replace(SMALL, moves=moves)).result()
        writer.add_result(created.match_ids[1], replace(SMALL, moves=moves[:2])).result()
    with StoreReader(tmp_path) as reader:
        found = reader.count_move_times(created.id, (0.1, 1.0))
        assert found == ((0, 1, 2), (0, 2, 1), (1, 0, 1), (1, 1, 3))
        assert reader.count_move_times(created.id + 1, (0.1, 1.0)) == ()
