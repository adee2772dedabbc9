"""One connection as its transport sees it, with what is read, when it is cut and how it ends."""

from __future__ import annotations

import gc
import weakref

import pytest

from server.stage import Stage, tag
from server.test_lobby import ADMIN, BLOKUS_27, HARE, join, room_id, send_move, tags
from server.test_work import JUNK, UNPUNISHED, flood
from spielleiter.server.connection import IGNORED_BYTES
from spielleiter.server.limits import ServerLimits


def test_nothing_is_said_before_the_client_speaks() -> None:
    assert Stage().line().written == b""


def test_who_does_not_read_is_dropped_and_the_game_goes_on() -> None:
    stage = Stage(limits=ServerLimits(unread_bytes=10_000))
    admin = stage.line(ADMIN)
    players = [join(stage), join(stage)]
    admin.say(f'<observe roomId="{room_id(players[0])}"/>')
    admin.reads = False
    for _ in range(6):
        send_move(stage, players)
    assert admin.closed
    assert len(stage.server.lobby.rooms) == 1


def test_a_broken_connection_costs_that_player_the_game_and_nobody_else_anything() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    others = [join(stage), join(stage)]
    players[0].say("<room <<")
    assert "XML" in players[0].packets[-2]
    assert "PROTOCOL_ERROR" in players[1].written.decode()
    assert room_id(others[0]) in stage.server.lobby.rooms


def test_messages_of_nothing_but_tags_are_refused() -> None:
    stage = Stage()
    line = stage.line("<protocol><left>" + "<a/>" * 3000)
    assert "elements" in line.packets[-2]


def test_who_sends_too_much_is_read_more_slowly() -> None:
    stage = Stage(limits=ServerLimits(bytes_per_second=1000))
    line = stage.line("<protocol>" + " " * 3000 + f'<join gameType="{BLOKUS_27}"/>')
    assert line.written == b""
    stage.time.advance(5)
    assert tags(line) == ["joined"]


def test_what_is_over_is_freed_without_the_collector() -> None:
    stage = Stage()
    gc.collect()
    gc.disable()
    try:
        one, two = join(stage), join(stage)
        room = weakref.ref(stage.server.lobby.rooms[room_id(one)])
        send_move(stage, [one, two])
        connection = weakref.ref(one.connection)
        one.hang_up()
        two.hang_up()
        stage.records.clear()
        stage.time.advance(60)
        del one, two
        assert room() is None
        assert connection() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("game_type", [BLOKUS_27, HARE])
def test_a_connection_may_break_at_any_byte(game_type: str) -> None:
    """Wherever a stream is cut its player loses, the other one hears it, and the server goes on."""
    opening = f'<protocol><join gameType="{game_type}"/>'.encode()
    at = 0
    while True:
        stage = Stage()
        cut, other = stage.line(), stage.line()
        cut.say(opening[:at])
        if at < len(opening):
            cut.hang_up()
            assert stage.server.lobby.rooms == {}
        else:
            other.say(opening)
            room = next(iter(stage.server.lobby.rooms.values()))
            move = room.codecs[room.revision].encode_move(room.referee.state.legal_moves()[0])
            text = f'<room roomId="{room.id}">{move}</room>'.encode()
            cut.say(text[: at - len(opening)])
            cut.hang_up()
            assert tags(other)[-2:] == ["result", "left"]
            if at - len(opening) == len(text):
                break
        assert list(stage.server.admission.connections) == [other.connection]
        at += 1


def test_what_was_said_last_is_heard_although_others_go_first() -> None:
    """The end of a stream waits in line behind the stream."""
    stage = Stage(limits=UNPUNISHED)
    admin = stage.line(ADMIN)
    flooders = flood(stage)
    line = stage.line()
    line.push(f'<protocol><join gameType="{HARE}"/><left/>' + JUNK)
    assert line.connection.eof_received(), "the transport stays until the work is done"
    for flooder in flooders:
        flooder.close()
    stage.time.settle()
    assert tags(admin) == ["joinedGameRoom"]
    assert tag(line.packets[-1]) == "/protocol"
    assert line.closed


def test_a_flood_after_the_goodbye_is_cut() -> None:
    line = Stage().line()
    line.lingers = True
    line.say("<nonsense")
    line.say("</protocol>")
    assert not line.closed
    for _ in range(IGNORED_BYTES // 65536 + 1):
        line.say(b"x" * 65536)
    assert line.closed
