"""Answer what the rest of the system asks about Vier gewinnt, in one object a variant."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from spielleiter.rules import Game, PlayerFactory, Text
from spielleiter.wire.codec import Codec

from . import notation, svg
from .players import PLAYERS
from .rules import SEAT_NAMES, Drop, Position, Variant, first_position


class FourInARow(Game[Position, Drop]):
    """Vier gewinnt in one variant."""

    game_type = "example_vier_gewinnt"

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.id = variant.id
        self.title = variant.title

    @property
    def seat_names(self) -> tuple[Text, ...]:
        return SEAT_NAMES

    def start(self, seed: int) -> Position:
        return first_position(self.variant, seed)

    def parse_move(self, text: str) -> Drop:
        return notation.parse_move(text)

    def format_move(self, move: Drop) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> Position:
        return notation.parse_position(self, text)

    def format_position(self, state: Position) -> str:
        return notation.format_position(state)

    def picture(self, state: Position, *, color: bool = False) -> str:
        return notation.format_picture(state, color=color)

    def svg(self, state: Position) -> str:
        return svg.draw(state)

    def view(self, state: Position) -> dict[str, Any]:
        # The head that every game has, and what a page needs beside it to draw the board.
        return {**super().view(state), "columns": list(state.columns)}

    @property
    def page(self) -> Traversable:
        return files(__package__) / "page"

    @property
    def players(self) -> Mapping[str, PlayerFactory]:
        return PLAYERS

    @cached_property
    def codecs(self) -> Mapping[str, Codec[Position, Drop]]:
        # It is imported on first use, since a program that only searches needs no wire.
        from .wire import FourCodec

        return {FourCodec.revision: FourCodec(self)}


@cache
def game_of(variant: Variant) -> FourInARow:
    """Return the one game object of a variant, so that equal positions name the very same game."""
    return FourInARow(variant)


FOUR = game_of(Variant("vier-gewinnt", "Vier gewinnt"))
FOUR_SCATTERED = game_of(
    Variant("vier-gewinnt-scattered", "Vier gewinnt (scattered)", neutral_stones=2)
)
