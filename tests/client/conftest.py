"""What several tests of this folder need."""

from __future__ import annotations

import os

import pytest

from client.scripts import GAME
from spielleiter.client.environment import GAME as GAME_VARIABLE


@pytest.fixture
def own_environment(monkeypatch):
    """Nothing that a user has set, and the season of most scripts."""
    for name in [name for name in os.environ if name.startswith("SPIELLEITER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv(GAME_VARIABLE, GAME.id)
