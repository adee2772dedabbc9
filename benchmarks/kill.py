"""Kill bots, workers, keepers and the runner of a tournament at random, and see that nothing is
lost.

``python -m benchmarks.kill --games 1000 --times 3`` plays a tournament of house bots undisturbed,
then as often as it is told with somebody killed every second or so. A runner that was killed is
started again with ``spielleiter resume``. In the end every match must have one result, the same as
in the undisturbed tournament, ``spielleiter results check`` must find nothing, and no process may
be left. ``--sockets`` plays over sockets. It reads /proc, so it runs on Linux.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from spielleiter.arena.runs.saved_run import has_run, read_run
from spielleiter.arena.store.database import FILE_NAME
from spielleiter.processes import keeper

GAME = "hase-und-igel-2018"
BOTS = ("greedy", "random", "random", "greedy", "random")
"""Those that roll dice are there so that a match that is played otherwise ends otherwise."""
ENCOUNTERS = len(BOTS) * (len(BOTS) - 1) // 2
MARK = "SPIELLEITER_KILL_MARK"
"""The variable by which everything that a tournament has started is known."""
COMMAND = (sys.executable, "-m", "spielleiter")
MOVE_SECONDS = 600
"""Long enough for a machine that does much else. What is looked at here is not time."""
PATIENCE_SECONDS = 3600.0
LAST_SECONDS = 30.0
"""What processes may take to end when the runner has ended."""


def find_processes(mark: str) -> dict[str, list[int]]:
    """Return the processes of a tournament by kind: runner, keeper, worker and bot."""
    found: dict[str, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            variables = (entry / "environ").read_bytes().split(b"\0")
            words = (entry / "cmdline").read_text(errors="replace").split("\0")
            leads = _leads_below_keeper(entry)
        except OSError:  # it has just ended, or is somebody else's
            continue
        if f"{MARK}={mark}".encode() in variables and any(words):
            found.setdefault(_kind(words, leads=leads), []).append(int(entry.name))
    return found


def _leads_below_keeper(entry: Path) -> bool:
    """Return whether a keeper has forked this process and given it a session of its own."""
    fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
    parent, session = fields[1], fields[3]
    return session == entry.name and keeper.__file__ in (
        Path("/proc") / parent / "cmdline"
    ).read_text(errors="replace")


def _kind(words: Sequence[str], *, leads: bool) -> str:
    if keeper.__file__ in words:
        return "bot" if leads else "keeper"
    if "spielleiter.arena.workers.program" in words:
        return "worker"
    return "runner" if {"tournament", "resume"} & set(words) else "bot"


@dataclass
class Tournament:
    """A tournament of house bots in a folder, which goes on however often it is killed."""

    folder: Path
    games: int
    sockets: bool = False
    kills: Counter[str] = field(default_factory=Counter)
    starts: int = 0
    mark: str = field(default_factory=lambda: uuid.uuid4().hex)
    _runner: subprocess.Popen[bytes] | None = None

    def write_plan(self) -> None:
        """Write the file that says what is played."""
        if self.games % ENCOUNTERS:
            raise ValueError(f"{self.games} games cannot be shared by {ENCOUNTERS} encounters")
        lines = [
            f'game = "{GAME}"',
            f"games = {self.games // ENCOUNTERS}",
            "seed = 7",
            f"time = {MOVE_SECONDS}",
            f"sockets = {'true' if self.sockets else 'false'}",
        ]
        for number, bot in enumerate(BOTS, 1):
            lines += ["[[bot]]", f'name = "{bot} {number}"', f'start = "{bot}"']
        self.folder.mkdir(parents=True, exist_ok=True)
        self._file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    @property
    def _file(self) -> Path:
        return self.folder / "tournament.toml"

    @property
    def run(self) -> Path:
        """The folder of the run."""
        return self.folder / "run"

    def start(self) -> None:
        """Begin, or go on if it has begun."""
        self.starts += 1
        words = ["tournament", str(self._file), "--out", str(self.run)]
        if self.run.is_dir() and has_run(self.run):
            words = ["resume", str(self.run)]
        with (self.folder / "said.txt").open("ab") as log:
            self._runner = subprocess.Popen(
                [*COMMAND, *words],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {MARK: self.mark},
            )

    def goes_on(self) -> bool:
        """Return whether there is more to play, and start the runner again if it was killed.

        Raises RuntimeError if it ended in any other way.
        """
        assert self._runner is not None
        code = self._runner.poll()
        if code is None:
            return True
        if code == 0:
            return False
        if code != -signal.SIGKILL:
            said = (self.folder / "said.txt").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"the runner ended with exit code {code}:\n{said[-2000:]}")
        self.start()
        return True

    def kill(self, kind: str, dice: random.Random) -> bool:
        """Kill one process of this kind. Return whether there was one."""
        found = sorted(find_processes(self.mark).get(kind, ()))
        if not found:
            return False
        with contextlib.suppress(ProcessLookupError):
            os.kill(dice.choice(found), signal.SIGKILL)
        self.kills[kind] += 1
        if kind == "runner":
            assert self._runner is not None
            self._runner.wait(LAST_SECONDS)
        return True

    def count(self) -> int:
        """Return how many matches have a result. It costs little, so it may be asked often."""
        place = (self.run / FILE_NAME).absolute().as_uri()
        try:
            with contextlib.closing(sqlite3.connect(f"{place}?mode=ro", uri=True)) as connection:
                return int(connection.execute("SELECT count(*) FROM result").fetchone()[0])
        except sqlite3.OperationalError:  # there is none yet
            return 0

    def close(self) -> None:
        """End what still runs, if something went wrong."""
        if self._runner is not None and self._runner.poll() is None:
            self._runner.kill()
            self._runner.wait(LAST_SECONDS)


@contextlib.contextmanager
def begun(folder: Path, games: int, *, sockets: bool) -> Iterator[Tournament]:
    """Begin a tournament, which does not outlive the block."""
    tournament = Tournament(folder, games, sockets)
    tournament.write_plan()
    tournament.start()
    try:
        yield tournament
    finally:
        tournament.close()


def play(
    folder: Path, games: int, *, sockets: bool, dice: random.Random | None, every: Sequence[float]
) -> Tournament:
    """Play to the end. With ``dice`` somebody is killed ``every`` so many seconds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    weights = {"runner": 1, "keeper": 1, "bot" if sockets else "worker": 3}
    with begun(folder, games, sockets=sockets) as tournament:
        while tournament.goes_on():
            if time.monotonic() > deadline:
                raise TimeoutError(f"not over after {PATIENCE_SECONDS:g} seconds")
            time.sleep(0.1 if dice is None else dice.uniform(every[0], every[1]))
            if dice is not None:
                tournament.kill(dice.choices(list(weights), list(weights.values()))[0], dice)
    return tournament


