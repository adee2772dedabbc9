"""Play paired Blokus games between an engine with the line protocol and a program that speaks GTP.

``python -m benchmarks.gtp --engine "engine/target/release/engine-tool line" --engine-ms 500
--gtp PROGRAM --gtp-level 7 --pairs 60 --jobs 2 --random-plies 2 --out games.jsonl``

It reads the CPU time of both programs, which only Linux tells.

Both programs are named on the command line. The GTP program must know Blokus for two players
with four colours under the name classic_2. Every game is appended to a file as one line of JSON,
and a match that was stopped goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import math
import queue
import random
import shlex
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from benchmarks.gtp.games import MatchStopped, Record, Settings, Table
from benchmarks.gtp.programs import MatchError
from spielleiter.arena.statistics.strength import elo_of_score

Key: TypeAlias = tuple[int, int]  # pair and seat
SEATS = (0, 1)
RESAMPLES = 4000


class Journal:
    """The file of a match, which only one driver may use at a time."""

    def __init__(self, path: Path, settings: Settings):
        self.records: dict[Key, Record] = {}
        self._file: BinaryIO = path.open("a+b")
        try:
            self._lock(path)
            self._read(path, settings)
        except MatchError:
            self.close()
            raise

    def _lock(self, path: Path) -> None:
        try:
            import fcntl

            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:
            raise MatchError("This needs Linux, which tells the CPU time of programs.") from None
        except OSError:
            raise MatchError(f"Another match writes to {path}. Name another file.") from None

    def _read(self, path: Path, settings: Settings) -> None:
        """Take the games that are there already."""
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        self._file.truncate(whole)  # a driver that was killed may have left half a line
        for number, line in enumerate(text[:whole].splitlines(), 1):
            self._take(f"{path}, line {number},", line, asdict(settings))

    def append(self, record: Record) -> None:
        """Write down a finished game."""
        self._file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        self.records[record["pair"], record["seat"]] = record

    def close(self) -> None:
        """Let others use the file."""
        self._file.close()

    def pair(self, number: int) -> list[Record] | None:
        """Return both games of a pair, or nothing as long as one is missing."""
        keys = [(number, seat) for seat in SEATS]
        return [self.records[key] for key in keys] if self.records.keys() >= set(keys) else None

    def pairs(self, count: int) -> list[list[Record]]:
        """Return all pairs below a number whose games are both finished."""
        return [games for number in range(count) if (games := self.pair(number))]

    def _take(self, where: str, line: bytes, settings: dict[str, Any]) -> None:
        try:
            record = json.loads(line)
            key = int(record["pair"]), int(record["seat"])
            known = record["match"]
        except (ValueError, KeyError, TypeError):
            raise MatchError(f"{where} is not a game of a match. Name another file.") from None
        if known != settings:
            names = [name for name in settings if known.get(name) != settings[name]]
            text = f"{where} is of a match with other settings: {', '.join(names)}."
            raise MatchError(f"{text} Name another file.")
        self.records[key] = record


def elo(score: float, games: int) -> float:
    """Turn a share of the points into Elo, kept finite for a clean sweep."""
    edge = 0.25 / games
    share = min(max(score, edge), 1 - edge)
    return elo_of_score(share)


def game_score(game: Record) -> float:
    """Return 1 for a win of the engine, 0.5 for a draw and 0 for a loss."""
    return 0.5 + 0.5 * ((game["margin"] > 0) - (game["margin"] < 0))


def elo_interval(scores: Sequence[float]) -> tuple[float, float]:
    """Estimate the 95 % interval of Elo by drawing whole pairs with replacement."""
    rng = random.Random(0)
    count = len(scores)
    means = sorted(sum(rng.choices(scores, k=count)) / count / 2 for _ in range(RESAMPLES))
    low, high = means[round(0.025 * RESAMPLES)], means[round(0.975 * RESAMPLES) - 1]
    return elo(low, 2 * count), elo(high, 2 * count)


def cpu_per_move(games: Sequence[Record], side: str) -> float:
    """Return the mean CPU seconds that one side took for a search."""
    searches = sum(game["searches"][side] for game in games)
    return math.fsum(game["cpu"][side] for game in games) / max(1, searches)


def summary(pairs: Sequence[Sequence[Record]]) -> str:
    """Say in one line how the engine did in the finished pairs."""
    games = [game for pair in pairs for game in pair]
    count = len(pairs)
    scores = [sum(map(game_score, pair)) for pair in pairs]
    margins = [sum(game["margin"] for game in pair) / len(pair) for pair in pairs]
    wins, draws, losses = ([game_score(game) for game in games].count(s) for s in (1, 0.5, 0))
    mean = sum(margins) / count
    spread = f"Elo {elo(sum(scores) / len(games), len(games)):+.0f}"
    points = f"points {mean:+.1f}"
    if count > 1:
        low, high = elo_interval(scores)
        spread += f" [{low:+.0f}, {high:+.0f}]"
        variance = sum((margin - mean) ** 2 for margin in margins) / (count - 1)
        points += f" ± {math.sqrt(variance / count):.1f}"
    won, lost = sum(score > 1 for score in scores), sum(score < 1 for score in scores)
    cpu = f"{cpu_per_move(games, 'engine'):.3f} to {cpu_per_move(games, 'gtp'):.3f}"
    return (
        f"W-D-L {wins}-{draws}-{losses}, {spread}, {points}, "
        f"pairs {won}-{lost} of {count}, CPU s/move {cpu}"
    )


class Match:
    """All games of a match, played by several workers."""

    def __init__(self, settings: Settings, journal: Journal, pairs: int, patience: float):
        self._settings = settings
        self._journal = journal
        self._pairs = pairs
        self._patience = patience
        self._stop = threading.Event()
        self._writing = threading.Lock()
        self._failure: BaseException | None = None
        self._left: queue.SimpleQueue[int] = queue.SimpleQueue()
        for pair in range(pairs):
            if journal.pair(pair) is None:
                self._left.put(pair)

    def run(self, jobs: int) -> None:
        """Play what is missing, and raise the first failure after all workers have ended."""
        jobs = min(jobs, self._left.qsize())
        workers = [threading.Thread(target=self._work) for _ in range(jobs)]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                worker.join()
        except KeyboardInterrupt:
            self._stop.set()
            for worker in workers:
                worker.join()
            raise
        if self._failure:
            raise self._failure

    def _work(self) -> None:
        """Play pairs with two programs of this worker's own until none is left."""
        try:
            with Table(self._settings, self._patience, self._stop) as table:
                while not self._stop.is_set():
                    self._play_pair(table, self._left.get_nowait())
        except (queue.Empty, MatchStopped):
            pass
        except BaseException as error:  # whatever it is, the main thread must raise it
            self._failure = self._failure or error
            self._stop.set()

    def _play_pair(self, table: Table, pair: int) -> None:
        """Play the games of a pair that are missing and print how the match stands."""
        for seat in SEATS:
            if (pair, seat) not in self._journal.records:
                record = table.play_game(pair, seat)
                with self._writing:
                    self._journal.append(record)
        with self._writing:
            games = self._journal.pair(pair) or []
            margins = " ".join(f"{game['margin']:+d}" for game in games)
            text = summary(self._journal.pairs(self._pairs))
            print(f"pair {pair} {games[0]['piece']} {margins} | {text}", flush=True)


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("--engine", required=True, help="command that starts the engine: engine-tool line")
    add("--engine-ms", type=int, default=100, help="milliseconds that 'go' is given (100)")
    add("--gtp", required=True, help="command that starts the GTP program, without options")
    add("--gtp-level", type=int, choices=range(1, 10), default=9, help="its level (9)")
    text = "NAME=VALUE ... that it shall find in its environment, such as a limit of its time"
    add("--gtp-environment", default="", help=text)
    add("--pairs", type=int, required=True, help="number of pairs the match has in all")
    add("--jobs", type=int, default=1, help="pairs that are played at the same time (1)")
    add("--seed", type=int, default=1, help="seed of the openings (1)")
    text = "plies drawn at random after the four first pieces (0)"
    add("--random-plies", type=int, choices=range(5), default=0, help=text)
    add("--out", type=Path, required=True, help="file of the games, one line of JSON for each")
    add("--patience", type=float, default=600, help="seconds to wait for an answer (600)")
    found = parser.parse_args(arguments)
    for name in ("engine_ms", "pairs", "jobs", "patience"):
        if not 0 < getattr(found, name) < 1e9:
            parser.error(f"--{name.replace('_', '-')} must be greater than 0")
    if not all("=" in pair for pair in shlex.split(found.gtp_environment)):
        parser.error("--gtp-environment takes NAME=VALUE, several of them separated by spaces")
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the match that the command line describes."""
    found = read_arguments(arguments)
    settings = Settings(**{name: getattr(found, name) for name in Settings.__dataclass_fields__})
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with closing(Journal(found.out, settings)) as journal:
            Match(settings, journal, found.pairs, found.patience).run(found.jobs)
    except OSError as error:
        print(f"{found.out} cannot be used: {error.strerror}.", file=sys.stderr)
        return 1
    except MatchError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("The match was stopped. The same command goes on with it.", file=sys.stderr)
        return 130
    print(summary(journal.pairs(found.pairs)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
