"""The page's own geometry agrees with the rules, so that its ghost never says a wrong reason."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from page_modules import ask_page, needs_node
from spielleiter.games import get_game
from spielleiter.games.blokus import BlokusState, Piece, Rotation, SetMove
from spielleiter.games.blokus.rules.pieces import ORIENTATIONS, SIZE, SPELLINGS
from spielleiter.rules import RuleViolation

SEASONS = ("blokus-2021", "blokus-2021-official", "blokus-2027", "blokus-2027-documented")

_FORMS = """\
import { DISTINCT, FORMS, PIECES, ROTATIONS, SIZES } from "./pieces.js";
const answer = () => ({
  pieces: PIECES, rotations: ROTATIONS, sizes: SIZES,
  forms: FORMS.map((turned) => turned.map((pair) => pair.map((form) => form.cells))),
  distinct: DISTINCT.map((forms) => forms.map((form) => [form.r, form.f])),
});
"""

_FAULTS = """\
import { readMove, writeMove } from "./moves.js";
import { Placing } from "./placing.js";
const answer = (asked) => asked.map(({ view, moves, tries }) => {
  const placing = new Placing(view, moves);
  const write = ({ color, placement }) => placement ? writeMove(color, placement) : placing.skip;
  const again = moves.map(readMove).map(write);
  return { again, tries: tries.map(([p, r, f, x, y]) => {
    const one = { p, r, f, x, y };
    return [placing.legal(one), placing.fault(one)];
  }) };
});
"""


@needs_node
def test_the_page_knows_the_pieces_in_all_their_forms(tmp_path: Path) -> None:
    page = ask_page("blokus", tmp_path, _FORMS, None)
    assert page["pieces"] == [piece.name for piece in Piece]
    assert page["rotations"] == [rotation.name for rotation in Rotation]
    assert page["sizes"] == [piece.size for piece in Piece]
    for piece in Piece:
        for rotation in Rotation:
            for flipped in (False, True):
                form = ORIENTATIONS[SPELLINGS[piece][rotation][flipped]]
                cells = page["forms"][piece][rotation][flipped]
                assert [tuple(cell) for cell in cells] == list(form.cells)
    spellings = [
        (piece, rotation, bool(flipped))
        for piece, forms in enumerate(page["distinct"])
        for rotation, flipped in forms
    ]
    wanted = [(form.piece, form.rotation, form.flipped) for form in ORIENTATIONS]
    assert sorted(spellings) == sorted(wanted)
    assert len(spellings) == 91


def positions(game: str, seed: int) -> Iterator[BlokusState]:
    """Yield some positions of a random match, among them the first moves of all colours."""
    dice = random.Random(seed)
    state: BlokusState = get_game(game).start(seed)
    while not state.is_over:
        if state.turn < 6 or dice.random() < 0.2:
            yield state
        state = state.play(dice.choice(state.legal_moves()))


def tries(state: BlokusState, dice: random.Random) -> list[SetMove]:
    """Return placements all over the board and beyond its edge, and some of each legal piece."""
    legal = [move for move in state.legal_moves() if isinstance(move, SetMove)]
    near = [
        SetMove(
            move.color,
            move.piece,
            Rotation(dice.randrange(4)),
            dice.random() < 0.5,
            move.x + dice.randint(-2, 2),
            move.y + dice.randint(-2, 2),
        )
        for move in dice.choices(legal, k=60)
    ]
    anywhere = [
        SetMove(
            state.color,
            Piece(dice.randrange(21)),
            Rotation(dice.randrange(4)),
            dice.random() < 0.5,
            dice.randint(-3, SIZE),
            dice.randint(-3, SIZE),
        )
        for _ in range(60)
    ]
    return near + anywhere


def judge(state: BlokusState, move: SetMove) -> RuleViolation | None:
    """Return what the rules have against a move."""
    try:
        state.play(move)
    except RuleViolation as broken:
        return broken
    return None


@needs_node
@pytest.mark.parametrize("game", SEASONS)
def test_the_page_gives_the_referees_reasons(game: str, tmp_path: Path) -> None:
    dice = random.Random(7)
    states = [state for seed in range(4) for state in positions(game, seed)]
    tried = [tries(state, dice) for state in states]
    asked = [
        {
            "view": state.game.view(state),
            "moves": [str(move) for move in state.legal_moves()],
            "tries": [
                [move.piece, move.rotation, int(move.flipped), move.x, move.y] for move in moves
            ],
        }
        for state, moves in zip(states, tried, strict=True)
    ]
    page = ask_page("blokus", tmp_path, _FAULTS, asked)
    rules = set()
    for state, moves, question, said in zip(states, tried, asked, page, strict=True):
        assert said["again"] == question["moves"]
        for move, (legal, fault) in zip(moves, said["tries"], strict=True):
            broken = judge(state, move)
            if broken is None:
                assert fault is None
                assert legal in question["moves"]
                assert set(state.game.parse_move(legal).cells) == set(move.cells)
            else:
                rules.add(broken.rule)
                assert legal is None
                assert fault["rule"] == broken.rule, (str(move), state.game.format_position(state))
                first = "".join(f"({x}, {y})" for x, y in fault["cells"][:1])
                assert first in broken.text.en
    border = "NOT_IN_CORNER" if "2021" in game else "NOT_ON_BORDER"
    shared = {"OUT_OF_BOUNDS", "OBSTRUCTED", "TOUCHES_SAME_COLOR", "NO_SHARED_CORNER"}
    assert rules == shared | {border, "WRONG_SHAPE", "DUPLICATE_SHAPE"}
