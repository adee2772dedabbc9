"""The addresses of the page and what answers there (docs/decisions/page.md)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from spielleiter.rules import Text
from spielleiter.server.logs import log_event
from spielleiter.web import analysis_pages, doing, downloads, reading, run_pages, uploads
from spielleiter.web.access import PageGuard
from spielleiter.web.answers import BROKEN, NO_MATCH, NOT_FOUND, Mistake, answer_mistake
from spielleiter.web.site import Site

logger = logging.getLogger("spielleiter.web")

GONE = 4404
"""The close code of a socket about a match that is not there."""

Endpoint = Callable[[Request], Awaitable[Response]]

_PAGES = {
    "/": "index.html",
    "/match/{id}": "match.html",
    "/results": "results.html",
    "/results/{run}": "results.html",
    "/projector": "projector.html",
    "/rules": "rules.html",
    "/rules/{game}": "rules.html",
}
_NO_METHOD = Text("Das geht hier nicht.", "That is not possible here.")


def make_app(site: Site) -> ASGIApp:
    """Return the application of a page."""
    app = Starlette(
        routes=[
            *(Route(path, _page(site, name)) for path, name in _PAGES.items()),
            Route("/static/{path:path}", site.files.static),
            Route("/games/{folder}/{path:path}", site.files.game),
            *reading.routes(site),
            *downloads.routes(site),
            *uploads.routes(site),
            *doing.routes(site),
            *run_pages.routes(site),
            *analysis_pages.routes(site),
            *_sockets(site),
        ],
        exception_handlers={
            Mistake: _tell_mistake,
            HTTPException: _tell_http,
            Exception: _tell_failure,
        },
    )
    # Outside of everything else, so that what tells of a failure has the headers of safety, too.
    return PageGuard(app, site.access)


def _page(site: Site, name: str) -> Endpoint:
    async def page(request: Request) -> Response:
        return await site.files.page(request, name)

    return page


def _sockets(site: Site) -> list[BaseRoute]:
    async def live(socket: WebSocket) -> None:
        await site.spectators.watch_all(socket)

    async def live_match(socket: WebSocket) -> None:
        try:
            story = await site.find_story(socket.path_params["id"])
        except Mistake:
            await socket.accept()
            await socket.close(GONE, NO_MATCH.en)
            return
        await site.spectators.watch(
            socket, story, _number(socket, "since") or 0, _number(socket, "lines")
        )

    return [
        WebSocketRoute("/api/live", live),
        WebSocketRoute("/api/matches/{id}/live", live_match),
    ]


def _number(socket: WebSocket, name: str) -> int | None:
    """Return what the address says, None where that is no number."""
    text = socket.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


async def _tell_mistake(request: Request, error: Exception) -> Response:  # noqa: ARG001
    assert isinstance(error, Mistake)
    return answer_mistake(error)


async def _tell_http(request: Request, error: Exception) -> Response:  # noqa: ARG001
    assert isinstance(error, HTTPException)
    text = NOT_FOUND if error.status_code == 404 else _NO_METHOD
    return answer_mistake(Mistake(error.status_code, text))


async def _tell_failure(request: Request, error: Exception) -> Response:
    log_event(
        logger, "request failed", level=logging.ERROR, path=request.url.path[:200], error=error
    )
    return answer_mistake(Mistake(500, BROKEN))
