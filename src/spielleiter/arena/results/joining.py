"""Join runs of one game, and find names for their bots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from spielleiter.arena.results.collection import (
    CollectedBot,
    CollectedMatch,
    CollectedRun,
    Collection,
)
from spielleiter.arena.store.values import StoredBot
from spielleiter.rules import one_line


def join(collections: Sequence[Collection]) -> Collection:
    """Return runs of one game as one collection, in which equal bots are one bot.

    Bots are equal if name, kind and files are. Versions of one bot keep apart.
    """
    if len(collections) == 1:
        return collections[0]
    numbers: dict[tuple[str, str, str, int], int] = {}
    bots: list[StoredBot] = []
    runs: list[CollectedRun] = []
    matches: list[CollectedMatch] = []
    for collection in collections:
        seen: Counter[tuple[str, str, str]] = Counter()
        new_numbers = []
        for collected in collection.bots:
            bot = collected.bot
            identity = bot.name, bot.kind, bot.hash
            # Bots of one run are never the same, whatever they are called.
            number = numbers.setdefault((*identity, seen[identity]), len(bots))
            seen[identity] += 1
            if number == len(bots):
                bots.append(bot)
            new_numbers.append(number)
        first_run = len(runs)
        runs += [
            replace(run, bots=tuple(new_numbers[bot] for bot in run.bots))
            for run in collection.runs
        ]
        matches += [
            replace(
                match,
                run=first_run + match.run,
                bots=(new_numbers[match.bots[0]], new_numbers[match.bots[1]]),
            )
            for match in collection.matches
        ]
    collected_bots = tuple(map(CollectedBot, label_bots(bots), bots))
    return Collection(collections[0].game, tuple(runs), collected_bots, tuple(matches))


def label_bots(bots: Sequence[StoredBot]) -> list[str]:
    """Return what to call bots, each one differently.

    Where names are equal the first characters of the hash tell versions apart.
    """
    names = [one_line(bot.name) or "?" for bot in bots]
    counts = Counter(names)
    labels = [
        f"{name} ({bot.hash[:7] or one_line(bot.kind)})" if counts[name] > 1 else name
        for name, bot in zip(names, bots, strict=True)
    ]
    counts = Counter(labels)
    return [
        f"{label} #{number}" if counts[label] > 1 else label
        for number, label in enumerate(labels, 1)
    ]
