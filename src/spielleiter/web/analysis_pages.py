"""Answer who wants a match analysed, and how far that is. What is done is in ``analysis``."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from spielleiter.web.answers import answer_json
from spielleiter.web.reading import answer_packed, find_story
from spielleiter.web.site import Site
from spielleiter.web.telling import dump


def routes(site: Site) -> list[BaseRoute]:
    """Return the addresses of analyses. Reading is free, and starting one needs the key."""
    desk = site.analysis

    async def tell(request: Request) -> Response:
        story = await find_story(site, request)
        return await answer_packed(request, dump(desk.tell(story)))

    async def start(request: Request) -> Response:
        site.access.require_key(request)
        story = await find_story(site, request)
        desk.start(story)
        return answer_json(desk.tell(story), status=202)

    async def cancel(request: Request) -> Response:
        site.access.require_key(request)
        story = await find_story(site, request)
        await desk.cancel(story)
        return answer_json(desk.tell(story))

    return [
        Route("/api/matches/{id}/analysis", tell),
        Route("/api/matches/{id}/analysis", start, methods=["POST"]),
        Route("/api/matches/{id}/analysis/cancel", cancel, methods=["POST"]),
    ]
