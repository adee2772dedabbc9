"""Log what asyncio reports, such as too many open files. It repairs nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from spielleiter.server.logs import describe_error, log_event

logger = logging.getLogger("spielleiter.server")

PAUSE = 1.0
"""Seconds between two lines. Without it there could be a thousand of them a second."""


class LoopTrouble:
    """Takes what a loop reports (``loop.set_exception_handler``), and logs it in one line."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._logged_at: float | None = None

    def report(self, _loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log this trouble, unless something was logged a moment ago."""
        now = self._now()
        if self._logged_at is not None and now - self._logged_at <= PAUSE:
            return
        self._logged_at = now
        error = context.get("exception")
        reason = context.get("message") if error is None else describe_error(error)
        log_event(logger, "trouble with the network", level=logging.WARNING, reason=reason)
