"""How much work one client, one address and everybody together may make, and who goes first
meanwhile.
"""

from __future__ import annotations

import pytest

from server.stage import Line, Stage, tag
from server.test_lobby import ADMIN, BLOKUS_27, HARE, join, room_id, tags
from spielleiter.server import work
from spielleiter.server.limits import ServerLimits
from spielleiter.server.work import Bucket

JUNK = '<left roomId="x">' + "<a/>" * 1990 + "</left>"
GENEROUS = 10**9
UNPUNISHED = ServerLimits(
    useless_messages=GENEROUS, messages_per_second=GENEROUS, message_burst=GENEROUS
)
"""So that a flood goes on for as long as a test needs it."""
LARGEST_BIT = (
    work.PIECE // 4
    + work.PIECE // work.BYTES
    + 2000 // work.LOOKED_AT
    + work.MESSAGE
    + work.REQUEST
)
"""More than any single bit of work costs."""


def move_text(stage: Stage, room: str, more: str = "") -> str:
    found = stage.server.lobby.rooms[room]
    state = found.referee.state
    text = found.codecs[found.revision].encode_move(state.legal_moves()[0])
    return f'<room roomId="{room}">{text.replace("</data>", more + "</data>")}</room>'


def spent(lines: list[Line]) -> int:
    return sum(line.connection.spent for line in lines)


def flood(stage: Stage, count: int = 64, address: str = "127.0.0.1") -> list[Line]:
    """So many connections with a hundred kilobytes of rubbish each, in one turn of the loop."""
    lines = [stage.line(address=address) for _ in range(count)]
    for line in lines:
        line.push("<protocol>" + JUNK * 12)
    return lines


def test_a_turn_of_the_loop_has_an_end() -> None:
    stage = Stage(limits=UNPUNISHED)
    before, flooders = 0, flood(stage)
    for _ in range(50):
        assert spent(flooders) - before <= work.TURN + LARGEST_BIT
        before = spent(flooders)
        assert stage.time.turn(), "there is more to do"


def test_a_move_that_is_asked_for_does_not_wait_for_a_flood() -> None:
    stage = Stage(limits=UNPUNISHED)
    players = [join(stage), join(stage)]
    for player in players:
        player.heard()
    room = room_id(players[0])
    flood(stage)
    for number in (0, 1, 0):
        players[number].push(move_text(stage, room))  # and no turn of the loop
        assert tags(players[0]) == (["memento", "moveRequest"] if number else ["memento"])
        players[1].heard()


def test_a_join_does_not_wait_for_a_flood() -> None:
    stage = Stage(limits=UNPUNISHED)
    flood(stage)
    for _ in range(100):  # in their first turns they are newcomers, too
        stage.time.turn()
    line = stage.line()
    line.push(f'<protocol><join gameType="{BLOKUS_27}"/>')
    assert line.written == b"", "the turn is over"
    stage.time.turn()
    assert tags(line) == ["joined"]


def test_a_flood_from_everywhere_leaves_room_for_a_join() -> None:
    """Also when all together have used more than there is."""
    stage = Stage(limits=ServerLimits(useless_messages=GENEROUS, work_in_all=1000))
    for number in range(40):
        flood(stage, 1, f"10.0.0.{number}")
    stage.time.settle()
    assert tags(stage.line(f'<protocol><join gameType="{BLOKUS_27}"/>')) == ["joined"]


def test_one_connection_has_its_share_of_work() -> None:
    stage = Stage(limits=UNPUNISHED)
    line = stage.line("<protocol>" + JUNK * 20)
    rate = stage.server.settings.limits.work_per_second
    for seconds in range(1, 5):
        most = rate * (seconds - 1 + work.SAVED) + rate * work.DEEPEST_DEBT + LARGEST_BIT
        assert most - 2 * rate < line.connection.spent <= most
        stage.time.advance(1)


