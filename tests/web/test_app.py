"""What the page answers to requests that make no sense, and when something in it fails."""

from __future__ import annotations

import asyncio

import pytest

from web.browsing import Browser, browse, new_story


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/api/nothing", 404),
        ("GET", "/match/", 404),
        ("POST", "/api/matches/one", 405),
        ("DELETE", "/api/info", 405),
        ("GET", "/api/replays", 405),
        ("GET", "/api/live", 404),
    ],
)
def test_what_cannot_be_asked(method: str, path: str, status: int) -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story())
        answer = await browser.ask(method, path)
        assert answer.status == status
        assert answer.value["error"].keys() == {"de", "en"}

    browse(test)


def test_a_failure_is_logged_and_told_without_its_details(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def test(browser: Browser) -> None:
        story = new_story()
        story.positions.append(None)  # type: ignore[arg-type]
        browser.site.gallery.stories["one"] = story
        answer = await browser.get("/api/matches/one")
        assert answer.status == 500
        assert "content-security-policy" in answer.headers
        assert "NoneType" not in answer.body.decode()
        assert (await browser.get("/api/info")).status == 200

    browse(test)
    assert any(record.getMessage() == "request failed" for record in caplog.records)


@pytest.mark.parametrize(
    "sent",
    [
        b"\r\n\r\n",
        b"GET\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"GET /api/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n\r\n",
    ],
    ids=["nothing", "half", "tls", "no host", "long", "no handshake"],
)
def test_rubbish_on_the_line_ends_that_line_alone(sent: bytes) -> None:
    async def test(browser: Browser) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
        writer.write(sent)
        writer.write_eof()
        answer = await reader.read()
        assert b" 200 " not in answer.partition(b"\r\n")[0]
        writer.close()
        assert (await browser.get("/api/info")).status == 200

    browse(test)
