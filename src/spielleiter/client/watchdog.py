"""Show which of the bot's own lines run when its time is up.

That works from inside its process and on every system. The clock of a game is not known here.
Whoever calls code of a bot says how many seconds it has.
"""

from __future__ import annotations

import contextlib
import faulthandler
import math
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import FrameType

_OUTER, _INNER = 2, 4
"""Of a deep stack these frames are shown: where it began and where it is."""
_LOCKED_SECONDS = 0.5
"""After so many more, a thread of ours cannot run at all: the bot is in a call that lets no Python
run beside it.
"""
_SLACK_SECONDS = 0.5
"""Calls that are due so much later than our thread looks need no alarm of their own."""

Say = Callable[[str], None]


class Watchdog:
    """Watches the thread that made it.

    ``say`` gets the lines, once for each call that takes too long.
    """

    def __init__(self, say: Say, name: str, now: Callable[[], float] = time.perf_counter) -> None:
        self._say = say
        self._now = now
        self._name = name
        self._watched = threading.get_ident()
        self._condition = threading.Condition()
        self._due = math.inf
        """When the call that lasts is too long."""
        self._wakes_at = math.inf
        """When our thread looks again."""
        self._headline = ""
        self._waiting: Callable[[], Sequence[FrameType]] | None = None
        self._thread: threading.Thread | None = None

    @contextlib.contextmanager
    def watch(
        self, what: str, seconds: float, waiting: Callable[[], Sequence[FrameType]] | None = None
    ) -> Iterator[None]:
        """Show where the bot is if it is still here after ``seconds``.

        ``what`` is what it does, with its limit.

        ``waiting`` gives the frames of coroutines, which are on no stack while they wait.
        """
        if math.isinf(seconds):
            yield
            return
        if self._thread is None:
            self._thread = threading.Thread(
                target=self._run, name="spielleiter watchdog", daemon=True
            )
            self._thread.start()
        with self._condition:
            self._headline = f"!!! {self._name} is still in {what}; it is here:"
            self._waiting = waiting
            self._due = self._now() + seconds
            # Moves follow each other quickly. To set an alarm and wake a thread for each would take
            # longer than many bots think. So our thread looks when the first of them would be due,
            # and finds the call that lasts then.
            if not self._wakes_at <= self._due <= self._wakes_at + _SLACK_SECONDS:
                self._set_alarm()
                self._condition.notify()
        try:
            yield
        finally:
            with self._condition:
                self._due = math.inf

    def close(self) -> None:
        """Look no more."""
        with self._condition:
            self._due = self._wakes_at = math.inf
            faulthandler.cancel_dump_traceback_later()

    def _set_alarm(self) -> None:
        """Have our thread look when the call that lasts is due."""
        self._wakes_at = self._due
        # Our thread tells it better, but it cannot run while the bot is in a C function that keeps
        # Python's lock, such as a huge power or a regular expression that goes astray. Then this
        # dump, written without Python, is all there is. It comes late enough for any call that
        # begins before our thread looks again. It needs a real file, which stderr may not be, for
        # example in a notebook.
        late = max(0.0, self._due - self._now()) + _SLACK_SECONDS + _LOCKED_SECONDS
        with contextlib.suppress(AttributeError, OSError, RuntimeError, ValueError):
            faulthandler.dump_traceback_later(late, file=sys.stderr)

    def _run(self) -> None:
        with self._condition:
            while True:
                left = self._wakes_at - self._now()
                if left > 0:
                    self._condition.wait(None if math.isinf(left) else left)
                    continue
                faulthandler.cancel_dump_traceback_later()
                self._wakes_at = math.inf
                if self._due <= self._now():
                    self._due = math.inf
                    # The lock is held on purpose. A call that ends just now waits for it, so the
                    # report never comes out after the move it is about, or with lines of the next.
                    self._report()
                elif not math.isinf(self._due):
                    self._set_alarm()

    def _report(self) -> None:
        frames = own_frames(self._watched)
        if not frames and self._waiting is not None:
            frames = [frame for frame in self._waiting() if is_authors(frame.f_code.co_filename)]
        self._say(self._headline)
        for line in describe_frames([(frame, frame.f_lineno) for frame in frames]):
            self._say(line)


def own_frames(thread: int) -> list[FrameType]:
    """Return the frames of the author's own code that a thread is in, the outermost first."""
    frame = sys._current_frames().get(thread)
    frames = []
    while frame is not None:
        if is_authors(frame.f_code.co_filename):
            frames.append(frame)
        frame = frame.f_back
    return frames[::-1]


def describe_frames(frames: Sequence[tuple[FrameType, int]]) -> list[str]:
    """Return frames and their lines of code as indented lines of text.

    The middle of a deep stack is left out.
    """
    if not frames:
        return [
            "    in no line of its own file: it waits for something, or is in a module that it uses"
        ]
    import traceback  # only bots that are too slow pay for it

    shown = traceback.StackSummary.extract(iter(frames)).format()
    if len(shown) > _OUTER + _INNER:
        left_out = f"  ... {len(shown) - _OUTER - _INNER} more calls ...\n"
        shown = [*shown[:_OUTER], left_out, *shown[-_INNER:]]
    return ["  " + line for part in shown for line in part.rstrip().splitlines()]


_DUMPED = r'  File "(.+)", line \d+ in .+'
_DUMPED_THREAD = r"(Current thread|Thread) 0x[0-9a-f]+.*\(most recent call first\):"


def tidy_dump(lines: Sequence[str]) -> list[str]:
    """Return what a bot said without the frames that Python's own dump has and the author does not
    care for.
    """
    kept: list[str] = []
    for line in reversed(lines):
        found = re.fullmatch(_DUMPED, line)
        if found is not None and not is_authors(found[1]):
            continue
        if re.fullmatch(_DUMPED_THREAD, line) and (not kept or not re.fullmatch(_DUMPED, kept[-1])):
            continue
        kept.append(line)
    return kept[::-1]


def is_authors(file: str) -> bool:
    """Return whether code of this file is the author's own, which is neither ours nor Python's nor
    of an installed package.
    """
    return not file.startswith(("<", *_others_folders()))


@cache
def _others_folders() -> tuple[str, ...]:
    import sysconfig  # only bots that fail pay for it
    from pathlib import Path

    paths = sysconfig.get_paths()
    installed = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    return tuple(f"{folder}{os.sep}" for folder in (Path(__file__).parents[1], *installed))
