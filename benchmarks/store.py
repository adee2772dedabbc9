"""How fast matches become durable: many in one commit against one row a commit, as a ratio.

``python -m benchmarks store`` writes into the folder for temporary files, so that disk is what is
measured. Nothing of it is kept.
"""

from __future__ import annotations

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    NewRun,
    PlannedMatch,
    StoredBot,
    StoredMove,
)
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.rules import Outcome, SeatOutcome, Text

MOVES = 60
"""Of a match, which is about as many as a game of the contest has."""
TARGET = 20.0
"""Times the rows of one row a commit that 100 waiting matches must reach."""
TARGET_WAITING = 100
BOTS = (StoredBot(0, "one", "house bot"), StoredBot(1, "two", "house bot"))
MATCH = MatchReport(
    MatchResult(
        Outcome((SeatOutcome(2, (90,)), SeatOutcome(0, (80,))), 0, "END", Text("aus", "over")),
        "workers",
        "a position of some hundred characters " * 10,
        "0" * 64,
        3.0,
        (0.1, 0.1),
    ),
    tuple(StoredMove(ply, ply, ply % 2, f"move {ply} of it", 0.05) for ply in range(MOVES)),
)
ROWS = MOVES + 1


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table."""

    name: str
    rows: int
    seconds: float
    cpu: float

    @property
    def rate(self) -> float:
        return self.rows / self.seconds


def write_singly(folder: Path, rows: int) -> int:
    """Commit each move by itself, with nothing but the standard library."""
    with closing(sqlite3.connect(folder / "plain.db", isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE move (match_id, ply, turn, seat, text, seconds)")
        for row in range(rows):
            move = MATCH.moves[row % MOVES]
            connection.execute(
                "INSERT INTO move VALUES (?, ?, ?, ?, ?, ?)",
                (row, move.ply, move.turn, move.seat, move.text, move.seconds),
            )
    return rows


def write_matches(folder: Path, matches: int, waiting: int) -> int:
    """Store matches, of which so many wait for the disk at any time."""
    with StoreWriter(folder) as writer:
        plans = [PlannedMatch(n, 0, 1, n, {"seed": n, "moves": []}) for n in range(matches)]
        created = writer.add_run(NewRun("match", "none", 0), BOTS, plans).result()
        on_their_way = deque(
            writer.add_result(match_id, MATCH) for match_id in created.match_ids[:waiting]
        )
        for match_id in created.match_ids[waiting:]:
            assert on_their_way.popleft().result()
            on_their_way.append(writer.add_result(match_id, MATCH))
        for future in on_their_way:
            assert future.result()
    return matches * ROWS


def measure(name: str, work: Callable[[Path], int]) -> Row:
    with TemporaryDirectory() as folder:
        began, cpu = time.perf_counter(), time.process_time()
        rows = work(Path(folder))
        return Row(name, rows, time.perf_counter() - began, time.process_time() - cpu)


def format_rows(rows: Sequence[Row]) -> str:
    """Return the table. The first row is what the others are compared with."""
    lines = [
        "store (wall clock)",
        "==================",
        f"{'case':<26}{'rows/s':>10}{'matches/s':>11}{'ratio':>8}{'CPU a row':>12}  target",
    ]
    for row in rows:
        ratio = row.rate / rows[0].rate
        target = ""
        if row.name == _name(TARGET_WAITING):
            target = f"≥ {TARGET:g} ×" + (" missed" if ratio < TARGET else "")
        lines.append(
            f"{row.name:<26}{row.rate:>10,.0f}{row.rate / ROWS:>11,.1f}{ratio:>8.2f}"
            f"{row.cpu / row.rows * 1e6:>9.1f} µs  {target}".rstrip()
        )
    return "\n".join(lines)


def _name(waiting: int) -> str:
    return f"{waiting} match{'es wait' if waiting > 1 else ' waits'}"


def table(*, quick: bool = False) -> str:
    """Measure and return a table. Cases take turns, and each row is the median of its turns."""
    repetitions = 1 if quick else 3
    cases: dict[str, Callable[[Path], int]] = {
        "one row a commit": lambda folder: write_singly(folder, 500 if quick else 1500),
        _name(1): lambda folder: write_matches(folder, 40 if quick else 100, 1),
        _name(10): lambda folder: write_matches(folder, 200 if quick else 500, 10),
        _name(100): lambda folder: write_matches(folder, 500 if quick else 2000, 100),
    }
    turns: dict[str, list[Row]] = {name: [] for name in cases}
    for _ in range(repetitions):
        for name, work in cases.items():
            turns[name].append(measure(name, work))
    return format_rows([_median(rows) for rows in turns.values()])


def _median(rows: Sequence[Row]) -> Row:
    middle = median(row.rate for row in rows)
    return min(rows, key=lambda row: abs(row.rate - middle))
