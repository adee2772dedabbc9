"""Results as CSV and JSON, whatever bots are called."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from arena.played_runs import store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.exports import (
    COLUMNS,
    Chosen,
    describe_opening,
    write_csv,
    write_json,
)
from spielleiter.arena.results.reading import collect
from spielleiter.arena.store.reader import StoreReader, join_runs


def read(folder: Path) -> Collection:
    with StoreReader(folder) as reader:
        ((place,), _) = join_runs([reader])
        return collect(place)


def rows(collection: Collection) -> list[dict[str, str]]:
    text = io.StringIO(newline="")
    assert write_csv([Chosen(collection, collection.matches)], text) == len(collection.matches)
    return list(csv.DictReader(io.StringIO(text.getvalue(), newline="")))


def document(collection: Collection) -> Any:
    text = io.StringIO()
    write_json([Chosen(collection, collection.matches)], text)
    return json.loads(text.getvalue())


def test_csv_has_one_row_a_match(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=4))
    found = rows(duel)
    assert [row["number"] for row in found] == ["1", "2", "3", "4"]
    assert [row["pair"] for row in found] == ["1", "1", "2", "2"]
    assert [(row["first"], row["second"]) for row in found[:2]] == [
        ("greedy", "random"),
        ("random", "greedy"),
    ]
    row, game = found[0], duel.matches[0]
    assert tuple(row) == COLUMNS
    assert row["run"] == duel.runs[0].run.key
    assert row["winner"] == "greedy"
    assert (row["first_points"], row["second_points"]) == ("2", "0")
    assert int(row["first_score"]) == game.scores[0]
    assert row["first_cause"] == "REGULAR"
    assert float(row["first_slowest"]) == game.slowest[0]
    assert (row["way"], row["cancelled"], row["digest"]) == ("workers", "no", game.digest)
    assert row["opening"] == describe_opening(game.opening)
    assert row["finished_at"].startswith("2027-01-02T03:04:")


@pytest.mark.parametrize("name", ['=HYPERLINK("x")', "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_no_name_becomes_a_formula(tmp_path: Path, name: str) -> None:
    found = rows(read(store_run(tmp_path, games=2, names=(name, "other"))))
    assert not found[0]["first"].startswith(("=", "+", "-", "@", "\t", "\r"))
    assert found[0]["second"] == "other"


@pytest.mark.parametrize("name", ['"quoted", with comma', "zwei\nZeilen", "Jürgen 🦔", "a;b"])
def test_odd_names_stay_in_their_column(tmp_path: Path, name: str) -> None:
    found = rows(read(store_run(tmp_path, games=2, names=(name, "other"))))
    assert found[0]["first"] == " ".join(name.split("\n"))
    assert [row["number"] for row in found] == ["1", "2"]


def test_negative_numbers_stay_numbers() -> None:
    from spielleiter.arena.results.exports import _cell

    assert _cell(-5) == -5
    assert _cell(-0.5) == -0.5
    assert _cell("-5") == "'-5"


def test_json_has_everything(tmp_path: Path) -> None:
    duel = read(store_run(tmp_path, games=12, names=("=A", "zwei\nZeilen")))
    (one,) = document(duel)["results"]
    assert (one["game"], one["complete"]) == (duel.game.id, True)
    assert [bot["name"] for bot in one["bots"]] == ["=A", "zwei\nZeilen"]
    assert one["conclusion"]["verdict"] == "first"
    assert [row["bot"] for row in one["table"]] == ["=A", "zwei Zeilen"]
    assert one["table"][0]["rating"]["low"] < one["table"][0]["rating"]["elo"]
    assert len(one["games"]) == 12
    assert one["games"][0]["opening"] == duel.matches[0].opening
    assert one["runs"][0]["planned"] == 12


def test_json_of_a_run_without_results(tmp_path: Path) -> None:
    nothing = read(store_run(tmp_path, games=2, unplayed=2))
    (one,) = document(nothing)["results"]
    assert one["games"] == []
    assert one["conclusion"]["verdict"] == "open"


def test_a_tournament_has_no_conclusion(tmp_path: Path) -> None:
    three = read(store_run(tmp_path, ("greedy", "random", "crasher"), games=2))
    (one,) = document(three)["results"]
    assert one["conclusion"] is None
    assert [row["forfeits"] for row in one["table"]] == [0, 0, 4]


def test_an_opening_is_one_line() -> None:
    assert describe_opening({"seed": 7, "moves": ["A1", "B2"]}) == "7; A1; B2"
    assert describe_opening({"position": "here", "moves": []}) == "here"
    assert describe_opening({"seed": 7, "moves": "odd"}) == "7"
