"""Answer requests about the arena's runs. What there is to tell is in ``results``."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from spielleiter.rules import Text
from spielleiter.web.answers import WORTH_PACKING, Mistake, accepts_gzip, answer_json, pack
from spielleiter.web.results import tag_of
from spielleiter.web.site import Site

USUAL_LIMIT = 100
MOST = 500
WRONG = Text("Diese Auswahl gibt es nicht.", "There is no such choice.")


def routes(site: Site) -> list[BaseRoute]:
    """Return the addresses of runs."""

    async def runs(request: Request) -> Response:
        text, tag = await site.shelf.catalogue()
        return await _answer(request, text, tag)

    async def run(request: Request) -> Response:
        found = await site.shelf.find(request.path_params["run"])
        return await _answer(request, found.whole, tag_of(found.whole))

    async def matches(request: Request) -> Response:
        found = await site.shelf.find(request.path_params["run"])
        # Loaded already, by the thread that has read the run.
        from spielleiter.arena.results.choice import TROUBLE, Choice
        from spielleiter.web.run_telling import tell_matches

        collection = found.collection
        bots = len(collection.bots)
        choice = Choice(
            bot=_number(request, "a", bots), opponent=_number(request, "b", bots), causes=None
        )
        word = request.query_params.get("trouble")
        if word is not None:
            if word not in TROUBLE:
                raise Mistake(422, WRONG)
            choice = Choice(choice.bot, choice.opponent, causes=TROUBLE[word])
        chosen = [match for match in collection.matches if match in choice]
        offset = _number(request, "offset") or 0
        limit = _number(request, "limit")
        limit = USUAL_LIMIT if limit is None else min(limit, MOST)
        return answer_json(tell_matches(collection, chosen, offset, limit))

    return [
        Route("/api/runs", runs),
        Route("/api/runs/{run}", run),
        Route("/api/runs/{run}/matches", matches),
    ]


def _number(request: Request, name: str, below: int | None = None) -> int | None:
    """Return a number of the address, or None if it is not there. Raises Mistake."""
    given = request.query_params.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 9):
        raise Mistake(422, WRONG)
    if below is not None and int(given) >= below:
        raise Mistake(422, WRONG)
    return int(given)


async def _answer(request: Request, text: str, tag: str) -> Response:
    """Return the text, or nothing if whoever asks has it already."""
    headers = {"cache-control": "no-cache", "etag": tag, "vary": "accept-encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    data = text.encode("utf-8", "replace")
    if len(data) >= WORTH_PACKING and accepts_gzip(request):
        data = await asyncio.to_thread(pack, data, 1)
        headers["content-encoding"] = "gzip"
    return Response(data, 200, headers, "application/json")
