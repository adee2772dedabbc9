"""Reads tests/recordings: real traffic of the official servers, as streams and as parsed elements.

Parsing here is done by the standard library's tree parser, so that a fault in our own stream parser
cannot hide behind itself.
"""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

from spielleiter.wire.elements import Element

FOLDER = Path(__file__).parent / "recordings"


@dataclass(frozen=True, slots=True)
class Chunk:
    """One piece of traffic. Empty ``data`` from the server: it closed the connection."""

    seconds: float
    sender: str  # "client" or "server"
    data: str


def versions() -> list[str]:
    return sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


def scenarios(version: str) -> list[str]:
    return sorted(
        path.name
        for path in (FOLDER / version).iterdir()
        if path.is_dir() and path.name != "replays"
    )


def connections(version: str, scenario: str) -> list[str]:
    return sorted(path.name.split(".")[0] for path in (FOLDER / version / scenario).iterdir())


def replays(version: str) -> list[Path]:
    return sorted((FOLDER / version / "replays").glob("*.xml.gz"))


@cache
def chunks(version: str, scenario: str, connection: str) -> tuple[Chunk, ...]:
    """The traffic of one connection in order."""
    path = FOLDER / version / scenario / f"{connection}.jsonl.gz"
    if path.exists():
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
        rows = [json.loads(line) for line in lines]
        return tuple(Chunk(row["t"], row["from"], row["data"]) for row in rows)
    text = gzip.decompress(path.with_name(f"{connection}.xml.gz").read_bytes()).decode()
    return (Chunk(0.0, "server", text),)


def text(version: str, scenario: str, connection: str, sender: str) -> str:
    """All one side said on one connection."""
    return "".join(
        chunk.data for chunk in chunks(version, scenario, connection) if chunk.sender == sender
    )


def elements(stream: str) -> Iterator[Element]:
    """The messages of a stream, up to where it is cut or broken."""
    parser = ElementTree.XMLPullParser(["start", "end"])
    depth = 0
    with contextlib.suppress(ElementTree.ParseError):
        parser.feed(stream)
    events = parser.read_events()
    while True:
        try:
            kind, node = next(events)
        except (StopIteration, ElementTree.ParseError):
            return
        depth += 1 if kind == "start" else -1
        if kind == "end" and depth == 1:
            yield _element(node)


def _element(node: ElementTree.Element) -> Element:
    return Element(
        node.tag, dict(node.attrib), [_element(child) for child in node], node.text or ""
    )


def messages(version: str, scenario: str, connection: str, sender: str = "server") -> list[Element]:
    return list(elements(text(version, scenario, connection, sender)))


def replay(path: Path) -> list[Element]:
    return list(elements(gzip.decompress(path.read_bytes()).decode()))
