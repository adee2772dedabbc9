"""Run the page beside a server, in the server's own loop.

Signals stay with the program around it. What the page answers is in ``app``.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import uvicorn
import websockets  # noqa: F401 - uvicorn refuses live sockets without it, so it must be there

from spielleiter.server import Server, ServerError
from spielleiter.server.logs import log_event
from spielleiter.server.settings import Settings, is_local_host
from spielleiter.server.sockets import listen
from spielleiter.web.access import Access
from spielleiter.web.addresses import reachable
from spielleiter.web.app import make_app
from spielleiter.web.porter import LimitedProtocol
from spielleiter.web.results import RunShelf
from spielleiter.web.roster import read_roster
from spielleiter.web.site import Site

logger = logging.getLogger("spielleiter.web")
# What fails is logged by the page itself, and what strangers do to their own connections by nobody.
logging.getLogger("uvicorn").addHandler(logging.NullHandler())

USUAL_PORT = 8080
PORTS_TRIED = 10
"""How many ports from the usual one on are tried where nobody named one."""
ACCEPTED_AT_ONCE = 1
"""Connections taken in one turn of the loop. A browser costs more than a player, and can wait."""
BACKLOG = 256
LONGEST_MESSAGE = 64 * 1024
"""Bytes of one message from a browser to a socket."""
LONGEST_REQUEST = 32 * 1024
"""Bytes of the first line and the headers of a request."""
GOODBYE_SECONDS = 1


@dataclass(frozen=True, slots=True)
class OpenPage:
    """A page that is being served."""

    site: Site
    port: int
    host: str

    @property
    def address(self) -> str:
        """Return where the page is, without the key."""
        return f"http://{self.host}:{self.port}/"

    @property
    def is_local(self) -> bool:
        """Return whether only browsers on this machine can open it."""
        return is_local_host(self.host.strip("[]"))

    def link(self, path: str = "") -> str:
        """Return an address with the key, for the person who started the server."""
        return f"{self.address}{path}#key={self.site.access.key}"


class _QuietServer(uvicorn.Server):
    """Uvicorn without handlers for signals. The program around it has its own."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@contextlib.asynccontextmanager
async def open_page(server: Server | None, settings: Settings) -> AsyncIterator[OpenPage | None]:
    """Serve the page for as long as the context lasts.

    Raises ServerError if the port that somebody named is taken. If nobody named one, and all that
    are usual are taken, the server goes on without the page, and None is returned.
    """
    host = settings.web_host or settings.host
    bound = None if host in ("", "*") else host
    sockets = _open_sockets(bound, settings.web_port)
    if sockets is None:
        yield None
        return
    port = sockets[0].getsockname()[1]
    folder = Path.cwd()
    roster = await asyncio.to_thread(read_roster, folder)
    access = Access.for_host(bound, settings.web_name)
    shelf = RunShelf([Path(place).expanduser() for place in settings.results])
    site = Site(server, folder, access, roster=roster, shelf=shelf)
    await asyncio.to_thread(site.analysis.look)
    # Read now, before anybody plays, because the first look at a database takes its time.
    reading = asyncio.ensure_future(shelf.catalogue())
    try:
        async with serve_site(site, sockets):
            yield OpenPage(site, port, reachable(bound))
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await site.close()


@contextlib.asynccontextmanager
async def serve_site(site: Site, sockets: list[socket.socket]) -> AsyncIterator[None]:
    """Answer requests on these sockets for as long as the context lasts."""
    config = uvicorn.Config(
        make_app(site),
        http=LimitedProtocol,
        ws="websockets-sansio",
        loop="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        backlog=ACCEPTED_AT_ONCE,
        h11_max_incomplete_event_size=LONGEST_REQUEST,
        ws_max_size=LONGEST_MESSAGE,
        # Packing the same position for two hundred spectators would cost more than sending it.
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=GOODBYE_SECONDS,
    )
    http = _QuietServer(config)
    serving = asyncio.ensure_future(http.serve(sockets))
    waking = asyncio.ensure_future(site.spectators.run())
    try:
        while not http.started and not serving.done():
            await asyncio.sleep(0.01)
        for sock in sockets:
            sock.listen(BACKLOG)
        yield
    finally:
        http.should_exit = True
        waking.cancel()
        await asyncio.gather(serving, waking, return_exceptions=True)


def _open_sockets(host: str | None, port: int | None) -> list[socket.socket] | None:
    if port is not None:
        try:
            return listen(host, port)
        except ServerError as error:
            raise ServerError(
                str(error).replace("--port", "--web-port, or leave the page out with --no-web")
            ) from None
    for other in range(USUAL_PORT, USUAL_PORT + PORTS_TRIED):
        with contextlib.suppress(ServerError):
            return listen(host, other)
    log_event(
        logger,
        "no page, because its ports are taken; choose one with --web-port",
        level=logging.WARNING,
        ports=f"{USUAL_PORT}-{USUAL_PORT + PORTS_TRIED - 1}",
    )
    return None
