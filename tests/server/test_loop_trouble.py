"""What asyncio reports becomes a line in the log, but not a thousand of them."""

from __future__ import annotations

import asyncio
import logging

import pytest

from spielleiter.server.logs import TextFormatter
from spielleiter.server.loop_trouble import PAUSE, LoopTrouble


@pytest.fixture
def loop() -> object:
    return None  # the report does not look at it


def test_one_line_with_the_reason_and_then_a_pause(
    loop: asyncio.AbstractEventLoop, caplog: pytest.LogCaptureFixture
) -> None:
    now = 5.0
    trouble = LoopTrouble(lambda: now)
    with caplog.at_level(logging.WARNING, "spielleiter"):
        trouble.report(loop, {"message": "accept failed", "exception": OSError(24, "Too many")})
        trouble.report(loop, {"message": "within the pause"})
        now += PAUSE + 0.01
        trouble.report(loop, {"message": "later"})
    lines = [TextFormatter().format(record) for record in caplog.records]
    assert len(lines) == 2
    assert "trouble with the network" in lines[0]
    assert "Too many" in lines[0]
    assert lines[1].endswith("reason=later")
