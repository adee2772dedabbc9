"""Hase und Igel 2018 as a Game: the facts about it, and how matches begin.

The rules are in ``rules/``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from spielleiter.games.hase_und_igel import notation, picture, svg, view
from spielleiter.games.hase_und_igel.bots.players import PLAYERS
from spielleiter.games.hase_und_igel.deviations import HareDeviations
from spielleiter.games.hase_und_igel.rules.board import make_board
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState
from spielleiter.games.hase_und_igel.wire.codec import codecs_for
from spielleiter.rules import Deviations, Game, PlayerFactory, Text
from spielleiter.wire.codec import Codec

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable


class HaseUndIgel(Game[HareState, HareMove]):
    """The season 2018, as its server plays it or as its documents have it."""

    game_type = "swc_2018_hase_und_igel"

    def __init__(self, *, documented: bool = False) -> None:
        self.id = "hase-und-igel-2018-documented" if documented else "hase-und-igel-2018"
        self.title = "Hase und Igel 2018 (as documented)" if documented else "Hase und Igel 2018"
        self.pays_after_end = not documented
        """Whether a position field also pays for the turn after the end (H12)."""
        self._codecs = codecs_for(self)

    def __reduce__(self) -> Any:
        # A state sent to another process finds the same game there.
        return "HASE_UND_IGEL" if self.pays_after_end else "HASE_UND_IGEL_DOCUMENTED"

    @property
    def seat_names(self) -> tuple[Text, ...]:
        return (Text("Rot", "Red"), Text("Blau", "Blue"))

    @property
    def score_names(self) -> tuple[Text, ...]:
        return (Text("Feld", "field"), Text("Karotten", "carrots"))

    def start(self, seed: int) -> HareState:
        return HareState(self, make_board(seed), (Hare(), Hare()), 0, None)

    def parse_move(self, text: str) -> HareMove:
        return notation.parse_move(text)

    def format_move(self, move: HareMove) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> HareState:
        return notation.parse_position(text, self)

    def format_position(self, state: HareState) -> str:
        return notation.format_position(state)

    def picture(self, state: HareState, *, color: bool = False) -> str:
        return picture.picture(state, color=color)

    def svg(self, state: HareState) -> str:
        return svg.draw(state)

    def view(self, state: HareState) -> dict[str, Any]:
        return view.view(state)

    @property
    def players(self) -> Mapping[str, PlayerFactory]:
        return PLAYERS

    @property
    def deviations(self) -> Deviations:
        return HareDeviations()

    @property
    def templates(self) -> Traversable:
        # Imported on first use, because only a new bot is made from files.
        from importlib.resources import files

        return files("spielleiter.games.hase_und_igel") / "templates"

    @property
    def codecs(self) -> Mapping[str, Codec[HareState, HareMove]]:
        return self._codecs


HASE_UND_IGEL = HaseUndIgel()
HASE_UND_IGEL_DOCUMENTED = HaseUndIgel(documented=True)
GAMES: tuple[HaseUndIgel, ...] = (HASE_UND_IGEL, HASE_UND_IGEL_DOCUMENTED)
