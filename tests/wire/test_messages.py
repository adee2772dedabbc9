"""Every message is written and read back in every documented form, and wrong ones are refused."""

from __future__ import annotations

from typing import get_args, get_origin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from seasons import DIALECTS
from spielleiter.rules.frozen import replace
from spielleiter.wire import messages, writer
from spielleiter.wire.dialects import BASE, Dialect, JoinNotice
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.errors import BadMessage, UnknownMessage
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.messages import (
    Authenticate,
    Cancel,
    CloseRequest,
    ErrorPacket,
    FreeReservation,
    Join,
    Joined,
    JoinedGameRoom,
    JoinPrepared,
    JoinRoom,
    LeaveRoom,
    Left,
    Memento,
    MoveRequest,
    Observe,
    Observed,
    Pause,
    PausedNotice,
    PlayerScore,
    PlayerScores,
    Prepare,
    Prepared,
    Request,
    Response,
    ResultMessage,
    RoomError,
    RoomMessage,
    ScoreForPlayer,
    ScoreValue,
    ServerClose,
    Slot,
    Step,
    Testing,
    TestMode,
    Timeout,
    UnknownServerMessage,
    Welcome,
    WrittenResponse,
)
from spielleiter.wire.requests import Decoded, decode_request, encode_request
from spielleiter.wire.responses import decode_response, encode_response
from spielleiter.wire.stream import MessageStream


def parse(text: str | bytes) -> Element:
    stream = MessageStream(StreamLimits.for_client())
    stream.receive_data(b"<protocol>" + (text if isinstance(text, bytes) else text.encode()))
    (element,) = stream.events_received()
    assert isinstance(element, Element), element
    return element


def stripped(element: Element) -> Element:
    """Without the space that the layout puts between children."""
    text = element.text.strip() if element.children else element.text
    return Element(
        element.tag, element.attributes, [stripped(child) for child in element.children], text
    )


# --- requests -------------------------------------------------------------------------------------

TEXTS = st.text(
    st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=12
) | (st.sampled_from(["Häschen & <Co>", "'\"", " ", "line\nbreak\ttab", "🙂∅"]))
NUMBERS = st.integers(-(10**12), 10**12)
REVISIONS = st.none() | st.sampled_from(list(DIALECTS))
SLOTS = st.builds(Slot, TEXTS, st.booleans(), st.booleans())
MOVES = st.builds(
    lambda distance: Element(
        "data", {"class": "move"}, [Element("advance", {"order": "0", "distance": str(distance)})]
    ),
    st.integers(1, 11),
)
STATES = st.just(Element("loadGameInfo", {"class": "state", "turn": "3"}, [Element("board")]))
REQUESTS: st.SearchStrategy[Request] = st.one_of(
    st.builds(Join, st.none() | TEXTS, REVISIONS),
    st.builds(JoinRoom, TEXTS, REVISIONS),
    st.builds(JoinPrepared, TEXTS, REVISIONS),
    st.builds(RoomMessage, TEXTS, st.none() | MOVES),
    st.builds(LeaveRoom, st.none() | TEXTS),
    st.just(CloseRequest()),
    st.builds(Authenticate, TEXTS, REVISIONS),
    st.builds(
        Prepare,
        game_type=TEXTS,
        paused=st.booleans(),
        slots=st.lists(SLOTS, max_size=3).map(tuple),
        load=st.none() | STATES,
        revision=REVISIONS,
        seed=st.none() | NUMBERS,
        variant=st.none() | TEXTS,
        load_file=st.none() | TEXTS,
        turn=st.none() | st.integers(0, 100),
    ),
    st.builds(Observe, TEXTS),
    st.builds(Pause, TEXTS, st.booleans()),
    st.builds(Step, TEXTS, st.booleans()),
    st.builds(Cancel, TEXTS),
    st.builds(Timeout, TEXTS, st.integers(0, 9), st.booleans()),
    st.builds(TestMode, st.booleans()),
    st.builds(ScoreForPlayer, TEXTS, st.none() | TEXTS),
    st.builds(FreeReservation, TEXTS),
)


