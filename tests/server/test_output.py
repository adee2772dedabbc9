"""Packets that are gathered and written in one piece."""

from __future__ import annotations

import asyncio

from spielleiter.server.output import OPEN, Output


class Transport(asyncio.Transport):
    """Keeps what is written, of which ``waiting`` bytes were not read."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.waiting = 0

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.written.append(bytes(data))

    def get_write_buffer_size(self) -> int:
        return self.waiting


def test_everything_leaves_in_one_piece_behind_one_opening() -> None:
    output, transport = Output(), Transport()
    output.packets += [b"one", b"two"]
    transport.waiting = 6
    assert output.write_to(transport) == 6
    assert not output.packets
    output.packets.append(b"three")
    output.write_to(transport)
    assert transport.written == [OPEN + b"onetwo", b"three"]


def test_who_waits_is_told_once_and_may_wait_again() -> None:
    output, told = Output(), []

    def first() -> None:
        told.append("first")
        output.when_sent(lambda: told.append("second"))

    output.when_sent(first)
    output.tell_sent()
    assert told == ["first"]
    output.tell_sent()
    output.tell_sent()
    assert told == ["first", "second"]


def test_who_waits_for_nothing_is_forgotten() -> None:
    output, told = Output(), []
    output.when_sent(lambda: told.append("sent"))
    output.forget_waiters()
    output.tell_sent()
    assert told == []


def test_a_peer_reads_when_less_waits_than_before() -> None:
    output, transport = Output(), Transport()
    seen = []
    for transport.waiting in (100, 100, 90, 95, 0):
        seen.append(output.has_become_less(transport))
    assert seen == [False, False, True, False, True]
    assert not output.has_become_less(None)
