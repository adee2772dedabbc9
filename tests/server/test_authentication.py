"""Guessing the administrators' password is slow, and whoever knows it can always come in."""

from __future__ import annotations

import pytest

from server.stage import Line, Stage
from server.test_lobby import ADMIN, BLOKUS_27, join, tags
from spielleiter.server.limits import ServerLimits
from spielleiter.server.passwords import LONGEST_DELAY

WRONG = '<protocol><authenticate password="wrong"/>'
JOIN = f'<join gameType="{BLOKUS_27}"/>'


def guess(stage: Stage, count: int, address: str = "10.0.0.9") -> list[Line]:
    return [stage.line(WRONG, address=address) for _ in range(count)]


def test_tries_take_longer_after_wrong_ones_and_nobody_is_locked_out() -> None:
    stage = Stage()
    guess(stage, 5)
    right = stage.line(ADMIN + '<testMode testMode="true"/>', address="10.0.0.9")
    assert not right.connection.is_admin
    assert stage.line(ADMIN, address="10.0.0.10").connection.is_admin
    stage.time.advance(1.1)
    assert right.connection.is_admin
    assert tags(right) == ["testing"], "what came after the password waited for it"
    guess(stage, 10)
    assert stage.server.passwords.delay("10.0.0.9") == LONGEST_DELAY
    stage.time.advance(200)
    assert stage.server.passwords.delay("10.0.0.9") == 0
    stage.look_after()
    assert stage.server.passwords.remembered_hosts == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.9"])
def test_eleven_hundred_wrong_ones_at_once_do_not_refuse_the_right_one(address: str) -> None:
    stage = Stage(limits=ServerLimits(connections_per_address=2000))
    wrong = guess(stage, 1100, address)
    right = stage.line(ADMIN, address=address)
    stage.time.advance(LONGEST_DELAY)
    assert right.connection.is_admin
    assert all(line.closed for line in wrong)


def test_many_at_once_are_answered_as_late_as_one_after_the_other() -> None:
    stage = Stage()
    lines = guess(stage, 60)
    stage.time.advance(LONGEST_DELAY - 0.1)
    assert sum(line.closed for line in lines) == 5 + 3, (
        "five at once, then after 1, 2 and 4 seconds"
    )
    stage.time.advance(0.2)
    assert all("Failed to authenticate" in line.packets[0] for line in lines)


def test_a_guesser_with_all_connections_of_an_address_gets_ten_answers_a_second() -> None:
    stage = Stage()
    lines, answered = guess(stage, 64), 0
    for _ in range(600):
        stage.time.advance(0.1)
        done = [line for line in lines if line.closed]
        answered += len(done)
        lines = [line for line in lines if not line.closed] + guess(stage, len(done))
    assert answered <= 64 * 60 / LONGEST_DELAY + 64


def test_many_addresses_are_one_guesser() -> None:
    stage = Stage()
    for number in range(60):
        guess(stage, 1, f"10.0.1.{number}")
    assert not stage.line(ADMIN, address="10.0.2.1").connection.is_admin
    late = guess(stage, 10, "10.0.2.2")[-1]
    stage.time.advance(LONGEST_DELAY - 0.1)
    assert not late.closed
    stage.time.advance(0.2)
    assert late.closed


def test_right_and_wrong_wait_equally_long() -> None:
    """Otherwise a guesser would hang up as soon as the answer is not the right one."""
    stage = Stage()
    guess(stage, 30)
    right, wrong = stage.line(ADMIN, address="10.0.0.9"), stage.line(WRONG, address="10.0.0.9")
    stage.time.advance(LONGEST_DELAY - 0.1)
    assert (right.connection.is_admin, wrong.closed) == (False, False)
    stage.time.advance(0.2)
    assert (right.connection.is_admin, wrong.closed) == (True, True)


@pytest.mark.parametrize("before", [0, 30])
def test_nothing_behind_a_wrong_password_is_carried_out(before: int) -> None:
    stage = Stage()
    guess(stage, before)
    line = stage.line(WRONG + JOIN, address="10.0.0.9")
    line.say(JOIN)
    for _ in range(100):
        stage.time.advance(0.1)
        assert stage.server.lobby.rooms == {}
    assert "Failed to authenticate" in line.packets[0]
    assert len(line.packets) == 2
    assert line.closed


def test_who_does_not_wait_is_not_counted_and_not_kept() -> None:
    stage = Stage()
    for line in guess(stage, 200, "127.0.0.1"):
        line.hang_up()
    assert stage.server.passwords.waiting == 0


def test_when_too_many_wait_the_busiest_address_makes_room() -> None:
    stage = Stage(limits=ServerLimits(auth_waiting=50))
    wrong = guess(stage, 60)
    right = stage.line(ADMIN, address="10.0.0.1")
    stage.time.advance(0)
    assert sum("this one was not" in line.written.decode() for line in wrong) == 60 - 5 + 1 - 50
    more = [*guess(stage, 50, "10.0.0.2"), stage.line(ADMIN, address="10.0.0.3")]
    stage.time.advance(LONGEST_DELAY)
    assert right.connection.is_admin
    assert more[-1].connection.is_admin


def test_little_may_wait_behind_a_password() -> None:
    stage = Stage()
    guess(stage, 30)
    line = stage.line(ADMIN, address="10.0.0.9")
    line.say(" " * 60_000)
    assert not line.closed
    line.say(" " * 6_000)
    assert "behind a password" in line.packets[0]
    assert line.closed


def test_an_administrator_who_tries_a_wrong_one_is_parted_with() -> None:
    stage = Stage()
    line = stage.line(ADMIN)
    line.say('<authenticate password="wrong"/>')
    stage.time.advance(1.1)
    assert line.closed
    assert not stage.server.lobby.admins


def test_a_wrong_password_is_answered_late_and_costs_the_connection() -> None:
    stage = Stage()
    line = stage.line('<protocol><authenticate password="wrong"/>')
    assert line.written == b""
    line.say('<authenticate password="examplepassword"/>')
    assert not stage.server.lobby.admins
    stage.time.advance(1.1)
    assert "Failed to authenticate" in line.packets[0]
    assert line.closed


def test_without_a_password_nobody_is_administrator() -> None:
    stage = Stage(password=None)
    for attempt in ('password=""', 'password="examplepassword"'):
        assert not stage.line(f"<protocol><authenticate {attempt}/>").connection.is_admin


def test_nobody_is_seated_against_a_ghost() -> None:
    stage = Stage()
    stage.line(f'<protocol><join gameType="{BLOKUS_27}"/><authenticate password="wrong"/>')
    one, two = join(stage), join(stage)
    assert "moveRequest" in tags(one)
    assert not two.closed
