"""Play single games between the two programs of a match and write down what happened.

Both programs judge every move. This file compares what they say and judges no move itself.
"""

from __future__ import annotations

import math
import os
import random
import shlex
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypedDict

from benchmarks.gtp.programs import (
    COLORS,
    SIZE,
    Cell,
    GtpProgram,
    LineEngine,
    MatchError,
    Move,
    Program,
    to_gtp,
)

ALL_SQUARES = 89
# The twelfth pentomino, X, covers no corner of the board, so no game can start with it.
STARTERS = {
    "F": ".## ##. .#.",
    "I": "#####",
    "L": "#### #...",
    "N": ".### ##..",
    "P": "### ##.",
    "T": "### .#. .#.",
    "U": "### #.#",
    "V": "### #.. #..",
    "W": "##. .## ..#",
    "Y": "#### .#..",
    "Z": "##. .#. .##",
}


class MatchStopped(Exception):
    """Another game failed or a person stopped the match."""


@dataclass(frozen=True)
class Settings:
    """What must be equal for two games to belong to one match."""

    engine: str
    engine_ms: int
    gtp: str
    gtp_level: int
    gtp_environment: str
    seed: int
    random_plies: int


class Record(TypedDict):
    """One finished game, as it stands in the file of the match."""

    pair: int
    seat: int  # 0 where the engine has the colours 1 and 3, else 1
    piece: str
    margin: int  # points of the engine minus points of the GTP program
    points: list[int]  # of each colour
    cpu: dict[str, float]  # seconds of all searches, by "engine" and "gtp"
    searches: dict[str, int]
    moves: list[str]
    match: dict[str, Any]


def shape_of(cells: Iterable[Cell]) -> Move:
    """Return the same shape for every turned or mirrored copy of the cells."""
    copies = []
    turned = list(cells)
    for flip in (False, True):
        for _ in range(4):
            turned = [(y, -x) for x, y in turned]
            seen = [(-x, y) if flip else (x, y) for x, y in turned]
            left, top = min(x for x, _ in seen), min(y for _, y in seen)
            copies.append(tuple(sorted((x - left, y - top) for x, y in seen)))
    return min(copies)


