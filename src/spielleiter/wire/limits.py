"""Limit how much one peer may make us hold. Every number has its reason, and all can be set."""

from __future__ import annotations

from typing import Self

from spielleiter.rules.frozen import frozen


@frozen
class StreamLimits:
    """Limits of one incoming stream.

    The defaults are those of a server that reads requests and moves.
    """

    message_bytes: int = 64 * 1024
    """The last tag of a message must begin within this.

    Real moves have 100 to 400 bytes. The largest request, a 2018 ``prepare`` with a position in it,
    has about 6 KiB. Hints may be long.
    """

    token_bytes: int = 8 * 1024
    """One tag, comment or instruction.

    An unfinished token is scanned again with every piece that arrives, so this bounds the work of a
    peer that sends byte by byte. 8 KiB cost some 60 ms in all.
    """

    gap_bytes: int = 1024 * 1024
    """White space and comments between two messages.

    They cost no memory. A peer that sends nothing else for a mebibyte is not playing, while one
    newline a second may go on for twelve days.
    """

    depth: int = 16
    """Elements inside each other in one message. A prepared position has six levels."""

    elements: int = 2000
    """Elements in one message.

    A 2018 position has 90, the fullest of 2021 about 500. Each costs some two
    microseconds, so this bounds the work of a message made of nothing but tags.
    """

    attributes: int = 32
    """Attributes of one element. The widest official element has six."""

    names: int = 256
    """Different tags and attributes in the life of a stream.

    The parser keeps each of them until the connection ends. All revisions of all games together use
    about eighty.
    """

    pending_messages: int = 4096
    """Messages taken in but not yet collected.

    Reached only by a flood of empty messages in one read, and the only limit that depends on how
    often ``events_received`` is called.
    """

    @classmethod
    def for_client(cls) -> Self:
        """Return the limits for a program that reads states.

        A server that we have chosen ourselves is trusted with more than a client, but not with
        everything.
        """
        return cls(
            # A large state has 20 KiB, and so has the largest packet of a replay.
            message_bytes=4 * 1024 * 1024,
            token_bytes=64 * 1024,  # error messages and display names are attributes
            gap_bytes=16 * 1024 * 1024,
            depth=64,
            elements=100_000,
            attributes=64,
            names=4096,
            pending_messages=1_000_000,  # a whole recorded game may be fed at once
        )
