"""The analysis of a match on the page: started, watched, stopped, read, and taken away as a file.

A stand-in for the engine judges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import BrowserContext, Page, WebSocketRoute, expect

import children
import recorded
import wheels
from browsing import Opener, Served, end, read_address, serve, watch
from spielleiter.replays import read_replay
from spielleiter.web.export import saved_page
from spielleiter.web.recordings import story_of_recording
from spielleiter.web.telling import Teller

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
HARES = next(path for path in recorded.replays("18.2.6") if "ab_own" in path.name)
TOOLS = ".analysis-tools"


@contextmanager
def serving(folder: Path, package: Path) -> Iterator[Served]:
    with children.kept():
        process = serve(folder, packages=(package,))
    try:
        yield read_address(process, folder)
    finally:
        end(process)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on a machine on which the stand-in is installed."""
    with serving(tmp_path_factory.mktemp("served"), wheels.FOLDER) as one:
        yield one


def analyse(page: Page) -> None:
    """Have the match analysed that the page shows, and wait until that is done."""
    page.locator(TOOLS).get_by_role("button", name="Analyse").click()
    expect(page.locator(f"{TOOLS} [role=status]")).to_have_text("The analysis is done.")
    expect(page.locator(f"{TOOLS} button")).to_have_count(0)


@pytest.fixture(scope="module")
def analysed(served: Served) -> str:
    """A match that is analysed already."""
    match = served.open_file(REPLAY.read_bytes())
    served.ask(f"/api/matches/{match}/analysis", {})
    while served.ask(f"/api/matches/{match}/analysis")["state"] == "running":
        pass
    return match


def test_a_match_is_analysed_from_the_page(visit: Opener, served: Served) -> None:
    match = served.open_file(REPLAY.read_bytes())
    page = visit(f"/match/{match}#turn=20").page
    expect(page.locator(".evalbar")).to_be_hidden()

    analyse(page)

    expect(page.locator(".evalbar")).to_be_visible()
    expect(page.locator(".evalbar")).to_have_attribute(
        "aria-label", re.compile(r"Estimate of the final lead .*: [+−±].*chance to win: \d+ %")
    )
    expect(page.locator(".lane .guess")).to_have_attribute("d", re.compile(r"^M0 .*L65 "))
    assert page.locator(".moves .verdict:not(:empty)").count() > 3
    expect(page.locator(".transport .where")).to_have_text("Turn 20")  # we stay where we were


def test_the_better_move_is_said_and_drawn(visit: Opener, analysed: str) -> None:
    page = visit(f"/match/{analysed}#turn=0").page
    expect(page.locator(".summary p")).to_have_count(3)
    expect(page.locator(".better")).to_have_count(0)

    page.keyboard.press("n")

    expect(page.locator(".moves [aria-current] .verdict.mistake")).to_contain_text("Mistake")
    expect(page.locator(".judged.mistake")).to_contain_text(
        re.compile(r"Mistake: \d+ points lost, chance to win \d+ % → \d+ %\.")
    )
    expect(page.locator(".judged")).to_contain_text("Better was")
    expect(page.locator(".boardwrap .better .rim")).to_be_visible()
    first = page.locator(".transport .where").inner_text()
    page.keyboard.press("n")
    expect(page.locator(".transport .where")).not_to_have_text(first)
    page.keyboard.press("Shift+N")
    expect(page.locator(".transport .where")).to_have_text(first)


def test_three_sentences_in_both_languages(visit: Opener, served: Served, analysed: str) -> None:
    told = served.ask(f"/api/matches/{analysed}")["analysis"]["sentences"]
    page = visit(f"/match/{analysed}").page

    expect(page.locator(".summary p")).to_have_text([one["en"] for one in told])
    page.keyboard.press("l")
    expect(page.locator(".summary p")).to_have_text([one["de"] for one in told])


def test_who_has_no_key_sees_it_and_cannot_start_it(
    visit: Opener, served: Served, analysed: str
) -> None:
    fresh = served.open_file(REPLAY.read_bytes())
    page = visit(f"/match/{analysed}", key=False).page
    expect(page.locator(".summary p")).to_have_count(3)

    page = visit(f"/match/{fresh}", key=False).page
    expect(page.locator(".status.end")).to_be_visible()
    page.wait_for_load_state("networkidle")
    expect(page.locator(f"{TOOLS} button")).to_have_count(0)


def test_a_live_match_can_be_analysed_when_it_is_over(visit: Opener, served: Served) -> None:
    match = served.start("random", "random")
    page = visit(f"/match/{match}").page
    expect(page.locator(".status.end")).to_be_visible()

    analyse(page)

    expect(page.locator(".evalbar")).to_be_visible()


def test_who_is_told_the_whole_match_at_its_end_can_analyse_it_too(
    visit: Opener, served: Served, context_of: Callable[..., BrowserContext]
) -> None:
    match = served.start("random", "random")
    served.ask(f"/api/matches/{match}/pause", {})

    def connect_when_it_is_over(live: WebSocketRoute) -> None:
        served.ask(f"/api/matches/{match}/continue", {})
        while served.ask(f"/api/matches/{match}")["phase"] != "ended":
            pass
        live.connect_to_server()

    context = context_of()
    context.route_web_socket(re.compile(r"/live\?since="), connect_when_it_is_over)
    page = visit(f"/match/{match}", context=context).page
    expect(page.locator(".status.end")).to_be_visible()

    analyse(page)


