"""Take the bot from a file that hands it to ``run``, without playing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from spielleiter.client import environment, runner
from spielleiter.client.bot import Bot, BotMistake, name_of
from spielleiter.client.runner import Offer


@contextlib.contextmanager
def collect_offers() -> Iterator[list[Offer]]:
    """Let ``run`` only take note of its bots, and give them to the caller at the end."""
    before = os.environ.get(environment.IMPORT_ONLY)
    os.environ[environment.IMPORT_ONLY] = "1"
    runner.offered.clear()
    found: list[Offer] = []
    try:
        yield found
        found += runner.offered
    finally:
        runner.offered.clear()
        if before is None:
            os.environ.pop(environment.IMPORT_ONLY, None)
        else:
            os.environ[environment.IMPORT_ONLY] = before


def choose_offer(file: Path, offers: list[Offer], defined: Iterable[object]) -> Offer:
    """Return the one bot of a file, which ``run`` was called with or else the file defines.

    Raises BotMistake if there is none, or more than one.
    """
    found = offers or [Offer(value) for value in defined if _is_bot_class(value)]
    if len(found) != 1:
        names = ", ".join(name_of(offer.bot) for offer in found)
        raise BotMistake(
            f"{file} has {len(found)} bots ({names}): end it with run(...) for one of them"
            if found
            else f"{file} has no bot: derive a class from Bot and end the file with run(ThatClass)"
        )
    return found[0]


def _is_bot_class(value: object) -> bool:
    return isinstance(value, type) and issubclass(value, Bot) and value is not Bot
