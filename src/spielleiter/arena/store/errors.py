"""What can go wrong with a database of runs, as sentences for people."""

from __future__ import annotations

import errno
import sqlite3
from enum import Enum
from pathlib import Path


class StoreFault(Enum):
    """The kinds of trouble, for code that must tell them apart."""

    MISSING = "there is no database"
    NOT_OURS = "it is something else"
    DAMAGED = "it is damaged"
    NEWER = "a newer version wrote it"
    LOCKED = "another program holds it"
    IN_USE = "another process writes this run"
    READ_ONLY = "it cannot be changed"
    FULL = "the disk is full"
    DISK = "the disk does not work"
    GONE = "it was moved or deleted while it was open"
    REFUSED = "what was to be stored contradicts what is there"
    CLOSED = "it is closed already"


class StoreError(Exception):
    """Say what is wrong with a database.

    ``message`` is a sentence without a full stop, and ``advice`` says what to do.
    """

    def __init__(self, fault: StoreFault, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.fault = fault
        self.message = message
        self.advice = advice

    def again(self) -> StoreError:
        """Return an equal error, for the next one who waits for the same thing."""
        return StoreError(self.fault, self.message, self.advice)

    def before_begin(self) -> StoreError:
        """Return the error about a run that has not begun, with which nobody can go on."""
        what, found, _ = self.advice.partition(_RESUME.partition("{")[0])
        return StoreError(self.fault, self.message, f"{what}then begin again" if found else what)


_RESUME = "then go on with: spielleiter resume {folder}"
_KINDS: dict[str, tuple[StoreFault, str, str]] = {
    "FULL": (
        StoreFault.FULL,
        "the disk is full: {path} cannot grow",
        f"free some space, {_RESUME}",
    ),
    "BUSY": (
        StoreFault.LOCKED,
        "another program holds {path}",
        f"close whatever has the database open, {_RESUME}",
    ),
    "READONLY": (
        StoreFault.READ_ONLY,
        "{path} cannot be changed",
        "make the file and its folder writable, or copy the folder to where you may write",
    ),
    "CANTOPEN": (
        StoreFault.MISSING,
        "{path} cannot be opened",
        "see whether the folder is there and may be read and written",
    ),
    "CORRUPT": (
        StoreFault.DAMAGED,
        "{path} is damaged",
        "take an older copy of the folder; sqlite3 run.db .recover finds what can still be read",
    ),
    "NOTADB": (
        StoreFault.NOT_OURS,
        "{path} is not a database",
        "name the folder of a run, or the file run.db in it",
    ),
    "IOERR": (
        StoreFault.DISK,
        "the disk reports an error about {path}: {detail}",
        f"see whether the disk is there and works, {_RESUME}",
    ),
}
_KINDS["GONE"] = (
    StoreFault.GONE,
    "{path} was moved or deleted during the run",
    f"put it back, {_RESUME}",
)
_ERRNO = {
    errno.ENOSPC: "FULL",
    getattr(errno, "EDQUOT", errno.ENOSPC): "FULL",
    errno.EACCES: "READONLY",
    errno.EPERM: "READONLY",
    errno.EROFS: "READONLY",
    errno.ENOENT: "CANTOPEN",
    errno.ENOTDIR: "CANTOPEN",
}
"""What the system says, in the words of the database."""
_KINDS["LOCKED"] = _KINDS["PROTOCOL"] = _KINDS["BUSY"]
_KINDS["PERM"] = _KINDS["READONLY"]


def explain(error: BaseException, path: Path) -> StoreError:
    """Return a StoreError that says what an error of the database or the system means."""
    if isinstance(error, StoreError):
        return error
    cause = getattr(error, "orig", None) or error
    if isinstance(cause, sqlite3.Error):
        name = getattr(cause, "sqlite_errorname", None) or ""
        kind = name.removeprefix("SQLITE_").partition("_")[0]
        if kind in _KINDS:
            return _make(kind, path, name)
    if isinstance(cause, OSError):
        reason = cause.strerror or str(cause)
        return _make(_ERRNO.get(cause.errno or 0, "IOERR"), path, reason)
    return _make("IOERR", path, f"{type(cause).__name__}: {cause}")


def _make(kind: str, path: Path, detail: str) -> StoreError:
    fault, message, advice = _KINDS[kind]
    values = {"path": path, "folder": path.parent, "detail": detail}
    return StoreError(fault, message.format(**values), advice.format(**values))


def gone(path: Path) -> StoreError:
    """Return the error about a database that is not where it was when it was opened."""
    return _make("GONE", path, "")


def too_slow(path: Path, seconds: float) -> StoreError:
    """Return the error about a disk that does not get on."""
    return _make("IOERR", path, f"nothing was written for {seconds:g} seconds")
