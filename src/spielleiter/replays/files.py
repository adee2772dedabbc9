"""Bytes of a recording from a file: plain or gzip, told apart by content, never more than a limit. No XML here."""

from __future__ import annotations

import gzip
import io
import zlib
from os import PathLike
from pathlib import Path

from spielleiter.rules import ReplayError

MOST_BYTES = 256 * 1024 * 1024
"""Of one recording, unpacked. An official replay has 1.5 MB at most; a stream of many games may have more."""

_GZIP = b"\x1f\x8b"
_PIECE = 1024 * 1024


def read_file(path: str | PathLike[str], most: int = MOST_BYTES) -> bytes:
    """What is in the file, still packed if it is; raises ReplayError if it cannot be had or is too long."""
    place = Path(path)
    if place.is_dir():
        raise ReplayError(f"{place} is a folder, not a replay; name the files in it")
    try:
        with place.open("rb") as file:
            data = file.read(most + 1)  # bounded, so that a pipe or device that never ends does no harm
    except FileNotFoundError:
        raise ReplayError(f"there is no file {place}") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a null character
        reason = getattr(error, "strerror", None) or str(error)
        raise ReplayError(f"{place} cannot be read: {reason}") from error
    if len(data) > most:
        raise ReplayError(f"{place} has more than {_mebibytes(most)}, too much for a replay")
    return data


def unpack(data: bytes, source: str, most: int = MOST_BYTES) -> tuple[bytes, str | None]:
    """The recording itself, and what is wrong with its packing if something is.

    A packed file that is cut still gives what comes before the cut. Unpacking stops at the limit, however much
    a small file may promise.
    """
    if not data.startswith(_GZIP):
        return data, None
    found: list[bytes] = []
    size = 0
    damage = None
    with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
        while True:
            try:
                # read1, because read throws away what it has when it meets the end too early.
                piece = packed.read1(_PIECE)
            except (EOFError, OSError, zlib.error) as error:
                damage = (
                    "the gzip file is cut off" if isinstance(error, EOFError) else f"the gzip file is broken: {error}"
                )
                break
            if not piece:
                break
            found.append(piece)
            size += len(piece)
            if size > most:
                raise ReplayError(f"{source} unpacks to more than {_mebibytes(most)}, too much for a replay")
    return b"".join(found), damage


def _mebibytes(size: int) -> str:
    return f"{size // (1024 * 1024)} MiB" if size >= 1024 * 1024 else f"{size} bytes"
