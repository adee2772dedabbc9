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
