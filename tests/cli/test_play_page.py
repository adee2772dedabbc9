"""``spielleiter play --watch browser``: a page that is there, is played on, and stays."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner
from websockets.asyncio.client import connect

import children
from spielleiter import cli
from spielleiter.cli.display import has_display

HARE = ("--game", "hase-und-igel-2018")
LINK = re.compile(r"The page: (http://localhost:\d+)/match/([^#]+)#key=([^&\s]+)(?:&seats=(\S+))?")
FIRST_MOVE = """\
from spielleiter import Bot, run
class Mine(Bot):
    def choose(self, state, clock):
        return state.legal_moves()[0]
run(Mine)
"""
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@contextmanager
def playing(*args: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "spielleiter", "play", "--watch", "browser", "--web-port", "0"]
    hidden = ("DISPLAY", "WAYLAND_DISPLAY")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    with children.running(
        [*command, *HARE, *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment | {"SSH_CONNECTION": "so that no browser is opened"},
    ) as process:
        yield process


def find_link(process: subprocess.Popen[str]) -> re.Match[str]:
    assert process.stdout is not None
    for line in process.stdout:
        if found := LINK.match(line):
            return found
    raise AssertionError("no address was printed")


def ask(address: str) -> dict[str, object]:
    with urllib.request.urlopen(address, timeout=30) as answer:
        found: dict[str, object] = json.load(answer)
    return found


@posix
def test_the_page_stays_after_the_match(tmp_path: Path) -> None:
    with playing("greedy", "random", "--save-replays", str(tmp_path)) as process:
        assert process.stdout is not None
        base, match_id, _, seats = find_link(process).groups()
        assert seats is None
        lines = []
        for line in process.stdout:
            lines.append(line)
            if line.startswith("The page stays open"):
                break
        assert any("wins" in line or "draw" in line for line in lines)
        match = ask(f"{base}/api/matches/{match_id}")
        assert (match["phase"], match["names"]) == ("ended", ["greedy", "random"])
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (0, "")
    assert len(list(tmp_path.iterdir())) == 1


@posix
def test_a_signal_ends_the_page_with_its_own_code() -> None:
    with playing("greedy", "random") as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("The page stays open"):
                break
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (143, "spielleiter: ended by SIGTERM\n")


@posix
def test_whoever_watches_or_plays_is_led_to_the_match_after_a_bot_was_saved(tmp_path: Path) -> None:
    bot = tmp_path / "mine.py"
    bot.write_text(FIRST_MOVE)

    async def follow(base: str, match_id: str, token: str) -> tuple[str, str]:
        """Return as which match it goes on, told to a spectator and to the player."""
        live = f"{base.replace('http', 'ws')}/api/matches/{match_id}/live"
        seat = f"{base.replace('http', 'ws')}/api/seats/{token}"
        async with asyncio.timeout(60), connect(live, proxy=None) as spectator:
            while not json.loads(await spectator.recv())[-1].get("match", {"view": 1})["view"]:
                pass  # the bot has not come yet
            bot.write_text(FIRST_MOVE + "\n# saved\n")
            while True:
                told = json.loads(await spectator.recv())
                if told[-1]["type"] == "gone":
                    break
            async with connect(seat, proxy=None) as player:
                return told[-1]["next"], json.loads(await player.recv())["id"]

    with playing("human", str(bot), "--reload") as process:
        base, match_id, _, seats = find_link(process).groups()
        spectators, players = asyncio.run(follow(base, match_id, seats.split(",")[0]))
        _, again, _, new_seats = find_link(process).groups()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
    assert again != match_id
    assert (spectators, players) == (again, again)
    assert new_seats != seats


@posix
def test_a_person_plays_on_the_page_and_ctrl_c_ends_the_match() -> None:
    with playing("human", "random") as process:
        base, match_id, _, seats = find_link(process).groups()
        mine, other = seats.split(",")
        assert other == ""

        async def move() -> None:
            address = f"{base.replace('http', 'ws')}/api/seats/{mine}"
            async with asyncio.timeout(30), connect(address, proxy=None) as seat:
                asked = json.loads(await seat.recv())
                await seat.send(json.dumps({"type": "move", "move": asked["moves"][0]}))
                assert json.loads(await seat.recv())["type"] == "asked"

        asyncio.run(move())
        assert ask(f"{base}/api/matches/{match_id}")["phase"] == "running"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    assert (process.returncode, err) == (130, "\nspielleiter: interrupted\n")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--watch", "browser", "--delay", "1"), "--delay is for the terminal"),
        (("--watch", "none", "--web-port", "0"), "--web-port is that of the page"),
        (("--watch", "telly"), "is not one of browser, terminal, none"),
    ],
)
def test_options_that_do_not_fit(args: tuple[str, ...], said: str) -> None:
    result = CliRunner().invoke(cli.main, ["play", *args])
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr


@pytest.mark.parametrize(
    ("platform", "environ", "seen"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
        ("darwin", {"SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}, False),
        ("win32", {}, True),
    ],
)
def test_a_browser_is_opened_only_where_it_is_seen(
    platform: str, environ: dict[str, str], seen: bool
) -> None:
    assert has_display(environ, platform) is seen
