"""A page on a real port beside a real server, and a browser's side of its sockets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
from websockets.asyncio.client import ClientConnection, connect

from spielleiter.arena.match import open_server
from spielleiter.server import Settings
from spielleiter.server.sockets import listen
from spielleiter.web.program import serve_site
from spielleiter.web.roster import Roster
from spielleiter.web.site import Site

T = TypeVar("T")
SECONDS = 60


def run(main: Coroutine[Any, Any, T]) -> T:
    async def limited() -> T:
        async with asyncio.timeout(SECONDS):
            return await main

    return asyncio.run(limited())


class Browser:
    """Somebody who uses the page, with the key unless told otherwise."""

    def __init__(self, site: Site, port: int) -> None:
        self.site = site
        self.port = port
        self.http = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{port}", timeout=SECONDS, trust_env=False
        )

    def _headers(self, key: str | None) -> dict[str, str]:
        key = self.site.access.key if key is None else key
        return {"authorization": f"Bearer {key}"} if key else {}

    async def get(self, path: str, **options: Any) -> httpx.Response:
        return await self.http.get(path, **options)

    async def post(
        self, path: str, body: object = None, *, key: str | None = None
    ) -> httpx.Response:
        content = body if isinstance(body, bytes) else json.dumps(body)
        return await self.http.post(path, content=content, headers=self._headers(key))

    async def start(self, *players: str, **options: Any) -> dict[str, Any]:
        """Start a match in which ``me`` and ``joins`` are what they say."""
        answer = await self.post("/api/matches", order(*players, **options))
        assert answer.status_code == 201, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def socket(self, path: str) -> connect:
        return connect(f"ws://127.0.0.1:{self.port}{path}", proxy=None)


def order(*players: str, game: str = "hase-und-igel-2018", **options: Any) -> dict[str, Any]:
    seats = [
        {"kind": name, "name": "Ida" if name == "me" else "Gast"}
        if name in ("me", "joins")
        else {"kind": "bot", "name": name}
        for name in players
    ]
    return {"game": game, "players": seats, "clock": False, "seed": 1, **options}


@asynccontextmanager
async def open_browser(
    settings: Settings | None = None, roster: Roster | None = None, folder: Path | None = None
) -> AsyncIterator[Browser]:
    async with open_server(settings or Settings()) as server:
        site = Site(server, folder or Path(), roster=roster or Roster())
        sockets = listen("127.0.0.1", 0)
        browser = Browser(site, sockets[0].getsockname()[1])
        try:
            async with serve_site(site, sockets), browser.http:
                yield browser
        finally:
            await site.close()


async def hear(socket: ClientConnection, kind: str) -> dict[str, Any]:
    """Return the next message of this type, and pass over all others."""
    while True:
        said = json.loads(await socket.recv())
        if said["type"] == kind:
            found: dict[str, Any] = said
            return found
