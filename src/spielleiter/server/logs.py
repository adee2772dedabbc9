"""One line per event, for people or as JSON, on the standard library's logging.

Decides nothing about what to log.

What clients send (names, messages) is made harmless by ``rules.one_line``. Below ERROR an exception
is one field of the line and never a stack trace, because below ERROR it is somebody else's mistake.
"""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from logging.handlers import QueueHandler, QueueListener
from math import isfinite
from queue import Full, Queue
from typing import Any, TextIO

from spielleiter.rules import one_line

ROOT = "spielleiter"
"""The logger all of ours hang under; ``configure_logging`` touches this one only."""

LONGEST_QUEUE = 10_000
"""Lines that may wait for a terminal or disk that does not take them."""

_PLAIN = re.compile(r"[^\s\"=]+")


def log_event(
    logger: logging.Logger,
    event: str,
    /,
    *,
    level: int = logging.INFO,
    error: BaseException | None = None,
    **fields: object,
) -> None:
    """Log ``event`` with its fields.

    ``error`` shows its stack trace at level ERROR and above, one line below that.
    """
    if logger.isEnabledFor(level):
        # makeRecord instead of log(): nobody reads the caller's file and line, and finding them is
        # what costs.
        info = None if error is None else (type(error), error, error.__traceback__)
        record = logger.makeRecord(logger.name, level, "", 0, event, (), info)
        record.fields = fields
        logger.handle(record)


class TextFormatter(logging.Formatter):
    """``2027-01-31 14:05:09.123 INFO  room opened room=… name="Team A"``."""

    def __init__(self) -> None:
        super().__init__()
        self._second = -1
        self._shown = ""

    def format(self, record: logging.LogRecord) -> str:
        second = int(record.created)
        if second != self._second:
            self._second, self._shown = (
                second,
                time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(second)),
            )
        line = (
            f"{self._shown}.{int(record.msecs):03d} {record.levelname:<7} "
            f"{one_line(record.getMessage())}"
        )
        for key, value in _fields(record).items():
            if value is not None:
                line += f" {key}={_format_value(value)}"
        if record.exc_info and record.exc_info[1]:
            if record.levelno < logging.ERROR:
                line += f" error={_format_value(record.exc_info[1])}"
            else:
                line += "\n" + _stack(record.exc_info[1])
        return line


class JsonFormatter(logging.Formatter):
    """Writes one JSON object a line, with time (UTC), level, logger, event and then the fields."""

    def format(self, record: logging.LogRecord) -> str:
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        entry: dict[str, Any] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": one_line(record.getMessage()),
        }
        for key, value in _fields(record).items():
            # A field may not pass itself off as the event or the time.
            entry[key + "_" if key in entry else key] = _json_value(value)
        if record.exc_info and record.exc_info[1]:
            entry["error"] = describe_error(record.exc_info[1])
            if record.levelno >= logging.ERROR:
                entry["traceback"] = _stack(record.exc_info[1])
        return json.dumps(entry, ensure_ascii=False, default=_json_value)


class _QueueHandler(QueueHandler):
    """Has a thread do the writing, which ends with ``close``.

    Records pass as they are, because the formatter needs their fields.
    """

    def __init__(self, output: logging.Handler) -> None:
        lines: Queue[logging.LogRecord] = Queue(LONGEST_QUEUE)
        super().__init__(lines)
        self._listener: QueueListener | None = QueueListener(lines, output)
        self._listener.start()

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        """Put the record into the queue, or lose it where the queue is full.

        A log that nobody reads must not take up the memory of the games.
        """
        with contextlib.suppress(Full):
            self.queue.put_nowait(record)

    def close(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.stop()
        super().close()


def configure_logging(
    level: str = "info",
    *,
    json_lines: bool = False,
    stream: TextIO | None = None,
    queue: bool = False,
) -> Callable[[], None]:
    """Send our log to ``stream`` (stderr) and return a function that undoes it.

    Calling it again replaces the former set-up.

    With ``queue`` a thread does the writing, so that a terminal held with Ctrl+S or a full pipe
    stops no game.
    """
    logger = logging.getLogger(ROOT)
    for former in logger.handlers[:]:
        _remove_handler(logger, former)
    handler: logging.Handler = logging.StreamHandler(sys.stderr if stream is None else stream)
    handler.setFormatter(JsonFormatter() if json_lines else TextFormatter())
    if queue:
        handler = _QueueHandler(handler)
    logger.addHandler(handler)
    logger.setLevel(level.upper())
    logger.propagate = False
    return lambda: _remove_handler(logger, handler)


def describe_error(error: BaseException) -> str:
    """Return an exception in one line, with its type and what it says."""
    message = one_line(" ".join(str(error).split()))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def _remove_handler(logger: logging.Logger, handler: logging.Handler) -> None:
    if handler in logger.handlers:
        logger.removeHandler(handler)
        handler.close()
        logger.setLevel(logging.NOTSET)
        logger.propagate = True


def _fields(record: logging.LogRecord) -> Mapping[str, object]:
    fields: Mapping[str, object] = getattr(record, "fields", {})
    return fields


def _format_value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return f"{value:.3f}"
    text = describe_error(value) if isinstance(value, BaseException) else one_line(str(value))
    return text if _PLAIN.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _json_value(value: object) -> object:
    if (
        value is None
        or isinstance(value, bool | int)
        or (isinstance(value, float) and isfinite(value))
    ):
        return value
    if isinstance(value, BaseException):
        return describe_error(value)
    if isinstance(value, list | tuple):
        return [_json_value(one) for one in value]
    return one_line(str(value))


def _stack(error: BaseException) -> str:
    lines = "".join(traceback.format_exception(error)).splitlines()
    return "\n".join(one_line(line) for line in lines)
