"""What administrators ask for, what is answered, and what is refused to everybody else."""

from __future__ import annotations

import pytest

from server.stage import Stage, tag
from server.test_lobby import (
    ADMIN,
    BLOKUS_21,
    HARE,
    join,
    prepare,
    room_id,
    send_move,
    sit,
    tags,
)
from spielleiter.games import get_game


@pytest.mark.parametrize(
    "form", ['authenticate password="examplepassword"', "authenticate passphrase='examplepassword'"]
)
def test_both_names_of_the_password(form: str) -> None:
    stage = Stage()
    admin = stage.line(f"<protocol><{form}/>")
    assert admin.written == b""
    prepare(admin)


@pytest.mark.parametrize(
    ("more", "slots", "paused"),
    [
        ("", '<slot displayName="a" shouldBePaused="true"/><slot displayName="b"/>', True),
        (' pause="true"', "", True),
        (' pause="false"', "", False),
        ("", "", False),
    ],
)
def test_both_documented_forms_of_pausing(more: str, slots: str, paused: bool) -> None:
    stage = Stage()
    room, codes = prepare(stage.line(ADMIN), more, slots)
    players = [sit(stage, code) for code in codes]
    assert stage.server.lobby.rooms[room].referee.paused is paused
    assert ("moveRequest" in tags(players[0])) is not paused


def test_slots_without_attributes_are_reserved_and_timed() -> None:
    stage = Stage()
    room, codes = prepare(stage.line(ADMIN), slots="<slot/><slot/>")
    assert len(codes) == 2
    assert stage.server.lobby.rooms[room].referee.can_timeout == [True, True]


def test_an_unreserved_slot_is_taken_by_a_join() -> None:
    stage = Stage()
    room, codes = prepare(
        stage.line(ADMIN), slots='<slot displayName="A"/><slot displayName="B" reserved="false"/>'
    )
    assert len(codes) == 1
    assert room_id(join(stage)) == room


def test_freeing_a_reservation_opens_the_seat() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    admin.say(f'<freeReservation reservation="{codes[0]}"/>')
    assert room_id(join(stage)) == room
    assert "reservation" in sit(stage, codes[0]).packets[0]


def test_observing_twice_doubles_nothing() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    players = [join(stage), join(stage)]
    for _ in range(2):
        admin.say(f'<observe roomId="{room_id(players[0])}"/>')
    admin.heard()
    send_move(stage, players)
    assert tags(admin) == ["memento"]


def test_step_by_step() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin, ' pause="true"')
    admin.say(f'<observe roomId="{room}"/>')
    players = [sit(stage, code) for code in codes]
    assert tags(admin)[-1] == "memento"
    assert tags(players[0]) == ["joined", "welcomeMessage"]
    admin.say(f'<step roomId="{room}"/>')
    admin.say(f'<step roomId="{room}"/>')  # W2
    assert tags(players[0]) == ["memento", "moveRequest"]
    send_move(stage, players)
    assert tags(players[1])[2:] == ["memento"]
    admin.heard()
    admin.say(f'<pause roomId="{room}" pause="false"/>')
    assert tags(admin) == ["paused", "memento"]
    assert tags(players[1]) == ["memento", "moveRequest"]


def test_cancel_gives_a_result_and_keeps_the_administrator() -> None:  # W12
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    players = [sit(stage, code) for code in codes]
    send_move(stage, players)
    admin.say(f'<cancel roomId="{room}"/>')
    assert tags(players[0])[-2:] == ["result", "left"]
    assert not admin.closed
    room, codes = prepare(admin)
    waiting = sit(stage, codes[0])
    admin.say(f'<cancel roomId="{room}"/>')
    assert tags(waiting) == ["joined", "left"]
    assert stage.server.lobby.rooms == {}


def test_the_clock_of_a_seat_can_be_switched_off_and_on() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    players = [sit(stage, code) for code in codes]
    admin.say(f'<timeout roomId="{room}" slot="0" activate="false"/>')
    stage.time.advance(30)
    assert room in stage.server.lobby.rooms
    send_move(stage, players)
    stage.time.advance(10.5)
    assert "hat innerhalb von 10 Sekunden" in players[0].packets[-2]


def test_a_prepared_game_has_the_revision_it_was_given() -> None:
    stage = Stage()
    _, codes = prepare(stage.line(ADMIN), ' revision="2021-oldest"', game_type=BLOKUS_21)
    players = [sit(stage, code) for code in codes]
    assert all("currentColorIndex" in player.written.decode() for player in players)


def test_a_prepared_game_starts_from_its_seed_or_position() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, _ = prepare(admin, ' seed="7"', game_type=HARE)
    game = get_game(HARE)
    assert stage.server.lobby.rooms[room].referee.state == game.start(7)
    state = game.start(3)
    for _ in range(5):
        state = state.play(state.legal_moves()[0])
    text = game.codecs["2018"].encode_state(state, ("A", "B"))
    text = text.replace("<state", "<loadGameInfo", 1).replace("</state>", "</loadGameInfo>")
    slots = '<slot displayName="A"/><slot displayName="B"/>'
    room, _ = prepare(admin, slots=slots + text, game_type=HARE)
    assert stage.server.lobby.rooms[room].referee.state == state


