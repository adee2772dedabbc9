"""One test or more for every ruling B in docs/rulings.md, by number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from spielleiter.games.blokus import GAMES, BlokusState, Color, Piece, Rotation, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import PENTOMINOES
from spielleiter.rules import RuleViolation

SEASON = {game.id: game for game in GAMES}
DOCUMENTED = ("blokus-2021", "blokus-2027-documented")
OFFICIAL = ("blokus-2021-official", "blokus-2027")
EVERY = DOCUMENTED + OFFICIAL

# BLUE, YELLOW, RED and GREEN in the four corners, each with room for small pieces.
ROWS = ["B18Y", *["20"] * 18, "R18G"]
CORNERS = "/".join(ROWS)


def position(
    game: str,
    turn: int,
    hands: str,
    *,
    board: str = CORNERS,
    valid: str = "BYRG",
    mono: str = "-",
    last: str = "-",
) -> BlokusState:
    return SEASON[game].parse_position(f"{board} {turn} PENTO_L {hands} {valid} {mono} {last}")


def play(state: BlokusState, *texts: str) -> BlokusState:
    for text in texts:
        assert not state.is_over, text
        state = state.play(state.game.parse_move(text))
    return state


def rule_of(state: BlokusState, text: str) -> str:
    with pytest.raises(RuleViolation) as caught:
        state.play(state.game.parse_move(text))
    return caught.value.rule


# B1: a colour has placed everything


@pytest.mark.parametrize("game", DOCUMENTED)
def test_b1_documented_the_round_is_played_out_and_then_it_is_over(game):
    state = position(game, 76, "1;1,2;1,2;1,2", last="G:skip")
    state = play(state, "B:MONO@1,1", "Y:MONO@18,1", "R:MONO@1,18")
    assert not state.is_over
    state = play(state, "G:MONO@18,18")
    assert state.is_over
    assert state.outcome().code == "ALL_PLACED"
    assert state.round == 21


@pytest.mark.parametrize("game", DOCUMENTED)
def test_b1_documented_the_last_colour_of_a_round_ends_it_at_once(game):
    state = play(position(game, 79, "1,2;1,2;1,2;1", last="R:skip"), "G:MONO@18,18")
    assert state.is_over
    assert state.outcome().code == "ALL_PLACED"
    assert state.turn == 80


@pytest.mark.parametrize("game", DOCUMENTED)
def test_b1_documented_colours_that_are_out_do_not_delay_the_end(game):
    state = position(game, 76, "1;1,2;1,2;1,2", valid="BY", last="Y:skip")
    state = play(state, "B:MONO@1,1")
    assert not state.is_over
    state = play(state, "Y:MONO@18,1")  # RED and GREEN are out: the round is complete
    assert state.outcome().code == "ALL_PLACED"


@pytest.mark.parametrize("game", DOCUMENTED)
def test_b1_documented_skips_in_the_last_round_change_nothing(game):
    state = play(position(game, 77, "1,2;1;1,2;1,2", last="B:skip"), "Y:MONO@18,1", "R:skip")
    assert not state.is_over
    assert play(state, "G:skip").is_over


def test_b1_a_finished_colour_without_a_last_move_counts_as_over_where_finishing_ends():
    assert position("blokus-2021", 77, "-;1;1;1").is_over
    assert not position("blokus-2021-official", 77, "-;1;1;1").is_over


@pytest.mark.parametrize("game", OFFICIAL)
def test_b1_official_play_goes_on_without_the_finished_colour(game):
    state = position(game, 76, "1;1,2;1,2;1,2", last="G:skip")
    state = play(state, "B:MONO@1,1", "Y:MONO@18,1", "R:MONO@1,18", "G:MONO@18,18")
    assert not state.is_over
    assert state.turn == 81  # BLUE was found without a move and left
    assert state.valid_colors == (Color.YELLOW, Color.RED, Color.GREEN)
    assert state.mono_last == 1 << Color.BLUE


# B2: the last round


@pytest.mark.parametrize(
    ("game", "limit"),
    [("blokus-2027", 96), *((name, 100) for name in EVERY if name != "blokus-2027")],
)
def test_b2_turn_limit(game, limit):
    state = position(game, limit - 1, "1,2;1,2;1,2;1,2", last="R:skip")
    assert not state.is_over
    state = play(state, "G:skip")
    assert (state.turn, state.is_over, state.outcome().code) == (limit, True, "ROUND_LIMIT")
    assert state.valid_colors == tuple(Color)


@pytest.mark.parametrize(("game", "limit"), [("blokus-2027", 96), ("blokus-2021-official", 100)])
def test_b2_the_last_turn_may_be_passed_over_a_colour_that_is_out(game, limit):
    state = position(game, limit - 1, "1,2;1,2;1,2;1,2", valid="RG", last="R:skip")
    assert play(state, "G:skip").turn == limit + 2


# B3: spellings


@pytest.mark.parametrize("game", EVERY)
def test_b3_every_spelling_is_legal_and_one_is_listed(game):
    state = position(game, 40, "O4,1;1;1;1")
    squares = [
        SetMove(Color.BLUE, Piece.TETRO_O, turn, flip, 1, 1)
        for turn in Rotation
        for flip in (False, True)
    ]
    assert all(state.play(move).boards == state.play(squares[0]).boards for move in squares)
    assert [move for move in state.legal_moves() if move in squares] == squares[:1]


# B4: the start piece


def test_b4_pool_of_start_pieces():
    eleven = tuple(piece for piece in PENTOMINOES if piece is not Piece.PENTO_X)
    for name in EVERY:
        assert SEASON[name].season.start_pieces == (eleven if "2021" in name else PENTOMINOES)


# B5: the first move


@pytest.mark.parametrize("game", EVERY)
def test_b5_the_first_move_is_decided_by_the_hand_not_by_the_round(game):
    state = position(game, 40, "all;1;1;1", board="/".join(["19Y", *ROWS[1:]]))
    assert all(
        isinstance(move, SetMove) and move.piece is Piece.PENTO_L for move in state.legal_moves()
    )
    assert rule_of(state, "B:skip") == "SKIP_FIRST_TURN"
    assert rule_of(state, "B:MONO@0,0") == "WRONG_SHAPE"


@pytest.mark.parametrize("game", EVERY)
def test_b5_no_colour_may_skip_its_first_move(game):
    state = SEASON[game].start(0, Piece.PENTO_L)
    for move in ("B:PENTO_L@0,0", "Y:PENTO_L@18,0+f", "R:PENTO_L@18,16", "G:PENTO_L@0,16"):
        assert rule_of(state, move[0] + ":skip") == "SKIP_FIRST_TURN"
        assert not any(isinstance(other, SkipMove) for other in state.legal_moves())
        state = play(state, move)
    assert state.legal_moves()[-1] == SkipMove(Color.BLUE)


def test_b5_any_free_corner_will_do():
    state = play(SEASON["blokus-2021"].start(0, Piece.PENTO_L), "B:PENTO_L@0,0")
    corners = {cell for move in state.legal_moves() for cell in move.cells} & {
        (0, 0),
        (19, 0),
        (0, 19),
        (19, 19),
    }
    assert corners == {(19, 0), (0, 19), (19, 19)}


# B6: dropping out


@pytest.mark.parametrize("game", EVERY)
def test_b6_only_the_colour_on_turn_is_tested(game):
    # YELLOW and GREEN are both stuck, but only YELLOW's turn has come.
    state = play(position(game, 40, "1,2;X5;1,2;X5", board=_walled(), last="G:skip"), "B:skip")
    assert state.valid_colors == (Color.BLUE, Color.RED, Color.GREEN)
    assert state.turn == 42
    state = play(state, "R:skip")
    assert state.valid_colors == (Color.BLUE, Color.RED)
    assert state.turn == 44
    assert play(state, "B:skip").turn == 46


def _walled() -> str:
    """YELLOW and GREEN in corners whose only free diagonal square is walled in by RED and BLUE."""
    rows = ["B16R1Y", "17R1R", "18R1", *["20"] * 14, "18B1", "17B1B", "R16B1G"]
    return "/".join(rows)


@pytest.mark.parametrize("game", EVERY)
def test_b6_the_turn_stays_when_the_last_colour_goes(game):
    # YELLOW at 41 and GREEN at 43 are found stuck. BLUE still has its cross, so it is asked at
    # 44...
    state = play(
        position(game, 40, "1,X5;X5;X5;X5", board=_walled(), valid="BYG", last="G:skip"),
        "B:MONO@1,1",
    )
    assert (state.valid_colors, state.turn, state.is_over) == ((Color.BLUE,), 44, False)
    # ...and without the cross it goes as well, but the turn does not advance again.
    state = play(
        position(game, 40, "1;X5;X5;X5", board=_walled(), valid="BYG", last="G:skip"), "B:MONO@1,1"
    )
    assert (state.valid_colors, state.turn, state.is_over) == ((), 44, True)


@pytest.mark.parametrize("game", EVERY)
def test_b6_a_skip_does_not_drop_the_colour_and_the_same_seat_may_move_again(game):
    state = position(game, 40, "1,2;1;1,2;1", valid="BR", last="R:skip")
    state = play(state, "B:skip")
    assert (state.turn, state.seat, state.valid_colors) == (42, 0, (Color.BLUE, Color.RED))


# B7: which mistake is named


def test_b7_outside_before_covered_before_beside_before_corner():
    board = "/".join(["19B", "18Y1", *["20"] * 16, "20", "R18G"])
    state = position("blokus-2027", 40, "1,2,I3,L3;1;1;1", board=board)
    assert rule_of(state, "B:DOMINO@19,0") == "OUT_OF_BOUNDS"  # also covers (19, 0)
    assert rule_of(state, "B:TRIO_L@18,0") == "OBSTRUCTED"  # also beside (19, 0)
    assert rule_of(state, "B:MONO@18,0") == "TOUCHES_SAME_COLOR"  # and at no corner
    assert rule_of(state, "B:MONO@5,5") == "NO_SHARED_CORNER"


def test_b7_colour_before_piece_before_squares():
    state = position("blokus-2027", 40, "1;1;1;1")
    assert rule_of(state, "Y:PENTO_X@-5,0") == "WRONG_COLOR"
    assert rule_of(state, "B:PENTO_X@-5,0") == "DUPLICATE_SHAPE"
    start = SEASON["blokus-2027"].start(0, Piece.PENTO_L)
    assert rule_of(start, "B:PENTO_X@-5,0") == "WRONG_SHAPE"
    assert rule_of(start, "B:PENTO_L@-5,0") == "OUT_OF_BOUNDS"


# B8: scores


def test_b8_scores_come_from_the_hand():
    state = position(
        "blokus-2021", 40, "1;all;-;-", valid="-", board="/".join(["20"] * 20), mono="G"
    )
    assert [state.score(color) for color in Color] == [88, 0, 104, 109]


# B9: words of the season


def test_b9_the_wrong_colour_in_the_words_of_the_season():
    for name, german in (
        ("blokus-2021", "Die Farbe des Zuges ist nicht an der Reihe"),
        ("blokus-2021-official", "Die Farbe des Zuges ist nicht an der Reihe"),
        ("blokus-2027", "Nur eigene Spielfiguren können gezogen werden"),
        ("blokus-2027-documented", "Nur eigene Spielfiguren können gezogen werden"),
    ):
        with pytest.raises(RuleViolation) as caught:
            SEASON[name].start(0).play(SkipMove(Color.GREEN))
        assert caught.value.text.de == german


# B10: positions from outside


def test_b10_the_documents_own_example_is_a_position():
    cells = {(0, 0): Color.RED, (1, 3): Color.GREEN, (8, 6): Color.YELLOW, (5, 9): Color.BLUE}
    hands = (0, 0b1, 0b11, 0b1111)
    last = SetMove(Color.BLUE, Piece.MONO, Rotation.NONE, False, 0, 0)
    others = (Color.YELLOW, Color.RED, Color.GREEN)
    state = BlokusState.build(
        SEASON["blokus-2021"], cells, hands, others, 70, Piece.PENTO_L, last, 0b1
    )
    assert (state.color, state.round, state.is_over) == (Color.RED, 18, False)
    assert state.score(Color.BLUE) == 109
    assert play(state, "R:MONO@1,1").color is Color.GREEN


# B11: after the end


@pytest.mark.parametrize("game", EVERY)
def test_b11_a_move_after_the_end_is_refused(game):
    over = position(game, 40, "1;1;1;1", valid="-")
    assert over.is_over
    assert rule_of(over, "B:skip") == "GAME_OVER"


# B12: skipping


@pytest.mark.parametrize("game", EVERY)
def test_b12_skipping_is_always_allowed_after_the_first_move(game):
    state = position(game, 40, "1,2;1;1;1")
    after = play(state, "B:skip")
    assert (after.turn, after.boards, after.hands, after.valid) == (
        41,
        state.boards,
        state.hands,
        state.valid,
    )
    assert after.last_move == SkipMove(Color.BLUE)


# B13: a draw


def test_b13_equal_points_are_a_draw():
    outcome = position("blokus-2021", 40, "1;2;2;1", valid="-").outcome()
    assert (outcome.winner, [seat.points for seat in outcome.seats]) == (None, [1, 1])


# B20 to B22: what single servers of 2021 did differently (their recordings: test_recordings.py)


@pytest.mark.parametrize("game", EVERY)
def test_b20_the_last_turn_is_not_counted_on(game):
    state = play(position(game, 40, "1;1;1;1", valid="B", last="B:skip"), "B:MONO@1,1")
    assert (state.turn, state.valid_colors, state.is_over) == (44, (), True)


@pytest.mark.parametrize("game", EVERY)
@pytest.mark.parametrize(
    ("corner", "spot"), [((0, 18), (1, 19)), ((18, 0), (19, 1))], ids=["row", "column"]
)
def test_b21_the_last_row_and_column_count_as_room(game, corner, spot):
    # The other diagonal neighbour of the only blue square is taken, so the one at the edge is all
    # BLUE has.
    taken = (1, 17) if corner == (0, 18) else (17, 1)
    cells = {corner: Color.BLUE, taken: Color.YELLOW, (9, 9): Color.GREEN}
    state = BlokusState.build(
        SEASON[game],
        cells,
        (1, 1, 1, 3),
        (Color.BLUE, Color.GREEN),
        43,
        Piece.PENTO_L,
        SkipMove(Color.BLUE),
        0,
    )
    state = state.play(SkipMove(Color.GREEN))
    assert state.valid_colors == (Color.BLUE, Color.GREEN)
    assert state.legal_moves() == (
        SetMove(Color.BLUE, Piece.MONO, Rotation.NONE, False, *spot),
        SkipMove(Color.BLUE),
    )


@pytest.mark.parametrize("game", DOCUMENTED)
def test_b22_nobody_is_asked_after_25_rounds(game):
    state = position(game, 92, "1,2;1,2;1,2;1,2", last="G:skip")
    while not state.is_over:
        state = state.play(SkipMove(state.color))
    assert (state.turn, state.round) == (100, 26)


@pytest.mark.parametrize("revision", ["2021-newest", "2021-older", "2021-oldest"])
def test_b23_the_last_state_of_a_long_game_is_in_round_26(revision):
    state = position("blokus-2021", 99, "1,2;1,2;1,2;1,2", last="R:skip")
    end = state.play(SkipMove(Color.GREEN))
    assert end.is_over
    text = SEASON["blokus-2021"].codecs[revision].encode_state(end, ("A", "B"))
    assert ' turn="100" round="26" ' in text


def test_every_ruling_has_a_test():
    rulings = (Path(__file__).parents[3] / "docs" / "rulings.md").read_text(encoding="utf-8")
    numbers = re.findall(r"^\| B(\d+) \|", rulings, re.MULTILINE)
    assert numbers
    for number in numbers:
        assert any(name.startswith(f"test_b{number}_") for name in globals()), (
            f"ruling B{number} has no test"
        )
