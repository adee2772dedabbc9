"""Browsers come in, but not too many, not without a word, and not too often."""

from __future__ import annotations

import asyncio

import pytest

from spielleiter.web import porter
from spielleiter.web.porter import LONGEST_REST, MOST_ADDRESSES, Throttle
from web.browsing import Browser, browse


class Hands:
    """A clock that is moved by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_who_asks_too_often_rests_and_nobody_else_does() -> None:
    hands = Hands()
    throttle = Throttle(hands)
    assert not any(throttle.rest("a") for _ in range(int(porter.AT_ONCE)))
    first = throttle.rest("a")
    assert 0 < first < throttle.rest("a")
    assert throttle.rest("b") == 0
    hands.now += 1.0
    assert throttle.rest("a") == 0


def test_all_together_have_a_limit_and_nobody_waits_for_ever() -> None:
    hands = Hands()
    throttle = Throttle(hands)
    rests = [throttle.rest(str(number % 40)) for number in range(20_000)]
    assert rests[0] == 0
    assert max(rests) == LONGEST_REST


def test_strangers_are_forgotten() -> None:
    hands = Hands()
    throttle = Throttle(hands)
    for number in range(3 * MOST_ADDRESSES):
        hands.now += 1.0
        throttle.rest(str(number))
    assert len(throttle._buckets) <= MOST_ADDRESSES


def test_a_connection_that_says_nothing_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(porter, "FIRST_REQUEST", 0.05)

    async def test(browser: Browser) -> None:
        for said in (b"", b"GET / HTTP/1.1\r\nHost: loc"):
            reader, writer = await asyncio.open_connection("127.0.0.1", browser.port)
            writer.write(said)
            with pytest.raises((ConnectionResetError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
            writer.close()

    browse(test)


def test_a_socket_that_watches_may_be_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[None] = []
    look = porter.LimitedProtocol._look

    def note(self: porter.LimitedProtocol) -> None:
        look(self)
        looked.append(None)

    monkeypatch.setattr(porter.LimitedProtocol, "_look", note)
    monkeypatch.setattr(porter, "FIRST_REQUEST", 0.5)

    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as live:
            while not looked:
                await (await live.ping())

    browse(test)


def test_more_connections_than_there_may_be_are_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as live:
            monkeypatch.setattr(porter, "MOST_CONNECTIONS", 1)
            with pytest.raises((ConnectionError, OSError)):
                await browser.get("/api/info")
            monkeypatch.undo()
            assert (await browser.get("/api/info")).status == 200
            await (await live.ping())

    browse(test)
