"""Reading recordings: whole, cut, packed, broken, with several rooms, and those our own server
writes.
"""

from __future__ import annotations

import contextlib
import gzip
import os
import random
import re
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import recorded
from spielleiter.games import all_games, get_game
from spielleiter.replays import (
    MatchRecord,
    RecordedComplaint,
    RecordedMatch,
    RecordedPosition,
    load_position,
    parse_replay,
    read_replay,
    verify,
)
from spielleiter.replays import reader as reading
from spielleiter.replays.files import MOST_BYTES
from spielleiter.replays.reader import MOST_ROOMS
from spielleiter.rules import Cause, FreeClock, Outcome, RuleViolation, State, Text
from spielleiter.wire import messages
from spielleiter.wire.codec import Codec
from spielleiter.wire.dialects import BASE
from spielleiter.wire.errors import ReplayError
from spielleiter.wire.limits import StreamLimits
from spielleiter.wire.responses import encode_response

GAME_21 = get_game("blokus-2021").codecs["2021-newest"]
CODECS = [(game.id, revision) for game in all_games() for revision in game.codecs]
SAMPLES = (
    ("18.2.6", "leave-mid-game"),
    ("21.0.3", "leave-mid-game"),
    ("21.4.0", "violation-no-corner"),
    ("27.0.4", "violation-no-corner"),
)


@cache
def stream(version: str, scenario: str, connection: str = "admin") -> bytes:
    return recorded.text(version, scenario, connection, "server").encode()


@cache
def whole(version: str, scenario: str) -> RecordedMatch:
    return parse_replay(stream(version, scenario), "whole")


def states(game: RecordedMatch) -> list[State[Any]]:
    return [position.state for position in game.positions]


# Which game it is ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "game", "revision"),
    [
        ("18.2.6", "hase-und-igel-2018", "2018"),
        ("21.0.0", "blokus-2021", "2021-older"),
        ("21.4.0", "blokus-2021", "2021-newest"),
        ("27.0.4", "blokus-2027", "2027"),
    ],
)
def test_the_season_is_recognised_before_the_first_move(
    version: str, game: str, revision: str
) -> None:
    """A first position has no move whose class would tell."""
    scenario = "violation-fallback-from-start" if version == "18.2.6" else "violation-skip-first"
    found = whole(version, scenario)
    assert (found.game.id, found.codec.revision) == (game, revision)
    assert found.turns == (0,)
    assert found.complaint is not None
    assert found.outcome is not None
    assert found.outcome.seats[0].cause is Cause.RULE_VIOLATION


@pytest.mark.parametrize(
    ("version", "revision"),
    [("21.1.0", "2021-older"), ("21.2.1", "2021-newest"), ("21.3.1", "2021-newest")],
)
def test_revisions_in_between_are_recognised(version: str, revision: str) -> None:
    assert whole(version, "full-game").codec.revision == revision


def test_names_come_from_the_positions_or_from_the_result() -> None:
    assert whole("21.4.0", "violation-no-corner").names == ("Häschen & <Co>", "p2")
    assert whole("27.0.4", "violation-no-corner").names == ("Häschen & <Co>", "p2")


def test_a_paused_game_has_each_position_once() -> None:
    game = whole("27.0.4", "prepared-paused-step")
    assert len(set(game.turns)) == len(game.turns)
    assert "7 repeated positions left out" in game.notes


# Our own ------------------------------------------------------------------------------------------


def played(game_id: str, seed: int) -> list[State[Any]]:
    game = get_game(game_id)
    players = [game.players["random"](seed + seat) for seat in range(game.seats)]
    state = game.start(seed)
    shown = [state]
    while not state.is_over:
        state = state.play(players[state.seat].choose(state, FreeClock()))
        shown.append(state)
    return shown


def record_of(
    game_id: str, revision: str, seed: int = 3, names: tuple[str, ...] = ("Ä & <b>", "zwei")
) -> MatchRecord:
    shown = played(game_id, seed)
    record = MatchRecord(get_game(game_id).codecs[revision], f"room-{seed}", names)
    record.shown = [
        RecordedPosition(state, ("fein & gemein",) if state.turn == 2 else ()) for state in shown
    ]
    record.final = shown[-1]
    record.outcome = shown[-1].outcome()
    return record