def test_every_kind_of_request_is_tried() -> None:
    """A new kind of request must be added to the strategy above."""
    named = {
        "RoomMessage",
        "CloseRequest",
        "LeaveRoom",
        "Join",
        "JoinRoom",
        "JoinPrepared",
        "Authenticate",
        "Prepare",
    }
    named |= {
        "Observe",
        "Pause",
        "Step",
        "Cancel",
        "Timeout",
        "TestMode",
        "ScoreForPlayer",
        "FreeReservation",
    }
    assert {kind.__name__ for kind in messages.Request.__args__} == named


@settings(max_examples=300, deadline=None)
@given(request=REQUESTS, dialect=st.sampled_from(list(DIALECTS.values())))
def test_a_request_written_in_any_season_is_read_back(request: Request, dialect) -> None:
    decoded = decode_request(stripped(parse(encode_request(request, dialect))))
    assert decoded == Decoded(request)


@pytest.mark.parametrize(
    ("dialect", "request_", "text"),
    [
        ("2018", Authenticate("p"), '<authenticate passphrase="p"/>'),
        ("2021-newest", Authenticate("p"), '<authenticate password="p"/>'),
        ("2018", CloseRequest(), "<sc.protocol.responses.CloseConnection/>"),
        ("2021-older", CloseRequest(), "<sc.protocol.responses.CloseConnection/>"),
        ("2021-newest", CloseRequest(), "<sc.protocol.CloseConnection/>"),
        ("2027", CloseRequest(), "<close/>"),
        ("2027", Join("swc_2027_blokus"), '<join gameType="swc_2027_blokus"/>'),
        ("2027", Join(), "<join/>"),
        ("2027", JoinPrepared("RC"), '<joinPrepared reservationCode="RC"/>'),
        ("2027", Step("U", True), '<step roomId="U" forced="true"/>'),
        (
            "2018",
            Prepare("swc_2018_hase_und_igel", True, (Slot("a"), Slot("b", False))),
            (
                '<prepare gameType="swc_2018_hase_und_igel">\n'
                '  <slot displayName="a" canTimeout="true" shouldBePaused="true"/>\n'
                '  <slot displayName="b" canTimeout="false" shouldBePaused="true"/>\n</prepare>'
            ),
        ),
        (
            "2027",
            Prepare("swc_2027_blokus", True, (Slot("a"), Slot("b", False, False))),
            (
                '<prepare gameType="swc_2027_blokus" pause="true">\n'
                '  <slot displayName="a" canTimeout="true" reserved="true"/>\n'
                '  <slot displayName="b" canTimeout="false" reserved="false"/>\n</prepare>'
            ),
        ),
        (
            "2018",
            RoomMessage(
                "U",
                Element(
                    "data", {"class": "move"}, [Element("advance", {"order": "0", "distance": "6"})]
                ),
            ),
            (
                '<room roomId="U">\n  <data class="move">\n    <advance order="0" distance="6"/>\n '
                " "
                "</data>\n</room>"
            ),
        ),
    ],
)
def test_requests_have_the_official_form(dialect: str, request_: Request, text: str) -> None:
    assert encode_request(request_, DIALECTS[dialect]) == text


