"""The feed tells listeners in this process what happens, and they harm nobody."""

from __future__ import annotations

import asyncio
import logging

import pytest

from server.stage import Line, Stage, tag
from spielleiter.games import get_game
from spielleiter.match import Phase
from spielleiter.rules import AnyGame, Departure
from spielleiter.server.errors import Refusal
from spielleiter.server.feed import (
    ComplaintMade,
    Feed,
    FeedOverrun,
    Follower,
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


# Followers, who take events at their own pace


def closed(number: int) -> RoomClosed:
    return RoomClosed(str(number))


async def take(events: Follower, count: int) -> list[RoomEvent]:
    return [await asyncio.wait_for(anext(events), 10) for _ in range(count)]


def test_a_follower_gets_every_event_since_it_began_in_order() -> None:
    async def main() -> None:
        feed = Feed()
        feed.publish(closed(0))
        with feed.follow() as events:
            feed.publish(closed(1))
            feed.publish(closed(2))
            assert await take(events, 2) == [closed(1), closed(2)]
            waiting = asyncio.ensure_future(take(events, 1))
            await asyncio.sleep(0)
            assert not waiting.done()
            feed.publish(closed(3))
            assert await waiting == [closed(3)]

    asyncio.run(main())


def test_a_follower_that_falls_behind_is_cut_off_and_told_what_to_do(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def main() -> None:
        feed, told = Feed(), list[RoomEvent]()
        slow, quick = feed.follow(limit=2), feed.follow(limit=5)
        feed.subscribe(told.append)
        for number in range(5):
            feed.publish(closed(number))
        assert await take(slow, 1) == [closed(0)]
        feed.publish(closed(5))  # there is room again, but a gap before it
        assert await take(slow, 1) == [closed(1)]
        with pytest.raises(FeedOverrun, match=r"^4 events were lost .* list_rooms\(\) .* anew$"):
            await anext(slow)
        with pytest.raises(StopAsyncIteration):
            await anext(slow)
        assert await take(quick, 5) == told[:5]
        assert len(told) == 6

    with caplog.at_level(logging.WARNING, "spielleiter.feed"):
        asyncio.run(main())
    cut = [record for record in caplog.records if "cut off" in record.getMessage()]
    assert len(cut) == 2  # the quick one did not take the sixth event in time


def test_a_follower_that_was_cut_off_costs_no_memory() -> None:
    feed = Feed()
    events = feed.follow(limit=3)
    for number in range(100):
        feed.publish(closed(number))
    assert len(events._waiting) == 3
    events.close()
    assert feed._subscriptions == ()


def test_a_follower_that_closes_ends_and_is_told_no_more() -> None:
    async def main() -> list[RoomEvent]:
        feed, taken = Feed(), list[RoomEvent]()
        events = feed.follow()

        async def read() -> None:
            async for event in events:
                taken.append(event)

        task = asyncio.ensure_future(read())
        feed.publish(closed(1))
        await asyncio.sleep(0)
        events.close()
        await asyncio.wait_for(task, 10)
        feed.publish(closed(2))
        return taken

    assert asyncio.run(main()) == [closed(1)]


def test_a_follower_may_let_at_least_one_event_wait() -> None:
    with pytest.raises(ValueError, match="at least 1 event"):
        Feed().follow(limit=0)


def test_a_follower_that_never_reads_harms_no_match(caplog: pytest.LogCaptureFixture) -> None:
    stage = Stage()
    stage.server.feed.follow(limit=1)
    room = prepare(stage, "A", "B")
    players = sit(stage, room)
    send_move(room, players[0])
    assert room.referee.asked == 1
    assert sum("cut off" in record.getMessage() for record in caplog.records) == 1


# Listeners that take their time


class Loop:
    """A loop's looks at its sockets, by hand, on a stage whose time passes only when told to."""

    def __init__(self, *, works: bool) -> None:
        self.worked = 0.0
        self.works = works
        self.stage = Stage(worked=lambda: self.worked)  # the test's own work is not the server's
        self.clock = self.stage.server.services.clock

    def look(self, *, waited: float = 0.0) -> None:
        self.clock.look_begins()
        self.stage.time.now += waited
        self.clock.look_ends(waited=waited > 0)

    def block(self, event: RoomEvent) -> None:
        """Keep the loop for three seconds, working or waiting for something else."""
        if isinstance(event, PositionShown | MoveRequested):
            self.stage.time.now += 3.0
            self.worked += 3.0 if self.works else 0.0


@pytest.mark.parametrize("works", [True, False], ids=["works", "waits"])
def test_a_listener_that_blocks_the_loop_costs_no_player_their_time(works: bool) -> None:
    loop = Loop(works=works)
    stage = loop.stage
    assert stage.server.settings.soft_timeout < 3.0
    mine = prepare(stage, "A", "B")
    players = sit(stage, mine)
    other = prepare(stage, "C", "D")
    others = sit(stage, other)
    stage.server.feed.subscribe(loop.block)
    loop.look(waited=0.04)
    send_move(other, others[0])  # the listener keeps the loop, twice
    loop.look()  # and the move of A, who was asked before, lay there meanwhile
    send_move(mine, players[0])
    loop.look()  # as does that of B, whom the listener saw being asked
    send_move(mine, players[1])
    assert mine.referee.phase is Phase.PLAYING
    assert [move.seat for move in mine.referee.records] == [0, 1]
    assert [move.seconds for move in mine.referee.records] == pytest.approx([0.04, 0.0])


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


def test_followers_end_with_the_feed_after_the_last_event() -> None:
    async def main() -> list[RoomEvent]:
        feed, taken = Feed(), list[RoomEvent]()
        early, late = feed.follow(), feed.follow(limit=1)

        async def read() -> None:
            async for event in early:
                taken.append(event)

        task = asyncio.ensure_future(read())
        await asyncio.sleep(0)  # it waits for the first event
        for number in (1, 2):
            feed.publish(closed(number))
        feed.close()
        await asyncio.wait_for(task, 10)
        assert await take(late, 1) == [closed(1)]
        with pytest.raises(FeedOverrun, match=r"^1 events were lost"):
            await anext(late)
        assert [event async for event in feed.follow()] == []  # nothing comes after the end
        feed.close()
        return taken

    assert asyncio.run(main()) == [closed(1), closed(2)]
