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
from spielleiter.games.hase_und_igel.rules.seasons import SEASONS, Season, has_rules_of_2018
from spielleiter.games.hase_und_igel.rules.state import HareState, start_hare
from spielleiter.games.hase_und_igel.wire.codec import HareCodec, codecs_for
from spielleiter.games.wheel import HousePlayers, load_wheel
from spielleiter.rules import Deviations, Game, Player, PlayerFactory, Text
from spielleiter.rules.engine import MASTER

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from spielleiter.rules.engine import EngineFactory

_BOARDS_KEPT = 256
"""Tables of so many boards are kept. Of any other they are made again, in about a millisecond."""


def _master(seed: int) -> Player:
    # Imported on first use, because it is there only where the engine is.
    from spielleiter.games.hase_und_igel.bots.master import MasterPlayer

    return MasterPlayer(seed)


_HOUSE_PLAYERS = HousePlayers(PLAYERS, MASTER, _master)


class HaseUndIgel(Game[HareState, HareMove]):
    """Hase und Igel in one season and variant.

    Equal seasons are equal games, also across processes.
    """

    def __init__(self, season: Season) -> None:
        self.season = season
        self.id = season.id
        self.game_type = season.game_type
        self.title = season.title
        self._tracks: Callable[[Board], Track] = lru_cache(maxsize=_BOARDS_KEPT)(
            partial(make_track, season)
        )
        self._latest: Track | None = None
        self._has_engine = has_rules_of_2018(season)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, HaseUndIgel) and self.season == other.season

    def __hash__(self) -> int:
        return hash(self.id)

    def __reduce__(self) -> Any:
        return game_of, (self.season,)

    def track_of(self, board: Board) -> Track:
        """Return the tables of a board, made once for each of the latest boards."""
        # Every move asks this, most often for the board of the move before, which is the very same
        # object. To compare that is much cheaper than to hash 65 fields. The cache does not need
        # the season in its key, because each game has its own; hashing that too cost 8 % of a
        # random match.
        latest = self._latest
        if latest is None or latest.board is not board:
            latest = self._latest = self._tracks(board)
        return latest

    @property
    def titles(self) -> Text:
        return Text(self.season.german_title or self.title, self.title)

    @property
    def seat_names(self) -> tuple[Text, ...]:
        return (Text("Rot", "Red"), Text("Blau", "Blue"))

    @property
    def score_names(self) -> tuple[Text, ...]:
        return (Text("Feld", "field"), Text("Karotten", "carrots"))

    @property
    def score_unit(self) -> Text:
        return Text("Felder", "fields")

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
        return _HOUSE_PLAYERS if self._has_engine else PLAYERS

    def find_engine(self) -> EngineFactory:
        # Both are loaded on first use, because bots that only play need no engine.
        from spielleiter.games.hase_und_igel.engine import HareEngine

        if not self._has_engine:
            return super().find_engine()
        load_wheel()
        return HareEngine

    def compare_moves(self, state: HareState, played: HareMove, better: HareMove) -> Text | None:
        # Imported on first use, because only an analysis needs it.
        from spielleiter.games.hase_und_igel.comparison import compare_moves

        return compare_moves(state, played, better)

    @property
    def deviations(self) -> Deviations:
        return HareDeviations()

    @property
    def templates(self) -> Traversable:
        # Imported on first use, because only a new bot is made from files.
        from importlib.resources import files

        return files("spielleiter.games.hase_und_igel") / "templates"

    @property
    def page(self) -> Traversable:
        # Imported on first use, because only the page in the browser needs these files.
        from importlib.resources import files

        return files("spielleiter.games.hase_und_igel") / "page"

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
