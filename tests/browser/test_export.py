"""A match in one file, opened from the disk without any server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

import recorded
from browsing import Visit, watch
from spielleiter.replays import read_replay
from spielleiter.web.export import saved_page
from spielleiter.web.recordings import story_of_recording
from spielleiter.web.telling import Teller

GAMES = {
    "blokus": next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name),
    "hares": next(path for path in recorded.replays("18.2.6") if "ab_own" in path.name),
}
NAMES = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>")


def open_saved(context: BrowserContext, folder: Path, game: str) -> Visit:
    match = replace(read_replay(GAMES[game]), names=NAMES)
    story = story_of_recording(match, "kept", now=lambda: 0.0)
    file = folder / "match.html"
    file.write_text(saved_page(story, Teller()), encoding="utf-8")
    context.set_offline(True)
    one = watch(context.new_page())
    one.page.goto(f"{file.as_uri()}#turn=12")
    return one


@pytest.mark.parametrize("game", GAMES)
def test_it_opens_from_the_disk_with_slider_keys_language_and_theme(
    context_of: Callable[..., BrowserContext], tmp_path: Path, game: str
) -> None:
    one = open_saved(context_of(), tmp_path, game)
    page, where = one.page, one.page.locator(".transport .where")

    expect(where).to_have_text("Turn 12")
    expect(page.locator(".boardwrap svg").first).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(where).to_have_text("Turn 13")
    page.locator(".scrub input[type=range]").fill("3")
    expect(where).to_have_text("Turn 3")
    page.keyboard.press("l")
    expect(where).to_have_text("Zug 3")
    before = page.locator("html").get_attribute("data-theme")
    page.keyboard.press("d")
    assert page.locator("html").get_attribute("data-theme") != before
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    one.check()


def test_names_stay_text_and_nothing_leads_nowhere(
    context_of: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    one = open_saved(context_of(), tmp_path, "blokus")

    expect(one.page.locator("main")).to_contain_text(NAMES[0])
    assert one.page.locator("img, script:not([type]):not(head script)").count() == 0
    links = one.page.locator("a[href]").evaluate_all(
        "(all) => all.map((one) => one.getAttribute('href'))"
    )
    assert all(link.startswith(("#", "data:")) for link in links), links
    one.check()


def test_a_game_without_modules_of_its_own_is_shown_by_pictures(
    context_of: Callable[..., BrowserContext], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(read_replay(GAMES["blokus"]).game), "page", None)

    one = open_saved(context_of(), tmp_path, "blokus")

    picture = one.page.locator(".boardwrap img")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("(one) => one.naturalWidth") > 100
    one.check()
