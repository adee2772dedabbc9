"""The official server 18.2.6 as it was recorded: every state, move, result and violation, and every
byte.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from itertools import pairwise
from textwrap import dedent

import pytest

import recorded
from spielleiter.games.hase_und_igel import HASE_UND_IGEL, HareMove, HareState
from spielleiter.rules import Cause, RuleViolation, Text
from spielleiter.wire.codec import ReceivedState
from spielleiter.wire.elements import Element

VERSION = "18.2.6"
CODEC = HASE_UND_IGEL.codecs["2018"]
SCENARIOS = [name for name in recorded.scenarios(VERSION) if name != "lobby-errors"]
REPLAYS = recorded.replays(VERSION)

# H13: the official server had already made the hare of this offender move when it noticed the
# fault.
PARTIAL_EFFECTS = {"violation-hare-without-card": ((0, 68), (3, 62))}


def data(messages: list[Element], name: str) -> Iterator[Element]:
    """What rooms say of class ``name``."""
    for message in messages:
        for child in message.all("data"):
            if message.tag == "room" and child.get("class") == name:
                yield child


def states(messages: list[Element]) -> list[ReceivedState[HareState]]:
    found = []
    for memento in data(messages, "memento"):
        received = CODEC.decode_state(memento.children[0])
        assert received.discarded == ()
        found.append(received)
    return found


def raw(text: str, opening: str, closing: str) -> list[str]:
    """The exact text of every such element, shifted to column 0."""
    pattern = re.compile(rf"^ *{opening}.*?{closing}$", re.DOTALL | re.MULTILINE)
    return [dedent(match.group()) for match in pattern.finditer(text)]


def check_game(messages: list[Element]) -> HareState:
    """Play the recorded moves; every state must come out as recorded. Returns the last."""
    seen = [received.state for received in states(messages)]
    assert seen[0].turn == 0
    assert sorted(seen[0].board, key=str) == sorted(HASE_UND_IGEL.start(0).board, key=str)
    for before, after in pairwise(seen):
        if before == after:  # the same state again after a step
            continue
        assert after.last_move is not None
        assert after.last_move.canonical in before.legal_moves()
        played = before.play(after.last_move)
        for name in ("board", "hares", "turn", "round", "seat", "last_move"):
            assert getattr(played, name) == getattr(after, name), (name, after.turn)
        assert played == after
    return seen[-1]


def check_result(messages: list[Element], last: HareState, scenario: str = "") -> None:
    for element in data(messages, "result"):
        recorded_outcome = CODEC.decode_outcome(element)
        ours = last.outcome()
        for seat, line in enumerate(recorded_outcome.seats):
            if line.cause is not Cause.REGULAR:
                ours = ours.forfeit(seat, line.cause, line.reason)
        if scenario in PARTIAL_EFFECTS:
            expected, official = PARTIAL_EFFECTS[scenario]
            offender = 1 - (recorded_outcome.winner or 0)
            assert ours.seats[offender].parts == expected
            assert recorded_outcome.seats[offender].parts == official
            assert recorded_outcome.winner == ours.winner
        else:
            assert recorded_outcome == ours


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.name.split("igel_")[1])
def test_replay(path) -> None:
    messages = recorded.replay(path)
    last = check_game(messages)
    assert last.is_over
    check_result(messages, last)


@pytest.mark.parametrize("connection", ["admin", "one", "two"])
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_scenario(scenario: str, connection: str) -> None:
    messages = recorded.messages(VERSION, scenario, connection)
    last = check_game(messages)
    if scenario.startswith("prepared-full"):
        assert last.is_over
    check_result(messages, last, scenario)


def streams() -> Iterator[tuple[str, str, str]]:
    """Every text the server wrote, with where it comes from."""
    for path in REPLAYS:
        yield "replay", path.name, gzip.decompress(path.read_bytes()).decode()
    for scenario in SCENARIOS:
        for connection in recorded.connections(VERSION, scenario):
            yield scenario, connection, recorded.text(VERSION, scenario, connection, "server")


def test_every_state_is_written_byte_for_byte() -> None:
    checked = 0
    for _, _, text in streams():
        received = states(list(recorded.elements(text)))
        for state, exact in zip(received, raw(text, "<state ", "</state>"), strict=True):
            assert CODEC.encode_state(state.state, state.names, state.hints) == exact
            checked += 1
    assert checked > 1000


def test_every_result_is_written_byte_for_byte() -> None:
    checked = 0
    for scenario, _, text in streams():
        messages = list(recorded.elements(text))
        results = list(data(messages, "result"))
        if not results or scenario in PARTIAL_EFFECTS:
            continue
        last = states(messages)[-1]
        exact = raw(text, '<data class="result">', "</data>")
        assert (
            CODEC.encode_outcome(CODEC.decode_outcome(results[0]), last.state, last.names)
            == exact[0]
        )
        checked += 1
    assert checked > 20


def test_echoed_moves_are_written_byte_for_byte() -> None:
    checked = 0
    for _, _, text in streams():
        messages = list(recorded.elements(text))
        requests = [original for error in data(messages, "error") for original in error.children]
        exact = raw(text, "<originalRequest ", '(?:move"/>|</originalRequest>)')
        if not requests:
            continue
        (request,) = requests
        received = CODEC.decode_move(request, HASE_UND_IGEL.start(0))
        assert [CODEC.encode_move(received.move, received.hints, tag="originalRequest")] == exact
        checked += 1
    assert checked == 2 * len(VIOLATIONS) + 1  # to offender and observer, and out of turn


def sent_moves(scenario: str, connection: str) -> list[HareMove]:
    messages = recorded.messages(VERSION, scenario, connection, "client")
    return [CODEC.decode_move(move, HASE_UND_IGEL.start(0)).move for move in data(messages, "move")]


VIOLATIONS = {
    "violation-advance-too-far": "TOO_FEW_CARROTS",
    "violation-empty-move": "NO_ACTIONS",
    "violation-exchange-off-carrot-field": "NOT_ON_CARROT_FIELD",
    "violation-fallback-from-start": "NO_HEDGEHOG_BEHIND",
    "violation-hare-without-card": "CARD_REQUIRED",
    "violation-hedgehog-by-advance": "HEDGEHOG_FIELD",
    "violation-skip-although-moves": "OTHER_MOVE_POSSIBLE",
    "violation-wrong-order": "WRONG_ORDER",
}


def test_every_recorded_violation_is_listed() -> None:
    # out-of-turn breaks no rule of the game: the referee answers it
    assert {name for name in SCENARIOS if name.startswith("violation")} == {
        *VIOLATIONS,
        "violation-out-of-turn",
    }


@pytest.mark.parametrize("scenario", VIOLATIONS)
def test_violation(scenario: str) -> None:
    admin = recorded.messages(VERSION, scenario, "admin")
    received = states(admin)[-1]
    state = received.state
    name = received.names[state.seat]
    connection = ("one", "two")[state.seat]
    move = sent_moves(scenario, connection)[-1]
    with pytest.raises(RuleViolation) as caught:
        state.play(move)
    violation = caught.value
    assert violation.rule == VIOLATIONS[scenario]
    assert state == received.state

    (to_observers,) = data(admin, "error")
    (to_offender,) = data(recorded.messages(VERSION, scenario, connection), "error")
    assert CODEC.complaint(violation, move, name, to_offender=False) == to_observers.get("message")
    assert CODEC.complaint(violation, move, name, to_offender=True) == to_offender.get("message")

    (result,) = data(admin, "result")
    line = CODEC.decode_outcome(result).seats[state.seat]
    assert line.cause is Cause.RULE_VIOLATION
    assert CODEC.violation_reason(violation, move, name).de == line.reason.de


@pytest.mark.parametrize("connection", ["one", "two"])
@pytest.mark.parametrize(
    "scenario", ["prepared-full-game-1", "prepared-full-game-2", "prepared-full-game-3"]
)
def test_what_a_player_sent_is_what_the_state_repeats(scenario: str, connection: str) -> None:
    seat = ("one", "two").index(connection)
    seen = [received.state for received in states(recorded.messages(VERSION, scenario, connection))]
    repeated = [state.last_move for state in seen if state.turn and state.seat != seat]
    assert sent_moves(scenario, connection) == repeated


def test_hints_are_repeated_to_everybody() -> None:
    for connection in ("admin", "one", "two"):
        hints = [
            received.hints
            for received in states(recorded.messages(VERSION, "move-with-hints", connection))
        ]
        assert ("Dies ist ein Hint.", "ä & ß") in hints


def test_reasons_of_a_regular_end_are_known_in_english() -> None:
    for path in REPLAYS:
        (result,) = data(recorded.replay(path), "result")
        outcome = CODEC.decode_outcome(result)
        assert isinstance(outcome.reason, Text)
        assert outcome.reason.en != outcome.reason.de
        assert outcome.code in ("GOAL", "ROUND_LIMIT")
