"""Recordings of nine official servers replayed through the rules, and what happens to those that
are tampered with.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import recorded
from spielleiter.games import get_game
from spielleiter.games.blokus import deviations as known
from spielleiter.games.hase_und_igel.deviations import HALF_A_MOVE
from spielleiter.replays import (
    Difference,
    MatchRecord,
    RecordedPosition,
    Verification,
    parse_replay,
    verify,
)
from spielleiter.replays.deviations import HARD_AS_SOFT
from spielleiter.rules import FreeClock
from spielleiter.wire.errors import ReplayError

REPLAYS = [(version, path) for version in recorded.versions() for path in recorded.replays(version)]
SCENARIOS = [
    (version, scenario)
    for version in recorded.versions()
    for scenario in recorded.scenarios(version)
    if scenario != "lobby-errors"
]

HARMLESS = (
    r"there is no result",
    r"\d+ repeated positions? left out",
    r"it begins with turn \d+",
    r"a (turn|round) that is not as the rules count it \(W80\) ignored .*",
)
"""Notes that any recording may have."""

CANCELLED = "the game was not over: it was cancelled"
MISSING = "the last position is missing; .* would lead to the result"
NOTES: dict[tuple[str, str], set[str]] = {
    ("18.2.6", "violation-hare-without-card"): {HALF_A_MOVE},
    ("21.0.0", "join-full-game"): {known.NO_ROUND_LIMIT, known.OTHER_COUNT},
    ("21.0.3", "join-full-game"): {known.NO_ROUND_LIMIT, known.OTHER_COUNT, known.DROPPED_EARLY},
    ("21.2.1", "full-game"): {
        MISSING,
        "unknown <state/lastMove/piece/__(shape|coordinates)> ignored",
    },
    ("21.3.1", "full-game"): {known.LONGER_COUNT},
    ("21.4.0", "bad-xml"): {HARD_AS_SOFT},
    ("21.4.0", "hard-timeout"): {HARD_AS_SOFT},
    ("21.4.0", "prepared-paused-step"): {known.NO_POINTS_CANCELLED, CANCELLED, MISSING},
    ("27.0.4", "prepared-paused-step"): {CANCELLED, MISSING},
}
"""What must be noted, each with its ruling or its reason; nothing else may be."""


def plain(note: str) -> str:
    return re.sub(r" \(\d+ x\)$", "", note)


@pytest.mark.parametrize(
    ("version", "path"), REPLAYS, ids=lambda value: getattr(value, "name", value)
)
def test_official_replays_are_by_the_rules(version: str, path) -> None:
    game = parse_replay(path.read_bytes(), path.name)
    verification = verify(game)
    assert verification.differences == ()
    assert verification.checked == len(game.positions)
    assert game.game.id.startswith(
        {"18": "hase", "21": "blokus-2021", "27": "blokus-2027"}[version[:2]]
    )
    assert game.positions[-1].state.is_over
    assert game.outcome is not None
    notes = [
        note
        for note in verification.notes
        if not any(re.fullmatch(text, note) for text in HARMLESS)
    ]
    assert notes == ([game.variant_note] if path.name.startswith("mono-last") else [])


@pytest.mark.parametrize(("version", "scenario"), SCENARIOS)
def test_streams_of_observers_and_players_are_by_the_rules(version: str, scenario: str) -> None:
    found: set[str] = set()
    for connection in recorded.connections(version, scenario):
        stream = recorded.text(version, scenario, connection, "server").encode()
        verification = verify(parse_replay(stream, f"{scenario}/{connection}"))
        assert verification.differences == ()
        assert verification.recorded.damage is None
        found |= {
            plain(note)
            for note in verification.notes
            if not any(re.fullmatch(t, note) for t in HARMLESS)
        }
    patterns = NOTES.get((version, scenario), set())

    def is_known(note: str, pattern: str) -> bool:
        return note == pattern or re.fullmatch(pattern, note) is not None

    assert [
        note for note in found if not any(is_known(note, pattern) for pattern in patterns)
    ] == []
    assert [
        pattern for pattern in patterns if not any(is_known(note, pattern) for note in found)
    ] == []


@pytest.mark.parametrize("version", ["18.2.6", "21.4.0", "27.0.4"])
def test_the_lobby_is_no_game(version: str) -> None:
    for connection in recorded.connections(version, "lobby-errors"):
        stream = recorded.text(version, "lobby-errors", connection, "server").encode()
        with pytest.raises(ReplayError, match=f"^{connection}: no position in it"):
            parse_replay(stream, connection)


# Tampering ----------------------------------------------------------------------------------------


def blokus() -> str:
    return recorded.text("27.0.4", "join-full-game", "admin", "server")


def hares() -> str:
    return recorded.text("18.2.6", "prepared-full-game-1", "admin", "server")


def older() -> str:
    return recorded.text("21.1.0", "full-game", "admin", "server")


def checked(text: str) -> Verification:
    return verify(parse_replay(text.encode(), "t"))


def change(text: str, old: str, new: str, nth: int = 0) -> str:
    """Replace the nth occurrence."""
    places = [match.start() for match in re.finditer(re.escape(old), text)]
    at = places[nth]
    return text[:at] + new + text[at + len(old) :]


def test_a_square_that_nobody_placed_is_found() -> None:
    packets = blokus().split('<data class="memento">')
    taken = set(re.findall(r'<field x="(\d+)" y="(\d+)"', packets[10]))
    field = re.search(r'<field x="(\d+)" y="(\d+)" content="GREEN"/>', packets[10])
    assert field is not None
    x, y = next(
        (str(x), str(y)) for x in range(20) for y in range(20) if (str(x), str(y)) not in taken
    )
    packets[10] = packets[10].replace(field[0], f'<field x="{x}" y="{y}" content="GREEN"/>')
    found = checked('<data class="memento">'.join(packets)).differences
    assert (found[0].expected, found[0].found) == (field[0], "nothing")
    assert (found[1].expected, found[1].found) == (
        "nothing",
        f'<field x="{x}" y="{y}" content="GREEN"/>',
    )
    assert all(each.where.endswith("state/board") for each in found[:2])


def test_one_fault_is_reported_at_its_position_and_the_next() -> None:
    """The recording is believed after a fault, so its repair is the second difference and nothing
    follows.
    """
    text = change(hares(), 'carrots="', 'carrots="1', 30)
    places = [difference.where.split(",")[0] for difference in checked(text).differences]
    assert 1 <= len(set(places)) <= 2
    assert all("@carrots" in difference.where for difference in checked(text).differences)


def test_an_illegal_move_is_named_with_its_rule() -> None:
    packets = blokus().split('<data class="memento">')
    text = packets[10]
    x = re.search(r'<position x="(\d+)"', text)
    assert x is not None
    packets[10] = text.replace(x[0], f'<position x="{(int(x[1]) + 10) % 20}"')
    found = [
        str(difference)
        for difference in checked('<data class="memento">'.join(packets)).differences
    ]
    assert found
    assert "a legal move" in found[0] or "state/" in found[0]


def test_a_missing_position_is_found() -> None:
    packets = blokus().split("<room ")
    with_state = [number for number, packet in enumerate(packets) if 'class="memento"' in packet]
    del packets[with_state[20]]
    found = checked("<room ".join(packets)).differences
    assert any("turn 19 to 21" in difference.where for difference in found)


@pytest.mark.parametrize(
    ("source", "old", "new"),
    [
        (blokus, "<part>139</part>", "<part>138</part>"),
        (blokus, '<winner team="ONE"', '<winner team="TWO"'),
        (hares, "<part>63</part>", "<part>62</part>"),
        (older, "<part>2</part>", "<part>1</part>"),
    ],
)
def test_a_wrong_result_is_found(source: Callable[[], str], old: str, new: str) -> None:
    assert checked(source()).differences == ()
    (difference,) = checked(change(source(), old, new)).differences
    assert difference.where.startswith("result after turn")
    assert difference.expected != difference.found


def test_points_that_21_0_always_shared_are_noted() -> None:
    text = (
        older()
        .replace("<part>2</part>", "<part>1</part>")
        .replace("<part>0</part>", "<part>1</part>")
    )
    verification = checked(text)
    assert verification.differences == ()
    assert known.ALWAYS_DRAWN in verification.notes


def test_a_deviation_of_one_server_is_no_excuse_for_another() -> None:
    """21.3.1 may end one turn later, 27.0.4 may not."""
    late = recorded.text("21.3.1", "full-game", "admin", "server")
    assert known.LONGER_COUNT in checked(late).notes
    last_turn = parse_replay(blokus().encode(), "t").turns[-1]
    text = change(blokus(), f'turn="{last_turn}"', f'turn="{last_turn + 1}"', -1)
    (difference,) = (each for each in checked(text).differences if "@turn" in each.where)
    assert (difference.expected, difference.found) == (str(last_turn), str(last_turn + 1))


def test_a_colour_taken_out_is_only_excused_at_the_far_edge() -> None:
    packets = older().split('<data class="memento">')
    number = next(
        number
        for number, packet in enumerate(packets)
        if 'currentColorIndex="0" turn="12"' in packet
    )
    packets[number] = re.sub(r"\s*<color>GREEN</color>(?=\s*</orderedColors>)", "", packets[number])
    found = checked('<data class="memento">'.join(packets)).differences
    assert "<color>GREEN</color>" in {found[0].expected, found[0].found}
    assert found[0].where.endswith("state/orderedColors")


def test_a_damaged_recording_is_not_clean() -> None:
    text = blokus()
    verification = checked(text[: len(text) // 2])
    assert [each.where for each in verification.differences] == ["file"]
    assert "cut off" in verification.differences[0].found


def test_a_difference_reads_as_a_sentence() -> None:
    assert str(Difference("turn 3", "a", "b")) == "turn 3: expected a, found b"


def test_a_start_that_was_not_the_start() -> None:
    game = get_game("hase-und-igel-2018")
    codec = next(iter(game.codecs.values()))
    state = game.start(1)
    later = state.play(game.players["random"](1).choose(state, FreeClock()))
    text = (
        MatchRecord(codec, "r", ("a", "b"), [RecordedPosition(later)])
        .format_replay()
        .replace('turn="1"', 'turn="0"')
    )
    text = text.replace('currentPlayer="BLUE"', 'currentPlayer="RED"')
    (difference,) = checked(text).differences
    assert difference.where == "turn 0"
