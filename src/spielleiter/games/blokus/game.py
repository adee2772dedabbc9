"""Blokus as a Game, which ties rules, notation, wire and players of one season together."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from spielleiter.games.blokus import notation, picture, view
from spielleiter.games.blokus.bots import players
from spielleiter.games.blokus.rules.bitboard import count_placements
from spielleiter.games.blokus.rules.moves import BlokusMove
from spielleiter.games.blokus.rules.pieces import Piece
from spielleiter.games.blokus.rules.seasons import SEASONS, Season
from spielleiter.games.blokus.rules.state import BlokusState, empty_state
from spielleiter.games.wheel import HousePlayers, load_wheel
from spielleiter.rules import Deviations, Game, Player, PlayerFactory, PositionError, Text
from spielleiter.rules.engine import MASTER

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from spielleiter.rules.engine import EngineFactory
    from spielleiter.wire.codec import Codec

_SEAT_NAMES = (Text("Blau und Rot", "Blue and Red"), Text("Gelb und Grün", "Yellow and Green"))


def _master(seed: int) -> Player:
    # Imported on first use, because it is there only where the engine is.
    from spielleiter.games.blokus.bots.master import MasterPlayer

    return MasterPlayer(seed)


_HOUSE_PLAYERS = HousePlayers(players.PLAYERS, MASTER, _master)


class Blokus(Game[BlokusState, BlokusMove]):
    """Blokus in one season and variant. Equal seasons are equal games, also across processes."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.id = season.id
        self.game_type = season.game_type
        self.title = season.title

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Blokus) and self.season == other.season

    def __hash__(self) -> int:
        return hash(self.id)

    def __reduce__(self) -> tuple[type[Blokus], tuple[Season]]:
        # A copy makes its own codecs, because a codec names the very game it belongs to.
        return Blokus, (self.season,)

    @property
    def titles(self) -> Text:
        return Text(self.season.german_title or self.title, self.title)

    @property
    def seat_names(self) -> tuple[Text, ...]:
        return _SEAT_NAMES

    def start(self, seed: int, start_piece: Piece | None = None) -> BlokusState:
        """Return the empty board. The seed draws the start piece unless it is given."""
        pool = self.season.start_pieces
        if start_piece is None:
            # A hash instead of random.Random: its choices have changed between versions of Python.
            digest = hashlib.sha256(f"blokus start piece {seed}".encode()).digest()
            start_piece = pool[int.from_bytes(digest[:8], "big") % len(pool)]
        elif start_piece not in pool:
            names = ", ".join(piece.name for piece in pool)
            raise PositionError(
                f"{start_piece.name} is not a start piece of {self.title}; those are {names}"
            )
        return empty_state(self, start_piece)

    def parse_move(self, text: str) -> BlokusMove:
        return notation.parse_move(text)

    def format_move(self, move: BlokusMove) -> str:
        return notation.format_move(move)

    def parse_position(self, text: str) -> BlokusState:
        return notation.parse_position(self, text)

    def format_position(self, state: BlokusState) -> str:
        return notation.format_position(state)

    def picture(self, state: BlokusState, *, color: bool = False) -> str:
        return picture.draw(state, color=color)

    def svg(self, state: BlokusState) -> str:
        # Imported on first use, because bots that only play need no drawing.
        from spielleiter.games.blokus import svg

        return svg.draw(state)

    def view(self, state: BlokusState) -> dict[str, Any]:
        return view.view(state)

    def mobility(self, state: BlokusState) -> tuple[int, ...]:
        """Return how many placements the colours of each seat have, whoever is on turn."""
        counts = [0] * self.seats
        if not state.is_over:
            for color in state.valid_colors:
                counts[color.seat] += count_placements(state.placements(color))
        return tuple(counts)

    def cells_at_fault(self, state: BlokusState, move: BlokusMove) -> tuple[tuple[int, int], ...]:
        return state.cells_at_fault(move)

    @property
    def players(self) -> Mapping[str, PlayerFactory]:
        return _HOUSE_PLAYERS

    def find_engine(self) -> EngineFactory:
        # Both are loaded on first use, because bots that only play need no engine.
        from spielleiter.games.blokus.engine import BlokusEngine

        load_wheel()
        return BlokusEngine

    def compare_moves(
        self, state: BlokusState, played: BlokusMove, better: BlokusMove
    ) -> Text | None:
        # Imported on first use, because only an analysis needs it.
        from spielleiter.games.blokus.comparison import compare_moves

        return compare_moves(state, played, better)

    @property
    def deviations(self) -> Deviations:
        # Imported on first use, because it needs the game, and only replays need it.
        from spielleiter.games.blokus.deviations import BlokusDeviations

        return BlokusDeviations()

    @property
    def templates(self) -> Traversable:
        # Imported on first use, because only a new bot is made from files.
        from importlib.resources import files

        return files("spielleiter.games.blokus") / "templates"

    @property
    def page(self) -> Traversable:
        # Imported on first use, because only the page in the browser needs these files.
        from importlib.resources import files

        return files("spielleiter.games.blokus") / "page"

    @cached_property
    def codecs(self) -> Mapping[str, Codec[BlokusState, BlokusMove]]:
        # Imported on first use, because bots that only play need no wire.
        from spielleiter.games.blokus.wire.codec import codecs_for

        return codecs_for(self)


GAMES = tuple(Blokus(season) for season in SEASONS)
"""All seasons and variants. Of each game type the default comes first."""
