"""The memory that a worker and its runner share."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from spielleiter.arena.workers import journal as worker_journal
from spielleiter.arena.workers.journal import Journal, JournalFull, WorkerPhase


def test_one_side_sees_what_the_other_tells(tmp_path: Path) -> None:
    ours = Journal.create(tmp_path / "journal")
    theirs = Journal(tmp_path / "journal")
    assert ours.look().phase is WorkerPhase.WAITING
    assert ours.lines() == []
    before = time.perf_counter()
    theirs.mark(WorkerPhase.ASKED, 1, used=2.0)
    theirs.write("first")
    theirs.write("zweite Zeile äöü \udc80")
    moment = ours.look()
    assert (moment.phase, moment.seat) == (WorkerPhase.ASKED, 1)
    assert before - 2.0 <= moment.since <= time.perf_counter() - 2.0
    assert ours.lines() == ["first", "zweite Zeile äöü ?"]
    theirs.write("third", WorkerPhase.OURS)
    assert ours.look().number > moment.number
    assert ours.look().phase is WorkerPhase.OURS
    assert ours.look().since >= before
    assert ours.lines()[-1] == "third"
    theirs.write("fourth", WorkerPhase.ASKED, 1, 0.25)
    assert ours.look()[1:] == (WorkerPhase.ASKED, 1, 0.25)
    ours.reset()
    assert ours.lines() == []
    for journal in (ours, theirs):
        journal.close()


def test_there_is_an_end_to_what_can_be_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_journal, "SIZE", 4096)
    journal = Journal.create(tmp_path / "journal")
    journal.write("x" * 4000)
    with pytest.raises(JournalFull):
        journal.write("y" * 100)
    assert journal.lines() == ["x" * 4000]
    journal.close()


def test_nonsense_is_nobodys_fault(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "journal")
    (tmp_path / "journal").write_bytes(b"\xff" * worker_journal.SIZE)
    assert journal.look().phase is WorkerPhase.OURS
    assert journal.lines() == []
    journal.close()
