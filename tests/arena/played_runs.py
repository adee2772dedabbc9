"""Runs that house bots played in this process, for tests that read databases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from spielleiter.arena.pairing.openings import draw_opening
from spielleiter.arena.runs.plan import PlannedBot, RunPlan
from spielleiter.arena.store.values import (
    MatchReport,
    MatchResult,
    NewRun,
    PlannedMatch,
    StoredBot,
    StoredMove,
    StoredNote,
    digest_of,
)
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.games import get_game
from spielleiter.rules import AnyState, Clock

HARES = "hase-und-igel-2018"
WHEN = datetime(2027, 1, 2, 3, 4, 5, tzinfo=UTC)


class Crasher:
    """A bot that makes one move and then fails."""

    def __init__(self, seed: int = 0) -> None:
        self._moves = 0

    def choose(self, state: AnyState, clock: Clock) -> Any:
        if self._moves:
            raise RuntimeError("I am a bot that fails")
        self._moves += 1
        return state.legal_moves()[0]


BOTS: Mapping[str, Callable[..., Any]] = {"crasher": Crasher}
"""Bots besides those of the house."""


@cache
def play(game_id: str, first: str, second: str, seed: int, opening_moves: int) -> MatchReport:
    """Play one match from the opening of a seed. Times are made up, but the same every time."""
    from spielleiter.testing import play_in_process

    game = get_game(game_id)
    start = draw_opening(game, seed, opening_moves).position(game)
    bots = [BOTS.get(name, name) for name in (first, second)]
    match = play_in_process(bots[0], bots[1], game, seed, start=start, seconds=None)
    texts = [game.format_move(move) for move in match.moves]
    moves = tuple(
        StoredMove(ply, state.turn, state.seat, text, 0.002 * (1 + (ply * 7 + seed) % 50))
        for ply, (state, text) in enumerate(zip(match.states, texts, strict=False))
    )
    slowest = tuple(
        max((move.seconds or 0.0 for move in moves if move.seat == seat), default=None)
        for seat in range(2)
    )
    result = MatchResult(
        match.outcome,
        "workers",
        game.format_position(match.states[-1]),
        digest_of(game.id, game.format_position(match.states[0]), texts),
        sum(move.seconds or 0.0 for move in moves),
        slowest,
        0.001,
        finished_at=WHEN + timedelta(seconds=seed),
    )
    begin = moves[0]
    note = {"turn": begin.turn, "move": begin.text, "notes": ["a note"]}
    return MatchReport(result, moves, (StoredNote(begin.seat, note),))


def store_run(
    folder: Path,
    bots: Sequence[str] = ("greedy", "random"),
    *,
    games: int = 4,
    unplayed: int = 0,
    game: str = HARES,
    names: Sequence[str] | None = None,
    opening_moves: int = 2,
    first_seed: int = 1,
    plan: Mapping[str, Any] | None = None,
    hashes: Sequence[str] | None = None,
    same_opening: bool = False,
    stored_game: str | None = None,
) -> Path:
    """Store a run in which everybody plays ``games`` matches against everybody, in pairs.

    The last ``unplayed`` ones have no result, and ``plan`` changes what the plan says. With
    ``same_opening`` every pair repeats the first one. Returns the folder.
    """
    folder.mkdir(parents=True, exist_ok=True)
    stored = [
        StoredBot(number, name, "house bot", (bot,), hashes[number] if hashes else "")
        for number, (bot, name) in enumerate(zip(bots, names or bots, strict=True))
    ]
    planned: list[PlannedMatch] = []
    for encounter, (one, other) in enumerate(combinations(range(len(bots)), 2)):
        for number in range(games):
            pair = encounter * games + number // 2 + 1
            seed = first_seed + (0 if same_opening else pair)
            first, second = (one, other) if number % 2 == 0 else (other, one)
            opening = draw_opening(get_game(game), seed, opening_moves).to_json()
            planned.append(PlannedMatch(len(planned) + 1, first, second, seed, opening, 1, pair))
    kind = "match" if len(bots) == 2 else "tournament"
    said = RunPlan(
        kind,
        game,
        tuple(PlannedBot(bot.name or "?", bot.words[0], bot.kind, bot.hash) for bot in stored),
        matches=games,
        seed=7,
        opening_moves=opening_moves,
    ).to_json()
    said |= plan or {}
    run = NewRun(
        kind, stored_game or game, 7, said, "0.1", {"cores": 2}, len(planned), created_at=WHEN
    )
    with StoreWriter(folder) as writer:
        created = writer.add_run(run, stored, planned).result()
        for match, match_id in zip(
            planned[: len(planned) - unplayed], created.match_ids, strict=False
        ):
            first, second = bots[match.first_bot], bots[match.second_bot]
            report = play(game, first, second, match.seed, opening_moves)
            assert writer.add_result(match_id, report).result()
    return folder
