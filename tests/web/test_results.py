"""Runs of the arena on the page: tables, single matches, and what changes while one is played."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.played_runs import HARES, play, store_run
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.values import FILE_NAME
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.web import results
from web.opened import Browser, open_browser, run


@asynccontextmanager
async def shelf(*folders: Path) -> AsyncIterator[Browser]:
    async with open_browser() as browser:
        browser.site.shelf.folders = folders
        yield browser


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LOOK_SECONDS", "SEARCH_SECONDS", "PATIENCE"):
        monkeypatch.setattr(results, name, 0.0)


async def only_run(browser: Browser) -> dict[str, Any]:
    (summary,) = (await browser.get("/api/runs")).json()["runs"]
    found = (await browser.get(f"/api/runs/{summary['id']}")).json()
    assert {key: found[key] for key in summary} == summary
    return dict(found)


def test_a_tournament_is_told_as_a_table_a_cross_table_and_ratings(tmp_path: Path) -> None:
    store_run(tmp_path / "runs" / "cup", ("greedy", "random", "crasher"), games=2)

    async def main() -> None:
        async with shelf(tmp_path / "runs") as browser:
            found = await only_run(browser)
            assert (found["kind"], found["game"], found["folder"]) == ("tournament", HARES, "cup")
            assert found["title"] == {"de": "Turnier mit 3 Bots", "en": "Tournament of 3 bots"}
            assert (found["played"], found["planned"], found["is_complete"]) == (6, 6, True)
            assert found["bots"] == ["greedy", "random", "crasher"]
            rows = found["standings"]
            assert [row["place"] for row in rows] == [1, 2, 3]
            last = rows[-1]
            assert (last["bot"], last["crash"], last["forfeits"], last["time"]) == (2, 4, 4, 0)
            assert found["leaders"] == [rows[0]["bot"]]
            assert found["cross"][2][0]["losses"] == found["cross"][0][2]["wins"] == 2
            assert found["cross"][1][1] is None
            assert found["ratings"][2]["is_open"] is True
            assert found["ratings"][0]["low"] < found["ratings"][0]["value"]
            assert found["trouble"] == {"time": 0, "crash": 4, "rule": 0}
            assert found["verdict"][0]["de"]
            assert len(found["recent"]) == 6
            assert str(tmp_path) not in json.dumps(found)

    run(main())


def test_the_matches_of_a_cell_are_listed(tmp_path: Path) -> None:
    store_run(tmp_path, ("greedy", "random", "crasher"), games=2)

    async def main() -> None:
        async with shelf(tmp_path) as browser:
            run_id = (await only_run(browser))["id"]

            async def ask(query: str) -> dict[str, Any]:
                answer = await browser.get(f"/api/runs/{run_id}/matches{query}")
                assert answer.status_code == 200
                return dict(answer.json())

            assert (await ask(""))["total"] == 6
            between = await ask("?a=0&b=2")
            assert between["total"] == 2
            assert all(sorted(one["bots"]) == [0, 2] for one in between["matches"])
            first = between["matches"][0]
            assert first["trouble"] == "crash"
            assert first["bots"][first["fault"]] == 2
            assert (await ask("?trouble=crash&a=2"))["total"] == 4
            assert (await ask("?trouble=crash&a=0"))["total"] == 0
            assert (await ask("?trouble=time"))["matches"] == []
            part = await ask("?offset=4&limit=1")
            assert [one["number"] for one in part["matches"]] == [5]
            for query in ("?a=3", "?a=x", "?trouble=luck", "?offset=-1"):
                answer = await browser.get(f"/api/runs/{run_id}/matches{query}")
                assert answer.status_code == 422

    run(main())


def test_a_match_of_a_run_is_opened_like_any_other(tmp_path: Path) -> None:
    store_run(tmp_path, games=2)

    async def main() -> None:
        async with shelf(tmp_path) as browser:
            found = await only_run(browser)
            match_id = found["recent"][0]["id"]
            match = (await browser.get(f"/api/matches/{match_id}")).json()
            assert (match["source"], match["phase"]) == ("run", "ended")
            assert match["names"] == found["recent"][0]["names"]
            report = play(HARES, *match["names"], found["recent"][0]["number"] // 2 + 1, 2)
            # Two moves of the opening come first, which nobody played.
            texts = [move["move"] for move in match["moves"]]
            assert texts[2:] == [move.text for move in report.moves]
            assert [move["seconds"] for move in match["moves"][:2]] == [None, None]
            assert match["moves"][2]["seconds"] is not None
            assert match["moves"][2]["thoughts"]["notes"] == ["a note"]
            assert match["limit"] == 2.0
            replay = await browser.get(f"/api/matches/{match_id}/replay.xml.gz")
            assert replay.content.startswith(b"\x1f\x8b")
            # It can be gone on from, and home is not full of matches of runs.
            begin = {"match": match_id, "index": 3}
            await browser.start("me", "me", **{"from": begin})
            assert len((await browser.get("/api/matches")).json()["matches"]) == 1
            for other in (f"{match_id}9", "run-x-1", "run-", f"{match_id}x"):
                assert (await browser.get(f"/api/matches/{other}")).status_code == 404

    run(main())


def test_a_run_that_is_being_played_changes_and_otherwise_stays(tmp_path: Path) -> None:
    store_run(tmp_path, games=4, unplayed=3)

    async def main() -> None:
        async with shelf(tmp_path) as browser:
            before = await only_run(browser)
            path = f"/api/runs/{before['id']}"
            assert (before["played"], before["planned"], before["is_complete"]) == (1, 4, False)
            assert before["ratings"][0] is not None
            answer = await browser.get(path)
            tag = {"if-none-match": answer.headers["etag"]}
            assert (await browser.get(path, headers=tag)).status_code == 304
            with StoreWriter(tmp_path) as writer:
                with StoreReader(tmp_path) as reader:
                    stored = reader.runs()[0]
                    next_one = next(iter(reader.unfinished(stored.id)))
                report = play(HARES, "random", "greedy", next_one.plan.seed, 2)
                assert writer.add_result(next_one.id, report).result()
                # The writer still has the database open.
                answer = await browser.get(path, headers=tag)
                assert answer.status_code == 200
                assert answer.json()["played"] == 2

    run(main())


def test_a_run_without_results_is_there_too(tmp_path: Path) -> None:
    store_run(tmp_path, games=2, unplayed=2)

    async def main() -> None:
        async with shelf(tmp_path) as browser:
            found = await only_run(browser)
            assert (found["played"], found["changed"], found["leaders"]) == (0, None, [])
            assert found["ratings"] == [None, None]
            assert found["verdict"] == [
                {"de": "Noch ist kein Spiel zu Ende.", "en": "No game is finished yet."}
            ]

    run(main())


def test_a_copy_counts_once_and_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    store_run(tmp_path / "one", games=2)
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / FILE_NAME).write_bytes((tmp_path / "one" / FILE_NAME).read_bytes())
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / FILE_NAME).write_bytes(b"this is no database" * 100)

    async def main() -> None:
        async with shelf(tmp_path) as browser:
            answer = (await browser.get("/api/runs")).json()
            assert len(answer["runs"]) == 1
            assert len(answer["problems"]) == 1
            assert answer["problems"][0].startswith("broken: ")

    run(main())


def test_no_folder_and_no_such_run(tmp_path: Path) -> None:
    async def main() -> None:
        async with shelf(tmp_path / "missing") as browser:
            assert (await browser.get("/api/runs")).json() == {"runs": [], "problems": []}
            for path in ("/api/runs/nothing", "/api/runs/nothing/matches"):
                answer = await browser.get(path)
                assert (answer.status_code, answer.json()["error"]["en"]) == (
                    404,
                    "There is no such run here.",
                )

    run(main())
