"""One match: live in two windows, official replays scrubbed, continued from a turn, taken away."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import recorded
from browsing import Opener, Served, drop
from playing import PHONE
from spielleiter.replays import read_replay

NEWEST = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
OFFICIAL = [
    recorded.replays(version)[0] for version in recorded.versions() if recorded.replays(version)
]
RULE_BREAKER = """
from spielleiter import Bot, run

class Breaks(Bot):
    game = "blokus-2027"

    def choose(self, state, clock):
        move = max(state.legal_moves(), key=lambda move: move.size)
        if state.turn < 4:
            print("printed in turn", state.turn)
            self.hint("now")
            self.debug.mark(3, 4, "here")
            return move
        x, y = state.last_move.cells[0]
        return type(move)(move.color, move.piece, move.rotation, move.flipped, x, y)

run(Breaks)
"""
LEAVER = """
import os

from spielleiter import Bot, run

class Leaves(Bot):
    game = "blokus-2027"

    def choose(self, state, clock):
        return state.legal_moves()[0] if state.turn < 4 else os._exit(1)

run(Leaves)
"""
MARKUP = '<img src=x onerror="document.title=1"><b>&amp;'


def slider(page: Page) -> int:
    return int(page.locator(".scrub input[type=range]").input_value())


def shown_turn(page: Page) -> str:
    return page.locator(".transport .where").inner_text()


def test_a_live_match_is_the_same_in_two_windows(visit: Opener, served: Served) -> None:
    match = served.start("planner", "greedy", seed=3)
    first = visit(f"/match/{match}").page
    second = visit(f"/match/{match}", key=False, viewport={"width": 360, "height": 780}).page

    for page in (first, second):
        expect(page.locator(".status.end")).to_be_visible()

    assert first.locator(".status p").inner_text() == second.locator(".status p").inner_text()
    assert slider(first) == slider(second) > 20


def test_who_comes_late_sees_the_whole_match_and_can_go_back(visit: Opener, served: Served) -> None:
    match = served.start("random", "random")
    page = visit(f"/match/{match}").page
    expect(page.locator(".status.end")).to_be_visible()

    page.keyboard.press("Home")

    expect(page.locator(".transport .where")).to_have_text("Turn 0")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".transport .where")).to_have_text("Turn 1")


@pytest.mark.parametrize("path", OFFICIAL, ids=lambda path: path.parts[-3])
def test_an_official_replay_is_dropped_and_scrubbed(visit: Opener, path: Path) -> None:
    match = read_replay(path)
    page = visit("/").page
    expect(page.get_by_role("button", name="Start match")).to_be_visible()

    drop(page, path.name, path.read_bytes())

    page.wait_for_url("**/match/*")
    end = len(match.positions) - 1
    handle = page.locator(".scrub input[type=range]")
    expect(handle).to_have_attribute("max", str(end))
    for index in (0, end // 3, end // 2, end):
        handle.fill(str(index))
        expect(page.locator(".transport .where")).to_have_text(f"Turn {match.turns[index]}")
        expect(page.locator(".boardwrap svg").first).to_be_visible()


def test_a_file_is_dropped_on_a_match_and_opened(visit: Opener, served: Served) -> None:
    match = served.open_file(OFFICIAL[0].read_bytes())
    page = visit(f"/match/{match}").page
    expect(page.locator(".transport")).to_be_visible()

    drop(page, NEWEST.name, NEWEST.read_bytes())

    page.wait_for_url(lambda address: match not in address and "/match/" in address)
    expect(page.locator(".strip, .players").first).to_contain_text(read_replay(NEWEST).names[0])


def test_a_broken_rule_is_said_with_a_link_to_its_turn_and_marked(
    visit: Opener, served: Served
) -> None:
    (served.folder / "breaks.py").write_text(RULE_BREAKER)
    assert "breaks" in served.ask("/api/info")["own_bots"]["blokus-2027"]
    match = served.start("breaks", "random")
    page = visit(f"/match/{match}").page

    expect(page.locator(".status.fault")).to_contain_text("Turn 4: breaks broke a rule")
    expect(page.locator("svg.board .cross").first).to_be_attached()
    expect(page.locator(".notes")).to_contain_text("Breaks.choose returned what cannot be played")
    expect(page.get_by_role("link", name="Rules", exact=True).last).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("svg.board .cross")).to_have_count(0)
    expect(page.locator(".notes")).to_contain_text("Hint: now")
    expect(page.locator(".notes")).to_contain_text("printed in turn 2")
    expect(page.locator(".notes")).not_to_contain_text("printed in turn 0")
    expect(page.locator("svg.board")).to_contain_text("here")
    page.keyboard.press("End")
    link = page.locator(".status").get_by_role("link", name="Turn 4")
    assert link.get_attribute("href") == "#turn=4"
    link.click()
    assert page.evaluate("location.hash") == "#turn=4"


def test_who_watches_is_told_that_a_bot_has_left(visit: Opener, served: Served) -> None:
    (served.folder / "leaves.py").write_text(LEAVER)
    assert "leaves" in served.ask("/api/info")["own_bots"]["blokus-2027"]
    match = served.start("leaves", "random")
    served.ask(f"/api/matches/{match}/pause", {})
    page = visit(f"/match/{match}").page
    expect(page.locator(".status")).to_contain_text("Paused")

    served.ask(f"/api/matches/{match}/continue", {})

    expect(page.locator(".status.fault")).to_contain_text("Turn 4: leaves left the game.")


def printed(first: int, text: str) -> dict[str, object]:
    """Lines of one letter each, and how many were printed before them."""
    lines = [{"seat": 0, "stream": "stderr", "text": one, "index": 0} for one in text]
    return {"type": "output", "first": first, "lines": lines}


def match_of(text: str) -> dict[str, object]:
    """A match in which this was printed."""
    output = printed(0, text)["lines"]
    return {"phase": "ended", "positions": [{}], "output": output, "printed": len(text)}


def whole(text: str) -> dict[str, object]:
    return {"type": "match", "match": match_of(text)}


@pytest.mark.parametrize(
    "messages",
    [
        [printed(0, "a"), printed(1, "bc")],
        [whole("ab"), printed(2, "c")],
        [printed(0, "abc"), whole("a")],
        [printed(0, "ab"), whole(""), printed(2, "c")],
        [whole("ab"), printed(0, "abc")],
        [whole("abc"), printed(1, "bc")],
    ],
    ids=["lines", "more", "older", "older and more", "known and more", "known"],
)
def test_each_line_is_there_once_in_whatever_order_it_is_told(
    visit: Opener, messages: list[dict[str, object]]
) -> None:
    page = visit("/rules").page

    shown = page.evaluate(
        """async ([match, messages]) => {
            const { MatchStore } = await import("/static/js/match/store.js");
            const store = new MatchStore(match, () => {});
            for (const message of messages) store.hear(message);
            return store.match.output.map((line) => line.text).join("");
        }""",
        [match_of(""), messages],
    )

    assert shown == "abc"


def test_the_reason_of_an_end_is_told_of_when_it_comes_after_the_end(visit: Opener) -> None:
    page = visit("/rules").page

    told = page.evaluate(
        """async (match) => {
            const { MatchStore } = await import("/static/js/match/store.js");
            const told = [];
            const store = new MatchStore(match, (change) => told.push(change));
            store.hear({ type: "seats", seats: [], phase: "ended" });
            store.hear({ type: "ended", result: { reason: "left" } });
            return told;
        }""",
        {**match_of(""), "phase": "running"},
    )

    assert told == ["seats", "ended", "result"]


def test_a_turn_has_an_address(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=31").page

    expect(page.locator(".transport .where")).to_have_text("Turn 31")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".transport .where")).to_have_text("Turn 32")
    assert page.evaluate("location.hash") == "#turn=32"


def test_a_turn_that_does_not_exist_is_said_to(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=9999").page

    expect(page.locator(".toast.bad")).to_contain_text("9999")
    expect(page.locator(".status")).to_be_visible()


def test_a_match_that_does_not_exist_is_said_to(visit: Opener) -> None:
    one = visit("/match/nowhere")
    one.allowed.append("Failed to load resource")

    expect(one.page.locator("main")).to_contain_text("does not know this match")
    one.page.locator("main").get_by_role("link").first.click()
    expect(one.page.get_by_role("heading", name="Running")).to_be_visible()


def test_it_plays_by_itself(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=3").page
    expect(page.locator(".transport .where")).to_have_text("Turn 3")

    page.keyboard.press("Space")

    expect(page.locator(".transport .where")).to_have_text("Turn 6")


def test_on_a_phone_the_speed_and_the_link_are_there_too(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=3", **PHONE).page
    expect(page.locator(".transport .where")).to_have_text("Turn 3")

    page.locator(".transport .pace").tap()

    expect(page.locator(".transport .pace")).to_contain_text("2×")
    page.locator(".savemenu summary").tap()
    page.locator(".savemenu").get_by_role("button", name="Copy the link").tap()
    expect(page.locator(".toast")).to_contain_text("#turn=3")


def test_all_buttons_of_a_live_match_fit_on_a_phone(visit: Opener, served: Served) -> None:
    match = served.start("me", "random", clock=False)
    page = visit(f"/match/{match}", **PHONE).page
    expect(page.locator(".transport")).to_be_visible()
    page.evaluate("document.querySelector('.golive').classList.remove('off')")

    wide = page.evaluate(
        "[...document.querySelectorAll('.transport .btn')]"
        ".map((one) => one.getBoundingClientRect().right)"
    )
    assert max(wide) <= 360


def test_a_match_goes_on_from_a_turn_of_another(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=31").page
    expect(page.locator(".transport .where")).to_have_text("Turn 31")

    page.get_by_role("button", name="Continue from here").click()
    page.locator("#fork-p0").select_option("bot:random")
    page.locator("#fork-p1").select_option("bot:random")
    page.locator("dialog[open] button[type=submit]").click()

    page.wait_for_url(lambda address: match not in address and "/match/" in address)
    expect(page.locator(".status.end, .status.fault")).to_be_visible()
    old, new = (
        [view["position"] for view in served.ask(f"/api/matches/{one}")["positions"]]
        for one in (match, page.url.rsplit("/", 1)[1].partition("#")[0])
    )
    assert new[:32] == old[:32]
    assert new[-1] != old[-1]


def test_names_are_text_and_never_markup(visit: Opener, served: Served) -> None:
    text = gzip.decompress(NEWEST.read_bytes()).decode()
    name = read_replay(NEWEST).names[0]
    escaped = MARKUP.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    assert f'"{name}"' in text
    match = served.open_file(text.replace(f'"{name}"', f'"{escaped}"').encode())

    page = visit(f"/match/{match}").page

    expect(page.locator("main")).to_contain_text("onerror")
    assert page.locator("main img").count() == 0
    home = visit("/").page
    expect(home.locator("main")).to_contain_text("onerror")
    assert home.locator("main img").count() == 0


def test_the_whole_page_changes_its_language(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}#turn=31").page
    expect(page.locator(".transport .where")).to_have_text("Turn 31")

    page.keyboard.press("l")

    expect(page.locator(".transport .where")).to_have_text("Zug 31")
    expect(page.get_by_role("heading", name="Züge")).to_be_visible()


def test_keys_are_explained(visit: Opener, served: Served) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}").page
    expect(page.locator(".status.end")).to_be_visible()

    page.keyboard.press("?")

    expect(page.get_by_role("dialog")).to_contain_text("Home")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.parametrize("ending", [".xml.gz", ".html", ".svg", ".png"])
def test_a_match_can_be_taken_away(visit: Opener, served: Served, ending: str) -> None:
    match = served.open_file(NEWEST.read_bytes())
    page = visit(f"/match/{match}").page
    words = {".xml.gz": "Replay", ".html": "HTML", ".svg": "SVG", ".png": "PNG"}
    expect(page.locator(".status.end")).to_be_visible()

    page.locator(".savemenu summary").click()
    with page.expect_download() as download:
        page.locator(".savemenu .menu-list").get_by_text(words[ending]).click()

    assert download.value.suggested_filename.endswith(ending)
    assert Path(download.value.path()).stat().st_size > 1000
