"""The file of notes has an end."""

from __future__ import annotations

import json

from spielleiter.client.bot import Mark
from spielleiter.client.notes import MOST_CHARACTERS, MOST_ITEMS, NoteFile
from spielleiter.client.thinker import Decision


def test_long_notes_are_cut(tmp_path):
    file = NoteFile(tmp_path / "n")
    notes = ("ä\ud800\n" * MOST_CHARACTERS,) + ("x",) * MOST_ITEMS
    assert (
        file.write(3, 1, "m", Decision(None, 0.1234567891, (), notes, (Mark(1, 2, "y" * 9999),)))
        is None
    )
    file.close()
    (line,) = (tmp_path / "n").read_text(encoding="utf-8").splitlines()
    record = json.loads(line)
    assert (record["turn"], record["seat"], record["move"], record["seconds"]) == (
        3,
        1,
        "m",
        0.123457,
    )
    *kept, last = record["notes"]
    assert len(kept) == MOST_ITEMS
    assert last == f"... (the first {MOST_ITEMS} of {MOST_ITEMS + 1} notes)"
    mark = f"... (cut at {MOST_CHARACTERS} characters)"
    for cut in (record["notes"][0], record["marks"][0]["text"]):
        assert cut.endswith(mark)
        assert len(cut) == MOST_CHARACTERS + len(mark)


def test_marks_that_are_left_out_are_noted(tmp_path):
    file = NoteFile(tmp_path / "n")
    hints = ("h",) * (MOST_ITEMS + 7)
    file.write(3, 1, "m", Decision(None, 0.1, hints, ("n",), (Mark(1, 2),) * (MOST_ITEMS + 9)))
    file.close()
    record = json.loads((tmp_path / "n").read_text(encoding="utf-8"))
    assert len(record["marks"]) == MOST_ITEMS
    assert record["notes"] == ["n", f"... (the first {MOST_ITEMS} of {MOST_ITEMS + 9} marks)"]
    assert record["hints"][MOST_ITEMS:] == [
        f"... (the first {MOST_ITEMS} of {MOST_ITEMS + 7} hints)"
    ]


def test_a_full_file_says_so_once(tmp_path):
    file = NoteFile(tmp_path / "n", most_bytes=300)
    decision = Decision(None, 0.0, (), ("some words",))
    said = [file.write(turn, 0, "m", decision) for turn in range(10)]
    assert [words for words in said if words] == [
        "the file of notes is full: further notes are dropped"
    ]
    assert (tmp_path / "n").stat().st_size <= 300
    file.close()


def test_it_appends(tmp_path):
    for turn in (1, 2):
        file = NoteFile(tmp_path / "n")
        file.write(turn, 0, "m", Decision(None, 0.0))
        file.close()
    assert [json.loads(line)["turn"] for line in (tmp_path / "n").read_text().splitlines()] == [
        1,
        2,
    ]
