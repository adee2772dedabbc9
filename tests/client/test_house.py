"""House bots as processes of a run: they start without the command line, or leave it to that."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spielleiter.client import house
from spielleiter.client.environment import OWN_SERVER

GAME = "hase-und-igel-2018"


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    found: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(house, "run", lambda bot, argv: found.append((bot.name, argv)))
    monkeypatch.setattr(sys, "argv", ["spielleiter"])
    monkeypatch.setenv(OWN_SERVER, "1")
    return found


def test_a_house_bot_of_a_run_plays_at_once(played: list[tuple[str, list[str]]]) -> None:
    options = ["--game", GAME, "--seed", "3", "--port", "7", "--reservation", "c"]
    house.play_house_bot(["bot", "greedy", *options])
    assert played == [("greedy", options)]
    assert sys.argv == ["greedy", *options]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "serve",
        "bot",
        "bot --help",
        "bot greedy",
        "bot greedy --game chess",
        f"bot castler --game {GAME}",
        f"bot greedy --game {GAME} --seed x",
        f"bot greedy --game {GAME} --help",
    ],
)
def test_everything_else_is_for_the_command_line(
    words: str, played: list[tuple[str, list[str]]]
) -> None:
    house.play_house_bot(words.split())
    assert played == []


def test_people_start_it_with_the_command_line(
    played: list[tuple[str, list[str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(OWN_SERVER)
    house.play_house_bot(["bot", "greedy", "--game", GAME])
    assert played == []


def test_what_only_people_need_is_not_loaded() -> None:
    code = "import sys, spielleiter.client.house; print({'click', 'rich'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert done.stdout == "set()\n"
