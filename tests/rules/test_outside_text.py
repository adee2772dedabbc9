"""What may pass the border to XML and to a terminal, and what becomes of the rest."""

from __future__ import annotations

import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spielleiter.games import all_games
from spielleiter.replays import MatchRecord, RecordedPosition, parse_replay
from spielleiter.rules import one_line
from spielleiter.rules.outside_text import LONGEST_LINE
from spielleiter.wire.elements import escape, quote, xml_text

ANYTHING = st.text(st.characters(categories=None), max_size=2 * LONGEST_LINE)
"""Halves of surrogate pairs, too, as Python makes them of bytes that are no UTF-8."""
CODECS = [codec for game in all_games() for codec in game.codecs.values()]


@given(ANYTHING)
def test_nothing_that_is_shown_steers_a_terminal(text: str) -> None:
    shown = one_line(text)
    assert len(shown) <= 4 * LONGEST_LINE + 1, "tabs may become four"
    assert not any(
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in shown
    )
    bidirectional = ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
    assert not any(unicodedata.bidirectional(character) in bidirectional for character in shown)
    assert one_line(shown, len(shown)) == shown
    shown.encode()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Häsin 🐇 der 1.", "Häsin 🐇 der 1."),
        ("👩\u200d💻", "👩\u200d💻"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07name", "name"),
        ("\x1b]8;;http://x\x1b\\link", "link"),
        ("\x9b2Jgone", "gone"),
        ("\x1b\x1b[0m[31mnot red", "\ufffd[31mnot red"),
        ("abc\u202edef\u2066", "abc\ufffddef\ufffd"),
        ("a\r\nb\nc\x0bd\u2028e\x85f", "a b c d e f"),
        ("\tif x:", "    if x:"),
        ("bell\x07 null\x00 delete\x7f", "bell\ufffd null\ufffd delete\ufffd"),
        ("no utf-8: \udcff", "no utf-8: \ufffd"),
        ("x" * 501, "x" * 500 + "…"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert one_line(text) == shown


@given(ANYTHING)
def test_any_text_can_be_written_as_xml(text: str) -> None:
    found = ElementTree.fromstring(f"<a b={quote(text)}>{escape(text)}</a>".encode())
    assert found.get("b") == found.text or not text
    assert found.get("b") == xml_text(text)


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: f"{codec.game.id}-{codec.revision}")
@given(text=ANYTHING)
def test_a_replay_can_be_read_whatever_the_players_say(codec, text: str) -> None:  # W113
    start = codec.game.start(1)
    after = start.play(start.legal_moves()[0])
    shown = [RecordedPosition(start), RecordedPosition(after, (text, "hint"), 0.5)]
    record = MatchRecord(codec, text, (text, "b"), shown, [], None, after.outcome(), after)
    found = parse_replay(record.format_replay().encode(), "x")
    assert found.damage is None
    assert len(found.positions) == 2
    assert found.outcome is not None
