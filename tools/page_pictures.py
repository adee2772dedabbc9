"""Take the pictures of the page in ``docs/page`` with a real browser, from a real server.

``make screenshots`` runs it. Whoever changes the page looks at them: if one does not look finished,
it is not. They are not compared by a test, because fonts differ between systems.
"""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/page"
RECORDINGS = ROOT / "tests/recordings"
WIDTH, HEIGHT = 1040, 650
LARGEST = 150_000
PATIENCE_MS = 60_000
MATCH_MS = 300_000
"""How long a match may take, in which a bot thinks as long as it may."""
BOTS = ("random", "greedy", "planner")
NOTING_BOT = """
from spielleiter import Bot, run
from spielleiter.games.blokus import SkipMove

class Squirrel(Bot):
    game = "blokus-2027"

    def choose(self, state, clock):
        moves = sorted(state.legal_moves(), key=self.value, reverse=True)
        self.debug.note(f"{len(moves)} moves, the best is worth {self.value(moves[0])[0]}")
        for rank, move in enumerate(moves[1:3], 2):
            self.debug.note(f"{rank}. {move}")
        if len(moves) > 1 and not isinstance(moves[1], SkipMove):
            for x, y in moves[1].cells:
                self.debug.mark(x, y, "2", "orange")
        return moves[0]

    def value(self, move):
        if isinstance(move, SkipMove):
            return 0, 0
        return move.size, -min(abs(x - 9.5) + abs(y - 9.5) for x, y in move.cells)

run(Squirrel)
"""
"""Writes down what it thinks, so that there is something to see beside its moves."""
_ADDRESS = re.compile(r"(http://\S+?)/#key=(\S+)")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as text, sync_playwright() as playwright:
        folder = Path(text)
        play_run(folder / "runs" / "Class 10b")
        (folder / "squirrel.py").write_text(NOTING_BOT)
        with serve(folder) as (address, key):
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox"]
            )
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT},
                locale="en-GB",
                color_scheme="light",
                reduced_motion="reduce",
            )
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            page.goto(f"{address}/#key={key}")
            take_all(page, address)
            browser.close()


def play_run(out: Path) -> None:
    """Play a small tournament between house bots."""
    command = [sys.executable, "-m", "spielleiter", "tournament", "--game", "blokus-2027"]
    options = ["--games", "4", "--seed", "7", "--out", str(out), "--bots", *BOTS]
    subprocess.run([*command, *options], check=True, capture_output=True)


@contextmanager
def serve(folder: Path) -> Iterator[tuple[str, str]]:
    """Start a server in this folder and yield the address of its page and its key."""
    command = [sys.executable, "-m", "spielleiter", "serve", "--port", "0", "--web-port", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = next(filter(None, map(_ADDRESS.search, process.stdout)))
            yield found[1], found[2]
        finally:
            process.terminate()


def take_all(page: Page, address: str) -> None:
    blokus = next((RECORDINGS / "27.0.4/replays").glob("*Haeschen*"))
    hares = next((RECORDINGS / "18.2.6/replays").glob("*ab_own*"))
    start(page, address, "blokus-2027", "bot:searcher", "bot:squirrel")
    page.wait_for_selector(".status.end", timeout=MATCH_MS)
    page.goto(f"{page.url.partition('#')[0]}#turn=36")
    page.reload()
    take(page, "match", ".transport .where:text('Turn 36')")
    match = open_file(page, address, blokus)
    hare = open_file(page, address, hares)
    page.goto(f"{address}/match/{hare}#turn=20")
    take(page, "hare", ".transport .where:text('Turn 20')")
    start(page, address, "blokus-2021", "bot:planner", "bot:greedy")
    page.wait_for_selector(".status.end")
    take_analysis(page)
    page.goto(f"{address}/match/{match}#turn=20")
    continue_by_hand(page)
    take(page, "play", "main.playing")
    page.goto(f"{address}/")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.mcard .pic')].every((one) => one.firstElementChild)"
    )
    take(page, "home", ".mcard svg")
    page.goto(f"{address}/results")
    page.click("a.run")
    take(page, "results", ".rating")
    page.goto(f"{address}/rules/blokus-2027")
    take(page, "rules", "main svg")
    page.goto(f"{address}/projector")
    take(page, "projector", ".j-board svg")


