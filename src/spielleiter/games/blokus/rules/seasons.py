"""The seasons of Blokus as data, with what differs between them and their official servers' words.

``state.py`` reads these records and has no branch on a year.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import attrgetter

from spielleiter.games.blokus.rules.bitboard import BORDER, CORNERS
from spielleiter.games.blokus.rules.pieces import PENTOMINOES, Piece
from spielleiter.rules import Text
from spielleiter.rules.frozen import frozen, replace

# German: the mistakes as the official servers word them. English: what a pupil needs to see the
# fault; the placeholders are filled by the state.
_MISTAKES = {
    "WRONG_COLOR": Text(
        "Die Farbe des Zuges ist nicht an der Reihe",
        "It is {turn_color}'s turn, but this move is for {color}.",
    ),
    "SKIP_FIRST_TURN": Text(
        "Der erste Zug muss einen Stein setzen",
        "{color} has not placed anything yet: the first move of a colour must place a piece, it "
        "cannot skip.",
    ),
    "WRONG_SHAPE": Text(
        "Der erste Zug muss den festgelegten Spielstein setzen",
        "The first piece of every colour in this match is {start_piece}, not {piece}.",
    ),
    "DUPLICATE_SHAPE": Text(
        "Der gewählte Stein wurde bereits gesetzt",
        "{color} has placed its {piece} already; there is one of each piece.",
    ),
    "OUT_OF_BOUNDS": Text(
        "Der Spielstein passt nicht vollständig auf das Spielfeld",
        "The piece does not lie wholly on the board: {cell} is outside of 0..19.",
    ),
    "OBSTRUCTED": Text(
        "Der Spielstein würde eine andere Farbe überlagern",
        "{cell} is already covered by {other}.",
    ),
    "TOUCHES_SAME_COLOR": Text(
        "Der Spielstein berührt ein Feld gleicher Farbe",
        "{cell} would lie side by side with another piece of {color}; pieces of one colour may "
        "meet at corners only.",
    ),
    "NOT_IN_CORNER": Text(
        "Der erste Zug muss auf eine freie Ecke gesetzt werden",
        "The first piece of a colour must cover a corner square of the board.",
    ),
    "NOT_ON_BORDER": Text(
        "Der erste Zug muss an den Rand gesetzt werden",
        "The first piece of a colour must cover a square at the edge of the board.",
    ),
    "NO_SHARED_CORNER": Text(
        "Alle Teile müssen ein vorheriges Teil gleicher Farbe über mindestens eine Ecke berühren",
        "The piece must touch another piece of {color} at a corner.",
    ),
    # Our own: the official servers never ask for a move after the end.
    "GAME_OVER": Text(
        "Das Spiel ist bereits zu Ende", "The game is over; no further move is possible."
    ),
}


@frozen
class Season:
    """One season and variant.

    Two seasons with equal facts are the same game, whatever their words.
    """

    id: str
    game_type: str
    title: str
    start_cells: int
    """The first piece of a colour must cover one of these squares (a bit set)..."""
    start_mistake: str
    """...or it breaks this rule."""
    start_pieces: tuple[Piece, ...]
    """One of these is drawn to be the first piece of every colour."""
    turn_limit: int
    """The game is over as soon as ``turn`` reaches this number."""
    ends_when_finished: bool
    """Whether the game ends with the round in which a colour has placed its last piece."""
    mistakes: Mapping[str, Text] = _MISTAKES
    german_title: str = ""
    """If it differs from ``title``."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Season) and _facts(self) == _facts(other)

    def __hash__(self) -> int:
        return hash(_facts(self))

    def __repr__(self) -> str:
        return f"<Season {self.id}>"


_facts = attrgetter(
    *(name for name in Season.__match_args__ if name not in ("mistakes", "german_title"))
)


# Ruling B4: the cross cannot cover a corner square, so it is not a start piece where the corner is
# asked for.
_WITHOUT_CROSS = tuple(piece for piece in PENTOMINOES if piece is not Piece.PENTO_X)

# Ruling B9: the server of 2027 words this one mistake differently.
_MISTAKES_2027 = _MISTAKES | {
    "WRONG_COLOR": Text(
        "Nur eigene Spielfiguren können gezogen werden", _MISTAKES["WRONG_COLOR"].en
    )
}

SEASON_2027 = Season(
    id="blokus-2027",
    game_type="swc_2027_blokus",
    title="Blokus 2027",
    start_cells=BORDER,
    start_mistake="NOT_ON_BORDER",
    start_pieces=PENTOMINOES,
    turn_limit=96,  # ruling B2
    ends_when_finished=False,  # ruling B1
    mistakes=_MISTAKES_2027,
)
SEASON_2027_DOCUMENTED = replace(
    SEASON_2027,
    id="blokus-2027-documented",
    title="Blokus 2027 (as documented)",
    german_title="Blokus 2027 (wie dokumentiert)",
    turn_limit=100,
    ends_when_finished=True,
)
SEASON_2021 = Season(
    id="blokus-2021",
    game_type="swc_2021_blokus",
    title="Blokus 2021",
    start_cells=CORNERS,
    start_mistake="NOT_IN_CORNER",
    start_pieces=_WITHOUT_CROSS,
    turn_limit=100,
    ends_when_finished=True,
)
SEASON_2021_OFFICIAL = replace(
    SEASON_2021,
    id="blokus-2021-official",
    title="Blokus 2021 (as the official server)",
    german_title="Blokus 2021 (wie der offizielle Server)",
    ends_when_finished=False,
)

SEASONS = (SEASON_2027, SEASON_2027_DOCUMENTED, SEASON_2021, SEASON_2021_OFFICIAL)
