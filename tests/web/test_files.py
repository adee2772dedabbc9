"""The page's files and those of the games are served, and nothing else is."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from spielleiter.games import all_games
from spielleiter.web import files
from spielleiter.web.files import FileServer, page_folder, page_folders
from web.browsing import BLOKUS, Browser, browse

STATIC = Path(files.__file__).parent / "static"


def test_every_file_of_the_page_is_served_as_what_it_is() -> None:
    async def test(browser: Browser) -> None:
        found = [path for path in STATIC.rglob("*") if path.is_file()]
        assert found
        for path in found:
            answer = await browser.get(f"/static/{path.relative_to(STATIC).as_posix()}")
            assert answer.status == 200, path
            assert answer.body == path.read_bytes()
            assert answer.headers["content-type"] == files.TYPES[path.suffix]

    browse(test)


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/", "index.html"),
        ("/match/any-id", "match.html"),
        ("/results", "results.html"),
        ("/results/7", "results.html"),
        ("/projector", "projector.html"),
        ("/rules/blokus-2021", "rules.html"),
    ],
)
def test_pages_have_addresses_of_their_own(path: str, page: str) -> None:
    async def test(browser: Browser) -> None:
        answer = await browser.get(path)
        assert answer.body == (STATIC / page).read_bytes()
        assert answer.headers["content-type"] == "text/html; charset=utf-8"

    browse(test)


def test_files_are_packed_and_asked_for_again_only_if_they_change() -> None:
    async def test(browser: Browser) -> None:
        path = "/static/css/base.css"
        plain = await browser.get(path)
        packed = await browser.get(path, Accept_Encoding="br, gzip")
        assert packed.body == plain.body
        assert packed.headers["content-encoding"] == "gzip"
        assert int(packed.headers["content-length"]) < len(plain.body) / 2
        assert packed.headers["cache-control"] == "no-cache"
        again = await browser.get(path, If_None_Match=packed.headers["etag"])
        assert (again.status, again.body) == (304, b"")

    browse(test)


@pytest.mark.parametrize(
    "path",
    [
        "/static/../files.py",
        "/static/..%2ffiles.py",
        "/static/%2e%2e/files.py",
        "/static/js/../../files.py",
        "/static/..%5cfiles.py",
        "/static//etc/passwd",
        "/static/%00.js",
        "/static/" + "a" * 5000 + ".js",
        "/static/js",
        "/static/",
        "/static/js/nothing.js",
        "/static/.hidden.js",
        "/static/C:/x.js",
        "/games/blokus/../game.py",
        "/games/blokus/..%2fgame.py",
        "/games/nothing/view.js",
        "/games/..%2fblokus/view.js",
    ],
)
def test_nothing_else_is_served(path: str) -> None:
    async def test(browser: Browser) -> None:
        answer = await browser.get(path)
        assert answer.status == 404
        assert answer.value["error"]["en"]

    browse(test)


def test_each_game_has_a_folder_that_is_named_to_the_page() -> None:
    async def test(browser: Browser) -> None:
        games = (await browser.get("/api/info")).value["games"]
        assert [game["id"] for game in games] == [game.id for game in all_games()]
        for folder, root in page_folders().items():
            for path in Path(str(root)).iterdir():
                answer = await browser.get(f"/games/{folder}/{path.name}")
                assert (answer.status, answer.body) == (200, path.read_bytes())

    browse(test)
    assert page_folder(BLOKUS) == "blokus"


def test_a_game_without_a_folder_has_none() -> None:
    assert page_folder(SimpleNamespace(page=None)) is None  # type: ignore[arg-type]


def test_a_file_that_changes_is_read_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = FileServer()
    monkeypatch.setattr(server, "_static", tmp_path)
    path = tmp_path / "x.json"

    async def test(browser: Browser) -> None:
        browser.site.files._static = tmp_path
        for number in (1, 22):
            path.write_text(json.dumps(number), encoding="utf-8")
            assert (await browser.get("/static/x.json")).value == number

    browse(test)
