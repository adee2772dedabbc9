"""Names of files that hold anything a file system takes, at every place where people see them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from spielleiter import cli
from spielleiter.arena.bots import LONGEST_NAME
from spielleiter.arena.lookup import find_bot
from spielleiter.games import get_game
from spielleiter.replays import read_replay, verify

GAME = get_game("hase-und-igel-2018")
BOT = b"""from spielleiter import Bot, run
class Mine(Bot):
    def choose(self, state, clock):
        self.debug.note("note\\x1b[2J\\u202e")
        self.hint("hint\\x1b[2J\\udcff")
        print("said\\x1b[2J")
        return state.legal_moves()[0]
run(Mine)
"""
NAMES = {
    b"esc\x1b[31mred": "escred",
    b"bell\x07": "bell\ufffd",
    b"two\nlines": "two lines",
    "rlo\u202etxt".encode(): "rlo\ufffdtxt",
    b"latin\xe4": "latin\ufffd",
    b"<b>&'[bold]": "<b>&'[bold]",
    b"x" * 240: "x" * LONGEST_NAME + "…",
    b"\x1b[31m": "bot",
}
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="other file systems refuse such names"
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: bytes, text: bytes = BOT) -> str:
    file = os.fsdecode(name + b".py")
    Path(file).write_bytes(text)
    return file


@pytest.mark.parametrize("name", NAMES)
def test_a_bot_has_a_name_that_can_be_shown_and_sent(name: bytes) -> None:
    assert find_bot(write(name), GAME).name == NAMES[name]


@pytest.mark.parametrize("name", [b"esc\x1b[31mred", b"latin\xe4", b"two\nlines"])
def test_a_game_of_an_oddly_named_bot(name: bytes) -> None:
    options = ["--game", GAME.id, "--seed", "1", "--notes", "--output", "--save-replays", "kept"]
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", "play", write(name), "random", *options],
        capture_output=True,
        timeout=100,
        check=False,
    )
    output = (done.stdout + done.stderr).decode()
    assert done.returncode == 0, output
    assert not STEERING.search(output)
    (file,) = Path("kept").iterdir()
    recorded = read_replay(file)
    assert recorded.outcome is not None
    assert recorded.names[0] == NAMES[name]
    assert verify(recorded).differences == ()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    "words", [("play",), ("check",), ("bot",), ("replay", "show"), ("replay", "verify")]
)
def test_mistakes_name_the_file_in_harmless_lines(name: bytes, words: tuple[str, ...]) -> None:
    file = write(name, b"def (")
    result = CliRunner().invoke(cli.main, [*words, file])
    assert result.exit_code != 0
    assert "mistake of ours" not in result.stderr
    assert not STEERING.search(result.output)
    assert len(result.output.splitlines()) == 2
    missing = CliRunner().invoke(cli.main, [*words, "no" + file])
    assert missing.exit_code != 0
    assert not STEERING.search(missing.output)
