"""Tables of a tournament in every form, with names that want to break them."""

from __future__ import annotations

import csv
import io
import json

from spielleiter.arena.statistics.ratings import rate
from spielleiter.arena.statistics.standings import TableResult, by_places, cross_table, table
from spielleiter.cli.tables import (
    Tables,
    csv_table,
    json_tables,
    markdown_tables,
    text_tables,
    width,
)

NAMES = ("anna", "ben", "carla")
RESULTS = (
    TableResult((0, 1), (2, 0), (60, 40)),
    TableResult((1, 0), (2, 0), (55, 50)),
    TableResult((0, 2), (1, 1), (44, 44)),
    TableResult((2, 1), (2, 0), (30, 0), is_regular=False),
)


def make(
    names: tuple[str, ...] = NAMES,
    results: tuple[TableResult, ...] = RESULTS,
    places: dict[int, int] | None = None,
    byes: dict[int, int] | None = None,
) -> Tables:
    bots = len(names)
    rated = [(*result.bots, result.points[0] / 2) for result in results]
    rows = table(bots, results, byes=byes, matches_per_encounter=2)
    if places is not None:
        rows = by_places(rows, places)
    return Tables(names, tuple(rows), rate(bots, rated), cross_table(bots, results))


def cells(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines()]


def test_the_championships_table_is_victory_points_then_mean_score() -> None:
    standing, cross = text_tables(make()).split("\n\n")
    lines = cells(standing)
    assert " ".join(lines[0]) == "bot games won drawn lost points mean score failed Elo"
    # Both have three points. Anna's mean is 51.33, Carla's 37.
    assert lines[1][:9] == ["1.", "anna", "3", "1", "1", "1", "3", "51.33", "0"]
    assert lines[2][:9] == ["2.", "carla", "2", "1", "1", "0", "3", "37.00", "0"]
    assert lines[3][:9] == ["3.", "ben", "3", "1", "0", "2", "2", "31.67", "1"]
    assert all("±" in line for line in lines[1:])
    assert cells(cross) == [
        ["points", "against", "1", "2", "3"],
        ["1", "anna", "–", "1", "2"],
        ["2", "carla", "1", "–", "2"],
        ["3", "ben", "2", "0", "–"],
    ]


def test_a_knockout_has_its_own_places() -> None:
    lines = cells(text_tables(make(places={1: 1, 0: 2})))
    assert [line[:2] for line in lines[1:4]] == [["–", "carla"], ["1.", "ben"], ["2.", "anna"]]


def test_byes_are_shown_where_there_are_some() -> None:
    shown = text_tables(make(byes={1: 1}))
    assert "byes" in shown.splitlines()[0]
    assert cells(shown)[1][:8] == ["1.", "ben", "3", "1", "0", "2", "6", "31.67"]
    assert "byes" not in text_tables(make())


def test_bots_that_did_not_play_have_no_figures() -> None:
    shown = cells(text_tables(make(results=())))
    assert shown[1] == ["1.", "anna", "0", "0", "0", "0", "0", "–", "0", "–"]
    (row, *_) = csv.DictReader(io.StringIO(csv_table(make(results=()))))
    assert (row["mean_score"], row["elo"], row["points against ben"]) == ("", "", "")
    assert json_tables(make(results=()))["table"][0]["elo"] is None


def test_columns_are_straight_whatever_the_names_are() -> None:
    wide = make(("日本語のボット", "a" * 200, "e\u0301mile"))
    standing = text_tables(wide).split("\n\n")[0].splitlines()
    assert len({width(line) for line in standing}) == 1
    assert "a" * 29 + "…" in standing[3]


EVIL = ("=cmd()|x", "a\x1b[2J\nb", "<img> | `x` \u202e")


def test_names_that_want_to_be_something_else() -> None:
    tables = make(EVIL)
    shown = text_tables(tables)
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    rows = list(csv.reader(io.StringIO(csv_table(tables))))
    assert [len(row) for row in rows] == [16] * 4
    assert rows[1][1] == "'=cmd()|x"
    assert not [cell for row in rows for cell in row if "\n" in cell or "\x1b" in cell]
    lines = markdown_tables(tables).splitlines()
    assert lines[2].startswith("| 1. | =cmd\\(\\)\\|x |")
    assert "<img>" not in "\n".join(lines)
    assert json_tables(tables)["table"][0]["name"] == "=cmd()|x"


def test_csv_has_a_row_for_each_bot() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_table(make()))))
    assert [row["bot"] for row in rows] == ["anna", "carla", "ben"]
    assert (rows[0]["place"], rows[0]["points"], rows[0]["mean_score"]) == ("1", "3", "51.3333")
    assert (rows[2]["points against anna"], rows[2]["points against ben"]) == ("2", "")
    assert float(rows[0]["elo_low"]) < float(rows[0]["elo"]) < float(rows[0]["elo_high"])


def test_json_has_everything() -> None:
    read = json.loads(json.dumps(json_tables(make()), allow_nan=False))
    assert [(row["place"], row["name"], row["points"]) for row in read["table"]] == [
        (1, "anna", 3),
        (2, "carla", 3),
        (3, "ben", 2),
    ]
    assert read["cross_table"][0] == {
        "bot": 0,
        "against": 2,
        "games": 1,
        "won": 0,
        "drawn": 1,
        "lost": 0,
        "points": 1,
        "scored": 44,
        "conceded": 44,
    }


def test_a_rating_of_nothing_has_no_sign() -> None:
    results = (TableResult((0, 1), (2, 0), (1, 0)), TableResult((1, 0), (2, 0), (1, 0)))
    shown = text_tables(make(("a", "b"), results))
    assert [line.split()[9:11] for line in shown.splitlines()[1:]] == [["0", "±"], ["0", "±"]]


def test_a_rating_that_is_a_guess_is_called_one() -> None:
    results = (TableResult((0, 1), (2, 0), (1, 0)),)
    shown = text_tables(make(results=results))
    assert "Won or lost everything, so that the rating is a guess: anna, ben." in shown
    assert "Not all bots are connected by games" in shown
    assert text_tables(make(("a", "b"), RESULTS[:2])).count("\n\n") == 0
