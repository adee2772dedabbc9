"""Pages, styles and modules keep the promises that nobody sees in a browser at once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import spielleiter

ROOT = Path(spielleiter.__file__).parent
STATIC = ROOT / "web/static"
PAGES = sorted(STATIC.glob("*.html"))
SOURCES = sorted(
    path
    for folder in (STATIC, *(ROOT / "games").glob("*/page"))
    for path in folder.rglob("*")
    if path.suffix in (".js", ".css")
)
MODULES = [path for path in SOURCES if path.suffix == ".js"]

LONGEST = 400
PAIR = re.compile(
    r"""^\s*(?:"(?P<quoted>[^"]+)"|(?P<plain>\w+)):\s*\[\s*"""
    r"""(?P<de>"[^"]*"(?:\s*\+\s*"[^"]*")*),\s*(?P<en>"[^"]*"(?:\s*\+\s*"[^"]*")*),?\s*\]""",
    re.MULTILINE,
)
USED = re.compile(r"""(?<![\w.])t\(\s*"([^"]+)"|"?data-(?:t|label|hint)"?[:=]\s*"([^"]+)\"""")
HOLE = re.compile(r"\{(\w+)\}")


def texts() -> Iterator[tuple[Path, str]]:
    for path in (*MODULES, *PAGES):
        yield path, path.read_text(encoding="utf-8")


def pairs() -> dict[str, tuple[str, str]]:
    found = {}
    for _, text in texts():
        for match in PAIR.finditer(text):
            found[match["quoted"] or match["plain"]] = (match["de"], match["en"])
    return found


def test_every_word_that_is_used_is_there() -> None:
    known = pairs()
    missing = {
        (path.name, key)
        for path, text in texts()
        for match in USED.finditer(text)
        if (key := match[1] or match[2]) not in known
    }
    assert len(known) > 100
    assert missing == set()


def test_both_languages_have_the_same_holes() -> None:
    different = {
        key
        for key, (german, english) in pairs().items()
        if set(HOLE.findall(german)) != set(HOLE.findall(english))
    }
    assert different == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_a_page_has_nothing_inline_and_all_its_files(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "<style" not in text
    assert re.search(r"\s(?:style|on\w+)=", text) is None
    assert re.search(r"<script(?![^>]*\ssrc=)", text) is None
    named = re.findall(r'(?:href|src)="/static/([^"]+)"', text)
    assert named
    assert [name for name in named if not (STATIC / name).is_file()] == []


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_what_a_module_imports_is_there(module: Path) -> None:
    text = module.read_text(encoding="utf-8")
    for name in re.findall(r"""(?:from|import|import\()\s*"([./][^"]+)\"""", text):
        path = STATIC / name.removeprefix("/static/") if name[0] == "/" else module.parent / name
        assert path.is_file(), name


def test_no_file_is_too_long() -> None:
    lines = {path.relative_to(ROOT): path.read_bytes().count(b"\n") for path in SOURCES}
    assert {path: count for path, count in lines.items() if count > LONGEST} == {}


def test_nothing_becomes_markup_or_code() -> None:
    forbidden = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(")
    assert [path for path in MODULES if forbidden.search(path.read_text(encoding="utf-8"))] == []
