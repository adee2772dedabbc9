"""What one client may ask, counted without a server."""

from __future__ import annotations

from spielleiter.server.conduct import UNKNOWN_MESSAGES, Conduct
from spielleiter.server.limits import ServerLimits


def test_requests_have_a_burst_and_then_a_rate() -> None:
    conduct = Conduct(ServerLimits(messages_per_second=2, message_burst=3), now=0.0)
    assert [conduct.asks_too_much(0.0) for _ in range(4)] == [False, False, False, True]
    assert not conduct.asks_too_much(1.0)


def test_useless_messages_are_forgiven_one_a_second() -> None:
    conduct = Conduct(ServerLimits(useless_messages=2), now=0.0)
    assert [conduct.wastes_too_much(0.0) for _ in range(3)] == [False, False, True]
    assert not conduct.wastes_too_much(2.0)
    assert conduct.wastes_too_much(2.0)


def test_unknown_messages_are_not_forgiven() -> None:
    conduct = Conduct(ServerLimits(), now=0.0)
    assert not any(conduct.is_not_understood() for _ in range(UNKNOWN_MESSAGES))
    assert conduct.is_not_understood()
