"""How long answers to passwords are put off, without a server."""

from __future__ import annotations

from spielleiter.client import admin as sdk
from spielleiter.server.limits import ServerLimits
from spielleiter.server.passwords import LONGEST_DELAY, REMEMBERED, PasswordGuard


def guard(now: list[float], **limits: int) -> PasswordGuard[str]:
    return PasswordGuard(ServerLimits(**limits), lambda: now[0])


def test_the_delay_doubles_with_each_wrong_one_up_to_its_limit() -> None:
    now = [0.0]
    passwords = guard(now, auth_attempts_per_minute=2)
    delays = []
    for _ in range(7):
        delays.append(passwords.delay("a"))
        passwords.note_failure("a")
    assert delays == [0, 0, 1, 2, 4, LONGEST_DELAY, LONGEST_DELAY]
    assert passwords.delay("b") == 0


def test_a_wrong_one_counts_for_a_minute_and_is_then_forgotten() -> None:
    now = [0.0]
    passwords = guard(now, auth_attempts_per_minute=1)
    passwords.note_failure("a")
    now[0] = REMEMBERED
    assert passwords.delay("a") == 1
    passwords.tidy_up()
    assert passwords.remembered_hosts == 1
    now[0] += 0.1
    passwords.tidy_up()
    assert passwords.remembered_hosts == 0
    assert passwords.delay("a") == 0


def test_wrong_ones_from_everywhere_count_for_everybody() -> None:
    passwords = guard([0.0], auth_failures_per_minute=10)
    for number in range(11):
        passwords.note_failure(f"host {number}")
    assert passwords.delay("another host") == 2


def test_asking_for_the_delay_remembers_nobody() -> None:
    passwords = guard([0.0])
    passwords.delay("a")
    assert passwords.remembered_hosts == 0


def test_the_oldest_of_the_busiest_host_goes_when_too_many_wait() -> None:
    passwords = guard([0.0], auth_waiting=3)
    assert [passwords.add_waiting(name, name[0]) for name in ("b1", "a1", "a2")] == [None] * 3
    assert passwords.add_waiting("b2", "b") == "b1"
    passwords.remove_waiting("b1")  # is not counted out a second time
    assert passwords.waiting == 3
    passwords.remove_waiting("a1")
    assert passwords.add_waiting("c1", "c") is None


def test_the_longest_wait_is_well_within_our_own_clients_patience() -> None:
    assert LONGEST_DELAY <= sdk.ANSWER_SECONDS - 3
