"""Write stories as the JSON that the page reads (docs/decisions/page.md).

A position is written once, however many watch. Nothing here sends anything.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from typing import Any

from spielleiter.arena.thoughts import Thoughts
from spielleiter.rules import AnyState, Text
from spielleiter.web.story import Ending, MatchStory, OutputLine, StoryMove

MOST_CACHED = 4000
"""Positions whose text is kept. Each has some 3 kB."""
QUICK = 0.005
"""Seconds in which the moves of a position are counted while it is played."""
LONGEST_NOTE = 4000
"""Characters of one note or hint."""
MOST_NOTES = 50
MOST_MARKS = 400
"""Notes, hints and marks of one move."""


def dump(value: Any) -> str:
    """Return the value as JSON without spaces."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def both(text: Text) -> dict[str, str]:
    """Return a text in both languages."""
    return {"de": text.de, "en": text.en}


class Teller:
    """Writes stories and keeps the text of the positions that were asked for last."""

    def __init__(self, most: int = MOST_CACHED) -> None:
        self._most = most
        self._views: OrderedDict[AnyState, str] = OrderedDict()
        self._mobility: OrderedDict[AnyState, tuple[int | None, ...]] = OrderedDict()
        self._slow: set[str] = set()
        self._warming: dict[str, asyncio.Task[Any]] = {}

    # Positions

    def view(self, state: AnyState) -> str:
        """Return the view of a position as JSON, with its mobility where that is known."""
        text = self._views.get(state)
        if text is None:
            text = dump(state.game.view(state))
            self._views[state] = text
            if len(self._views) > self._most:
                self._views.popitem(last=False)
        mobility = self._mobility.get(state)
        return f'{{"mobility":{dump(mobility)},{text[1:]}'

    def is_written(self, state: AnyState) -> bool:
        """Return whether the view of this position is there already."""
        return state in self._views

    def lacks_mobility(self, state: AnyState) -> bool:
        """Return whether the moves of this position have not been counted yet."""
        return state not in self._mobility

    async def warm_up(self, state: AnyState) -> None:
        """Have the game make its tables beside the loop, which counting moves does once."""
        game = state.game
        if game.id not in self._warming:
            working = asyncio.to_thread(game.mobility, state)
            self._warming[game.id] = asyncio.ensure_future(working)
        await asyncio.shield(self._warming[game.id])

    def count_mobility(self, state: AnyState) -> None:
        """Count the moves of a position, which takes long in some games."""
        began = time.perf_counter()
        self._mobility[state] = state.game.mobility(state)
        if time.perf_counter() - began > QUICK:
            self._slow.add(state.game.id)
        if len(self._mobility) > self._most * 4:
            self._mobility.popitem(last=False)

    def is_slow(self, state: AnyState) -> bool:
        """Return whether counting the moves of this game has taken long."""
        return state.game.id in self._slow

    # A match

    def summary(self, story: MatchStory, *, may_do: bool = False) -> str:
        """Return what a small board needs."""
        return self._object(story, self._summary(story, may_do=may_do))

    def match(self, story: MatchStory, *, may_do: bool = False) -> str:
        """Return the whole match."""
        fields = self._summary(story, may_do=may_do)
        fields |= {
            "limit": story.limit,
            "moves": [tell_move(move) for move in story.moves],
            "output": [tell_line(line) for line in story.output],
            "printed": story.printed,
            "asked": tell_asked(story),
            "evaluation": tell_evaluation(story),
            "analysis": story.review,
            "notes": [both(note) for note in story.notes],
        }
        positions = ",".join(map(self.view, story.positions))
        return self._object(story, fields)[:-1] + f',"positions":[{positions}]}}'

    def _object(self, story: MatchStory, fields: dict[str, Any]) -> str:
        newest = story.newest
        view = "null" if newest is None else self.view(newest)
        return dump(fields)[:-1] + f',"view":{view}}}'

    def _summary(self, story: MatchStory, *, may_do: bool) -> dict[str, Any]:
        newest = story.newest
        ending = story.ending
        scores = None
        if ending is not None:
            scores = [list(parts) for parts in ending.outcome.scores]
        elif newest is not None:
            scores = [list(parts) for parts in newest.outcome().scores]
        fields: dict[str, Any] = {
            "id": story.id,
            "game": story.game.id,
            "title": both(story.game.titles),
            "names": list(story.names),
            "phase": story.phase.value,
            "source": story.source.value,
            "turn": None if newest is None else newest.turn,
            "count": len(story.positions),
            "scores": scores,
            "seats": [
                {"name": seat.name, "joined": seat.joined, "person": seat.person}
                for seat in story.seats
            ],
            "result": None if ending is None else tell_ending(ending),
        }
        if may_do:
            fields["reservations"] = list(story.reservations)
        return fields

    # Messages of the live socket

    def position_message(self, story: MatchStory, index: int) -> str:
        """Return the message about one position and the move that led there."""
        move = tell_move(story.moves[index - 1]) if index else None
        state = story.positions[index]
        if self.lacks_mobility(state) and not self.is_slow(state):
            self.count_mobility(state)
        view = self.view(state)
        return f'{{"type":"position","index":{index},"move":{dump(move)},"view":{view}}}'

    def match_message(self, story: MatchStory) -> str:
        """Return the message with the whole match."""
        return f'{{"type":"match","match":{self.match(story)}}}'

    def summary_message(self, story: MatchStory, *, may_do: bool = False) -> str:
        """Return the message about one match among many."""
        return f'{{"type":"summary","match":{self.summary(story, may_do=may_do)}}}'


