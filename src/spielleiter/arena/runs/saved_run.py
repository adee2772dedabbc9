"""Find out from its folder how a run stands, and find its bots again.

Nothing is stored here, and nothing is started.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from spielleiter import __version__
from spielleiter.arena.bots import BotError, BotKind, BotSpec
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.runs.fingerprint import hash_bot
from spielleiter.arena.runs.machine import describe_machine
from spielleiter.arena.runs.plan import PlanError, PlannedBot, RunPlan
from spielleiter.arena.runs.tally import Tally
from spielleiter.arena.store.database import find_database, inspect
from spielleiter.arena.store.errors import StoreError, StoreFault, explain
from spielleiter.arena.store.reader import StoreReader
from spielleiter.arena.store.values import NewRun, StoredBot, StoredMatch
from spielleiter.games import get_game
from spielleiter.rules import AnyGame, UnknownGame, one_line


class RunError(Exception):
    """Say that a run cannot begin or go on. ``message`` says why, ``advice`` what to do."""

    def __init__(self, message: str, advice: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.advice = advice


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run as it is in its folder."""

    id: int
    plan: RunPlan
    game: AnyGame
    version: str
    """Of the program that began it."""
    matches: dict[int, StoredMatch]
    """All that are stored, by number."""

    def tally(self) -> Tally:
        """Return the totals of the matches that have been played."""
        tally = Tally(self.plan, self.game)
        for number, match in sorted(self.matches.items()):
            if match.result is not None:
                planned = match.plan
                bots = planned.first_bot, planned.second_bot
                tally.add(number, planned.pair, bots, match.result)
        return tally


def has_run(folder: Path) -> bool:
    """Return whether there is a run in this folder already. Raises StoreError."""
    if inspect(find_database(folder)) is None:  # also if we were killed while it was made
        return False
    with StoreReader(folder) as reader:
        return bool(reader.runs())


def make_folder(folder: Path) -> None:
    """Make the folder of a new run. Raises RunError or StoreError if there can be none."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise RunError(f"{folder} is not a folder", "name another one") from None
    except OSError as error:
        raise explain(error, folder) from error
    if has_run(folder):
        raise RunError(
            f"there is a run in {folder} already",
            f"go on with it: spielleiter resume {folder}; or name another folder",
        )


def read_run(folder: Path) -> SavedRun:
    """Read the run in this folder. Raises StoreError, or RunError if it cannot go on."""
    with StoreReader(folder) as reader:
        runs = reader.runs()
        if not runs:
            raise StoreError(
                StoreFault.MISSING,
                f"there is no run in {reader.path}",
                "name the folder of a run, which has the file run.db in it",
            )
        if len(runs) > 1:
            raise RunError(
                f"there are {len(runs)} runs in {reader.path}, and only one can be played there",
                "look at them with: spielleiter results",
            )
        stored = runs[0]
        try:
            plan = RunPlan.from_json(stored.run.plan)
            game = get_game(plan.game)
        except (PlanError, UnknownGame) as error:
            raise RunError(
                f"the run in {reader.path} cannot go on: {error}",
                "go on with the version of spielleiter that began it",
            ) from error
        matches = {match.plan.number: match for match in reader.matches(stored.id)}
        return SavedRun(stored.id, plan, game, stored.run.version, matches)


def planned_bot(spec: BotSpec, text: str, game: AnyGame, name: str | None = None) -> PlannedBot:
    """Return a bot as a plan names it. ``text`` is what somebody typed."""
    return PlannedBot(name or spec.name, text, spec.kind.value, hash_bot(spec, game))


def to_store(plan: RunPlan) -> tuple[NewRun, list[StoredBot]]:
    """Return a plan as the store keeps it, from which ``read_run`` reads it again."""
    run = NewRun(
        kind=plan.kind,
        game=plan.game,
        seed=plan.seed,
        plan=plan.to_json(),
        version=__version__,
        machine=describe_machine(),
    )
    bots = [
        StoredBot(number, bot.name, bot.kind, (bot.text,), bot.hash)
        for number, bot in enumerate(plan.bots)
    ]
    return run, bots


def find_bots(plan: RunPlan, game: AnyGame, *, changed: bool = False) -> Sequence[BotSpec]:
    """Find the bots of a plan again. Raises RunError if one is gone or has changed.

    With ``changed`` bots may have changed since the run began.
    """
    try:
        with _inside(plan.folder):
            specs = [_find(bot, game) for bot in plan.bots]
            hashes = [hash_bot(spec, game) for spec in specs]
    except OSError as error:
        raise RunError(
            f"the folder {plan.folder} in which the run began is not there: "
            f"{error.strerror or error}",
            "put it back with the bots in it, or begin a new run",
        ) from error
    other = [
        bot.name for bot, now in zip(plan.bots, hashes, strict=True) if bot.hash and bot.hash != now
    ]
    if other and not changed:
        names = ", ".join(one_line(name) for name in other)
        verb, as_now = ("has", "it as it is") if len(other) == 1 else ("have", "them as they are")
        raise RunError(
            f"{names} {verb} changed since the run began, and results of two versions would be "
            "counted as one",
            f"put the old files back, begin a new run, or go on with {as_now}: --changed",
        )
    return specs


def _find(bot: PlannedBot, game: AnyGame) -> BotSpec:
    try:
        spec = find_bot(bot.text, game)
    except BotError as error:
        raise RunError(f"{one_line(bot.name)}: {error.message}", error.hint) from error
    if spec.kind is BotKind.COMMAND:  # its words may name files by where they are from here
        spec = replace(spec, folder=Path.cwd())
    return spec


def _inside(folder: str) -> contextlib.AbstractContextManager[None]:
    """Work in this folder for a while, because relative paths are meant from there."""
    return contextlib.chdir(folder) if folder else contextlib.nullcontext()