def take_analysis(page: Page) -> None:
    """Have the match analysed that the page shows, and take a picture of a mistake in it."""
    page.wait_for_load_state("networkidle")
    if not page.locator(".analysis-tools button").count():
        print("left out: analysis.png, which needs the engine (make engine)")
        return
    page.click(".analysis-tools button")
    page.wait_for_selector(".analysis-tools [role=status]:text('done')", state="attached")
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("n")
    take(page, "analysis", ".judged")


def open_file(page: Page, address: str, file: Path) -> str:
    """Open a replay on the page and return the id of its match."""
    page.goto(f"{address}/")
    page.set_input_files("#drop-file", file)
    page.wait_for_url("**/match/*")
    return page.url.rsplit("/", 1)[1].partition("#")[0]


def start(page: Page, address: str, game: str, *players: str) -> None:
    """Start a match between two players."""
    page.goto(f"{address}/")
    page.select_option("#new-season", game)
    page.fill("#new-seed", "5")
    page.check("input[name=clock][value=on]")
    for seat, player in enumerate(players):
        page.select_option(f"#new-p{seat}", player)
    page.click("#new button[type=submit]")
    page.wait_for_url("**/match/*")


def continue_by_hand(page: Page) -> None:
    """Go on from the position that is shown, and hold a piece where it fits."""
    page.wait_for_selector(".transport .where:text('Turn 20')")
    page.keyboard.press("f")
    page.click("dialog[open] button[type=submit]")
    page.wait_for_selector("main.playing .status:not(:has-text('thinking'))")
    page.wait_for_selector("main.playing .status:has-text('Blue')")
    page.keyboard.press("5")
    page.keyboard.press("Space")


def take(page: Page, name: str, ready: str) -> None:
    """Take a picture when everything is there."""
    page.wait_for_selector(ready)
    page.wait_for_load_state("networkidle")
    file = PICTURES / f"{name}.png"
    file.write_bytes(pack(page.screenshot()))
    size = file.stat().st_size
    print(f"{file.relative_to(ROOT)}: {size // 1000} kB")
    if size > LARGEST:
        sys.exit(f"{file} is larger than {LARGEST // 1000} kB")


def pack(picture: bytes) -> bytes:
    """Return a PNG picture with fewer shades and packed tightly, a third as large."""
    chunks = list(read_chunks(picture))
    width, height, _, kind = struct.unpack(">IIBB", chunks[0][1][:10])
    depth = {2: 3, 6: 4}[kind]
    data = zlib.decompress(b"".join(body for name, body in chunks if name == b"IDAT"))
    coarse = bytes(value & 0xF8 | value >> 5 for value in range(256))
    rows = (row.translate(coarse) for row in unfilter(data, width * depth, height, depth))
    packed = zlib.compress(b"".join(b"\0" + row for row in rows), 9)
    wanted = [chunks[0], (b"IDAT", packed), (b"IEND", b"")]
    return picture[:8] + b"".join(
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in wanted
    )


def read_chunks(picture: bytes) -> Iterator[tuple[bytes, bytes]]:
    place = 8
    while place < len(picture):
        (length,) = struct.unpack(">I", picture[place : place + 4])
        yield picture[place + 4 : place + 8], picture[place + 8 : place + 8 + length]
        place += length + 12


def unfilter(data: bytes, size: int, height: int, depth: int) -> Iterator[bytes]:
    """Yield the rows of a picture as they look."""
    above = bytearray(size)
    for number in range(height):
        start = number * (size + 1)
        how, row = data[start], bytearray(data[start + 1 : start + 1 + size])
        for at in range(size) if how else ():
            left = row[at - depth] if at >= depth else 0
            corner = above[at - depth] if at >= depth else 0
            guess = (left, above[at], (left + above[at]) // 2, paeth(left, above[at], corner))
            row[at] = (row[at] + guess[how - 1]) & 255
        above = row
        yield bytes(row)


def paeth(left: int, above: int, corner: int) -> int:
    """Return the neighbour that is nearest to what the three promise."""
    promise = left + above - corner
    return min((left, above, corner), key=lambda one: abs(promise - one))


if __name__ == "__main__":
    main()