def test_test_mode_adds_up_scores_per_name() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    admin.say('<testMode testMode="true"/>')
    assert tags(admin) == ["testing"]
    for _ in range(2):
        _, codes = prepare(admin)
        players = [sit(stage, code) for code in codes]
        send_move(stage, players)
        players[1].hang_up()
    admin.say('<scoreForPlayer displayName="A"/>')
    assert 'displayName="A" numberOfTests="2"' in admin.packets[-1]
    assert "<value>4</value>" in admin.packets[-1]
    assert "<value>5.000000</value>" in admin.packets[-1]
    admin.say('<scoreForPlayer displayName="nobody"/>')
    assert admin.packets[-1].strip() == "<playerScore/>"


def test_scores_are_kept_per_game_and_name() -> None:  # W86
    stage = Stage(test_mode=True)
    both, admin = stage.line(ADMIN), stage.line(ADMIN)
    for game_type in (BLOKUS_21, HARE):
        _, codes = prepare(both, game_type=game_type)
        players = [sit(stage, code) for code in codes]
        send_move(stage, players)
        players[1].hang_up()
    for game_type, fragments in ((BLOKUS_21, 2), (HARE, 3)):
        _, codes = prepare(admin, game_type=game_type)
        admin.say('<scoreForPlayer displayName="A"/>')
        assert 'displayName="A" numberOfTests="1"' in admin.packets[-1]
        assert admin.packets[-1].count("<fragment ") == fragments
        both.say(f'<scoreForPlayer displayName="A" gameType="{game_type}"/>')
        assert both.packets[-1] == admin.packets[-1]
    prepare(admin)
    admin.say('<scoreForPlayer displayName="A"/>')
    assert admin.packets[-1].strip() == "<playerScore/>"
    stranger = stage.line(ADMIN)
    stranger.say('<scoreForPlayer displayName="A"/>')
    assert "Feldnummer" in stranger.packets[-1]  # the last game that A played
    stranger.say('<scoreForPlayer displayName="A" gameType="swc_2019_piranhas"/>')
    assert tag(stranger.packets[-1]) == "errorpacket"


def test_display_names_may_be_anything_a_person_writes() -> None:
    stage = Stage()
    name = "Häschen &amp; &lt;Co&gt; &#x1F430; &apos;&quot;"
    admin = stage.line(ADMIN)
    _, codes = prepare(
        admin, slots=f'<slot displayName="{name}"/><slot displayName="&#10;"/>', game_type=HARE
    )
    players = [sit(stage, code) for code in codes]
    assert "Häschen &amp; &lt;Co&gt; 🐰 &apos;&quot;" in players[0].written.decode()


@pytest.mark.parametrize(
    "request_text",
    [
        '<prepare gameType="swc_2027_blokus"><slot/><slot/></prepare>',
        '<observe roomId="x"/>',
        '<pause roomId="x" pause="true"/>',
        '<step roomId="x"/>',
        '<cancel roomId="x"/>',
        '<timeout roomId="x" slot="0" activate="false"/>',
        '<testMode testMode="true"/>',
        '<scoreForPlayer displayName="A"/>',
        '<freeReservation reservation="x"/>',
    ],
)
def test_every_administrators_request_needs_authentication(request_text: str) -> None:
    line = Stage().line("<protocol>" + request_text)
    assert "UnauthenticatedException" in line.packets[0]
    assert line.closed


@pytest.mark.parametrize(
    ("request_text", "words"),
    [
        ('<prepare gameType="swc_1999_chess"><slot/><slot/></prepare>', "Unknown GameType"),
        ('<prepare gameType="swc_2027_blokus"/>', "slots"),
        ('<prepare gameType="swc_2027_blokus"><slot/><slot/><slot/></prepare>', "slots"),
        (
            '<prepare gameType="swc_2027_blokus" variant="blokus-2021"><slot/><slot/></prepare>',
            "variant",
        ),
        (
            '<prepare gameType="swc_2027_blokus" variant="nonsense"><slot/><slot/></prepare>',
            "nonsense",
        ),
        (
            '<prepare gameType="swc_2027_blokus" load="../../etc/passwd"><slot/><slot/></prepare>',
            "replay folder",
        ),
        (f'<prepare gameType="swc_2027_blokus"><slot displayName="{"x" * 101}"/></prepare>', "100"),
        ('<observe roomId="nope"/>', "nope"),
        ('<pause roomId="nope" pause="true"/>', "nope"),
        ('<freeReservation reservation="nope"/>', "reservation"),
    ],
)
def test_a_refused_administrator_is_told_why_and_stays(request_text: str, words: str) -> None:  # W5
    stage = Stage()
    admin = stage.line(ADMIN)
    admin.say(request_text)
    assert words in admin.packets[0]
    assert not admin.closed
    prepare(admin)


def test_an_administrator_who_played_is_not_closed_after_the_game() -> None:  # W9
    stage = Stage()
    one, two = join(stage), join(stage)
    two.hang_up()
    one.say('<authenticate password="examplepassword"/>')
    stage.time.advance(60)
    assert not one.closed


def test_a_reservation_in_use_cannot_be_freed() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    _, codes = prepare(admin, game_type=HARE)
    one = sit(stage, codes[0])
    admin.say(f'<freeReservation reservation="{codes[0]}"/>')
    assert "sits there already" in admin.packets[-1]
    sit(stage, codes[1])
    assert tags(one)[0] == "joined"


def test_a_clock_that_is_switched_on_again_begins_anew() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    room, codes = prepare(admin)
    for code in codes:
        sit(stage, code)
    admin.say(f'<timeout roomId="{room}" slot="0" activate="false"/>')
    stage.time.advance(30)
    admin.say(f'<timeout roomId="{room}" slot="0" activate="true"/>')
    stage.time.advance(9)
    assert room in stage.server.lobby.rooms
    stage.time.advance(2)
    assert room not in stage.server.lobby.rooms
