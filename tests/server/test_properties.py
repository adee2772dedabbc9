"""The .properties reader agrees with javaproperties on every text."""

import javaproperties
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from spielleiter.server.properties import (
    Entry,
    PropertiesError,
    decode_properties,
    read_entries,
)

# Mostly the characters that mean something, so that short texts reach every rule.
TRICKY = st.text(
    st.sampled_from(list(" \t\f\r\n\\\\\\=:#!abtnfru0123Dd8Cé\u2028\x85\x00☃𝄞")), max_size=40
)
DICTIONARIES = st.dictionaries(st.text(), st.text(), max_size=6)


def parsed(text: str) -> dict[str, str]:
    return {entry.key: entry.value for entry in read_entries(text)}


@given(TRICKY)
@example("a\\\n")
@example("\\\n\\\nb")
@example("key\\\\=value")
@example(" \\\n#not a comment")
@example("a = \\ud834\\udd1e")
def test_reads_every_text_as_java_does(text: str) -> None:
    try:
        expected = javaproperties.loads(text)
    except javaproperties.InvalidUEscapeError:
        with pytest.raises(PropertiesError):
            parsed(text)
    else:
        assert parsed(text) == expected


@given(DICTIONARIES)
def test_reads_what_java_writes(properties: dict[str, str]) -> None:
    assert parsed(javaproperties.dumps(properties)) == properties


@given(
    st.text(st.characters(min_codepoint=0xD800, max_codepoint=0xE000, categories=None), max_size=3)
)
def test_lone_surrogates_are_kept_and_pairs_joined(text: str) -> None:
    joined = text.encode("utf-16-be", "surrogatepass").decode("utf-16-be", "surrogatepass")
    escaped = "".join(f"\\u{ord(character):04x}" for character in text)
    assert parsed(f"key={escaped}") == {"key": joined}


def test_the_official_file() -> None:
    text = (
        "# Passwort\r\npassword = examplepassword\r\n\r\n! start\r\npaused: false\r\nlocal "
        "false\r\n"
    )
    assert parsed(text) == {
        "password": "examplepassword",
        "paused": "false",
        "local": "false",
    }


def test_entries_name_the_line_they_begin_on() -> None:
    text = "# c\n\na = 1,\\\n    2\nb\na=3"
    assert list(read_entries(text)) == [Entry(3, "a", "1,2"), Entry(5, "b", ""), Entry(6, "a", "3")]
    assert parsed(text) == {"a": "3", "b": ""}


def test_a_broken_escape_is_named_with_its_line() -> None:
    with pytest.raises(PropertiesError, match=r"line 2: \\u12 is not a character") as caught:
        parsed("a=1\nb=\\u12")
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("password=Hölle".encode(), "password=Hölle"),
        ("password=Hölle".encode("latin-1"), "password=Hölle"),
        ("\ufeffport=1".encode(), "port=1"),
        (b"", ""),
    ],
)
def test_bytes_are_utf8_or_else_latin1(data: bytes, text: str) -> None:
    assert decode_properties(data) == text
