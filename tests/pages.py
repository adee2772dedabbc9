"""Documents as chapters of prose and code, and console blocks as something to run.

Runs nothing by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

_BLOCK = re.compile(r"(?:^\*\*`([\w./]+)`\*\*\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^## (.*)$", re.MULTILINE)
_PROMPT = re.compile(r"(your move: )(.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: ``file`` if a line such as **`bot.py`** stands above it."""

    language: str
    body: str
    file: str | None
    chapter: int


@dataclass(frozen=True, slots=True)
class Command:
    """A line after ``$`` in a console block, what is typed while it runs, and what it is said to
    print.
    """

    line: str
    typed: str
    shown: str

    def matches(self, output: str) -> bool:
        """Whether the output is what was shown, where ``...`` stands for anything; nothing shown
        claims nothing.
        """
        if not self.shown.strip():
            return True
        parts = [re.escape(part) for part in self.shown.strip().split("...")]
        return re.fullmatch(".*".join(parts), output.strip(), re.DOTALL) is not None


def read_blocks(path: Path) -> list[Block]:
    """Every fenced block of a document, in order."""
    text = path.read_text(encoding="utf-8")
    starts = [match.start() for match in _HEADING.finditer(text)]
    return [
        Block(match[2], match[3], match[1], sum(start < match.start() for start in starts))
        for match in _BLOCK.finditer(text)
    ]


def read_commands(block: Block) -> Iterator[Command]:
    """The commands of a console block, in order."""
    for part in re.split(r"^\$ ", block.body, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        typed = "".join(f"{match[2]}\n" for match in _PROMPT.finditer(shown))
        # What is typed is not echoed where the input is no terminal, so the next output follows on
        # the same line.
        yield Command(line, typed, re.sub(r"(your move: ).*\n", r"\1", shown))
