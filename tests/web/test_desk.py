"""Matches that are started from the page, over real sockets and with real bots."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from spielleiter.arena.lookup import find_bot
from spielleiter.games import get_game
from spielleiter.server import Settings
from spielleiter.web import desk
from spielleiter.web.roster import read_roster
from spielleiter.web.story import ChangeKind, StoryPhase
from web.opened import Browser, hear, open_browser, order, run

BOT = """
from spielleiter import Bot, run

class Mine(Bot):
    def choose(self, state, clock):
        print("turn", state.turn)
        self.debug.note("thinking")
        self.debug.mark(3, 4, "here")
        return state.legal_moves()[0]

run(Mine)
"""


async def until_over(browser: Browser, match_id: str) -> None:
    story = browser.site.gallery.stories[match_id]
    over = asyncio.Event()
    story.hearers.append(lambda _, change: over.set() if change.kind is ChangeKind.ENDED else None)
    if story.phase is not StoryPhase.ENDED:
        await over.wait()
    started = browser.site.desk.matches[match_id] if browser.site.desk else None
    if started is not None and started.task is not None:
        await asyncio.wait({started.task})


def test_two_house_bots_play_and_the_match_is_told() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("greedy", "random")
            assert started["seats"] == [None, None] == started["reservations"]
            await until_over(browser, started["id"])
            match = (await browser.get(f"/api/matches/{started['id']}")).json()
            assert (match["phase"], match["names"]) == ("ended", ["greedy", "random"])
            assert match["result"]["regular"] is True
            assert match["limit"] is None

    run(main())


def test_a_bot_of_the_folder_plays_with_what_it_prints_and_thinks(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(BOT)
    roster = read_roster(tmp_path)

    async def main() -> None:
        async with open_browser(roster=roster) as browser:
            info = (await browser.get("/api/info")).json()
            assert info["own_bots"]["hase-und-igel-2018"] == ["mine"]
            started = await browser.start("mine", "random", clock=True)
            await until_over(browser, started["id"])
            match = (await browser.get(f"/api/matches/{started['id']}")).json()
            assert match["limit"] == 2.0
            printed = [line for line in match["output"] if line["stream"] == "stdout"]
            mine = [move["turn"] for move in match["moves"] if move["seat"] == 0]
            assert [line["text"] for line in printed] == [f"turn {turn}" for turn in mine]
            turns = [view["turn"] for view in match["positions"]]
            assert [turns[line["index"]] for line in printed] == mine
            first = match["moves"][0]["thoughts"]
            assert first["notes"] == ["thinking"]
            assert first["marks"] == [{"x": 3, "y": 4, "text": "here", "color": ""}]

    run(main())


def test_only_bots_of_the_roster_can_be_started(tmp_path: Path) -> None:
    marker = tmp_path / "ran"
    program = tmp_path / "evil.py"
    program.write_text(f"open({str(marker)!r}, 'w')\n")

    async def main() -> None:
        async with open_browser() as browser:
            names = [str(program), f"{sys.executable} {program}", "human", "../mine", "", "greedy "]
            for name in names:
                answer = await browser.post("/api/matches", order(name, "random"))
                assert answer.status_code == 422
                assert "There is no bot" in answer.json()["error"]["en"]

    run(main())
    assert not marker.exists()


def test_a_guest_joins_with_the_reservation() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("joins", "random")
            code = started["reservations"][0]
            assert started["reservations"] == [code, None]
            summaries = (await browser.get("/api/matches")).json()["matches"]
            assert "reservations" not in summaries[0]
            assert summaries[0]["phase"] == "waiting"
            server = browser.site.server
            assert server is not None
            game = get_game("hase-und-igel-2018")
            command = find_bot("random", game).command("127.0.0.1", server.port, code)
            guest = await asyncio.create_subprocess_exec(
                *command, stderr=asyncio.subprocess.DEVNULL
            )
            await until_over(browser, started["id"])
            await guest.wait()
            match = (await browser.get(f"/api/matches/{started['id']}")).json()
            assert match["names"] == ["Gast", "random"]
            assert match["result"]["regular"] is True

    run(main())


def test_a_guest_who_does_not_come_is_not_waited_for_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk, "GUEST_SECONDS", 0.0)

    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("joins", "random")
            assert browser.site.desk is not None
            task = browser.site.desk.matches[started["id"]].task
            assert task is not None
            await asyncio.wait({task})
            assert (await browser.get(f"/api/matches/{started['id']}")).status_code == 404

    run(main())


def test_a_match_is_paused_goes_on_and_is_cancelled() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("me", "random")
            path = f"/api/matches/{started['id']}"
            token = started["seats"][0]["token"]
            async with browser.socket(f"/api/seats/{token}") as seat:
                await hear(seat, "asked")
                assert (await browser.post(f"{path}/pause")).status_code == 200
                assert (await browser.get(path)).json()["phase"] == "paused"
                assert (await browser.post(f"{path}/continue")).status_code == 200
                assert (await browser.get(path)).json()["phase"] == "running"
                assert (await browser.post(f"{path}/cancel")).status_code == 200
                await hear(seat, "ended")
            assert (await browser.get(path)).json()["phase"] == "ended"
            again = await browser.post(f"{path}/cancel")
            assert (again.status_code, again.json()["error"]["en"]) == (
                409,
                "The match is not on any more.",
            )
            for name in ("cancel", "pause", "continue", "undo"):
                assert (await browser.post(f"/api/matches/nothing/{name}")).status_code == 404

    run(main())


def test_doing_needs_the_key() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start("me", "random")
            for path in ("", *(f"/{started['id']}/{name}" for name in ("cancel", "pause", "undo"))):
                for key in ("", "wrong"):
                    body = order("greedy", "random")
                    answer = await browser.post(f"/api/matches{path}", body, key=key)
                    assert answer.status_code == 403
            assert len(browser.site.gallery.stories) == 1

    run(main())


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"{", 400, "The request cannot be read."),
        (b"[]", 400, "The request cannot be read."),
        (b" " * 20_000, 413, "The request cannot be read."),
        (order("random"), 422, "It needs 2 players."),
        (order("random", "random", game="chess"), 422, "There is no game chess here."),
        (order("random", "random", game=3), 422, "It does not say which game."),
        (order("random", "random", seed=-1), 422, "The seed is a whole number"),
        (order("random", "random", seed=True), 422, "The seed is a whole number"),
        (order("random", "random", clock="no"), 422, "clock is true or false."),
        ({**order("random", "random"), "players": [1, 2]}, 422, "A player cannot be read."),
        ({**order("random", "random"), "players": [{}, {}]}, 422, "A player is bot, me or joins."),
        (order("random", "random", **{"from": 7}), 422, "from names match and index."),
        (order("random", "random", **{"from": {"match": "x", "index": 0}}), 404, "does not know"),
    ],
)
def test_orders_that_make_no_sense(body: object, status: int, said: str) -> None:
    async def main() -> None:
        async with open_browser() as browser:
            answer = await browser.post("/api/matches", body)
            assert answer.status_code == status
            assert said in answer.json()["error"]["en"]
            assert answer.json()["error"]["de"]

    run(main())


def test_a_match_goes_on_from_any_position_of_another() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            first = await browser.start("random", "random")
            await until_over(browser, first["id"])
            old = (await browser.get(f"/api/matches/{first['id']}")).json()
            begin = {"match": first["id"], "index": 7}
            second = await browser.start("me", "greedy", **{"from": begin})
            token = second["seats"][0]["token"]
            async with browser.socket(f"/api/seats/{token}") as seat:
                asked = await hear(seat, "asked")
                new = (await browser.get(f"/api/matches/{second['id']}")).json()
                assert new["positions"][:8] == old["positions"][:8]
                assert [move["move"] for move in new["moves"][:7]] == [
                    move["move"] for move in old["moves"][:7]
                ]
                assert asked["index"] == len(new["positions"]) - 1
            for index, status in ((len(old["positions"]) - 1, 409), (10_000, 404), ("x", 404)):
                begin = {"match": first["id"], "index": index}
                body = order("random", "random", **{"from": begin})
                assert (await browser.post("/api/matches", body)).status_code == status

    run(main())


def test_a_move_is_taken_back_in_a_new_match() -> None:
    async def main() -> None:
        async with open_browser() as browser:
            first = await browser.start("me", "random")
            path = f"/api/matches/{first['id']}/undo"
            token = first["seats"][0]["token"]
            async with browser.socket(f"/api/seats/{token}") as seat:
                asked = await hear(seat, "asked")
                nothing = await browser.post(path, key=token)
                assert (nothing.status_code, nothing.json()["error"]["en"]) == (
                    409,
                    "You have not moved yet.",
                )
                await seat.send(json.dumps({"type": "move", "move": asked["moves"][0]}))
                await hear(seat, "asked")
                async with browser.socket(f"/api/matches/{first['id']}/live?since=1") as live:
                    await live.recv()
                    answer = await browser.post(path, key=token)
                    assert answer.status_code == 201
                    second = answer.json()
                    # Whoever watches is told where it goes on.
                    while (told := json.loads(await live.recv())[-1])["type"] != "gone":
                        pass
                    assert told["next"] == second["id"]
                told = await hear(seat, "next")
                assert (told["id"], told["token"]) == (second["id"], second["seats"][0]["token"])
            assert (await browser.get(f"/api/matches/{first['id']}")).status_code == 404
            twice = await browser.post(path, key=token)
            assert twice.json() == second
            async with browser.socket(f"/api/seats/{second['seats'][0]['token']}") as seat:
                again = await hear(seat, "asked")
            assert again["view"]["position"] == asked["view"]["position"]
            assert again["index"] == asked["index"]

    run(main())


@pytest.mark.parametrize(
    ("players", "clock"),
    [(("me", "random"), True), (("me", "me"), False), (("me", "joins"), False)],
)
def test_nothing_is_taken_back_where_somebody_could_mind(
    players: tuple[str, str], clock: bool
) -> None:
    async def main() -> None:
        async with open_browser() as browser:
            started = await browser.start(*players, clock=clock)
            answer = await browser.post(f"/api/matches/{started['id']}/undo")
            assert answer.status_code == 409
            assert "only against a bot" in answer.json()["error"]["en"]

    run(main())


def test_where_the_server_has_no_clock_a_move_can_be_taken_back_too() -> None:
    async def main() -> None:
        async with open_browser(Settings(no_timeout=True)) as browser:
            started = await browser.start("me", "random", clock=True)
            answer = await browser.post(f"/api/matches/{started['id']}/undo")
            assert answer.json()["error"]["en"] == "You have not moved yet."

    run(main())


def test_no_more_matches_are_started_than_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_AT_ONCE", 2)

    async def main() -> None:
        async with open_browser() as browser:
            first = await browser.start("me", "me")
            await browser.start("me", "me")
            answer = await browser.post("/api/matches", order("me", "me"))
            assert answer.status_code == 503
            await browser.post(f"/api/matches/{first['id']}/cancel")
            assert browser.site.desk is not None
            task = browser.site.desk.matches[first["id"]].task
            assert task is not None
            await asyncio.wait({task})
            await browser.start("me", "me")

    run(main())


def test_the_match_that_was_left_first_gives_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk, "MOST_AT_ONCE", 3)
    monkeypatch.setattr(desk, "LEFT_SECONDS", 0.0)

    async def main() -> None:
        async with open_browser() as browser:
            matches = [await browser.start("me", "random") for _ in range(3)]
            stories = [browser.site.gallery.stories[one["id"]] for one in matches]
            here, left, left_later = (one["seats"][0]["token"] for one in matches)
            async with browser.socket(f"/api/seats/{here}") as seat:
                await hear(seat, "asked")
                for token in (left, left_later):
                    async with browser.socket(f"/api/seats/{token}") as other:
                        await hear(other, "asked")
                await browser.start("me", "random")
                phases = [story.phase for story in stories]
                assert phases == [StoryPhase.RUNNING, StoryPhase.ENDED, StoryPhase.RUNNING]

    run(main())


def test_a_server_that_is_full_says_so() -> None:
    async def main() -> None:
        limits = Settings().limits
        settings = Settings(limits=type(limits)(rooms=1))
        async with open_browser(settings) as browser:
            await browser.start("me", "me")
            answer = await browser.post("/api/matches", order("me", "me"))
            assert answer.status_code == 503
            assert "takes no more matches" in answer.json()["error"]["en"]

    run(main())


def test_a_bot_that_cannot_play_is_named_beside_the_match(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text(
        "from spielleiter import Bot, run\nraise SystemExit(3)\n" + BOT
    )
    roster = read_roster(tmp_path)

    async def main() -> None:
        async with open_browser(roster=roster) as browser:
            started = await browser.start("broken", "random")
            await until_over(browser, started["id"])
            match = (await browser.get(f"/api/matches/{started['id']}")).json()
            assert match["result"]["winner"] == 1
            assert "broken ended before it joined" in [line["text"] for line in match["output"]]

    run(main())
