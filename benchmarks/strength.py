"""Measure how strong the house bots are, by pairs of matches between two of them.

``python -m benchmarks.strength --game blokus-2027 searcher planner --pairs 10 --move-seconds 2``
``python -m benchmarks.strength --game blokus-2027 --ladder`` measures each level against the one
below.

A pair is two matches from the same first position with the seats swapped. They are played in this
process, and each line of the table is all matches of two bots. A move that takes longer than the
limit is counted and not punished, since the count has to be 0 anyway.
"""

from __future__ import annotations

import argparse
import math
import platform
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from spielleiter.games import DEFAULT, get_game
from spielleiter.match import PlayerSeat, play_match
from spielleiter.rules import AnyGame, AnyState, Clock, Player, UnknownGame
from spielleiter.wire.wording import wording_for

LIMIT = 2.0
"""Seconds a move may take in the contest."""
PAIRS = 10


class WallClock:
    """The time of one move, as a bot sees it."""

    __slots__ = ("_limit", "_started")

    def __init__(self, limit: float) -> None:
        self._limit = limit
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._started

    @property
    def remaining(self) -> float:
        return max(0.0, self._limit - self.elapsed)


@dataclass(frozen=True, slots=True)
class MatchResult:
    """One match as the first of the two names sees it."""

    points: int
    """2 for a win, 1 for a draw, 0 for a loss."""
    difference: int
    """Own score less the opponent's."""
    slowest: tuple[float, float]
    """Longest move of the first and of the second name, in seconds."""
    late: int
    """Moves of the first name that took longer than the limit."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """All that a process needs to play one pair by itself."""

    game: str
    names: tuple[str, str]
    seed: int
    limits: tuple[float, float]
    """Seconds a move of either name.

    With infinity the clock stands still, and equal seeds give equal matches.
    """


def play_pair(pairing: Pairing) -> tuple[MatchResult, MatchResult]:
    """Play two matches from the same first position.

    The first name sits on seat 0, then on seat 1.
    """
    game = get_game(pairing.game)
    return _play(game, pairing, 0), _play(game, pairing, 1)


def _play(game: AnyGame, pairing: Pairing, first_seat: int) -> MatchResult:
    """Play one match without a limit of time. Raises RuntimeError if a bot breaks a rule."""
    order = 1 if first_seat == 0 else -1
    names = pairing.names[::order]
    players = [
        _TimedPlayer(game.players[name](2 * pairing.seed + seat), limit)
        for seat, (name, limit) in enumerate(zip(names, pairing.limits[::order], strict=True))
    ]
    seats = [PlayerSeat(player) for player in players]
    outcome = play_match(game.start(pairing.seed), seats, wording_for(game, names)).outcome
    if not outcome.is_regular:
        raise RuntimeError(f"{' against '.join(names)}, seed {pairing.seed}: {outcome.reason.en}")
    own, other = players[first_seat].seconds, players[1 - first_seat].seconds
    return MatchResult(
        points=outcome.seats[first_seat].points,
        difference=outcome.scores[first_seat][0] - outcome.scores[1 - first_seat][0],
        slowest=(max(own), max(other)),
        late=sum(spent > pairing.limits[0] for spent in own),
    )


class _TimedPlayer:
    """A bot with a clock, and the seconds of its moves.

    They are measured also where the bot sees a clock that stands still.
    """

    def __init__(self, player: Player, limit: float) -> None:
        self.seconds = [0.0]
        self._player = player
        self._limit = limit

    def choose(self, state: AnyState, clock: Clock) -> Any:
        started = time.monotonic()
        clock = clock if math.isinf(self._limit) else WallClock(self._limit)
        move = self._player.choose(state, clock)
        self.seconds.append(time.monotonic() - started)
        return move


@dataclass(frozen=True, slots=True)
class Row:
    """All matches of one name against another."""

    names: tuple[str, str]
    results: tuple[MatchResult, ...]

    def count(self, points: int) -> int:
        return sum(result.points == points for result in self.results)

    @property
    def won(self) -> float:
        """The share of matches won. A draw is not won."""
        return self.count(2) / len(self.results)

    @property
    def difference(self) -> float:
        return sum(result.difference for result in self.results) / len(self.results)

    @property
    def slowest(self) -> float:
        return max(result.slowest[0] for result in self.results)

    @property
    def late(self) -> int:
        return sum(result.late for result in self.results)

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share of matches won lies, 95 times in 100 (Wilson's interval)."""
        games, z = len(self.results), 1.96
        middle = (self.won + z * z / (2 * games)) / (1 + z * z / games)
        reach = (
            z
            / (1 + z * z / games)
            * math.sqrt(self.won * (1 - self.won) / games + z * z / (4 * games * games))
        )
        # Where all are won, rounding would else give an interval that ends a little below 1.
        return max(0.0, middle - reach), min(1.0, middle + reach)


HEADINGS = (
    "bot",
    "against",
    "games",
    "won",
    "drawn",
    "lost",
    "won in %",
    "95 % interval",
    "mean difference",
    "slowest move",
    "too late",
)