def test_it_can_be_stopped_and_begun_again(
    context_of: Callable[..., BrowserContext], tmp_path: Path
) -> None:
    # This engine thinks for ever about the third position.
    text = (wheels.FOLDER / "spielleiter_engine.py").read_text(encoding="utf-8")
    before = "        state = position.state\n"
    stuck = "        if state.turn == 2:\n            import time\n\n            time.sleep(3600)\n"
    package = tmp_path / "package"
    package.mkdir()
    (package / "spielleiter_engine.py").write_text(text.replace(before, before + stuck, 1))
    with serving(tmp_path, package) as served:
        match = served.open_file(REPLAY.read_bytes())
        one = watch(context_of().new_page())
        page = one.page
        page.goto(f"{served.address}/match/{match}#key={served.key}")
        page.locator(TOOLS).get_by_role("button", name="Analyse").click()
        expect(page.get_by_role("progressbar")).to_have_js_property("value", 2)

        page.get_by_role("button", name="Stop the analysis").click()

        expect(page.locator(TOOLS).get_by_role("button", name="Analyse")).to_be_visible()
        expect(page.locator(".notes")).to_contain_text("The analysis is not complete.")
        page.keyboard.press("Home")
        expect(page.locator(".evalbar b")).not_to_be_empty()
        one.check()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(visit: Opener, analysed: str, theme: str) -> None:
    page = visit(f"/match/{analysed}#turn=0", color_scheme=theme).page
    expect(page.locator(".summary p")).to_have_count(3)
    for _ in range(2):
        page.evaluate(AXE.read_text(encoding="utf-8"))
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        serious = [
            (one["id"], [node["html"] for node in one["nodes"]][:3])
            for one in found["violations"]
            if one["impact"] in ("serious", "critical")
        ]
        assert not serious
        page.keyboard.press("n")
        expect(page.locator(".judged")).to_be_visible()


@pytest.mark.parametrize("width", [360, 1040, 1280, 3840])
def test_nothing_sticks_out(visit: Opener, analysed: str, width: int) -> None:
    size = {"width": width, "height": 780 if width < 3840 else 2160}
    page = visit(f"/match/{analysed}#turn=0", viewport=size).page
    expect(page.locator(".summary p")).to_have_count(3)
    page.keyboard.press("n")
    expect(page.locator(".judged")).to_be_visible()

    assert page.evaluate("document.documentElement.scrollWidth") <= width
    inside = "(one) => one.scrollWidth <= one.clientWidth"
    assert page.locator(".log-head").evaluate(inside)
    assert page.locator(".notes").evaluate(inside)


# One file


def made_review(count: int, slip: int, move: str, best: str) -> dict[str, Any]:
    """An analysis in which one move was a blunder."""
    moves: list[Any] = [None] * (count - 1)
    moves[slip] = {
        "turn": slip,
        "seat": slip % 2,
        "move": move,
        "verdict": "blunder",
        "lost": 23.4,
        "lost_win": 0.2,
        "before": {"win": 0.6, "points": 3.0},
        "after": {"win": 0.4, "points": -20.4},
        "best": best,
        "continuation": [],
        "remark": {"de": "das war zu klein", "en": "that was too small"},
    }
    sentence = {"de": "So war es.", "en": "That is how it was."}
    return {
        "seconds": 1.0,
        "slips": [3.0, 7.0, 14.0],
        "complete": True,
        "positions": [{"win": 0.5, "points": float(index % 20)} for index in range(count)],
        "moves": moves,
        "sentences": [sentence] * 3,
        "problems": [],
    }


@pytest.mark.parametrize(("path", "mark"), [(REPLAY, ".better .rim"), (HARES, ".tf.better")])
def test_a_saved_page_has_it_too(
    context_of: Callable[..., BrowserContext], tmp_path: Path, path: Path, mark: str
) -> None:
    match = read_replay(path)
    state, after = match.positions[12].state, match.positions[13].state
    best = next(move for move in state.legal_moves() if move != after.last_move)
    story = story_of_recording(match, "kept", now=lambda: 0.0)
    format_move = match.game.format_move
    story.review = made_review(
        len(match.positions), 12, format_move(after.last_move), format_move(best)
    )
    file = tmp_path / "match.html"
    file.write_text(saved_page(story, Teller()), encoding="utf-8")
    context = context_of()
    context.set_offline(True)
    one = watch(context.new_page())
    one.page.goto(f"{file.as_uri()}#turn={after.turn}")

    expect(one.page.locator(".judged.blunder")).to_contain_text("Blunder: 23 ")
    expect(one.page.locator(".judged.blunder")).to_contain_text("That was too small.")
    expect(one.page.locator(f".boardwrap {mark}").first).to_be_visible()
    expect(one.page.locator(".evalbar b")).to_have_text("+13")
    expect(one.page.locator(f"{TOOLS} button")).to_have_count(0)
    one.page.keyboard.press("End")
    expect(one.page.locator(".summary p")).to_have_count(3)
    one.check()
