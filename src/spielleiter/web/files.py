"""Serve the page's own files and those of the games, from the installed package.

A file is read and packed once, until it changes. Only names that are there are served.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from spielleiter.games import all_games
from spielleiter.rules import AnyGame
from spielleiter.web.answers import NOT_FOUND, WORTH_PACKING, Mistake, accepts_gzip, pack

TYPES: Mapping[str, str] = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
"""What browsers must be told, whatever the system believes about these endings."""

MOST_CACHED = 500
LONGEST_PATH = 200
STATIC = "static"
GAMES = "games"


@dataclass(frozen=True, slots=True)
class ServedFile:
    """A file as it is sent."""

    stamp: tuple[int, int] | None
    kind: str
    plain: bytes
    packed: bytes | None
    tag: str


class FileServer:
    """The folders that browsers may read, by the first part of the address."""

    def __init__(self) -> None:
        self._static = files("spielleiter.web") / STATIC
        self._cache: dict[str, ServedFile] = {}

    async def page(self, request: Request, name: str) -> Response:
        """Answer with one of the HTML pages."""
        return await self._answer(request, f"{STATIC}/{name}", self._static, name)

    async def static(self, request: Request) -> Response:
        """Answer with a file of the page itself."""
        path = request.path_params["path"]
        return await self._answer(request, f"{STATIC}/{path}", self._static, path)

    async def game(self, request: Request) -> Response:
        """Answer with a file of a game."""
        folder, path = request.path_params["folder"], request.path_params["path"]
        root = page_folders().get(folder)
        if root is None:
            raise Mistake(404, NOT_FOUND)
        return await self._answer(request, f"{GAMES}/{folder}/{path}", root, path)

    async def _answer(self, request: Request, key: str, root: Traversable, path: str) -> Response:
        found = self._find(root, path)
        stamp = _stamp(found)
        served = self._cache.get(key)
        if served is None or served.stamp != stamp:
            served = await asyncio.to_thread(_load, found, stamp)
            if len(self._cache) >= MOST_CACHED:
                self._cache.clear()
            self._cache[key] = served
        return _send(request, served)

    def _find(self, root: Traversable, path: str) -> Traversable:
        parts = path.split("/")
        suffix = Path(parts[-1]).suffix
        wrong = any(
            not part or part.startswith(".") or "\\" in part or ":" in part for part in parts
        )
        if wrong or len(path) > LONGEST_PATH or suffix not in TYPES:
            raise Mistake(404, NOT_FOUND)
        found = root.joinpath(*parts)
        try:
            is_there = found.is_file()
        except (OSError, ValueError):  # a name that the system does not take
            is_there = False
        if not is_there:
            raise Mistake(404, NOT_FOUND)
        return found


def _stamp(found: Traversable) -> tuple[int, int] | None:
    """Return what changes when the file does. Files in an archive never change."""
    if not isinstance(found, Path):
        return None
    status = found.stat()
    return status.st_mtime_ns, status.st_size


def _load(found: Traversable, stamp: tuple[int, int] | None) -> ServedFile:
    plain = found.read_bytes()
    kind = TYPES[Path(found.name).suffix]
    packed = pack(plain, 9) if len(plain) >= WORTH_PACKING and "image/png" not in kind else None
    tag = f'"{hashlib.sha256(plain).hexdigest()[:20]}"'
    return ServedFile(stamp, kind, plain, packed, tag)


def _send(request: Request, served: ServedFile) -> Response:
    headers = {"etag": served.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if served.tag in request.headers.get("if-none-match", ""):
        return Response(None, 304, headers)
    if served.packed is not None and accepts_gzip(request):
        headers["content-encoding"] = "gzip"
        return Response(served.packed, 200, headers, served.kind)
    return Response(served.plain, 200, headers, served.kind)


def page_folder(game: AnyGame) -> str | None:
    """Return the part of the address under which this game's files are, None if it has none."""
    if game.page is None:
        return None
    parts = type(game).__module__.split(".")
    return parts[-2] if len(parts) > 1 else parts[0]


def page_folders() -> dict[str, Traversable]:
    """Return the folders of all games that have one, by name."""
    found: dict[str, Traversable] = {}
    for game in all_games():
        name, folder = page_folder(game), game.page
        if name is not None and folder is not None:
            found.setdefault(name, folder)
    return found
