"""Replay files that somebody drops on the page are opened, and everything else is refused."""

from __future__ import annotations

import asyncio
import gzip
import os

import pytest

import recorded
from spielleiter.replays import read_replay
from spielleiter.web import uploads
from web.browsing import PATIENCE, Browser, browse

SEASONS = [recorded.replays(version)[0] for version in ("18.2.6", "21.4.0", "27.0.4")]


@pytest.mark.parametrize("path", SEASONS, ids=lambda path: path.name)
def test_an_official_replay_of_each_season(path) -> None:
    match = read_replay(path)

    async def test(browser: Browser) -> None:
        for data in (path.read_bytes(), gzip.decompress(path.read_bytes())):
            answer = await browser.post("/api/replays", data, **browser.key)
            assert answer.status == 201
            found = (await browser.get(f"/api/matches/{answer.value['id']}")).value
            assert (found["source"], found["phase"]) == ("file", "ended")
            assert len(found["positions"]) == len(match.positions)
            assert found["result"]["winner"] == match.outcome.winner

    browse(test)


def bomb() -> bytes:
    """A megabyte of nothing, packed, again and again, which unpacks to far more than is read."""
    return gzip.compress(b"<protocol>") + gzip.compress(b" " * 1024 * 1024, 9) * 100


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "no position in it"),
        (b"hello", "no position in it"),
        (b"\x1f\x8bnonsense", "gzip"),
        (b"<protocol>" + b"<a>" * 5000, "no position in it"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><protocol>&a;</protocol>", "no position in it"),
        (os.urandom(5000), ""),
        (bomb(), ""),
    ],
    ids=["empty", "text", "half", "deep", "entities", "noise", "bomb"],
)
def test_what_is_not_a_replay_is_refused_with_a_reason(data: bytes, words: str) -> None:
    async def test(browser: Browser) -> None:
        answer = await browser.post("/api/replays", data, **browser.key)
        assert answer.status == 422
        assert answer.value["error"]["en"].startswith("This cannot be read as a replay: ")
        assert answer.value["error"]["de"].startswith("Das lässt sich nicht als Replay lesen: ")
        assert words in answer.value["error"]["en"]
        assert not browser.site.gallery.stories
        assert (await browser.get("/")).status == 200

    browse(test)


def test_a_cut_replay_is_opened_up_to_there() -> None:
    data = SEASONS[2].read_bytes()

    async def test(browser: Browser) -> None:
        answer = await browser.post("/api/replays", data[: len(data) // 2], **browser.key)
        assert answer.status == 201
        found = (await browser.get(f"/api/matches/{answer.value['id']}")).value
        assert found["result"] is None
        assert any("cut off" in note["en"] for note in found["notes"])

    browse(test)


def test_a_gigabyte_is_refused_before_it_is_sent() -> None:
    async def test(browser: Browser) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(
            f"POST /api/replays HTTP/1.1\r\nHost: localhost\r\nContent-Length: {1 << 30}\r\n"
            f"Authorization: {browser.key['Authorization']}\r\n\r\n".encode()
        )
        assert b" 413 " in await reader.readline()
        writer.close()

    browse(test)


def test_a_body_without_a_length_is_read_up_to_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_BYTES", 100_000)

    async def test(browser: Browser) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(
            "POST /api/replays HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n"
            f"Authorization: {browser.key['Authorization']}\r\n\r\n".encode()
        )
        answer = asyncio.create_task(reader.readline())
        piece = b"4000\r\n" + bytes(0x4000) + b"\r\n"
        async with asyncio.timeout(PATIENCE):
            while not answer.done():  # as much as it takes, which is not much
                writer.write(piece)
                await asyncio.wait({answer, asyncio.ensure_future(writer.drain())}, timeout=0.1)
        assert b" 413 " in answer.result()
        writer.transport.abort()

    browse(test)


@pytest.mark.parametrize("length", ["x", "-1", "9" * 30])
def test_a_length_that_is_none(length: str) -> None:
    async def test(browser: Browser) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(
            f"POST /api/replays HTTP/1.1\r\nHost: localhost\r\nContent-Length: {length}\r\n"
            f"Authorization: {browser.key['Authorization']}\r\n\r\n".encode()
        )
        line = await reader.readline()
        assert line.split()[1] in (b"400", b"413")
        writer.close()

    browse(test)


def test_a_file_that_takes_too_long_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "SECONDS", 0.05)

    async def test(browser: Browser) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(
            "POST /api/replays HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n"
            f"Authorization: {browser.key['Authorization']}\r\n\r\n<".encode()
        )
        assert b" 408 " in await reader.readline()
        writer.close()

    browse(test)


def test_not_too_many_files_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_WAITING", 0)

    async def test(browser: Browser) -> None:
        answer = await browser.post("/api/replays", b"x", **browser.key)
        assert answer.status == 503

    browse(test)


def test_only_so_many_files_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_FILES", 2)
    data = SEASONS[0].read_bytes()

    async def test(browser: Browser) -> None:
        ids = [
            (await browser.post("/api/replays", data, **browser.key)).value["id"] for _ in range(3)
        ]
        assert list(browser.site.gallery.stories) == ids[1:]

    browse(test)


def test_a_match_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MOST_POSITIONS", 3)

    async def test(browser: Browser) -> None:
        answer = await browser.post("/api/replays", SEASONS[0].read_bytes(), **browser.key)
        assert answer.status == 422
        assert "more than 3 positions" in answer.value["error"]["en"]

    browse(test)
