"""The seasons' dialects have the texts of the recordings and names that are read."""

from __future__ import annotations

from dataclasses import fields

import pytest

import recorded
from seasons import DIALECTS
from spielleiter.rules import Departure
from spielleiter.wire.dialects import BASE, CLOSE_TAGS, MOVE_REQUEST_CLASSES
from spielleiter.wire.elements import Element

NAME = "Häschen & <Co>"


def server_text(version: str, scenario: str, connection: str = "admin") -> list[Element]:
    return recorded.messages(version, scenario, connection)


def reasons(version: str, scenario: str, connection: str = "admin") -> set[str]:
    """Every reason in the result of that scenario."""

    def walk(element: Element) -> set[str]:
        own = {element.attributes["reason"]} if "reason" in element.attributes else set()
        return own.union(*(walk(child) for child in element.children))

    return set().union(*(walk(element) for element in server_text(version, scenario, connection)))


def error_message(version: str, scenario: str, connection: str) -> str:
    return next(
        str(element.children[0].get("message"))
        for element in server_text(version, scenario, connection)
        if element.children and element.children[0].get("class") == "error"
    )


OFFICIAL = [
    ("18.2.6", "2018"),
    ("21.0.3", "2021-older"),
    ("21.4.0", "2021-newest"),
    ("27.0.4", "2027"),
]


@pytest.mark.parametrize(("version", "name"), OFFICIAL)
def test_reasons_are_the_official_ones(version: str, name: str) -> None:
    dialect = DIALECTS[name]
    assert dialect.left_reason("p2").de in reasons(version, "leave-mid-game")
    assert dialect.soft_timeout_reason(NAME, 2).de in reasons(version, "soft-timeout")
    hard = 2 if name == "2027" else 10  # W43: 27.0.4 prints the soft limit there
    assert dialect.hard_timeout_reason(NAME, hard).de in reasons(version, "hard-timeout")


@pytest.mark.parametrize(
    ("version", "name", "move"),
    [
        ("18.2.6", "2018", ""),
        ("21.0.3", "2021-older", "YELLOW Piece PENTO_Y:2 [3,14]"),
        ("21.4.0", "2021-newest", "Setze PENTO_L(Farbe Gelb, gedreht um 90°, gespiegelt)[15,15]"),
        ("27.0.4", "2027", "Setze TRIO_L(Farbe Gelb, gedreht um 90°, gespiegelt)[18,14]"),
    ],
)
def test_the_message_about_a_move_out_of_turn(version: str, name: str, move: str) -> None:
    dialect = DIALECTS[name]
    message = dialect.out_of_turn(dialect.label(1, "p2"), dialect.label(0, NAME), move)
    assert message == error_message(version, "violation-out-of-turn", "one")
    if version != "21.0.3":  # that server forgot to end the game
        connection = "one" if version == "27.0.4" else "two"
        assert dialect.disorder_reason(NAME, message).de in reasons(
            version, "violation-out-of-turn", connection
        )


def test_what_players_are_called() -> None:
    newest, last = DIALECTS["2021-newest"], DIALECTS["2027"]
    assert last.called(0, "Anna") == "Anna"
    assert last.called(1, "  ") == "TWO"
    assert newest.label(0, "p1") == "Team 1(p1)"
    assert newest.unrequested("Team 1(p1)") == "Move from Team 1(p1) has not been requested."
    assert "expected: null" in last.out_of_turn(None, last.label(1, "B"), "x")
    assert (
        last.left_reason("B", Departure.PROTOCOL_ERROR).de
        == "B hat das Spiel verlassen: PROTOCOL_ERROR"
    )
    assert last.left_reason("{seconds}").de.startswith("{seconds} hat"), "names are not templates"
    assert (
        last.soft_timeout_reason("B", 2.5).en
        == "B took more than 2.5 seconds to answer the request for a move."
    )


def test_every_dialect_is_whole_and_understood() -> None:
    for dialect in (BASE, *DIALECTS.values()):
        assert dialect.close_tag in CLOSE_TAGS
        assert dialect.move_request_class in MOVE_REQUEST_CLASSES
        for text in (
            dialect.left_text,
            dialect.soft_timeout_text,
            dialect.hard_timeout_text,
            dialect.disorder_text,
        ):
            assert text.de
            assert text.en
            assert text.de != text.en


@pytest.mark.parametrize("name", DIALECTS)
def test_welcome_colours(name: str) -> None:
    assert DIALECTS[name].welcome_color("One") == ("ONE" if name == "2027" else "one")


def test_the_base_is_the_protocol_of_the_newest_season() -> None:
    """What is written before a game is known is read by every official server of that season."""
    differing = {
        field.name
        for field in fields(BASE)
        if getattr(BASE, field.name) != getattr(DIALECTS["2027"], field.name)
    }
    assert differing == {"soft_timeout_text"}
    assert BASE.soft_timeout_text.en == DIALECTS["2027"].soft_timeout_text.en
