"""Draw openings, which are the start of a match by a seed and its first moves by the same seed.

Two deterministic bots would otherwise play the same match again and again. Both matches of a pair
begin with the same opening, so what luck it brings comes to both bots.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from spielleiter.rules import AnyGame, AnyState, GameError

WANTED = 500
"""So many openings should all be different. A run of a thousand matches has so many."""
MOST_MOVES = 40
"""Of an opening that somebody asks for, or that comes from a file."""
_MOST_DEFAULT_MOVES = 12
_SAMPLE = 64
"""Openings that are tried to find out how many moves are enough."""
_STARTS = 400


class OpeningError(ValueError):
    """Say that an opening cannot be read or played. The message says why."""


@dataclass(frozen=True, slots=True)
class Opening:
    """The seed of a start, and moves in the notation of the game."""

    seed: int
    moves: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return JSON values that ``from_json`` reads."""
        return {"seed": self.seed, "moves": list(self.moves)}

    @classmethod
    def from_json(cls, value: object) -> Opening:
        """Read what ``to_json`` wrote. Raises OpeningError for everything else."""
        if not isinstance(value, Mapping):
            raise OpeningError("an opening is an object with a seed and moves")
        seed, moves = value.get("seed"), value.get("moves")
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise OpeningError("the seed of an opening is a whole number")
        if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
            raise OpeningError("the moves of an opening are a list of texts")
        if len(moves) > MOST_MOVES:
            raise OpeningError(f"an opening has at most {MOST_MOVES} moves, not {len(moves)}")
        return cls(seed, tuple(moves))

    def states(self, game: AnyGame) -> Iterator[AnyState]:
        """Yield the start and the position after each move. Raises OpeningError."""
        state: AnyState = game.start(self.seed)
        yield state
        for number, move in enumerate(self.moves, 1):
            try:
                state = state.play(game.parse_move(move))
            except GameError as error:
                raise OpeningError(f"move {number} of the opening: {error}") from None
            if state.is_over:
                raise OpeningError(f"move {number} of the opening ends the match")
            yield state

    def position(self, game: AnyGame) -> AnyState:
        """Return the position from which the bots play on. Raises OpeningError."""
        *_, last = self.states(game)
        return last


def draw_opening(game: AnyGame, seed: int, moves: int | None = None) -> Opening:
    """Return the opening of a seed, with so many moves, or as many as ``default_moves`` says.

    Every legal move is equally likely, but none that ends the match is drawn. Where only such
    moves are left the opening is shorter. Equal seeds give equal openings, on every machine and
    version.
    """
    wanted = default_moves(game) if moves is None else moves
    if not 0 <= wanted <= MOST_MOVES:
        raise OpeningError(f"an opening has between 0 and {MOST_MOVES} moves, not {wanted}")
    drawn = [game.format_move(move) for move, _, _ in _drawn_moves(game, seed, wanted)]
    return Opening(seed, tuple(drawn))


def _drawn_moves(game: AnyGame, seed: int, moves: int) -> Iterator[tuple[Any, int, AnyState]]:
    """Yield moves, how many there were to choose from, and the position after each."""
    state: AnyState = game.start(seed)
    for number in range(moves):
        choices = list(state.legal_moves())
        number_of_choices = len(choices)
        while choices:
            move = choices.pop(_index(f"{seed} {number} {len(choices)}", len(choices)))
            following = state.play(move)
            if not following.is_over:
                break
        else:
            return
        yield move, number_of_choices, following
        state = following


def _index(text: str, choices: int) -> int:
    """Return a number below ``choices`` that follows from the text alone.

    It is a hash instead of ``random.Random``, whose choices differ between versions of Python.
    """
    digest = hashlib.sha256(f"opening {text}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % choices


@lru_cache(maxsize=64)
def default_moves(game: AnyGame) -> int:
    """Return the fewest moves with which ``WANTED`` openings are most likely all different.

    The number is a multiple of the seats, so that everybody has as many moves left to choose. It
    is 0 where starts are without number, such as shuffled boards, because every move drawn by lot
    is one that the bots do not choose. Elsewhere it follows from how many moves there are to draw
    from, which a sample of openings tells. It is the same for every run of a game.
    """
    pairs = WANTED * (WANTED - 1) / 2
    seen = Counter(game.start(seed) for seed in range(_STARTS))
    equal = sum(number * (number - 1) for number in seen.values()) / (_STARTS * (_STARTS - 1))
    openings = [_drawn_moves(game, seed, _MOST_DEFAULT_MOVES) for seed in range(_SAMPLE)]
    chances = [1.0] * _SAMPLE
    for moves in range(0, _MOST_DEFAULT_MOVES, game.seats):
        # The mean chance that two openings from the same start are the same so far.
        if pairs * equal * math.fsum(chances) / _SAMPLE < 0.5:
            return moves
        for number, opening in enumerate(openings):
            for _, choices, _ in islice(opening, game.seats):
                chances[number] /= choices
    return _MOST_DEFAULT_MOVES
