"""Check how a game is played, which is its moves, turns, end, outcome and house bots.

Part of ``contract``.
"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import random
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from spielleiter.match import MOST_MOVES, EndlessMatch, FinishedMatch, PlayerSeat, play_match
from spielleiter.rules import (
    DRAW,
    LOSS,
    WIN,
    AnyGame,
    AnyState,
    Cause,
    Clock,
    Outcome,
    Player,
    RuleViolation,
    Text,
)
from spielleiter.testing.demand import place, require, require_text, sample
from spielleiter.wire.wording import wording_for


def random_match(game: AnyGame, seed: int) -> list[AnyState]:
    """Return all states of one match of random moves. Fails if the match does not end."""
    player = _RandomPlayer(random.Random(seed))
    endless = f"{game.id}: seed {seed} has no end after {MOST_MOVES} random moves"
    return list(_play(game, [player] * game.seats, seed, endless).states)


class _RandomPlayer:
    """A player that chooses any legal move, and checks that the game accepts it."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def choose(self, state: AnyState, clock: Clock) -> Any:  # noqa: ARG002 - a player gets it
        moves = state.legal_moves()
        require(moves, f"{place(state)}: not over, but there is no legal move")
        move = self._dice.choice(moves)
        _check_accepted(state, move)
        return move


def _play(game: AnyGame, players: Sequence[Player], seed: int, endless: str) -> FinishedMatch:
    """Play a match without limits of time. It fails with ``endless`` if it does not end."""
    seats = [PlayerSeat(player) for player in players]
    names = [name.en for name in game.seat_names]
    try:
        return play_match(game.start(seed), seats, wording_for(game, names))
    except EndlessMatch:
        raise AssertionError(endless) from None


def check_moves(
    states: Sequence[AnyState], seed: int = 0, moves_per_state: int | None = None
) -> None:
    """Check that a move is accepted exactly if it is listed.

    The list is complete, stable and without doubles.
    """
    dice = random.Random(seed)
    foreign = sample(
        [move for state in states for move in state.legal_moves()], dice, moves_per_state
    )
    for state in states:
        moves = state.legal_moves()
        listed = set(moves)
        require(len(listed) == len(moves), f"{place(state)}: a move is listed twice")
        require(
            list(moves) == list(state.legal_moves()),
            f"{place(state)}: legal_moves() gave two different lists",
        )
        for move in sample(moves, dice, moves_per_state):
            _check_accepted(state, move)
        for move in foreign:
            if move not in listed:
                _check_rejected(state, move)


def _check_accepted(state: AnyState, move: Any) -> None:
    try:
        after = state.play(move)
    except RuleViolation as violation:
        raise AssertionError(
            f"{place(state)}: {move} is listed, but play() says: {violation}"
        ) from violation
    require(state.is_legal(move), f"{place(state)}: {move} is listed, but is_legal() denies it")
    require(
        after.last_move == move, f"{place(state)}: after {move}, last_move is {after.last_move}"
    )
    require(
        after == state.play(move), f"{place(state)}: {move} played twice gave two different states"
    )


def _check_rejected(state: AnyState, move: Any) -> None:
    require(
        not state.is_legal(move), f"{place(state)}: {move} is not listed, but is_legal() allows it"
    )
    try:
        state.play(move)
    except RuleViolation as violation:
        rule = violation.rule
        require(
            re.fullmatch(r"[A-Z][A-Z0-9_]*", rule),
            f"{place(state)}: rule {rule!r} is not an upper-case name",
        )
        require_text(violation.text, f"{place(state)}: the text of {rule}")
    else:
        raise AssertionError(f"{place(state)}: {move} is not listed, but play() took it")


def check_values(states: Sequence[AnyState]) -> None:
    """Check that states are values.

    They are immutable, hashable, equal to their copies, and never changed by play.
    """
    require(
        len(set(states)) == len(states), f"{states[0].game!r}: two states of one match are equal"
    )
    for state in states:
        where = place(state)
        for twin in (pickle.loads(pickle.dumps(state)), copy.copy(state), copy.deepcopy(state)):  # noqa: S301
            require(twin == state, f"{where}: a copy is not equal to the state")
            require(hash(twin) == hash(state), f"{where}: a copy has another hash")
            require(
                list(twin.legal_moves()) == list(state.legal_moves()),
                f"{where}: a copy has other moves",
            )
        require(state != object(), f"{where}: equal to anything")
        _check_immutable(state)
        # Frozen fields do not prove it, since a state may keep a cache or a list inside of another
        # object. So everything that can be seen of the state is compared before and after.
        before = (pickle.dumps(state), hash(state), state.game.format_position(state))
        for move in state.legal_moves()[:3]:
            state.play(move)
        state.outcome()
        after = (pickle.dumps(state), hash(state), state.game.format_position(state))
        require(before[1:] == after[1:], f"{where}: playing changed the state it was played on")
        require(pickle.loads(before[0]) == state, f"{where}: playing changed the state")  # noqa: S301


