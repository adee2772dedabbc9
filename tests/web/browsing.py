"""A page on a real socket, and a browser without a window to ask it."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection

from spielleiter.games import get_game
from spielleiter.match import MoveRecord
from spielleiter.rules import AnyGame, AnyState
from spielleiter.server import Server
from spielleiter.server.sockets import listen
from spielleiter.web.program import serve_site
from spielleiter.web.site import Site
from spielleiter.web.story import MatchStory, Source, StorySeat

PATIENCE = 60.0
"""Seconds after which a test that waits gives up; nothing here should take a tenth of it."""
BLOKUS = get_game("blokus-2021")
HARE = get_game("hase-und-igel-2018")


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def value(self) -> Any:
        return json.loads(self.body)


@dataclass(slots=True)
class Browser:
    """Asks one page."""

    site: Site
    port: int

    @property
    def key(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.site.access.key}"}

    async def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> Answer:
        """Make one request. An underscore in the name of a header is a dash."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return await asyncio.to_thread(self._ask, method, path, body, named)

    def _ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            data = answer.read()
            if answer.getheader("content-encoding") == "gzip":
                data = gzip.decompress(data)
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, data)

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", path, **headers)

    async def post(self, path: str, body: bytes = b"", **headers: str) -> Answer:
        return await self.ask("POST", path, body, **headers)

    def socket(self, path: str, **options: Any) -> websockets.connect:
        return websockets.connect(f"ws://127.0.0.1:{self.port}{path}", proxy=None, **options)


@contextlib.asynccontextmanager
async def open_site(server: Server | None = None) -> AsyncIterator[Browser]:
    site = Site(server)
    sockets = listen("127.0.0.1", 0)
    port = sockets[0].getsockname()[1]
    try:
        async with serve_site(site, sockets):
            yield Browser(site, port)
    finally:
        await site.close()


def browse(test: Callable[[Browser], Awaitable[None]], server: Server | None = None) -> None:
    """Run a test with a page in a loop of its own."""

    async def main() -> None:
        async with asyncio.timeout(PATIENCE), open_site(server) as browser:
            await test(browser)

    asyncio.run(main())


async def hear(socket: ClientConnection) -> list[dict[str, Any]]:
    """Return the next messages of a live socket."""
    return list(json.loads(await socket.recv()))


async def hear_until(socket: ClientConnection, kind: str) -> list[dict[str, Any]]:
    """Return everything that comes up to the first message of this type."""
    heard: list[dict[str, Any]] = []
    while not any(message["type"] == kind for message in heard):
        heard += await hear(socket)
    return heard


def play_some(game: AnyGame, count: int, seed: int = 1) -> list[AnyState]:
    """Return the positions of a match in which everybody plays their first move."""
    states = [game.start(seed)]
    while len(states) <= count and not states[-1].is_over:
        states.append(states[-1].play(states[-1].legal_moves()[0]))
    return states


def new_story(
    game: AnyGame = BLOKUS, name: str = "one", *, count: int = 0, source: Source = Source.LIVE
) -> MatchStory:
    """Return a story of a match that has begun, with so many moves."""
    story = MatchStory(
        name, game, [StorySeat("A"), StorySeat("B")], source, lambda: 100.0, limit=2.0
    )
    story.begin(("A", "B"))
    states = play_some(game, count)
    story.add_position(states[0])
    for before, after in pairwise(states):
        record = MoveRecord(before.turn, before.seat, after.last_move, 0.25, ("so",))
        story.add_position(after, record)
    return story


def add_move(story: MatchStory) -> None:
    """Play one more move of the story."""
    before = story.positions[-1]
    move = before.legal_moves()[0]
    story.add_position(before.play(move), MoveRecord(before.turn, before.seat, move, 0.5))
