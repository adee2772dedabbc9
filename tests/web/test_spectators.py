"""Whoever watches sees everything as it comes, and who is slow sees the newest."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from server.stage import Stage
from server.test_feed import prepare, send_move, sit
from spielleiter.arena.thoughts import Thoughts
from spielleiter.web import spectators
from spielleiter.web.endings import make_ending
from spielleiter.web.gallery import Gallery
from spielleiter.web.spectators import MOST_BEHIND, Board, Channel, SeenSoFar
from spielleiter.web.story import Change, ChangeKind
from spielleiter.web.telling import Teller
from web.browsing import BLOKUS, HARE, Browser, add_move, browse, hear, hear_until, new_story


async def for_ever(do: Callable[[], Awaitable[object]]) -> None:
    while True:
        await do()
        await asyncio.sleep(0)


def types(messages: list[dict[str, Any]]) -> list[str]:
    return [message["type"] for message in messages]


def test_a_match_is_followed_move_by_move_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    # On a machine that does much else, counting moves may take too long to be done at once.
    monkeypatch.setattr(Teller, "is_slow", lambda *_: False)

    async def test(browser: Browser) -> None:
        story = new_story(count=2)
        browser.site.gallery.add(story)
        async with browser.socket("/api/matches/one/live") as live:
            (whole,) = await hear(live)
            assert (whole["type"], len(whole["match"]["positions"])) == ("match", 3)
            add_move(story)
            story.ask(1)
            position, asked = await hear_until(live, "asked")
            assert (position["type"], position["index"]) == ("position", 3)
            assert position["move"]["move"] == story.moves[-1].notation
            assert position["view"]["mobility"] == list(BLOKUS.mobility(story.positions[-1]))
            assert asked["seat"] == 1
            story.pause(True)
            assert (await hear(live))[0] == {"type": "paused", "is_paused": True}
            story.add_output(0, "stdout", "<b>hello")
            (output,) = await hear(live)
            assert output["lines"][0]["text"] == "<b>hello"
            story.finish(make_ending(story, story.positions[-1].outcome()))
            (ended,) = await hear(live)
            assert ended["result"]["index"] == 3
            browser.site.gallery.remove(story)
            assert types(await hear(live)) == ["gone"]
            with pytest.raises(ConnectionClosed):
                await live.recv()

    browse(test)


def test_who_comes_after_the_end_is_told_of_it_though_they_have_all_positions() -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=2)
        browser.site.gallery.add(story)
        story.finish(make_ending(story, story.positions[-1].outcome()))
        async with browser.socket("/api/matches/one/live?since=3") as live:
            assert types(await hear(live)) == ["ended"]

    browse(test)


def test_who_comes_back_gets_what_they_missed() -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=5)
        browser.site.gallery.add(story)
        async with browser.socket("/api/matches/one/live?since=4") as live:
            heard = await hear(live)
            assert [message["index"] for message in heard if "index" in message] == [4, 5]

    browse(test)


def test_who_comes_is_told_what_was_printed_after_they_loaded_the_match() -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=2)
        browser.site.gallery.add(story)
        story.add_output(0, "stdout", "before")
        loaded = (await browser.get("/api/matches/one")).value
        story.add_output(0, "stdout", "between")
        story.finish(make_ending(story, story.positions[-1].outcome()))
        path = f"/api/matches/one/live?since=3&lines={loaded['printed']}"
        async with browser.socket(path) as live:
            output, ended = await hear(live)
            assert (output["first"], ended["type"]) == (1, "ended")
            assert [line["text"] for line in output["lines"]] == ["between"]
            story.add_output(0, "stdout", "after")
            (output,) = await hear(live)
            assert output["first"] == 2
        async with browser.socket("/api/matches/one/live?since=3&lines=99") as live:
            assert types(await hear(live)) == ["ended"]

    browse(test)


@pytest.mark.parametrize("since", ["99", "-1", "x", "", "9" * 40, "0"])
def test_a_beginning_that_makes_no_sense_is_the_beginning(since: str) -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story(count=2))
        async with browser.socket(f"/api/matches/one/live?since={since}") as live:
            assert types(await hear(live)) == ["match"]

    browse(test)


def test_two_windows_see_the_same_and_it_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=1)
        browser.site.gallery.add(story)
        async with (
            browser.socket("/api/matches/one/live") as first,
            browser.socket("/api/matches/one/live") as second,
        ):
            await hear(first)
            await hear(second)
            written: list[int] = []
            write = Teller.position_message

            def count(self: Teller, story: Any, index: int) -> str:
                written.append(index)
                return write(self, story, index)

            monkeypatch.setattr(Teller, "position_message", count)
            add_move(story)
            assert await hear(first) == await hear(second)
            assert written == [2]

    browse(test)


def test_a_match_that_is_not_there() -> None:
    async def test(browser: Browser) -> None:
        async with browser.socket("/api/matches/nothing/live") as live:
            with pytest.raises(ConnectionClosed) as caught:
                await live.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 4404

    browse(test)


@pytest.mark.parametrize("rubbish", ["hello", "{", "[" * 5000, b"\x00\xff", '{"key": 5}', ""])
def test_rubbish_is_passed_over(rubbish: str | bytes) -> None:
    async def test(browser: Browser) -> None:
        story = new_story(count=1)
        browser.site.gallery.add(story)
        for path in ("/api/matches/one/live", "/api/live"):
            async with browser.socket(path) as live:
                await live.send(rubbish)
                await live.ping()
                add_move(story)
                assert await hear(live)

    browse(test)


def test_who_talks_too_much_is_sent_away() -> None:
    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story())
        async with browser.socket("/api/matches/one/live") as live:
            with pytest.raises(ConnectionClosed):
                await for_ever(lambda: live.send("x"))

    browse(test)


def test_a_message_that_is_too_long_ends_the_socket_alone() -> None:
    async def test(browser: Browser) -> None:
        story = new_story()
        browser.site.gallery.add(story)
        async with browser.socket("/api/matches/one/live") as live:
            await hear(live)
            await live.send("x" * 1_000_000)
            with pytest.raises(ConnectionClosed):
                await for_ever(live.recv)
        async with browser.socket("/api/matches/one/live") as live:
            assert await hear(live)

    browse(test)


def test_not_more_than_so_many_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spectators, "MOST_SPECTATORS", 1)

    async def test(browser: Browser) -> None:
        browser.site.gallery.add(new_story())
        async with browser.socket("/api/matches/one/live") as first:
            await hear(first)
            async with browser.socket("/api/matches/one/live") as second:
                with pytest.raises(ConnectionClosed) as caught:
                    await second.recv()
                assert caught.value.rcvd is not None
                assert caught.value.rcvd.code == spectators.TRY_LATER

    browse(test)


def test_who_is_slow_skips_to_the_newest_and_holds_nobody_up() -> None:
    async def test(browser: Browser) -> None:
        story = new_story(HARE, count=1)
        browser.site.gallery.add(story)
        slow = socket.create_connection(("127.0.0.1", browser.port))
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.sendall(
            b"GET /api/matches/one/live HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        async with browser.socket("/api/matches/one/live") as quick:
            await hear(quick)
            for number in range(4000):
                story.add_output(0, "stdout", f"{number} " + "x" * 400)
                if not number % 50:
                    heard = await hear(quick)
            while "3999 " not in json.dumps(heard[-1]["lines"][-1]):
                heard = await hear(quick)
        slow.close()

    browse(test)


def test_what_somebody_lacks_is_put_together() -> None:
    story = new_story(count=MOST_BEHIND + 2)
    channel, teller = Channel(story), Teller()
    newest = channel.newest
    assert channel.compose(newest, teller) == "[]"
    two = json.loads(channel.compose(SeenSoFar(newest.positions - 2, 0, 0), teller))
    assert [message["index"] for message in two] == [MOST_BEHIND + 1, MOST_BEHIND + 2]
    assert types(json.loads(channel.compose(SeenSoFar(1, 0, 0), teller))) == ["match"]
    assert types(json.loads(channel.compose(SeenSoFar(0, 0, 0), teller))) == ["match"]


def test_thoughts_that_come_late_are_sent_with_their_move() -> None:
    story = new_story(count=3)
    channel, teller = Channel(story), Teller()
    story.hearers.append(lambda _, change: channel.note(change))
    seen = channel.newest
    story.add_thoughts(1, 1, Thoughts(1, ("why",)))
    (again,) = json.loads(channel.compose(seen, teller))
    assert (again["type"], again["index"]) == ("position", 2)
    assert again["move"]["thoughts"]["notes"] == ["why"]
    assert channel.compose(channel.newest, teller) == "[]"
    for _ in range(100):
        channel.note(Change(ChangeKind.THOUGHTS, 1))
    assert len(channel.mended) <= MOST_BEHIND


def test_all_matches_are_watched_at_once() -> None:
    stage = Stage()

    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as live:
            await live.send(json.dumps({"key": browser.site.access.key}))
            await live.send(json.dumps({"key": "wrong"}))
            pong = await live.ping()
            await pong
            room = prepare(stage, "Ada", "Bo")
            (opened,) = await hear(live)
            assert (opened["type"], opened["match"]["phase"]) == ("summary", "waiting")
            assert opened["match"]["reservations"] == room.reservation_codes
            send_move(room, sit(stage, room)[0])
            (moved,) = await hear(live)
            assert (moved["match"]["phase"], moved["match"]["count"]) == ("running", 2)
            browser.site.gallery.remove(browser.site.gallery.stories[room.id])
            assert await hear(live) == [{"type": "gone", "id": room.id}]

    browse(test, stage.server)


def test_who_watches_without_the_key_sees_no_reservations() -> None:
    stage = Stage()

    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as live:
            prepare(stage, "Ada", "Bo")
            (opened,) = await hear(live)
            assert "reservations" not in opened["match"]

    browse(test, stage.server)


def test_a_hundred_matches_that_change_come_in_portions() -> None:
    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as live:
            for number in range(spectators.SUMMARIES + 1):
                browser.site.gallery.add(new_story(HARE, str(number)))
            assert len(await hear(live)) == spectators.SUMMARIES
            assert len(await hear(live)) == 1

    browse(test)


def test_what_many_watch_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(browser: Browser) -> None:
        async with browser.socket("/api/live") as first, browser.socket("/api/live") as second:
            await (await first.ping())
            await (await second.ping())
            written: list[str] = []
            write = Teller.summary_message

            def count(self: Teller, story: Any, *, may_do: bool = False) -> str:
                written.append(story.id)
                return write(self, story, may_do=may_do)

            monkeypatch.setattr(Teller, "summary_message", count)
            browser.site.gallery.add(new_story(HARE))
            assert await hear(first) == await hear(second)
            assert written == ["one"]

    browse(test)


def test_matches_that_change_all_the_time_take_turns() -> None:
    gallery = Gallery()
    board = Board(gallery, Teller())
    names = [str(number) for number in range(spectators.SUMMARIES * 2)]
    for name in names:
        board.note(name)
    text, seen = board.compose(0, may_do=False)
    assert [message["id"] for message in json.loads(text)] == names[: spectators.SUMMARIES]
    for name in names[: spectators.SUMMARIES]:
        board.note(name)
    text, seen = board.compose(seen, may_do=False)
    assert [message["id"] for message in json.loads(text)] == names[spectators.SUMMARIES :]
    text, seen = board.compose(seen, may_do=False)
    assert [message["id"] for message in json.loads(text)] == names[: spectators.SUMMARIES]
    assert board.compose(seen, may_do=False) == ("[]", board.changes)
