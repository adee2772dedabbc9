"""A match can be taken away as a replay that can be read again, and a position as a picture."""

from __future__ import annotations

import gzip

import pytest

from server.stage import Stage
from server.test_feed import prepare, send_move, sit
from spielleiter.replays import parse_replay, verify
from spielleiter.web.downloads import file_stem
from web.browsing import Browser, browse, new_story


def test_a_match_of_the_server_becomes_a_replay_file() -> None:
    stage = Stage()

    async def test(browser: Browser) -> None:
        room = prepare(stage, "A/../b", "Zoë")
        lines = sit(stage, room)
        send_move(room, lines[0])
        early = await browser.get(f"/api/matches/{room.id}/replay.xml.gz")
        assert len(parse_replay(early.body, "x").positions) == 2
        lines[1].hang_up()
        answer = await browser.get(f"/api/matches/{room.id}/replay.xml.gz")
        recorded = parse_replay(answer.body, "x")
        assert recorded.names == ("A/../b", "Zoë")
        assert recorded.outcome is not None
        assert not verify(recorded).differences
        assert answer.headers["content-type"] == "application/gzip"
        name = answer.headers["content-disposition"]
        assert name == (
            'attachment; filename="hase-und-igel-2018_A_.._b_Zo_.xml.gz"; '
            "filename*=UTF-8''hase-und-igel-2018_A_.._b_Zo%C3%AB.xml.gz"
        )

    browse(test, stage.server)


def test_a_match_without_a_record_cannot_be_saved() -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story())
        answer = await browser.get("/api/matches/one/replay.xml.gz")
        assert answer.status == 409

    browse(test)


def test_a_file_that_was_opened_is_given_back() -> None:
    async def test(browser: Browser) -> None:
        story = new_story()
        browser.site.gallery.add(story)
        for record in (b"<protocol>", gzip.compress(b"<protocol>")):
            story.record = record
            answer = await browser.get("/api/matches/one/replay.xml.gz")
            assert gzip.decompress(answer.body) == b"<protocol>"

    browse(test)


def test_a_position_as_a_picture_that_runs_nothing() -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=2)
        browser.site.gallery.add(story)
        answer = await browser.get("/api/matches/one/position.svg?index=1")
        assert answer.body.decode() == story.game.svg(story.positions[1])
        assert answer.headers["content-type"] == "image/svg+xml"
        assert "sandbox" in answer.headers["content-security-policy"]
        assert (await browser.get("/api/matches/one/position.svg")).status == 200

    browse(test)


@pytest.mark.parametrize("index", ["3", "-1", "x", "", "1e3", "9" * 50, "²"])
def test_a_turn_that_does_not_exist(index: str) -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story(count=2))
        path = f"/api/matches/one/position.svg?index={index.replace('²', '%C2%B2')}"
        answer = await browser.get(path)
        assert answer.status == 404
        assert answer.value["error"]["en"] == "The match has no such position."

    browse(test)


def test_file_names_are_harmless() -> None:
    story = new_story()
    story.seats[0].name, story.seats[1].name = '../../"\r\nx: y', ""
    assert file_stem(story) == "blokus-2021_x_y_x"