def starter_shape(name: str) -> Move:
    """Return the shape of a pentomino with which a game can start."""
    rows = STARTERS[name].split()
    return shape_of(
        (x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == "#"
    )


def centre_distance(move: Move) -> float:
    """Measure how far the cell of a move that is nearest to the centre is from it."""
    middle = (SIZE - 1) / 2
    return min(math.hypot(x - middle, y - middle) for x, y in move)


class Table:
    """The two programs of one worker, which play one game after the other."""

    def __init__(self, settings: Settings, patience: float, stop: threading.Event):
        self._settings = settings
        self._stop = stop
        self._engine = LineEngine(shlex.split(settings.engine), os.environ, patience)
        more = dict(pair.split("=", 1) for pair in shlex.split(settings.gtp_environment))
        environment = {**os.environ, **more}
        level = settings.gtp_level
        options = f"--game classic_2 --level {level} --threads 1 --nobook --noresign --quiet"
        command = shlex.split(settings.gtp) + options.split()
        try:
            self._gtp = GtpProgram(command, environment, patience)
        except MatchError:
            self._engine.close()
            raise

    def __enter__(self) -> Table:
        return self

    def __exit__(self, *_: object) -> None:
        self._engine.close()
        self._gtp.close()

    def play_game(self, pair: int, seat: int) -> Record:
        """Play one game, which the engine begins if its seat is 0, and return the record."""
        self._pair, self._seat = pair, seat
        self._moves: list[tuple[int, Move]] = []
        self._cpu = {"engine": 0.0, "gtp": 0.0}
        self._searches = {"engine": 0, "gtp": 0}
        self._rng = random.Random(f"{self._settings.seed}/{pair}")
        self._starter = sorted(STARTERS)[(self._settings.seed + pair) % len(STARTERS)]
        if not self._engine.do("new"):
            raise MatchError(f"{self._engine.name} refused 'new'.")
        self._gtp.need("clear_board")
        ply = skipped = 0
        while skipped < COLORS:
            if self._stop.is_set():
                raise MatchStopped
            skipped = 0 if self._turn(ply) else skipped + 1
            ply += 1
        return self._record()

    def _turn(self, ply: int) -> bool:
        """Play the turn of one colour and say whether it could move."""
        color = ply % COLORS
        legal = self._gtp.legal(color)
        if ply >= COLORS:  # before that an engine may let a colour start in any corner
            count = self._engine.counts()[color]
            if count != len(legal):
                names = f"{self._engine.name} {count}, {self._gtp.name} {len(legal)}"
                raise self._disagreement(color, f"They count legal moves differently: {names}.")
        if not legal:
            if not self._engine.do("skip"):
                raise self._disagreement(color, f"{self._engine.name} refused to skip.")
            return False
        if ply < COLORS + self._settings.random_plies:
            self._apply(color, self._opening_move(ply, legal), legal)
        else:
            self._search(color, legal)
        return True

    def _opening_move(self, ply: int, legal: Sequence[Move]) -> Move:
        """Draw a move of the opening among those that reach far towards the centre."""
        if ply < COLORS:
            shape = starter_shape(self._starter)
            wanted = [move for move in legal if shape_of(move) == shape]
            best = min(map(centre_distance, wanted))
            return self._rng.choice([m for m in wanted if centre_distance(m) < best + 1e-9])
        # Large pieces only, so that the drawn plies do not decide the game.
        wanted = sorted((m for m in legal if len(m) == 5), key=centre_distance) or list(legal)
        return self._rng.choice(wanted[: 1 + len(wanted) // 3])

    def _search(self, color: int, legal: Sequence[Move]) -> None:
        """Let the program whose turn it is choose a move."""
        mine = color % 2 == self._seat
        side: Program = self._engine if mine else self._gtp
        before = side.cpu()
        given = self._settings.engine_ms
        move = self._engine.search(given) if mine else self._gtp.search(color)
        name = "engine" if mine else "gtp"
        self._cpu[name] += side.cpu() - before
        self._searches[name] += 1
        if move is None:
            raise self._disagreement(color, f"{side.name} passed where it can move.")
        self._apply(color, move, legal, played=not mine)

    def _apply(self, color: int, move: Move, legal: Sequence[Move], played: bool = False) -> None:
        """Play a move in both programs, of which the GTP program has already played its own."""
        if move not in legal or not (played or self._gtp.play(color, move)):
            text = f"{self._gtp.name} holds {to_gtp(move)} illegal."
            raise self._disagreement(color, text)
        if not self._engine.play(move):
            text = f"{self._engine.name} holds {to_gtp(move)} illegal."
            raise self._disagreement(color, text)
        self._moves.append((color, move))

    def _disagreement(self, color: int, text: str) -> MatchError:
        """Name the position, as GTP commands, so that both programs can be shown it again."""
        where = f"pair {self._pair}, seat {self._seat}, colour {color + 1} to move"
        path = "; ".join(f"play {by + 1} {to_gtp(move)}" for by, move in self._moves)
        return MatchError(f"The programs disagree ({where}). {text} Position: {path or 'empty'}")

    def _record(self) -> Record:
        """Count the points of the finished game, and check them with the GTP program."""
        points = [0] * COLORS
        for color in range(COLORS):
            sizes = [len(move) for by, move in self._moves if by == color]
            points[color] = sum(sizes)
            if points[color] == ALL_SQUARES:
                points[color] += 20 if sizes[-1] == 1 else 15
        lead = points[0] + points[2] - points[1] - points[3]
        expected = f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"
        score = self._gtp.need("final_score")
        if score != expected:
            raise self._disagreement(0, f"The score is {expected}, {self._gtp.name} says {score}.")
        return {
            "pair": self._pair,
            "seat": self._seat,
            "piece": self._starter,
            "margin": -lead if self._seat else lead,
            "points": points,
            "cpu": self._cpu,
            "searches": self._searches,
            "moves": [f"{by + 1} {to_gtp(move)}" for by, move in self._moves],
            "match": asdict(self._settings),
        }
