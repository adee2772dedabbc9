"""Everything the official servers and their clients were heard to say is read, however it
is cut.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import recorded
from spielleiter.wire.elements import Element
from spielleiter.wire.errors import MalformedXml, UnknownMessage
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import UnknownServerMessage
from spielleiter.wire.requests import decode_request
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import MessageStream, StreamEnd, StreamEvent

CONNECTIONS = [
    (version, scenario, connection)
    for version in recorded.versions()
    for scenario in recorded.scenarios(version)
    for connection in recorded.connections(version, scenario)
]
LIMITS = {"client": StreamLimits(), "server": StreamLimits.for_client()}


def read(pieces: Iterable[bytes], limits: StreamLimits) -> list[StreamEvent]:
    stream = MessageStream(limits)
    events: list[StreamEvent] = []
    for piece in pieces:
        stream.receive_data(piece)
        events += stream.events_received()
    stream.receive_eof()
    return events + stream.events_received()


def plain(element: Element) -> object:
    """Return the element for comparison with the tree parser.

    That one keeps only the space before the first child, which is layout anyway.
    """
    text = element.text.strip() if element.children else element.text
    return element.tag, dict(element.attributes), [plain(child) for child in element.children], text


def random_pieces(data: bytes, seed: int) -> Iterator[bytes]:
    dice = random.Random(seed)
    at = 0
    while at < len(data):
        size = dice.choice((1, 2, 3, 7, 50, 1000, 20000))
        yield data[at : at + size]
        at += size


def summary(events: list[StreamEvent]) -> list[object]:
    return [
        event if isinstance(event, Element | StreamEnd) else (type(event), str(event))
        for event in events
    ]


@pytest.mark.parametrize("version", recorded.versions())
@pytest.mark.parametrize("sender", ["client", "server"])
def test_whole_streams_equal_the_standard_librarys_reading(version: str, sender: str) -> None:
    count = 0
    for _, scenario, connection in (entry for entry in CONNECTIONS if entry[0] == version):
        text = recorded.text(version, scenario, connection, sender)
        events = read([text.encode()], LIMITS[sender])
        found = [event for event in events if isinstance(event, Element)]
        expected = list(recorded.elements(text))
        assert [plain(element) for element in found] == [plain(element) for element in expected], (
            scenario,
            connection,
        )
        assert len(events) == len(found) + 1, "one end, and nothing after it"
        if sender == "server":
            assert not any(
                isinstance(decode_response(element), UnknownServerMessage) for element in found
            )
        count += len(found)
    assert count > 0 or (sender == "client" and "full-game" in recorded.scenarios(version))


@pytest.mark.parametrize("sender", ["client", "server"])
def test_streams_cut_at_random_read_the_same(sender: str) -> None:
    dice = random.Random(3)
    for version, scenario, connection in dice.sample(CONNECTIONS, 40):
        data = recorded.text(version, scenario, connection, sender).encode()[:100_000]
        whole = summary(read([data], LIMITS[sender]))
        for seed in range(2):
            assert summary(read(random_pieces(data, seed), LIMITS[sender])) == whole, (
                version,
                scenario,
                connection,
            )


@pytest.mark.parametrize("sender", ["client", "server"])
def test_streams_byte_by_byte_read_the_same(sender: str) -> None:
    dice = random.Random(4)
    for version, scenario, connection in dice.sample(CONNECTIONS, 12):
        data = recorded.text(version, scenario, connection, sender).encode()[:25_000]
        single = read((data[at : at + 1] for at in range(len(data))), LIMITS[sender])
        assert summary(single) == summary(read([data], LIMITS[sender])), (
            version,
            scenario,
            connection,
        )


@settings(max_examples=60, deadline=None)
@given(
    entry=st.sampled_from(CONNECTIONS),
    cuts=st.lists(st.integers(0, 6000), max_size=12),
    trailing=st.binary(),
)
def test_cuts_and_trailing_bytes_change_nothing(
    entry: tuple[str, str, str], cuts: list[int], trailing: bytes
) -> None:
    text = recorded.text(*entry, "client").partition("</protocol>")[0]
    whole = read([text.encode() + b"</protocol>"], StreamLimits())
    data = text.encode() + b"</protocol>" + trailing
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges) if start < end]
    assert summary(read(pieces, StreamLimits())) == summary(whole)


def test_every_recorded_request_is_known_and_holds_nothing_unknown() -> None:
    unknown = set()
    for entry in CONNECTIONS:
        for element in recorded.messages(*entry, "client"):
            try:
                assert decode_request(element).discarded == ()
            except UnknownMessage as error:
                unknown.add(error.tag)
    assert unknown == {"dance"}, "the one that was sent on purpose"


def test_the_recorded_nonsense_is_refused_after_what_came_before() -> None:
    data = recorded.text("21.4.0", "bad-xml", "two", "client").encode()
    *messages, fault = read([data], StreamLimits())
    assert [message.tag for message in messages] == ["joinPrepared", "room", "room"]
    assert isinstance(fault, MalformedXml)
    (refusal,) = read(
        [recorded.text("21.4.0", "lobby-errors", "not-xml", "client").encode()], StreamLimits()
    )
    assert isinstance(refusal, MalformedXml)
    assert refusal.offset == 0