def cells_of(row: Row) -> tuple[str, ...]:
    low, high = row.interval
    return (
        f"`{row.names[0]}`",
        f"`{row.names[1]}`",
        str(len(row.results)),
        str(row.count(2)),
        str(row.count(1)),
        str(row.count(0)),
        f"{100 * row.won:.0f} %",
        f"{100 * low:.0f} – {100 * high:.0f} %",
        f"{row.difference:+.1f}",
        f"{1000 * row.slowest:.0f} ms",
        str(row.late),
    )


def format_markdown(rows: Iterable[Row]) -> str:
    """Return the rows as a table for a document."""
    lines = [HEADINGS, tuple("---" if column < 2 else "---:" for column in range(len(HEADINGS)))]
    lines += [cells_of(row) for row in rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def play_pairs(
    game: str,
    names: tuple[str, str],
    seeds: Iterable[int],
    limits: tuple[float, float],
    jobs: int,
) -> Row:
    """Play one pair a seed, ``jobs`` at a time, and say on stderr how it stands after each."""
    pairings = [Pairing(game, names, seed, limits) for seed in seeds]
    results: list[MatchResult] = []
    with ProcessPoolExecutor(jobs) if jobs > 1 else nullcontext() as pool:
        played: Iterator[tuple[MatchResult, MatchResult]] = (pool.map if pool else map)(
            play_pair, pairings
        )
        for pair in played:
            results += pair
            row = Row(names, tuple(results))
            print(
                f"{names[0]} - {names[1]}: {row.count(2)} won, {row.count(1)} drawn, "
                f"{row.count(0)} lost, "
                f"{row.difference:+.1f} a game",
                file=sys.stderr,
                flush=True,
            )
    return Row(names, tuple(results))


def parse_limit(text: str) -> float:
    """Return seconds a move, or infinity for ``none``. Raises ValueError."""
    seconds = math.inf if text == "none" else float(text)
    if not seconds > 0:
        raise ValueError(f"{text!r} is not a time")
    return seconds


def describe_limits(limits: tuple[float, float]) -> str:
    """Say how long the bots may think."""
    texts = ["no limit" if math.isinf(limit) else f"{limit:g} s a move" for limit in limits]
    return texts[0] if texts[0] == texts[1] else " against ".join(texts)


def choose_names(
    players: Sequence[str], names: Sequence[str], ladder: bool
) -> list[tuple[str, str]]:
    """Return which bots meet. Raises ValueError if the command makes no sense."""
    unknown = [name for name in names if name not in players]
    if unknown:
        raise ValueError(f"there is no bot {unknown[0]!r}; there are {', '.join(players)}")
    if ladder:
        if names:
            raise ValueError("--ladder measures all bots; leave the names out")
        return [(upper, lower) for lower, upper in pairwise(players)]
    if len(names) != 2:
        raise ValueError(f"name two bots, or ask for --ladder; there are {', '.join(players)}")
    return [(names[0], names[1])]


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.strength",
        description="paired games between house bots, as a Markdown table",
    )
    parser.add_argument(
        "names", nargs="*", metavar="BOT", help="two house bots, the one expected to win first"
    )
    parser.add_argument("--game", default=DEFAULT, help="which game (default: %(default)s)")
    parser.add_argument(
        "--pairs", type=int, default=PAIRS, help="pairs of games a row (default: %(default)s)"
    )
    parser.add_argument(
        "--first-seed", type=int, default=0, metavar="SEED", help="seed of the first pair"
    )
    parser.add_argument(
        "--move-seconds",
        type=parse_limit,
        default=LIMIT,
        metavar="S",
        help="limit a move, or none for a clock that stands still (default: %(default)s)",
    )
    parser.add_argument(
        "--opponent-seconds",
        type=parse_limit,
        metavar="S",
        help="limit a move of the second bot, if it is another one",
    )
    parser.add_argument(
        "--jobs", type=int, default=1, help="pairs played at a time (default: %(default)s)"
    )
    parser.add_argument(
        "--ladder", action="store_true", help="each bot against the one below, the whole table"
    )
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    options = build_parser().parse_args(arguments)
    try:
        game = get_game(options.game)
        meetings = choose_names(list[str](game.players), options.names, options.ladder)
        if options.pairs < 1 or options.jobs < 1:
            raise ValueError("--pairs and --jobs must be at least 1")
    except (UnknownGame, ValueError) as problem:
        print(problem, file=sys.stderr)
        return 2
    seeds = range(options.first_seed, options.first_seed + options.pairs)
    limits = (options.move_seconds, options.opponent_seconds or options.move_seconds)
    machine = f"{platform.python_implementation()} {platform.python_version()}"
    rows = [play_pairs(game.id, names, seeds, limits, options.jobs) for names in meetings]
    print(f"{game.title}, {describe_limits(limits)}, {machine}, {options.jobs} at a time\n")
    print(format_markdown(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