@pytest.mark.parametrize(("limit", "addresses"), [("work_per_address", 1), ("work_in_all", 30)])
def test_many_connections_do_not_add_up(limit: str, addresses: int) -> None:
    rate = 10_000
    limits = ServerLimits(useless_messages=GENEROUS, **{limit: rate})
    stage = Stage(limits=limits)
    lines = [
        line for number in range(30) for line in flood(stage, 1, f"10.0.0.{number % addresses}")
    ]
    stage.time.settle()
    for seconds in range(1, 6):
        # Everybody may finish the message that was begun.
        most = rate * (seconds - 1 + work.SAVED) + rate * work.DEEPEST_DEBT + len(lines) * 3000
        assert spent(lines) <= most
        stage.time.advance(1)
    alone = spent(lines)
    stage.time.advance(10)
    assert spent(lines) > alone, "slow, but not dead"


def test_another_address_has_its_own_share() -> None:
    stage = Stage(limits=ServerLimits(useless_messages=GENEROUS, work_per_address=1000))
    flood(stage, 20, "10.0.0.1")
    stage.time.settle()
    (other,) = flood(stage, 1, "10.0.0.2")
    stage.time.settle()
    assert other.connection.spent > 2000


def test_a_player_who_is_asked_is_not_slowed_by_what_others_have_used() -> None:
    stage = Stage(limits=ServerLimits(useless_messages=GENEROUS, work_in_all=1000))
    players = [join(stage), join(stage)]
    flood(stage, 30)
    stage.time.settle()
    hints = '<hint content="x"/>' * 400
    players[0].heard()
    players[0].say(move_text(stage, room_id(players[0]), hints))
    assert tags(players[0]) == ["memento"]


def test_only_a_moves_worth_goes_first() -> None:
    """Who is asked and sends far too much waits like everybody else, with what is too much."""
    stage = Stage(limits=UNPUNISHED)
    players = [join(stage), join(stage)]
    flood(stage)
    cheat = players[0].connection
    players[0].push(move_text(stage, room_id(players[0]), "<a/>" * 1900))
    assert cheat.queued
    assert cheat._inbox._stream._elements < 2 * work.MOVE
    stage.time.settle()
    assert not players[0].closed
    assert "moveRequest" in tags(players[1])


def test_players_use_next_to_nothing_of_their_share() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    room = room_id(players[0])
    before = spent(players)
    for turn in range(20):
        players[turn % 2].push(move_text(stage, room))
    assert spent(players) == before
    assert not stage.server.workload._queues[0]


def test_moves_byte_by_byte_are_hardly_slowed() -> None:
    """A rest is short, and what came meanwhile is read in one go."""
    stage = Stage()
    players = [join(stage), join(stage)]
    room = room_id(players[0])
    for turn in range(10):
        for byte in move_text(stage, room).encode():
            players[turn % 2].say(bytes([byte]))
        stage.time.advance(0.5)
        assert players[1 - turn % 2].connection.is_asked


def test_hundreds_of_games_are_prepared_in_one_go_but_not_in_one_turn() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    admin.push(f'<prepare gameType="{HARE}"><slot/><slot/></prepare>' * 300)
    stage.time.turn()
    assert 0 < len(admin.packets) < 20
    stage.time.settle()
    assert [tag(packet) for packet in admin.packets] == ["prepared"] * 300


def test_addresses_are_forgotten() -> None:
    stage = Stage()
    stage.line("<protocol>" + JUNK, address="10.0.0.1").hang_up()
    stage.look_after()
    assert stage.server.workload._addresses
    stage.time.advance(100)
    stage.look_after()
    assert not stage.server.workload._addresses


def test_a_bucket_fills_with_time_up_to_its_size() -> None:
    bucket = Bucket(rate=10, size=20, now=0.0)
    assert bucket.take(20, 0.0) == 0
    assert bucket.take(5, 0.0) == 0.5
    assert not bucket.is_full(2.4)
    assert bucket.is_full(2.5)
    assert bucket.take(20, 100.0) == 0
    assert bucket.take(1, 100.0) == 0.1
