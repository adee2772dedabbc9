"""Put packets in their places, on the wire and in replay files.

A packet is text that begins in column 0 and ends without a newline, as ``encode_request``,
``encode_response`` and ``room`` make it.
"""

from __future__ import annotations

from collections.abc import Iterable

from spielleiter.wire.elements import indent, quote

OPEN = "<protocol>"
"""What stands before the first packet. The official servers send both together."""
CLOSE = "\n</protocol>"
_STATE_LEVEL = 3
"""A position is in a ``data`` in a ``room`` below the root."""


def frame(packet: str) -> bytes:
    """Return a packet as it goes over the wire, on a new line and one level in."""
    return ("\n" + indent(packet, 1)).encode("utf-8", "replace")


def room(room_id: str, data: str) -> str:
    """Wrap a ``<data class=...>`` element in column 0, a codec's move or result, for a room."""
    return f"<room roomId={quote(room_id)}>\n{indent(data, 1)}\n</room>"


def state_frame(room_id: str) -> tuple[bytes, bytes]:
    """Return what goes over the wire before and after the text of a position.

    The text between them is what ``shift_state`` returns. Together they are what ``frame`` makes of
    the packet, but shifted once only.
    """
    head = f'\n  <room roomId={quote(room_id)}>\n    <data class="memento">\n'
    return head.encode("utf-8", "replace"), b"\n    </data>\n  </room>"


def shift_state(text: str) -> bytes:
    """Return the text of a position as it stands in its frame."""
    return indent(text, _STATE_LEVEL).encode("utf-8", "replace")


def replay_text(packets: Iterable[str]) -> str:
    """Return a replay file, with room packets in column 0, one after the other."""
    return OPEN + "\n" + "".join(packet + "\n" for packet in packets) + "</protocol>"
