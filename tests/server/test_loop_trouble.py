"""What asyncio reports becomes a line in the log, but not a thousand of them."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

from spielleiter.server.logs import TextFormatter
from spielleiter.server.loop_trouble import PAUSE, LoopTrouble

if TYPE_CHECKING:
    import pytest


def test_one_line_with_the_reason_and_then_a_pause(caplog: pytest.LogCaptureFixture) -> None:
    now = 5.0
    loop = asyncio.new_event_loop()
    try:
        loop.set_exception_handler(LoopTrouble(lambda: now).report)
        with caplog.at_level(logging.WARNING, "spielleiter"):
            loop.call_exception_handler({"message": "accept", "exception": OSError(24, "Too many")})
            loop.call_exception_handler({"message": "within the pause"})
            now += PAUSE + 0.01
            loop.call_exception_handler({"message": "later"})
    finally:
        loop.close()
    lines = [TextFormatter().format(record) for record in caplog.records]
    assert len(lines) == 2
    assert "trouble with the network" in lines[0]
    assert "Too many" in lines[0]
    assert lines[1].endswith("reason=later")
