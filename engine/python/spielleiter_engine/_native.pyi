"""The native module. Every bad value raises ValueError with one clear sentence."""

from collections.abc import Callable, Sequence
from typing import final

API_VERSION: int
__version__: str

_Move = tuple[int, int, int, int]
"""Piece, form (0..90, as in ORIENTATIONS), x and y."""

@final
class BlokusPosition:
    """One position, with the rules of its season.

    Boards are sets of squares (bit ``y * 21 + x``), hands are sets of pieces, ``valid`` and
    ``mono_last`` are sets of colours. Either ``season`` (2021 or 2027) must be given or all of
    ``border_start``, ``turn_limit`` and ``ends_when_finished``, which override the season.
    """

    def __new__(
        cls,
        boards: Sequence[int],
        hands: Sequence[int],
        *,
        valid: int,
        turn: int,
        start_piece: int,
        mono_last: int,
        last_move_color: int | None,
        season: int | None = None,
        border_start: bool | None = None,
        turn_limit: int | None = None,
        ends_when_finished: bool | None = None,
    ) -> BlokusPosition: ...
    @property
    def turn(self) -> int: ...
    @property
    def valid(self) -> int: ...
    def legal_moves(self) -> list[_Move]: ...
    def may_pass(self) -> bool: ...
    def play(self, move: _Move | None) -> BlokusPosition: ...
    def is_over(self) -> bool: ...
    def points(self) -> tuple[int, int]: ...

@final
class Line:
    """A move with what the search thinks of it, for the team on turn."""

    @property
    def move(self) -> _Move | None: ...
    @property
    def win(self) -> float: ...
    @property
    def points(self) -> float: ...
    @property
    def visits(self) -> int: ...
    @property
    def exact(self) -> bool: ...
    @property
    def continuation(self) -> list[tuple[int, _Move | None]]: ...

@final
class BlokusSearch:
    """A search that keeps its tree from one position to the next. Use one for each match."""

    def __new__(
        cls, *, seed: int = 0, threads: int = 1, memory_mb: int = 256, scalar: bool = False
    ) -> BlokusSearch: ...
    def think(
        self,
        position: BlokusPosition,
        seconds: float,
        *,
        simulations: int | None = None,
        on_progress: Callable[[list[Line]], object] | None = None,
        every: float = 0.25,
        lines: int = 5,
    ) -> list[Line]: ...

_Actions = list[tuple[str, int]]
"""A move of Hase und Igel, action by action, each with its kind and a value.

The kinds are ``advance`` (fields), ``exchange_carrots`` (carrots), ``eat_salad``, ``fall_back``,
``skip``, and the cards ``card_take_or_drop_carrots`` (carrots), ``card_eat_salad``,
``card_hurry_ahead`` and ``card_fall_back``. A kind that needs no value has 0.
"""
_Hare = tuple[int, int, int, int, bool]
"""Field, carrots, salads, cards (bits in the order of ``Card``), and whether it must eat now."""

@final
class HaresPosition:
    """One position of Hase und Igel 2018.

    The board is a letter for each field, as in the notation of the game. The hares are red and
    blue. ``pays_after_end`` says whether a position field also pays for the turn after the end.
    """

    def __new__(
        cls, board: str, hares: Sequence[_Hare], *, turn: int, pays_after_end: bool = True
    ) -> HaresPosition: ...
    @property
    def hares(self) -> list[_Hare]: ...
    @property
    def turn(self) -> int: ...
    def legal_moves(self) -> list[_Actions]: ...
    def play(self, move: Sequence[tuple[str, int]]) -> HaresPosition: ...
    def is_over(self) -> bool: ...
    def winner(self) -> int: ...
    def solo_turns(self) -> list[tuple[int, int]]:
        """Return for red and blue the turns to the goal of a hare alone on the track.

        The first number is for one that is always first, the second for one that is always second.
        It is on its turn and has been paid for its field.
        """

@final
class HaresLine:
    """A move with what the search thinks of it, for the hare on turn."""

    @property
    def move(self) -> _Actions: ...
    @property
    def win(self) -> float: ...
    @property
    def points(self) -> float: ...
    @property
    def visits(self) -> int: ...
    @property
    def continuation(self) -> list[_Actions]: ...

@final
class HaresSearch:
    """A search that keeps its table from one position to the next. Use one for each match."""

    def __new__(cls, *, memory_mb: int = 64) -> HaresSearch: ...
    def prepare(self, position: HaresPosition) -> None:
        """Make the tables of a board in the background, before a move is asked for."""

    def think(
        self,
        position: HaresPosition,
        seconds: float,
        *,
        simulations: int | None = None,
        on_progress: Callable[[list[HaresLine]], object] | None = None,
        every: float = 0.25,
        lines: int = 5,
    ) -> list[HaresLine]: ...