def as_read(codec: Codec[Any, Any], record: MatchRecord) -> Outcome:
    assert record.outcome is not None
    text = codec.encode_outcome(record.outcome, record.final, record.names)
    return codec.decode_outcome(next(iter(recorded.elements(f"<x>{text}</x>"))))


@pytest.mark.parametrize(("game_id", "revision"), CODECS)
def test_what_we_write_we_read(game_id: str, revision: str) -> None:
    record = record_of(game_id, revision)
    found = parse_replay(record.format_replay().encode(), "own")
    assert found.game.game_type == record.game.game_type
    assert [found.codec.game.format_position(state) for state in states(found)] == [
        record.game.format_position(shown.state) for shown in record.shown
    ]
    assert [position.hints for position in found.positions] == [
        shown.hints for shown in record.shown
    ]
    assert found.names == record.names
    assert found.room_id == record.room_id
    assert found.outcome == as_read(found.codec, record)
    assert found.notes == ()
    verification = verify(found)
    assert verification.differences == ()
    if found.game == record.game:
        assert states(found) == [shown.state for shown in record.shown]


def test_a_lost_game_of_ours_keeps_the_complaint() -> None:
    record = record_of("blokus-2027", "2027")
    del record.shown[20:]
    record.final = record.shown[-1].state
    state, move = record.final, record.shown[0].state.legal_moves()[0]
    with pytest.raises(RuleViolation) as broken:
        state.play(move)
    record.complaint = RecordedComplaint(0, broken.value, move)
    record.outcome = record.final.outcome().forfeit(
        0, Cause.RULE_VIOLATION, Text("Regelverletzung von x: ...", "x")
    )
    found = parse_replay(record.format_replay().encode(), "own")
    said = record.codec.complaint(broken.value, move, record.names[0], to_offender=False)
    assert found.complaint == said
    assert found.outcome is not None
    assert found.outcome.seats[0].cause is Cause.RULE_VIOLATION
    assert verify(found).differences == ()


def test_the_variant_is_the_one_whose_rules_fit() -> None:
    """A colour that has placed everything ends a documented game, but not one of the official
    server.
    """
    sample = parse_replay(
        (recorded.FOLDER / "21.4.0/replays/mono-last-sample.xml.gz").read_bytes(), "mono"
    )
    assert sample.game.id == "blokus-2021-official"
    assert sample.variant_note is not None
    assert "Blokus 2021 (as the official server)" in sample.variant_note
    limit = record_of("blokus-2027-documented", "2027")
    skipper = get_game("blokus-2027-documented")
    state = limit.shown[4].state
    limit.shown = limit.shown[:5]
    while not state.is_over:
        state = state.play(skipper.parse_move(f"{'BYRG'[state.turn % 4]}:skip"))
        limit.shown.append(RecordedPosition(state))
    limit.final, limit.outcome = state, state.outcome()
    found = parse_replay(limit.format_replay().encode(), "limit")
    assert found.turns[-1] == 100
    assert found.game.id == "blokus-2027-documented"
    assert verify(found).differences == ()


# Several rooms ------------------------------------------------------------------------------------


def two_rooms() -> bytes:
    one, two = (
        record_of("blokus-2027", "2027", 1, ("a", "b")),
        record_of("blokus-2027", "2027", 2, ("c", "d")),
    )
    first = one.format_replay().removesuffix("</protocol>")
    second = two.format_replay().removeprefix("<protocol>\n")
    return (first + '<joined roomId="room-9"/>\n' + second).encode()


def test_of_several_rooms_the_first_or_the_one_named() -> None:
    data = two_rooms()
    first = parse_replay(data, "two")
    assert (first.room_id, first.names, first.rooms) == ("room-1", ("a", "b"), ("room-1", "room-2"))
    assert first.notes == ("there are 2 games in it; this is room room-1, others: room-2",)
    second = parse_replay(data, "two", room="room-2")
    assert (second.room_id, second.names) == ("room-2", ("c", "d"))
    assert verify(first).differences == ()
    assert verify(second).differences == ()
    with pytest.raises(
        ReplayError, match=r"^two: no room 'room-3' in it; there are room-1, room-2$"
    ):
        parse_replay(data, "two", room="room-3")


# Bad input ----------------------------------------------------------------------------------------


