"""What a bot is told in one trial when it loses, and by whom that is decided.

It covers ``examination``, ``connection`` and ``evidence``. Which trials there are is in
``test_duties``.
"""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.arena.exam.connection import BotConnection, with_odd_attributes
from spielleiter.arena.exam.evidence import CheckLimits, Evidence, Fault, Trial
from spielleiter.arena.exam.examination import examine
from spielleiter.match import Departure
from spielleiter.rules import Cause, RuleViolation, Text
from spielleiter.wire.wording import SeasonWording
from third_game import FOUR
from third_game.players import RandomPlayer
from third_game.rules import Drop

TINY = Path(__file__).with_name("tiny_bot.py")
CODEC = next(iter(FOUR.codecs.values()))
WORDING = SeasonWording(CODEC, ("tiny", "opponent"))
PATIENT = CheckLimits(join=30, move=30, hard=30, close=30, orphaned=30)
LATE = replace(PATIENT, move=0.0)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return what the bot was told, packet by packet."""
    packets: list[str] = []
    send = BotConnection.send

    def note(connection: BotConnection, packet: str) -> None:
        packets.append(packet)
        send(connection, packet)

    monkeypatch.setattr(BotConnection, "send", note)
    return packets


def try_bot(mode: str, limits: CheckLimits = PATIENT, **trial: object) -> Evidence:
    def options(host: str, port: int, code: str) -> list[str]:
        return ["--host", host, "--port", str(port), "--reservation", code]

    spec = BotSpec(BotKind.COMMAND, "tiny", (sys.executable, "-S", "-E", str(TINY), mode))
    return asyncio.run(
        examine(spec, Trial(FOUR.start(0), 0, RandomPlayer(1), options, **trial), CODEC, limits)
    )


@pytest.mark.parametrize(
    ("mode", "limits", "fault", "cause", "reason"),
    [
        ("quits", PATIENT, Fault.LEFT, Cause.LEFT, None),
        ("twice", PATIENT, Fault.UNASKED, Cause.LEFT, None),
        ("broken xml", PATIENT, Fault.UNREADABLE, Cause.LEFT, None),
        (
            "silent",
            replace(PATIENT, hard=0.2),
            Fault.NO_ANSWER,
            Cause.HARD_TIMEOUT,
            WORDING.hard_timeout(0, 0.2),
        ),
        ("good", LATE, Fault.LATE, Cause.SOFT_TIMEOUT, WORDING.soft_timeout(0, 0.0)),
    ],
)
def test_a_fault_loses_in_the_referees_words(
    told: list[str],
    mode: str,
    limits: CheckLimits,
    fault: Fault,
    cause: Cause,
    reason: Text | None,
) -> None:
    evidence = try_bot(mode, limits)
    assert list(evidence.faults) == [fault]
    assert evidence.outcome is None
    result, left = told[-2:]
    assert left == '<left roomId="check"/>'
    reason = reason or WORDING.left(0, Departure.LOST_CONNECTION, 0, None)
    assert f'cause="{cause.value}"' in result
    assert reason.de in result


def test_an_illegal_move_is_told_before_the_result(told: list[str]) -> None:
    evidence = try_bot("illegal")
    assert list(evidence.faults) == [Fault.ILLEGAL]
    complaint, result = told[-3:-1]
    assert "error" in complaint
    assert 'cause="RULE_VIOLATION"' in result
    with pytest.raises(RuleViolation) as broken:
        FOUR.start(0).play(Drop(99))
    assert WORDING.violation(0, broken.value, Drop(99)).de in result


def test_an_illegal_move_that_is_late_is_told_as_illegal(told: list[str]) -> None:
    evidence = try_bot("illegal", replace(LATE, late_moves=1))
    assert list(evidence.faults) == [Fault.ILLEGAL]
    assert 'cause="RULE_VIOLATION"' in told[-2]


def test_late_moves_count_until_it_is_enough(told: list[str]) -> None:
    evidence = try_bot("good", replace(LATE, late_moves=2))
    assert len(evidence.answers) == 2
    # The move that came too late is not played, as on a server.
    shown = [packet for packet in told if 'class="memento"' in packet]
    assert len(shown) == 3
    assert try_bot("good", replace(LATE, late_moves=1000)).outcome is not None


def test_a_cancelled_match_has_the_result_as_it_stands(told: list[str]) -> None:
    evidence = try_bot("good", most_moves=2)
    assert evidence.outcome is not None
    assert evidence.outcome.is_regular
    assert len(evidence.answers) == 2
    assert 'cause="REGULAR"' in told[-2]


def test_odd_attributes_are_added_and_nothing_else() -> None:
    packet = '<room roomId="check">\n  <data class="memento"/>\n</room>'
    odd = with_odd_attributes(packet)
    assert odd.count(' oddAttribute="1"') == 2
    assert re.sub(' oddAttribute="1"', "", odd) == packet
