"""A server whose page is looked at, a browser to do it with, and what the page complains about.

The fixtures that use this are in ``browser/conftest.py``.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import children

if TYPE_CHECKING:  # what only make browser installs
    from playwright.sync_api import Page

PATIENCE_MS = 30_000
"""How long anything on the page may take on a busy machine. It is never waited for in vain."""
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "msedge")
USUAL_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
MISSING = (
    "no Chromium is there: install it (Debian: apt-get install chromium), "
    "or name one with CHROMIUM=/path/to/it"
)
_ADDRESS = re.compile(r"(http://\S+?)/#key=(\S+)")


def find_chromium() -> str | None:
    """Return the browser that somebody named, or else the first that is installed."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = filter(None, map(shutil.which, CHROMIUMS))
    return next(found, None) or next(
        (place for place in USUAL_PLACES if Path(place).exists()), None
    )


@dataclass(frozen=True, slots=True)
class Served:
    """A server that is running, with its page."""

    address: str
    key: str
    folder: Path
    """Where it was started, and where its bots and runs are."""

    def ask(self, path: str, body: Any = None) -> Any:
        """Return what the server answers, as its owner. With a body something is done."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=children.PATIENCE) as answer:
            return json.load(answer)

    def start(self, *players: str, game: str = "blokus-2027", **more: Any) -> str:
        """Start a match between bots, or "me", and return its id."""
        seats = [
            {"kind": "me", "name": "Me"} if name == "me" else {"kind": "bot", "name": name}
            for name in players
        ]
        order = {"game": game, "players": seats, "clock": True, "seed": 1, "from": None, **more}
        return str(self.ask("/api/matches", order)["id"])

    def end_all(self) -> None:
        """End every match that is on, so that the next test has the server to itself."""
        for match in self.ask("/api/matches")["matches"]:
            if match["phase"] != "ended":
                with contextlib.suppress(urllib.error.HTTPError):  # it has ended meanwhile
                    self.ask(f"/api/matches/{match['id']}/cancel", {})

    def open_file(self, data: bytes) -> str:
        """Open a replay file on the server and return the id of its match."""
        headers = {"Authorization": f"Bearer {self.key}"}
        request = urllib.request.Request(f"{self.address}/api/replays", data, headers)
        with urllib.request.urlopen(request, timeout=children.PATIENCE) as answer:
            return str(json.load(answer)["id"])


@dataclass(slots=True)
class Visit:
    """One browser window, with all that its page complained about."""

    page: Page
    complaints: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)
    """Beginnings of complaints that belong to the test, such as an answer 404."""

    def check(self) -> None:
        """Fail if the page complained about something else."""
        wrong = [one for one in self.complaints if not one.startswith(tuple(self.allowed))]
        assert not wrong, wrong


Opener = Callable[..., Visit]


def serve(folder: Path, *options: str, packages: Sequence[Path] = ()) -> subprocess.Popen[str]:
    """Start a server with a page on ports that are free.

    ``packages`` are folders whose packages are as good as installed.
    """
    paths = os.pathsep.join([*map(str, packages), *os.environ.get("PYTHONPATH", "").split()])
    command = [sys.executable, "-m", "spielleiter", "serve", "--port", "0", "--web-port", "0"]
    with (folder / "errors.log").open("w") as errors:
        return subprocess.Popen(
            [*command, *options],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=os.environ | {"PYTHONPATH": paths} if packages else None,
        )


def read_address(process: subprocess.Popen[str], folder: Path) -> Served:
    """Return where the page is, from what the server prints."""
    assert process.stdout is not None
    for line in process.stdout:
        found = _ADDRESS.search(line)
        if found is not None:
            return Served(found[1], found[2], folder)
    raise AssertionError(f"no page: {(folder / 'errors.log').read_text()}")


def end(process: subprocess.Popen[str]) -> None:
    """End a server and what it started."""
    process.terminate()
    try:
        process.wait(children.PATIENCE)
    finally:
        process.kill()
        process.wait(children.PATIENCE)
        if process.stdout is not None:
            process.stdout.close()


def watch(page: Page) -> Visit:
    """Note what a page complains about from now on."""
    one = Visit(page)
    page.on(
        "console",
        lambda message: (
            one.complaints.append(message.text) if message.type in ("error", "warning") else None
        ),
    )
    page.on("pageerror", lambda error: one.complaints.append(f"error: {error}"))
    return one


def drop(page: Page, name: str, data: bytes) -> None:
    """Drop a file on the page, as a mouse would."""
    transfer = page.evaluate_handle(
        """([name, text]) => {
            const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
            const transfer = new DataTransfer();
            transfer.items.add(new File([bytes], name));
            return transfer;
        }""",
        [name, base64.b64encode(data).decode()],
    )
    for kind in ("dragover", "drop"):
        page.dispatch_event("main", kind, {"dataTransfer": transfer})
