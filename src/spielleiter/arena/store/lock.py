"""Let one process at a time write a database.

The system holds the lock and frees it when the process ends, however it ends. So a lock is never
left behind. The file beside the database stays, and says who was the last to hold it. Nothing else
in the process may open that file, because closing it frees the lock.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import threading
from pathlib import Path

from spielleiter.arena.store.errors import StoreError, StoreFault, explain
from spielleiter.rules import one_line

_LOCKED_BYTE = 1 << 30
"""Far behind the text in the file, because Windows lets nobody read what is locked."""
_LONGEST_HOLDER = 200
_held: set[str] = set()
_held_guard = threading.Lock()


class WriterLock:
    """The right to write one database, held from the making of this object until ``release``."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + ".lock")
        self._key = os.path.realpath(self.path)
        with _held_guard:  # a process does not exclude itself from a lock of the system
            if self._key in _held:
                raise self._refused(f"process {os.getpid()}, which is this one")
            self._handle = self._take(database)
            _held.add(self._key)

    def release(self) -> None:
        """Let others write. A second call does nothing."""
        with _held_guard:
            if self._key in _held:
                _held.remove(self._key)
                os.close(self._handle)

    def _take(self, database: Path) -> int:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666)
        except OSError as error:
            raise explain(error, self.path) from error
        try:
            _lock(handle)
        except (BlockingIOError, PermissionError):
            holder = self._read_holder(handle)
            os.close(handle)
            raise self._refused(holder) from None
        except OSError as error:
            os.close(handle)
            raise explain(error, database) from error
        with contextlib.suppress(OSError):  # a full disk only costs the name of the holder
            holder = one_line(f"process {os.getpid()} on {platform.node()}", _LONGEST_HOLDER)
            os.ftruncate(handle, 0)
            os.write(handle, holder.encode("utf-8", "replace"))
        return handle

    @staticmethod
    def _read_holder(handle: int) -> str:
        with contextlib.suppress(OSError):
            os.lseek(handle, 0, os.SEEK_SET)
            said = os.read(handle, _LONGEST_HOLDER).decode("utf-8", "replace")
            return one_line(said) or "another process"
        return "another process"

    def _refused(self, holder: str) -> StoreError:
        return StoreError(
            StoreFault.IN_USE,
            f"this run is already being played by {holder}",
            "wait until it has ended, or end it; only one process at a time plays a run",
        )


if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:
    import fcntl

    def _lock(handle: int) -> None:
        # Not flock, whose lock would live on in every process that is forked from this one.
        fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _LOCKED_BYTE)
