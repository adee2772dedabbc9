"""Reading is free, doing needs the key, and pages from elsewhere get nothing done."""

from __future__ import annotations

import pytest
import websockets
from starlette.datastructures import Headers
from websockets.exceptions import InvalidStatus

from spielleiter.web.access import SAFETY_HEADERS, Access, host_name, is_foreign, new_key, same
from web.browsing import Browser, browse, new_story


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("localhost:8080", "localhost"),
        ("LOCALHOST.", "localhost"),
        ("127.0.0.1", "127.0.0.1"),
        ("[::1]:8080", "::1"),
        ("[::1", None),
        ("a:b", None),
        (":80", None),
        ("", None),
    ],
)
def test_the_name_in_a_host_header(header: str, name: str | None) -> None:
    assert host_name(header) == name


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("localhost:1", True),
        ("spielleiter.localhost", True),
        ("192.168.1.7:8080", True),
        ("[fe80::1]:8080", True),
        ("room.school.example", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_only_names_that_mean_us_are_known(header: str, known: bool) -> None:
    access = Access.for_host(None, ("Room.School.example.",))
    assert access.knows_host(header) is known


@pytest.mark.parametrize(
    ("headers", "foreign"),
    [
        ({}, False),
        ({"origin": "http://localhost:80"}, False),
        ({"origin": "https://LOCALHOST:80"}, False),
        ({"origin": "http://localhost:81"}, True),
        ({"origin": "http://evil.example"}, True),
        ({"origin": "null"}, True),
        ({"origin": ""}, True),
        ({"sec-fetch-site": "cross-site"}, True),
        ({"sec-fetch-site": "same-origin"}, False),
    ],
)
def test_requests_of_other_pages_are_told_apart(headers: dict[str, str], foreign: bool) -> None:
    assert is_foreign(Headers({"host": "localhost:80", **headers})) is foreign


def test_keys_differ_and_do_not_show() -> None:
    assert new_key() != new_key()
    assert len(new_key()) >= 32
    access = Access()
    assert access.key not in repr(access)
    assert access.is_key(access.key)
    assert not any(map(access.is_key, ("", None, 5, access.key + "x", "\ud800")))
    assert same("a", "a")


def test_every_answer_carries_the_headers_of_safety() -> None:
    async def test(browser: Browser) -> None:
        for path in ("/", "/nothing", "/api/info", "/static/nothing.js"):
            answer = await browser.get(path)
            for name, value in SAFETY_HEADERS.items():
                assert answer.headers[name] == value
            assert "server" not in answer.headers
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy
        assert "script-src 'self';" in policy

    browse(test)


def test_a_name_that_points_here_from_elsewhere_is_turned_away() -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story())
        answer = await browser.get("/api/matches", Host="evil.example")
        assert answer.status == 421
        assert "--web-name" in answer.value["error"]["de"]
        where = {"host": "127.0.0.1", "port": browser.port}
        with pytest.raises(InvalidStatus) as caught:
            async with websockets.connect("ws://evil.example/api/live", proxy=None, **where):
                pass
        assert caught.value.response.status_code == 421

    browse(test)


def test_other_pages_neither_do_nor_watch_anything() -> None:
    async def test(browser: Browser) -> None:
        answer = await browser.post("/api/replays", b"x", Origin="http://evil.example")
        assert answer.status == 403
        assert set(answer.value["error"]) == {"de", "en"}
        with pytest.raises(InvalidStatus) as caught:
            async with browser.socket("/api/live", origin="http://evil.example"):
                pass
        assert caught.value.response.status_code == 403
        own = f"http://127.0.0.1:{browser.port}"
        async with browser.socket("/api/live", origin=own):
            pass

    browse(test)


@pytest.mark.parametrize("given", ["", "Bearer", "Bearer x", "Basic KEY", "KEY"])
def test_doing_needs_the_key(given: str) -> None:
    async def test(browser: Browser) -> None:
        header = given.replace("KEY", browser.site.access.key)
        answer = await browser.post("/api/replays", b"x", Authorization=header)
        assert answer.status == 403
        assert "key" in answer.value["error"]["en"]
        assert (await browser.get("/api/info", Authorization=header)).value["may"]["do"] is False
        assert (await browser.get("/api/info", **browser.key)).value["may"]["do"] is True

    browse(test)
