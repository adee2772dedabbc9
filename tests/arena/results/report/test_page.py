"""The report as a page: whole, in two languages, and safe whatever bots are called."""

from __future__ import annotations

import base64
import hashlib
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from arena.played_runs import store_run
from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.joining import join
from spielleiter.arena.results.reading import collect
from spielleiter.arena.results.report.figures import move_times
from spielleiter.arena.results.report.language import Language
from spielleiter.arena.results.report.page import render_report
from spielleiter.arena.store.reader import StoreReader, join_runs

VOID = {"meta", "br", "hr", "img", "link", "input"}


class Page(HTMLParser):
    """Reads a page and fails where an element is not closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("style", "script"):
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def make(*folders: Path, language: str = "en") -> tuple[str, Page]:
    readers = [StoreReader(folder) for folder in folders]
    try:
        places, _ = join_runs(readers)
        joint: Collection = join([collect(place) for place in places])
        html = render_report(joint, move_times(places, joint), Language(language))
    finally:
        for reader in readers:
            reader.close()
    return html, Page(html)


def headings(html: str) -> list[str]:
    return re.findall("<h2>(.*?)</h2>", html)


def test_a_duel(tmp_path: Path) -> None:
    html, page = make(store_run(tmp_path, games=12, game="blokus-2027"))
    assert headings(html) == [
        "Table",
        "Score over time",
        "Rating",
        "By seat",
        "By start piece",
        "Time for a move",
        "Lost games",
        "How it was played",
    ]
    assert "greedy against random" in page.text
    assert "is stronger (p > 95 %)" in page.text
    assert "12 games 12 – 0 – 0 won, drawn, lost by greedy" in page.text
    assert "PENTO_" in page.text
    assert "No bot lost a game by a fault." in page.text
    assert any("band" in (attrs.get("class") or "") for _, attrs in page.tags)


def test_a_tournament_that_is_not_complete(tmp_path: Path) -> None:
    folder = store_run(tmp_path, ("greedy", "random", "crasher"), games=4, unplayed=2)
    html, page = make(folder)
    assert "Everybody against everybody" in headings(html)
    assert "By start piece" not in headings(html)  # boards are shuffled
    assert "Tournament of 3 bots" in page.text
    assert "So far greedy leads with 16 points, ahead of random (4)." in page.text
    assert f"spielleiter resume {tmp_path}" in page.text
    assert "6 lost by a fault" in page.text
    assert page.text.count("crash or connection") == 6
    assert f"spielleiter results replay {tmp_path} N" in page.text


def test_heat_map_cells_say_how_much(tmp_path: Path) -> None:
    _, page = make(store_run(tmp_path, ("greedy", "random", "crasher"), games=2))
    heat = [attrs for _, attrs in page.tags if (attrs.get("class") or "").startswith("heat ")]
    assert len(heat) == 6
    assert (heat[0]["title"] or "").startswith("2 won, 0 drawn, 0 lost; on average ")
    assert {attrs["class"] for attrs in heat} == {"heat high", "heat low"}


def test_scores_that_are_far_from_nothing_are_told_apart(tmp_path: Path) -> None:
    bots = ("random", "random")
    html, _ = make(store_run(tmp_path, bots, names=("old", "new"), game="blokus-2027"))
    (seats,) = re.findall(r"<h2>By seat</h2>.*?</section>", html, re.DOTALL)
    ticks = re.findall(r'<text class="tick[^>]*>(\d+)</text>', seats)
    assert int(ticks[0]) > 50


def test_equal_points_are_told_apart_by_the_mean_score(tmp_path: Path) -> None:
    names = ("a", "b", "c")
    _, page = make(store_run(tmp_path, ("random",) * 3, names=names, opening_moves=0))
    assert re.search(r"wins with 8 points, ahead of \w \(8, a lower mean score\)\.", page.text)


def test_german(tmp_path: Path) -> None:
    html, page = make(store_run(tmp_path, games=12, game="blokus-2027"), language="de")
    assert '<html lang="de">' in html
    assert headings(html) == [
        "Tabelle",
        "Verlauf",
        "Wertung",
        "Nach Platz am Tisch",
        "Nach Startstein",
        "Zeit je Zug",
        "Verlorene Spiele",
        "Wie gespielt wurde",
    ]
    assert "ist stärker (p > 95 %)" in page.text
    assert not re.search(r"\b(games|won|lost|score)\b", page.text)


def test_nothing_is_loaded_from_elsewhere_and_only_our_script_may_run(tmp_path: Path) -> None:
    html, page = make(store_run(tmp_path, games=2))
    assert not re.search(r"https?:|//[a-z]|@import|url\(", html.replace("</", ""))
    assert not [tag for tag, attrs in page.tags if {"src", "href", "onclick"} & set(attrs)]
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = next(attrs["content"] for tag, attrs in page.tags if "http-equiv" in attrs)
    assert policy == (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    )


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", '" onmouseover="x', "</style>'&amp;", "\u202eevil"]
)
def test_names_are_text_and_nothing_else(tmp_path: Path, name: str) -> None:
    ordinary = make(store_run(tmp_path / "a", ("greedy", "crasher"), games=2))[1]
    html, page = make(
        store_run(tmp_path / "b", ("greedy", "crasher"), games=2, names=(name, "crasher"))
    )
    assert len(page.tags) == len(ordinary.tags)
    assert "\u202e" not in html
    for (tag, attrs), (other_tag, other_attrs) in zip(page.tags, ordinary.tags, strict=True):
        assert (tag, set(attrs)) == (other_tag, set(other_attrs))
    if "\u202e" not in name:
        assert name in page.text


def test_a_run_without_results_has_a_page(tmp_path: Path) -> None:
    html, page = make(store_run(tmp_path, games=2, unplayed=2))
    assert "No game is finished yet." in page.text
    assert headings(html) == ["How it was played"]


def test_bots_that_share_a_place_have_columns_of_their_own(tmp_path: Path) -> None:
    names = ("a", "b", "c")
    html, page = make(store_run(tmp_path, ("greedy", "greedy", "random"), names=names))
    assert "a and b share the first place with 12 points." in page.text
    (cross,) = re.findall(r'<table class="cross">.*?</thead>', html)
    assert re.findall(r"<th scope=\"col\">(.*?)</th>", cross) == ["", "", "1", "2", "3"]


def test_every_column_that_can_be_sorted_has_a_name_to_click(tmp_path: Path) -> None:
    html, _ = make(store_run(tmp_path, ("greedy", "crasher"), games=2))
    tables = re.findall(r'<table class="sortable"><thead>(.*?)</thead>', html)
    assert len(tables) == 2
    for head in tables:
        names = re.findall(r"<th [^>]*>([^<]*)</th>", head)
        assert all(names)


@pytest.mark.parametrize("games", [1, 2, 3])
def test_few_games_are_enough_for_a_page(tmp_path: Path, games: int) -> None:
    html, _ = make(store_run(tmp_path, games=games))
    assert "Score over time" in headings(html)


def test_a_knockout_has_a_winner_or_some_who_are_still_in_it(tmp_path: Path) -> None:
    bots, plan = ("greedy", "random", "crasher"), {"form": "knockout"}
    _, page = make(store_run(tmp_path / "over", bots, games=2, unplayed=2, plan=plan))
    assert "greedy wins the knockout, ahead of random." in page.text
    _, page = make(store_run(tmp_path / "open", bots, games=2, unplayed=3, plan=plan))
    assert re.search(r"Still in the knockout: \w+ and \w+\.", page.text)


def test_joined_runs_name_the_folder_of_each_lost_game(tmp_path: Path) -> None:
    one = store_run(tmp_path / "one", ("greedy", "crasher"), games=2)
    two = store_run(tmp_path / "two", ("random", "crasher"), games=2, first_seed=50)
    _, page = make(one, two)
    assert "Tournament of 3 bots" in page.text
    assert page.text.count(str(one)) == 4  # what is joined, both games, and how it was played
    assert " ".join(page.text.split()).count(f"2 runs together: {one} , {two} .") == 1
    assert "spielleiter results replay DIR N" in page.text