@pytest.mark.parametrize(
    ("text", "request_"),
    [
        ("<join gameType='swc_2021_blokus'/>", Join("swc_2021_blokus")),
        ('<join revision="2021-older" gameType="g" x="y"></join>', Join("g", "2021-older")),
        ('<authenticate passphrase="p"/>', Authenticate("p")),
        ('<authenticate password="p" passphrase="q"/>', Authenticate("p")),
        ('<authenticate password=""/>', Authenticate("")),
        ("<close/>", CloseRequest()),
        ("<sc.protocol.CloseConnection />", CloseRequest()),
        ("<sc.protocol.responses.CloseConnection />", CloseRequest()),
        ("<left roomId='U'/>", LeaveRoom("U")),
        ("<room roomId='U'/>", RoomMessage("U", None)),
        ("<pause roomId='U' pause='TRUE'/>", Pause("U", True)),
        ("<pause roomId='U'/>", Pause("U", False)),
        ("<step roomId='U'/>", Step("U", False)),
        ("<observe roomId='U' passphrase='p'/>", Observe("U")),
        ("<timeout roomId='U' activate='false' slot='1'/>", Timeout("U", 1, False)),
        ("<prepare gameType='g'><slot/></prepare>", Prepare("g", False, (Slot("", True, True),))),
        (
            (
                "<prepare gameType='g'><slot/><slot shouldBePaused='true' "
                "canTimeout='FALSE'/></prepare>"
            ),
            Prepare("g", True, (Slot(), Slot(can_timeout=False))),
        ),
        (
            (
                "<prepare pause='false' gameType='g'><slot shouldBePaused='true' "
                "reserved='false'/></prepare>"
            ),
            Prepare("g", False, (Slot(reserved=False),)),
        ),
        (
            "<prepare gameType='g' seed='-7' variant='v' load='f.xml' turn='3' revision='r'/>",
            Prepare("g", seed=-7, variant="v", load_file="f.xml", turn=3, revision="r"),
        ),
    ],
)
def test_every_documented_form_is_read(text: str, request_: Request) -> None:
    assert decode_request(parse(text)) == Decoded(request_)


@pytest.mark.parametrize(
    ("text", "where", "reason"),
    [
        ("<joinRoom/>", "joinRoom@roomId", "missing"),
        ("<joinPrepared/>", "joinPrepared@reservationCode", "missing"),
        ("<authenticate/>", "authenticate@password", "missing"),
        ("<prepare/>", "prepare@gameType", "missing"),
        ("<prepare gameType='g' pause='yes'/>", "prepare@pause", "true or false, not 'yes'"),
        (
            "<prepare gameType='g'><slot canTimeout='1'/></prepare>",
            "prepare/slot@canTimeout",
            "true or false, not '1'",
        ),
        (
            "<prepare gameType='g'><slot reserved=''/></prepare>",
            "prepare/slot@reserved",
            "true or false, not ''",
        ),
        (
            "<prepare gameType='g'><slot shouldBePaused='x'/></prepare>",
            "prepare/slot@shouldBePaused",
            "true or false",
        ),
        ("<prepare gameType='g' seed='1e3'/>", "prepare@seed", "whole number, not '1e3'"),
        ("<prepare gameType='g' turn='٣'/>", "prepare@turn", "whole number"),
        (f"<prepare gameType='g' turn='{'9' * 99}'/>", "prepare@turn", "..."),
        ("<timeout roomId='U' activate='true'/>", "timeout@slot", "number of a seat"),
        ("<timeout roomId='U' slot='-1' activate='true'/>", "timeout@slot", "number of a seat"),
        ("<room><data/></room>", "room@roomId", "missing"),
        ("<testMode testMode='on'/>", "testMode@testMode", "true or false"),
    ],
)
def test_what_is_wrong_is_named(text: str, where: str, reason: str) -> None:
    with pytest.raises(BadMessage) as caught:
        decode_request(parse(text))
    assert caught.value.where == where
    assert reason in str(caught.value)


def test_unknown_elements_are_discarded_and_named() -> None:
    decoded = decode_request(
        parse(
            "<prepare gameType='g'><x/><slot><y/></slot><loadGameInfo/><loadGameInfo/>"
            "<slot/></prepare>",
        )
    )
    assert decoded.discarded == ("prepare/x", "prepare/slot/y", "prepare/loadGameInfo")
    assert decoded.message == Prepare("g", slots=(Slot(), Slot()), load=Element("loadGameInfo"))
    assert decode_request(parse("<join><z/></join>")) == Decoded(Join(), ("join/z",))
    room = decode_request(
        parse("<room roomId='U'><note/><data class='a'/><data class='b'/></room>")
    )
    assert room == Decoded(
        RoomMessage("U", Element("data", {"class": "a"})), ("room/note", "room/data")
    )


def test_an_unknown_message_is_named_with_what_there_is() -> None:
    with pytest.raises(UnknownMessage, match=r"<dance>.*<join>") as caught:
        decode_request(parse("<dance/>"))
    assert caught.value.tag == "dance"


