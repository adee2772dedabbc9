"""Answers of the page: JSON, and mistakes in both languages."""

from __future__ import annotations

import gzip
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.rules import Text
from spielleiter.web.telling import both, dump

WORTH_PACKING = 1400
"""Bytes below which an answer fits into one packet of the network anyway."""

GZIP = b"\x1f\x8b"
"""How packed data begins."""
_UNREAD = (408, 413)
"""After these the rest of the request is not read, so the connection cannot be used again."""


class Mistake(Exception):
    """Something that somebody asked for and that cannot be, with the status that says so."""

    def __init__(self, status: int, text: Text) -> None:
        super().__init__(text.en)
        self.status = status
        self.text = text


NOT_FOUND = Text("Das gibt es hier nicht.", "There is nothing here.")
NO_MATCH = Text("Diese Partie kennt der Server nicht.", "The server does not know this match.")
BROKEN = Text(
    "Im Server ist etwas schiefgegangen. Das Protokoll sagt mehr.",
    "Something went wrong in the server. Its log says more.",
)


def answer_mistake(mistake: Mistake) -> Response:
    """Return the answer that tells of a mistake."""
    answer = answer_text(dump({"error": both(mistake.text)}), status=mistake.status)
    if mistake.status in _UNREAD:
        answer.headers["connection"] = "close"
    return answer


def answer_json(value: Any, *, status: int = 200) -> Response:
    """Return the value as JSON."""
    return answer_text(dump(value), status=status)


def answer_text(text: str, *, status: int = 200) -> Response:
    """Return a text that is JSON already."""
    return Response(
        text.encode("utf-8", "replace"),
        status,
        {"cache-control": "no-store"},
        "application/json",
    )


def accepts_gzip(request: Request) -> bool:
    """Return whether the browser takes packed answers."""
    return "gzip" in request.headers.get("accept-encoding", "")


def pack(data: bytes, level: int = 6) -> bytes:
    """Return the data packed, always the same for the same data."""
    return gzip.compress(data, level, mtime=0)
