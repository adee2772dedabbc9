"""Answer what anybody may ask: which games, bots and matches there are, and one match as a whole.

Views and moves are counted in small slices, so that players are served in between.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from spielleiter import __version__
from spielleiter.games import DEFAULT, all_games
from spielleiter.rules import AnyGame
from spielleiter.web.addresses import own_address
from spielleiter.web.answers import (
    WORTH_PACKING,
    accepts_gzip,
    answer_json,
    pack,
)
from spielleiter.web.files import page_folder
from spielleiter.web.site import Site
from spielleiter.web.slices import write_match, write_slowly
from spielleiter.web.story import MatchStory, StoryPhase
from spielleiter.web.telling import both

MOST_SUMMARIES = 100
"""Matches in one list. Those that are on come first."""
AT_ONCE = 10
"""Matches of a list that are written in one turn of the loop, less than a millisecond."""
_ORDER = {
    StoryPhase.RUNNING: 0,
    StoryPhase.PAUSED: 0,
    StoryPhase.WAITING: 1,
    StoryPhase.ENDED: 2,
}


def routes(site: Site) -> list[BaseRoute]:
    """Return the addresses that only tell something."""

    async def info(request: Request) -> Response:
        may_do = site.access.may_do(request)
        if may_do:  # others cannot start bots, and cannot make us look for them either
            await site.roster.renew()
        return answer_json(tell_info(site, may_do=may_do))

    async def matches(request: Request) -> Response:
        may_do = site.access.may_do(request)
        stories = list_stories(site)[:MOST_SUMMARIES]
        await write_slowly(site.teller, [one.newest for one in stories if one.newest is not None])
        told = []
        for story in stories:
            told.append(site.teller.summary(story, may_do=may_do))
            if not len(told) % AT_ONCE:
                await asyncio.sleep(0)
        total = len(site.gallery.stories)
        return await answer_packed(request, f'{{"total":{total},"matches":[{",".join(told)}]}}')

    async def match(request: Request) -> Response:
        story = await find_story(site, request)
        await write_match(site.teller, story.positions)
        text = site.teller.match(story, may_do=site.access.may_do(request))
        return await answer_packed(request, text)

    return [
        Route("/api/info", info),
        Route("/api/matches", matches),
        Route("/api/matches/{id}", match),
    ]


async def find_story(site: Site, request: Request) -> MatchStory:
    """Return the match that the address names. Raises Mistake."""
    return await site.find_story(request.path_params["id"])


def list_stories(site: Site) -> list[MatchStory]:
    """Return all matches, those that are on first, and of each kind the newest first."""
    newest_first = list(reversed(site.gallery.stories.values()))
    return sorted(newest_first, key=lambda one: _ORDER[one.phase])


async def answer_packed(request: Request, text: str) -> Response:
    """Return JSON, packed behind the loop where that is worth it."""
    data = text.encode("utf-8", "replace")
    headers = {"cache-control": "no-store", "vary": "accept-encoding"}
    if len(data) >= WORTH_PACKING and accepts_gzip(request):
        data = await asyncio.to_thread(pack, data, 1)
        headers["content-encoding"] = "gzip"
    return Response(data, 200, headers, "application/json")


def tell_info(site: Site, *, may_do: bool) -> dict[str, Any]:
    """Return what the page needs to know before anything else."""
    server = site.server
    settings = None if server is None else server.settings
    return {
        "version": __version__,
        "games": [tell_game(game) for game in all_games()],
        "default_game": DEFAULT if settings is None else settings.game,
        "bots": {game.id: site.roster.names(game) for game in all_games()},
        "analysable": sorted(site.analysis.known),
        "remote": site.remote,
        "remote_away": site.is_remote_away,
        "own_bots": {game.id: list(site.roster.own.get(game.id, ())) for game in all_games()},
        "server": None
        if server is None or settings is None
        else {
            "host": own_address() if settings.bind_host is None else settings.host,
            "port": server.port,
            "limit": None if settings.no_timeout else settings.soft_timeout,
        },
        "may": {"do": may_do, "start": may_do and server is not None, "open": may_do},
    }


def tell_game(game: AnyGame) -> dict[str, Any]:
    """Return what the page needs to know about a game."""
    return {
        "id": game.id,
        "type": game.game_type,
        "title": both(game.titles),
        "folder": page_folder(game),
        "seats": game.seats,
        "seat_names": [both(name) for name in game.seat_names],
        "score_names": [both(name) for name in game.score_names],
        "score_unit": both(game.score_unit),
    }
