"""Open replay files that somebody drops on the page.

They are read by the parser of ``replays``, in a thread behind the loop and one at a time.
"""

from __future__ import annotations

import asyncio

from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from spielleiter.replays import RecordedMatch, parse_replay
from spielleiter.rules import Text, one_line
from spielleiter.web.access import new_key
from spielleiter.web.answers import GZIP, Mistake, answer_json, pack
from spielleiter.web.recordings import story_of_recording
from spielleiter.web.replay_words import in_both
from spielleiter.web.site import Site
from spielleiter.web.story import Source
from spielleiter.web.telling import both
from spielleiter.wire.errors import ReplayError

MOST_BYTES = 16 * 1024 * 1024
"""Of one file as it is sent. Official replays have up to 1.5 MB."""
MOST_WAITING = 4
"""Files that may wait to be read."""
MOST_FILES = 40
"""Files that are open at once. Then the oldest is closed."""
MOST_POSITIONS = 1000
"""Of one match. The longest game there is has 101."""
SECONDS = 60.0
"""How long a file may take to arrive."""

TOO_LONG = Text(
    "Die Datei hat mehr als 16 MiB, das ist zu viel für ein Replay.",
    "The file has more than 16 MiB, too much for a replay.",
)
TOO_MANY = Text(
    "Gerade werden schon mehrere Dateien gelesen. Versuch es gleich noch einmal.",
    "Several files are being read already. Try again in a moment.",
)
TOO_SLOW = Text("Die Datei kam nicht rechtzeitig an.", "The file did not arrive in time.")
CUT_OFF = Text("Die Datei kam nicht ganz an.", "The file did not arrive completely.")


def routes(site: Site) -> list[BaseRoute]:
    """Return the address that takes files."""
    desk = _UploadDesk(site)
    return [Route("/api/replays", desk.take, methods=["POST"])]


class _UploadDesk:
    """Takes files and reads one at a time."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def take(self, request: Request) -> Response:
        """Read the file in the request, and answer with the id of the match in it."""
        self._site.access.require_key(request)
        if self._waiting >= MOST_WAITING:
            raise Mistake(503, TOO_MANY)
        self._waiting += 1
        try:
            data = await _receive(request)
            async with self._turn:
                recorded, packed = await asyncio.to_thread(_parse, data)
        finally:
            self._waiting -= 1
        story = story_of_recording(recorded, new_key(), now=self._site.gallery.now, data=packed)
        self._make_room()
        self._site.gallery.add(story)
        return answer_json(
            {"id": story.id, "notes": [both(note) for note in story.notes]}, status=201
        )

    def _make_room(self) -> None:
        gallery = self._site.gallery
        opened = [story for story in gallery.stories.values() if story.source is Source.FILE]
        for story in opened[: len(opened) - MOST_FILES + 1]:
            gallery.remove(story)


async def _receive(request: Request) -> bytes:
    """Return the bytes that were sent. What is too long is refused before it is read."""
    length = request.headers.get("content-length", "0")
    if not length.isdigit() or len(length) > 15 or int(length) > MOST_BYTES:
        raise Mistake(413, TOO_LONG)
    pieces, size = [], 0
    try:
        async with asyncio.timeout(SECONDS):
            async for piece in request.stream():
                size += len(piece)
                if size > MOST_BYTES:
                    raise Mistake(413, TOO_LONG)
                pieces.append(piece)
    except TimeoutError:
        raise Mistake(408, TOO_SLOW) from None
    except ClientDisconnect:
        raise Mistake(400, CUT_OFF) from None
    return b"".join(pieces)


def _parse(data: bytes) -> tuple[RecordedMatch, bytes]:
    """Return the match in a file, and the file packed. Raises Mistake."""
    try:
        recorded = parse_replay(data, "file")
    except ReplayError as error:
        raise _unreadable(one_line(str(error).removeprefix("file: "), 300)) from None
    if len(recorded.positions) > MOST_POSITIONS:
        raise _unreadable(f"it has more than {MOST_POSITIONS} positions")
    return recorded, data if data.startswith(GZIP) else pack(data)


def _unreadable(reason: str) -> Mistake:
    why = in_both(reason)
    text = Text(
        f"Das lässt sich nicht als Replay lesen: {why.de}",
        f"This cannot be read as a replay: {why.en}",
    )
    return Mistake(422, text)
