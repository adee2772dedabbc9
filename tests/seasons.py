"""The dialects of the house's games, by the revision whose codec has them."""

from __future__ import annotations

from collections.abc import Mapping

from spielleiter.games import get_game
from spielleiter.wire.dialects import Dialect

DIALECTS: Mapping[str, Dialect] = {
    revision: codec.dialect
    for game in ("hase-und-igel-2018", "blokus-2021", "blokus-2027")
    for revision, codec in get_game(game).codecs.items()
}
