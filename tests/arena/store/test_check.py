"""A database checks itself by playing every match again, and says what was tampered with."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.samples import BOTS, GAME, new_run, planned, played
from spielleiter.arena.store import check as check_module
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.replay import record_of
from spielleiter.arena.store.values import (
    FinishedMatch,
    MatchResult,
    StoredMove,
    StoredNote,
    StoredOutput,
    digest_of,
)
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.games import all_games, get_game
from spielleiter.replays import parse_replay, verify
from spielleiter.rules import Cause, Outcome, Text

LEFT = Text("hat aufgegeben", "has left")


def cut(seed: int, plies: int, cause: Cause | None = Cause.LEFT) -> FinishedMatch:
    """A match that seat 1 ends by a fault after some moves, or that was cancelled."""
    game, whole = get_game(GAME), played(seed)
    state = start = game.start(seed)
    for move in whole.moves[:plies]:
        state = state.play(game.parse_move(move.text))
    outcome = state.outcome()
    result = MatchResult(
        outcome if cause is None else outcome.forfeit(1, cause, LEFT),
        "sockets",
        game.format_position(state),
        digest_of(
            game.id, game.format_position(start), [move.text for move in whole.moves[:plies]]
        ),
        was_cancelled=cause is None,
    )
    return FinishedMatch(result, whole.moves[:plies])


def nobody_came(seed: int) -> FinishedMatch:
    empty = cut(seed, 0)
    seats = tuple(
        replace(seat, points=0, cause=Cause.LEFT, reason=LEFT)
        for seat in empty.result.outcome.seats
    )
    outcome = Outcome(seats, None, "LEFT", LEFT)
    return replace(empty, result=replace(empty.result, outcome=outcome))


def store(folder: Path, *finished: FinishedMatch, **changes: object) -> Path:
    plans = [planned(number) for number in range(1, len(finished) + 2)]
    with StoreWriter(folder) as writer:
        run = new_run(planned_matches=len(plans), **changes)
        created = writer.add_run(run, BOTS, plans).result()
        for match_id, one in zip(created.match_ids, finished, strict=False):
            assert writer.add_result(match_id, one).result()
    return folder / "run.db"


def test_matches_of_every_kind_are_right(tmp_path: Path) -> None:
    store(
        tmp_path,
        played(1),
        played(2),
        cut(3, 7),
        cut(4, 0, Cause.RULE_VIOLATION),
        cut(5, 3, None),
        nobody_came(6),
    )
    assert check_store(tmp_path) == []


@pytest.mark.parametrize("game", all_games(), ids=lambda game: str(game.id))
def test_matches_of_every_game_are_right(tmp_path: Path, game: object) -> None:
    finished = played(1, game.id)  # type: ignore[attr-defined]
    store(tmp_path, finished, game=game.id)  # type: ignore[attr-defined]
    assert check_store(tmp_path) == []


MOVES = "(SELECT max(ply) FROM move WHERE match_id = 1)"


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE move SET text = 'A99' WHERE match_id = 1 AND ply = 4", "move 4 cannot be played"),
        ("UPDATE move SET text = '?' WHERE match_id = 1 AND ply = 4", "move 4 cannot be played"),
        ("DELETE FROM move WHERE match_id = 1 AND ply = 4", "its move 4 is missing"),
        ("UPDATE move SET seat = 1 WHERE match_id = 1 AND ply = 4", "move 4 is said to be of seat"),
        ("UPDATE move SET turn = 9 WHERE match_id = 1 AND ply = 4", "move 4 is said to be of seat"),
        (
            f"DELETE FROM move WHERE match_id = 1 AND ply = {MOVES}",
            "its moves do not lead to the last position",
        ),
        ("UPDATE result SET final = 'x' WHERE match_id = 1", "do not lead to the last position"),
        ("UPDATE result SET digest = 'x' WHERE match_id = 1", "its digest does not fit"),
        ("UPDATE result SET winner = NULL WHERE match_id = 1", "its result is stored as a draw"),
        ("UPDATE result SET code = 'X' WHERE match_id = 1", "its result is stored as"),
        ("UPDATE result SET points = '[7,7]' WHERE match_id = 1", "its result is stored as"),
        ("UPDATE result SET scores = '[[1],[1]]' WHERE match_id = 1", "its result is stored as"),
        ("UPDATE result SET was_cancelled = 1 WHERE match_id = 1", "it was over by the rules"),
        (
            'UPDATE result SET causes = \'["REGULAR","LEFT"]\' WHERE match_id = 1',
            "it was over by the rules",
        ),
        (
            'UPDATE result SET causes = \'["REGULAR","REGULAR"]\' WHERE match_id = 2',
            "by the rules it was not over",
        ),
        ("UPDATE match SET opening = '{\"seed\":77}' WHERE id = 1", "Match 1 of run 1"),
        ("UPDATE match SET opening = '{\"moves\":[]}' WHERE id = 1", "neither a position nor"),
        ('UPDATE match SET opening = \'{"position":"x"}\' WHERE id = 1', "cannot be read"),
        ('UPDATE match SET opening = \'{"seed":1,"moves":3}\' WHERE id = 1', "no list of moves"),
        ("UPDATE match SET opening = 'x' WHERE id = 1", "opening cannot be read"),
        ("UPDATE run SET planned_matches = 5", "Run 1 is planned with 5 matches and has 3."),
        ("UPDATE run SET game = 'chess'", "there is no game 'chess'"),
        ("DELETE FROM result WHERE match_id = 1", "moves of the match with id 1, which has no res"),
        ("DELETE FROM match WHERE id = 1", "belongs to nothing in the table match"),
        (
            f"INSERT INTO output VALUES (1, 0, 0, 'stdout', 0, 0, '{'x' * 5000}')",
            "its longest line has 5000 characters",
        ),
    ],
)
def test_what_was_tampered_with_is_found(tmp_path: Path, statement: str, words: str) -> None:
    path = store(tmp_path, played(1), cut(2, 5))
    assert check_store(path) == []
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute(statement).rowcount >= 1
    findings = check_store(path)
    assert any(words in finding for finding in findings), findings
    assert all(finding.endswith(".") for finding in findings)
    assert all(finding[0].isupper() for finding in findings)


def test_output_at_its_limit_is_right(tmp_path: Path) -> None:
    lines = tuple(StoredOutput(0, "stdout", "ü" * 5000) for _ in range(100))
    store(tmp_path, replace(played(1), outputs=lines))
    assert check_store(tmp_path) == []


def test_a_bad_database_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "MOST_FINDINGS", 3)
    path = store(tmp_path, *(cut(seed, 0) for seed in range(1, 9)))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE result SET digest = 'x'")
    findings = check_store(path)
    assert len(findings) == 4
    assert findings[-1].startswith("There may be more")


def everything(path: Path) -> list[object]:
    with StoreReader(path) as reader:
        matches = list(reader.matches(1))
        return [
            *reader.runs(),
            *reader.bots(1),
            *((match, reader.moves(match), reader.outputs(match)) for match in matches),
        ]


def findings_of(path: Path) -> list[str]:
    try:
        return check_store(path)
    except StoreError as error:
        return [error.message]


def test_damage_is_found_wherever_it_is(tmp_path: Path) -> None:
    path = store(tmp_path, *(played(seed) for seed in range(1, 6)))
    whole, content = path.read_bytes(), everything(path)
    dice = random.Random(1)
    for _ in range(30):
        at = dice.randrange(100, len(whole) - 600)
        path.write_bytes(whole[:at] + dice.randbytes(600) + whole[at + 600 :])
        # Parts of a file are unused, and what they hold does not matter.
        assert findings_of(path) or everything(path) == content, at
    path.write_bytes(whole[: len(whole) // 2])
    assert findings_of(path)


# Replays


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
    rest = tuple(replace(move, ply=ply) for ply, move in enumerate(whole.moves[4:]))
    digest = digest_of(game.id, game.format_position(states[4]), [move.text for move in rest])
    finished = FinishedMatch(replace(whole.result, digest=digest), rest)
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
