"""Read the bytes of a recording from a file, plain or packed with gzip, up to a limit.

Which of the two it is follows from the content and not from the name. Nothing here knows XML.
"""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from spielleiter.wire.errors import ReplayError

MOST_BYTES = 48 * 1024 * 1024
"""Of one recording, packed and unpacked.

Measured over all games and revisions: a whole game has 0.6 MB, an official replay up to 1.5 MB, one
with all the hints that the SDK sends 8 MB, and the longest our server can be made to write, by
players who fill every message with hints of the worst characters, 39.5 MB. A stream of many games
has room for a few dozen.
"""

_GZIP = b"\x1f\x8b"
_PIECE = 64 * 1024
_FLAGS = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOCTTY", "O_BINARY", "O_CLOEXEC")
)
"""Whatever lies there, opening it does not wait. Systems without one of them do not need it."""


class TooLong(ReplayError):
    """A recording beyond the limit, of which not even the beginning is used."""


class NotAFile(OSError):
    """Something else than a regular file has this name, such as a pipe, a device or a folder."""


def open_regular(path: str | PathLike[str]) -> BinaryIO:
    """Open a regular file for reading, without ever waiting.

    Raises OSError, NotAFile for anything else.
    """
    handle = os.open(path, _FLAGS)
    # What it is, is asked of the open file and not of its name before. Between the two somebody
    # could put a pipe there, and reading that would never end.
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise NotAFile(f"it is {_describe_mode(mode)}, not a file")
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def _describe_mode(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "a pipe"
    if stat.S_ISDIR(mode):
        return "a folder"
    return "a device"


def read_file(path: str | PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Return what is in the file, still packed if it is.

    Raises ReplayError if it cannot be had or is too long.
    """
    place = Path(path)
    try:
        if place.is_dir():  # asked first, because Windows does not open folders at all
            raise ReplayError(f"{place} is a folder, not a replay; name the files in it")
        with open_regular(place) as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise ReplayError(f"there is no file {place}") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = getattr(error, "strerror", None) or str(error)
        raise ReplayError(f"{place} cannot be read: {reason}") from error
    if len(data) > most:
        raise TooLong(f"{place} has more than {_mebibytes(most)}, too much for a replay")
    return data


def unpack(data: bytes, most: int = MOST_BYTES) -> Iterator[bytes]:
    """Yield the recording piece by piece, unpacked if it is packed.

    In pieces a small file that unpacks to gigabytes costs no memory.

    Raises TooLong at the limit, and ReplayError where the packing is damaged, after all that comes
    before.
    """
    if not data.startswith(_GZIP):
        for start in range(0, len(data), _PIECE):
            yield data[start : start + _PIECE]
        return
    size = 0
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        while True:
            try:
                # read1, because read throws away what it has when it meets the end too early.
                piece = packed.read1(_PIECE)
            except EOFError:
                raise ReplayError("the gzip file is cut off") from None
            except (OSError, zlib.error) as error:
                raise ReplayError(f"the gzip file is broken: {error}") from None
            if not piece:
                return
            size += len(piece)
            if size > most:
                raise TooLong(f"it unpacks to more than {_mebibytes(most)}, too much for a replay")
            yield piece


def _mebibytes(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB" if size >= 1024 * 1024 else f"{size} bytes"
