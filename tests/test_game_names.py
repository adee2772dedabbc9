"""A game owns its folder: its name stands nowhere else in the package."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import spielleiter
from spielleiter import games

ROOT = Path(spielleiter.__file__).parent
NAMES = {
    "blokus": re.compile(r"blokus", re.IGNORECASE),
    # Not the end of another word, such as "phase" or "share".
    "hase_und_igel": re.compile(r"(?<![a-z])(hase|igel|hare)", re.IGNORECASE),
}
REGISTRY = ROOT / "games/__init__.py"


def sources() -> list[Path]:
    """Every text file of the package, templates included."""
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and path != REGISTRY
    ]


def lines_with(name: str) -> dict[str, int]:
    """Return how many lines name a game, for each file outside of its folder."""
    found = {}
    for path in sources():
        if ROOT / "games" / name in path.parents:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        count = sum(NAMES[name].search(line) is not None for line in lines)
        if count:
            found[path.relative_to(ROOT).as_posix()] = count
    return found


def test_every_game_of_the_house_is_looked_for() -> None:
    assert set(NAMES) == set(games._HOUSE)
    assert {path.parent.name for path in (ROOT / "games").glob("*/__init__.py")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_games_name_stands_in_its_folder_only(name: str) -> None:
    assert lines_with(name) == {}


def test_the_examples_of_the_registry_can_be_played() -> None:
    for game_id in (games.DEFAULT, *games.EXAMPLES):
        game = games.get_game(game_id)
        assert game.id == game_id
        assert games.find_game_type(game.game_type) == game, "examples are defaults of their type"


def test_the_example_of_a_variant_is_not_a_default() -> None:
    variant = games.get_game(games.EXAMPLE_VARIANT)
    assert variant.id == games.EXAMPLE_VARIANT
    assert games.find_game_type(variant.game_type) != variant


@pytest.mark.parametrize("word", ["HareState", "hares", "hase-und-igel-2018", "a hare card"])
def test_names_are_found(word: str) -> None:
    assert NAMES["hase_und_igel"].search(word)


@pytest.mark.parametrize("word", ["phase", "Phase", "share", "shared"])
def test_other_words_are_not(word: str) -> None:
    assert not NAMES["hase_und_igel"].search(word)
