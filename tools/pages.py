"""Make the pictures, tables and examples of the wire in the pages, so that they are right.

The page in the browser shows the rules with examples that are made here, too.

``make pages`` runs it. In a page, what stands between ``<!-- made: NAME -->`` and ``<!-- /made
-->`` is made here. The words around it are written by people. ``--check`` writes nothing and names
what is out of date.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/rules"
MADE = re.compile(r"(<!-- made: (\S+) -->\n)(.*?)(<!-- /made -->)", re.DOTALL)


def pages() -> list[Path]:
    """Return every page that has something made in it."""
    return [
        page
        for page in sorted((ROOT / "docs").rglob("*.md"))
        if MADE.search(page.read_text(encoding="utf-8"))
    ]


@cache
def pieces() -> Mapping[str, Callable[[], str]]:
    """Return everything that can stand in a page, by name."""
    from tools.tables import TABLES
    from tools.wire_examples import examples

    shown = {name: example.shown for name, example in examples().items()}
    return {**TABLES, **{name: (lambda text=text: text) for name, text in shown.items()}}


@cache
def pictures() -> Mapping[str, Callable[[], str]]:
    """Return every picture by the name of its file."""
    from tools import blokus_pictures, hare_pictures

    return {
        f"{name}.svg": draw
        for name, draw in {**blokus_pictures.PICTURES, **hare_pictures.PICTURES}.items()
    }


@cache
def examples() -> Mapping[Path, Callable[[], str]]:
    """Return the modules with examples that the page in the browser shows, by their files."""
    from tools.page_examples import MODULES

    games = ROOT / "src/spielleiter/games"
    return {games / game / "page/examples.js": make for game, make in MODULES.items()}


def fill(text: str) -> str:
    """Return a page with everything in it made anew."""

    def make(found: re.Match[str]) -> str:
        name = found[2]
        if name not in pieces():
            raise SystemExit(
                f"a page wants {name}, which nobody makes; there are {', '.join(sorted(pieces()))}"
            )
        return f"{found[1]}\n{pieces()[name]()}\n\n{found[4]}"

    return MADE.sub(make, text)


def made() -> Iterator[tuple[Path, str]]:
    """Yield every file that is made, in whole or in part, as it should be."""
    for page in pages():
        yield page, fill(page.read_text(encoding="utf-8"))
    for name, draw in pictures().items():
        yield PICTURES / name, draw()
    for path, make in examples().items():
        yield path, make()


def main() -> int:
    """Write what is out of date, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.pages", description=__doc__)
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit with 1 if something is out of date",
    )
    check = parser.parse_args().check
    sys.path.insert(0, str(ROOT / "tests"))  # the server without sockets is there
    outdated = 0
    for path, text in made():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            outdated += 1
            print(f"{'out of date' if check else 'written'}: {path.relative_to(ROOT).as_posix()}")
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if check and outdated else 0


if __name__ == "__main__":
    sys.exit(main())
