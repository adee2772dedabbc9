"""How many may connect, in all and from one address."""

from __future__ import annotations

import pytest

from server.stage import Stage
from spielleiter.server.admission import Admission, host_of, is_local
from spielleiter.server.limits import ServerLimits


def crowd(**limits: int) -> Admission[str]:
    return Admission(ServerLimits(**limits))


def test_the_first_limit_that_is_reached_refuses() -> None:
    admission = crowd(connections=3, connections_per_address=2)
    assert [admission.admit(name, "10.0.0.1") for name in "ab"] == [None, None]
    assert admission.admit("c", "10.0.0.1") == (
        "there are 2 connections from 10.0.0.1 already; close one first"
    )
    assert admission.admit("d", "10.0.0.2") is None
    assert admission.admit("e", "10.0.0.3") == "there are 3 connections already; try again later"
    assert list(admission.connections) == ["a", "b", "d"]


def test_who_leaves_makes_room() -> None:
    admission = crowd(connections_per_address=1)
    admission.admit("a", "10.0.0.1")
    assert admission.admit("b", "10.0.0.1") is not None
    admission.remove("b")  # was refused, and so takes nobody's place
    assert admission.admit("b", "10.0.0.1") is not None
    admission.remove("a")
    assert admission.admit("b", "10.0.0.1") is None


def test_this_machine_has_a_limit_of_its_own() -> None:
    admission = crowd(connections_per_address=1, connections_per_loopback=2)
    assert [admission.admit(name, "127.0.0.1") for name in "ab"] == [None, None]
    assert "2 connections from 127.0.0.1" in (admission.admit("c", "127.0.0.1") or "")


def test_the_system_may_allow_fewer_than_the_settings_but_not_more() -> None:
    admission = crowd(connections=2)
    admission.limit(1000)
    admission.admit("a", "10.0.0.1")
    assert admission.admit("b", "10.0.0.2") is None
    admission.limit(1)
    assert admission.admit("c", "10.0.0.3") == "there are 1 connections already; try again later"


def test_nobody_comes_in_when_the_server_ends() -> None:
    admission = crowd()
    admission.close()
    assert admission.admit("a", "10.0.0.1") == "the server ends"
    assert not admission.connections


def test_labels_are_numbered() -> None:
    admission = crowd()
    assert [admission.new_label("::1") for _ in range(2)] == ["::1#1", "::1#2"]


@pytest.mark.parametrize(
    ("address", "host"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::1", "::1"),
        ("2001:db8:0:1::5", "2001:db8:0:1::/64"),
        ("fe80::5%eth0", "fe80::/64"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("?", "?"),
        ("", ""),
    ],
)
def test_what_counts_as_one_address(address: str, host: str) -> None:
    assert host_of(address) == host


def test_only_addresses_of_this_machine_are_local() -> None:
    assert all(map(is_local, ("127.0.0.1", "::1", "")))
    assert not any(map(is_local, ("10.0.0.1", "2001:db8::1", "?")))


def test_a_neighbour_in_the_same_ipv6_network_is_the_same_address() -> None:
    stage = Stage(limits=ServerLimits(connections_per_address=1))
    assert not stage.line("<protocol>", address="2001:db8::1").closed
    assert stage.line("<protocol>", address="2001:db8::2").closed
    assert not stage.line("<protocol>", address="2001:db8:0:1::2").closed


def test_too_many_connections_from_one_address_are_refused() -> None:
    stage = Stage(limits=ServerLimits(connections_per_address=2))
    lines = [stage.line("<protocol>", address="10.0.0.1") for _ in range(3)]
    assert [line.closed for line in lines] == [False, False, True]
    assert "connections" in lines[2].packets[0]
    lines[0].hang_up()
    assert not stage.line("<protocol>", address="10.0.0.1").closed


def test_a_refused_connection_takes_nobodys_place() -> None:
    stage = Stage(limits=ServerLimits(connections=3, connections_per_address=2))
    for _ in range(20):
        stage.line("<protocol>", address="10.0.0.1")
    assert len(stage.server.admission.connections) == 2
    assert not stage.line("<protocol>", address="10.0.0.2").closed
