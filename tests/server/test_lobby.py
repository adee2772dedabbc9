"""Lobby and rooms as clients see them, with what is answered and who hears it."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from server.stage import Line, Stage, tag
from spielleiter.games import get_game
from spielleiter.games.blokus import Color, SkipMove
from spielleiter.server.limits import ServerLimits
from spielleiter.wire import messages

BLOKUS_27, BLOKUS_21, HARE = "swc_2027_blokus", "swc_2021_blokus", "swc_2018_hase_und_igel"
ADMIN = '<protocol><authenticate password="examplepassword"/>'
MOVE_REQUEST_OLD = "sc.framework.plugins.protocol.MoveRequest"
SLOTS_PAUSED = (
    '<slot displayName="A" shouldBePaused="true"/><slot displayName="B" shouldBePaused="true"/>'
)


def join(stage: Stage, game_type: str = BLOKUS_27, more: str = "") -> Line:
    return stage.line(f'<protocol><join gameType="{game_type}"{more}/>')


def tags(line: Line) -> list[str]:
    return [tag(packet) for packet in line.heard()]


def room_id(line: Line) -> str:
    return re.search(r'roomId="([^"]+)"', line.written.decode())[1]  # type: ignore[index]


def prepare(
    admin: Line, more: str = "", slots: str = "", game_type: str = BLOKUS_27
) -> tuple[str, list[str]]:
    slots = slots or '<slot displayName="A"/><slot displayName="B"/>'
    before = len(admin.packets)
    admin.say(f'<prepare gameType="{game_type}"{more}>{slots}</prepare>')
    packet = admin.packets[before]
    assert tag(packet) == "prepared", packet
    found = re.search(r'roomId="([^"]+)"', packet)
    assert found is not None
    return found[1], re.findall(r"<reservation>([^<]+)<", packet)


def sit(stage: Stage, code: str) -> Line:
    return stage.line(f'<protocol><joinPrepared reservationCode="{code}"/>')


def send_move(stage: Stage, players: list[Line], move: Any = None, seat: int | None = None) -> None:
    """Whoever is asked plays a legal move."""
    room = next(iter(stage.server.lobby.rooms.values()))
    state = room.referee.state
    codec = room.codecs[room.revision]
    text = codec.encode_move(move or state.legal_moves()[0])
    players[state.seat if seat is None else seat].say(f'<room roomId="{room.id}">{text}</room>')


def test_two_joins_make_a_game() -> None:
    stage = Stage()
    one = join(stage)
    assert tags(one) == ["joined"]
    two = join(stage)
    assert tags(one) == ["welcomeMessage", "memento", "moveRequest"]
    assert tags(two) == ["joined", "welcomeMessage", "memento"]
    assert room_id(one) == room_id(two)


def test_a_join_never_lands_in_a_room_of_another_type() -> None:  # W6
    stage = Stage()
    rooms = {room_id(join(stage, kind)) for kind in (BLOKUS_27, BLOKUS_21, HARE)}
    assert len(rooms) == 3
    assert len({room_id(join(stage, kind)) for kind in (BLOKUS_27, BLOKUS_21, HARE)} | rooms) == 3


@pytest.mark.parametrize(
    ("settings", "game"),
    [
        ({}, "blokus-2021"),
        ({"game": "blokus-2027"}, "blokus-2027"),
        ({"game": "blokus-2021-official"}, "blokus-2021-official"),
        ({"variants": ("blokus-2021-official",)}, "blokus-2021-official"),
    ],
)
def test_a_join_without_a_type_opens_a_room_of_the_servers_game(
    settings: Any, game: str
) -> None:  # W6
    stage = Stage(**settings)
    assert stage.server.lobby.rooms[room_id(stage.line("<protocol><join/>"))].game.id == game
    assert stage.server.lobby.rooms[room_id(join(stage, HARE))].game.game_type == HARE


def test_a_join_without_a_type_takes_any_open_room() -> None:  # W6
    stage = Stage()
    first = stage.line("<protocol><join/>")
    hare = join(stage, HARE)
    first.hang_up()
    assert room_id(stage.line("<protocol><join/>")) == room_id(hare)


def test_the_piranhas_of_the_examples_are_refused_with_what_there_is() -> None:  # W90
    stage = Stage()
    player = join(stage, "swc_2019_piranhas")
    assert [tag(packet) for packet in player.packets] == ["errorpacket", "/protocol"]
    assert all(kind in player.packets[0] for kind in (BLOKUS_27, BLOKUS_21, HARE))


def test_join_room_takes_a_free_seat_there() -> None:
    stage = Stage()
    one = join(stage)
    two = stage.line(f'<protocol><joinRoom roomId="{room_id(one)}"/>')
    assert tags(two) == ["joined", "welcomeMessage", "memento"]
    three = stage.line(f'<protocol><joinRoom roomId="{room_id(one)}"/>')
    assert "already full" in three.packets[0]
    assert three.closed


def test_the_same_connection_may_play_again() -> None:
    stage = Stage()
    one, two = join(stage), join(stage)
    two.hang_up()
    assert tags(one)[-2:] == ["result", "left"]
    one.say(f'<join gameType="{BLOKUS_27}"/>')
    stage.time.advance(60)
    assert tags(one) == ["joined"]
    assert not one.closed


def test_after_a_game_a_silent_client_is_let_go_with_a_closed_document() -> None:  # W9
    stage = Stage()
    one, two = join(stage), join(stage)
    two.say("</protocol>")
    assert two.written.endswith(b"\n</protocol>")
    assert not one.closed
    stage.time.advance(stage.server.settings.limits.goodbye_seconds + 0.1)
    assert one.closed
    assert one.written.endswith(b"\n</protocol>")


def test_a_player_of_a_long_game_is_not_late_for_the_next_one() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    for _ in range(50):
        stage.time.advance(1.5)
        send_move(stage, players)
    players[1].hang_up()
    stage.look_after()
    assert not players[0].closed
    assert tag(players[0].packets[-1]) == "left"


def test_a_seat_left_before_the_start_is_free_again() -> None:  # W7
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    sit(stage, codes[0]).hang_up()
    again, other = sit(stage, codes[0]), sit(stage, codes[1])
    assert "moveRequest" in tags(again)
    assert room_id(other) == room
    lonely = join(stage)
    gone = room_id(lonely)
    lonely.hang_up()
    assert gone not in stage.server.lobby.rooms


def test_a_reservation_is_good_for_one_at_a_time() -> None:
    stage = Stage()
    _, codes = prepare(stage.line(ADMIN))
    sit(stage, codes[0])
    assert "reservation" in sit(stage, codes[0]).packets[0]


def test_seats_go_by_slot_and_not_by_who_comes_first() -> None:
    stage = Stage()
    _, codes = prepare(stage.line(ADMIN))
    second, first = sit(stage, codes[1]), sit(stage, codes[0])
    assert 'color="TWO"' in second.written.decode()
    assert 'color="ONE"' in first.written.decode()


@pytest.mark.parametrize(
    ("game_type", "revision", "at_once"),
    [
        (HARE, "2018", False),
        (BLOKUS_21, "2021-newest", False),
        (BLOKUS_21, "2021-older", False),
        (BLOKUS_21, "2021-oldest", False),
        (BLOKUS_27, "2027", True),
    ],
)
def test_until_2021_prepared_players_hear_joined_when_all_are_there(
    game_type: str, revision: str, at_once: bool
) -> None:  # W42
    stage = Stage()
    _, codes = prepare(stage.line(ADMIN), f' revision="{revision}"', game_type=game_type)
    one = sit(stage, codes[0])
    assert tags(one) == (["joined"] if at_once else [])
    two = sit(stage, codes[1])
    assert tags(one)[: 1 if at_once else 2] == (
        ["welcomeMessage"] if at_once else ["joined", "welcomeMessage"]
    )
    assert tags(two)[:2] == ["joined", "welcomeMessage"]


@pytest.mark.parametrize("game_type", [HARE, BLOKUS_21])
def test_a_paused_game_shows_its_first_state_and_only_the_request_waits(
    game_type: str,
) -> None:  # W85
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin, slots=SLOTS_PAUSED, game_type=game_type)
    admin.say(f'<observe roomId="{room}"/>')
    players = [sit(stage, code) for code in codes]
    for player in players:
        assert tags(player) == ["joined", "welcomeMessage", "memento"]
    assert tags(admin)[-2:] == ["observed", "memento"]
    admin.say(f'<pause roomId="{room}" pause="false"/>')
    assert tags(players[0]) == [MOVE_REQUEST_OLD]
    assert tags(players[1]) == []
    send_move(stage, players)
    assert tags(players[0]) == ["memento"]
    assert tags(players[1]) == ["memento", MOVE_REQUEST_OLD]


@pytest.mark.parametrize("game_type", [HARE, BLOKUS_21])
def test_a_game_paused_later_shows_its_state_with_the_next_request(game_type: str) -> None:  # W85
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin, slots=SLOTS_PAUSED, game_type=game_type)
    players = [sit(stage, code) for code in codes]
    admin.say(f'<step roomId="{room}"/>')
    send_move(stage, players)
    assert tags(players[1]) == ["joined", "welcomeMessage", "memento"]
    admin.say(f'<step roomId="{room}"/>')
    assert tags(players[1]) == ["memento", MOVE_REQUEST_OLD]


def test_in_2027_players_of_a_paused_game_see_nothing_before_it_goes_on() -> None:  # W85
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin, slots=SLOTS_PAUSED)
    players = [sit(stage, code) for code in codes]
    assert tags(players[0]) == ["joined", "welcomeMessage"]
    admin.say(f'<pause roomId="{room}" pause="false"/>')
    assert tags(players[0]) == ["memento", "moveRequest"]


def test_observers_see_the_game_as_it_stands_and_then_everything() -> None:  # W3
    stage = Stage()
    admin = stage.line(ADMIN)
    players = [join(stage), join(stage)]
    admin.heard()
    admin.say(f'<observe roomId="{room_id(players[0])}"/>')
    assert tags(admin) == ["observed", "memento"]
    send_move(stage, players)
    assert tags(admin) == ["memento"]
    players[0].hang_up()
    assert tags(admin) == ["result", "left"]
    assert not admin.closed


def first_player_not_reading(stage: Stage) -> list[Line]:
    """Return the players of a match in which the one who is asked first does not read."""
    one, two = join(stage), stage.line()
    one.reads = False
    two.say(f'<protocol><join gameType="{BLOKUS_27}"/>')
    return [one, two]


def test_the_soft_limit_is_not_gained_by_not_reading() -> None:  # W17
    stage = Stage()
    players = first_player_not_reading(stage)
    stage.time.advance(1.9)
    send_move(stage, players)
    assert stage.server.lobby.rooms
    send_move(stage, players)
    stage.time.advance(2.1)
    send_move(stage, players)
    assert "laenger als 2 Sekunden" in players[1].written.decode()
    taken = [move.seconds for move in stage.records[0].moves]
    assert taken == pytest.approx([1.9, 0.0]), "the late move does not count"


def test_the_hard_limit_does_not_wait_for_who_does_not_read() -> None:  # W17
    stage = Stage()
    players = first_player_not_reading(stage)
    stage.time.advance(10.5)
    assert "hat innerhalb von 10 Sekunden" in players[1].written.decode()
    assert not stage.server.lobby.rooms


def test_time_begins_when_the_request_is_written_and_not_before() -> None:  # W17
    stage = Stage()
    players = [stage.line("<protocol>"), stage.line("<protocol>")]
    for player in players:
        stage.server.lobby.receive(player.connection, messages.Join(BLOKUS_27), 0.0)
    stage.time.advance(5)  # the server has other things to do
    stage.server.outbox.flush()
    stage.time.advance(1.9)
    send_move(stage, players)
    room = next(iter(stage.server.lobby.rooms.values()))
    assert room.referee.records[0].seconds == pytest.approx(1.9)


def test_no_timeout_holds_for_everybody() -> None:  # W15
    stage = Stage(no_timeout=True)
    _, codes = prepare(stage.line(ADMIN))
    for code in codes:
        sit(stage, code)
    stage.time.advance(3600)
    assert stage.server.lobby.rooms


def test_hints_are_kept_and_shown_to_those_who_watch() -> None:  # W11
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin, game_type=BLOKUS_21)
    admin.say(f'<observe roomId="{room}"/>')
    players = [sit(stage, code) for code in codes]
    match = stage.server.lobby.rooms[room].referee
    codec = get_game("blokus-2021").codecs["2021-newest"]
    text = codec.encode_move(match.state.legal_moves()[0], ["because"])
    players[0].say(f'<room roomId="{room}">{text}</room>')
    assert "because" in admin.packets[-1]
    assert "because" not in players[0].written.decode()
    assert match.records[0].hints == ("because",)


def test_each_connection_reads_the_revision_it_asked_for() -> None:
    stage = Stage()
    old, new = join(stage, BLOKUS_21, ' revision="2021-older"'), join(stage, BLOKUS_21)
    assert "orderedColors" in old.written.decode()
    assert "validColors" not in old.written.decode()
    assert "validColors" in new.written.decode()


def test_a_server_may_write_an_older_revision() -> None:
    stage = Stage(revision="2021-older")
    join(stage, BLOKUS_21)
    assert "orderedColors" in join(stage, BLOKUS_21).written.decode()
    assert 'class="moveRequest"' in [join(stage), join(stage)][0].written.decode()


# Refusals


def test_a_stranger_cannot_move_in_a_room() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    stranger = stage.line(
        f'<protocol><room roomId="{room_id(players[0])}"><data class="x"/></room>'
    )
    assert "not a member" in stranger.packets[0]
    assert stage.server.lobby.rooms


def test_who_has_a_seat_cannot_take_another() -> None:
    stage = Stage()
    one = join(stage)
    one.say(f'<join gameType="{BLOKUS_27}"/>')
    assert "has a seat" in one.packets[-2]
    assert one.closed


def test_a_move_that_comes_after_the_end_is_ignored() -> None:  # W14
    stage = Stage()
    players = [join(stage), join(stage)]
    room = room_id(players[0])
    players[1].hang_up()
    players[0].heard()
    players[0].say(f'<room roomId="{room}"><data class="sc.plugin2027.SkipMove"/></room>')
    assert players[0].heard() == []
    assert not players[0].closed


@pytest.mark.parametrize(
    "data",
    [
        "",
        "<data/>",
        '<data class="nonsense"/>',
        '<data class="sc.plugin2027.SetMove"/>',
        '<data class="memento"/>',
    ],
)
def test_an_unreadable_move_loses_with_an_explanation(data: str) -> None:  # W4
    stage = Stage()
    players = [join(stage), join(stage)]
    players[0].heard()
    players[0].say(f'<room roomId="{room_id(players[0])}">{data}</room>')
    assert tags(players[0]) == ["error", "result", "left"]
    assert 'team="TWO" regular="false"' in players[1].written.decode()


def test_too_many_rooms_are_refused() -> None:
    stage = Stage(limits=ServerLimits(rooms=1))
    join(stage)
    refused = join(stage, HARE)
    assert "rooms" in refused.packets[0]


def test_observers_of_a_room_that_is_given_up_hear_it() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    lonely = join(stage)
    admin.say(f'<observe roomId="{room_id(lonely)}"/>')
    lonely.hang_up()
    assert tags(admin) == ["joinedGameRoom", "observed", "left"]
    assert admin.connection.observing == {}


def test_the_replay_has_the_complaint_whoever_watches() -> None:
    stage = Stage()
    for observer in (None, "2021-oldest"):
        players = [join(stage, BLOKUS_21), join(stage, BLOKUS_21)]
        if observer:
            admin = stage.line(ADMIN.replace("/>", f' revision="{observer}"/>'))
            admin.say(f'<observe roomId="{room_id(players[0])}"/>')
        codec = get_game("blokus-2021").codecs["2021-newest"]
        skip = codec.encode_move(SkipMove(Color.BLUE))
        players[0].say(f'<room roomId="{room_id(players[0])}">{skip}</room>')
        text = stage.records[-1].format_replay()
        assert "<originalMessage" in text
        assert "Der erste Zug muss einen Stein setzen" in text


def test_speaking_before_the_game_begins_costs_only_oneself() -> None:
    stage = Stage()
    _, codes = prepare(stage.line(ADMIN))
    early = sit(stage, codes[0])
    early.say(f'<room roomId="{room_id(early)}"><data class="x"/></room>')
    assert "has not begun" in early.packets[-2]
    again, other = sit(stage, codes[0]), sit(stage, codes[1])
    assert "moveRequest" in tags(again)
    assert stage.records == []
    assert not other.closed


def test_a_match_that_never_began_leaves_no_replay(tmp_path: Path) -> None:  # W18
    stage = Stage(save_replays=tmp_path)
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    came = sit(stage, codes[0])
    admin.say(f'<step roomId="{room}" forced="true"/>')
    assert 'team="ONE" regular="false"' in came.written.decode()
    assert [record.shown for record in stage.records] == [[]]
    asyncio.run(stage.server.stop())
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_revision_is_refused() -> None:
    line = join(Stage(), BLOKUS_21, ' revision="2021-old"')
    assert "2021-older" in line.packets[0]


def test_who_gives_up_hears_the_result() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    room = room_id(players[0])
    players[0].say(f'<left roomId="{room}"/>')
    assert tags(players[0])[-2:] == ["result", "left"]
    players[0].say(f'<room roomId="{room}"><data class="x"/></room>')  # was on its way, W14
    assert not players[0].closed


def test_a_player_who_watches_their_own_game_sees_it_once() -> None:
    stage = Stage()
    one = stage.line(ADMIN + f'<join gameType="{BLOKUS_27}"/>')
    one.say(f'<observe roomId="{room_id(one)}"/>')
    two = join(stage)
    one.heard()
    send_move(stage, [one, two])
    assert tags(one) == ["memento"]
