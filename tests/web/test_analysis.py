"""Matches are analysed on demand: with the key, one at a time, in a process that is gone after.

A stand-in for the engine judges in that process.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import children
import wheels
from judging import random_match
from spielleiter.rules import Cause, Text
from spielleiter.web.analysis import AnalysisDesk
from spielleiter.web.endings import make_ending
from spielleiter.web.story import MatchStory, Source, StoryPhase, StorySeat
from third_game import FOUR
from web.browsing import BLOKUS, Answer, Browser, browse

STATES = random_match(BLOKUS, 1)


def ended(name: str = "one", count: int = 8, states: list[Any] = STATES) -> MatchStory:
    """A match of so many positions that somebody left."""
    story = MatchStory(
        name, states[0].game, [StorySeat("Ida"), StorySeat("Bob")], Source.FILE, lambda: 0.0
    )
    for state in states[:count]:
        story.add_position(state)
    outcome = states[count - 1].outcome().forfeit(1, Cause.LEFT, Text("weg", "gone"))
    story.phase, story.ending = StoryPhase.ENDED, make_ending(story, outcome)
    return story


def prepare(
    browser: Browser, *stories: MatchStory, environment: Mapping[str, str] | None = None
) -> AnalysisDesk:
    """Show these matches, and let the stand-in judge them."""
    for story in stories:
        browser.site.gallery.add(story)
    desk = browser.site.analysis
    desk.environment = environment or wheels.environment_with_wheel()
    with wheels.fake_wheel():
        desk.look()
    return desk


async def start(browser: Browser, name: str = "one") -> Answer:
    return await browser.post(f"/api/matches/{name}/analysis", b"", **browser.key)


async def finish(browser: Browser, name: str = "one") -> dict[str, Any]:
    """Wait for the job, and return what the page is told then."""
    job = browser.site.analysis._job
    assert job is not None
    assert job.task is not None
    await asyncio.wait_for(asyncio.shield(job.task), children.PATIENCE)
    told: dict[str, Any] = (await browser.get(f"/api/matches/{name}/analysis")).value
    return told


def endless(folder: Path) -> dict[str, str]:
    """Variables for an engine that thinks for ever about the third position."""
    text = (wheels.FOLDER / "spielleiter_engine.py").read_text(encoding="utf-8")
    stuck = "        if state.turn == 2:\n            import time\n\n            time.sleep(3600)\n"
    before = "        state = position.state\n"
    assert before in text
    (folder / "spielleiter_engine.py").write_text(text.replace(before, before + stuck, 1))
    return os.environ | {"PYTHONPATH": str(folder)}


def test_a_match_is_analysed() -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, ended())
        before = (await browser.get("/api/matches/one")).value
        assert (before["evaluation"], before["analysis"]) == (None, None)
        assert (await browser.get("/api/matches/one/analysis")).value["state"] == "none"
        answer = await start(browser)
        assert (answer.status, answer.value["state"]) == (202, "running")
        told = await finish(browser)
        assert (told["state"], told["done"], told["total"]) == ("done", 8, 8)
        match = (await browser.get("/api/matches/one")).value
        review = match["analysis"]
        assert review == told["analysis"]
        assert review["complete"] is True
        assert match["evaluation"] == [one["points"] for one in review["positions"]]
        assert [move["turn"] for move in review["moves"]] == [s.turn for s in STATES[:7]]
        first = review["sentences"][0]["en"]
        assert first.startswith("Bob left the match, so it was over at turn 7; ")

    browse(test)


def test_it_stands_in_the_file_that_is_saved() -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, ended())
        await start(browser)
        await finish(browser)
        page = (await browser.get("/api/matches/one/match.html")).body.decode()
        assert '"verdict":"' in page

    browse(test)


def test_the_page_is_told_which_games_can_be_analysed() -> None:
    async def test(browser: Browser) -> None:
        assert (await browser.get("/api/info")).value["analysable"] == []
        prepare(browser)
        assert BLOKUS.id in (await browser.get("/api/info")).value["analysable"]

    browse(test)


def test_it_needs_the_key() -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, ended())
        for path in ("analysis", "analysis/cancel"):
            answer = await browser.post(f"/api/matches/one/{path}")
            assert answer.status == 403
        assert browser.site.analysis._job is None

    browse(test)


def running() -> MatchStory:
    story = ended()
    story.phase = StoryPhase.RUNNING
    return story


@pytest.mark.parametrize(
    ("story", "words"),
    [
        (running(), "Only matches that are over"),
        (ended(count=1), "Nothing has been played"),
        (ended(states=random_match(FOUR, 1), count=4), "No engine knows Vier gewinnt"),
    ],
    ids=["still on", "no moves", "no engine"],
)
def test_what_cannot_be_analysed_is_refused(story: MatchStory, words: str) -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, story)
        answer = await start(browser)
        assert answer.status == 409
        assert words in answer.value["error"]["en"]
        assert answer.value["error"]["de"]
        assert (await start(browser, "gone")).status == 404

    browse(test)


def test_without_the_engine_it_says_what_to_install() -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(ended())
        with wheels.no_wheel():
            browser.site.analysis.look()
            answer = await start(browser)
        assert answer.status == 409
        assert "python -m pip install spielleiter-engine" in answer.value["error"]["en"]
        with wheels.fake_wheel():
            answer = await start(browser)
        assert "was not there yet when the server was started" in answer.value["error"]["en"]

    browse(test)


def test_one_at_a_time(tmp_path: Path) -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, ended("one"), ended("two"), environment=endless(tmp_path))
        await start(browser, "one")
        again, other = await start(browser, "one"), await start(browser, "two")
        assert again.status == 202
        assert other.status == 409
        assert "Another match is being analysed" in other.value["error"]["en"]
        cancelled = await browser.post("/api/matches/one/analysis/cancel", b"", **browser.key)
        assert cancelled.value["state"] != "running"
        assert (await start(browser, "two")).status == 202
        await browser.site.analysis.close()

    browse(test)


def test_what_was_known_when_it_was_cancelled_is_kept(tmp_path: Path) -> None:
    async def test(browser: Browser) -> None:
        story = ended()
        prepare(browser, story, environment=endless(tmp_path))
        await start(browser)
        async with asyncio.timeout(children.PATIENCE):
            while (await browser.get("/api/matches/one/analysis")).value["done"] < 2:
                await asyncio.sleep(0.01)
        await browser.post("/api/matches/one/analysis/cancel", b"", **browser.key)
        told = (await browser.get("/api/matches/one/analysis")).value
        assert (told["state"], told["error"]) == ("done", None)
        assert told["analysis"]["complete"] is False
        known = [one is not None for one in told["analysis"]["positions"]]
        assert known == [True, True, *[False] * 6]
        assert (await browser.get("/api/matches/one")).value["evaluation"][2] is None

    browse(test)


def test_to_cancel_what_does_not_run_changes_nothing() -> None:
    async def test(browser: Browser) -> None:
        prepare(browser, ended())
        answer = await browser.post("/api/matches/one/analysis/cancel", b"", **browser.key)
        assert (answer.status, answer.value["state"]) == (200, "none")

    browse(test)


@pytest.mark.parametrize(
    "code",
    [
        "raise SystemExit(3)",
        "print('rubbish')",
        "print('{}')",
        "print('[1]')",
        'print(\'{"index": 99, "position": null, "move": null}\')',
        "print('x' * 100_000)",
    ],
)
def test_a_process_that_fails_costs_no_more_than_its_analysis(code: str) -> None:
    async def test(browser: Browser) -> None:
        desk = prepare(browser, ended())
        desk.program = (sys.executable, "-c", code)
        await start(browser)
        told = await finish(browser)
        assert told["state"] == "failed"
        assert told["error"]["en"].startswith("The analysis has failed.")
        assert (await browser.get("/api/matches/one")).status == 200
        assert (await start(browser)).status == 202  # and it may be tried again
        await finish(browser)

    browse(test)


def test_a_program_that_is_not_there() -> None:
    async def test(browser: Browser) -> None:
        desk = prepare(browser, ended())
        desk.program = ("/nowhere/at/all",)
        await start(browser)
        assert (await finish(browser))["state"] == "failed"

    browse(test)


def test_what_the_process_complains_about_is_told() -> None:
    async def test(browser: Browser) -> None:
        # It was there when the server looked, and is not any more.
        gone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        prepare(browser, ended(), environment=gone | {"PYTHONPATH": "/nowhere"})
        if wheels.IS_THERE:
            pytest.skip("the engine is installed, so it is not missing")
        await start(browser)
        told = await finish(browser)
        assert told["state"] == "failed"
        assert told["error"]["de"].startswith("Die Engine ist nicht installiert.")

    browse(test)
