"""Check the contract of a game, which is what must hold for every game, whoever wrote it.

Knows no game and no test runner.

``check_game(MY_GAME)`` runs everything and raises AssertionError with a sentence at the first
promise that does not hold. Each check can be called alone; those on play take the states of
``random_game``.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import pickle
import random
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

from spielleiter.rules import (
    DRAW,
    LOSS,
    WIN,
    AnyGame,
    AnyState,
    Cause,
    FreeClock,
    NotationError,
    Outcome,
    RuleViolation,
    Text,
)
from spielleiter.rules.view import common_view
from spielleiter.testing.contract_wire import check_codec
from spielleiter.testing.demand import place, require, require_text, sample
from spielleiter.wire.dialects import Dialect

MOVE_LIMIT = 10_000
"""No game worth the name takes longer; a random one that does is taken to be endless."""

RUBBISH = (
    "",
    " ",
    "\n",
    "\x00",
    "x",
    "?",
    "-",
    "/",
    "0",
    "-1",
    "99999999999999999999",
    "ä",
    "\U0001f600",
    "a b c",
    "(" * 50,
)
"""Texts nobody would call a move or a position, or only by chance."""

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def check_game(
    game: AnyGame,
    seeds: Iterable[int] = range(3),
    *,
    varied_start: bool = True,
    moves_per_state: int | None = 20,
) -> None:
    """Check everything a game promises, over one random match a seed.

    ``varied_start`` says whether the seed decides anything; for a game that always begins alike it
    is False, and that is checked as well. ``moves_per_state`` bounds how many legal moves of each
    state are tried (None: all of them).
    """
    seeds = list(seeds)
    check_facts(game)
    check_seeds(game, varied_start=varied_start)
    for seed in seeds:
        states = random_game(game, seed)
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


# -- the game as a whole ---------------------------------------------------------------------------


def check_facts(game: AnyGame) -> None:
    """Names, seats, house bots and codecs are there and fit each other."""
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


def random_game(game: AnyGame, seed: int) -> list[AnyState]:
    """All states of one match of random moves, the first to the last. Fails if it does not end."""
    dice = random.Random(seed)
    states = [game.start(seed)]
    while not states[-1].is_over:
        require(
            len(states) <= MOVE_LIMIT,
            f"{game.id}: seed {seed} has no end after {MOVE_LIMIT} random moves",
        )
        moves = states[-1].legal_moves()
        require(moves, f"{place(states[-1])}: not over, but there is no legal move")
        move = dice.choice(moves)
        _check_accepted(states[-1], move)
        states.append(states[-1].play(move))
    return states


# -- the states of one match -----------------------------------------------------------------------


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
    """Check that states are values, which are immutable, hashable, equal to their copies and never
    changed by play.
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
    """Turns start at 0 and rise, rounds at 1 and never fall, seats exist, only the first has no
    last move.
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


def check_notation(
    states: Sequence[AnyState], seed: int = 0, moves_per_state: int | None = None
) -> None:
    """Check that what is formatted parses to the same.

    What cannot be read is a NotationError and nothing else.
    """
    game = states[0].game
    dice = random.Random(seed)
    moves = {
        move for state in states for move in sample(state.legal_moves(), dice, moves_per_state)
    }
    for move in moves:
        text = game.format_move(move)
        require(
            text and "\n" not in text, f"{game.id}: the text {text!r} of a move is not one line"
        )
        require(str(move) == text, f"{game.id}: str(move) is {str(move)!r} and not {text!r}")
        require(
            game.parse_move(text) == move,
            f"{game.id}: {text!r} is read as another move than it was written for",
        )
    for state in states:
        text = game.format_position(state)
        require(
            text and "\n" not in text, f"{game.id}: the text {text!r} of a position is not one line"
        )
        require(
            game.parse_position(text) == state, f"{game.id}: {text!r} is read as another position"
        )
    positions = [game.format_position(state) for state in sample(states, dice, moves_per_state)]
    spelled = [
        game.format_move(move) for move in sample(sorted(moves, key=str), dice, moves_per_state)
    ]
    for text in (*RUBBISH, *_damaged(spelled, dice), *positions):
        _check_reading(text, game.parse_move, game.format_move, "parse_move")
    for text in (*RUBBISH, *_damaged(positions, dice), *spelled):
        _check_reading(text, game.parse_position, game.format_position, "parse_position")


def _check_reading(text: str, parse: Any, form: Any, name: str) -> None:
    """Read damaged text, which may by chance still be good.

    Then it must mean something that can be written and read again.
    """
    try:
        value = parse(text)
    except NotationError as error:
        require(error.reason, f"{name}({text!r}) fails without a reason")
        return
    except Exception as error:
        kind = type(error).__name__
        raise AssertionError(
            f"{name}({text!r}) raises {kind} ({error}) and not NotationError"
        ) from error
    require(
        parse(form(value)) == value,
        f"{name}({text!r}) reads something that does not survive being written",
    )


def _damaged(texts: Sequence[str], dice: random.Random) -> list[str]:
    """Each text cut, with a letter lost, doubled and replaced."""
    damaged = []
    for text in texts:
        at = dice.randrange(len(text))
        damaged += [
            text[:at],
            text[at:],
            text[:at] + text[at + 1 :],
            text[:at] + text[at] + text[at:],
            text[:at] + dice.choice("aZ09-/?é ") + text[at + 1 :],
            text + text,
            text.swapcase(),
        ]
    return damaged


def check_picture(states: Sequence[AnyState]) -> None:
    """Check that there is a picture of every state.

    Colours add escapes to it and change nothing else.

    ``print(state)`` shows it, and ``repr`` stays what can be told apart field by field.
    """
    game = states[0].game
    for state in states:
        plain, painted = game.picture(state), game.picture(state, color=True)
        require(plain.strip(), f"{place(state)}: the picture is empty")
        require(str(state) == plain, f"{place(state)}: str(state) is not the picture")
        require(
            repr(state) != plain, f"{place(state)}: repr(state) is the picture, and hides fields"
        )
        require(
            not ANSI.search(plain), f"{place(state)}: the picture without colour has escapes in it"
        )
        require(
            ANSI.sub("", painted) == plain,
            f"{place(state)}: the coloured picture differs by more than colour",
        )
    pictures = {game.picture(state) for state in states}
    require(len(pictures) > 1, f"{game.id}: the picture of every state is the same")
    require(
        ANSI.search(game.picture(states[-1], color=True)),
        f"{game.id}: the coloured picture has no colour",
    )


def check_view(states: Sequence[AnyState]) -> None:
    """Check that views are JSON, have the keys of every game, and can be read back.

    What is not a view of this game is a NotationError.
    """
    game = states[0].game
    for state in states:
        view = game.view(state)
        try:
            received = json.loads(json.dumps(view, allow_nan=False))
        except (TypeError, ValueError) as error:
            raise AssertionError(f"{place(state)}: the view is not JSON: {error}") from error
        require(received == view, f"{place(state)}: JSON changes the view; write lists, not tuples")
        for key, value in common_view(state).items():
            require(
                key in view and view[key] == value,
                f"{place(state)}: {key!r} in the view is not {value!r}",
            )
        require(
            game.from_view(received) == state, f"{place(state)}: the view is read as another state"
        )
    good = game.view(states[0])
    rubbish: tuple[Any, ...] = (
        None,
        [],
        {},
        {**good, "game": "another"},
        {**good, "position": None},
        {**good, "position": "?"},
    )
    for wrong in rubbish:
        _check_refused_view(game, wrong)


def _check_refused_view(game: AnyGame, view: Any) -> None:
    try:
        game.from_view(view)
    except NotationError:
        return
    except Exception as error:
        kind = type(error).__name__
        raise AssertionError(
            f"{game.id}: from_view({view!r}) raises {kind} ({error}) and not NotationError"
        ) from error
    raise AssertionError(f"{game.id}: from_view() takes {view!r}")


def check_svg(states: Sequence[AnyState]) -> None:
    """Check that the SVG picture is one well-formed ``<svg>`` and shows what changes."""
    game = states[0].game
    for state in states:
        try:
            root = ElementTree.fromstring(game.svg(state))  # noqa: S314 - the game's own text
        except ElementTree.ParseError as error:
            raise AssertionError(
                f"{place(state)}: svg() is not well-formed XML: {error}"
            ) from error
        require(
            root.tag == "{http://www.w3.org/2000/svg}svg",
            f"{place(state)}: svg() is a {root.tag} and not an svg element of its namespace",
        )
        require(
            state._repr_svg_() == game.svg(state),
            f"{place(state)}: a notebook shows something else than svg()",
        )
    require(
        len({game.svg(state) for state in (states[0], states[-1])}) > 1,
        f"{game.id}: the SVG picture of the first and the last state are the same",
    )


def check_end(states: Sequence[AnyState]) -> None:
    """Once it is over no move is listed and none is taken."""
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


# -- players ---------------------------------------------------------------------------------------


def check_players(game: AnyGame, seed: int = 0) -> None:
    """Check that every house bot plays a whole legal match, and the same one for the same seed."""
    for name in game.players:
        first = _match(game, name, seed)
        require(
            first == _match(game, name, seed),
            f"{game.id}: {name} played two different matches from seed {seed}",
        )


def _match(game: AnyGame, name: str, seed: int) -> list[Any]:
    players = [game.players[name](seed + seat) for seat in range(game.seats)]
    state = game.start(seed)
    moves: list[Any] = []
    while not state.is_over:
        require(len(moves) <= MOVE_LIMIT, f"{game.id}: {name} plays without end")
        move = players[state.seat].choose(state, FreeClock())
        require(
            move in state.legal_moves(), f"{place(state)}: {name} chose {move}, which is not listed"
        )
        moves.append(move)
        state = state.play(move)
    return moves
