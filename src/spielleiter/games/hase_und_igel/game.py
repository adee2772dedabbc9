"""Hase und Igel as a Game, which ties rules, notation, wire and players of one season together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

from spielleiter.games.hase_und_igel import notation, picture, svg, view
from spielleiter.games.hase_und_igel.bots.players import PLAYERS
from spielleiter.games.hase_und_igel.deviations import HareDeviations
from spielleiter.games.hase_und_igel.rules.board import Board, Track, make_board, make_track
from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.seasons import SEASONS, Season
from spielleiter.games.hase_und_igel.rules.state import HareState, start_hare
from spielleiter.games.hase_und_igel.wire.codec import HareCodec, codecs_for
from spielleiter.rules import Deviations, Game, PlayerFactory, Text

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_BOARDS_KEPT = 256
"""Tables of so many boards are kept. Of any other they are made again, in about a millisecond."""


class HaseUndIgel(Game[HareState, HareMove]):
    """Hase und Igel in one season and variant.

    Equal seasons are equal games, also across processes.
    """

    def __init__(self, season: Season) -> None:
        self.season = season
        self.id = season.id
        self.game_type = season.game_type
        self.title = season.title
        # Every move asks for the tables of its board. The board alone is the key, because hashing
        # the season too, with its many fields, made a random match 8 % slower.
        self.track_of: Callable[[Board], Track] = lru_cache(maxsize=_BOARDS_KEPT)(
            partial(make_track, season)
        )
        """Return the tables of a board, kept for the boards of the latest matches."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HaseUndIgel) and self.season == other.season

    def __hash__(self) -> int:
        return hash(self.id)

    def __reduce__(self) -> Any:
        return game_of, (self.season,)

    @property
    def seat_names(self) -> tuple[Text, ...]:
        return (Text("Rot", "Red"), Text("Blau", "Blue"))

    @property
    def score_names(self) -> tuple[Text, ...]:
        return (Text("Feld", "field"), Text("Karotten", "carrots"))

    def start(self, seed: int) -> HareState:
        hare = start_hare(self.season)
        return HareState(self, make_board(self.season, seed), (hare, hare), 0, None)

    def parse_move(self, text: str) -> HareMove:
        return notation.parse_move(text)

    def format_move(self, move: HareMove) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> HareState:
        return notation.parse_position(self, text)

    def format_position(self, state: HareState) -> str:
        return notation.format_position(state)

    def picture(self, state: HareState, *, color: bool = False) -> str:
        return picture.draw(state, color=color)

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

    @cached_property
    def codecs(self) -> Mapping[str, HareCodec]:
        return codecs_for(self)


GAMES: tuple[HaseUndIgel, ...] = tuple(map(HaseUndIgel, SEASONS))
"""All seasons and variants. Of each game type the default comes first."""
HASE_UND_IGEL, HASE_UND_IGEL_DOCUMENTED = GAMES


def game_of(season: Season) -> HaseUndIgel:
    """Return the game of a season, the one of ``GAMES`` if it is among them.

    A state that comes from another process finds its game, with its codecs, by this.
    """
    for game in GAMES:
        if game.season == season:
            return game
    return HaseUndIgel(season)
