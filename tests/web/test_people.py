"""A person's seat: refused moves cost nothing, reloads lose nothing, rubbish ends nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from spielleiter.web import people, seat_socket
from web.opened import Browser, hear, open_browser, run


async def start(browser: Browser, *players: str, **options: Any) -> tuple[str, str]:
    """Start a match, and return its id and the token of its first person."""
    started = await browser.start(*(players or ("me", "random")), **options)
    token = next(seat["token"] for seat in started["seats"] if seat)
    return started["id"], token


async def repeat(seat: ClientConnection, message: str) -> None:
    while True:
        await seat.send(message)
        await asyncio.sleep(0)


def test_all_legal_moves_are_offered_with_the_position() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            match_id, token = await start(browser, game="blokus-2027")
            async with browser.socket(f"/api/seats/{token}") as seat:
                asked = await hear(seat, "asked")
            story = browser.site.gallery.stories[match_id]
            state = story.positions[-1]
            assert asked["moves"] == [state.game.format_move(m) for m in state.legal_moves()]
            assert asked["view"]["position"] == state.game.format_position(state)
            assert (asked["index"], asked["seconds"]) == (0, None)

    run(main())


@pytest.mark.parametrize("game", ["blokus-2027", "hase-und-igel-2018"])
def test_a_whole_match_is_played_by_hand(game: str) -> None:
    async def main() -> None:
        async with open_browser() as browser:
            match_id, token = await start(browser, "random", "me", game=game)
            asked = 0
            async with browser.socket(f"/api/seats/{token}") as seat:
                while (said := json.loads(await seat.recv()))["type"] == "asked":
                    asked += 1
                    # The last one is to pass where that is allowed, so all kinds of moves come.
                    move = said["moves"][-1 if asked % 7 == 0 else asked % len(said["moves"])]
                    answer = {"type": "move", "move": move, "index": said["index"]}
                    await seat.send(json.dumps(answer))
            assert said == {"type": "ended", "id": match_id}
            story = browser.site.gallery.stories[match_id]
            assert story.ending is not None
            assert story.ending.outcome.is_regular
            assert sum(move.seat == 1 for move in story.moves) == asked

    run(main())


def test_a_refused_move_says_why_and_costs_nothing() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            match_id, token = await start(browser, game="blokus-2027")
            async with browser.socket(f"/api/seats/{token}") as seat:
                asked = await hear(seat, "asked")
                legal = asked["moves"][0]
                where = legal.partition("@")[2].partition("/")[0]
                away = legal.replace(f"@{where}", "@9,9")
                for move, index, said in (
                    (away, None, "must cover a square at the edge"),
                    ("nonsense", None, "not a move anybody can read"),
                    (7, None, "not a move anybody can read"),
                    ("x" * 400, None, "not a move anybody can read"),
                    (legal, 17, "a different one by now"),
                ):
                    await seat.send(json.dumps({"type": "move", "move": move, "index": index}))
                    refused = await hear(seat, "refused")
                    assert said in refused["reason"]["en"]
                    assert refused["reason"]["de"]
                    assert isinstance(refused["cells"], list)
                await seat.send(json.dumps({"type": "move", "move": legal, "index": 0}))
                asked = await hear(seat, "asked")
                await seat.send(json.dumps({"type": "move", "move": asked["moves"][0]}))
            assert browser.site.gallery.stories[match_id].ending is None

    run(main())


def test_a_move_out_of_turn_is_refused() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("me", "me")
            second = started["seats"][1]["token"]
            async with browser.socket(f"/api/seats/{second}") as seat:
                await seat.send(json.dumps({"type": "move", "move": "x"}))
                assert (await hear(seat, "refused"))["reason"]["en"] == "It is not your turn."

    run(main())


def test_a_reload_is_asked_again_and_a_second_browser_takes_the_seat() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            _, token = await start(browser)
            async with browser.socket(f"/api/seats/{token}") as seat:
                first = await hear(seat, "asked")
            async with browser.socket(f"/api/seats/{token}") as seat:
                assert await hear(seat, "asked") == first
                async with browser.socket(f"/api/seats/{token}") as other:
                    assert await hear(other, "asked") == first
                    await hear(seat, "taken")
                    with pytest.raises(ConnectionClosed):
                        await seat.recv()
                    assert seat.close_code == seat_socket.TAKEN
                    move = {"type": "move", "move": first["moves"][0]}
                    await other.send(json.dumps(move))
                    await hear(other, "asked")

    run(main())


def test_an_unknown_token_is_told_so() -> None:
    async def main() -> None:
        async with (
            open_browser() as browser,
            browser.socket("/api/seats/guessed") as seat,
        ):
            assert "not there" in (await hear(seat, "unknown"))["reason"]["en"]
            with pytest.raises(ConnectionClosed):
                await seat.recv()
            assert seat.close_code == seat_socket.UNKNOWN

    run(main())


@pytest.mark.parametrize(
    "message", ["", "{", "[]", '"move"', '{"type": 1}', '{"type": []}', "[" * 1500, "x" * 5000]
)
def test_rubbish_is_answered_and_the_match_goes_on(message: str) -> None:
    async def main() -> None:
        async with open_browser() as browser:
            _, token = await start(browser)
            async with browser.socket(f"/api/seats/{token}") as seat:
                asked = await hear(seat, "asked")
                await seat.send(message)
                await seat.send(message.encode())
                for _ in range(2):
                    refused = await hear(seat, "refused")
                    assert refused["reason"]["en"] == "The server did not understand that."
                await seat.send(json.dumps({"type": "move", "move": asked["moves"][0]}))
                await hear(seat, "asked")

    run(main())


@pytest.mark.parametrize("message", ["rubbish", '{"type": "move", "move": "x"}'])
def test_who_says_too_much_is_parted_with_and_keeps_the_seat(message: str) -> None:
    async def main() -> None:
        async with open_browser() as browser:
            _, token = await start(browser)
            async with browser.socket(f"/api/seats/{token}") as seat:
                with pytest.raises(ConnectionClosed):
                    await repeat(seat, message)
            async with browser.socket(f"/api/seats/{token}") as seat:
                await hear(seat, "asked")

    run(main())


def test_a_message_beyond_all_measure_ends_the_connection_only() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            _, token = await start(browser)
            async with browser.socket(f"/api/seats/{token}") as seat:
                with pytest.raises(ConnectionClosed):
                    await repeat(seat, "x" * 10_000_000)
            async with browser.socket(f"/api/seats/{token}") as seat:
                await hear(seat, "asked")

    run(main())


def test_who_resigns_loses() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            match_id, token = await start(browser)
            async with browser.socket(f"/api/seats/{token}") as seat:
                await hear(seat, "asked")
                await seat.send(json.dumps({"type": "resign"}))
                assert (await hear(seat, "ended"))["id"] == match_id
            ending = browser.site.gallery.stories[match_id].ending
            assert ending is not None
            assert (ending.outcome.code, ending.outcome.winner) == ("LEFT", 1)
            # Whoever comes back after the end is told so.
            async with browser.socket(f"/api/seats/{token}") as seat:
                await hear(seat, "ended")

    run(main())


def test_who_resigns_before_their_turn_loses_when_it_comes() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("me", "me")
            first, second = (seat["token"] for seat in started["seats"])
            async with (
                browser.socket(f"/api/seats/{first}") as one,
                browser.socket(f"/api/seats/{second}") as two,
            ):
                await two.send(json.dumps({"type": "resign"}))
                await two.send("rubbish")
                await hear(two, "refused")
                asked = await hear(one, "asked")
                await one.send(json.dumps({"type": "move", "move": asked["moves"][0]}))
                await hear(one, "ended")
            ending = browser.site.gallery.stories[started["id"]].ending
            assert ending is not None
            assert ending.outcome.winner == 0

    run(main())


def test_who_stays_away_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "ABSENT_SECONDS", 0.05)
    monkeypatch.setattr(people, "LOOK_SECONDS", 0.02)

    async def main() -> None:
        async with open_browser() as browser:
            match_id, _ = await start(browser)
            assert browser.site.desk is not None
            task = browser.site.desk.matches[match_id].task
            assert task is not None
            await asyncio.wait({task})
            ending = browser.site.gallery.stories[match_id].ending
            assert ending is not None
            assert ending.outcome.code == "LEFT"

    run(main())
