"""Hase und Igel to the letter of its page, for whoever asks for the revision
``2018-documented``.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from server.stage import Line, Stage, tag
from spielleiter.client.events import MatchOver, StateShown
from spielleiter.client.session import PlayerSession
from spielleiter.games import get_game
from spielleiter.games.hase_und_igel import (
    HASE_UND_IGEL,
    HASE_UND_IGEL_DOCUMENTED,
    Advance,
    Card,
    Field,
    Hare,
    HareMove,
    HareState,
    PlayCard,
    Skip,
)
from spielleiter.replays import parse_replay, verify
from spielleiter.server.settings import Settings
from spielleiter.server.variants import variant_for
from spielleiter.wire import messages
from spielleiter.wire.elements import encode_element
from spielleiter.wire.responses import decode_response
from spielleiter.wire.stream import parse_element
from spielleiter.wire.writer import OPEN

HARE = "swc_2018_hase_und_igel"
ADMIN = '<protocol><authenticate passphrase="examplepassword"/>'
DOCUMENTED = ' revision="2018-documented"'
CODEC = HASE_UND_IGEL_DOCUMENTED.codecs["2018-documented"]


def join(stage: Stage, more: str = DOCUMENTED) -> Line:
    return stage.line(f'<protocol><join gameType="{HARE}"{more}/>')


def the_room(stage: Stage) -> Any:
    return next(iter(stage.server.lobby.rooms.values()))


def play(stage: Stage, players: list[Line], move: HareMove | None = None) -> None:
    room = the_room(stage)
    state = room.referee.state
    text = CODEC.encode_move(move or state.legal_moves()[0])
    players[state.seat].say(f'<room roomId="{room.id}">{text}</room>')


def play_to_the_end(stage: Stage, players: list[Line]) -> Any:
    room = the_room(stage)
    while stage.server.lobby.rooms:
        play(stage, players)
    return room


def condition_of(packet: str) -> Any:
    message = decode_response(parse_element(packet))
    assert isinstance(message, messages.Memento)
    return message.state.find("condition")


def test_the_last_state_says_how_it_ended() -> None:  # H23
    stage = Stage()
    players = [join(stage), join(stage)]
    play_to_the_end(stage, players)
    for player in players:
        *before, last, result, left = player.packets
        assert [tag(packet) for packet in (last, result, left)] == ["memento", "result", "left"]
        assert not any("<condition" in packet for packet in before)
        condition = condition_of(last)
        data = decode_response(parse_element(result)).data  # type: ignore[union-attr]
        assert list(map(encode_element, condition.children)) == list(
            map(encode_element, data.children)
        )
        assert condition.attributes == {}
        assert all(score.get("reason") for score in condition.all("score"))


def test_the_names_of_the_parts_are_those_of_the_page() -> None:  # H19
    stage = Stage()
    players = [join(stage), join(stage, more="")]
    players[0].hang_up()
    assert 'name="∅ Karotten"' in players[1].written.decode()
    again = [join(stage, more=""), join(stage)]
    again[0].hang_up()
    assert 'name="Ø Karotten"' in again[1].written.decode()
    assert "∅" not in again[1].written.decode()


def test_an_illegal_move_is_an_error_of_the_room_and_seen_in_the_next_state() -> None:  # H25, W87
    stage = Stage()
    admin = stage.line(ADMIN)
    players = [join(stage), join(stage)]
    admin.say(f'<observe roomId="{the_room(stage).id}"/>')
    marks = [len(line.packets) for line in (*players, admin)]
    play(stage, players, HareMove((Skip(),)))
    said = [line.packets[mark:] for line, mark in zip((*players, admin), marks, strict=True)]
    assert [tag(packet) for packet in said[0]] == ["room", "memento", "result", "left"]
    assert [tag(packet) for packet in said[1]] == ["memento", "result", "left"]
    assert [tag(packet) for packet in said[2]] == ["error", "result", "left"]  # reads the default
    error = decode_response(parse_element(said[0][0]))
    assert isinstance(error, messages.RoomError)
    assert "aussetzen ist nicht erlaubt" in error.message
    assert error.original is not None
    assert (error.original.tag, error.original.get("class")) == ("data", "move")
    assert re.search(
        r"<error message=[^>]*>\s*<originalRequest>\s*<data class=\"move\">", said[0][0]
    )
    condition = condition_of(said[1][0])
    assert [score.get("cause") for score in condition.all("score")] == ["RULE_VIOLATION", "REGULAR"]
    reasons = {score.get("reason") for score in condition.all("score")}
    assert len(reasons) == 1, "both are told why it ended (H26)"


@pytest.mark.parametrize("end", ["left", "cancelled", "silent"])
def test_every_end_is_seen_in_a_last_state(end: str) -> None:  # H25
    stage = Stage()
    admin = stage.line(ADMIN)
    players = [join(stage), join(stage)]
    if end == "left":
        players[0].hang_up()
    elif end == "cancelled":
        admin.say(f'<cancel roomId="{the_room(stage).id}"/>')
    else:
        stage.time.advance(11)
    packets = players[1].packets
    at = next(place for place, packet in enumerate(packets) if tag(packet) == "result")
    assert condition_of(packets[at - 1]) is not None
    assert condition_of(packets[at - 2]) is None


def test_the_last_move_is_not_shown_in_the_first_round() -> None:  # H17
    card = HareMove((Advance(3), PlayCard(Card.EAT_SALAD, 0)))
    board = next(
        board
        for seed in range(1000)
        if (board := HASE_UND_IGEL.start(seed).board)[3] is Field.HARE
        and board[1] is not Field.HARE
    )
    start = HareState(HASE_UND_IGEL_DOCUMENTED, board, (Hare(), Hare()), 0, None)
    for move in (card, HareMove((Advance(1),))):
        state = start.play(move)
        element = parse_element(CODEC.encode_state(state, ("A", "B")))
        assert element.find("lastMove") is None
        assert CODEC.decode_state(element).state == state
        later = state.play(state.legal_moves()[0])
        element = parse_element(CODEC.encode_state(later, ("A", "B")))
        assert element.find("lastMove") is not None


def nearly_over(game: Any) -> HareState:
    """Turn 59, red on a position field it would be paid for, blue ahead of it."""
    board = HASE_UND_IGEL.start(1).board
    red = next(index for index in range(20, 50) if board[index] is Field.POSITION_2)
    return HareState(game, board, (Hare(red, 5), Hare(61, 60, 0)), 59, None)


@pytest.mark.parametrize(("game", "carrots"), [(HASE_UND_IGEL, 35), (HASE_UND_IGEL_DOCUMENTED, 5)])
def test_a_position_field_pays_only_when_a_turn_begins(game: Any, carrots: int) -> None:  # H12
    state = nearly_over(game)
    end = state.play(state.legal_moves()[0])
    assert end.is_over
    assert end.hares[0].carrots == carrots
    assert end.outcome().seats[0].parts[1] == carrots


def test_before_the_end_both_variants_pay_alike() -> None:  # H12
    for game in (HASE_UND_IGEL, HASE_UND_IGEL_DOCUMENTED):
        last = nearly_over(game)
        earlier = HareState(game, last.board, last.hares, 57, None)
        assert earlier.play(earlier.legal_moves()[0]).hares[0].carrots == 35


def test_asking_for_the_revision_brings_its_rules() -> None:  # H12
    for settings, more in (({"revision": "2018-documented"}, ""), ({}, DOCUMENTED)):
        stage = Stage(**settings)
        admin = stage.line(ADMIN)
        slots = '<slot displayName="A"/><slot displayName="B"/>'
        admin.say(f'<prepare gameType="{HARE}"{more}>{slots}</prepare>')
        assert the_room(stage).game is HASE_UND_IGEL_DOCUMENTED
        assert the_room(stage).revision == "2018-documented"
        opened = Stage(**settings)
        join(opened, more)
        assert the_room(opened).game is HASE_UND_IGEL_DOCUMENTED
    # Who opens a room brings the rules; how others read it stays as the server has it.
    assert the_room(opened).revision == "2018"


@pytest.mark.parametrize("more", ["", ' revision="2018"'])
def test_the_default_is_what_real_clients_read(more: str) -> None:
    stage = Stage()
    players = [join(stage, more), join(stage, more)]
    assert the_room(stage).game is HASE_UND_IGEL
    play_to_the_end(stage, players)
    for player in players:
        text = player.written.decode()
        assert "condition" not in text
        assert "∅ Feldnummer" in text


def test_a_named_variant_wins_over_the_revision() -> None:
    stage = Stage(variants=("hase-und-igel-2018",))
    join(stage)
    assert the_room(stage).game is HASE_UND_IGEL


@pytest.mark.parametrize("end", ["regular", "violation"])
def test_replays_hold_it_and_verify(end: str) -> None:
    stage = Stage(revision="2018-documented")
    players = [join(stage, ""), join(stage, "")]
    if end == "regular":
        play_to_the_end(stage, players)
    else:
        for _ in range(5):
            play(stage, players)
        play(stage, players, HareMove(()))
    (record,) = stage.records
    text = record.format_replay()
    assert text.count("<condition>") == 1
    verification = verify(parse_replay(text.encode(), "own"))
    assert verification.differences == ()


def test_a_player_of_ours_reads_it() -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    room = play_to_the_end(stage, players)
    session = PlayerSession(messages.Join(HARE), get_game("hase-und-igel-2018"))
    events = session.receive_data(players[1].written)
    (over,) = [event for event in events if isinstance(event, MatchOver)]
    assert over.outcome is not None
    assert over.outcome.winner == room.referee.outcome.winner
    shown = [event.state for event in events if isinstance(event, StateShown)]
    assert [state.hares for state in shown] == [shown.state.hares for shown in room.record.shown]
    assert all(state.last_move for state in shown[1:])


def test_a_bare_state_in_a_room_is_read() -> None:  # W88
    state = HASE_UND_IGEL.start(4)
    text = CODEC.encode_state(state, ("A", "B"))
    session = PlayerSession(messages.Join(HARE))
    session.receive_data(f'{OPEN}<room roomId="r">{text}</room>'.encode())
    assert session.state is not None
    assert session.state.board == state.board


def test_a_revision_brings_its_rules_also_where_the_game_is_the_default() -> None:
    settings = Settings(game="hase-und-igel-2018")
    documented = variant_for(settings, HARE, "2018-documented")
    assert documented is not None
    assert documented.id == "hase-und-igel-2018-documented"
    usual = variant_for(settings, HARE)
    assert usual is not None
    assert usual.id == "hase-und-igel-2018"
