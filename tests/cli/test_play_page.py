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
