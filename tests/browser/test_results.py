"""Results in the browser: the list of runs, one run with its cells and games, and the wall."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import WebSocketRoute, expect

import children
from browsing import Opener, Served

MARKUP = "<img src=x>"


def play_run(folder: Path, name: str, *bots: str) -> None:
    """Play a small tournament below the folder of the server."""
    command = [sys.executable, "-m", "spielleiter", "tournament", "--game", "hase-und-igel-2018"]
    options = ["--games", "2", "--seed", "1", "--out", str(folder / "runs" / name)]
    subprocess.run(
        [*command, "--bots", *bots, *options],
        cwd=folder,
        check=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=children.PATIENCE * 4,
    )


@pytest.fixture(scope="module")
def run_name(served: Served) -> str:
    """A run that was played while the server was running."""
    play_run(served.folder, "class 10b", "random", "greedy", "planner")
    return "class 10b"


def test_runs_are_listed_with_their_leader(visit: Opener, run_name: str) -> None:
    page = visit("/results", key=False).page

    card = page.locator("a.run", has_text=run_name)

    expect(card).to_contain_text("6 of 6 games")
    expect(card).to_contain_text("1st place: ")


def test_a_run_shows_table_cells_ratings_and_games(visit: Opener, run_name: str) -> None:
    page = visit("/results", key=False).page

    page.locator("a.run", has_text=run_name).click()

    expect(page.locator("table.rank tbody tr")).to_have_count(3)
    expect(page.locator("table.cross a.cell")).to_have_count(6)
    expect(page.get_by_role("img", name="random")).to_be_visible()
    expect(page.locator(".glist a")).to_have_count(6)


def test_a_cell_leads_to_its_games_and_a_game_to_its_replay(visit: Opener, run_name: str) -> None:
    page = visit("/results", key=False).page
    page.locator("a.run", has_text=run_name).click()

    page.locator("table.cross a.cell").first.click()

    expect(page.locator(".glist a")).to_have_count(2)
    assert page.evaluate("location.hash").startswith("#games=")
    page.reload()
    expect(page.locator(".glist a")).to_have_count(2)
    page.locator(".glist a").first.click()
    page.wait_for_url("**/match/*")
    expect(page.locator(".status.end, .status.fault")).to_be_visible()


def test_a_run_that_is_not_there_is_said_to(visit: Opener) -> None:
    one = visit("/results/nowhere")
    one.allowed.append("Failed to load resource")

    expect(one.page.locator("main")).to_contain_text("no such run")


def test_the_wall_shows_table_and_board_and_esc_leaves(visit: Opener, run_name: str) -> None:
    page = visit("/results", key=False).page
    page.locator("a.run", has_text=run_name).click()
    page.get_by_role("link", name="Projector view").click()

    page.wait_for_url("**/projector?run=*")
    expect(page.locator(".j-table tbody tr")).to_have_count(3)
    expect(page.locator(".j-board svg").first).to_be_visible()
    size = page.evaluate("[document.body.scrollHeight, innerHeight]")
    assert size[0] <= size[1]
    page.keyboard.press("Escape")
    page.wait_for_url("**/results/*")


def test_the_wall_goes_through_live_boards(visit: Opener, served: Served) -> None:
    first, second = (served.start("me", "random", clock=False, seed=seed) for seed in (4, 5))
    page = visit("/projector", key=False).page
    page.clock.install()

    shown = page.locator(".j-board .board, .j-board svg").first
    expect(shown).to_be_visible()
    expect(page.locator(".j-foot .dots span")).to_have_count(2)
    expect(page.locator(".j-foot .dots .on")).to_have_count(1)
    place = "[...document.querySelectorAll('.dots span')].findIndex((one) => one.className)"
    start = page.evaluate(place)
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(start) => {place} !== start", arg=start)
    for match in (first, second):
        served.ask(f"/api/matches/{match}/cancel", {})


def test_the_wall_shows_what_began_while_it_heard_nothing(visit: Opener, served: Served) -> None:
    lines: list[WebSocketRoute] = []

    def take(line: WebSocketRoute) -> None:
        if lines:
            line.connect_to_server()
        lines.append(line)

    page = visit("/rules/blokus-2027", key=False).page
    page.route_web_socket("**/api/live", take)
    page.goto(f"{served.address}/projector")
    expect(page.locator(".j-head h1")).to_be_visible()
    page.wait_for_load_state("networkidle")
    match = served.start("me", "random", clock=False, seed=4)
    children.wait_until(lambda: served.ask(f"/api/matches/{match}")["asked"] is not None)

    lines[0].close()

    expect(page.locator(".j-names")).to_contain_text("Me")


def test_a_run_that_appears_later_is_listed_without_a_reload(
    visit: Opener, served: Served, run_name: str
) -> None:
    page = visit("/results", key=False).page
    expect(page.locator("a.run").first).to_be_visible()

    play_run(served.folder, MARKUP, "random", "greedy")

    expect(page.locator("a.run", has_text=MARKUP)).to_be_visible()
    assert page.locator("main img").count() == 0
