"""docs/views.md names exactly the keys that views have, and its code runs."""

from __future__ import annotations

import re
from typing import Any

import pytest

import pages
from spielleiter.games import get_game
from spielleiter.testing import random_match

PAGE = pages.ROOT / "docs/views.md"
TEXT = PAGE.read_text(encoding="utf-8")
SECTIONS = {"Blokus": "blokus-2021", "Hase und Igel": "hase-und-igel-2018"}


def section(title: str) -> str:
    found = re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    return found[1]


def tables(text: str) -> dict[str, set[str]]:
    """The keys in the first column of every table, by what its first column is headed."""
    found = {}
    for head, rows in re.findall(
        r"^\| (key[^|]*) \|.*\n\|[-|]+\n((?:\|.*\n)+)", text, re.MULTILINE
    ):
        cells = [row.split(" | ")[0] for row in rows.splitlines()]
        found[head] = {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}
    return found


def keys(view: dict[str, Any]) -> dict[str, set[str]]:
    found = {"key": set(view)}
    for name, value in view.items():
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict):
            found[f"key of `{name}`"] = set(inner)
    return found


@pytest.mark.parametrize(("title", "game_id"), SECTIONS.items())
def test_every_key_is_on_the_page(title: str, game_id: str) -> None:
    game = get_game(game_id)
    common, own = tables(section("Every game")), tables(section(title))
    expected = keys(game.view(random_match(game, 1)[-1]))
    assert {**common, **own, "key": common["key"] | own["key"]} == expected


def test_code_on_the_page_runs() -> None:
    (program,) = [block.body for block in pages.read_blocks(PAGE) if block.language == "python"]
    exec(compile(program, "docs/views.md", "exec"), {"__name__": "page"})
