"""What holds on every page: axe finds nothing serious, little is loaded, nothing sticks out."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import BrowserContext, Page, expect

import recorded
from browsing import Opener, Served, watch
from playing import PHONE
from spielleiter.replays import read_replay

AXE = Path(axe_playwright_python.__file__).with_name("axe.min.js")
REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
HARES = next(path for path in recorded.replays("18.2.6") if "ab_own" in path.name)
MOST_BYTES = 300_000
READY = {
    "home": "#new form",
    "match": ".status.end",
    "hares": ".status.end, .status.fault",
    "play": "main.playing",
    "play hares": "main.playing",
    "results": "h1",
    "projector": ".j-head h1",
    "rules": "main h1",
    "rules of hares": "main h1",
}
"""Pages, and what is there when one has been built."""


def path_of(name: str, served: Served) -> str:
    """Return the path of a page, with a match where it needs one."""
    if name == "match":
        return f"/match/{served.open_file(REPLAY.read_bytes())}"
    if name == "hares":
        return f"/match/{served.open_file(HARES.read_bytes())}"
    paths = {"home": "/", "results": "/results", "projector": "/projector"}
    paths |= {"rules": "/rules/blokus-2027", "rules of hares": "/rules/hase-und-igel-2018"}
    return paths[name]


def open_ready(visit: Opener, served: Served, name: str, **options: object) -> Page:
    """Open a page and wait until it is built."""
    if name.startswith("play"):
        page = visit("/", **options).page
        if name == "play hares":
            page.get_by_role("radio", name="Hase und Igel").check()
        page.locator("#new button[type=submit]").click()
        page.wait_for_url("**/match/*")
    else:
        page = visit(path_of(name, served), **options).page
    expect(page.locator(READY[name]).first).to_be_visible()
    return page


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", READY)
def test_axe_finds_nothing_serious(visit: Opener, served: Served, name: str, theme: str) -> None:
    page = open_ready(visit, served, name, color_scheme=theme)

    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")

    serious = [
        (one["id"], [node["html"] for node in one["nodes"]][:3])
        for one in found["violations"]
        if one["impact"] in ("serious", "critical")
    ]
    assert not serious


NOTE_JUMPS = """
    window.jumps = [];
    new PerformanceObserver((list) => {
        for (const { value, hadRecentInput, sources } of list.getEntries())
            if (!hadRecentInput) window.jumps.push([value, ...sources.map(({ node }) =>
                node?.outerHTML?.slice(0, 90))]);
    }).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["home", "match", "play", "play hares", "results", "projector"])
def test_nothing_jumps_while_a_page_is_built(
    visit: Opener,
    served: Served,
    context_of: Callable[..., BrowserContext],
    name: str,
    width: int,
) -> None:
    context = context_of(viewport={"width": width, "height": 780})
    context.add_init_script(NOTE_JUMPS)
    if name == "projector":
        served.start("me", "random", clock=False)
    page = open_ready(visit, served, name, context=context)
    if name.startswith("play"):
        expect(page.locator("[data-turn]")).to_be_visible()
    if name == "projector":
        expect(page.locator(".j-board svg").first).to_be_visible()
    page.wait_for_load_state("networkidle")

    # Where text settles by a pixel, nobody sees a jump.
    assert [jump for jump in page.evaluate("window.jumps") if jump[0] > 0.005] == []


@pytest.mark.parametrize("width", [360, 3840])
@pytest.mark.parametrize("name", READY)
def test_nothing_sticks_out_at_the_side(
    visit: Opener, served: Served, name: str, width: int
) -> None:
    size = {"width": width, "height": 780 if width == 360 else 2160}
    page = open_ready(visit, served, name, viewport=size)

    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_first_view_is_small(
    context_of: Callable[..., BrowserContext], served: Served, record_property: Callable[..., None]
) -> None:
    context = context_of()
    one = watch(context.new_page())
    sizes: list[float] = []
    session = context.new_cdp_session(one.page)
    session.send("Network.enable")
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))

    one.page.goto(f"{served.address}/#key={served.key}")
    expect(one.page.locator(READY["home"])).to_be_visible()
    built = one.page.evaluate("performance.now()")
    one.page.wait_for_load_state("networkidle")

    taken = one.page.evaluate("performance.getEntriesByType('paint').at(-1)?.startTime")
    record_property("first paint in ms", taken)
    record_property("built in ms", built)
    print(f"first view: {sum(sizes):.0f} bytes in {len(sizes)} answers")
    print(f"painted after {taken:.0f} ms, built after {built:.0f} ms")
    assert 10_000 < sum(sizes) < MOST_BYTES
    one.check()


LONG = "Ein Name, der sehr lang ist und trotzdem nichts verschieben darf"


def test_the_line_that_talks_has_one_height_on_a_phone(visit: Opener, served: Served) -> None:
    text = gzip.decompress(REPLAY.read_bytes()).decode()
    name = read_replay(REPLAY).names[0]
    match = served.open_file(text.replace(f'"{name}"', f'"{LONG}"').encode())
    page = visit(f"/match/{match}", locale="de-DE", **PHONE).page
    expect(page.locator(".status.end")).to_contain_text(LONG)
    heights = "() => document.querySelector('.status').getBoundingClientRect().height"
    at_the_end = page.evaluate(heights)

    page.keyboard.press("Home")

    expect(page.locator(".status.end")).to_have_count(0)
    assert page.evaluate(heights) == at_the_end


@pytest.mark.parametrize("width", [360, 1280])
def test_what_runners_have_is_not_cut_while_one_plays(
    visit: Opener, served: Served, width: int
) -> None:
    size = {"width": width, "height": 800}
    page = visit(f"{path_of('hares', served)}#turn=20", viewport=size, locale="de-DE").page
    expect(page.locator(".transport .where")).to_have_text("Zug 20")
    page.keyboard.press("f")  # one of them has 243 carrots there
    page.locator("dialog[open] button[type=submit]").click()
    page.wait_for_url(lambda address: "turn=20" not in address)
    expect(page.locator("main.playing")).to_be_visible()

    cut = page.evaluate(
        """() => [...document.querySelectorAll(".player")].flatMap((card) => {
            const { right } = card.getBoundingClientRect();
            return [...card.querySelectorAll("*")]
                .filter((one) => one.getBoundingClientRect().right > right)
                .map((one) => one.outerHTML.slice(0, 80));
        })"""
    )

    assert cut == []


@pytest.mark.parametrize("game", ["blokus-2027", "hase-und-igel-2018"])
@pytest.mark.parametrize("size", [(360, 740), (1280, 800), (3840, 2160)], ids=str)
def test_on_the_wall_nothing_lies_over_the_board(
    visit: Opener, served: Served, game: str, size: tuple[int, int]
) -> None:
    served.start("me", "random", game=game, clock=False)
    page = visit("/projector", key=False, viewport={"width": size[0], "height": size[1]}).page
    expect(page.locator(".j-board svg.board, .j-board svg.track")).to_be_visible()
    below, bottom, height = page.evaluate(
        """() => {
            const box = (name) => document.querySelector(name).getBoundingClientRect();
            return [box(".j-names").top, box(".boardbox > *").bottom, box("body").height];
        }"""
    )

    assert bottom <= below + 1
    if page.locator(".j-table").count():
        assert page.evaluate("document.querySelector('.j-table').scrollWidth") <= size[0]
    assert page.evaluate("document.documentElement.scrollHeight") <= height + 1
