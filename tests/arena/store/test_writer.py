"""Results that are durable, new once, and told to everybody when they cannot be stored."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import children
from arena.store.samples import BOTS, SMALL, WHEN, new_run, planned
from spielleiter.arena.store import writer as writer_module
from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.limits import MOST_OUTPUT, cost, limit_outputs
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.values import (
    MatchReport,
    StoredEvent,
    StoredNote,
    StoredOutput,
)
from spielleiter.arena.store.writer import StoreWriter

if TYPE_CHECKING:
    from sqlalchemy import Connection

BIG = MatchReport(
    SMALL.result, outputs=tuple(StoredOutput(0, "stdout", "x" * 1000) for _ in range(50))
)


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[StoreWriter]:
    with StoreWriter(tmp_path) as writer:
        yield writer


def error_of(future: Future[Any]) -> StoreError:
    error = future.exception(children.PATIENCE)
    assert isinstance(error, StoreError)
    return error


class Gate:
    """A job that holds the writer until it is opened, so that others pile up behind it."""

    def __init__(self, writer: StoreWriter) -> None:
        self._open, self._entered = threading.Event(), threading.Event()
        self.done = writer.submit(self._wait)
        assert self._entered.wait(children.PATIENCE)

    def _wait(self, connection: Connection) -> None:
        self._entered.set()
        assert self._open.wait(children.PATIENCE)

    def open(self) -> None:
        self._open.set()


def test_a_run_is_read_as_it_was_stored(writer: StoreWriter, tmp_path: Path) -> None:
    run = new_run(planned_matches=2, seed=2**100)
    created = writer.add_run(run, BOTS, [planned(1), planned(2, ["A1"])]).result()
    event = StoredEvent("resumed", "it goes on", WHEN)
    writer.add_event(created.id, event).result()
    finished = replace(
        SMALL,
        notes=(StoredNote(1, {"turn": 3, "notes": ["ä\ud800"]}, 3),),
        outputs=(StoredOutput(0, "stderr", "oops", 1.5, 4),),
    )
    assert writer.add_result(created.match_ids[0], finished).result() is True
    with StoreReader(tmp_path) as reader:
        (stored,) = reader.runs()
        assert stored.run == run
        assert reader.run(created.id) == stored
        assert reader.bots(created.id) == BOTS
        assert reader.events(created.id) == (event,)
        first, second = reader.matches(created.id)
        assert (first.plan, second.plan) == (planned(1), planned(2, ["A1"]))
        assert (first.result, second.result) == (SMALL.result, None)
        assert reader.moves(first) == SMALL.moves
        assert reader.notes(first) == finished.notes
        assert reader.outputs(first) == finished.outputs
        assert reader.match(created.id, 2) == second
        assert list(reader.unfinished(created.id)) == [second]
        assert list(reader.matches(created.id, finished=True)) == [first]
        assert (reader.count_matches(created.id), reader.count_results(created.id)) == (2, 1)


def test_a_second_result_changes_nothing(writer: StoreWriter, tmp_path: Path) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    other = replace(SMALL, result=replace(SMALL.result, final="another"), moves=())
    assert writer.add_result(created.match_ids[0], SMALL).result() is True
    assert writer.add_result(created.match_ids[0], other).result() is False
    with StoreReader(tmp_path) as reader:
        (match,) = reader.matches(created.id)
        assert match.result == SMALL.result
        assert reader.moves(match) == SMALL.moves


def test_matches_can_be_added_again_but_not_changed(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    ids = writer.add_matches(created.id, [planned(1), planned(2)], planned_matches=2).result()
    assert ids[0] == created.match_ids[0]
    assert writer.add_matches(created.id, [planned(2), planned(1)]).result() == ids[::-1]
    changed = replace(planned(2), seed=99)
    error = error_of(writer.add_matches(created.id, [planned(3), changed]))
    assert error.fault is StoreFault.REFUSED
    assert "match 2 of run 1 is planned otherwise" in error.message
    with StoreReader(writer.path) as reader:
        assert [match.plan.number for match in reader.matches(created.id)] == [1, 2]
        assert reader.run(created.id).run.planned_matches == 2


def test_a_job_at_fault_harms_no_other(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1), planned(2)]).result()
    gate = Gate(writer)
    first = writer.add_result(created.match_ids[0], SMALL)
    stray = writer.add_result(77, SMALL)
    odd = writer.add_result(
        created.match_ids[1], replace(SMALL, moves=(*SMALL.moves, *SMALL.moves))
    )
    wrong = writer.add_event(created.id, StoredEvent("x", 3))  # type: ignore[arg-type]
    last = writer.add_result(created.match_ids[1], SMALL)
    gate.open()
    assert first.result(children.PATIENCE) is True
    assert last.result(children.PATIENCE) is True, "nothing is left of the odd one"
    assert {error_of(job).fault for job in (stray, odd, wrong)} == {StoreFault.REFUSED}


def test_what_waits_is_committed_together(
    writer: StoreWriter, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(n) for n in range(1, 101)]).result()
    sizes: list[int] = []
    commit = StoreWriter._commit
    monkeypatch.setattr(
        StoreWriter, "_commit", lambda self, jobs: sizes.append(len(jobs)) or commit(self, jobs)
    )
    gate = Gate(writer)
    waiting = [writer.add_result(match_id, SMALL) for match_id in created.match_ids]
    gate.open()
    assert all(future.result(children.PATIENCE) for future in waiting)
    assert sizes == [1, 100]


def test_nothing_is_told_before_it_is_committed(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    seen: list[int] = []

    def look(_: Future[bool]) -> None:
        with closing(sqlite3.connect(writer.path)) as other:
            seen.extend(other.execute("SELECT count(*) FROM result").fetchone())

    gate = Gate(writer)
    future = writer.add_result(created.match_ids[0], SMALL)
    future.add_done_callback(look)
    assert not future.done()
    gate.open()
    writer.close()
    assert seen == [1]


def test_close_writes_what_waits_and_then_refuses(tmp_path: Path) -> None:
    writer = StoreWriter(tmp_path)
    gate = Gate(writer)
    waiting = [writer.add_run(new_run(), BOTS) for _ in range(300)]
    gate.open()
    writer.close()
    writer.close()
    assert [future.result(0).id for future in waiting] == list(range(1, 301))
    with pytest.raises(StoreError, match="is closed") as caught:
        writer.add_run(new_run(), BOTS)
    assert caught.value.fault is StoreFault.CLOSED


def test_a_closed_database_is_one_file_also_for_who_reads_it(tmp_path: Path) -> None:
    for number in range(1, 3):  # the second time the database is there already
        with StoreWriter(tmp_path) as writer:
            writer.add_run(new_run(), BOTS).result()
            assert (tmp_path / "run.db-wal").exists()
        with StoreReader(tmp_path) as reader:
            assert len(reader.runs()) == number
        assert {path.name for path in tmp_path.iterdir()} == {"run.db", "run.db.lock"}


def test_somebody_who_reads_does_not_keep_it_from_closing(tmp_path: Path) -> None:
    writer = StoreWriter(tmp_path)
    writer.add_run(new_run(), BOTS).result()
    with StoreReader(tmp_path) as reader:
        assert len(reader.runs()) == 1
        writer.close()
        assert len(reader.runs()) == 1
        with StoreWriter(tmp_path) as again:
            again.add_run(new_run(), BOTS).result()
        assert len(reader.runs()) == 2


def test_a_full_queue_makes_others_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with StoreWriter(tmp_path, most_waiting=2) as writer:
        gate = Gate(writer)
        waiting = [writer.add_run(new_run(), BOTS) for _ in range(2)]
        with monkeypatch.context() as hurried:
            hurried.setattr(writer_module, "PATIENCE_SECONDS", 0.01)
            with pytest.raises(StoreError, match="nothing was written for"):
                writer.add_run(new_run(), BOTS)
        later = threading.Thread(
            target=lambda: waiting.append(writer.add_run(new_run(), BOTS)), daemon=True
        )
        later.start()
        gate.open()
        later.join(children.PATIENCE)
        assert [future.result(children.PATIENCE).id for future in waiting] == [1, 2, 3]


def test_who_stops_waiting_does_not_undo_it(writer: StoreWriter) -> None:
    async def give_up() -> None:
        gate = Gate(writer)
        waiting = asyncio.wrap_future(writer.add_run(new_run(), BOTS))
        waiting.cancel()
        gate.open()
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(give_up())
    writer.close()
    with StoreReader(writer.path) as reader:
        assert len(reader.runs()) == 1


# Disks that fail


def test_a_full_disk_is_told_to_all_and_then_it_goes_on(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(n) for n in range(1, 201)]).result()

    def limit(pages: int) -> None:
        def work(connection: Connection) -> None:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

        writer.submit(work).result()

    def pages(connection: Connection) -> int:
        return int(connection.exec_driver_sql("PRAGMA page_count").scalar_one())

    stored = [id_ for id_ in created.match_ids[:5] if writer.add_result(id_, BIG).result()]
    limit(writer.submit(pages).result())
    gate = Gate(writer)
    waiting = {id_: writer.add_result(id_, BIG) for id_ in created.match_ids[5:]}
    gate.open()
    errors = [error_of(future) for future in waiting.values()]
    assert {error.fault for error in errors} == {StoreFault.FULL}
    assert "resume" in errors[0].advice
    assert len({id(error) for error in errors}) == len(errors)
    with StoreReader(writer.path) as reader:
        kept = [match.id for match in reader.matches(created.id, finished=True)]
        assert kept == stored
    limit(1 << 30)
    again = [writer.add_result(id_, BIG) for id_ in created.match_ids]
    assert [future.result(children.PATIENCE) for future in again] == [False] * 5 + [True] * 195


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not delete files that are open")
@pytest.mark.parametrize("what", ["folder", "file", "replaced", "wal"])
def test_a_folder_that_is_gone_ends_it(tmp_path: Path, what: str) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with StoreWriter(folder) as writer:
        writer.add_run(new_run(), BOTS).result()
        if what == "folder":
            shutil.rmtree(folder)
        elif what == "wal":
            writer.path.with_name("run.db-wal").unlink()
        else:
            writer.path.rename(tmp_path / "elsewhere.db")
        if what == "replaced":
            writer.path.write_bytes(b"")
        for _ in range(2):
            error = error_of(writer.add_run(new_run(), BOTS))
            assert error.fault is StoreFault.GONE
            assert f"spielleiter resume {folder}" in error.advice


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_file_that_may_not_grow(writer: StoreWriter) -> None:
    import resource

    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    largest = max(file.stat().st_size for file in writer.path.parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, hard))
    try:
        error = error_of(writer.add_result(created.match_ids[0], BIG))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert error.fault in (StoreFault.FULL, StoreFault.DISK)
    assert writer.add_result(created.match_ids[0], BIG).result() is True


def test_a_thread_that_dies_leaves_nobody_waiting(tmp_path: Path) -> None:
    class Crash(BaseException):
        pass

    def crash(_: Connection) -> None:
        raise Crash

    writer = StoreWriter(tmp_path)
    gate = Gate(writer)
    waiting = [writer.submit(crash), writer.add_run(new_run(), BOTS)]
    hook, threading.excepthook = threading.excepthook, lambda _: None
    try:
        gate.open()
        assert all(error_of(future) for future in waiting)
        writer.close()
    finally:
        threading.excepthook = hook
    with pytest.raises(StoreError):
        writer.add_run(new_run(), BOTS)
    StoreWriter(tmp_path).close()


# What bots leave behind


def test_output_is_limited_and_says_so(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    lines = [StoredOutput(1, "stdout", f"line {n}", n / 10, n) for n in range(5000)]
    quiet = StoredOutput(0, "stderr", "y" * 5000)
    writer.add_result(created.match_ids[0], replace(SMALL, outputs=(*lines, quiet))).result()
    with StoreReader(writer.path) as reader:
        first, *kept = reader.outputs(reader.match(created.id, 1))
    assert (first.seat, first.text) == (0, "y" * 4000 + "... (cut at 4000 characters)")
    assert (kept[0], kept[-1]) == (lines[0], lines[-1])
    (place,) = [place for place, line in enumerate(kept) if line.stream == "cut"]
    left_out = 5000 - (len(kept) - 1)
    assert kept[place].text == f"... ({left_out} lines are left out)"
    assert kept[place].turn == place
    assert sum(cost(line) for line in kept if line.stream != "cut") <= MOST_OUTPUT


@given(st.lists(st.tuples(st.integers(0, 1), st.text("aä€\n ", max_size=30)), max_size=50))
def test_output_below_the_limit_is_kept(texts: list[tuple[int, str]]) -> None:
    lines = [StoredOutput(seat, "stdout", text) for seat, text in texts]
    assert limit_outputs(lines) == sorted(lines, key=lambda line: line.seat)


def nested(depth: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(depth):
        value = [value]
    return value


def test_notes_may_hold_anything(writer: StoreWriter) -> None:
    created = writer.add_run(new_run(), BOTS, [planned(1)]).result()
    notes = (
        StoredNote(0, {"x": [float("nan"), float("inf"), 1.5]}, 2**70),
        StoredNote(0, {"x": nested(100)}, 1),
        StoredNote(0, {"x": "\ud800\0"}, 2),
        *(StoredNote(1, {"x": "y" * 300_000}, turn) for turn in range(9)),
    )
    assert writer.add_result(created.match_ids[0], replace(SMALL, notes=notes)).result() is True
    with StoreReader(writer.path) as reader:
        odd, deep, text, *long, last = reader.notes(reader.match(created.id, 1))
    assert (odd.content, odd.turn) == ({"x": [None, None, 1.5]}, None)
    assert "cannot be kept" in deep.content["notes"][0]
    assert text == notes[2]
    assert [note.turn for note in long] == [0, 1, 2]
    assert "left out" in last.content["notes"][0]


def test_names_may_hold_anything(writer: StoreWriter) -> None:
    bots = (replace(BOTS[0], name="a\ud800\0'; DROP TABLE run; --", words=("\udcff",)), BOTS[1])
    created = writer.add_run(new_run(), bots).result()
    with StoreReader(writer.path) as reader:
        first, _ = reader.bots(created.id)
    assert (first.name, first.words) == ("a?\0'; DROP TABLE run; --", ("\udcff",))


# Sequences


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.booleans()), max_size=25),
    st.booleans(),
)
def test_results_may_come_twice_late_and_in_any_order(
    sequence: list[tuple[int, int, bool]], reopen: bool
) -> None:
    """The first result of each match is the one that counts, whatever comes around it."""
    with TemporaryDirectory() as folder:
        writer = StoreWriter(Path(folder))
        try:
            created = writer.add_run(new_run(), BOTS, [planned(n) for n in range(1, 7)]).result()
            model: dict[int, int] = {}
            waiting = []
            for place, version, wait in sequence:
                result = replace(SMALL.result, seconds=float(version))
                future = writer.add_result(created.match_ids[place], replace(SMALL, result=result))
                waiting.append((future, place not in model))
                model.setdefault(place, version)
                if wait:
                    future.result(children.PATIENCE)
                    if reopen:  # as a run that is resumed does
                        writer.close()
                        writer = StoreWriter(Path(folder))
            for future, is_new in waiting:
                assert future.result(children.PATIENCE) is is_new
            with StoreReader(Path(folder)) as reader:
                found = {
                    match.plan.number - 1: match.result.seconds
                    for match in reader.matches(created.id)
                    if match.result is not None
                }
            assert found == model
        finally:
            writer.close()


# Kill -9

# It loads everything once and forks for each line that it reads, because loading takes longest.
PARENT = """
import os, sys
from pathlib import Path
from arena.store.samples import SMALL
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.writer import StoreWriter

