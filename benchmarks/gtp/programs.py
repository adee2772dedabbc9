"""Talk to the two programs of a match, one by the line protocol and one by GTP.

Nothing here knows the rules of a game or keeps a position.
"""

from __future__ import annotations

import ctypes
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]  # column and row, counted from the top left corner
Move: TypeAlias = tuple[Cell, ...]  # sorted, so that equal moves compare equal

SIZE = 20
COLORS = 4
COLUMNS = "abcdefghijklmnopqrst"
ANSWER_LIMIT = 1_000_000  # bytes; a list of all legal moves is a twentieth of it


class MatchError(Exception):
    """The match cannot go on, and the message says why."""


def to_gtp(move: Move) -> str:
    """Write a move as GTP does, with rows counted from below."""
    return ",".join(f"{COLUMNS[x]}{SIZE - y}" for x, y in move)


def from_gtp(text: str) -> Move:
    """Read a move that a GTP program wrote."""
    return tuple(sorted((COLUMNS.index(at[0]), SIZE - int(at[1:])) for at in text.split(",")))


class Program:
    """A running program that answers lines with lines."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], patience: float):
        self.name = Path(command[0]).name
        self._patience = patience
        self._pending = b""
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 (close ends it)
        try:
            # A session of its own, so that Ctrl-C reaches only this driver.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            self._complaints.close()
            raise MatchError(f"{command[0]} cannot be started: {error.strerror}.") from error
        clock = ctypes.c_int()
        if ctypes.CDLL(None).clock_getcpuclockid(self._process.pid, ctypes.byref(clock)):
            raise MatchError(f"The CPU time of {self.name} cannot be read on this system.")
        self._clock = clock.value

    def cpu(self) -> float:
        """Return the CPU seconds that the program has used, all its threads together."""
        return time.clock_gettime(self._clock)

    def send(self, line: str) -> None:
        """Send one line."""
        assert self._process.stdin
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._ended(line) from None

    def receive(self, end: bytes, sent: str) -> str:
        """Wait for an answer that ends with the given bytes."""
        assert self._process.stdout
        deadline = time.monotonic() + self._patience
        while end not in self._pending:
            left = max(0.0, deadline - time.monotonic())
            if not select.select([self._process.stdout], [], [], left)[0]:
                raise MatchError(f"{self.name} gave no answer to {sent!r} in {self._patience} s.")
            chunk = os.read(self._process.stdout.fileno(), 65536)
            if not chunk:
                raise self._ended(sent)
            self._pending += chunk
            if len(self._pending) > ANSWER_LIMIT:
                raise MatchError(f"{self.name} gave an endless answer to {sent!r}.")
        answer, self._pending = self._pending.split(end, 1)
        return answer.decode(errors="replace").strip()

    def close(self) -> None:
        """End the program and wait until it is gone."""
        self._process.kill()
        with self._process:  # which closes the pipes and waits
            pass
        self._complaints.close()

    def _ended(self, sent: str) -> MatchError:
        size = self._complaints.seek(0, os.SEEK_END)
        self._complaints.seek(max(0, size - 4096))
        last = self._complaints.read().decode(errors="replace").strip()
        reason = last.splitlines()[-1] if last else "It said nothing about the reason"
        return MatchError(f"{self.name} ended at {sent!r}. {reason}")


class LineEngine(Program):
    """An engine that speaks the line protocol."""

    def ask(self, line: str) -> str:
        """Send a command and return the line that answers it."""
        self.send(line)
        return self.receive(b"\n", line)

    def do(self, line: str) -> bool:
        """Send a command that changes the position and say whether the engine accepted it."""
        return self.ask(line) == "ok"

    def play(self, move: Move) -> bool:
        """Play a move of the colour to move and say whether the engine holds it legal."""
        return self.do("play " + " ".join(f"{x},{y}" for x, y in move))

    def counts(self) -> list[int]:
        """Return how many legal moves each colour has."""
        answer = self.ask("count").split()
        if len(answer) != 1 + COLORS or not all(word.isdecimal() for word in answer[1:]):
            raise MatchError(f"{self.name} answered 'count' with {' '.join(answer)!r}.")
        return [int(word) for word in answer[1:]]

    def search(self, milliseconds: int) -> Move | None:
        """Let the engine choose a move, which it does not play yet."""
        answer = self.ask(f"go {milliseconds}")
        word, _, cells = answer.partition(" ")
        if cells == "skip":
            return None
        try:
            pairs = [tuple(map(int, at.split(","))) for at in cells.split()]
            move = tuple(sorted((x, y) for x, y in pairs))
        except ValueError:
            move = ()
        if word != "move" or not move:
            raise MatchError(f"{self.name} answered 'go' with {answer!r}.")
        return move


class GtpProgram(Program):
    """A program that speaks the Go Text Protocol as it is used for Blokus."""

    def ask(self, command: str) -> str | None:
        """Send a command and return its answer, or nothing if the program refused it."""
        self.send(command)
        answer = self.receive(b"\n\n", command).strip()
        if answer[:1] not in ("=", "?"):
            raise MatchError(f"{self.name} answered {command!r} with {answer[:80]!r}.")
        return answer[1:].strip() if answer[0] == "=" else None

    def need(self, command: str) -> str:
        """Send a command that must not be refused."""
        answer = self.ask(command)
        if answer is None:
            raise MatchError(f"{self.name} refused {command!r}.")
        return answer

    def play(self, color: int, move: Move) -> bool:
        """Play a move and say whether the program holds it legal."""
        return self.ask(f"play {color + 1} {to_gtp(move)}") is not None

    def legal(self, color: int) -> list[Move]:
        """Return all legal moves in an order that does not depend on the program."""
        return sorted(map(self._move, self.need(f"all_legal {color + 1}").split()))

    def search(self, color: int) -> Move | None:
        """Let the program choose a move and play it."""
        answer = self.need(f"genmove {color + 1}")
        return None if answer in ("pass", "resign") else self._move(answer)

    def _move(self, text: str) -> Move:
        try:
            return from_gtp(text)
        except (ValueError, IndexError):
            raise MatchError(f"{self.name} wrote {text[:80]!r}, which is no move.") from None
