"""Sit down at a match on the page and play it to its end, whatever the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from browsing import Opener

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
OVER = ".status.end, .status.fault"


def sit_down(visit: Opener, game: str, title: str, seed: int = 5, **options: Any) -> Page:
    """Start a match against ``random`` from the first page and sit down on the first seat."""
    page = visit("/", **options).page
    page.get_by_role("radio", name=title, exact=True).check()
    page.locator("#new-season").select_option(game)
    page.locator("#new-p0").select_option("me")
    page.locator("#new-p1").select_option("bot:random")
    page.locator("#new-seed").fill(str(seed))
    page.get_by_role("button", name="Start match").click()
    page.wait_for_url("**/match/*")
    expect(page.locator("main.playing")).to_be_visible()
    return page


def is_over(page: Page) -> bool:
    return page.locator(OVER).count() > 0


def said(page: Page) -> str:
    return page.locator(".status p").inner_text()


def turn_of(page: Page) -> str:
    """Return the turn that can be played now."""
    return str(page.evaluate("document.querySelector('[data-turn]')?.dataset.turn ?? ''"))


def wait_for_turn(page: Page, before: str = "") -> None:
    """Wait until another turn can be played, or nothing any more."""
    page.wait_for_function(
        """([before, over]) => {
            const turn = document.querySelector("[data-turn]")?.dataset.turn;
            return document.querySelector(over) || (turn && turn !== before);
        }""",
        arg=[before, OVER],
    )


def play(page: Page, move: Callable[[Page], None]) -> int:
    """Play to the end and return how many moves that took."""
    moves = 0
    while not is_over(page):
        before = turn_of(page)
        move(page)
        wait_for_turn(page, before)
        moves += 1
    return moves


def play_once(page: Page, move: Callable[[Page], None]) -> None:
    before = turn_of(page)
    move(page)
    wait_for_turn(page, before)
