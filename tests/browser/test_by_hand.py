"""Whole matches by hand against a bot: with the mouse, with keys, and with a finger on a phone."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from browsing import Opener
from playing import PHONE, play, play_once, said, sit_down, turn_of, wait_for_turn

# Blokus


def blokus(visit: Opener, game: str = "blokus-2027", **options: Any) -> Page:
    page = sit_down(visit, game, "Blokus", **options)
    wait_for_turn(page)
    return page


def hand_title(page: Page) -> str:
    return page.locator(".hand h2").text_content() or ""


def fitting(page: Page, dice: random.Random) -> Locator:
    """Return a piece of the hand that fits somewhere."""
    slots = page.locator(".slot:not(.none):not(.gone)")
    return slots.nth(dice.randrange(min(4, slots.count())))


def lit_points(page: Page, dice: random.Random) -> list[tuple[float, float]]:
    """Return the middles of the squares on which the piece in hand fits as it is turned."""
    points = page.evaluate(
        """() => [...document.querySelectorAll(".lit rect.strong")].map((node) => {
            const { x, y, width, height } = node.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
        })"""
    )
    dice.shuffle(points)
    return [(x, y) for x, y in points]


def square_side(page: Page) -> float:
    return float(page.evaluate("document.querySelector('svg.board').getScreenCTM().a"))


def place_with_mouse(dice: random.Random) -> Callable[[Page], None]:
    """Click a piece and a place, or drag the piece there. Now and then turn and flip before."""

    def place(page: Page) -> None:
        if page.locator(".slot[aria-pressed='true']:not(.none)").count() == 0:
            fitting(page, dice).click()
        for _ in range(dice.randrange(3)):
            page.locator(".act .btn").nth(dice.randrange(3)).click()
        points = lit_points(page, dice)
        if not points:  # turned so that it fits nowhere
            page.keyboard.press("Escape")
            return place(page)
        side = square_side(page)
        # The middle of a piece need not be one of its squares.
        offsets = [(dx * side, dy * side) for dx in (0, -1, 1) for dy in (0, -1, 1)]
        offsets += [(0.3 * side, 0.3 * side), (-0.3 * side, -0.3 * side)]
        for x, y in points:
            for dx, dy in offsets:
                page.mouse.move(x + dx, y + dy)
                if page.locator(".ghost.yes").count():
                    page.mouse.click(x + dx, y + dy)
                    return None
        raise AssertionError(f"no lit square can be clicked: {said(page)}")

    return place


def place_with_keys(page: Page) -> None:
    """Take the next piece until one fits, move it about, and place it."""
    for _ in range(21):
        page.keyboard.press("n")
        if page.locator(".act .wide:not([disabled])").count():
            break
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Space")
    page.keyboard.press("Enter")


def place_with_finger(dice: random.Random) -> Callable[[Page], None]:
    """Tap a piece, a place and the button."""

    def place(page: Page) -> None:
        if page.locator(".slot[aria-pressed='true']:not(.none)").count() == 0:
            fitting(page, dice).tap()
        for x, y in lit_points(page, dice):
            page.touchscreen.tap(x, y)
            if page.locator(".ghost.yes").count():
                page.locator(".act .wide").tap()
                return
        raise AssertionError(f"no lit square can be tapped: {said(page)}")

    return place


@pytest.mark.parametrize("game", ["blokus-2021", "blokus-2027"])
def test_a_whole_blokus_game_with_the_mouse(visit: Opener, game: str) -> None:
    page = blokus(visit, game)

    placed = play(page, place_with_mouse(random.Random(1)))

    assert placed > 10
    expect(page.locator(".status.end")).to_contain_text("wins")


def test_a_whole_blokus_game_with_keys(visit: Opener) -> None:
    page = blokus(visit)

    placed = play(page, place_with_keys)

    assert placed > 10
    expect(page.locator(".status.end")).to_contain_text("wins")


def test_a_whole_blokus_game_with_a_finger_on_a_phone(visit: Opener) -> None:
    page = blokus(visit, **PHONE)

    placed = play(page, place_with_finger(random.Random(2)))

    assert placed > 10
    expect(page.locator(".status.end")).to_contain_text("wins")


LONG_PRESS = 0.5
"""Seconds after which a browser takes a touch for a long press."""


class Finger:
    """Real touches, which the browser itself turns into pointers, scrolling and clicks."""

    def __init__(self, page: Page) -> None:
        self._line = page.context.new_cdp_session(page)

    def _touch(self, kind: str, *points: tuple[float, float]) -> None:
        touching = [{"x": x, "y": y} for x, y in points]
        self._line.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touching})

    def tap(self, where: Locator) -> None:
        box = where.bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for _ in range(10):
            began = time.monotonic()
            self._touch("touchStart", middle)
            self._touch("touchEnd")
            if time.monotonic() - began < LONG_PRESS / 2:
                return
            # On a busy machine it may have become a long press, which is no tap.

    def slide(self, start: tuple[float, float], by: tuple[float, float]) -> None:
        self._touch("touchStart", start)
        for step in range(1, 9):
            at = (start[0] + by[0] * step / 8, start[1] + by[1] * step / 8)
            self._touch("touchMove", at)
        self._touch("touchEnd")


def test_a_tap_counts_at_once_after_a_slide(visit: Opener) -> None:
    page = blokus(visit, **PHONE)
    finger, side = Finger(page), square_side(page)
    rack = page.locator(".rack").bounding_box()
    assert rack is not None

    def place(page: Page) -> None:
        finger.slide((rack["x"] + 200, rack["y"] + 20), (-60, 0))  # scrolls the hand
        finger.slide((rack["x"] + 100, rack["y"] + 20), (90, 0))
        finger.tap(page.locator(".slot:not(.none):not(.gone)").first)
        expect(page.locator(".slot[aria-pressed='true']:not(.none)")).to_have_count(1)
        x, y = lit_points(page, random.Random(1))[0]
        page.touchscreen.tap(x, y)
        finger.slide((x, y), (side, 0))  # moves the ghost, which snaps to a place where it fits
        # What is said about the new place may take another line, so the button must have come to
        # rest before it is tapped.
        page.locator(".act .wide:not([disabled])").tap()

    for _ in range(2):
        play_once(page, place)
    assert turn_of(page) or page.locator(".status.end").count()


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("blokus-2021", "must cover a free corner"),
        ("blokus-2027", "must touch the edge"),
    ],
)
def test_the_ghost_says_why_not(visit: Opener, game: str, reason: str) -> None:
    page = blokus(visit, game)
    box = page.locator("svg.board").bounding_box()
    assert box is not None

    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(page.locator(".ghost.no")).to_be_visible()
    expect(page.locator(".status.no")).to_contain_text(reason)
    expect(page.locator(".act .wide")).to_be_disabled()
    page.mouse.down()
    page.mouse.up()
    assert "21" in hand_title(page)


def test_squares_at_fault_are_crossed(visit: Opener) -> None:
    page = blokus(visit)
    play_once(page, place_with_keys)
    page.keyboard.press("n")
    taken = page.locator("svg.board .piece .body").first.bounding_box()
    assert taken is not None

    page.mouse.move(taken["x"] + taken["width"] / 2, taken["y"] + taken["height"] / 2)

    expect(page.locator(".ghost .cross").first).to_be_attached()
    expect(page.locator(".status.no")).to_contain_text("There is a piece here already")


def test_a_piece_is_dragged_out_of_the_hand(visit: Opener) -> None:
    page = blokus(visit)
    before = turn_of(page)
    start = page.locator(".slot[aria-pressed='true']").bounding_box()
    x, y = min(lit_points(page, random.Random(1)))
    assert start is not None

    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(x + 200, y + 5, steps=5)
    expect(page.locator(".ghost")).to_be_attached()
    page.mouse.move(x - 20, y, steps=5)
    expect(page.locator(".ghost.yes")).to_be_attached()
    page.mouse.up()

    wait_for_turn(page, before)
    assert "Red" in hand_title(page)


def test_a_finger_carries_a_piece_and_moves_it_on_the_board(visit: Opener) -> None:
    page = blokus(visit, **PHONE)
    before = turn_of(page)
    start = page.locator(".slot[aria-pressed='true']").bounding_box()
    board = page.locator("svg.board").bounding_box()
    assert start is not None
    assert board is not None
    session = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        sent = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": sent})

    def slide(*points: tuple[float, float]) -> None:
        touch("touchStart", points[0])
        for point in points[1:]:
            touch("touchMove", point)
        touch("touchEnd")

    middle = start["x"] + start["width"] / 2
    x, y = board["x"] + board["width"] / 2, board["y"] + board["height"] / 2
    slide((middle, start["y"] + 20), (middle, start["y"] - 40), (x, y + 60), (x, y + 40))
    expect(page.locator(".ghost.no")).to_be_attached()

    slide((x, y), (x, y - 60), (x, board["y"] + 20), (x, board["y"] - 100))
    expect(page.locator(".ghost.yes")).to_be_attached()
    assert turn_of(page) == before

    page.get_by_role("button", name="Place").click()
    wait_for_turn(page, before)
    assert "Red" in hand_title(page)


def test_where_anything_fits_is_shown_and_skipping_asks_twice(visit: Opener) -> None:
    page = blokus(visit)
    for _ in range(2):
        play_once(page, place_with_keys)

    page.keyboard.press("w")
    expect(page.locator(".lit rect").first).to_be_attached()
    expect(page.get_by_role("button", name="Where fits what?")).to_have_attribute(
        "aria-pressed", "true"
    )

    before = turn_of(page)
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator(".status.warn")).to_contain_text("confirms")
    assert turn_of(page) == before
    page.get_by_role("button", name="Really?").click()
    wait_for_turn(page, before)
    assert "Red" in hand_title(page)


def test_a_reload_keeps_the_seat_and_undo_takes_a_move_back(visit: Opener) -> None:
    page = blokus(visit)
    play_once(page, place_with_keys)

    page.reload()
    wait_for_turn(page)
    assert "Red" in hand_title(page)

    address = page.url
    page.get_by_role("button", name="Undo").click()
    page.wait_for_url(lambda now: now != address)
    wait_for_turn(page)
    assert "Blue" in hand_title(page)
    assert "21" in hand_title(page)


def test_who_takes_a_move_back_goes_to_the_new_match_once(visit: Opener) -> None:
    # The answer tells of it and so does the seat. Here the way is held up until both have.
    page = blokus(visit)
    play_once(page, place_with_keys)
    held: list[Route] = []
    match = re.compile("//[^/]*/match/")
    page.route(match, lambda route: held.append(route))
    with page.expect_request(match), page.expect_response("**/undo") as told:
        page.get_by_role("button", name="Undo").click()
    told.value.finished()

    held[0].continue_()
    page.wait_for_url(held[0].request.url)
    assert len(held) == 1


def test_the_language_changes_while_a_piece_is_in_hand(visit: Opener) -> None:
    page = blokus(visit)
    page.keyboard.press("n")
    expect(page.locator(".status.yes")).to_contain_text("Click or Enter places it")

    page.get_by_role("button", name="DE: Deutsch").click()

    expect(page.locator(".status.yes")).to_contain_text("Klick oder Enter legt den Stein")
    expect(page.locator(".ghost.yes")).to_be_attached()
    expect(page.locator(".hand h2")).to_contain_text("Deine Hand: Blau")


# Hase und Igel


def hare(visit: Opener, **options: Any) -> Page:
    page = sit_down(visit, "hase-und-igel-2018", "Hase und Igel", **options)
    wait_for_turn(page)
    return page


def field(page: Page, dice: random.Random) -> Locator | None:
    """Return a field in reach, or None."""
    fields = page.locator(".tf.can")
    return fields.nth(dice.randrange(fields.count())) if fields.count() else None


def walk_with_mouse(dice: random.Random) -> Callable[[Page], None]:
    """Click a field, and where cards may follow choose them and go."""

    def walk(page: Page) -> None:
        target = field(page, dice)
        others = page.locator(".walk .other")
        if target is None or (others.count() and dice.random() < 0.3):
            return others.nth(dice.randrange(others.count())).click()
        before = turn_of(page)
        target.hover()
        expect(page.locator(".status.yes")).to_be_visible()
        assert "carrot" in said(page)
        target.click()
        if page.locator(".sequence").count() and turn_of(page) == before:
            cards = page.locator(".sequence")
            cards.nth(dice.randrange(cards.count())).click()
        if turn_of(page) == before:
            page.get_by_role("button", name="Move").click()
        return None

    return walk


def walk_with_keys(page: Page) -> None:
    """Go to the next field in reach, with the second sequence of cards where there are two."""
    if page.locator(".tf.can").count():
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    else:
        page.keyboard.press("1")


def walk_with_finger(dice: random.Random) -> Callable[[Page], None]:
    """Tap a field and the button."""

    def walk(page: Page) -> None:
        target = field(page, dice)
        if target is None:
            page.locator(".walk .other").first.tap()
            return
        target.dispatch_event("click")
        page.get_by_role("button", name="Move").tap()

    return walk


def test_a_whole_hare_game_with_the_mouse(visit: Opener) -> None:
    page = hare(visit)

    assert play(page, walk_with_mouse(random.Random(3))) > 5

    expect(page.locator(".status.end")).to_contain_text("wins")


def test_a_whole_hare_game_with_keys(visit: Opener) -> None:
    page = hare(visit)

    assert play(page, walk_with_keys) > 5

    expect(page.locator(".status.end")).to_contain_text("wins")


def test_a_whole_hare_game_with_a_finger_on_a_phone(visit: Opener) -> None:
    page = hare(visit, **PHONE)

    assert play(page, walk_with_finger(random.Random(4))) > 5

    expect(page.locator(".status.end")).to_contain_text("wins")


def test_every_field_out_of_reach_says_why(visit: Opener) -> None:
    page = hare(visit)

    page.locator("[data-field='11']").hover()
    expect(page.locator(".status.no")).to_contain_text("backwards only")
    page.locator("[data-field='30']").hover()
    expect(page.locator(".status.no")).to_contain_text("backwards only")
    page.locator("[data-field='22']").hover()
    expect(page.locator(".status.no")).to_contain_text("costs 253, you have 68")
    expect(page.get_by_role("button", name="Move")).to_be_disabled()