def _check_immutable(state: AnyState) -> None:
    fields: list[str] = (
        [field.name for field in dataclasses.fields(state)]
        if dataclasses.is_dataclass(state)
        else []
    )
    for name in {*fields, "turn", "round", "seat", "last_move", "is_over"}:
        value = getattr(state, name)
        try:
            setattr(state, name, value)
        except (AttributeError, TypeError):  # FrozenInstanceError is an AttributeError
            continue
        raise AssertionError(f"{place(state)}: {name} can be assigned to; a state must be frozen")
    for name in fields:
        require(
            not isinstance(getattr(state, name), (list, dict, set, bytearray)),
            f"{place(state)}: {name} is of type {type(getattr(state, name)).__name__}, which can "
            "be changed in place",
        )


def check_turns(states: Sequence[AnyState]) -> None:
    """Check how turns, rounds, seats and last moves follow each other.

    Turns start at 0 and rise, rounds start at 1 and never fall, and every seat exists. Only the
    first state has no last move.
    """
    first = states[0]
    require(first.turn == 0, f"{place(first)}: the first turn is {first.turn}")
    require(first.round == 1, f"{place(first)}: the first round is {first.round}")
    require(first.last_move is None, f"{place(first)}: there is a last move before the first")
    for state, after in pairwise(states):
        require(
            after.turn > state.turn,
            f"{place(state)}: turn {state.turn} is followed by {after.turn}",
        )
        require(
            after.round >= state.round,
            f"{place(state)}: round {state.round} is followed by {after.round}",
        )
        require(
            state.seat in range(state.game.seats), f"{place(state)}: there is no seat {state.seat}"
        )
        require(
            type(after) is type(state),
            f"{place(state)}: play() gave {type(after).__name__}, not the type of the state before",
        )
        require(
            after.game is first.game, f"{place(state)}: play() led to another game, {after.game!r}"
        )


def check_end(states: Sequence[AnyState]) -> None:
    """Check that no move is listed and none is taken once a match is over."""
    end = states[-1]
    require(end.is_over, f"{place(end)}: the match does not end here")
    require(len(end.legal_moves()) == 0, f"{place(end)}: over, but there are legal moves")
    for state in states[:-1]:
        require(not state.is_over, f"{place(state)}: over in the middle of a match")
        for move in state.legal_moves()[:5]:
            _check_rejected(end, move)


def check_outcome(states: Sequence[AnyState]) -> None:
    """Check that points, winner, scores and reason agree, at the end and on the way.

    A forfeit gives the match away.
    """
    game = states[0].game
    widths = set()
    for state in states:
        outcome = state.outcome()
        _check_standing(outcome, game, place(state))
        widths |= {len(parts) for parts in outcome.scores}
        for seat in range(game.seats):
            lost = outcome.forfeit(seat, Cause.LEFT, Text("weg", "gone"))
            require(lost.seats[seat].points == LOSS, f"{place(state)}: who forfeits keeps points")
            require(lost.scores == outcome.scores, f"{place(state)}: a forfeit changes the scores")
            require(not lost.is_regular, f"{place(state)}: a forfeit counts as regular")
    require(len(widths) == 1, f"{game.id}: the number of parts of a score varies: {sorted(widths)}")
    require(
        states[-1].outcome().is_regular,
        f"{place(states[-1])}: a match played to the end is not regular",
    )


def _check_standing(outcome: Outcome, game: AnyGame, where: str) -> None:
    require(len(outcome.seats) == game.seats, f"{where}: {len(outcome.seats)} lines in the outcome")
    require(
        re.fullmatch(r"[A-Z][A-Z0-9_]*", outcome.code),
        f"{where}: code {outcome.code!r} is not an upper-case name",
    )
    require_text(outcome.reason, f"{where}: the reason of {outcome.code}")
    points = [line.points for line in outcome.seats]
    if outcome.winner is None:
        expected = [DRAW] * game.seats
    else:
        require(
            outcome.winner in range(game.seats),
            f"{where}: there is no seat {outcome.winner} to win",
        )
        expected = [WIN if seat == outcome.winner else LOSS for seat in range(game.seats)]
    require(points == expected, f"{where}: winner {outcome.winner}, but points {points}")


def check_players(game: AnyGame, seed: int = 0) -> None:
    """Check that every house bot plays a whole legal match, and the same one for the same seed."""
    for name in game.players:
        first = _moves_of(game, name, seed)
        require(
            first == _moves_of(game, name, seed),
            f"{game.id}: {name} played two different matches from seed {seed}",
        )


def _moves_of(game: AnyGame, name: str, seed: int) -> tuple[Any, ...]:
    players = [_CheckedPlayer(name, game.players[name](seed + seat)) for seat in range(game.seats)]
    return _play(game, players, seed, f"{game.id}: {name} plays without end").moves


class _CheckedPlayer:
    """A house bot that may only choose what is listed."""

    def __init__(self, name: str, player: Player) -> None:
        self._name = name
        self._player = player

    def choose(self, state: AnyState, clock: Clock) -> Any:
        move = self._player.choose(state, clock)
        require(
            move in state.legal_moves(),
            f"{place(state)}: {self._name} chose {move}, which is not listed",
        )
        return move
