"""A match that the page has started: what was asked for, who plays, and what belongs beside it.

How it is played is in ``desk``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spielleiter.arena.arena_match import ArenaMatch, Patience, WatchedPosition
from spielleiter.arena.bots import LONGEST_NAME, BotKind, BotSpec
from spielleiter.rules import AnyGame, AnyState, one_line
from spielleiter.web.people import PersonSeat
from spielleiter.web.printed import PrintedLines
from spielleiter.web.story import MatchStory, StoryMove
from spielleiter.web.telling import Teller

PATIENCE = Patience(join=30.0, match=86400.0)
"""How long is waited. A machine with many matches starts programs slowly, and a bot that hangs
where no time counts would keep its match for ever.
"""


@dataclass(frozen=True, slots=True)
class Past:
    """What was played before a match begins, and where it begins."""

    positions: tuple[AnyState, ...]
    """The last of them is the first one of the new match."""
    moves: tuple[StoryMove, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """A match that somebody wants to be started."""

    game: AnyGame
    players: tuple[BotSpec, ...]
    """People are ``HUMAN`` and guests are ``GUEST``."""
    clock: bool = True
    seed: int | None = None
    past: Past | None = None
    patience: Patience = PATIENCE

    @property
    def is_solo(self) -> bool:
        """Whether one person plays against bots that we start."""
        people = sum(spec.is_human for spec in self.players)
        return people == 1 and not any(spec.is_guest for spec in self.players)


def person(name: str) -> BotSpec:
    """Return somebody who plays at a browser."""
    return BotSpec(BotKind.HUMAN, one_line(name, LONGEST_NAME).strip() or "human")


def guest(name: str) -> BotSpec:
    """Return somebody for whom a seat is reserved."""
    return BotSpec(BotKind.GUEST, one_line(name, LONGEST_NAME).strip() or "guest")


def past_of(story: MatchStory, index: int) -> Past:
    """Return what was played up to a position, which the story must have."""
    return Past(tuple(story.positions[: index + 1]), tuple(story.moves[:index]))


class StartedMatch:
    """A match from when its room is there. Used from the loop's thread."""

    def __init__(
        self, order: Order, story: MatchStory, teller: Teller, now: Callable[[], float]
    ) -> None:
        self.order = order
        self.story = story
        self.printed = PrintedLines(story)
        self.task: asyncio.Task[None] | None = None
        self.played: ArenaMatch | None = None
        """What came of it, once it is over."""
        self.successor: asyncio.Future[StartedMatch] | None = None
        """The match in which its last move was taken back, if one is there or on its way."""
        self.people = [
            PersonSeat(number, story, teller, now) if spec.is_human else None
            for number, spec in enumerate(order.players)
        ]
        """For each seat the person who has it, or None."""
        for place, spec in zip(story.seats, order.players, strict=True):
            place.person = spec.is_human
        if order.past is not None:
            # What was played before is shown too. The first position of the match follows it.
            story.positions.extend(order.past.positions[:-1])
            story.moves.extend(order.past.moves[: max(0, len(story.positions) - 1)])

    @property
    def id(self) -> str:
        return self.story.id

    @property
    def is_on(self) -> bool:
        return self.task is not None and not self.task.done()

    @property
    def left_seconds(self) -> float | None:
        """Since how long all its people are gone, None if one is there or there are none."""
        absent = [seat.absent_seconds for seat in self.people if seat is not None]
        gone = [seconds for seconds in absent if seconds is not None]
        return min(gone) if gone and len(gone) == len(absent) else None

    async def choose(self, state: AnyState) -> Any:
        """Ask the person whose turn it is."""
        person_seat = self.people[state.seat]
        assert person_seat is not None
        return await person_seat.choose(state)

    def watch(self, watched: WatchedPosition) -> None:
        """Put what bots kept beside a move into the story, which has the move already."""
        self.printed.reach(len(self.story.positions) - 1, watched.written)
        if watched.move is not None and watched.thoughts is not None:
            self.story.add_thoughts(watched.move.turn, watched.move.seat, watched.thoughts)

    def conclude(self, played: ArenaMatch) -> None:
        """Keep what came of the match, and say beside it why a bot never played."""
        self.played = played
        for seat, report in enumerate(played.bots):
            if report.trouble is not None:
                why = f": {report.problem}" if report.problem else ""
                self.story.add_output(seat, "stderr", f"{report.name} {report.trouble.value}{why}")

    def lead_to(self, successor: StartedMatch) -> None:
        """Send whoever plays or watches to the match that is played instead."""
        for mine, theirs in zip(self.people, successor.people, strict=True):
            if mine is not None and theirs is not None:
                mine.follow(successor.id, theirs.token)
        self.story.lead_to(successor.id)

    def end(self) -> None:
        """Tell what is left to be told. The bots are gone."""
        self.printed.close()
        for seat in self.people:
            if seat is not None:
                seat.end()
