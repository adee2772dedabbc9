"""Find positions worth trying a bot in.

They are different starts, and moments of a game at which bots stumble. They are found by playing
random games and looking for what is special, so that every game has them without a list of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from spielleiter.match import PlayerSeat, play_match
from spielleiter.rules import AnyGame, AnyState
from spielleiter.wire.wording import wording_for

_MATCHES_SEARCHED = 4
_SEEDS_SEARCHED = 400
MOST_STARTS = 24
"""A game with more starts than this does not choose among a few, but shuffles its board."""
USUAL_MATCHES = 6
"""How many starts are tried of a game that shuffles, as many as the contest plays in a row."""


@dataclass(frozen=True, slots=True)
class Situation:
    """A position in which the seat to move is to be tried, and what is special about it."""

    title: str
    state: AnyState


def seeds_of_starts(game: AnyGame) -> list[int]:
    """Return seeds that give every start once, or some of them if there are too many starts."""
    seeds: dict[AnyState, int] = {}
    for seed in range(_SEEDS_SEARCHED):
        seeds.setdefault(game.start(seed), seed)
        if len(seeds) > MOST_STARTS:
            return list(seeds.values())[:USUAL_MATCHES]
    return list(seeds.values())


def find_situations(game: AnyGame) -> list[Situation]:
    """Return the special positions of a game, each once and the same ones every time."""
    played = [_random_match(game, seed) for seed in range(_MATCHES_SEARCHED)]
    found: dict[AnyState, Situation] = {}
    for title, find in _KINDS:
        state = find(played)
        if state is not None:
            found.setdefault(state, Situation(title, state))
    return list(found.values())


def _random_match(game: AnyGame, seed: int) -> Sequence[AnyState]:
    """Return all positions of a random match in which somebody has to move."""
    seats = [
        PlayerSeat(game.players["random"](seed * game.seats + seat)) for seat in range(game.seats)
    ]
    names = [name.en for name in game.seat_names]
    return play_match(game.start(seed), seats, wording_for(game, names)).states[:-1]


Played = Sequence[Sequence[AnyState]]


def _asked_again(played: Played) -> AnyState | None:
    """Return a position whose seat also made the move before it."""
    for states in played:
        for before, state in pairwise(states):
            if before.seat == state.seat:
                return state
    return None


def _fewest_choices(played: Played) -> AnyState | None:
    """Return the position with the fewest legal moves."""
    return min(_all(played), key=lambda state: len(state.legal_moves()), default=None)


def _longest_chain(played: Played) -> AnyState | None:
    """Return the position with the move of most parts, or None where moves have only one part."""
    state = max(_all(played), key=_parts, default=None)
    return None if state is None or _parts(state) == 1 else state


def _parts(state: AnyState) -> int:
    return max(len(str(move).split()) for move in state.legal_moves())


def _last_move(played: Played) -> AnyState | None:
    return played[0][-1] if played and played[0] else None


def _all(played: Played) -> Iterator[AnyState]:
    return (state for states in played for state in states)


_KINDS: tuple[tuple[str, Callable[[Played], AnyState | None]], ...] = (
    ("asked twice in a row", _asked_again),
    ("hardly a choice", _fewest_choices),
    ("moves of many parts", _longest_chain),
    ("the last move", _last_move),
)


class PassingPlayer:
    """A player that plays the last move of the list, which is to pass wherever a game allows that.

    Bots have to cope with such an opponent.
    """

    def choose(self, state: AnyState, clock: object) -> Any:  # noqa: ARG002 - a player gets it
        return state.legal_moves()[-1]