def say(text):
    os.write(1, f"{text}\\n".encode())

def play(folder):
    writer = StoreWriter(folder)
    with StoreReader(folder) as reader:
        left = [match for match, _ in zip(reader.unfinished(1), range(700))]
    waiting = [(match.plan.number, writer.add_result(match.id, SMALL)) for match in left]
    for number, future in waiting:
        assert future.result()
        say(number)

while sys.stdin.readline():
    child = os.fork()
    if child == 0:
        say(os.getpid())
        play(Path(sys.argv[1]))
        os._exit(0)
    os.waitpid(child, 0)
    say("gone")
"""
KILLS = 10


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_kill_at_any_moment_loses_nothing_that_was_told(tmp_path: Path) -> None:
    dice = random.Random(1)
    with StoreWriter(tmp_path) as writer:
        writer.add_run(new_run(), BOTS, [planned(n) for n in range(1, 8001)]).result()
    told: set[int] = set()
    with children.running(
        [sys.executable, "-c", PARENT, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        text=True,
        bufsize=1,
    ) as parent:
        for _ in range(KILLS):
            parent.stdin.write("\n")
            child, last = int(parent.stdout.readline()), dice.randint(1, 600)
            for count, line in enumerate(iter(parent.stdout.readline, "gone\n"), 1):
                assert int(line) not in told, "a match was played twice"
                told.add(int(line))
                if count == last:
                    os.kill(child, signal.SIGKILL)
            assert count >= last, "it ended by itself"
            check_what_is_there(tmp_path, told)


def check_what_is_there(folder: Path, told: set[int]) -> None:
    with StoreReader(folder) as reader:
        found = [match.plan.number for match in reader.matches(1, finished=True)]
        assert told <= set(found)
        assert len(found) == len(set(found))
        moves = reader.read_rows("SELECT count(*) FROM move")
        assert moves == [(len(found),)], "each has its moves, or it is not there at all"
        assert reader.read_rows("PRAGMA integrity_check") == [("ok",)]
