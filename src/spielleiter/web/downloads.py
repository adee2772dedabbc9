"""Matches to take away: as a replay file, as a picture and as a page."""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from spielleiter.replays import MatchRecord
from spielleiter.rules import Text
from spielleiter.web.answers import GZIP, Mistake, pack
from spielleiter.web.export import saved_page
from spielleiter.web.reading import find_story
from spielleiter.web.site import Site
from spielleiter.web.slices import write_match
from spielleiter.web.story import MatchStory

NO_TURN = Text("Diese Stellung hat die Partie nicht.", "The match has no such position.")
NO_REPLAY = Text(
    "Zu dieser Partie gibt es noch nichts zu speichern.", "There is nothing to save of this match."
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""A picture that is opened by itself runs nothing."""
_UNSAFE = re.compile(r"[^\w.-]+")
_NOT_ASCII = re.compile(r"[^ -~]")


def routes(site: Site) -> list[BaseRoute]:
    """Return the addresses of downloads."""

    async def replay(request: Request) -> Response:
        story = await find_story(site, request)
        data = await asyncio.to_thread(pack_record, copy_record(story))
        return _file(data, "application/gzip", f"{file_stem(story)}.xml.gz")

    async def picture(request: Request) -> Response:
        story = await find_story(site, request)
        index = read_index(request, story)
        text = await asyncio.to_thread(story.game.svg, story.positions[index])
        answer = _file(text.encode(), "image/svg+xml", f"{file_stem(story)}_{index}.svg")
        answer.headers["content-security-policy"] = PICTURE_POLICY
        return answer

    async def page(request: Request) -> Response:
        story = await find_story(site, request)
        if not story.positions:
            raise Mistake(409, NO_REPLAY)
        await write_match(site.teller, story.positions)
        text = await asyncio.to_thread(saved_page, story, site.teller)
        return _file(text.encode("utf-8", "replace"), "text/html", f"{file_stem(story)}.html")

    return [
        Route("/api/matches/{id}/match.html", page),
        Route("/api/matches/{id}/replay.xml.gz", replay),
        Route("/api/matches/{id}/position.svg", picture),
    ]


def read_index(request: Request, story: MatchStory) -> int:
    """Return which position the address means, the newest if none. Raises Mistake."""
    given = request.query_params.get("index", str(len(story.positions) - 1))
    if not (given.isascii() and given.isdigit() and len(given) < 7):
        raise Mistake(404, NO_TURN)
    index = int(given)
    if index >= len(story.positions):
        raise Mistake(404, NO_TURN)
    return index


def copy_record(story: MatchStory) -> bytes | MatchRecord:
    """Return what the replay file is written from, as it is now. Raises Mistake if there is none.

    The record of a match that is on grows, so a thread must not write it.
    """
    record = story.record
    if isinstance(record, bytes):
        return record
    if not isinstance(record, MatchRecord) or not record.shown:
        raise Mistake(409, NO_REPLAY)
    names = record.names or story.names
    return replace(record, names=names, shown=[*record.shown], moves=[*record.moves])


def pack_record(record: bytes | MatchRecord) -> bytes:
    """Return the replay file."""
    if isinstance(record, bytes):
        return record if record.startswith(GZIP) else pack(record)
    return pack(record.format_replay().encode("utf-8", "replace"))


def file_stem(story: MatchStory) -> str:
    """Return a file name of harmless characters, without an ending."""
    parts = [story.game.id, *story.names]
    return "_".join(_UNSAFE.sub("_", part).strip("._")[:40] or "x" for part in parts)


def _file(data: bytes, kind: str, name: str) -> Response:
    plain = _NOT_ASCII.sub("_", name)
    # Old programs read the first name, and browsers the second with all its letters.
    both_names = f"filename=\"{plain}\"; filename*=UTF-8''{quote(name)}"
    headers = {
        "content-disposition": f"attachment; {both_names}",
        "cache-control": "no-store",
    }
    return Response(data, 200, headers, kind)
