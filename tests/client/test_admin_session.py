"""An administrator's connection without sockets: requests to bytes, bytes to answers and events."""

from __future__ import annotations

import pytest

from seasons import DIALECTS
from spielleiter.client.admin_session import (
    AdminError,
    AdminEvent,
    AdminSession,
    Ended,
    Happened,
    PreparedRoom,
    RequestRefused,
    RoomObserved,
    RoomPrepared,
    RoomTold,
)
from spielleiter.client.events import ErrorReceived, MatchOver, PauseShown, RoomLeft, StateShown
from spielleiter.games import get_game
from spielleiter.wire import messages, writer
from spielleiter.wire.elements import Element
from spielleiter.wire.messages import Response, Slot, WrittenResponse
from spielleiter.wire.requests import decode_request
from spielleiter.wire.responses import encode_response
from spielleiter.wire.stream import MessageStream, parse_element

GAME = get_game("blokus-2027")
CODEC = GAME.codecs["2027"]
NAMES = ("A", "B")
START = GAME.start(1)
SLOTS = (Slot("A"), Slot("B"))


def opened() -> AdminSession:
    session = AdminSession()
    assert session.receive_data(writer.OPEN.encode()) == []
    return session


def heard(session: AdminSession, *said: Response | WrittenResponse) -> list[AdminEvent]:
    return session.receive_data(
        b"".join(writer.frame(encode_response(message, CODEC.dialect)) for message in said)
    )


def asked(data: bytes) -> messages.Request:
    return decode_request(parse_element(data.decode())).message


def position(room_id: str = "r") -> messages.Memento[str]:
    return messages.Memento(room_id, CODEC.encode_state(START, NAMES))


def watching(session: AdminSession, room_id: str = "r") -> None:
    question = session.observe(room_id)
    assert heard(session, messages.Observed(room_id)) == [RoomObserved(question)]


def test_the_opening_has_the_password_for_every_season() -> None:
    stream = MessageStream()
    stream.receive_data(AdminSession().opening("p & q"))
    (login,) = stream.events_received()
    assert isinstance(login, Element)
    assert login == Element("authenticate", {"password": "p & q", "passphrase": "p & q"})
    assert decode_request(login).message == messages.Authenticate("p & q")


@pytest.mark.parametrize(
    ("game_id", "revision", "paused_on_slots"),
    [("blokus-2027", None, False), ("hase-und-igel-2018", "2018", True)],
)
def test_a_room_is_prepared_as_its_season_asks(
    game_id: str, revision: str | None, paused_on_slots: bool
) -> None:
    session = opened()
    game = get_game(game_id)
    question = session.prepare(game, SLOTS, paused=True, seed=7, revision=revision)
    assert (b"shouldBePaused" in question.data) is paused_on_slots
    assert asked(question.data) == messages.Prepare(
        game.game_type, True, SLOTS, seed=7, revision=revision, variant=game.id
    )
    (event,) = heard(session, messages.Prepared("r", ("x", "y")))
    assert event == RoomPrepared(question, PreparedRoom("r", ("x", "y")))
    assert heard(session, messages.Prepared("s", ())) == [], "nobody asked for that"


def test_a_match_is_watched_to_its_end() -> None:
    session = opened()
    watching(session)
    outcome = START.outcome()
    result = messages.ResultMessage("r", CODEC.encode_outcome(outcome, START, NAMES))
    events = heard(
        session,
        position(),
        position("elsewhere"),
        messages.PausedNotice("r", True),
        messages.RoomError("r", "wrong"),
        result,
        messages.Left("r"),
        position(),
    )
    assert all(isinstance(event, Happened) and event.room_id == "r" for event in events)
    shown, paused, error, over, left = (
        event.event for event in events if isinstance(event, Happened)
    )
    assert isinstance(shown, StateShown)
    assert shown.state == START
    assert (paused, error) == (PauseShown(True), ErrorReceived("wrong"))
    assert isinstance(over, MatchOver)
    assert over.outcome is not None
    assert over.outcome.scores == outcome.scores
    assert left == RoomLeft("r")


def test_a_room_is_shown_before_the_answer_comes() -> None:
    session = opened()
    question = session.observe("r")
    first, second = heard(session, position(), messages.Observed("r"))
    assert isinstance(first, Happened)
    assert isinstance(first.event, StateShown)
    assert second == RoomObserved(question)


def test_a_room_that_is_left_without_a_result_is_over() -> None:
    session = opened()
    watching(session)
    assert heard(session, messages.Left("r")) == [
        Happened("r", MatchOver(None)),
        Happened("r", RoomLeft("r")),
    ]


def test_a_result_before_any_position_is_read_if_the_game_is_known() -> None:
    session = opened()
    session.prepare(GAME, SLOTS)
    heard(session, messages.Prepared("r", ()))
    watching(session)
    watching(session, "s")
    text = CODEC.encode_outcome(START.outcome(), START, NAMES)
    known, unknown = (
        heard(session, messages.ResultMessage(room_id, text))[0] for room_id in ("r", "s")
    )
    assert isinstance(known, Happened)
    assert isinstance(known.event, MatchOver)
    assert known.event.outcome is not None
    assert unknown == Happened("s", MatchOver(None))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        ('<state class="state"><chess/></state>', "of a game that nobody here knows"),
        (None, "a position that cannot be read"),
    ],
)
def test_a_position_that_cannot_be_read_is_told(state: str | None, said: str) -> None:
    session = opened()
    watching(session)
    if state is None:  # the game is known from a good position before
        heard(session, position())
        state = '<state class="state"/>'
    (event,) = heard(session, messages.Memento("r", state))
    assert isinstance(event, Happened)
    assert isinstance(event.event, ErrorReceived)
    assert said in event.event.text


