"""Play one match after the other in this process, as a worker of ``pool``.

``python -P -m spielleiter.arena.workers.program JOURNAL`` reads jobs from its standard input, a
line each, and answers each with a line. What happens is told in the journal. Nothing here ends a
bot that does not come back. The process that started this one does.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import sys
import traceback
from pathlib import Path
from typing import IO

from spielleiter.arena.workers.journal import Journal, JournalFull, WorkerPhase
from spielleiter.arena.workers.order import OrderReader
from spielleiter.arena.workers.output import RawOutput
from spielleiter.arena.workers.place import Premises, Surroundings
from spielleiter.arena.workers.table import WorkerTable

_VALUES_BETWEEN_LOOKS = 10_000
"""Values more than were freed, after which the collector looks for cycles. Python has 700."""

_FINE = b"null\n"
"""The answer of a worker that can be used again."""


class WorkerProcess:
    """This process. Its own standard streams are kept where no bot finds them by accident."""

    def __init__(self, journal: Path) -> None:
        self.pid = os.getpid()
        self._jobs: IO[bytes] = os.fdopen(os.dup(0), "rb")
        self._answers = os.dup(1)
        self._pipe = os.fstat(self._answers)[1:3]
        self._errors: IO[bytes] = os.fdopen(os.dup(2), "wb", buffering=0)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self.journal = Journal(journal)
        self.raw = RawOutput()
        self.premises = Premises()
        self._orders = OrderReader()
        faulthandler.enable(self._errors)
        _keep_no_memory_images()
        self._surroundings = Surroundings()
        gc.freeze()  # the collector need not look at what was loaded once and stays
        # A match makes many values and no cycles. Looking for those takes 7 % of its time as
        # often as Python usually looks.
        gc.set_threshold(_VALUES_BETWEEN_LOOKS, 20, 50)

    def check_identity(self) -> None:
        """End here if a bot has made a copy of this process, or has closed our pipe."""
        if os.getpid() != self.pid:
            os._exit(0)  # a bot has forked, and this is the copy
        if not self._can_answer():
            # The runner takes the closed pipe for our end and looks who is at work. It must find
            # the bot that closed it, not the one whose turn comes next.
            os._exit(1)

    def _can_answer(self) -> bool:
        """Return whether the pipe to the runner is still there, and nothing else in its place."""
        try:
            return os.fstat(self._answers)[1:3] == self._pipe
        except OSError:
            return False

    def work(self) -> None:
        """Play what is asked for until nobody asks any more."""
        while line := self._jobs.readline():
            self.journal.reset()
            self.journal.mark(WorkerPhase.OURS)
            try:
                table = WorkerTable(self, self._orders.read(line))
                table.play()
            except (Exception, JournalFull):
                self._errors.write(traceback.format_exc().encode("utf-8", "replace"))
                return
            worn = self._traces() if table.setting.has_guests else None
            self.journal.mark(WorkerPhase.WAITING)
            os.write(self._answers, _FINE if worn is None else f"{json.dumps(worn)}\n".encode())

    def _traces(self) -> str | None:
        """Return what bots have left behind, so that this process is not used again, or None."""
        worn = self._surroundings.traces()
        if worn is None and not self.raw.is_intact:
            return "standard output was closed"
        return worn


def _keep_no_memory_images() -> None:
    """Let a bot that crashes leave no image of the whole process on the disk."""
    try:
        import resource
    except ImportError:
        return
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))


def main() -> None:
    worker = WorkerProcess(Path(sys.argv[1]))
    code = 1
    try:
        worker.work()
        code = 0
    finally:
        os._exit(code)  # without waiting for threads that bots have left


if __name__ == "__main__":
    main()