def find_faults(disturbed: Tournament, undisturbed: Tournament) -> list[str]:
    """Return what was lost, as sentences."""
    faults = []
    one, other = read_run(disturbed.run), read_run(undisturbed.run)
    tally, expected = one.tally(), other.tally()
    if tally.stored != disturbed.games:
        faults.append(f"There are {tally.stored} results of {disturbed.games} matches.")
    if (tally.table(), tally.cross_table()) != (expected.table(), expected.cross_table()):
        faults.append("The table is another one.")
    for number, match in sorted(other.matches.items()):
        result = one.matches[number].result if number in one.matches else None
        assert match.result is not None
        if result is None or (result.outcome, result.digest) != (
            match.result.outcome,
            match.result.digest,
        ):
            said = "none" if result is None else repr(result.outcome)
            faults.append(f"Match {number} has another result: {said}")
    check = subprocess.run(
        [*COMMAND, "results", "check", str(disturbed.run)],
        capture_output=True,
        text=True,
        check=False,
    )
    if check.returncode != 0:
        faults.append(f"The check of the database fails:\n{check.stdout}{check.stderr}")
    faults += [f"Left behind: {kind} {pids}" for kind, pids in _left_behind(disturbed).items()]
    return faults


def _left_behind(tournament: Tournament) -> dict[str, list[int]]:
    deadline = time.monotonic() + LAST_SECONDS
    while (found := find_processes(tournament.mark)) and time.monotonic() < deadline:
        time.sleep(0.1)
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kill", description=__doc__)
    parser.add_argument("--games", type=int, default=1000, help=f"a multiple of {ENCOUNTERS}")
    parser.add_argument("--times", type=int, default=3, help="disturbed tournaments")
    parser.add_argument("--every", type=float, nargs=2, default=(1.0, 3.0), metavar=("LOW", "HIGH"))
    parser.add_argument("--sockets", action="store_true", help="play over sockets")
    parser.add_argument("--seed", type=int, default=1, help="of whom to kill when")
    parser.add_argument("--out", type=Path, help="a folder that is kept")
    options = parser.parse_args(arguments)
    with contextlib.ExitStack() as stack:
        place = options.out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return _compare(place, options)


def _compare(place: Path, options: argparse.Namespace) -> int:
    faulty = 0
    undisturbed = None
    for number in range(options.times + 1):
        dice = random.Random(f"{options.seed} {number}") if number else None
        began = time.monotonic()
        folder = place / (f"disturbed-{number}" if number else "undisturbed")
        played = play(
            folder, options.games, sockets=options.sockets, dice=dice, every=options.every
        )
        undisturbed = undisturbed or played
        faults = find_faults(played, undisturbed)
        killed = ", ".join(f"{count} {kind}s" for kind, count in sorted(played.kills.items()))
        print(
            f"{folder.name}: {played.count()} results in {time.monotonic() - began:.0f} s, "
            f"killed: {killed or 'nobody'}, started {played.starts} times; "
            f"{len(faults) or 'no'} faults",
            *faults,
            sep="\n  ",
            flush=True,
        )
        faulty += bool(faults)
    return 1 if faulty else 0


if __name__ == "__main__":
    sys.exit(main())
