"""The curve and the list of an analysis, in every width and with plain characters, too."""

from __future__ import annotations

import click
import pytest

from judging import random_match
from spielleiter.cli.analysis_text import HALF, MARGIN, draw_curve, list_moves
from spielleiter.engine import Estimate, JudgedMove, Review, Verdict
from spielleiter.games.blokus import GAMES

GAME = GAMES[0]
STATES = random_match(GAME, 2)
NAMES = ("Ida", "")


def judged(index: int, verdict: Verdict, lost: float) -> JudgedMove:
    state = STATES[index]
    move, best = STATES[index + 1].last_move, state.legal_moves()[0]
    here, there = Estimate(0.5, 1.25), Estimate(0.4, -3.0)
    return JudgedMove(
        index, state.turn, state.seat, move, best, here, there, lost, 0.1, verdict, ()
    )


def make_review(points: list[float | None], verdicts: dict[int, Verdict]) -> Review:
    moves = tuple(
        judged(index, verdicts[index], 5.0) if index in verdicts else None
        for index in range(len(points) - 1)
    )
    estimates = tuple(None if one is None else Estimate(0.5, one) for one in points)
    turns = tuple(state.turn for state in STATES[: len(points)])
    return Review(GAME, 1.0, (3.0, 7.0, 14.0), turns, estimates, moves)


def test_up_is_the_first_player_and_down_the_second() -> None:
    review = make_review([0.0, 20.0, 10.0, -20.0, -10.0, None], {})
    lines = [line.en for line in draw_curve(review, NAMES, 80, fancy=True)]
    assert lines[: 2 * HALF + 1] == [
        "  +20│ █",
        "     │ █",
        "     │ ██",
        "     │ ██",
        "    0│──────",
        "     │   ██",
        "     │   ██",
        "     │   █",
        "  -20│   █",
    ]


def test_half_steps_and_plain_characters() -> None:
    review = make_review([2.5, -2.5, 1.25, -1.25], {})
    fancy = [line.en[MARGIN:] for line in draw_curve(review, NAMES, 80, fancy=True)]
    plain = [line.en[MARGIN:] for line in draw_curve(review, NAMES, 80, fancy=False)]
    assert (fancy[HALF - 1], fancy[HALF + 1]) == ("█ ▄", " █ ▀")
    assert (plain[HALF - 1], plain[HALF], plain[HALF + 1]) == ("# .", "----", " # '")
    assert all(line.isascii() for line in plain[:-1])


def test_marks_stand_below_the_position_that_a_move_led_to() -> None:
    verdicts = {0: Verdict.BLUNDER, 2: Verdict.INACCURACY, 3: Verdict.GOOD, 4: Verdict.MISTAKE}
    review = make_review([0.0] * 6, verdicts)
    marks = draw_curve(review, NAMES, 80, fancy=True)[2 * HALF + 1]
    assert marks.de[MARGIN:] == " B i m"


@pytest.mark.parametrize("width", [10, 26, 40, 66, 200])
def test_it_fits_into_any_width(width: int) -> None:
    review = make_review([float(index % 7) for index in range(len(STATES))], {3: Verdict.BLUNDER})
    *lines, _ = draw_curve(review, NAMES, width, fancy=True)
    assert max(len(line.en) for line in lines) <= max(width, 26)
    assert any("B" in line.en for line in lines)


def test_who_is_up_and_down_is_said_in_both_languages() -> None:
    legend = draw_curve(make_review([0.0, 0.0], {}), NAMES, 80, fancy=True)[-1]
    assert "(points), Ida above, Yellow and Green below" in legend.en
    assert "(Punkte), oben Ida, unten Gelb und Grün" in legend.de


def test_a_line_for_each_judged_move() -> None:
    review = make_review([0.0] * 5, {1: Verdict.BLUNDER, 3: Verdict.GOOD})
    head, first, second = (click.unstyle(line) for line in list_moves(review, NAMES, "en"))
    assert head.split() == [
        "turn",
        "player",
        "played",
        "before",
        "after",
        "lost",
        "verdict",
        "best",
        "move",
    ]
    assert first.split()[:4] == ["1", "Yellow", "and", "Green"]
    assert "?? blunder" in first
    assert "+1.2  50 %" in first
    assert "-3.0  40 %" in first
    assert second.split()[0] == "3"
    german = [click.unstyle(line) for line in list_moves(review, NAMES, "de")]
    assert "?? grober Fehler" in german[1]
    assert "-3,0" in german[1]


def test_names_from_outside_are_harmless() -> None:
    review = make_review([0.0] * 3, {0: Verdict.MISTAKE, 1: Verdict.MISTAKE})
    text = "\n".join(list_moves(review, ("\x1b[2Jevil\n", "x" * 300), "en"))
    assert "\x1b[2J" not in text
    assert "xxx…" in text
    assert len(text.splitlines()) == 3
