"""Put packets in their places, on the wire and in replay files.

A packet is text that begins in column 0 and ends without a newline, as ``encode_request``,
``encode_response`` and ``room`` make it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from spielleiter.wire import messages
from spielleiter.wire.dialects import BASE, Dialect
from spielleiter.wire.elements import indent, quote

if TYPE_CHECKING:
    from spielleiter.wire.messages import Response, WrittenResponse

OPEN = "<protocol>"
"""Before the first packet; the official servers send it together with that."""
CLOSE = "\n</protocol>"


def frame(packet: str) -> bytes:
    """Return a packet as it goes over the wire, on a new line and one level in."""
    return ("\n" + indent(packet, 1)).encode("utf-8", "replace")


def room(room_id: str, data: str) -> str:
    """Wrap a ``<data class=...>`` element in column 0, a codec's move or result, for a room."""
    return f"<room roomId={quote(room_id)}>\n{indent(data, 1)}\n</room>"


def replay_text(packets: Iterable[str]) -> str:
    """Return a replay file, with room packets in column 0, one after the other."""
    return OPEN + "\n" + "".join(packet + "\n" for packet in packets) + "</protocol>"


# --- single packets, for callers that have no message yet -----------------------------------------


def joined(room_id: str) -> str:
    return _encode(messages.Joined(room_id))


def left(room_id: str) -> str:
    return _encode(messages.Left(room_id))


def observed(room_id: str) -> str:
    return _encode(messages.Observed(room_id))


def welcome(dialect: Dialect, room_id: str, color: str) -> str:
    return _encode(messages.Welcome(room_id, color), dialect)


def memento(room_id: str, state: str) -> str:
    return _encode(messages.Memento(room_id, state))


def move_request(dialect: Dialect, room_id: str) -> str:
    return _encode(messages.MoveRequest(room_id), dialect)


def paused_notice(room_id: str, paused: bool) -> str:
    return _encode(messages.PausedNotice(room_id, paused))


def room_error(dialect: Dialect, room_id: str, message: str, original: str | None = None) -> str:
    return _encode(messages.RoomError(room_id, message, original), dialect)


def _encode(message: Response | WrittenResponse, dialect: Dialect = BASE) -> str:
    from spielleiter.wire.responses import encode_response  # it puts packets into rooms with us

    return encode_response(message, dialect)
