"""Bytes that came, read bit by bit into events, and what that costs."""

from __future__ import annotations

from spielleiter.server import work
from spielleiter.server.inbox import Inbox
from spielleiter.wire.elements import Element
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import StreamEvent


def inbox_with(*pieces: tuple[bytes, float]) -> Inbox:
    inbox = Inbox(StreamLimits())
    for data, arrival in pieces:
        inbox.append(data, arrival)
    return inbox


def read_all(inbox: Inbox) -> list[tuple[StreamEvent, float, int]]:
    taken = []
    while inbox.events or inbox.unread:
        if inbox.events:
            taken.append(inbox.take_event())
        else:
            inbox.read_piece()
    return taken


def test_a_message_has_the_time_at_which_its_last_byte_came() -> None:
    inbox = inbox_with((b"<protocol><le", 1.0), (b"ft/><jo", 2.0), (b"in/>", 3.0))
    events = [(event.tag, at) for event, at, _ in read_all(inbox) if isinstance(event, Element)]
    assert events == [("left", 2.0), ("join", 3.0)]


def test_a_message_that_is_not_finished_began_when_its_first_byte_came() -> None:
    inbox = inbox_with((b"<protocol>", 1.0), (b"<le", 2.0), (b"ft", 3.0))
    read_all(inbox)
    assert inbox.heard_at == 2.0
    inbox.append(b"/><jo", 4.0)
    read_all(inbox)
    assert inbox.heard_at == 4.0
    inbox.append(b"in/>", 5.0)
    read_all(inbox)
    assert inbox.heard_at is None


def test_much_is_read_in_pieces_that_cost_what_is_in_them() -> None:
    data = b"<protocol><left>" + b"<a/>" * 1000 + b"</left>"
    inbox = inbox_with((data, 1.0))
    pieces = 0
    while inbox.unread:
        cost = inbox.read_piece()
        pieces += 1
        assert cost <= work.PIECE // 4 + work.PIECE // work.BYTES
        assert inbox.in_message
    assert pieces == -(-len(data) // work.PIECE)
    _, _, cost = inbox.take_event()
    assert cost == work.MESSAGE + data.count(b"<") // work.LOOKED_AT
    assert not inbox.in_message


def test_the_end_waits_its_turn() -> None:
    inbox = inbox_with((b"<protocol><left/>", 1.0))
    inbox.append_end(2.0)
    first, *rest = read_all(inbox)
    assert isinstance(first[0], Element)
    assert [(isinstance(event, Element), arrival) for event, arrival, _ in rest] == [(False, 2.0)]


def test_what_is_cleared_is_not_read() -> None:
    inbox = inbox_with((b"<protocol>" + b"<left/>" * 200, 1.0), (b"<join/>", 2.0))
    inbox.read_piece()
    inbox.clear()
    assert not inbox.unread
    assert not inbox.events
