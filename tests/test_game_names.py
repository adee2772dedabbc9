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
EXAMPLES = {
    ("client/arguments.py", "blokus"): 1,
    ("cli/bot.py", "hase_und_igel"): 1,
    ("cli/check.py", "blokus"): 2,
    ("cli/new.py", "blokus"): 1,
    ("cli/new.py", "hase_und_igel"): 1,
    ("cli/play.py", "blokus"): 2,
    ("server/settings.py", "blokus"): 1,
}
"""Lines that name a game as an example in the help of a command. No line of code is here, and a
number only ever falls.
"""


def sources() -> list[Path]:
    """Every text file of the package, templates included."""
    return [
        path
        for path in sorted(ROOT.rglob("*"))
        if path.is_file() and path.suffix != ".pyc" and path != REGISTRY
    ]


def lines_with(name: str) -> dict[tuple[str, str], int]:
    """How many lines name a game, for each file outside of its folder."""
    found = {}
    for path in sources():
        if ROOT / "games" / name in path.parents:
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        count = sum(NAMES[name].search(line) is not None for line in lines)
        if count:
            found[path.relative_to(ROOT).as_posix(), name] = count
    return found


def test_every_game_of_the_house_is_looked_for() -> None:
    assert set(NAMES) == set(games._HOUSE)
    assert {path.parent.name for path in (ROOT / "games").glob("*/__init__.py")} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_games_name_stands_in_its_folder_only(name: str) -> None:
    assert lines_with(name) == {key: n for key, n in EXAMPLES.items() if key[1] == name}


@pytest.mark.parametrize("word", ["HareState", "hares", "hase-und-igel-2018", "a hare card"])
def test_names_are_found(word: str) -> None:
    assert NAMES["hase_und_igel"].search(word)


@pytest.mark.parametrize("word", ["phase", "Phase", "share", "shared"])
def test_other_words_are_not(word: str) -> None:
    assert not NAMES["hase_und_igel"].search(word)