def test_a_password_is_not_printed() -> None:
    assert "secret" not in repr(Authenticate("secret")) + str(Decoded(Authenticate("secret")))


def test_what_is_no_request_is_not_written() -> None:
    with pytest.raises(TypeError, match="not a request"):
        encode_request(Joined("U"))  # type: ignore[arg-type]


# --- responses ------------------------------------------------------------------------------------

NEWEST = DIALECTS["2021-newest"]
MOVE = Element("data", {"class": "move"}, [Element("skip", {"order": "0"})])


STATE = Element("state", {"class": "state", "turn": "0"}, [Element("board")])
RESULT = Element("data", {"class": "result"}, [Element("winner", {"team": "ONE"})])
ORIGINALS = st.none() | MOVES
NAMED = st.builds(
    lambda room_id, display_name: Element(
        "scoreForPlayer", {"roomId": room_id, "displayName": display_name}, [Element("x")]
    ),
    TEXTS,
    TEXTS,
)
WORDS = TEXTS.map(str.strip)
"""Character data of an element, around which space is layout."""
SCORES = st.builds(
    PlayerScore,
    TEXTS,
    st.integers(0, 10**9),
    st.lists(st.builds(ScoreValue, TEXTS, WORDS, st.booleans(), WORDS), max_size=3).map(tuple),
)


KINDS = {get_origin(kind) or kind for kind in get_args(Response)}


def responses(dialect: Dialect) -> st.SearchStrategy[Response]:
    """Every response, as far as that season can say it."""
    notice = dialect.join_notice
    never = st.none()
    return st.one_of(
        st.builds(Joined, TEXTS),
        st.builds(Left, TEXTS),
        st.builds(Observed, TEXTS),
        st.builds(
            JoinedGameRoom,
            TEXTS,
            never if notice is JoinNotice.PLAYER_COUNT else st.none() | st.booleans(),
            never if notice is JoinNotice.EXISTING else st.none() | NUMBERS,
        ),
        st.builds(Prepared, TEXTS, st.lists(WORDS, max_size=3).map(tuple)),
        st.builds(Welcome, TEXTS, TEXTS.map(dialect.welcome_color)),
        st.builds(
            Memento,
            TEXTS,
            st.just(STATE),
            st.none() | st.integers(0, 10**9).map(lambda thousandths: thousandths / 1000),
        ),
        st.builds(MoveRequest, TEXTS),
        st.builds(PausedNotice, TEXTS, st.booleans()),
        st.builds(RoomError, TEXTS, TEXTS, ORIGINALS),
        st.builds(ResultMessage, TEXTS, st.just(RESULT)),
        st.builds(ErrorPacket, TEXTS, st.none() | NAMED),
        st.builds(Testing, st.booleans()),
        st.builds(PlayerScores, st.lists(SCORES, max_size=2).map(tuple)),
        st.just(ServerClose()),
    )


SAID = st.sampled_from([BASE, *DIALECTS.values()]).flatmap(
    lambda dialect: st.tuples(responses(dialect), st.just(dialect))
)


@given(said=SAID)
def test_a_response_written_in_any_season_is_read_back(said: tuple[Response, Dialect]) -> None:
    response, dialect = said
    packet = writer.frame(encode_response(response, dialect))
    assert decode_response(stripped(parse(packet))) == response


def test_every_kind_of_response_is_written_and_tried() -> None:
    tried: set[type] = set()

    @settings(max_examples=500, derandomize=True, database=None)
    @given(response=responses(BASE))
    def collect(response: Response) -> None:
        tried.add(type(response))

    collect()
    assert tried == KINDS - {UnknownServerMessage}


