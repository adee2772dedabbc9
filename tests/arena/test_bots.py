"""The names of bots in a match, and what they find in their environment."""

from __future__ import annotations

import os
from pathlib import Path

from spielleiter.arena.bots import BotKind, BotSpec, bot_environment, distinct_names


def test_equal_names_are_told_apart() -> None:
    bots = [BotSpec(BotKind.HOUSE, name) for name in ("greedy", "mine", "greedy")]
    assert distinct_names(bots) == ("greedy", "mine", "greedy 2")


def test_the_environment() -> None:
    found = bot_environment({"PATH": "p"}, name="mine", notes=Path("n"), move_seconds=1.5)
    assert found["PATH"] == "p"
    assert (found["SPIELLEITER_SERVER"], found["SPIELLEITER_MOVE_SECONDS"]) == ("1", "1.5")
    assert (found["SPIELLEITER_NOTES"], found["SPIELLEITER_NAME"]) == ("n", "mine")
    assert bot_environment(os.environ, name="mine")["SPIELLEITER_MOVE_SECONDS"] == "none"
