"""The feed: what listeners in this process are told, and that they harm nobody."""

from __future__ import annotations

import logging

import pytest

from server.stage import Line, Stage, tag
from spielleiter.games import get_game
from spielleiter.match import Phase
from spielleiter.rules import AnyGame, Departure
from spielleiter.server.feed import (
    ComplaintMade,
    Feed,
    MatchEnded,
    MatchPaused,
    MatchStarted,
    MoveRequested,
    PlayerLeft,
    PlayerSeated,
    PositionRepeated,
    PositionShown,
    RoomClosed,
    RoomEvent,
    RoomOpened,
)
from spielleiter.server.lobby import Refusal
from spielleiter.server.room import Room
from spielleiter.wire import messages

GAME = get_game("hase-und-igel-2018")
ADMIN = '<protocol><authenticate password="examplepassword"/>'
CLOSED = RoomClosed("1")


def prepare(stage: Stage, *names: str, paused: bool = False, game: AnyGame = GAME) -> Room:
    slots = [messages.Slot(name) for name in names]
    return stage.server.lobby.prepare_room(
        game, slots, position=lambda: game.start(1), paused=paused
    )


def sit(stage: Stage, room: Room) -> list[Line]:
    return [
        stage.line(f'<protocol><joinPrepared reservationCode="{code}"/>')
        for code in room.reservation_codes
    ]


def send_move(room: Room, line: Line, text: str = "") -> None:
    hint = '<hint content="so"/>'
    codec = room.codecs[room.revision]
    text = text or codec.encode_move(room.referee.state.legal_moves()[0])
    at = text.rindex("</data>")
    line.say(f'<room roomId="{room.id}">{text[:at]}{hint}{text[at:]}</room>')


# The feed by itself


def test_listeners_are_told_in_the_order_of_their_coming_until_they_go() -> None:
    feed, told = Feed(), list[tuple[int, RoomEvent]]()
    end = feed.subscribe(lambda event: told.append((1, event)))
    feed.subscribe(lambda event: told.append((2, event)))
    feed.publish(CLOSED)
    end()
    end()
    feed.publish(CLOSED)
    assert told == [(1, CLOSED), (2, CLOSED), (2, CLOSED)]


def test_who_subscribes_twice_is_told_twice_and_ends_one_at_a_time() -> None:
    feed, told = Feed(), list[RoomEvent]()
    end = feed.subscribe(told.append)
    feed.subscribe(told.append)
    feed.publish(CLOSED)
    assert len(told) == 2
    end()
    end()
    feed.publish(CLOSED)
    assert len(told) == 3


def test_a_listener_that_raises_is_logged_once_and_told_no_more(
    caplog: pytest.LogCaptureFixture,
) -> None:
    feed, calls, told = Feed(), list[RoomEvent](), list[RoomEvent]()

    def fail(event: RoomEvent) -> None:
        calls.append(event)
        raise ValueError("no more room")

    feed.subscribe(fail)
    feed.subscribe(told.append)
    with caplog.at_level(logging.ERROR, "spielleiter.feed"):
        feed.publish(CLOSED)
        feed.publish(CLOSED)
    assert len(calls) == 1
    assert len(told) == 2
    assert len(caplog.records) == 1


def test_a_listener_that_was_sent_away_by_another_one_is_not_told() -> None:
    feed, told = Feed(), list[RoomEvent]()
    ends = [feed.subscribe(lambda _: ends[1]()), feed.subscribe(told.append)]
    feed.publish(CLOSED)
    assert told == []


# What rooms tell


def test_a_match_from_its_room_to_its_result() -> None:
    stage = Stage()
    room = prepare(stage, "A", "B")
    players = sit(stage, room)
    first = room.referee.state
    send_move(room, players[0])
    second = room.referee.state
    players[1].hang_up()
    opened, one, two, started, start, asked, moved, asked_next, left, ended, closed = stage.events
    assert opened == RoomOpened(room.id, GAME, ("A", "B"), is_prepared=True, is_paused=False)
    assert [one, two] == [PlayerSeated(room.id, 0, "A"), PlayerSeated(room.id, 1, "B")]
    assert started == MatchStarted(room.id, ("A", "B"))
    assert start == PositionShown(room.id, first, None, ("A", "B"))
    assert asked == MoveRequested(room.id, 0, first.turn)
    assert isinstance(moved, PositionShown)
    assert moved.state is second
    assert moved.move is room.record.moves[0]
    assert moved.hints == moved.move.hints == ("so",)
    assert asked_next == MoveRequested(room.id, 1, second.turn)
    assert left == PlayerLeft(room.id, 1, "B")
    assert isinstance(ended, MatchEnded)
    assert ended.record is room.record
    assert ended.record.outcome is not None
    assert closed == RoomClosed(room.id)