@pytest.mark.parametrize(
    ("response", "dialect", "read"),
    [
        (JoinedGameRoom("U", True, 2), DIALECTS["2018"], JoinedGameRoom("U", True, None)),
        (JoinedGameRoom("U", False, 1), NEWEST, JoinedGameRoom("U", False, 1)),
        (JoinedGameRoom("U", True, 2), DIALECTS["2027"], JoinedGameRoom("U", None, 2)),
        (Welcome("U", "ONE"), NEWEST, Welcome("U", "one")),
        (Welcome("U", "one"), DIALECTS["2027"], Welcome("U", "ONE")),
        (
            RoomError("U", "m", Element("data", {}, [Element("skip")])),
            NEWEST,
            RoomError("U", "m", Element("data", {}, [Element("skip")])),
        ),
        (
            ErrorPacket("m", Element("observe", {"roomId": "x", "class": "y"})),
            NEWEST,
            ErrorPacket("m", Element("observe", {"roomId": "x"})),
        ),
    ],
)
def test_a_season_says_what_it_can(response: Response, dialect: Dialect, read: Response) -> None:
    assert decode_response(stripped(parse(encode_response(response, dialect)))) == read


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
@pytest.mark.parametrize(
    ("written", "built"),
    [
        (Memento("U", encode_element(STATE), 1.5), Memento("U", STATE, 1.5)),
        (ResultMessage("U", encode_element(RESULT)), ResultMessage("U", RESULT)),
        (None, RoomError("U", "Nein.\n'x' < 3", MOVE)),
    ],
)
def test_the_text_of_a_codec_is_written_like_the_element(
    written: WrittenResponse | None, built: Response, dialect: Dialect
) -> None:
    if written is None:  # the codec is told under which tag it writes the move
        text = encode_element(replace(MOVE, tag=dialect.original_tag))
        written = RoomError("U", "Nein.\n'x' < 3", text)
    assert encode_response(written, dialect) == encode_response(built, dialect)


@pytest.mark.parametrize(
    ("text", "response"),
    [
        ("<errorpacket message='m'><originalRequest/></errorpacket>", ErrorPacket("m")),
        (
            "<errorpacket><originalRequest><join/></originalRequest></errorpacket>",
            ErrorPacket("", Element("join")),
        ),
    ],
)
def test_errors_are_read_in_odd_forms(text: str, response: Response) -> None:
    assert decode_response(parse(text)) == response


def test_what_no_server_says_is_not_written() -> None:
    for message in (Join(), UnknownServerMessage(Element("x"), "unknown")):
        with pytest.raises(TypeError, match="not a response"):
            encode_response(message, BASE)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<novelty/>", "unknown message <novelty>"),
        ("<joined/>", "joined@roomId: is missing"),
        ("<room roomId='U'/>", "without <data>"),
        ("<room roomId='U'><data class='novelty'/></room>", "class 'novelty'"),
        ("<room roomId='U'><data/></room>", "class ''"),
        ("<room roomId='U'><data class='memento'/></room>", "room/data/state: is missing"),
        (
            "<room roomId='U'><data class='paused' paused='maybe'/></room>",
            "room/data@paused: must be true or false",
        ),
        (
            "<joinedGameRoom roomId='U' playerCount='many'/>",
            "joinedGameRoom@playerCount: must be a whole number",
        ),
    ],
)
def test_a_client_passes_over_what_it_cannot_read(text: str, reason: str) -> None:
    response = decode_response(parse(text))
    assert isinstance(response, UnknownServerMessage)
    assert reason in response.reason


def test_forms_of_the_documents_that_no_server_sends_are_read_too() -> None:
    error = parse("<room roomId='U'><error message='m'><originalRequest/></error></room>")
    assert decode_response(error) == RoomError("U", "m", Element("data"))
    assert decode_response(
        parse("<room roomId='U'><data class='welcomeMessage' color='red'></data></room>")
    ) == (Welcome("U", "red"))


@given(
    element=st.recursive(
        st.builds(
            Element,
            st.sampled_from(
                ["room", "data", "prepared", "playerScore", "state", "score", "values"]
            ),
        ),
        lambda inner: st.builds(
            Element,
            st.sampled_from(["room", "data", "playerScore", "score", "errorpacket", "prepared"]),
            st.dictionaries(
                st.sampled_from(["roomId", "class", "displayName", "numberOfTests", "message"]),
                st.sampled_from(["", "U", "memento", "result", "error", "1", "true"]),
            ),
            st.lists(inner, max_size=3),
        ),
        max_leaves=6,
    )
)
def test_decoding_a_response_never_fails(element: Element) -> None:
    assert type(decode_response(element)) in KINDS
