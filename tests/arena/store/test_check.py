"""A database checks itself by playing every match again, and says what was tampered with."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from arena.store.samples import GAME, played, store
from spielleiter.arena.store import check as check_module
from spielleiter.arena.store.check import check_store
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    StoredOutput,
    digest_of,
)
from spielleiter.games import all_games, get_game
from spielleiter.rules import Cause, Outcome, Text

LEFT = Text("hat aufgegeben", "has left")


def cut(seed: int, plies: int, cause: Cause | None = Cause.LEFT) -> MatchReport:
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
    return MatchReport(result, whole.moves[:plies])


def nobody_came(seed: int) -> MatchReport:
    empty = cut(seed, 0)
    seats = tuple(
        replace(seat, points=0, cause=Cause.LEFT, reason=LEFT)
        for seat in empty.result.outcome.seats
    )
    outcome = Outcome(seats, None, "LEFT", LEFT)
    return replace(empty, result=replace(empty.result, outcome=outcome))


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
