"""Stored matches that are played again become replays, with their openings and notes."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.samples import BOTS, GAME, new_run, planned, played, store
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.replay import record_of
from spielleiter.arena.store.values import MatchReport, StoredMove, StoredNote, digest_of
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.games import all_games, get_game
from spielleiter.replays import parse_replay, verify


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.id))
def test_a_match_becomes_a_replay(tmp_path: Path, game: object) -> None:
    finished = played(1, game.id)  # type: ignore[attr-defined]
    store(tmp_path, finished, game=game.id)  # type: ignore[attr-defined]
    with StoreReader(tmp_path) as reader:
        record = record_of(reader, reader.match(1, 1))
    assert record.names == ("Ada", "Bob")
    assert record.outcome == finished.result.outcome
    assert [move.seconds for move in record.moves] == [0.25] * len(finished.moves)
    recorded = parse_replay(record.format_replay().encode(), "here")
    assert recorded.game.game_type == game.game_type  # type: ignore[attr-defined]
    assert not verify(recorded).differences
    assert len(recorded.positions) == len(finished.moves) + 1
    assert [position.seconds for position in recorded.positions[1:]] == [0.25] * len(finished.moves)


def test_the_opening_is_part_of_the_replay(tmp_path: Path) -> None:
    game, whole = get_game(GAME), played(1)
    states = [game.start(1)]
    for move in whole.moves:
        states.append(states[-1].play(game.parse_move(move.text)))
    opening = [move.text for move in whole.moves[:4]]
    rest = tuple(move._replace(ply=ply) for ply, move in enumerate(whole.moves[4:]))
    digest = digest_of(game.id, game.format_position(states[4]), [move.text for move in rest])
    finished = MatchReport(replace(whole.result, digest=digest), rest)
    plans = [
        planned(1, opening),
        replace(
            planned(2),
            opening={"position": game.format_position(states[0]), "moves": opening},
        ),
        replace(planned(3), opening={"position": game.format_position(states[4]), "moves": []}),
    ]
    with StoreWriter(tmp_path) as writer:
        created = writer.add_run(new_run(), BOTS, plans).result()
        for match_id in created.match_ids:
            writer.add_result(match_id, finished).result()
    assert check_store(tmp_path) == []
    with StoreReader(tmp_path) as reader:
        for match, first in zip(reader.matches(1), (0, 0, 4), strict=True):
            record = record_of(reader, match)
            assert [shown.state for shown in record.shown] == states[first:]
            times = [shown.seconds for shown in record.shown]
            assert times == [None] * (5 - first) + [0.25] * len(rest)


def test_notes_are_in_the_replay(tmp_path: Path) -> None:
    whole = played(1)
    second: StoredMove = whole.moves[1]
    content = {
        "turn": second.turn,
        "seat": second.seat,
        "move": second.text,
        "notes": ["a good idea\nor two", "another"],
        "marks": [{"x": 1, "y": 2, "text": "here", "color": None}],
        "hints": ["a hint"],
    }
    notes = (
        StoredNote(second.seat, content, second.turn),
        StoredNote(second.seat, {"turn": second.turn, "move": None, "notes": ["bye"]}),
        StoredNote(0, {"odd": 1}),
    )
    store(tmp_path, replace(whole, notes=notes))
    with StoreReader(tmp_path) as reader:
        match = reader.match(1, 1)
        record, plain = record_of(reader, match), record_of(reader, match, notes=False)
    expected = ("a hint", "a good idea", "or two", "another", "mark 1,2: here")
    assert record.moves[1].hints == expected
    assert {move.hints for move in plain.moves} == {("a hint",)}
    recorded = parse_replay(record.format_replay().encode(), "here")
    assert recorded.positions[2].hints == expected


def test_a_match_that_cannot_be_shown_is_named(tmp_path: Path) -> None:
    path = store(tmp_path, played(1))
    with StoreReader(path) as reader, pytest.raises(StoreError, match="match 2 of run 1 was not"):
        record_of(reader, reader.match(1, 2))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE move SET text = 'A99' WHERE ply = 2")
    with StoreReader(path) as reader, pytest.raises(StoreError, match="move 2 cannot be played"):
        record_of(reader, reader.match(1, 1))
