"""Everything that can be wrong with bytes somebody sends us.

    ProtocolError
    ├── MalformedXml       not the XML we take: broken, not UTF-8, a DOCTYPE, an entity
    ├── LimitExceeded      more than we hold for one peer; names the limit and its value
    ├── UnknownMessage     well-formed, but no message of this protocol; names the tag
    └── BadMessage         a known message with something missing or unreadable; names the place

    GameError (of ``rules``)
    ├── CodecError         an element that is not a move, position or result of its game
    └── ReplayError        a recorded match that is cut or contradicts itself; names the place

The first two end a stream, for nothing after them can be trusted. The other two ProtocolErrors
concern one message. The stream goes on, and whoever owns it decides whether the peer may.
"""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.rules.errors import GameError


class ProtocolError(Exception):
    """Root of all errors about a peer's input.

    ``reason`` says what is wrong and what to do instead.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class MalformedXml(ProtocolError):
    """The stream is not XML as we take it.

    ``offset`` counts bytes from the start of the stream, from 0.
    """

    def __init__(self, reason: str, offset: int | None = None) -> None:
        super().__init__(reason if offset is None else f"{reason} (at byte {offset} of the stream)")
        self.offset = offset


class LimitExceeded(ProtocolError):
    """The peer sent more than ``limit_name`` allows. The names are those of ``StreamLimits``."""

    def __init__(self, limit_name: str, value: int) -> None:
        super().__init__(
            f"more than {value} {limit_name.replace('_', ' ')}: send less, or raise limit "
            f"{limit_name}"
        )
        self.limit_name = limit_name
        self.value = value


class UnknownMessage(ProtocolError):
    """A message nobody here knows."""

    def __init__(self, tag: str, known: Iterable[str] = ()) -> None:
        names = ", ".join(f"<{name}>" for name in known)
        super().__init__(
            f"unknown message <{tag[:80]}>" + (f"; known are {names}" if names else "")
        )
        self.tag = tag


class BadMessage(ProtocolError):
    """A known message that cannot be read.

    ``where`` is a path such as ``prepare/slot@canTimeout``.
    """

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.problem = reason


class CodecError(GameError):
    """An element that cannot be understood. ``where`` is a path such as ``data/piece@kind``."""

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}")
        self.where = where
        self.reason = reason


class ReplayError(GameError):
    """A recorded match that is cut short or contradicts the rules."""
