"""Let a person play at the terminal.

Moves are read as text, legal ones are listed, and illegal ones explained.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from spielleiter.cli.layout import compose_page, format_lines
from spielleiter.rules import AnyGame, AnyState, NotationError, RuleViolation

PAGE = 60
"""Legal moves shown at once, which are as many as fit on a screen in columns."""
_SKIPS = frozenset({"skip", "s", "pass"})
"""How games write a move that passes, whatever comes before the colon."""
HELP = "? lists moves, ? TEXT those with TEXT in them, pass skips, quit ends the game"


class Quit(Exception):
    """The person has had enough."""


class LineReader:
    """Lines from a file descriptor, read by a thread that nobody has to wait for.

    It reads below Python's own stdin. A thread that still waits in ``sys.stdin`` when the program
    exits holds its lock, and Python ends with a fatal error.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._thread: threading.Thread | None = None
        self._ended = False

    async def read(self) -> str | None:
        """Return the next line, or None when there are no more."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="keyboard", daemon=True)
            self._thread.start()
        if self._ended:
            return None
        line = await self._lines.get()
        self._ended = line is None
        return line

    def _work(self) -> None:
        rest = b""
        while True:
            try:
                data = os.read(self._descriptor, 4096)
            except OSError:
                data = b""
            *lines, rest = (rest + data).split(b"\n")
            if not data and rest:
                lines.append(rest)
            for line in lines:
                self._put(line.decode("utf-8", "replace").strip())
            if not data:
                self._put(None)
                return

    def _put(self, line: str | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


class Person:
    """Asks for moves until one can be played.

    ``read`` gives lines, ``say`` shows text, ``prompt`` without an end.
    """

    def __init__(
        self,
        game: AnyGame,
        read: Callable[[], Awaitable[str | None]],
        say: Callable[[str], None],
        prompt: Callable[[str], None],
        *,
        color: bool = False,
        size: Callable[[], os.terminal_size] | None = None,
    ) -> None:
        """Show the board whole within ``size`` of the terminal.

        Without a size it is printed as it is.
        """
        self._game = game
        self._read = read
        self._say = say
        self._prompt = prompt
        self._color = color
        self._size = size
        self._explained = False

    async def choose(self, state: AnyState) -> Any:
        """Return the person's move. Raises Quit."""
        self._say("")
        self._say(self._page(state))
        self._explained = True
        while True:
            self._prompt(f"{self._game.seat_names[state.seat]}, your move: ")
            line = await self._read()
            if line is None or line.lower() in ("quit", "exit"):
                raise Quit
            answer = self._answer(state, line)
            if not isinstance(answer, str):
                return answer
            self._say(answer)

    def _page(self, state: AnyState) -> str:
        """Return the board, and the first time how to type a move."""
        picture = self._game.picture(state, color=self._color)
        example = self._game.format_move(state.legal_moves()[0])
        help_lines = [] if self._explained else [f"Type a move like {example}; {HELP}."]
        if self._size is None:
            return "\n".join((picture, *(f"\n{line}" for line in help_lines)))
        columns, lines = self._size()
        return format_lines(
            compose_page((), picture, help_lines, columns, lines - 1), color=self._color
        )

    def _answer(self, state: AnyState, line: str) -> Any:
        """Return the move that is meant, or text that helps to find one."""
        if line.startswith("?"):
            return self._list(state, line[1:].strip())
        if line.lower() in ("", "pass", "skip"):
            return self._skip(state, line)
        try:
            move = self._game.parse_move(line)
        except NotationError as error:
            return self._nearest(state, line, str(error))
        try:
            state.play(move)
        except RuleViolation as violation:
            return f"That is not allowed: {violation.text.en}"
        return move

    def _skip(self, state: AnyState, line: str) -> Any:
        """Let an empty line skip only where nothing else can be done.

        An Enter too many must not cost a turn.
        """
        legal = state.legal_moves()
        skips = [
            move
            for move in legal
            if self._game.format_move(move).rpartition(":")[2].lower() in _SKIPS
        ]
        if not skips:
            return f"You cannot skip here: there are {len(legal)} moves, and ? lists them."
        if not line and len(legal) > 1:
            return f"Type a move, or pass to skip. There are {len(legal)} moves, and ? lists them."
        return skips[0]

    def _nearest(self, state: AnyState, line: str, problem: str) -> Any:
        """Return the legal move with this text in it, or what to say if there is not just one."""
        found = self._matching(state, line)
        if len(found) == 1:
            return found[0]
        if found:
            return f"{len(found)} moves have that in them:\n" + self._columns(found[:PAGE])
        return f"{problem[:1].upper()}{problem[1:]}"

    def _matching(self, state: AnyState, text: str) -> list[Any]:
        words = text.lower().split()
        return [
            move
            for move in state.legal_moves()
            if all(word in self._game.format_move(move).lower() for word in words)
        ]

    def _list(self, state: AnyState, text: str) -> str:
        page = int(text) if text.isascii() and text.isdecimal() and len(text) < 6 else 1
        moves: Sequence[Any] = (
            state.legal_moves() if text.isdecimal() or not text else self._matching(state, text)
        )
        if not moves:
            return f"No legal move has {text!r} in it."
        pages = -(-len(moves) // PAGE)
        page = min(max(page, 1), pages)
        shown = self._columns(moves[(page - 1) * PAGE : page * PAGE])
        if pages == 1:
            return shown
        if text and not text.isdecimal():
            return f"{shown}\n{PAGE} of {len(moves)}; add another word to see fewer"
        return (
            f"{shown}\npage {page} of {pages}; ?{page % pages + 1} shows another, ? TEXT "
            "only moves with TEXT"
        )

    def _columns(self, moves: Sequence[Any]) -> str:
        texts = [self._game.format_move(move) for move in moves]
        width = max(len(text) for text in texts) + 2
        columns = max(1, shutil.get_terminal_size().columns // width)
        rows = [texts[start : start + columns] for start in range(0, len(texts), columns)]
        return "\n".join("".join(f"{text:<{width}}" for text in row).rstrip() for row in rows)
