"""The player's clock on a time that the test turns."""

from __future__ import annotations

import math

import pytest

from spielleiter.client.clock import MoveClock, format_seconds, parse_seconds


def test_it_counts_from_the_arrival():
    now = [100.0]
    clock = MoveClock(2.0, 99.5, lambda: now[0])
    assert (clock.elapsed, clock.remaining) == (0.5, 1.5)
    now[0] = 101.0
    assert (clock.elapsed, clock.remaining) == (1.5, 0.5)
    assert repr(clock) == "<MoveClock 1.500 s of 2 s>"
    now[0] = 105.0
    assert clock.remaining == 0.0


def test_without_a_limit():
    assert MoveClock(math.inf).remaining == math.inf


@pytest.mark.parametrize("seconds", [0.25, 2.0, 10.0, math.inf])
def test_limits_as_text(seconds):
    assert parse_seconds(format_seconds(seconds)) == seconds


@pytest.mark.parametrize("text", ["", "0", "-1", "nan", "two", "2s"])
def test_what_is_no_limit(text):
    with pytest.raises(ValueError, match=r"seconds|float"):
        parse_seconds(text)
