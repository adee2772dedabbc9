"""Numbers, times and words in both languages."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from spielleiter.arena.results.report.language import Language

EN, DE = Language("en"), Language("de")


def test_numbers() -> None:
    assert EN.number(1234567.891, 2) == "1,234,567.89"
    assert DE.number(1234567.891, 2) == "1.234.567,89"
    assert EN.number(5, signed=True) == "+5"
    assert EN.number(-5, signed=True) == "\N{MINUS SIGN}5"
    assert EN.number(-0.4, signed=True) == "0"
    assert DE.percent(0.625).replace("\xa0", " ") == "62 %"


@pytest.mark.parametrize(
    ("seconds", "english"),
    [
        (0.00001, "10 µs"),
        (0.000056, "56 µs"),
        (0.0001, "0.1 ms"),
        (0.001, "1 ms"),
        (0.0123, "12 ms"),
        (0.1, "100 ms"),
        (1.0, "1 s"),
        (1.84, "1.8 s"),
        (12.7, "13 s"),
        (150, "2 min 30 s"),
        (7300, "2 h 1 min"),
    ],
)
def test_times_are_short(seconds: float, english: str) -> None:
    assert EN.seconds(seconds).replace("\xa0", " ") == english


def test_words() -> None:
    assert EN.count(1, ("Spiel", "Spiele"), ("game", "games")) == "1 game"
    assert DE.count(1200, ("Spiel", "Spiele"), ("game", "games")) == "1.200 Spiele"
    when = datetime(2027, 1, 2, 3, 4, tzinfo=UTC)
    assert (EN.moment(when), DE.moment(when)) == ("2027-01-02, 03:04", "02.01.2027, 03:04")
