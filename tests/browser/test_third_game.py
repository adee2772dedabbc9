"""A game that comes from outside goes through the whole page: home, live, by hand, replay."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import children
from browsing import Opener, Served, end, read_address, serve
from playing import OVER, is_over, sit_down

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server on a machine on which the example is installed, with its entry point."""
    folder, packages = tmp_path_factory.mktemp("served"), tmp_path_factory.mktemp("packages")
    about = packages / "third_game-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: third-game\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[spielleiter.games]\nfour = third_game:GAMES\n")
    with children.kept():
        process = serve(folder, packages=(packages, EXAMPLES))
    try:
        yield read_address(process, folder)
    finally:
        end(process)


def play(page: Page) -> None:
    """Drop stones with the keyboard to the end, further to the left if a column is full."""
    stones = page.locator(".boardwrap .four-stone:not(.ghost)")
    while True:
        expect(page.locator(f".four-stone.ghost, {OVER}").first).to_be_visible()
        if is_over(page):
            return
        before = stones.count()
        while page.locator(".four-stone.ghost.no").count():
            page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        expect(stones.nth(before)).to_be_visible()


@pytest.mark.parametrize("game", ["vier-gewinnt", "vier-gewinnt-scattered"])
def test_a_whole_game_by_hand_and_its_replay(visit: Opener, game: str) -> None:
    page = sit_down(visit, game, "Vier gewinnt")

    play(page)

    expect(page.locator(".status.end")).to_be_visible()
    stones = page.locator(".boardwrap .four-stone")
    placed = stones.count()
    page.keyboard.press("Home")
    expect(stones).to_have_count(2 if game.endswith("scattered") else 0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".status")).to_contain_text("Red drops into column")
    page.keyboard.press("End")
    expect(stones).to_have_count(placed)


def test_live_on_home_and_as_a_match(visit: Opener, served: Served) -> None:
    home = visit("/").page

    match = served.start("greedy", "random", game="vier-gewinnt")

    expect(home.locator(f'a[href="/match/{match}"] svg.four')).to_be_visible()
    page = visit(f"/match/{match}").page
    expect(page.locator(".boardwrap svg.four")).to_be_visible()
    expect(page.locator(".status.end")).to_contain_text("wins")
