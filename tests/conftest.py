"""Hypothesis profiles, and what keeps a test from hanging for ever or leaving programs behind.

Profiles are short by default and in CI, long with HYPOTHESIS_PROFILE=long.
"""

import faulthandler
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, settings

import children
import wheels

os.environ.pop(
    "SPIELLEITER_GAME", None
)  # whoever runs the tests may have chosen a season of their own

_COMMON = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}
settings.register_profile("default", max_examples=50, **_COMMON)
settings.register_profile("ci", max_examples=50, derandomize=True, **_COMMON)
settings.register_profile("long", max_examples=5000, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

BROWSER_TESTS = "BROWSER_TESTS"
"""The variable that lets the tests in a browser run. ``make browser`` sets it."""
collect_ignore = [] if os.environ.get(BROWSER_TESTS) else ["browser"]

LIMIT = 300 if os.environ.get("HYPOTHESIS_PROFILE") != "long" else 7200
"""Seconds for each of a test's set-up, call and teardown; none needs a tenth of it."""
_STUCK = 60
"""Seconds after that in which a test that does not even hear the alarm loses its whole process."""
_REAL_STDERR = os.dup(2) if sys.platform != "win32" else None


def pytest_configure() -> None:
    children.hear_signals()
    children.watch_over()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not wheels.IS_THERE:
        left_out = pytest.mark.skip(reason="needs spielleiter-engine, which make engine builds")
        for item in items:
            if item.get_closest_marker("wheel") is not None:
                item.add_marker(left_out)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = [report.longrepr for report in terminalreporter.stats.get("skipped", [])]
    if any("spielleiter-engine" in str(reason) for reason in reasons):
        terminalreporter.write_line("left out: tests of the engine, which make engine builds")
    if collect_ignore and terminalreporter.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        terminalreporter.write_line("left out: the tests in a browser, which make browser runs")


@contextmanager
def _limited(item: pytest.Item) -> Iterator[None]:
    """Fail what takes too long, where it stands, so that its ``finally`` clauses run."""
    if _REAL_STDERR is None:
        yield
        return

    def end(*_: object) -> None:
        pytest.fail(f"{item.nodeid} took longer than {LIMIT} s")

    before = signal.signal(signal.SIGALRM, end)
    signal.alarm(LIMIT)
    faulthandler.dump_traceback_later(LIMIT + _STUCK, exit=True, file=_REAL_STDERR)
    try:
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, before)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    with _limited(item):
        done = yield
        left = children.left_behind()
        assert not left, f"still running after {item.nodeid}: {left}"
        return done