def test_a_refusal_finds_its_question() -> None:
    session = opened()
    prepare, first, second = (
        session.prepare(GAME, SLOTS),
        session.observe("a"),
        session.observe("b"),
    )
    (event,) = heard(session, messages.ErrorPacket("no b", Element("observe", {"roomId": "b"})))
    assert event == RequestRefused(second, "observe: the server refused: no b")
    assert heard(session, position("b")) == [], "it is not watched after all"
    (event,) = heard(session, messages.ErrorPacket("bad"))
    assert event == RequestRefused(prepare, "prepare: the server refused: bad")
    assert heard(session, messages.Observed("a")) == [RoomObserved(first)]
    assert not session.errors


def test_a_complaint_that_nobody_waits_for_is_kept_and_told_to_its_room() -> None:
    session = opened()
    watching(session)
    step = Element("step", {"roomId": "r"})
    assert heard(session, messages.ErrorPacket("not paused", step)) == [
        Happened("r", ErrorReceived("not paused"))
    ]
    assert heard(session, messages.ErrorPacket("no such room", Element("step"))) == []
    assert heard(session, messages.ErrorPacket("what?")) == []
    assert list(session.errors) == ["not paused", "no such room", "what?"]


def test_only_the_latest_complaints_are_kept() -> None:
    session = opened()
    for number in range(150):
        heard(session, messages.ErrorPacket(str(number)))
    assert list(session.errors) == [str(number) for number in range(50, 150)]


@pytest.mark.parametrize(
    "request_", [messages.Pause("r", False), messages.Step("r", True), messages.Cancel("r")]
)
def test_requests_without_an_answer(
    request_: messages.Pause | messages.Step | messages.Cancel,
) -> None:
    assert asked(opened().tell(request_)) == request_


@pytest.mark.parametrize(("data", "orderly"), [(b"</protocol>", True), (b"", False)])
def test_the_end_answers_every_question(data: bytes, orderly: bool) -> None:
    session = opened()
    prepare, observe = session.prepare(GAME, SLOTS), session.observe("r")
    assert session.goodbye() == writer.CLOSE.encode()
    reason = "the server closed the connection; is the password right?"
    expected = [
        RequestRefused(prepare, f"prepare: {reason}"),
        RequestRefused(observe, f"observe: {reason}"),
        Ended(orderly),
    ]
    assert session.receive_data(data) == expected
    assert session.end() == expected, "it may be said again, and how it ended is remembered"
    assert not session.is_open
    assert session.goodbye() == b""
    for late in (lambda: session.prepare(GAME, SLOTS), lambda: session.observe("r")):
        with pytest.raises(AdminError, match=r"(prepare|observe): the connection .* is closed"):
            late()
    with pytest.raises(AdminError, match="the connection to the server is closed"):
        session.tell(messages.Cancel("r"))


def test_what_cannot_be_read_ends_the_connection_and_says_so() -> None:
    session = opened()
    question = session.observe("r")
    refused, end = session.receive_data(b"<a></b>")
    assert end == Ended(False)
    assert isinstance(refused, RequestRefused)
    assert refused.question is question
    assert "It said: the XML is broken" in refused.reason


def test_a_question_that_is_forgotten_has_no_answer() -> None:
    session = opened()
    prepare, observe = session.prepare(GAME, SLOTS), session.observe("r")
    session.forget(prepare)
    session.forget(observe)
    session.forget(observe)
    assert heard(session, messages.Prepared("s", ()), messages.Observed("r"), position()) == []
    assert session.end() == [Ended(False)]


def test_a_room_stays_watched_when_its_answered_question_is_forgotten() -> None:
    session = opened()
    question = session.observe("r")
    heard(session, messages.Observed("r"))
    session.forget(question)
    assert len(heard(session, position())) == 1


@pytest.mark.parametrize("dialect", DIALECTS.values(), ids=DIALECTS)
def test_the_error_packets_of_every_season_find_their_question(dialect) -> None:
    session = opened()
    question = session.observe("r")
    original = Element("observe", {"roomId": "r"})
    packet = encode_response(messages.ErrorPacket("no", original), dialect)
    (event,) = session.receive_data(writer.frame(packet))
    assert isinstance(event, RequestRefused)
    assert event.question is question


@pytest.mark.parametrize("existing", [False, True, None])
def test_rooms_that_players_join_are_told(existing: bool | None) -> None:
    session = opened()
    count = None if existing is not None else 1
    notice = messages.JoinedGameRoom("r", existing, count)
    assert heard(session, notice) == [RoomTold("r")]


def test_a_refused_password_ends_the_session() -> None:
    session = opened()
    question = session.observe("r")
    login = Element("authenticate", {"password": "wrong"})
    # 27.0.4 says this and keeps the connection open.
    events = heard(session, messages.ErrorPacket("Failed to authenticate", login))
    refused, ended = events
    assert isinstance(refused, RequestRefused)
    assert refused.question is question
    assert "is the password right? It said: Failed to authenticate" in refused.reason
    assert ended == Ended(False)
    assert not session.is_open


def test_the_result_says_who_played() -> None:
    session = opened()
    watching(session)
    outcome = START.outcome()
    result = messages.ResultMessage("r", CODEC.encode_outcome(outcome, START, NAMES))
    *_, over = (
        event.event for event in heard(session, position(), result) if isinstance(event, Happened)
    )
    assert isinstance(over, MatchOver)
    assert over.names == NAMES
