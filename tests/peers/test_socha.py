"""The official Python client, as its authors published it, plays a whole game on our server."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from server.program import running
from spielleiter.replays import read_replay
from spielleiter.replays.verification import verify
from spielleiter.rules import Cause

HERE = Path(__file__).parent
PYTHON = (
    Path(sys.prefix)
    / "peers"
    / "socha"
    / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
)


def _has_socha() -> bool:
    if not PYTHON.exists():
        return False
    tried = subprocess.run(
        [PYTHON, "-c", "import socha"], capture_output=True, timeout=60, check=False
    )
    return tried.returncode == 0


@pytest.mark.skipif(
    not _has_socha(), reason="socha is not installed; `make test` installs it where it can be had"
)
@pytest.mark.parametrize("first", ["socha", "house"])
def test_a_whole_game_against_a_house_bot(tmp_path: Path, first: str) -> None:
    commands = {
        "socha": [str(PYTHON), str(HERE / "socha_player.py")],
        "house": [sys.executable, "-m", "spielleiter", "bot", "random", "--game", "blokus-2027"],
    }
    with running(tmp_path, "--save-replays", "kept") as program:
        admin = program.client('<protocol><authenticate password="examplepassword"/>')
        names = [first, *(name for name in commands if name != first)]
        slots = "".join(f'<slot displayName="{name}"/>' for name in names)
        # With seed 5 no colour places all its pieces: socha 5.1.0 cannot read the state after that.
        admin.say(f'<prepare gameType="swc_2027_blokus" seed="5">{slots}</prepare>')
        codes = [child.text for child in admin.wait_for("prepared").children]
        bots = [
            subprocess.Popen(
                [
                    *commands[name],
                    "--host",
                    "localhost",
                    "--port",
                    str(program.port),
                    "--reservation",
                    code,
                ],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            for name, code in zip(names, codes, strict=True)
        ]
        try:
            assert [bot.wait(90) for bot in bots] == [0, 0]
        finally:
            for bot in bots:
                bot.kill()
                bot.wait(60)
        program.end()
    (file,) = (tmp_path / "kept").iterdir()
    game = read_replay(file)
    assert verify(game).differences == ()
    assert game.outcome is not None
    assert [seat.cause for seat in game.outcome.seats] == [Cause.REGULAR, Cause.REGULAR]
