"""Hase und Igel as the engine of ``spielleiter-engine`` sees it: positions there, and lines back.

What the engine does is in that package. Here nothing is judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from spielleiter.games.engines import WheelEngine
from spielleiter.games.hase_und_igel.notation import LETTERS
from spielleiter.games.hase_und_igel.rules.moves import (
    Action,
    Advance,
    Card,
    EatSalad,
    ExchangeCarrots,
    FallBack,
    HareMove,
    PlayCard,
    Skip,
)
from spielleiter.games.hase_und_igel.rules.seasons import has_rules_of_2018
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.rules import PositionError
from spielleiter.rules.engine import Line
from spielleiter.rules.frozen import replace

PlainAction = tuple[str, int]
"""The kind of an action and its value, as the engine spells them."""

SLIPS = (1.0, 2.0, 4.0)
"""Fields that make an inaccuracy, a mistake and a blunder (docs/analysis.md)."""


class HareEngine(WheelEngine):
    """Judges positions, and keeps its search from one to the next.

    It takes one thread, and equal positions get equal lines whatever the seed.
    """

    slips = SLIPS

    # Every engine takes a seed and threads (EngineFactory); this one has no use for either.
    def __init__(self, *, seed: int = 0, threads: int = 1) -> None:  # noqa: ARG002
        super().__init__(lambda wheel: wheel.HaresSearch())

    def position_of(self, state: HareState) -> Any:
        return position_of(self.wheel, state)

    def read_line(self, state: HareState, line: Any) -> Line:  # noqa: ARG002 (moves name no seat)
        return read_line(line)

    def prepare(self, state: HareState) -> None:
        """Make the tables of this board in the background, before a move is asked for.

        A position that the engine refuses is refused again when a move is.
        """
        try:
            self._search.prepare(self.position_of(state))
        except (ValueError, OverflowError):
            return


def position_of(wheel: Any, state: HareState) -> Any:
    """Return the position as the engine knows it. Raises ValueError if it cannot be."""
    season = state.game.season
    if not has_rules_of_2018(season):
        raise ValueError(f"it does not know the rules of {season.title}")
    runners = {one.turn % 2: one.runner() for one in (state, replace(state, turn=state.turn + 1))}
    return wheel.HaresPosition(
        "".join(LETTERS[field] for field in state.board),
        [runners[0], runners[1]],
        turn=state.turn,
        pays_after_end=season.pays_after_end,
    )


def read_line(line: Any) -> Line:
    """Return a line of the engine in our words."""
    follows = tuple(map(read_move, line.continuation))
    return Line(
        read_move(line.move), float(line.win), float(line.points), int(line.visits), follows
    )


_CARDS = {f"card_{card.name.lower()}": card for card in Card}
_PLAIN: dict[str, Action] = {"eat_salad": EatSalad(), "fall_back": FallBack(), "skip": Skip()}


def read_move(move: Iterable[PlainAction]) -> HareMove:
    """Return a move of the engine as ours. Raises PositionError for one that cannot be read.

    That would be a fault of the engine.
    """
    return HareMove(tuple(_read_action(kind, value) for kind, value in move))


def _read_action(kind: str, value: int) -> Action:
    if kind == "advance":
        return Advance(value)
    if kind == "exchange_carrots":
        return ExchangeCarrots(value)
    if kind in _CARDS:
        return PlayCard(_CARDS[kind], value)
    if kind in _PLAIN:
        return _PLAIN[kind]
    raise PositionError(f"the engine speaks of an action {kind!r}")


def spell_move(move: HareMove) -> list[PlainAction]:
    """Return a move as the engine spells it."""
    return [_spell_action(action) for action in move.canonical.actions]


def _spell_action(action: Action) -> PlainAction:
    if isinstance(action, Advance):
        return "advance", action.distance
    if isinstance(action, ExchangeCarrots):
        return "exchange_carrots", action.value
    if isinstance(action, PlayCard):
        return f"card_{action.card.name.lower()}", action.value
    return next((kind, 0) for kind, plain in _PLAIN.items() if plain == action)