def test_pauses_and_each_position_once() -> None:
    stage = Stage()
    room = prepare(stage, "A", "B", paused=True)
    sit(stage, room)
    for paused in (False, True):
        stage.line(ADMIN).say(f'<pause roomId="{room.id}" pause="{str(paused).lower()}"/>')
    told = [event for event in stage.events if isinstance(event, MatchPaused | PositionShown)]
    assert sorted(type(event).__name__ for event in told) == [
        "MatchPaused",
        "MatchPaused",
        "PositionShown",
    ]
    assert MatchPaused(room.id, is_paused=True) in told
    assert PositionRepeated(room.id) in stage.events


def test_a_position_in_a_pause_is_told_before_the_players_see_it() -> None:
    stage = Stage(revision="2027", variants=("blokus-2027",))
    room = prepare(stage, "A", "B", paused=True, game=get_game("blokus-2027"))
    players = sit(stage, room)
    assert stage.events[-1] == PositionShown(
        room.id, room.referee.state, None, ("A", "B"), to_players=False
    )
    assert "memento" not in map(tag, players[0].packets)
    stage.line(ADMIN).say(f'<step roomId="{room.id}"/>')
    assert stage.events[-2:] == [PositionRepeated(room.id), MoveRequested(room.id, 0, 0)]
    assert [tag(packet) for packet in players[0].heard()][-2:] == ["memento", "moveRequest"]


@pytest.mark.parametrize(
    ("text", "is_move", "words"),
    [
        ('<data class="move"><advance order="0" distance="64"/></data>', True, "um 64 Felder"),
        ("<data>?</data>", False, "data"),
    ],
)
def test_complaints_about_moves_and_about_what_is_not_one(
    text: str, is_move: bool, words: str
) -> None:
    stage = Stage()
    room = prepare(stage, "A", "B")
    send_move(room, sit(stage, room)[0], text)
    (complaint,) = [event for event in stage.events if isinstance(event, ComplaintMade)]
    assert complaint.seat == 0
    assert (complaint.move is not None) == is_move
    assert words in complaint.message
    assert (complaint.violation is not None) == is_move
    assert complaint.how is (None if is_move else Departure.PROTOCOL_ERROR)


def test_a_room_that_nobody_plays_in_is_closed_without_a_result() -> None:
    stage = Stage()
    room = prepare(stage, "A", "B")
    room.cancel()
    assert [type(event) for event in stage.events] == [RoomOpened, RoomClosed]


def test_rooms_can_be_listed() -> None:
    stage = Stage()
    assert stage.server.lobby.list_rooms() == []
    room = prepare(stage, "A", "B", paused=True)
    line = stage.line(f'<protocol><joinPrepared reservationCode="{room.reservation_codes[1]}"/>')
    (summary,) = stage.server.lobby.list_rooms()
    assert (summary.room_id, summary.game, summary.names) == (room.id, GAME, ("A", "B"))
    assert summary.seated == (False, True)
    assert summary.phase is Phase.WAITING
    assert (summary.is_prepared, summary.is_paused, summary.moves) == (True, True, 0)
    assert summary.state is room.referee.state
    line.say("<left/>")
    assert stage.events[-1] == PlayerLeft(room.id, 1, "B")
    assert stage.server.lobby.list_rooms()[0].seated == (False, False)


def test_a_listener_that_fails_harms_no_match() -> None:
    def fail(event: RoomEvent) -> None:
        raise ValueError(event)

    def packets(*, fails: bool) -> list[list[str]]:
        stage = Stage()
        if fails:
            stage.server.feed.subscribe(fail)
        room = prepare(stage, "A", "B")
        players = sit(stage, room)
        send_move(room, players[0])
        players[1].hang_up()
        return [line.packets for line in players]

    assert packets(fails=True) == packets(fails=False)


def test_a_room_for_too_many_is_refused_before_its_position_is_asked_for() -> None:
    with pytest.raises(Refusal, match="needs 1 to 2 slots, has 3"):
        Stage().server.lobby.prepare_room(
            GAME, [messages.Slot("A")] * 3, position=lambda: pytest.fail("was asked for")
        )
