"""The rules to look at: pieces, prices, examples, in both languages and for every season."""

from __future__ import annotations

from playwright.sync_api import expect

from browsing import Opener


def test_the_rules_show_all_pieces_in_all_forms(visit: Opener) -> None:
    page = visit("/rules/blokus-2027", key=False).page

    expect(page.locator(".form")).to_have_count(91)
    expect(page.locator(".pcard")).to_have_count(21)
    page.get_by_role("searchbox").fill("pento_r")
    expect(page.locator(".pcard")).to_have_count(1)
    expect(page.locator(".form")).to_have_count(8)
    page.get_by_role("button", name="DE: Deutsch").click()
    expect(page.get_by_role("heading", name="Was sich berühren darf")).to_be_visible()
    page.get_by_role("link", name="Blokus 2021", exact=True).first.click()
    expect(page.locator("main")).to_contain_text("freie Ecke des Bretts")


def test_the_rules_of_the_race_show_prices_and_a_turn(visit: Opener) -> None:
    page = visit("/rules/hase-und-igel-2018", key=False).page

    expect(page.locator(".prices li")).to_have_count(44)
    expect(page.locator(".fieldcard")).to_have_count(8)
    expect(page.locator(".turns li")).to_have_count(4)


def test_rules_that_nobody_has_are_said_to_be_missing(visit: Opener) -> None:
    page = visit("/rules/chess-1850", key=False).page

    expect(page.locator("main")).to_contain_text("no game chess-1850")
