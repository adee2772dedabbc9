"""PlayerSession on everything the official servers ever said to a player, whole and in pieces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest

import recorded
from spielleiter.client.events import (
    Closed,
    ErrorReceived,
    Event,
    Ignored,
    MatchOver,
    MoveAsked,
    OtherGame,
    RoomLeft,
    SeatTaken,
    Started,
    StateShown,
    Unreadable,
)
from spielleiter.client.session import PlayerSession
from spielleiter.games import get_game
from spielleiter.games.blokus import SkipMove
from spielleiter.rules import FreeClock
from spielleiter.wire import messages
from spielleiter.wire.elements import Element
from spielleiter.wire.stream import MessageStream

GAMES = {"18": "hase-und-igel-2018", "21": "blokus-2021", "27": "blokus-2027"}
REVISIONS = {
    "18": "2018",
    "21.0": "2021-older",
    "21.1": "2021-older",
    "21": "2021-newest",
    "27": "2027",
}


@dataclass(frozen=True)
class Talk:
    """One recorded connection of a player."""

    version: str
    scenario: str
    connection: str

    def __str__(self) -> str:
        return f"{self.version}/{self.scenario}/{self.connection}"

    @property
    def text(self) -> str:
        return recorded.text(self.version, self.scenario, self.connection, "server")

    @property
    def game(self):
        return get_game(GAMES[self.version[:2]])

    @property
    def revision(self) -> str:
        return REVISIONS.get(self.version[:4], REVISIONS.get(self.version[:2], ""))

    def session(self, *, told: bool) -> PlayerSession:
        """``told``: whether the player knows his game, or only a reservation code."""
        if told:
            return PlayerSession(messages.Join(self.game.game_type), self.game)
        return PlayerSession(messages.JoinPrepared("code"))


TALKS = [
    Talk(version, scenario, connection)
    for version in recorded.versions()
    for scenario in recorded.scenarios(version)
    for connection in recorded.connections(version, scenario)
    if connection != "admin"
]
GAME_TALKS = [talk for talk in TALKS if talk.scenario != "lobby-errors"]


def fed(session: PlayerSession, pieces: Iterator[bytes]) -> list[Event]:
    events: list[Event] = []
    for piece in pieces:
        events += session.receive_data(piece)
    return events + session.receive_eof()


def cut(data: bytes, dice: random.Random) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        size = dice.choice((1, 2, 3, 10, 100, 1000, 5000, 20000))
        yield data[at : at + size]
        at += size


def as_bytes(talk: Talk) -> bytes:
    return talk.text.encode()


@cache
def whole(talk: Talk) -> tuple[PlayerSession, list[Event]]:
    session = talk.session(told=False)
    return session, fed(session, iter((as_bytes(talk),)))


@pytest.mark.parametrize("talk", TALKS, ids=str)
def test_pieces_and_foreknowledge_make_no_difference(talk):
    _, expected = whole(talk)
    assert fed(talk.session(told=True), cut(as_bytes(talk), random.Random(str(talk)))) == expected
    assert isinstance(expected[-1], Closed)


@pytest.mark.parametrize("talk", GAME_TALKS, ids=str)
def test_every_message_of_a_game_is_understood(talk):
    session, events = whole(talk)
    assert session.codec is not None
    assert session.codec.revision == talk.revision
    assert session.game == talk.game
    assert session.seat == {"one": 0, "two": 1}[talk.connection]
    said = recorded.messages(talk.version, talk.scenario, talk.connection)
    kinds = [
        data.get("class").lower() for element in said if (data := element.find("data")) is not None
    ]
    states = [data.find("state") for element in said if (data := element.find("data")) is not None]
    codec = talk.game.codecs[talk.revision]
    shown = [event.state for event in events if isinstance(event, StateShown)]
    assert shown == [codec.decode_state(state).state for state in states if state is not None]
    found = [type(event) for event in events]
    assert found.count(Started) == 1
    assert found.count(MoveAsked) == sum(kind.endswith("moverequest") for kind in kinds)
    assert found.count(ErrorReceived) == kinds.count("error") + [
        element.tag for element in said
    ].count("errorpacket")
    outcomes = [
        event.outcome
        for event in events
        if isinstance(event, MatchOver) and event.outcome is not None
    ]
    assert len(outcomes) == kinds.count("result")
    assert not {Ignored, OtherGame} & set(found)


@pytest.mark.parametrize("talk", GAME_TALKS, ids=str)
def test_a_random_player_answers_every_request_legally(talk):
    session, events = whole(talk)
    player = session.game.players["random"](7)
    for state in (event.state for event in events if isinstance(event, MoveAsked)):
        assert state.seat == session.seat
        if (
            state.is_over
        ):  # 21.0.x knows no limit of rounds, and no variant of ours goes on for ever
            assert talk.version.startswith("21.0")
            assert state.turn >= 100
            continue
        move = player.choose(state, FreeClock())
        state.play(move)
        (sent,) = sent_messages(session.move(move, ["why not"]))
        assert (sent.tag, sent.get("roomId")) == ("room", session.room_id)
        received = session.codec.decode_move(sent.find("data"), state)
        assert received.move == move
        assert received.hints == (("why not",) if talk.version.startswith("18") else ())


def sent_messages(data: bytes) -> list[Element]:
    stream = MessageStream()
    stream.receive_data(b"<protocol>" + data)
    return stream.events_received()


@pytest.mark.parametrize("version", ["18.2.6", "21.0.0", "21.4.0", "27.0.4"])
def test_an_unknown_reservation_is_told_from_a_game(version):
    _, events = whole(Talk(version, "lobby-errors", "unknown-reservation"))
    assert not any(isinstance(event, SeatTaken) for event in events)
    errors = [event.text for event in events if isinstance(event, ErrorReceived)]
    assert len(errors) == (1 if version in ("21.4.0", "27.0.4") else 0)
    assert all("reservation" in text for text in errors)


# --- what no recording has ------------------------------------------------------------------------

HEAD = (
    '<protocol><joined roomId="r"/><room roomId="r"><data class="welcomeMessage" '
    'color="{color}"/></room>'
)
ASK = '<room roomId="r"><data class="{kind}"/></room>'


def memento(state, revision=None) -> str:
    codecs = state.game.codecs
    codec = codecs[revision] if revision else next(iter(codecs.values()))
    return (
        '<room roomId="r"><data '
        f'class="memento">{codec.encode_state(state, ("a", "b"))}</data></room>'
    )


def receive(session: PlayerSession, *texts: str) -> list[Event]:
    return [event for text in texts for event in session.receive_data(text.encode())]


@pytest.mark.parametrize(
    ("game", "revision", "colors"),
    [
        ("blokus-2021", "2021-newest", ("one", "TWO")),
        ("blokus-2021", "2021-older", ("ONE", "two")),
        ("blokus-2027", "2027", ("ONE", "TWO")),
        ("hase-und-igel-2018", "2018", ("red", "BLUE")),
    ],
)
def test_game_revision_and_seat_are_recognised_from_any_position(game, revision, colors):
    state = get_game(game).start(3)
    player = state.game.players["random"](1)
    for turn in range(12):
        for seat, color in enumerate(colors):
            session = PlayerSession(messages.JoinPrepared("c"))
            events = receive(session, HEAD.format(color=color), memento(state, revision))
            assert events[1] == Started(seat, state), turn
            assert session.codec.revision == revision
            assert session.game.id == game
        state = state.play(player.choose(state, FreeClock()))


def test_strange_messages_are_passed_over():
    state = get_game("blokus-2027").start(1)
    session = PlayerSession(messages.JoinPrepared("c"))
    text = (
        memento(state)
        .replace('turn="0"', 'turn="0" mood="good"')
        .replace("</state>", "<weather><rain/></weather></state>")
    )
    events = receive(
        session,
        HEAD.format(color="ONE"),
        "<dance/>",
        '<room roomId="r"><data class="sc.whatever.New"><x/></data></room>',
        '<room roomId="r"><data class="paused" paused="true"/></room>',
        text,
        ASK.format(kind="moveRequest"),
    )
    assert [type(event) for event in events if not isinstance(event, Ignored)][-3:] == [
        Started,
        StateShown,
        MoveAsked,
    ]
    assert sum(isinstance(event, Ignored) for event in events) == 2
    assert session.state == state


def test_a_second_request_for_the_same_move_is_not_answered():
    state = get_game("blokus-2027").start(1)
    session = PlayerSession(messages.JoinPrepared("c"))
    ask = ASK.format(kind="moveRequest")
    events = receive(session, HEAD.format(color="ONE"), memento(state), ask, memento(state), ask)
    assert [event for event in events if isinstance(event, MoveAsked)] == [MoveAsked(state)]


def test_where_the_server_plays_on_the_rules_follow():
    """A reservation does not say which variant is played. One of 2027 ends later than the other."""
    game, longer = get_game("blokus-2027"), get_game("blokus-2027-documented")
    state = game.start(0)
    while not state.is_over:
        state = state.play(state.legal_moves()[0] if state.turn < 4 else SkipMove(state.color))
    session = PlayerSession(messages.JoinPrepared("c"))
    shown = receive(session, HEAD.format(color="ONE"), memento(state))
    assert shown[-1].state == state
    assert session.game == game
    (asked,) = receive(session, ASK.format(kind="moveRequest"))
    assert session.game == longer
    assert asked.state.game == longer
    assert asked.state.turn == state.turn
    assert not asked.state.is_over


def test_another_game_than_expected_is_said():
    state = get_game("hase-und-igel-2018").start(1)
    expected = get_game("blokus-2027")
    session = PlayerSession(messages.Join(expected.game_type), expected)
    events = receive(session, HEAD.format(color="red"), memento(state))
    assert events[1:] == [
        OtherGame(state.game, expected),
        Started(0, state),
        StateShown(state, ("a", "b")),
    ]


def test_a_variant_is_taken_at_its_word():
    game = get_game("blokus-2021-official")
    session = PlayerSession(messages.Join(game.game_type), game)
    receive(session, HEAD.format(color="one"), memento(game.start(1)))
    assert session.game is game


@pytest.mark.parametrize(
    ("join", "opening"),
    [
        (messages.Join("swc_2027_blokus"), '<protocol>\n  <join gameType="swc_2027_blokus"/>'),
        (messages.JoinPrepared("a&b"), '<protocol>\n  <joinPrepared reservationCode="a&amp;b"/>'),
        (messages.JoinRoom("r"), '<protocol>\n  <joinRoom roomId="r"/>'),
        (
            messages.Join("x", "2021-older"),
            '<protocol>\n  <join gameType="x" revision="2021-older"/>',
        ),
    ],
)
def test_the_opening(join, opening):
    assert PlayerSession(join).opening().decode() == opening


@pytest.mark.parametrize(
    ("game", "goodbye"),
    [
        ("blokus-2027", "\n  <close/>\n</protocol>"),
        ("blokus-2021", "\n</protocol>"),
        ("hase-und-igel-2018", "\n</protocol>"),
    ],
)
def test_the_goodbye_is_one_the_official_server_understands(game, goodbye):
    session = PlayerSession(messages.JoinPrepared("c"))
    assert session.goodbye().decode() == "\n</protocol>"
    receive(session, "<protocol>", memento(get_game(game).start(1)))
    assert session.goodbye().decode() == goodbye


@pytest.mark.parametrize(
    ("game", "own_server", "sent"),
    [
        ("hase-und-igel-2018", False, True),
        ("blokus-2021", False, False),
        ("blokus-2021", True, True),
        ("blokus-2027", False, False),
        ("blokus-2027", True, False),
    ],
)
def test_hints_go_only_where_they_are_taken(game, own_server, sent):
    state = get_game(game).start(1)
    session = PlayerSession(messages.JoinPrepared("c"), own_server=own_server)
    receive(session, HEAD.format(color="one"), memento(state))
    text = session.move(state.legal_moves()[0], ["5 < 6 \x00"]).decode()
    assert ('<hint content="5 &lt; 6 \N{REPLACEMENT CHARACTER}"/>' in text) == sent
    assert session.sends_hints == sent


def test_a_cancelled_game_is_over_without_an_outcome():
    state = get_game("blokus-2027").start(1)
    session = PlayerSession(messages.JoinPrepared("c"))
    receive(session, HEAD.format(color="ONE"), memento(state))
    assert receive(session, '<left roomId="r"/>') == [MatchOver(None), RoomLeft("r")]


@pytest.mark.parametrize(
    "rubbish", ["HTTP/1.1 400 Bad Request", "<protocol><a></b>", "<!DOCTYPE x>", "\x00"]
)
def test_rubbish_ends_the_connection_with_a_word(rubbish):
    session = PlayerSession(messages.JoinPrepared("c"))
    error, closed = receive(session, rubbish)
    assert isinstance(error, Unreadable)
    assert closed == Closed(False)
    assert session.receive_eof() == []


@pytest.mark.parametrize(
    "text",
    [
        '<room roomId="r"><data class="memento"><state class="state"/></data></room>',
        ASK.format(kind="moveRequest"),
        '<room roomId="r"><data class="result"/></room>',
    ],
)
def test_what_cannot_be_read_is_said_and_survived(text):
    session = PlayerSession(messages.JoinPrepared("c"))
    events = receive(session, HEAD.format(color="ONE"), text)
    assert isinstance(events[1], Unreadable)
    state = get_game("blokus-2027").start(1)
    assert StateShown(state, ("", "")) in receive(session, memento(state))
    bad = receive(session, '<room roomId="r"><data class="memento"><state turn="x"/></data></room>')
    assert "state" in bad[0].text
    assert [
        type(event) for event in receive(session, '<room roomId="r"><data class="result"/></room>')
    ] == [
        Unreadable,
        MatchOver,
    ]


def test_a_game_that_nobody_knows():
    session = PlayerSession(messages.JoinPrepared("c"))
    strange = (
        '<room roomId="r"><data class="memento"><state '
        'class="sc.plugin2031.GameState"/></data></room>'
    )
    assert receive(session, HEAD.format(color="ONE"), strange)[1:] == [
        Unreadable(
            "this room plays a game that nobody here knows (sc.plugin2031.GameState)",
            must_leave=True,
        )
    ]


def test_after_an_unreadable_position_a_request_is_no_second_one():
    state = get_game("blokus-2027").start(1)
    after = state.play(state.legal_moves()[0])
    session = PlayerSession(messages.JoinPrepared("c"))
    asking = ASK.format(kind="moveRequest")
    receive(session, HEAD.format(color="ONE"), memento(state), asking)
    bad, asked = receive(
        session, '<room roomId="r"><data class="memento"><state turn="x"/></data></room>', asking
    )
    assert isinstance(bad, Unreadable)
    assert not bad.must_leave
    assert isinstance(asked, Unreadable)
    assert asked.must_leave
    assert receive(session, memento(after), asking)[-1] == MoveAsked(
        after
    )  # a readable one heals it


def test_hints_are_cut_to_what_servers_take():
    state = get_game("hase-und-igel-2018").start(1)
    session = PlayerSession(messages.JoinPrepared("c"))
    receive(session, HEAD.format(color="red"), memento(state))
    (room,) = sent_messages(session.move(state.legal_moves()[0], ['"' * 10_000] * 1000))
    hints = [hint.get("content") for hint in room.find("data").children if hint.tag == "hint"]
    assert hints == ['"' * 497 + "..."] * 20
    assert session.move(state.legal_moves()[0], ["x" * 500]).count(b"x") == 500


def test_a_move_needs_a_position():
    with pytest.raises(RuntimeError, match="first position"):
        PlayerSession(messages.JoinPrepared("c")).move(None)
