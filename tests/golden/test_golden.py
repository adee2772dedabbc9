"""The official servers' recordings, played again: the recorded clients talk to our server, and what
ours says is compared packet by packet, byte by byte, with what theirs said.

Random values (room ids, reservation codes) are matched by their role, the first position is the
recorded one, time passes as it did. Where ours differs on purpose, DIFFERENCES says so with the
ruling; nothing else may differ, and every line there must still be needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

import pytest

import recorded
from server.stage import Line, Stage, split_packets, tag
from spielleiter.games import get_game
from spielleiter.rules import State

GAMES = {"18.2.6": "hase-und-igel-2018", "21.4.0": "blokus-2021-official", "27.0.4": "blokus-2027"}
SCENARIOS = [(version, scenario) for version in GAMES for scenario in recorded.scenarios(version)]
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@dataclass(frozen=True)
class Difference:
    """A packet of theirs that we leave out (-), one of ours they do not have (+), or lines that
    differ (~).
    """

    ruling: str
    sign: str
    packet: str  # the packet's tag, or for ~ a pattern for the differing line
    version: str = ""
    scenario: str = ""
    why: str = ""


DIFFERENCES = [
    Difference("W9", "+", "/protocol", why="the document is closed, as the documents say"),
    Difference(
        "W9",
        "-",
        "sc.protocol.*CloseConnection",
        why="</protocol> closes; no second way of saying it",
    ),
    Difference(
        "W9",
        "-",
        "/protocol",
        "18.2.6|21.4.0",
        "lobby-errors|prepared-paused-step",
        "administrators stay",
    ),
    Difference("W5", "+", "errorpacket", "", "lobby-errors", "whoever is refused is told why"),
    Difference("W8", "+", "errorpacket", "", "bad-xml", "whoever cannot be understood is told why"),
    Difference("W5", "-", "protocol", "18.2.6", "lobby-errors", "an empty document says nothing"),
    Difference(
        "W5",
        "~",
        ".*UnknownGameTypeException",
        "21.4.0",
        "lobby-errors",
        "we have other game types",
    ),
    Difference("W10", "-", "errorpacket", "21.4.0", "violation-.*", "the room's error has said it"),
    Difference(
        "W10", "+", "result|left", "18.2.6|21.4.0", "violation-.*", "who lost hears the result, too"
    ),
    Difference("W4", "+", "error|result|left", "", "bad-.*", "an unreadable move is answered"),
    Difference(
        "W11",
        "+",
        "memento|result|left|.*MoveRequest|moveRequest",
        "",
        "move-with-hints",
        "hints are taken",
    ),
    Difference("W11", "-", "result|left", "", "move-with-hints", "nobody is thrown out for a hint"),
    Difference(
        "W12", "+", "result", "18.2.6", "prepared-paused-step", "a cancelled game has a result"
    ),
    Difference(
        "W12",
        "~",
        r"[-+]        <part>[02]</part>",
        "21.4.0",
        "prepared-paused-step",
        "points as they stand",
    ),
    Difference(
        "W28",
        "~",
        r'.*class="welcomeMessage" color="(one|two|ONE|TWO)"',
        "21.4.0",
        why="lower case as documented",
    ),
    Difference("W41", "~", r".*<joinedGameRoom ", "21.4.0", "join-full-game", "both forms at once"),
    Difference(
        "W91",
        "~",
        r".*(HARD|SOFT)_TIMEOUT",
        "21.4.0",
        "hard-timeout|bad-xml",
        "the hard limit is named",
    ),
    Difference(
        "W43",
        "~",
        r".*innerhalb von (2|10) Sekunden",
        "27.0.4",
        "hard-timeout|bad-xml",
        "the limit that passed",
    ),
    Difference(
        "W13",
        "~",
        r'-      </?winner|-        <color class="team">',
        "21.4.0",
        ".*-timeout",
        "one winner",
    ),
    Difference(
        "H13",
        "~",
        r"[-+]        <part>\d+</part>",
        "18.2.6",
        "violation-hare-without-card",
        "nothing half done",
    ),
    Difference("cut", "+", "left", "18.2.6", "prepared-full-game-.*", "the recording ends before"),
]


@cache
def replay(version: str, scenario: str) -> dict[str, tuple[list[str], list[str]]]:
    """What they said and what we say, per connection."""
    stage = Stage(variants=(GAMES[version],))
    first = _first_position(version, scenario)
    if first is not None:
        stage.start_from(first)
    lines: dict[str, Line] = {}
    heard: dict[str, str] = {}
    ours: dict[str, str] = {}  # their random values to ours
    names = recorded.connections(version, scenario)
    ends = {
        name: [chunk for chunk in recorded.chunks(version, scenario, name) if chunk.data][-1]
        for name in names
    }
    for name, chunk in _in_order(version, scenario):
        if chunk.sender == "server":
            heard[name] = heard.get(name, "") + chunk.data
        elif not chunk.data.startswith("!"):  # "!": the recorder could not send, theirs was closed
            stage.time.advance_to(1000 + chunk.seconds)
            for other, line in lines.items():
                ours.update(
                    zip(
                        _UUID.findall(heard.get(other, "")),
                        _UUID.findall(line.written.decode()),
                        strict=False,
                    )
                )
            if name not in lines:
                lines[name] = stage.line()
            lines[name].say(_UUID.sub(lambda found: ours.get(found[0], found[0]), chunk.data))
        if chunk is ends[name] and scenario == "leave-mid-game" and "<left " not in heard[name]:
            lines[name].hang_up()
    stage.time.advance(20)
    return {name: (split_packets(heard.get(name, "")), lines[name].packets) for name in names}


def _first_position(version: str, scenario: str) -> State | None:
    codec = next(iter(get_game(GAMES[version]).codecs.values()))
    states = [
        codec.decode_state(data.find("state")).state
        for name in recorded.connections(version, scenario)
        for element in recorded.messages(version, scenario, name)
        if (data := element.find("data")) is not None and data.get("class") == "memento"
    ]
    return min(states, key=lambda state: state.turn, default=None)


def _in_order(version: str, scenario: str) -> Iterator[tuple[str, recorded.Chunk]]:
    """All connections' traffic by time.

    In join-full-game the administrator began to observe in the instant in which the second player
    joined.
    """
    earlier = 0.0005 if scenario == "join-full-game" else 0.0
    rows = [
        (
            chunk.seconds - (earlier if name == "admin" and chunk.sender == "client" else 0.0),
            number,
            name,
            chunk,
        )
        for name in recorded.connections(version, scenario)
        for number, chunk in enumerate(recorded.chunks(version, scenario, name))
    ]
    for _, _, name, chunk in sorted(rows, key=lambda row: row[:3]):
        yield name, chunk


def _neutral(packet: str) -> str:
    return _UUID.sub("UUID", packet)


def differences(theirs: list[str], ours: list[str]) -> Iterator[tuple[str, str]]:
    """Sign and packet tag of each packet that only one side has; sign ~ and the line for packets
    that differ inside.
    """
    want, got = [_neutral(packet) for packet in theirs], [_neutral(packet) for packet in ours]
    for _, a, b, x, y in SequenceMatcher(None, want, got, autojunk=False).get_opcodes():
        left, right = want[a:b], got[x:y]
        while left and right and tag(left[0]) == tag(right[0]):
            before, after = left.pop(0).split("\n"), right.pop(0).split("\n")
            for kind, i, j, k, m in SequenceMatcher(
                None, before, after, autojunk=False
            ).get_opcodes():
                if kind != "equal":
                    yield from (("~", "-" + line) for line in before[i:j])
                    yield from (("~", "+" + line) for line in after[k:m])
        yield from (("-", tag(packet)) for packet in left)
        yield from (("+", tag(packet)) for packet in right)


def _allowed(version: str, scenario: str, sign: str, what: str) -> Difference | None:
    for one in DIFFERENCES:
        matches = re.match if sign == "~" else re.fullmatch
        if (
            one.sign == sign
            and matches(one.packet, what)
            and re.fullmatch(one.version or ".*", version)
            and re.fullmatch(one.scenario or ".*", scenario)
        ):
            return one
    return None


@pytest.mark.parametrize(("version", "scenario"), SCENARIOS)
def test_says_what_the_official_server_said(version: str, scenario: str) -> None:
    for name, (theirs, ours) in replay(version, scenario).items():
        for sign, what in differences(theirs, ours):
            assert _allowed(version, scenario, sign, what), f"{name}: {sign} {what}"


def test_every_listed_difference_is_needed() -> None:
    used = {
        _allowed(version, scenario, sign, what)
        for version, scenario in SCENARIOS
        for theirs, ours in replay(version, scenario).values()
        for sign, what in differences(theirs, ours)
    }
    assert [one for one in DIFFERENCES if one not in used] == []


def test_what_we_add_we_add_once() -> None:
    for version, scenario in SCENARIOS:
        for name, (theirs, ours) in replay(version, scenario).items():
            names = [tag(packet) for packet in ours]
            assert "/protocol" not in names[:-1], (version, scenario, name)
            requests = sum(tag(packet) == "errorpacket" for packet in theirs)
            allowed = (
                3 if name == "admin-errors" else 1 if scenario in ("lobby-errors", "bad-xml") else 0
            )
            assert names.count("errorpacket") <= max(requests, allowed), (version, scenario, name)


def test_most_of_it_is_the_same() -> None:
    """The list above allows packets by kind; this keeps it from allowing everything."""
    same = total = 0
    for version, scenario in SCENARIOS:
        for theirs, ours in replay(version, scenario).values():
            want, got = (
                [_neutral(packet) for packet in theirs],
                [_neutral(packet) for packet in ours],
            )
            total += len(want)
            same += sum(
                block.size
                for block in SequenceMatcher(None, want, got, autojunk=False).get_matching_blocks()
            )
    assert same / total > 0.95
