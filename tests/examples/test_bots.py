"""The bots in ``examples`` do what they are there to show.

The administrator's example watches a whole match.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from server.program import PATIENCE, running
from spielleiter.games import get_game
from spielleiter.testing import assert_legal, load_bot, play_in_process

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("name", ["bot.py", "hare_bot.py"])
def test_bots_beat_greedy_from_both_seats(name: str) -> None:
    bot = load_bot(EXAMPLES / name)
    game = get_game(bot.game)
    assert_legal(bot, game.start(seed=1), seconds=2)
    winners = [
        play_in_process(*pair, game, seed=1).outcome.winner
        for pair in ((bot, game.players["greedy"]), (game.players["greedy"], bot))
    ]
    assert winners == [0, 1]


@pytest.mark.parametrize("name", ["bot.py", "hare_bot.py"])
def test_bots_fit_on_a_screen(name: str) -> None:
    assert len((EXAMPLES / name).read_text(encoding="utf-8").splitlines()) <= 65


@pytest.mark.parametrize("name", ["bot.py", "hare_bot.py"])
def test_fallback_moves_are_legal(name: str) -> None:
    bot = load_bot(EXAMPLES / name)
    state = get_game(bot.game).start(seed=1)
    assert state.is_legal(bot().fallback(state))


def watch(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "watch_admin.py"), *arguments]
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", timeout=PATIENCE, check=False
    )


def test_the_administrator_watches_a_whole_game(tmp_path: Path) -> None:
    with running(tmp_path, "--password", "secret") as server:
        seen = watch(
            "--port",
            str(server.port),
            "--password",
            "secret",
            "--game",
            "hase-und-igel-2018",
            "--seed",
            "3",
        )
    assert seen.returncode == 0, seen.stderr
    lines = seen.stdout.splitlines()
    assert re.fullmatch(r"Hase und Igel 2018 in room \S+: greedy against random", lines[0])
    assert lines[-1].startswith("greedy wins.")
    turns = [int(line.split()[0]) for line in lines[1:-1]]
    assert turns == list(range(1, len(turns) + 1))


def test_a_wrong_password_and_no_server_are_one_line(tmp_path: Path) -> None:
    with running(tmp_path, "--password", "secret") as server:
        refused = watch("--port", str(server.port), "--password", "wrong")
    gone = watch("--port", str(server.port))
    for seen in (refused, gone):
        assert seen.returncode == 1
        assert re.fullmatch(r"watch_admin: .+", seen.stderr.strip())
