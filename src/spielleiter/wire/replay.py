"""Read recorded games from official replay files and raw streams as players or observers saw them.

Only the packets are found here. What is in them is for the game's codec, and files are opened
elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from spielleiter.wire.elements import Element
from spielleiter.wire.errors import ProtocolError, ReplayError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import MessageStream, StreamEnd

_PIECE = 64 * 1024


def read_packets(
    recording: str | bytes | Iterable[bytes], limits: StreamLimits | None = None
) -> Iterator[Element]:
    """Yield the ``<room>`` elements in order, and pass over everything else.

    The recording may come in pieces.

    Raises ReplayError where the recording is cut inside a packet or broken, after yielding all that
    came before. A raw stream may end between packets without ``</protocol>``, because servers do
    not always close.
    """
    stream = MessageStream(limits or StreamLimits.for_client())
    found = size = 0
    is_empty = True
    for piece in _pieces(recording):
        size += len(piece)
        is_empty = is_empty and not piece.strip()
        if not piece:  # whoever reads a file in pieces may come by one without bytes
            continue
        stream.receive_data(piece)
        for event in stream.events_received():
            match event:
                case Element(tag="room"):
                    found += 1
                    yield event
                case ProtocolError():
                    raise ReplayError(
                        f"the recording is broken after packet {found}: {event}"
                    ) from event
    stream.receive_eof()
    for event in stream.events_received():
        if isinstance(event, StreamEnd) and event.unfinished:
            raise ReplayError(f"the recording is cut off inside packet {found + 1}, at byte {size}")
    if is_empty:
        raise ReplayError("the recording is empty")


def _pieces(recording: str | bytes | Iterable[bytes]) -> Iterable[bytes]:
    data = recording.encode("utf-8", "surrogatepass") if isinstance(recording, str) else recording
    if not isinstance(data, bytes):
        return data
    return (data[start : start + _PIECE] for start in range(0, len(data), _PIECE))
