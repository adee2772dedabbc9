"""The reader accepts and refuses the same however bytes are cut, and refusing costs little."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spielleiter.wire.elements import Element
from spielleiter.wire.errors import LimitExceeded, MalformedXml, ProtocolError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.stream import MessageStream, StreamEnd, StreamEvent

MOVE = (
    '<room roomId="397d612d-94e2-4ead-a89c-b3ffb47b6d83">\n  <data class="sc.plugin2021.SetMove">\n'
    '    <piece color="BLUE" kind="PENTO_V" rotation="RIGHT" isFlipped="false">\n      <position '
    'x="17" y="0"/>\n'
    '    </piece>\n    <hint content="ä &amp; ∅ &#x1F642;"/>\n  </data>\n</room>'
).encode()


def events_of(
    *pieces: bytes, limits: StreamLimits | None = None, eof: bool = False
) -> list[StreamEvent]:
    stream = MessageStream(limits or StreamLimits())
    found: list[StreamEvent] = []
    for piece in pieces:
        stream.receive_data(piece)
        found += stream.events_received()
    if eof:
        stream.receive_eof()
        found += stream.events_received()
    return found


def tags(events: Iterable[StreamEvent]) -> list[str]:
    return [event.tag if isinstance(event, Element) else type(event).__name__ for event in events]


def summary(events: list[StreamEvent]) -> list[object]:
    return [
        event if isinstance(event, Element | StreamEnd) else (type(event), str(event))
        for event in events
    ]


# --- accepted -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"<protocol><join/></protocol>",
        b"<object-stream><join/></object-stream>",
        b'<?xml version="1.0" encoding="UTF-8"?>\n<protocol>\n\t<join />\r\n</protocol>\n',
        b"<?xml version='1.0' encoding='ISO-8859-1' standalone='yes'?><protocol><join/></protocol>",
        b'\xef\xbb\xbf<?xml version="1.0"?><protocol><join/></protocol>',
        b' \r\n\t<?xml version="1.0"?><protocol><join/></protocol>',
        b"<!-- hello --><protocol><!-- a > b --><join/>text between<!-- --></protocol><!-- bye -->",
        b"<protocol a='1' b=\"2\"><join></join></protocol>",
        b"<protocol><join/></protocol>\x00\xff trailing rubbish <a>",
        b"<protocol><join/></protocol><?php ?><!DOCTYPE x>",
    ],
)
def test_the_shapes_a_stream_may_have(data: bytes) -> None:
    assert tags(events_of(data)) == ["join", "StreamEnd"]
    assert tags(events_of(*(data[at : at + 1] for at in range(len(data))))) == ["join", "StreamEnd"]


def test_content_comes_out_as_it_was_meant() -> None:
    (room,) = events_of(b"<p>", MOVE)
    assert isinstance(room, Element)
    data = room.find("data")
    assert data is not None
    assert [child.tag for child in data.children] == ["piece", "hint"]
    assert data.children[1].attributes == {"content": "ä & ∅ 🙂"}
    (text,) = events_of(b"<p><a b='&lt;&gt;&quot;&apos;&#10;'> x &amp; <![CDATA[<y>]]><c/>z </a>")
    assert text == Element("a", {"b": "<>\"'\n"}, [Element("c")], " x & <y>z ")


def test_every_two_way_split_delivers_a_message_with_its_last_byte() -> None:
    for cut in range(1, len(MOVE)):
        stream = MessageStream()
        stream.receive_data(b"<protocol>")
        stream.receive_data(MOVE[:cut])
        assert stream.events_received() == [], cut
        assert not stream.is_idle
        stream.receive_data(MOVE[cut:])
        assert tags(stream.events_received()) == ["room"], cut
        assert stream.is_idle


def test_every_three_way_split_delivers_a_message_with_its_last_byte() -> None:
    message = b"<m a=\"1\"><b>x</b><c d='2'/></m >"
    for first in range(1, len(message)):
        for second in range(first + 1, len(message)):
            stream = MessageStream()
            stream.receive_data(b"<protocol>\n")
            for piece in (message[:first], message[first:second], message[second:]):
                assert stream.events_received() == []
                stream.receive_data(piece)
            assert tags(stream.events_received()) == ["m"]


def test_reparse_deferral_is_off_where_the_parser_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """On an older expat, which never defers, this shows that we ask.

    On one that defers, the split tests above would fail.
    """
    from xml.parsers import expat

    calls: list[bool] = []

    class Parser:
        def SetReparseDeferralEnabled(self, on: bool) -> None:  # noqa: N802 - pyexpat's name
            calls.append(on)

        def Parse(self, data: bytes, final: bool) -> None:  # noqa: N802
            pass

        CurrentByteIndex = 0

    monkeypatch.setattr(expat, "ParserCreate", lambda *_: Parser())
    MessageStream().receive_data(b"<p>")
    assert calls == [False]


# --- the end --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "end"),
    [
        (b"", StreamEnd(orderly=False, unfinished=False)),
        (b"  \n", StreamEnd(orderly=False, unfinished=False)),
        (b"\xef\xbb", StreamEnd(orderly=False, unfinished=True)),
        (b"<prot", StreamEnd(orderly=False, unfinished=True)),
        (b"<protocol>", StreamEnd(orderly=False, unfinished=False)),
        (b"<protocol>  \n ", StreamEnd(orderly=False, unfinished=False)),
        (b"<protocol><a>", StreamEnd(orderly=False, unfinished=True)),
        (b"<protocol><a><b/>", StreamEnd(orderly=False, unfinished=True)),
        (b"<protocol></proto", StreamEnd(orderly=False, unfinished=True)),
        (b"<protocol></protocol>", StreamEnd(orderly=True)),
        (b"<protocol/>", StreamEnd(orderly=True)),
    ],
)
def test_how_a_stream_ended(data: bytes, end: StreamEnd) -> None:
    assert events_of(data, eof=True) == [end]


@pytest.mark.parametrize(
    ("data", "unfinished"), [(b"", False), (b"<p>", False), (b"<p><a", True), (b"\xef", True)]
)
def test_no_bytes_are_the_end_as_a_socket_gives_them(data: bytes, unfinished: bool) -> None:
    end = StreamEnd(orderly=False, unfinished=unfinished)
    pieces = [data] if data else []
    assert events_of(*pieces, b"") == events_of(*pieces, eof=True) == [end]
    stream = MessageStream()
    stream.receive_data(b"")
    assert not stream.is_open


def test_the_end_comes_once_and_data_after_it_is_dropped() -> None:
    stream = MessageStream()
    stream.receive_data(b"<p><a/></p><b/>")
    assert tags(stream.events_received()) == ["a", "StreamEnd"]
    assert not stream.is_open
    stream.receive_data(b"<p><c/></p>")
    stream.receive_eof()
    assert stream.events_received() == []


def test_a_fault_comes_once_after_what_was_good_and_data_after_it_is_dropped() -> None:
    stream = MessageStream()
    stream.receive_data(b"<p><a/><b></c><d/>")
    *good, fault = stream.events_received()
    assert tags(good) == ["a"]
    assert isinstance(fault, MalformedXml)
    assert "mismatched tag" in str(fault)
    stream.receive_data(b"<e/>")
    stream.receive_eof()
    assert stream.events_received() == []


def test_a_finished_stream_leaves_nothing_for_the_collector() -> None:
    class Watched(MessageStream):
        __slots__ = ("__weakref__",)

    gc.disable()
    try:
        for ending in (b"</p>", b"<", b"<!DOCTYPE x>"):
            stream = Watched()
            stream.receive_data(b"<p><a/>" + ending + b"<")
            alive = weakref.ref(stream)
            assert not stream.is_open
            del stream
            assert alive() is None, ending
    finally:
        gc.enable()


# --- refused --------------------------------------------------------------------------------------


def flood(
    stream: MessageStream, opening: bytes, piece: bytes, total: int
) -> tuple[StreamEvent, int]:
    """Send ``piece`` again and again, and return what ended the stream after how many bytes."""
    stream.receive_data(opening)
    sent = len(opening)
    while stream.is_open:
        assert sent < total, "not stopped"
        stream.receive_data(piece)
        sent += len(piece)
    return stream.events_received()[-1], sent


LAUGHS = (
    b'<!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'
    b'<!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><protocol><a>&c;</a></protocol>'
)


@pytest.mark.parametrize(
    "data",
    [
        LAUGHS,
        b'<!DOCTYPE p [<!ENTITY x SYSTEM "file:///etc/passwd">]><p><a>&x;</a></p>',
        b'<!DOCTYPE p SYSTEM "http://example.org/p.dtd"><p><a/></p>',
        b'<?xml version="1.0"?><!DOCTYPE p><p><a/></p>',
        b"<p><a>&nbsp;</a></p>",
        b'<p><a b="&x;"/></p>',
        b"<p><?php echo 1 ?><a/></p>",
        b"<?xml-stylesheet href='x'?><p><a/></p>",
        b"\xff\xfe<\x00p\x00>\x00",
        b"\xfe\xff\x00<\x00p\x00>",
        b"<\x00p\x00>\x00",
        b"\x00<p>",
        b"<p><a b='\x00'/>",
        b"<p><a>\x01</a>",
        b"<p><a>\xff</a>",
        b"<p><a>\xc0\xaf</a>",
        b"<p><a>\xed\xa0\x80</a>",
        b"<p><a b='&#0;'/>",
        b"<p><a b='&#xD800;'/>",
        b"<p><a b='1' b='2'/>",
        b"<p><a b=1/>",
        b"<p><a><b></a></b>",
        b"{}",
        b"GET / HTTP/1.1\r\n\r\n",
        b"\xef\xbbX<p>",
    ],
)
def test_what_is_no_xml_of_ours_is_refused(data: bytes) -> None:
    whole = events_of(data)
    assert tags(whole) == ["MalformedXml"]
    assert summary(events_of(*(data[at : at + 1] for at in range(len(data))))) == summary(whole)


@pytest.mark.parametrize(
    ("opening", "piece", "limit", "stopped_by"),
    [
        (b'<p><a b="', b"x" * 1024, "token_bytes", 16 * 1024),  # an endless attribute in pieces
        (b'<p><a b="', b"x", "token_bytes", 16 * 1024),  # the same one byte at a time
        (b"<p><a>", b"x" * 4096, "message_bytes", 80 * 1024),  # endless text
        (b"<p><a><![CDATA[", b"x" * 4096, "message_bytes", 80 * 1024),
        (b"<p><a>", b"<!-- c -->", "message_bytes", 80 * 1024),
        (b"<p><a>", b"<b/>" * 100, "elements", 16 * 1024),
        (b"<p><!--", b"-x" * 2048, "token_bytes", 16 * 1024),  # an endless comment
        (b"<p><", b"n" * 512, "token_bytes", 16 * 1024),  # an endless name
        (b"<p></p", b" " * 512, "token_bytes", 16 * 1024),
        (b"<p><a>&", b"n" * 512, "token_bytes", 16 * 1024),
        (b"<p>", b" " * 65536, "gap_bytes", 1300 * 1024),
        (b" ", b"\n" * 65536, "gap_bytes", 1300 * 1024),
        (b"<p>", b"<!-- -->" * 4096, "gap_bytes", 1300 * 1024),
        (b"<p>", b"<a>", "depth", 100),
    ],
)
def test_floods_are_stopped(opening: bytes, piece: bytes, limit: str, stopped_by: int) -> None:
    fault, sent = flood(MessageStream(), opening, piece, stopped_by)
    assert isinstance(fault, LimitExceeded)
    assert fault.limit_name == limit
    assert fault.value == getattr(StreamLimits(), limit)
    assert sent <= stopped_by


@pytest.mark.parametrize(
    ("data", "limit"),
    [
        (b"<p>" + b"<a>" * 1_000_000, "depth"),
        (b"<p><a " + b" ".join(b'a%d="1"' % n for n in range(100_000)) + b"/>", "token_bytes"),
        (b"<p><a " + b" ".join(b'a%d="1"' % n for n in range(33)) + b"/>", "attributes"),
        (b"<p>" + b"".join(b"<n%d/>" % n for n in range(100_000)), "names"),
        (b"<p>" + b"<a/>" * 100_000, "pending_messages"),
        (b'<p><a b="' + b"x" * 8_000_000, "token_bytes"),
        (b"<p><a>" + b"x" * 8_000_000, "message_bytes"),
    ],
)
def test_too_much_in_one_piece_is_stopped(data: bytes, limit: str) -> None:
    *_, fault = events_of(data)
    assert isinstance(fault, LimitExceeded)
    assert fault.limit_name == limit


def test_work_on_a_huge_piece_ends_where_the_limit_does() -> None:
    """The parser is not shown what comes after, because it would remember the names there."""
    stream = MessageStream()
    stream.receive_data(b"<p>" + b"<a>" * 20_000 + b"".join(b"<z%d>" % n for n in range(10)))
    assert len(stream._names) == 0, "freed"
    assert tags(stream.events_received()) == ["LimitExceeded"]


def test_limits_are_met_exactly() -> None:
    limits = StreamLimits(
        message_bytes=100, token_bytes=40, gap_bytes=50, depth=3, attributes=2, names=5
    )
    for data, fault in [
        (b"<p>" + b" " * 47 + b"</p>", None),
        (b"<p>" + b" " * 48 + b"</p>", "gap_bytes"),
        (b" " * 51 + b"<p>", "gap_bytes"),
        (b"<p><a b='" + b"x" * 30 + b"'/>", None),  # 40 bytes
        (b"<p><a b='" + b"x" * 32 + b"'/>", "token_bytes"),
        (b"<p><a>" + b"x" * 97 + b"</a>", None),  # the last tag begins at 100
        (b"<p><a>" + b"x" * 98 + b"</a>", "message_bytes"),
        (b"<p><a><b><c/></b></a>", None),
        (b"<p><a><b><c><d/></c></b></a>", "depth"),
        (b"<p><a b='' c=''/>", None),
        (b"<p><a b='' c='' d=''/>", "attributes"),
        (b"<p><a/><b/><c/><d/>", None),
        (b"<p><a/><b/><c/><d/><e/>", "names"),
    ]:
        for pieces in ([data], [data[at : at + 1] for at in range(len(data))]):
            last = events_of(*pieces, limits=limits)[-1]
            assert (last.limit_name if isinstance(last, LimitExceeded) else None) == fault, data


# --- any bytes, any cut ---------------------------------------------------------------------------

SCRAPS = st.sampled_from(
    [
        b"<p>",
        b"</p>",
        b"<a>",
        b"</a>",
        b"<b/>",
        b"<c d='e'/>",
        b"<!--",
        b"-->",
        b"x",
        b" ",
        b"&lt;",
        b"&x;",
        b"]]>",
        b"<![CDATA[",
        b"<?x",
        b"?>",
        b"<!DOCTYPE",
        b"\xc3",
        b"\xa4",
        b"\x00",
        b"\r",
        b'"',
        b"'",
        b"=",
        b"<",
        b">",
        MOVE,
        b"y" * 30,
        b"\xef\xbb\xbf",
        b"]",
        b"&#1",
        b";",
        b"<a b='1' b='2'>",
        b"</ab >",
    ]
)


@settings(max_examples=400, deadline=None)
@given(
    scraps=st.lists(SCRAPS, max_size=25),
    cuts=st.lists(st.integers(0, 400), max_size=8),
    rooted=st.booleans(),
)
def test_any_bytes_give_the_same_events_however_cut(
    scraps: list[bytes], cuts: list[int], rooted: bool
) -> None:
    data = b"<p>" * rooted + b"".join(scraps)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:end] for start, end in pairwise(edges) if start < end]
    tight = StreamLimits(
        message_bytes=120, token_bytes=40, gap_bytes=60, depth=4, attributes=3, names=12
    )
    for limits in (StreamLimits(), tight):
        whole = summary(events_of(data, limits=limits, eof=True))
        assert summary(events_of(*pieces, limits=limits, eof=True)) == whole
        singles = (data[at : at + 1] for at in range(len(data)))
        assert summary(events_of(*singles, limits=limits, eof=True)) == whole
        assert (
            sum(
                not isinstance(event, Element) for event in events_of(data, limits=limits, eof=True)
            )
            == 1
        )


@given(data=st.binary(max_size=200))
def test_any_bytes_give_messages_or_a_protocol_error(data: bytes) -> None:
    for event in events_of(b"<p>" + data, eof=True):
        assert isinstance(event, Element | StreamEnd | ProtocolError)


@pytest.mark.parametrize("trailer", [b"\r", b"]", b" \r", b"\r\n\r"])
def test_a_stray_character_after_a_message_is_no_beginning_of_another(trailer: bytes) -> None:
    stream = MessageStream()
    stream.receive_data(b"<protocol><a/>" + trailer)
    assert stream.is_idle
    stream.receive_data(b"<b")
    assert not stream.is_idle
    stream.receive_data(b"/>")
    assert stream.is_idle


# --- passed over ----------------------------------------------------------------------------------

KNOWN = b'\n  <room roomId="r">\n    <data class="memento"/>\n  </room>'


@pytest.mark.parametrize(
    "rest",
    [
        b"\n<a></b>",
        b"\n<a>\n\n<?x?>",
        b"<!DOCTYPE p>",
        b"\n  <left/>\n</protocol>",
        b"\n  <left",
        b" " * 110,
        b" " * 114,
        b" " * 113 + b"<left/>",
        b" " * 114 + b"<left/>",
    ],
)
@pytest.mark.parametrize("begun", [b"<protocol>", b"\n<protocol>\n <joined/>\n"])
def test_what_is_passed_over_leaves_everything_else_as_it_is(begun: bytes, rest: bytes) -> None:
    """Also the line and the byte of a fault, and where a gap that is too long began."""
    limits = StreamLimits(gap_bytes=120)
    for times in (1, 2):
        stream = MessageStream(limits)
        stream.receive_data(begun)
        found = stream.events_received()
        for _ in range(times):
            assert stream.pass_over(KNOWN)
        stream.receive_data(rest)
        stream.receive_eof()
        found += stream.events_received()
        expected = events_of(begun, KNOWN * times, rest, limits=limits, eof=True)
        assert [event for event in expected if getattr(event, "tag", "") == "room"]
        others = [event for event in expected if getattr(event, "tag", "") != "room"]
        assert summary(found) == summary(others)


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"<proto",
        b"<protocol",
        b"<protocol><room>",
        b"<protocol><",
        b"<protocol>\r",
        b"<protocol>]",
        b"<protocol>\xc3",
        b"<protocol><!-- ",
        b"<protocol></protocol>",
        b"<protocol><a></b>",
        b"<protocol>" + b" " * (1024 * 1024 - 10),
    ],
)
def test_only_between_messages_something_can_be_passed_over(before: bytes) -> None:
    stream = MessageStream()
    if before:
        stream.receive_data(before)
    assert not stream.pass_over(KNOWN)


def test_what_is_passed_over_has_limits() -> None:
    for limits in (StreamLimits(message_bytes=20), StreamLimits(elements=20)):
        stream = MessageStream(limits)
        stream.receive_data(b"<protocol>")
        assert not stream.pass_over(KNOWN)
