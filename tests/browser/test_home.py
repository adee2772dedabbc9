"""Home: a match in two clicks, small boards that live, dropped files, and who may do what."""

from __future__ import annotations

import gzip
from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

import recorded
from browsing import Opener, Served, drop

REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)


def test_two_clicks_start_a_match_against_a_bot(visit: Opener) -> None:
    page = visit("/").page

    page.get_by_role("button", name="Start match").click()

    page.wait_for_url("**/match/*")
    expect(page.locator("main.playing")).to_be_visible()


def test_two_bots_play_to_the_end(visit: Opener) -> None:
    page = visit("/").page

    page.locator("#new-p0").select_option("bot:random")
    page.locator("#new-p1").select_option("bot:greedy")
    page.get_by_role("button", name="Start match").click()

    page.wait_for_url("**/match/*")
    expect(page.locator(".status.end")).to_contain_text("wins")


def test_a_bot_that_joins_by_itself_is_told_how(visit: Opener) -> None:
    page = visit("/").page

    page.locator("#new-p1").select_option("joins")
    page.get_by_role("button", name="Start match").click()

    page.wait_for_url("**/match/*")
    expect(page.locator("main")).to_contain_text(" -r ")


def test_matches_appear_without_a_reload(visit: Opener, served: Served) -> None:
    page = visit("/").page
    expect(page.get_by_role("heading", name="Running")).to_be_visible()

    match = served.start("greedy", "random")

    card = page.locator(f'a[href="/match/{match}"]')
    expect(card.locator("svg").first).to_be_visible()
    expect(card).to_contain_text("wins")


def test_a_game_by_hand_can_be_chosen_for_every_season(visit: Opener) -> None:
    page = visit("/").page

    page.get_by_role("radio", name="Hase und Igel").check()
    expect(page.locator("#new-season")).to_contain_text("2018")
    page.get_by_role("button", name="Start match").click()

    page.wait_for_url("**/match/*")
    expect(page.locator("main.playing")).to_be_visible()


def test_who_has_no_key_may_look_and_is_told_what_is_missing(visit: Opener, served: Served) -> None:
    match = served.start("random", "random")
    one = visit("/", key=False)

    expect(one.page.locator("#new")).to_contain_text("key")
    expect(one.page.locator(f'a[href="/match/{match}"]')).to_be_visible()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("holiday.jpg", b"\xff\xd8\xff\xe0" + b"no replay" * 100),
        ("empty.xml", b""),
        ("page.xml", b"<html><body>hello</body></html>"),
        ("cut.xml.gz", REPLAY.read_bytes()[:30]),
        ("bomb.xml.gz", gzip.compress(b"<protocol>" + b" " * 90_000_000)),
    ],
    ids=["picture", "empty", "other", "cut", "bomb"],
)
def test_a_file_that_is_no_replay_is_refused_in_words(
    visit: Opener, name: str, data: bytes
) -> None:
    one = visit("/")
    one.allowed.append("Failed to load resource")  # the browser's own line about the refusal
    expect(one.page.get_by_role("button", name="Start match")).to_be_visible()

    drop(one.page, name, data)

    expect(one.page.locator(".toast.bad")).to_contain_text(name)
    expect(one.page.get_by_role("button", name="Start match")).to_be_enabled()


def test_what_is_there_of_a_cut_replay_is_shown_and_said_to_be_cut(visit: Opener) -> None:
    page = visit("/").page
    expect(page.get_by_role("button", name="Start match")).to_be_visible()

    drop(page, "cut.xml.gz", REPLAY.read_bytes()[:-2000])

    page.wait_for_url("**/match/*")
    expect(page.locator("main")).to_contain_text("cut off")


def test_a_file_that_is_too_large_is_not_even_sent(visit: Opener) -> None:
    one = visit("/")
    sent: list[str] = []
    one.page.on("request", lambda request: sent.append(request.url))
    expect(one.page.get_by_role("button", name="Start match")).to_be_visible()

    one.page.evaluate(
        """() => {
            const transfer = new DataTransfer();
            const file = new File(["x"], "large.xml");
            Object.defineProperty(file, "size", { value: 1e9 });
            transfer.items.add(file);
            const event = new DragEvent("drop", { bubbles: true, cancelable: true });
            Object.defineProperty(event, "dataTransfer", { value: { files: [file] } });
            document.querySelector("main").dispatchEvent(event);
        }"""
    )

    expect(one.page.locator(".toast.bad")).to_contain_text("large.xml")
    assert not any("/api/replays" in address for address in sent)


def test_the_language_is_that_of_the_browser_and_can_be_switched(visit: Opener) -> None:
    page = visit("/", locale="de-DE").page

    expect(page.get_by_role("button", name="Partie starten")).to_be_visible()
    page.get_by_role("button", name="EN: English").click()

    expect(page.get_by_role("button", name="Start match")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "en"
    page.reload()
    expect(page.get_by_role("button", name="Start match")).to_be_visible()


def test_matches_of_another_server_are_only_watched(
    visit: Opener, served: Served, context_of: Callable[..., BrowserContext]
) -> None:
    told = served.ask("/api/info") | {"remote": "192.0.2.1:13050", "server": None}
    told["may"]["start"] = False
    context = context_of()
    context.route("**/api/info", lambda route: route.fulfill(json=told))
    context.route("**/api/matches", lambda route: route.fulfill(json={"matches": [], "total": 0}))

    page = visit("/", context=context).page

    expect(page.get_by_role("heading", name="Watching")).to_be_visible()
    expect(page.locator("aside")).to_contain_text("192.0.2.1:13050")
    expect(page.get_by_text("Key", exact=True)).to_have_count(0)
    expect(page.get_by_role("link", name="New match")).to_have_count(0)
    expect(page.get_by_text("cannot be reached now")).to_be_hidden()
    told["remote_away"] = True
    expect(page.get_by_text("cannot be reached now")).to_be_visible()
