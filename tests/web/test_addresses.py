"""Under which names others reach this machine."""

from __future__ import annotations

import socket

from spielleiter.web.addresses import own_address, reachable


def test_own_address_is_one() -> None:
    assert socket.gethostbyname(own_address())


def test_what_listens_somewhere_is_reached_there() -> None:
    assert reachable("::1") == "[::1]"
    assert reachable("localhost") == "localhost"
    assert reachable(None) == own_address()
