"""The XML peers of a room are told what happens there, each in the words of their own revision."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from server.stage import Stage, split_packets, tag
from spielleiter.games import get_game
from spielleiter.match import MoveRecord
from spielleiter.replays import MatchRecord
from spielleiter.rules import AnyGame, AnyState, Departure, RuleViolation, Text
from spielleiter.server.audience import Audience
from spielleiter.server.feed import (
    ComplaintMade,
    MatchEnded,
    MatchPaused,
    MatchStarted,
    MoveRequested,
    PlayerSeated,
    PositionRepeated,
    PositionShown,
    RoomClosed,
    RoomOpened,
)
from spielleiter.server.peer import Peer
from spielleiter.server.room import RoomSeat
from spielleiter.wire.codec import Codec
from spielleiter.wire.elements import quote

BLOKUS = get_game("blokus-2021")
HARES = get_game("hase-und-igel-2018")
NAMES = ("A", "B")


class Listening(Peer):
    """A peer that keeps what it is sent, and what waits for that to leave."""

    def __init__(self, revision: str | None = None) -> None:
        super().__init__()
        self.revision = revision
        self.written = b""
        self.waiting: list[Callable[[], None]] = []

    def send(self, data: bytes) -> None:
        self.written += data

    def when_sent(self, then: Callable[[], None]) -> None:
        self.waiting.append(then)

    def flush(self) -> None:
        pass

    def close(self, *, after: float = 0.0) -> None:
        pass

    def keep_open(self) -> None:
        pass

    def heard(self) -> list[str]:
        """Return the names of the packets that came since the last time."""
        found, self.written = split_packets(self.written.decode()), b""
        return [tag(packet) for packet in found]


class Hall:
    """An audience of two players, and as many observers as somebody admits."""

    def __init__(self, game: AnyGame = BLOKUS, *, code: str | None = None) -> None:
        self.players = [Listening(), Listening()]
        self.seats = [RoomSeat(code=code), RoomSeat(code=code)]
        revision = next(iter(game.codecs))
        self.audience = Audience("r", game.codecs, revision, NAMES, self.seats)

    def sit(self, number: int) -> None:
        self.seats[number].peer = self.players[number]
        self.audience.hear(PlayerSeated("r", number, NAMES[number]))

    def sit_all(self) -> None:
        for number in range(2):
            self.sit(number)
        self.heard()

    def observer(self, revision: str | None = None) -> Listening:
        peer = Listening(revision)
        self.audience.admit(peer)
        peer.heard()
        return peer

    def heard(self) -> list[list[str]]:
        return [player.heard() for player in self.players]


def shown(
    state: AnyState, *, to_players: bool = True, hints: tuple[str, ...] = ()
) -> PositionShown:
    return PositionShown("r", state, MoveRecord(0, 0, None, 0.1, hints), NAMES, to_players)


@pytest.fixture
def state() -> AnyState:
    return BLOKUS.start(1)


def test_who_takes_a_seat_hears_so_at_once() -> None:
    hall = Hall()
    hall.sit(0)
    assert hall.heard() == [["joined"], []]
    hall.sit(1)
    assert hall.heard() == [[], ["joined"]]


def test_a_reserved_seat_hears_so_when_all_are_there() -> None:
    hall = Hall(code="secret")
    hall.sit(0)
    assert hall.heard() == [[], []]
    hall.sit(1)
    assert hall.heard() == [["joined"], ["joined"]]


def test_at_the_start_everybody_hears_which_seat_is_theirs() -> None:
    hall = Hall()
    hall.sit_all()
    hall.audience.hear(MatchStarted("r", NAMES))
    colors = [player.written.decode() for player in hall.players]
    assert 'color="one"' in colors[0]
    assert 'color="two"' in colors[1]


def test_who_comes_later_sees_the_position_as_it_stands(state: AnyState) -> None:
    hall = Hall()
    early, late = Listening(), Listening()
    hall.audience.admit(early)
    assert early.heard() == ["observed"]
    hall.audience.hear(shown(state))
    hall.audience.admit(late)
    assert late.heard() == ["observed", "memento"]


def test_who_watches_twice_is_told_once_and_who_stops_is_told_no_more(state: AnyState) -> None:
    hall = Hall()
    observer = hall.observer()
    hall.audience.admit(observer)
    assert observer.heard() == ["observed"]
    hall.audience.hear(shown(state))
    assert observer.heard() == ["memento"]
    hall.audience.dismiss(observer)
    hall.audience.dismiss(observer)
    hall.audience.hear(shown(state))
    assert observer.heard() == []


def test_a_position_is_rendered_once_for_all_who_read_it_alike(
    state: AnyState, monkeypatch: pytest.MonkeyPatch
) -> None:
    rendered: list[str] = []
    kind = type(BLOKUS.codecs["2021-newest"])
    encode = kind.encode_state

    def count(codec: Codec, *arguments: object) -> str:
        rendered.append(codec.revision)
        return encode(codec, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(kind, "encode_state", count)
    hall = Hall()
    hall.sit_all()
    observers = [hall.observer() for _ in range(3)] + [hall.observer("2021-older")]
    hall.audience.hear(shown(state))
    assert sorted(rendered) == ["2021-newest", "2021-older"]
    hall.audience.hear(PositionRepeated("r"))
    assert len(rendered) == 2
    hall.audience.hear(shown(state.play(state.legal_moves()[0])))
    assert len(rendered) == 4
    assert all(observer.heard().count("memento") == 3 for observer in observers)


def test_hints_are_for_those_who_watch(state: AnyState) -> None:
    hall = Hall()
    hall.sit_all()
    observer = hall.observer()
    hall.audience.hear(shown(state.play(state.legal_moves()[0]), hints=("so",)))
    hint = b'<hint content="so"/>'
    assert [hint in peer.written for peer in (observer, *hall.players)] == [True, False, False]


def test_a_position_in_a_pause_reaches_players_when_it_is_repeated(state: AnyState) -> None:
    hall = Hall()
    hall.sit_all()
    observer = hall.observer()
    hall.audience.hear(shown(state, to_players=False))
    assert (observer.heard(), hall.heard()) == (["memento"], [[], []])
    hall.audience.hear(PositionRepeated("r"))
    assert (observer.heard(), hall.heard()) == (["memento"], [["memento"], ["memento"]])
    hall.audience.hear(PositionRepeated("r"))  # W85: players have seen it
    assert (observer.heard(), hall.heard()) == (["memento"], [[], []])


def test_where_observers_wait_in_a_pause_they_see_it_with_the_players() -> None:
    hall = Hall(HARES)
    hall.sit_all()
    observer = hall.observer()
    hall.audience.hear(shown(HARES.start(1), to_players=False))
    assert observer.heard() == []
    hall.audience.hear(PositionRepeated("r"))
    assert observer.heard() == ["memento"]
    hall.audience.hear(PositionRepeated("r"))
    assert observer.heard() == []


def test_the_room_is_told_when_the_request_has_left(state: AnyState) -> None:
    sent: list[MoveRequested] = []

    class Clockwork:
        id = "r"

        def request_sent(self, request: MoveRequested) -> None:
            sent.append(request)

    hall = Hall()
    hall.sit_all()
    hall.players[1].take_seat(Clockwork(), 1)  # type: ignore[arg-type]
    hall.audience.hear(shown(state))
    hall.heard()
    request = MoveRequested("r", 1, 7)
    hall.audience.hear(request)
    assert sent == []
    hall.players[1].waiting.pop()()
    assert sent == [request]
    assert [len(packets) for packets in hall.heard()] == [0, 1]


def test_a_broken_rule_is_told_to_all_in_the_words_of_each(state: AnyState) -> None:
    hall = Hall()
    hall.sit_all()
    newer, older = hall.observer(), hall.observer("2021-older")
    move = state.legal_moves()[0]
    violation = RuleViolation("OBSTRUCTED", Text("Nein.", "No."))
    hall.audience.hear(
        ComplaintMade("r", 0, "said elsewhere", move, violation=violation, how=None, expected=0)
    )
    for peer in (newer, older, hall.players[0]):
        said = hall.audience.codec(peer).complaint(
            violation, move, "A", to_offender=peer is hall.players[0]
        )
        assert f"message={quote(said)}" in peer.written.decode()
    assert b"originalMessage" in newer.written
    assert b"originalRequest" in older.written
    assert hall.players[1].heard() == []


@pytest.mark.parametrize("how", [Departure.OUT_OF_TURN, Departure.PROTOCOL_ERROR])
def test_disorder_is_told_to_the_offender_only(state: AnyState, how: Departure) -> None:
    hall = Hall()
    hall.sit_all()
    observer = hall.observer()
    move = state.legal_moves()[0] if how is Departure.OUT_OF_TURN else None
    hall.audience.hear(
        ComplaintMade("r", 1, "unreadable", move, violation=None, how=how, expected=0)
    )
    said = hall.players[1].written.decode()
    assert ("unreadable" in said) == (move is None)
    assert ("not your turn yet; expected: Team 1(A), got Team 2(B)" in said) == (move is not None)
    assert (observer.heard(), hall.players[0].heard()) == ([], [])


def test_an_observer_who_cannot_be_written_to_harms_nobody(
    state: AnyState, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> str:
        raise ValueError("a fault of ours")

    hall = Hall()
    hall.sit_all()
    unlucky, lucky = hall.observer("2021-older"), hall.observer()
    for method in ("encode_state", "encode_outcome"):
        monkeypatch.setattr(BLOKUS.codecs["2021-older"], method, fail)
    hall.audience.hear(shown(state))
    record = MatchRecord(BLOKUS.codecs["2021-newest"], "r", NAMES)
    record.outcome, record.final = state.outcome(), state
    hall.audience.hear(MatchEnded("r", record))
    for peer in (*hall.players, lucky):
        assert peer.heard() == ["memento", "result"]
    assert unlucky.heard() == ["errorpacket", "errorpacket"]
    assert sum("internal error" in record.getMessage() for record in caplog.records) == 2


def test_a_position_that_cannot_be_written_to_a_player_is_a_failure_of_the_room(
    state: AnyState, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> str:
        raise ValueError("a fault of ours")

    hall = Hall()
    hall.sit_all()
    monkeypatch.setattr(BLOKUS.codecs["2021-newest"], "encode_state", fail)
    with pytest.raises(ValueError, match="a fault of ours"):
        hall.audience.hear(shown(state))


def test_pauses_are_told_to_observers_who_know_the_word() -> None:
    hall = Hall()
    newer, older = hall.observer(), hall.observer("2021-older")
    hall.audience.hear(MatchPaused("r", is_paused=True))
    assert (newer.heard(), older.heard()) == (["paused"], [])


def test_the_result_and_the_goodbye_reach_everybody_once(state: AnyState) -> None:
    hall = Hall()
    hall.sit_all()
    observer = hall.observer()
    hall.audience.admit(hall.players[0])  # a player who watches, too
    hall.heard()
    record = MatchRecord(BLOKUS.codecs["2021-newest"], "r", NAMES)
    record.outcome, record.final = state.outcome(), state
    hall.audience.hear(MatchEnded("r", record))
    hall.audience.hear(RoomClosed("r"))
    for peer in (*hall.players, observer):
        assert peer.heard() == ["result", "left"]


def test_what_does_not_concern_xml_peers_is_not_written() -> None:
    hall = Hall()
    observer = hall.observer()
    hall.audience.hear(RoomOpened("r", BLOKUS, NAMES, is_prepared=False, is_paused=False))
    assert observer.heard() == []


def test_the_audience_is_told_before_the_listeners_of_the_server() -> None:
    stage = Stage()
    written: list[bytes] = []
    line = stage.line("<protocol>")
    stage.server.feed.subscribe(lambda _: written.append(b"".join(line.connection._output.packets)))
    line.say("<join/>")
    assert b"<joined " not in written[0]  # RoomOpened
    assert b"<joined " in written[1]  # PlayerSeated
