"""Check what must hold for every game, whoever wrote it.

``check_game(MY_GAME)`` runs everything and raises AssertionError with a sentence at the first
promise that does not hold. Each check can also be called alone. Those on play take the states of
``random_match``. Nothing here knows a certain game or a test runner.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from spielleiter.rules import AnyGame
from spielleiter.testing.contract_play import (
    check_end,
    check_moves,
    check_outcome,
    check_players,
    check_turns,
    check_values,
    random_match,
)
from spielleiter.testing.contract_text import (
    check_notation,
    check_picture,
    check_svg,
    check_view,
)
from spielleiter.testing.contract_wire import check_codec
from spielleiter.testing.demand import require, require_text
from spielleiter.wire.dialects import Dialect

__all__ = [
    "check_codec",
    "check_end",
    "check_facts",
    "check_game",
    "check_moves",
    "check_notation",
    "check_outcome",
    "check_picture",
    "check_players",
    "check_seeds",
    "check_svg",
    "check_turns",
    "check_values",
    "check_view",
    "random_match",
]


def check_game(
    game: AnyGame,
    seeds: Iterable[int] = range(3),
    *,
    varied_start: bool = True,
    moves_per_state: int | None = 20,
) -> None:
    """Check everything a game promises, over one random match a seed.

    ``varied_start`` says whether the seed decides anything. For a game that always begins alike it
    is False, and that is checked as well. ``moves_per_state`` is how many legal moves of each state
    are tried at most, None for all of them.
    """
    seeds = list(seeds)
    check_facts(game)
    check_seeds(game, varied_start=varied_start)
    for seed in seeds:
        states = random_match(game, seed)
        check_moves(states, seed, moves_per_state)
        check_values(states)
        check_turns(states)
        check_notation(states, seed, moves_per_state)
        check_picture(states)
        check_view(states)
        check_svg(states)
        check_end(states)
        check_outcome(states)
        for codec in game.codecs.values():
            check_codec(codec, states, seed, moves_per_state)
    for seed in seeds[:1]:
        check_players(game, seed)


def check_facts(game: AnyGame) -> None:
    """Check that names, seats, house bots and codecs are there and fit each other."""
    require(
        re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", game.id),
        f"id {game.id!r} is not lower-case words joined by -",
    )
    require(
        re.fullmatch(r"\w+", game.game_type),
        f"{game.id}: game_type {game.game_type!r} is not one word",
    )
    require(game.title, f"{game.id}: title is empty")
    require(game.id in repr(game), f"{game.id}: repr() does not show the id")
    require(
        len(game.seat_names) == game.seats,
        f"{game.id}: {len(game.seat_names)} names for {game.seats} seats",
    )
    for name in game.seat_names:
        require_text(name, f"{game.id}: the name of a seat")
    parts = len(game.start(0).outcome().scores[0])
    require(
        len(game.score_names) == parts,
        f"{game.id}: {len(game.score_names)} score_names for {parts} parts",
    )
    for name in game.score_names:
        require_text(name, f"{game.id}: the name of a score")
    require_text(game.score_unit, f"{game.id}: score_unit")
    for player in ("random", "greedy"):
        require(player in game.players, f"{game.id}: there is no player {player!r}")
    require(game.codecs, f"{game.id}: there is no codec")
    for revision, codec in game.codecs.items():
        require(
            game.codecs[revision] is codec,
            f"{game.id}: codecs gives another object for {revision} on every read",
        )
        where = f"{game.id}, codec {revision}"
        require(codec.game is game, f"{where}: codec.game is {codec.game!r}")
        require(codec.revision == revision, f"{where}: codec.revision is {codec.revision!r}")
        require(
            isinstance(codec.dialect, Dialect),
            f"{where}: codec.dialect is {codec.dialect!r}, not a Dialect; "
            "take spielleiter.wire.dialects.BASE or make one from it",
        )
        names = [codec.seat_name(seat) for seat in range(game.seats)]
        require(all(names) and len(set(names)) == game.seats, f"{where}: seat_name() gives {names}")


def check_seeds(game: AnyGame, *, varied_start: bool = True) -> None:
    """Check that equal seeds give equal starts.

    Different seeds differ exactly if the game says so.
    """
    starts = [game.start(seed) for seed in range(50)]
    require(
        starts == [game.start(seed) for seed in range(50)],
        f"{game.id}: a seed gave two different starts",
    )
    varied = any(start != starts[0] for start in starts)
    require(
        varied or not varied_start,
        f"{game.id}: 50 seeds gave 50 equal starts; if that is right, say varied_start=False",
    )
    require(
        varied_start or not varied,
        f"{game.id}: starts differ by seed although varied_start=False says they do not",
    )
