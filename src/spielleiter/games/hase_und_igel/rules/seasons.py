"""The seasons of Hase und Igel as data.

Rules, notation, wire and bots read these records, so a season that differs only in numbers, fields
or the hand at the start is one more record here. A new kind of card or field is new code.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.rules.board import Field
from spielleiter.games.hase_und_igel.rules.moves import Card
from spielleiter.rules.frozen import frozen, replace

Segment = tuple[tuple[int, ...], tuple[Field, ...]]
"""Fields that are shuffled among themselves, and what lies on them."""


@frozen
class Season:
    """One season and variant. Two seasons with equal facts are the same game."""

    id: str
    game_type: str
    title: str
    length: int
    """How many fields the track has, with start and goal."""
    fixed: tuple[tuple[int, Field], ...]
    """Fields that lie in the same place on every board, each with its index."""
    segments: tuple[Segment, ...]
    """The rest of the board, which the seed shuffles (H3)."""
    last_turn: int
    """The game ends when this many turns are over."""
    start_carrots: int
    start_salads: int
    start_cards: tuple[Card, ...]
    """What each hare has at the start."""
    first_gain: int
    second_gain: int
    """Carrots for a salad or a position field, by the rank of the hare."""
    retreat_gain: int
    """Carrots for each field that a hare falls back."""
    goal_carrots: int
    """The most carrots with which a hare may enter the goal."""
    exchange_values: tuple[int, ...]
    """By how many carrots a hare may change its stock on a carrot field, in the order of
    ``legal_moves()``.
    """
    take_or_drop_values: tuple[int, ...]
    """The same for the card TAKE_OR_DROP_CARROTS."""
    pays_after_end: bool
    """Whether a position field also pays for the turn after the end (H12)."""
    first_seat_wins_ties: bool
    """Whether equal hares at the end are a win for the seat that began, or a draw (H10)."""
    german_title: str = ""
    """If it differs from ``title``."""

    @property
    def goal(self) -> int:
        """The index of the last field (H2)."""
        return self.length - 1


_C, _H, _1, _2 = Field.CARROT, Field.HARE, Field.POSITION_1, Field.POSITION_2

SEASON_2018 = Season(
    id="hase-und-igel-2018",
    game_type="swc_2018_hase_und_igel",
    title="Hase und Igel 2018",
    length=65,
    fixed=(
        (0, Field.START),
        *((index, Field.SALAD) for index in (10, 22, 42, 57)),
        *((index, Field.HEDGEHOG) for index in (11, 15, 19, 24, 30, 37, 43, 50, 56)),
        (64, Field.GOAL),
    ),
    segments=(
        ((1, 2, 3, 4, 5, 6, 7, 8, 9), (_H, _C, _H, _C, _C, _H, _1, _2, _C)),
        ((12, 13, 14), (_H, _C, _C)),
        ((16, 17, 18), (_1, _C, _2)),
        ((20, 21, 23), (_C, _2, _C)),
        ((25, 26, 27, 28, 29), (_C, _C, _2, _C, _H)),
        ((31, 32, 33, 34, 35, 36), (_1, _H, _C, _H, _2, _C)),
        ((38, 39, 40, 41), (_C, _2, _H, _C)),
        ((44, 45, 46, 47, 48, 49), (_1, _C, _H, _2, _C, _C)),
        ((51, 52, 53, 54, 55), (_C, _2, _C, _H, _C)),
        ((58, 59, 60, 61, 62, 63), (_H, _C, _1, _C, _H, _C)),
    ),
    last_turn=60,  # 30 rounds (H9)
    start_carrots=68,
    start_salads=5,
    start_cards=tuple(Card),
    first_gain=10,
    second_gain=30,
    retreat_gain=10,
    goal_carrots=10,  # H1
    exchange_values=(10, -10),
    take_or_drop_values=(20, 0, -20),
    pays_after_end=True,
    first_seat_wins_ties=True,
)
SEASON_2018_DOCUMENTED = replace(
    SEASON_2018,
    id="hase-und-igel-2018-documented",
    title="Hase und Igel 2018 (as documented)",
    german_title="Hase und Igel 2018 (wie dokumentiert)",
    pays_after_end=False,
)

SEASONS = (SEASON_2018, SEASON_2018_DOCUMENTED)
"""All seasons and variants. Of each game type the default comes first."""


def has_rules_of_2018(season: Season) -> bool:
    """Return whether a match of this season is played like one of 2018.

    Where the fields lie does not matter, nor whether a position field pays after the end.
    """
    return season == replace(
        SEASON_2018,
        id=season.id,
        game_type=season.game_type,
        title=season.title,
        german_title=season.german_title,
        fixed=season.fixed,
        segments=season.segments,
        pays_after_end=season.pays_after_end,
    )
