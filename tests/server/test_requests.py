"""What becomes of requests that cannot be done or understood, or of which there are too many."""

from __future__ import annotations

import re

import pytest

from server.stage import Stage, tag
from server.test_lobby import ADMIN, BLOKUS_21, BLOKUS_27, HARE, join, room_id, send_move, tags
from server.test_work import GENEROUS, move_text
from spielleiter.server.conduct import UNKNOWN_MESSAGES
from spielleiter.server.limits import ServerLimits
from spielleiter.wire import messages


@pytest.mark.parametrize("game_type", [HARE, BLOKUS_21, BLOKUS_27])
def test_an_unknown_message_is_answered_and_costs_nothing(game_type: str) -> None:  # W8
    stage = Stage()
    players = [join(stage, game_type), join(stage, game_type)]
    for player in players:
        player.heard()
        player.say('<novelty more="1"><inner/></novelty>')
        assert [tag(packet) for packet in player.packets[-1:]] == ["errorpacket"]
        assert "unknown message &lt;novelty&gt;; known are" in player.packets[-1]
    send_move(stage, players)
    assert tags(players[1])[:2] == ["errorpacket", "memento"]
    assert not any(player.closed for player in players)


def test_unknown_messages_without_end_cost_the_connection() -> None:  # W8
    stage = Stage()
    players = [join(stage), join(stage)]
    for _ in range(UNKNOWN_MESSAGES):
        players[0].say("<novelty/>")
    assert not players[0].closed
    players[1].heard()
    players[0].say("<novelty/>")
    assert players[0].closed
    assert players[0].written.count(b"<errorpacket") == UNKNOWN_MESSAGES + 1
    assert tags(players[1]) == ["result", "left"]


def test_a_flood_of_requests_is_cut_off() -> None:
    stage = Stage(limits=ServerLimits(useless_messages=1000))
    line = stage.line("<protocol>" + '<left roomId="x"/>' * 300)
    assert "requests a second" in line.packets[-2]
    assert line.closed


def test_moves_nobody_asked_for_have_a_rate_like_everything_else() -> None:
    stage = Stage(limits=ServerLimits(useless_messages=1000))
    first, second = join(stage), join(stage)
    old = room_id(first)
    second.hang_up()
    first.say(f'<join gameType="{BLOKUS_27}"/>')
    first.say(f'<room roomId="{old}"><data class="x"/></room>' * 300)
    assert "requests a second" in first.packets[-2]


def test_a_fault_of_ours_costs_one_connection_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = Stage()
    players = [join(stage), join(stage)]
    admin = stage.line(ADMIN)
    monkeypatch.setitem(stage.server.administration._handlers, messages.Pause, None)
    admin.say(f'<pause roomId="{room_id(players[0])}" pause="true"/>')
    assert "internal error" in admin.packets[-2]
    assert admin.closed
    send_move(stage, players)
    assert stage.server.lobby.rooms


@pytest.mark.parametrize(
    "useless",
    [
        "<left/>",
        '<left roomId="x"/>',
        f'<join gameType="{BLOKUS_27}"/><left/>',
        "<left><a/></left>",
    ],
)
def test_who_sends_nothing_but_what_leads_nowhere_is_sent_away(useless: str) -> None:
    stage = Stage()
    line = stage.line("<protocol>" + useless * 20)
    stage.time.advance(0.5)
    assert not line.closed
    line.say(useless)
    assert "lead nowhere" in line.packets[-2]
    assert line.closed
    assert stage.server.lobby.rooms == {}


def test_late_moves_are_forgiven_like_other_useless_things() -> None:
    stage = Stage()
    first, second = join(stage), join(stage)
    room = room_id(first)
    second.hang_up()
    for _ in range(100):
        first.say(f'<join gameType="{BLOKUS_27}"/><room roomId="{room}"><data class="x"/></room>')
        stage.time.advance(1)
        if first.closed:
            break
        first.say("<left/>")
        stage.time.advance(1)
    assert not first.closed


def test_leaving_after_a_move_is_not_useless() -> None:
    stage = Stage(limits=ServerLimits(useless_messages=1, work_per_second=GENEROUS))
    stays, leaves = stage.line("<protocol>"), stage.line("<protocol>")
    for _ in range(10):
        leaves.say(f'<join gameType="{BLOKUS_27}"/>')
        stays.say(f'<join gameType="{BLOKUS_27}"/>')
        leaves.say(
            move_text(stage, re.findall(r'<joined roomId="([^"]+)"', leaves.written.decode())[-1])
        )
        leaves.say("<left/>")
    assert not leaves.closed


def test_an_administrator_may_be_useless() -> None:
    stage = Stage()
    admin = stage.line(ADMIN)
    admin.say("<left/>" * 500)
    assert not admin.closed
