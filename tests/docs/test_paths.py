"""Every path that a page names is there, be it a link, a heading linked to, or a file in backticks.

Pages about the code also name files without their folder (``app.py``). Those have to be in a folder
that the same paragraph names or links into. Pages for users do that with files of the users' own,
which nobody can check. The changelog may name what is gone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = Path("src/spielleiter")
SKIPPED = {"build", "dist", "node_modules", "target"}
PAGES = sorted(
    path.relative_to(ROOT)
    for path in ROOT.rglob("*.md")
    if not any(part.startswith(".") or part in SKIPPED for part in path.relative_to(ROOT).parts)
    and path.name != "CHANGELOG.md"
)
TOP = tuple(path.name for path in ROOT.iterdir() if path.is_dir() and path.name[0].isalpha())
PACKAGES = tuple(path.parent.name for path in (ROOT / PACKAGE).glob("*/__init__.py"))

_BLOCK = re.compile(r"^([ ]*)```(\w*)\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`]+)`")
_PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")
_FILE = re.compile(r"\w+\.py")


def is_about_code(page: Path) -> bool:
    """Return whether a page is for people who work on the code."""
    return page.parts[0] in ("ARCHITECTURE.md", "CONTRIBUTING.md", "src") or (
        page.parts[:2] == ("docs", "decisions")
    )


def anchor(heading: str) -> str:
    """Return how a heading is linked to, in lower case, joined by dashes, without punctuation."""
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", heading.strip().lower()))


def broken_links(page: Path, text: str) -> Iterator[str]:
    """Yield the links of a page that lead nowhere, or outside the project."""
    for link in _LINK.findall(_BLOCK.sub("", text)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, fragment = link.partition("#")
        where = (ROOT / page.parent / target).resolve() if target else ROOT / page
        if not where.exists() or not where.is_relative_to(ROOT):
            yield link
        elif fragment:
            linked = where.read_text(encoding="utf-8") if target else text
            if fragment not in map(anchor, re.findall(r"^#+ (.*)$", linked, re.MULTILINE)):
                yield link


def words(paragraph: str) -> list[str]:
    """Return the words in backticks that look like paths or files."""
    found = [word for span in _CODE.findall(paragraph) for word in span.split()]
    return [word for word in found if _PATH.fullmatch(word)]


def bases(page: Path, word: str) -> list[Path]:
    """Return the folders from which a path may be meant, none if it is not one of ours."""
    first = word.partition("/")[0]
    found = [ROOT] if first in TOP else []
    if is_about_code(page):
        found += [ROOT / PACKAGE] if first in PACKAGES else []
        found += [ROOT / page.parent] if (ROOT / page.parent / first).is_dir() else []
    return found


def missing_paths(page: Path, text: str) -> Iterator[str]:
    """Yield the paths and files that a page names in backticks and that are not there."""
    for paragraph in re.split(r"\n\s*\n", _BLOCK.sub("", text)):
        named = words(paragraph)
        linked = [(ROOT / page.parent / link).parent for link in _LINK.findall(paragraph)]
        folders = [folder for folder in linked if folder != ROOT]
        for word in named:
            places = bases(page, word) if "/" in word else []
            found = [path for base in places for path in base.glob(word.rstrip("/"))]
            folders += [path if path.is_dir() else path.parent for path in found]
            if places and not found:
                yield word
        if not is_about_code(page):
            continue
        folders = folders or [ROOT / PACKAGE]
        folders += [ROOT / page.parent] if page.parent != Path() else []
        for word in named:
            is_there = any(next(folder.rglob(word), None) for folder in folders)
            if _FILE.fullmatch(word) and not is_there:
                yield word


@pytest.mark.parametrize("page", PAGES, ids=Path.as_posix)
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page, (ROOT / page).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("page", PAGES, ids=Path.as_posix)
def test_named_paths_are_there(page: Path) -> None:
    assert list(missing_paths(page, (ROOT / page).read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("[a](docs/rulings.md) [b](#here)\n\n# Here\n", []),
        ("[a](docs/gone.md)", ["docs/gone.md"]),
        ("[a](#gone)\n\n# Here\n", ["#gone"]),
        ("[a](docs/rulings.md#gone)", ["docs/rulings.md#gone"]),
        ("[a](../elsewhere)", ["../elsewhere"]),
        ("[a](https://example.org/gone)", []),
    ],
)
def test_a_broken_link_is_found(text: str, broken: list[str]) -> None:
    assert list(broken_links(Path("README.md"), text)) == broken


@pytest.mark.parametrize(
    ("page", "text", "missing"),
    [
        ("README.md", "`docs/rulings.md`, `src/spielleiter/games/*/wire/`", []),
        ("README.md", "run `pytest tests/test_gone.py`", ["tests/test_gone.py"]),
        ("README.md", "`examples/gone/`", ["examples/gone/"]),
        ("README.md", "your `mybot.py`, a message's `data/hint`", []),
        ("ARCHITECTURE.md", "`server/lobby.py`", []),
        ("ARCHITECTURE.md", "`server/gone.py`", ["server/gone.py"]),
        ("ARCHITECTURE.md", "`src/spielleiter/server/` has `lobby.py`", []),
        ("ARCHITECTURE.md", "`src/spielleiter/server/` has `session.py`", ["session.py"]),
        ("ARCHITECTURE.md", "has `gone.py`", ["gone.py"]),
    ],
)
def test_a_missing_path_is_found(page: str, text: str, missing: list[str]) -> None:
    assert list(missing_paths(Path(page), text)) == missing
