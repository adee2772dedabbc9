"""Log lines are one per event, safe to show in a terminal and complete as JSON."""

import io
import json
import logging
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.server.logs import ROOT, configure_logging, describe_error, log_event

LOG = logging.getLogger(f"{ROOT}.test")
Configure = Callable[..., io.StringIO]


@pytest.fixture
def configure() -> Iterator[Configure]:
    undo: list[Callable[[], None]] = []

    def start(level: str = "info", **options: bool) -> io.StringIO:
        stream = io.StringIO()
        undo.append(configure_logging(level, stream=stream, **options))
        return stream

    yield start
    for stop in undo:
        stop()


def fail() -> ValueError:
    try:
        raise ValueError("bad\nmove")
    except ValueError as error:
        return error


def test_a_line_has_time_level_event_and_fields(configure: Configure) -> None:
    stream = configure()
    log_event(
        LOG,
        "room opened",
        room="ab-1",
        name="Team A",
        seats=2,
        took=0.25,
        paused=False,
        nothing=None,
        empty="",
    )
    date, clock, level, rest = stream.getvalue().rstrip("\n").split(maxsplit=3)
    assert (len(date), len(clock), level) == (10, 12, "INFO")
    assert rest == 'room opened room=ab-1 name="Team A" seats=2 took=0.250 paused=false empty=""'


def test_below_the_level_nothing_is_written(configure: Configure) -> None:
    stream = configure("warning")
    log_event(LOG, "quiet")
    assert stream.getvalue() == ""
    log_event(LOG, "100% loud", level=logging.WARNING)
    assert "WARNING 100% loud\n" in stream.getvalue()


def test_a_clients_mistake_is_one_line(configure: Configure) -> None:
    stream = configure()
    log_event(LOG, "move refused", error=fail())
    log_event(LOG, "message refused", level=logging.WARNING, error=fail())
    LOG.info("by the usual call", exc_info=fail())
    lines = stream.getvalue().splitlines()
    assert len(lines) == 3
    assert all(line.endswith('error="ValueError: bad move"') for line in lines)


def test_our_own_mistake_shows_where(configure: Configure) -> None:
    stream = configure()
    log_event(LOG, "bug", level=logging.ERROR, error=fail(), room="r")
    assert "bug room=r\nTraceback" in stream.getvalue()
    assert "in fail" in stream.getvalue()


def test_json_lines(configure: Configure) -> None:
    stream = configure(json_lines=True)
    log_event(
        LOG,
        "join",
        name='Grün \x1b[31m"x"',
        seats=(1, 2),
        level=logging.INFO,
        time="never",
        nothing=None,
        left=float("inf"),
    )
    log_event(LOG, "bug", level=logging.ERROR, error=fail())
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert first.pop("time")[-1] == "Z"
    assert first == {
        "level": "info",
        "logger": "spielleiter.test",
        "event": "join",
        "name": 'Grün "x"',
        "seats": [1, 2],
        "time_": "never",
        "nothing": None,
        "left": "inf",
    }
    assert second["error"] == "ValueError: bad move"
    assert second["traceback"].startswith("Traceback")


@pytest.mark.parametrize("json_lines", [False, True])
@given(st.text(), st.text())
def test_whatever_a_client_calls_itself_the_event_is_one_line(
    json_lines: bool, name: str, message: str
) -> None:
    stream = io.StringIO()
    stop = configure_logging(stream=stream, json_lines=json_lines)
    try:
        log_event(LOG, "join", name=name, error=ValueError(message))
    finally:
        stop()
    text = stream.getvalue()
    assert len(text.splitlines()) == 1
    text.encode()


def test_a_stack_trace_steers_no_terminal(configure: Configure) -> None:
    stream = configure()
    log_event(LOG, "bug", level=logging.ERROR, error=ValueError("a\x1b[2Jb\u202ec"))
    assert "ValueError: ab\ufffdc" in stream.getvalue()


def test_describe_error() -> None:
    assert describe_error(TimeoutError()) == "TimeoutError"
    assert describe_error(ValueError("a\n  b")) == "ValueError: a b"


def test_the_queue_delivers_everything_before_it_stops(configure: Configure) -> None:
    stream = io.StringIO()
    stop = configure_logging(stream=stream, queue=True)
    for number in range(100):
        log_event(LOG, "event", number=number, error=fail())
    stop()
    lines = stream.getvalue().splitlines()
    assert [f"number={number} " in line for number, line in enumerate(lines)] == [True] * 100


def test_configuring_again_replaces_and_undoing_leaves_nothing(configure: Configure) -> None:
    first, second = configure(), configure()
    log_event(LOG, "once")
    assert first.getvalue() == ""
    assert second.getvalue().count("once") == 1
    threaded = configure_logging(stream=second, queue=True)
    log_event(LOG, "written by the thread")
    stop = configure_logging(stream=second)
    assert "written by the thread" in second.getvalue()
    threaded()
    log_event(LOG, "still there")
    assert "still there" in second.getvalue()
    stop()
    root = logging.getLogger(ROOT)
    assert (root.handlers, root.propagate, root.level) == ([], True, logging.NOTSET)