@given(sample=st.sampled_from(SAMPLES), data=st.data())
def test_a_cut_recording_gives_what_is_there(sample: tuple[str, str], data: st.DataObject) -> None:
    text = stream(*sample)
    cut = data.draw(st.integers(0, len(text)))
    if (
        b"</room>" not in text[: max(cut, text.index(b"</state>"))]
    ):  # before the end of the first position
        with pytest.raises(ReplayError, match=r"^cut\.xml: no position in it"):
            parse_replay(text[:cut], "cut.xml")
        return
    found = parse_replay(text[:cut], "cut.xml")
    complete = states(whole(*sample))
    assert states(found) == complete[: len(found.positions)]
    assert found.damage is None or found.damage in found.notes
    verify(found)


@given(sample=st.sampled_from(SAMPLES), seed=st.integers(0, 2**32))
def test_a_garbled_recording_gives_a_game_or_an_error(sample: tuple[str, str], seed: int) -> None:
    dice = random.Random(seed)
    garbled = bytearray(stream(*sample))
    for _ in range(dice.randint(1, 6)):
        at = dice.randrange(len(garbled))
        if dice.random() < 0.5:
            garbled[at] = dice.choice(b"0123456789<>/\"' ABCXYZabc\x00\xff")
        else:
            to = dice.randrange(len(garbled))
            garbled[at : at + dice.randint(0, 200)] = garbled[to : to + dice.randint(0, 200)]
    with contextlib.suppress(ReplayError):
        verify(parse_replay(bytes(garbled), "garbled"))


def test_an_unreadable_position_ends_the_reading() -> None:
    text = stream("27.0.4", "leave-mid-game").decode()
    packets = text.split('<data class="memento">')
    packets[5] = packets[5].replace("<shape>MONO</shape>", "<shape>MONK</shape>")
    found = parse_replay('<data class="memento">'.join(packets).encode(), "monk")
    assert len(found.positions) == 4
    assert found.damage is not None
    assert "cannot be read" in found.damage
    assert "MONK" in found.damage
    assert verify(found).differences


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"hello", "not XML"),
        (b"\x00\xff" * 100, "not XML"),
        (b"<protocol></protocol>", "not a replay"),
        (b'<!DOCTYPE x [<!ENTITY a "b">]><protocol/>', "DOCTYPE"),
        (b"<html><body/></html>", "not a replay"),
        (b'<protocol><room roomId="r"><data class="memento"/></room></protocol>', "not a replay"),
        (
            b'<protocol><room roomId="r"><data class="memento"><state/></data></room></protocol>',
            "no game known here",
        ),
        (b"\x1f\x8b", "gzip file is cut off"),
        (b"\x1f\x8brubbish" * 9, "gzip file is broken"),
        (gzip.compress(b"", mtime=0), "empty"),
    ],
)
def test_what_is_no_replay_is_said_to_be_none(data: bytes, reason: str) -> None:
    with pytest.raises(ReplayError, match=f"^somewhere: .*{reason}"):
        parse_replay(data, "somewhere")


