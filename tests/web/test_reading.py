"""Anybody may ask which matches there are and read one as a whole."""

from __future__ import annotations

import pytest

from spielleiter.games import DEFAULT, all_games
from spielleiter.web import slices
from spielleiter.web.story import StoryPhase
from web.browsing import BLOKUS, HARE, Browser, browse, new_story


def test_what_the_page_needs_to_know_first() -> None:
    async def test(browser: Browser) -> None:
        info = (await browser.get("/api/info")).value
        assert info["default_game"] == DEFAULT
        assert info["server"] is None
        assert info["may"] == {"do": False, "start": False, "open": False}
        assert info["bots"][BLOKUS.id] == list(BLOKUS.players)
        assert {game["folder"] for game in info["games"]} == {"blokus", "hase_und_igel"}
        assert info["games"][0]["seat_names"][0].keys() == {"de", "en"}
        titles = {game["id"]: game["title"] for game in info["games"]}
        assert titles["blokus-2021-official"] == {
            "de": "Blokus 2021 (wie der offizielle Server)",
            "en": "Blokus 2021 (as the official server)",
        }
        assert not [title for title in titles.values() if "as " in title["de"]]

    browse(test)


def test_matches_that_are_on_come_first_and_then_the_newest() -> None:
    async def test(browser: Browser) -> None:
        for number, phase in enumerate(("ended", "running", "waiting", "ended", "paused")):
            story = new_story(HARE, str(number))
            story.phase = StoryPhase(phase)
            browser.site.gallery.add(story)
        answer = (await browser.get("/api/matches", Accept_Encoding="gzip")).value
        assert [match["id"] for match in answer["matches"]] == ["4", "1", "2", "3", "0"]
        assert answer["total"] == 5
        assert answer["matches"][0]["view"]["game"] == HARE.id
        assert answer["matches"][0]["title"] == {"de": HARE.title, "en": HARE.title}

    browse(test)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_whole_match_with_its_mobility(game) -> None:
    async def test(browser: Browser) -> None:
        story = new_story(game, count=4)
        browser.site.gallery.add(story)
        answer = await browser.get("/api/matches/one", Accept_Encoding="gzip")
        found = [view["mobility"] for view in answer.value["positions"]]
        assert found == [list(game.mobility(state)) for state in story.positions]
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["cache-control"] == "no-store"

    browse(test)


def test_what_takes_too_long_to_count_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slices, "COUNTING", -1.0)

    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story(count=2))
        answer = await browser.get("/api/matches/one")
        assert {view["mobility"] for view in answer.value["positions"]} == {None}

    browse(test)


@pytest.mark.parametrize("path", ["/api/matches/nothing", "/api/matches/%00", "/api/nothing"])
def test_what_is_not_there_is_said_in_both_languages(path: str) -> None:
    async def test(browser: Browser) -> None:
        answer = await browser.get(path)
        assert answer.status == 404
        assert answer.value["error"].keys() == {"de", "en"}

    browse(test)


def test_names_full_of_markup_stay_text() -> None:
    async def test(browser: Browser) -> None:
        story = new_story()
        story.seats[0].name = "</script><img src=x onerror=alert(1)>\ud800"
        browser.site.gallery.add(story)
        answer = await browser.get("/api/matches/one")
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.value["names"][0].startswith("</script><img")

    browse(test)
