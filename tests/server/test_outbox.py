"""Who has something to say, and that it leaves once."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from spielleiter.server.outbox import Outbox
from spielleiter.server.peer import Peer

if TYPE_CHECKING:
    import pytest


class Speaker(Peer):
    """A peer that notes when it is flushed, and then does what it is told."""

    def __init__(self, label: str, left: list[str], then: Callable[[], object] = list) -> None:
        super().__init__()
        self.label, self.left, self.then = label, left, then

    def flush(self) -> None:
        self.left.append(self.label)
        self.then()

    def send(self, data: bytes) -> None:
        raise NotImplementedError

    def when_sent(self, then: Callable[[], None]) -> None:
        raise NotImplementedError

    def close(self, *, after: float = 0.0) -> None:
        raise NotImplementedError

    def keep_open(self) -> None:
        raise NotImplementedError


def test_everybody_leaves_once_in_order() -> None:
    outbox, left = Outbox(), []
    for label in "ab":
        outbox.add(Speaker(label, left))
    assert not outbox.is_empty
    outbox.flush()
    outbox.flush()
    assert left == ["a", "b"]
    assert outbox.is_empty


def test_what_leaving_triggers_leaves_too() -> None:
    outbox, left = Outbox(), []
    late = Speaker("late", left)
    outbox.add(Speaker("early", left, lambda: outbox.add(late)))
    outbox.flush()
    assert left == ["early", "late"]


def test_a_fault_of_one_is_logged_and_costs_nobody_else_anything(
    caplog: pytest.LogCaptureFixture,
) -> None:
    outbox, left = Outbox(), []
    outbox.add(Speaker("broken", left, lambda: 1 // 0))
    outbox.add(Speaker("whole", left))
    with caplog.at_level(logging.ERROR, "spielleiter"):
        outbox.flush()
    assert left == ["broken", "whole"]
    assert [record.getMessage() for record in caplog.records] == ["internal error"]