def test_gzip_is_told_by_content_and_may_be_cut() -> None:
    text = stream("27.0.4", "join-full-game")
    packed = gzip.compress(text)
    complete = states(parse_replay(text, "text"))
    assert states(parse_replay(packed, "packed.xml")) == complete
    assert (
        states(parse_replay(gzip.compress(text[:70_000]) + gzip.compress(text[70_000:]), "two"))
        == complete
    )
    found = parse_replay(packed[: len(packed) // 2], "cut")
    assert 3 < len(found.positions) < len(complete)
    assert states(found) == complete[: len(found.positions)]
    assert found.damage == "the gzip file is cut off"


LITTLE = 4 * 1024 * 1024
"""As much as a recording may have in the tests of what may be more."""


def peak_of(data: bytes, said: str) -> int:
    """Bytes of memory that refusing this takes at the most."""
    tracemalloc.start()
    try:
        with pytest.raises(ReplayError, match=said):
            parse_replay(data, "bomb", most=LITTLE)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_a_gzip_bomb_costs_no_memory() -> None:
    room = b'<room roomId="r"><data class="x" text="%s"/></room>\n' % bytes(2000).replace(
        b"\0", b"x"
    )
    bomb = gzip.compress(b"<protocol>" + room * (LITTLE // len(room) + 1), 1)
    assert peak_of(bomb, "bomb: it unpacks to more than 4 MiB") < LITTLE


def test_what_is_after_the_end_is_not_kept_either() -> None:
    bomb = gzip.compress(b"<protocol/>" + bytes(LITTLE), 1)
    assert peak_of(bomb, "more than 4 MiB") < LITTLE // 2


def test_the_longest_replay_we_can_be_made_to_write_can_be_read() -> None:
    """Players fill every message with hints; the characters that become longest in XML."""
    limits = StreamLimits()
    hints = ('"' * (limits.token_bytes - 30),) * (limits.message_bytes // limits.token_bytes)
    packet = len(
        GAME_21.encode_state(
            record_of("blokus-2021", "2021-newest", 1).shown[-1].state, ("", ""), hints
        )
    )
    most_turns = 25 * 4
    assert packet * (most_turns + 1) < MOST_BYTES
    assert packet < 1024 * 1024, "the limit of one message, too"


def test_a_recording_of_too_many_games_is_refused() -> None:
    start = get_game("hase-und-igel-2018").start(1)
    text = get_game("hase-und-igel-2018").codecs["2018"].encode_state(start, ("", ""))
    rooms = "".join(
        encode_response(messages.Memento(f"room {number}", text), BASE)
        for number in range(MOST_ROOMS + 1)
    )
    with pytest.raises(ReplayError, match=f"many: it has more than {MOST_ROOMS} games in it"):
        parse_replay(f"<protocol>{rooms}</protocol>".encode(), "many")


def test_a_game_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MOST_POSITIONS", 20)
    with pytest.raises(ReplayError, match="endless: it has a game of more than 20 positions"):
        parse_replay(stream("27.0.4", "join-full-game"), "endless")


def test_many_kinds_of_unknown_things_are_few_notes() -> None:
    text = stream("27.0.4", "leave-mid-game").decode()
    strange = "".join(
        f'<room roomId="{whole("27.0.4", "leave-mid-game").room_id}"><data class="x{n}"/></room>'
        for n in range(300)
    )
    found = parse_replay((text + strange).encode(), "strange")
    assert len(found.notes) < 30
    assert any(
        re.search(r"^other unknown things ignored \(28\d x\)$", note) for note in found.notes
    )


def test_a_flood_of_elements_is_refused() -> None:
    flood = b'<protocol><room roomId="r">' + b"<a/>" * 400_000 + b"</room></protocol>"
    with pytest.raises(ReplayError, match="elements"):
        parse_replay(flood, "flood")


# Files --------------------------------------------------------------------------------------------


@pytest.fixture
def replay_file(tmp_path: Path) -> Path:
    path = tmp_path / "game.xml"
    path.write_bytes(stream("27.0.4", "join-full-game"))
    return path


@pytest.mark.parametrize(
    ("turn", "expected"), [(None, 0), (0, 0), (1, 1), (40, 40), (66, 68), (68, 68)]
)
def test_a_position_is_loaded_by_its_turn(
    replay_file: Path, turn: int | None, expected: int
) -> None:
    """Turns 66 and 67 were skipped: colours that had fallen out."""
    complete = read_replay(replay_file)
    state = load_position(replay_file, turn)
    assert state.turn == next(each for each in complete.turns if each >= (turn or 0)) == expected
    assert state in states(complete)


def test_a_turn_after_the_end_is_an_error_that_names_the_turns(replay_file: Path) -> None:
    with pytest.raises(
        ReplayError,
        match=r"game\.xml: no position has turn 69 or later; the turns there are 0 to 68",
    ):
        load_position(replay_file, 69)


def test_a_loaded_position_can_be_played_on(replay_file: Path) -> None:
    state = load_position(str(replay_file), 30)
    assert state.play(state.legal_moves()[0]).turn == 31


def test_files_that_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(ReplayError, match=r"there is no file .*nowhere"):
        read_replay(tmp_path / "nowhere.xml")
    with pytest.raises(ReplayError, match="is a folder"):
        read_replay(tmp_path)
    with pytest.raises(ReplayError, match="cannot be read"):
        read_replay("a\0b")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names, as Unix has them")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "game.xml"
    os.mkfifo(pipe)
    for read in (read_replay, load_position):
        with pytest.raises(
            ReplayError, match=r"game\.xml cannot be read: it is a pipe, not a file"
        ):
            read(pipe)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="devices, as Unix has them")
def test_a_device_is_refused_at_once() -> None:
    with pytest.raises(ReplayError, match="/dev/zero cannot be read: it is a device, not a file"):
        read_replay("/dev/zero")
