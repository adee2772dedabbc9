"""The page as a client of another server: what is joined there is seen here."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from spielleiter.arena.lookup import find_bot
from spielleiter.client.admin import AdminClient, AdminError
from spielleiter.games import get_game
from spielleiter.server import Server, Settings
from spielleiter.web import remote
from spielleiter.web.gallery import Gallery
from spielleiter.web.remote import RemotePlace, RemoteReader
from spielleiter.web.story import Change, ChangeKind, MatchStory, StoryPhase
from web.opened import run

GAME = get_game("hase-und-igel-2018")
PASSWORD = "secret"
RECORDINGS = Path(__file__).parents[1] / "recordings"
NAMES = {
    "18.2.6": ("Häschen & <Co>", "p2"),
    "21.1.0": ("Unknown", "Unknown"),
    "21.4.0": ("one", "two"),
    "27.0.4": ("ONE", "TWO"),
}
"""Who played, or what the server calls the seats of players without a name."""


@asynccontextmanager
async def serving(port: int = 0) -> AsyncIterator[Server]:
    server = Server(Settings(port=port, host="127.0.0.1", password=PASSWORD, no_timeout=True))
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@asynccontextmanager
async def watching(
    server: Server,
    *rooms: str,
    say: Callable[[str], None] = lambda _: None,
    is_away: Callable[[bool], None] = lambda _: None,
) -> AsyncIterator[Gallery]:
    gallery = Gallery()
    place = RemotePlace("127.0.0.1", server.port, PASSWORD, rooms)
    reading = asyncio.ensure_future(RemoteReader(gallery, place, say, is_away).run())
    while not server.lobby.admins and not reading.done():
        await asyncio.sleep(0)
    try:
        yield gallery
    finally:
        reading.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await reading


async def play(server: Server, *codes: str) -> None:
    """Let two house bots play, who join by themselves or with codes."""
    address = ["--host", "127.0.0.1", "--port", str(server.port)]
    bot = find_bot("random", GAME)
    processes = []
    for number in range(2):
        own = ["--reservation", codes[number]] if codes else []
        processes.append(
            await asyncio.create_subprocess_exec(
                *bot.argv,
                *address,
                *own,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.DEVNULL,
            )
        )
    for process in processes:
        await process.wait()


async def first_story(gallery: Gallery) -> MatchStory:
    """Return the first match, once it is over."""
    over: asyncio.Future[MatchStory] = asyncio.get_running_loop().create_future()

    def hear(story: MatchStory, change: Change) -> None:
        if change.kind is ChangeKind.ENDED and not over.done():
            over.set_result(story)

    gallery.hearers.append(hear)
    for story in gallery.stories.values():
        if story.phase is StoryPhase.ENDED:
            return story
    return await over


def test_a_match_that_players_join_is_shown_from_start_to_end() -> None:
    async def main() -> None:
        async with serving() as server, watching(server) as gallery:
            await play(server)
            story = await first_story(gallery)
            assert story.game.game_type == GAME.game_type
            assert [state.turn for state in story.positions] == list(range(len(story.positions)))
            assert len(story.moves) == len(story.positions) - 1
            assert all(move.notation for move in story.moves)
            assert story.positions[-1].is_over
            assert story.ending is not None
            assert story.ending.outcome.is_regular
            assert "<protocol>" in story.record.format_replay()

    run(main())


def test_a_prepared_room_is_shown_if_it_is_named() -> None:
    async def main() -> None:
        async with (
            serving() as server,
            await AdminClient.connect("127.0.0.1", server.port, PASSWORD) as admin,
        ):
            room = await admin.prepare(GAME)
            async with watching(server, room.room_id) as gallery:
                # The room has to be observed before the players come, or the beginning is missed.
                while not server.lobby.rooms[room.room_id].audience.observers:
                    await asyncio.sleep(0)
                await play(server, *room.codes)
                story = await first_story(gallery)
                assert story.id == room.room_id
                assert story.ending is not None

    run(main())


def test_a_room_that_is_not_there_is_said_and_nothing_ends() -> None:
    said: list[str] = []

    async def main() -> None:
        async with serving() as server, watching(server, "nothing", say=said.append) as gallery:
            await play(server)
            await first_story(gallery)

    run(main())
    assert said[0].startswith("room nothing cannot be observed: ")


def recorded(path: str) -> str:
    """Return what an official server sent to an administrator."""
    with gzip.open(RECORDINGS / path, "rt", encoding="utf-8") as file:
        text = file.read()
    if not path.endswith("jsonl.gz"):
        return text
    said = map(json.loads, text.splitlines())
    return "".join(one["data"] for one in said if one["from"] == "server")


@pytest.mark.parametrize(
    "path",
    [
        "18.2.6/prepared-full-game-1/admin.jsonl.gz",
        "21.1.0/full-game/admin.xml.gz",
        "21.4.0/join-full-game/admin.jsonl.gz",
        "27.0.4/join-full-game/admin.jsonl.gz",
    ],
)
def test_official_servers_of_every_season_can_be_watched(path: str) -> None:
    text = recorded(path)
    rest = text.index("<observed")
    found = re.search(r'roomId="([^"]+)"', text[rest:])
    assert found is not None
    room = found[1]

    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(text[:rest].encode())
        await reader.readuntil(b"<observe ")
        writer.write(text[rest:].encode())
        await reader.read()
        writer.close()

    async def main() -> MatchStory:
        gallery = Gallery()
        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            rooms = (room,) if "joinedGameRoom" not in text else ()
            place = RemotePlace("127.0.0.1", port, PASSWORD, rooms)
            reading = asyncio.ensure_future(RemoteReader(gallery, place).run())
            try:
                return await first_story(gallery)
            finally:
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    story = run(main())
    turns = [state.turn for state in story.positions]
    assert (turns[0], turns) == (0, sorted(set(turns)))
    assert len(turns) > 50
    assert story.ending is not None
    assert all(move.notation for move in story.moves)
    assert story.names == NAMES[path.partition("/")[0]]
    assert story.ending.reason.de, "one sentence says why, also where the server says none"
    assert "hat am meisten" not in story.ending.reason.en


def test_a_server_that_refuses_the_password_and_stays_is_told() -> None:
    async def speak(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"/>")
        writer.write(
            b'<protocol>\n  <errorpacket message="Failed to authenticate">\n'
            b'    <originalRequest class="authenticate" password="wrong"/>\n  </errorpacket>'
        )
        await reader.read()
        writer.close()

    async def main() -> None:
        async with await asyncio.start_server(speak, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            with pytest.raises(AdminError, match="is the password right"):
                await RemoteReader(Gallery(), RemotePlace("127.0.0.1", port, "wrong")).run()

    run(main())


def test_a_wrong_password_is_told() -> None:
    async def main() -> None:
        async with serving() as server:
            place = RemotePlace("127.0.0.1", server.port, "wrong")
            with pytest.raises(AdminError, match="is the password right"):
                await RemoteReader(Gallery(), place).run()

    run(main())


def test_no_server_is_told() -> None:
    async def main() -> None:
        async with serving() as server:
            port = server.port
        with pytest.raises(AdminError, match="no server answers"):
            await RemoteReader(Gallery(), RemotePlace("127.0.0.1", port, PASSWORD)).run()

    run(main())


def test_a_server_that_comes_back_is_watched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "WAITS", (0.01,))
    said: list[str] = []
    away: list[bool] = []

    async def main() -> None:
        async with contextlib.AsyncExitStack() as stack:
            async with serving() as server:
                port = server.port
                gallery = await stack.enter_async_context(
                    watching(server, say=said.append, is_away=away.append)
                )
                await play(server)
                await first_story(gallery)
            async with serving(port) as server:
                while not server.lobby.admins:
                    await asyncio.sleep(0)
                gallery.remove(next(iter(gallery.stories.values())))
                await play(server)
                story = await first_story(gallery)
                assert story.ending is not None
                assert away == [True, False], "the page can say so while it is away"

    run(main())
    assert [sentence.partition("127")[0] for sentence in said[:2]] == [
        "the server ",
        "connected to ",
    ]
