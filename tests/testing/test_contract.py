"""Each promise of the contract is broken once, in a game that keeps all the others.

It covers ``contract`` and its parts ``contract_play``, ``contract_text`` and ``contract_wire``.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import pytest

from spielleiter.rules import NotationError, Outcome, RuleViolation, State, Text
from spielleiter.rules.view import common_view
from spielleiter.testing import check_codec, check_game, random_match
from third_game import FOUR, FOUR_SCATTERED, Drop, FourInARow, Position
from third_game.players import RandomPlayer
from third_game.rules import first_position
from third_game.wire import FourCodec

# What is there before anything is broken: the faults below are built on it.
legal_moves, play, outcome = Position.legal_moves, Position.play, Position.outcome
picture, parse_move, parse_position = (
    FourInARow.picture,
    FourInARow.parse_move,
    FourInARow.parse_position,
)
from_view = FourInARow.from_view
encode_state, decode_state, decode_move = (
    FourCodec.encode_state,
    FourCodec.decode_state,
    FourCodec.decode_move,
)
encode_move, decode_outcome = FourCodec.encode_move, FourCodec.decode_outcome
SCATTERED = FOUR_SCATTERED.variant
counter = itertools.count()


def rude_play(state: Position, move: Drop) -> Position:
    try:
        return play(state, move)
    except RuleViolation as violation:
        raise RuleViolation(violation.rule, Text("Nein", "")) from None


def nameless_play(state: Position, move: Drop) -> Position:
    try:
        return play(state, move)
    except RuleViolation as violation:
        raise RuleViolation("full column", violation.text) from None


def lenient_play(state: Position, move: Drop) -> Position:
    return state if len(state.columns[move.column]) == 6 else play(state, move)


BLANK = '<svg xmlns="http://www.w3.org/2000/svg"/>'


def forgiving_view(game: FourInARow, view: Any) -> Position:
    return game.start(0) if view == {} else from_view(game, view)


def strict_play(state: Position, move: Drop) -> Position:
    if move.column == 6:
        raise RuleViolation("NOT_LAST", Text("Nie die letzte", "Never the last"))
    return play(state, move)


def endless_play(state: Position, move: Drop) -> Position:
    return replace(state, last_move=move)


def changed(state: Position, **lines: Any) -> Outcome:
    return replace(outcome(state), **lines)


def _without_scores(result: Outcome) -> Outcome:
    return replace(result, seats=tuple(replace(line, parts=(0,)) for line in result.seats))


def fragile_parse(game: FourInARow, text: str) -> Drop:
    return parse_move(game, text) if text else Drop("abcdefg".index(text[0]))


def lazy_parse(game: FourInARow, text: str) -> Drop:
    try:
        return parse_move(game, text)
    except NotationError:
        return Drop(7 + len(text))


class Cheat:
    def __init__(self, seed: int) -> None: ...

    def choose(self, state: Position, clock: object) -> Drop:
        return Drop(-1)


class Moody(RandomPlayer):
    def __init__(self, seed: int) -> None:
        super().__init__(next(counter))


FAULTS: list[tuple[object, str, Any, str]] = [
    (FOUR, "id", "Vier gewinnt", "not lower-case words"),
    (FOUR, "game_type", "vier gewinnt", "not one word"),
    (FOUR, "title", "", "title is empty"),
    (FourInARow, "seats", 3, "2 names for 3 seats"),
    (
        FourInARow,
        "seat_names",
        (Text("Rot", ""), Text("Gelb", "Yellow")),
        "missing in German or English",
    ),
    (FourInARow, "score_names", (), "0 score_names for 1 parts"),
    (FourInARow, "score_names", (Text("", "points"),), "missing in German or English"),
    (FourInARow, "players", {"greedy": RandomPlayer}, "no player 'random'"),
    (FOUR, "codecs", {}, "no codec"),
    (FourCodec, "game", FOUR_SCATTERED, "codec.game is <Game vier-gewinnt-scattered>"),
    (FourCodec, "revision", "2", "codec.revision is '2'"),
    (FourCodec, "dialect", "1999", "codec.dialect is '1999', not a Dialect; take "),
    (FourCodec, "seat_name", lambda self, seat: "ONE", "seat_name() gives ['ONE', 'ONE']"),
    (
        FourInARow,
        "start",
        lambda self, seed: first_position(SCATTERED, next(counter)),
        "two different starts",
    ),
    (
        FourInARow,
        "start",
        lambda self, seed: first_position(SCATTERED, seed),
        "starts differ by seed",
    ),
    (Position, "is_over", False, "not over, but there is no legal move"),
    (Position, "play", endless_play, "no end after 10000 random moves"),
    (Position, "legal_moves", lambda self: legal_moves(self) * 2, "a move is listed twice"),
    (
        Position,
        "legal_moves",
        lambda self: legal_moves(self)[self.turn % 2 :],
        "is not listed, but",
    ),
    (
        Position,
        "legal_moves",
        lambda self: random.Random(next(counter)).sample(legal_moves(self), len(legal_moves(self))),
        "two different lists",
    ),
    (Position, "play", strict_play, "is listed, but play() says: Never the last"),
    (Position, "play", lenient_play, "is not listed, but is_legal() allows it"),
    (Position, "play", rude_play, "missing in German or English"),
    (Position, "play", nameless_play, "rule 'full column' is not an upper-case name"),
    (Position, "is_legal", lambda self, move: False, "is_legal() denies it"),
    (Position, "is_legal", lambda self, move: True, "is_legal() allows it"),
    (
        Position,
        "play",
        lambda self, move: replace(play(self, move), last_move=None),
        "last_move is None",
    ),
    (Position, "__eq__", lambda self, other: self is other, "two different starts"),
    (Position, "__hash__", lambda self: id(self), "a copy has another hash"),
    (Position, "__setattr__", object.__setattr__, "can be assigned to"),
    (
        FourInARow,
        "start",
        lambda self, seed: replace(first_position(self.variant, 0), columns=[""] * 7),
        "unhashable",
    ),
    (Position, "turn", 1, "the first turn is 1"),
    (Position, "round", 0, "the first round is 0"),
    (Position, "seat", -1, "there is no seat -1"),
    (FourInARow, "format_move", lambda self, move: "d\n", "is not one line"),
    (FourInARow, "parse_move", lambda self, text: Drop(0), "is read as another move"),
    (FourInARow, "format_move", lambda self, move: "drop", "and not 'drop'"),
    (FourInARow, "parse_position", lambda self, text: self.start(0), "is read as another position"),
    (FourInARow, "parse_move", fragile_parse, "raises IndexError"),
    (FourInARow, "parse_move", lazy_parse, "does not survive being written"),
    (FourInARow, "picture", lambda self, state, color=False: "", "the picture is empty"),
    (Position, "__str__", lambda state: repr(state), "is not the picture"),
    (Position, "__repr__", lambda state: str(state), "hides fields"),
    (
        FourInARow,
        "picture",
        lambda self, state, color=False: picture(self, state, color=True),
        "has escapes in it",
    ),
    (
        FourInARow,
        "picture",
        lambda self, state, color=False: f"{picture(self, state)}{color}",
        "more than colour",
    ),
    (FourInARow, "picture", lambda self, state, color=False: picture(self, state), "has no colour"),
    (FourInARow, "picture", lambda self, state, color=False: "board", "every state is the same"),
    (FourInARow, "view", lambda self, state: {"state": state}, "the view is not JSON"),
    (
        FourInARow,
        "view",
        lambda self, state: {**common_view(state), "columns": state.columns},
        "write lists, not tuples",
    ),
    (FourInARow, "view", lambda self, state: {"game": self.id}, "'title' in the view is not"),
    (FourInARow, "from_view", lambda self, view: self.start(0), "is read as another state"),
    (
        FourInARow,
        "from_view",
        lambda self, view: self.parse_position(view["position"]),
        "raises TypeError ('NoneType' object is not subscriptable) and not NotationError",
    ),
    (FourInARow, "from_view", forgiving_view, "from_view() takes {}"),
    (FourInARow, "svg", lambda self, state: "<svg>", "is not well-formed XML"),
    (FourInARow, "svg", lambda self, state: "<p/>", "and not an svg element"),
    (Position, "_repr_svg_", lambda state: "", "a notebook shows something else"),
    (FourInARow, "svg", lambda self, state: BLANK, "the first and the last state are the same"),
    (
        Position,
        "outcome",
        lambda self: changed(self, seats=outcome(self).seats[:1]),
        "1 lines in the outcome",
    ),
    (
        Position,
        "outcome",
        lambda self: changed(self, winner=1 if outcome(self).winner is None else 0),
        "but points",
    ),
    (Position, "outcome", lambda self: changed(self, winner=2), "no seat 2 to win"),
    (Position, "outcome", lambda self: changed(self, code="four!"), "is not an upper-case name"),
    (
        Position,
        "outcome",
        lambda self: changed(self, reason=Text("{name}", "{name}")),
        "unfilled placeholder",
    ),
    (
        Position,
        "outcome",
        lambda self: changed(
            self, seats=tuple(replace(s, parts=(0,) * (1 + self.seat)) for s in outcome(self).seats)
        ),
        "number of parts of a score varies",
    ),
    (FourInARow, "players", {"random": Cheat, "greedy": RandomPlayer}, "which is not listed"),
    (FourInARow, "players", {"random": Moody, "greedy": RandomPlayer}, "two different matches"),
    (FourCodec, "encode_state", lambda *given: "<state>", "not well-formed"),
    (FourCodec, "encode_state", lambda *given: encode_state(*given) + "\n", "space around <state>"),
    (
        FourCodec,
        "encode_state",
        lambda *given: encode_state(*given).replace("state", "memento"),
        "is <memento>",
    ),
    (
        FourCodec,
        "decode_state",
        lambda self, element: replace(decode_state(self, element), state=self.game.start(0)),
        "the state comes back as another one",
    ),
    (
        FourCodec,
        "decode_state",
        lambda self, element: replace(decode_state(self, element), discarded=("board",)),
        "does not know its own ('board',)",
    ),
    (
        FourCodec,
        "decode_move",
        lambda self, element, state: replace(decode_move(self, element, state), move=Drop(0)),
        "comes back as a",
    ),
    (
        FourCodec,
        "decode_move",
        lambda self, element, state: replace(decode_move(self, element, state), hints=()),
        "come back as ()",
    ),
    (
        FourCodec,
        "decode_outcome",
        lambda self, element: replace(decode_outcome(self, element), winner=None),
        "becomes None",
    ),
    (
        FourCodec,
        "decode_outcome",
        lambda self, element: _without_scores(decode_outcome(self, element)),
        "a score (20,) becomes (0,)",
    ),
    (FourCodec, "fragments", ("Siegpunkte",) * 3, "3 fragments name 2 parts"),
    (FourCodec, "describe_move", lambda self, move: "", "is empty"),
    (FourCodec, "violation_reason", lambda *given: Text("Nein", ""), "violation_reason is missing"),
    (
        FourCodec,
        "complaint",
        lambda *given, to_offender: "" if to_offender else "no",
        "the complaint about GAME_OVER",
    ),
]


@pytest.mark.parametrize(
    ("target", "name", "fault", "message"), FAULTS, ids=[f"{f[1]}: {f[3]}" for f in FAULTS]
)
def test_a_broken_promise_is_named(
    target: object, name: str, fault: Any, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(target, name, fault)
    with pytest.raises((AssertionError, TypeError)) as caught:
        check_game(FOUR, range(2), varied_start=False)
    assert message in str(caught.value)


def test_a_game_that_keeps_its_promises_passes() -> None:
    check_game(FOUR, range(2), varied_start=False, moves_per_state=None)


def test_equal_starts_must_be_meant() -> None:
    with pytest.raises(AssertionError, match="say varied_start=False"):
        check_game(FOUR)


def test_states_of_another_codec_do_not_pass() -> None:
    with pytest.raises(AssertionError, match="comes back as another one"):
        check_codec(_Forgetful(FOUR), random_match(FOUR, 0))


class _Forgetful(FourCodec):
    def decode_state(self, element: Any) -> Any:
        received = super().decode_state(element)
        return replace(received, state=replace(received.state, last_move=Drop(0)))


def test_random_games_are_equal_for_equal_seeds() -> None:
    first: list[State[Any]] = random_match(FOUR_SCATTERED, 7)
    assert first == random_match(FOUR_SCATTERED, 7)
    assert first != random_match(FOUR_SCATTERED, 8)