def tell_evaluation(story: MatchStory) -> list[float | None] | None:
    """Return the points by which the first seat will be ahead, for each position that was judged.

    None if none was.
    """
    if story.review is None:
        return None
    found = [None if one is None else one["points"] for one in story.review["positions"]]
    return found if any(one is not None for one in found) else None


def tell_move(move: StoryMove) -> dict[str, Any]:
    # Some servers take no hints. What a bot wanted to say stands beside its move all the same.
    hints = move.hints or (() if move.thoughts is None else move.thoughts.hints)
    return {
        "turn": move.turn,
        "seat": move.seat,
        "move": move.notation,
        "seconds": None if move.seconds is None else round(move.seconds, 4),
        "hints": [hint[:LONGEST_NOTE] for hint in hints[:MOST_NOTES]],
        "thoughts": None if move.thoughts is None else tell_thoughts(move.thoughts),
    }


def tell_thoughts(thoughts: Thoughts) -> dict[str, Any]:
    return {
        "notes": [note[:LONGEST_NOTE] for note in thoughts.notes[:MOST_NOTES]],
        "marks": [
            {"x": mark.x, "y": mark.y, "text": mark.text, "color": mark.color}
            for mark in thoughts.places[:MOST_MARKS]
        ],
        "problem": thoughts.problem or None,
        "failed": [
            failed[:LONGEST_NOTE]
            for failed in list(dict.fromkeys(thoughts.failed_hooks))[:MOST_NOTES]
        ],
        "is_fallback": thoughts.is_fallback,
    }


def tell_line(line: OutputLine) -> dict[str, Any]:
    return {"seat": line.seat, "stream": line.stream, "text": line.text, "index": line.index}


def tell_output(story: MatchStory, count: int) -> dict[str, Any]:
    """Return the message with the newest lines, and how many were printed before them."""
    lines = [tell_line(line) for line in list(story.output)[-count:]]
    return {"type": "output", "first": story.printed - count, "lines": lines}


def tell_asked(story: MatchStory) -> dict[str, Any] | None:
    """Return who is asked and since how many seconds."""
    if story.asked is None:
        return None
    return {"seat": story.asked, "seconds": round(max(0.0, story.now() - story.asked_at), 3)}


def tell_ending(ending: Ending) -> dict[str, Any]:
    outcome, fault = ending.outcome, ending.fault
    return {
        "winner": outcome.winner,
        "scores": [list(parts) for parts in outcome.scores],
        "code": outcome.code,
        "regular": outcome.is_regular,
        "reason": both(ending.reason),
        "index": ending.index,
        "fault": None
        if fault is None
        else {
            "seat": fault.seat,
            "move": fault.move,
            "rule": fault.rule,
            "reason": both(fault.reason),
            "cells": [list(cell) for cell in fault.cells],
        },
    }
