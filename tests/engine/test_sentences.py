"""Three sentences about a match, in both languages, for every way in which a match ends."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from judging import random_match
from spielleiter.engine import Estimate, JudgedMove, Review, explain_review
from spielleiter.engine.verdicts import judge
from spielleiter.games.blokus import GAMES
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

GAME = GAMES[2]
SLIPS = (3.0, 7.0, 14.0)
STATES = random_match(GAME, 1)[:9]
NAMES = ("Ida", "Bob")


def slip(index: int, lost: float, lost_win: float = 0.0, remark: Text | None = None) -> JudgedMove:
    state = STATES[index]
    move, best = STATES[index + 1].last_move, state.legal_moves()[0]
    verdict = judge(lost, lost_win, SLIPS)
    here = Estimate(0.5, 0.0)
    there = Estimate(0.5 - lost_win, -lost)
    return JudgedMove(
        index, state.turn, state.seat, move, best, here, there, lost, lost_win, verdict, (), remark
    )


def make_review(wins: Sequence[float | None], *slips: JudgedMove) -> Review:
    """A review with a chance to win of seat 0 for each position, and some slips."""
    moves = {one.index: one for one in slips}
    return Review(
        GAME,
        1.0,
        SLIPS,
        tuple(state.turn for state in STATES),
        tuple(None if win is None else Estimate(win, 40 * win - 20) for win in wins),
        tuple(moves.get(index, slip(index, 0.0)) for index in range(len(STATES) - 1)),
    )


def ended(first: int, second: int, guilty: dict[int, Cause] | None = None) -> Outcome:
    causes = [(guilty or {}).get(seat, Cause.REGULAR) for seat in (0, 1)]
    points = [(2 * (first > second)), (2 * (second > first))]
    if guilty:
        points = [0 if seat in guilty else 2 for seat in (0, 1)]
    winner = points.index(2) if points.count(2) == 1 else None
    seats = tuple(
        SeatOutcome(point, (part,), cause)
        for point, part, cause in zip(points, (first, second), causes, strict=True)
    )
    return Outcome(seats, winner, "CODE", Text("", ""))


EVEN = [0.5] * 9
REMARK = Text("Blau hatte noch 14 Plätze", "Blue had 14 places left")


# How it went


@pytest.mark.parametrize(
    ("wins", "english", "german"),
    [
        (
            [0.5, 0.6, 0.7, 0.7, 0.8, 0.8, 0.9, 0.9, 1.0],
            " and was ahead all along.",
            " und lag immer vorn.",
        ),
        (
            [0.5, 0.45, 0.3, 0.25, 0.45, 0.8, 0.9, 0.9, 1.0],
            "; before that Bob was ahead (chance to win up to 75 %), last at turn 4.",
            "; davor lag Bob vorn (Gewinnchance bis zu 75 %), zuletzt in Zug 4.",
        ),
        (
            [0.5, 0.45, 0.55, 0.48, 0.6, 0.8, 0.9, 0.9, 1.0],
            "; until turn 3 it was even.",
            "; bis Zug 3 war es ausgeglichen.",
        ),
        ([None] * 9, ".", "."),
    ],
)
def test_who_won_and_when(wins: Any, english: str, german: str) -> None:
    said, *_ = explain_review(make_review(wins), NAMES, ended(120, 98))
    assert said.en == f"Ida won 120 : 98{english}"
    assert said.de == f"Ida hat mit 120 : 98 gewonnen{german}"


def test_the_winner_comes_first() -> None:
    said, *_ = explain_review(make_review(EVEN), NAMES, ended(98, 120))
    assert said.en.startswith("Bob won 120 : 98")


def test_a_draw() -> None:
    said, *_ = explain_review(make_review(EVEN), NAMES, ended(98, 98))
    assert said.en == "The match was drawn, 98 : 98."
    assert said.de == "Die Partie ging unentschieden aus, 98 : 98."


@pytest.mark.parametrize(
    ("cause", "english", "german"),
    [
        (Cause.RULE_VIOLATION, "broke a rule", "hat eine Regel gebrochen"),
        (Cause.SOFT_TIMEOUT, "took too long", "hat zu lange gebraucht"),
        (Cause.HARD_TIMEOUT, "did not answer any more", "hat nicht mehr geantwortet"),
        (Cause.LEFT, "left the match", "hat die Partie verlassen"),
    ],
)
def test_an_irregular_end(cause: Cause, english: str, german: str) -> None:
    wins = [*EVEN[:-1], 0.2]
    said, *_ = explain_review(make_review(wins), NAMES, ended(50, 40, {1: cause}))
    assert said.en == (
        f"Bob {english}, so it was over at turn 8; until then Bob was ahead (chance to win 80 %)."
    )
    assert said.de == (
        f"Bob {german}, deshalb war in Zug 8 Schluss; bis dahin lag Bob vorn (Gewinnchance 80 %)."
    )


def test_both_to_blame_in_an_even_match() -> None:
    outcome = ended(50, 40, {0: Cause.LEFT, 1: Cause.HARD_TIMEOUT})
    said, *_ = explain_review(make_review(EVEN), NAMES, outcome)
    assert said.en == (
        "Ida left the match and Bob did not answer any more, so it was over at turn 8; until then "
        "it was even."
    )


def test_a_recording_without_a_result() -> None:
    said, *_ = explain_review(make_review([0.5, 0.9, *[None] * 7]), NAMES, None)
    assert said.en == (
        "The recording ends at turn 8 without a result; until then Ida was ahead (chance to win "
        "90 %)."
    )


# The costliest move


def test_the_losers_costliest_move() -> None:
    review = make_review(EVEN, slip(2, 5.0), slip(3, 23.4, 0.2, REMARK), slip(5, 9.0))
    _, said, _ = explain_review(review, NAMES, ended(120, 98))
    move, best = (GAME.format_move(one) for one in (review.moves[3].move, review.moves[3].best))
    assert said.en == (
        f"Bob lost 23 points and 20 % of the chance to win at turn 3: {move} instead of {best}; "
        "Blue had 14 places left."
    )
    assert said.de == (
        f"Bob hat 23 Punkte und 20 % Gewinnchance in Zug 3 verloren: {move} statt {best}; Blau "
        "hatte noch 14 Plätze."
    )


def test_a_move_that_cost_the_win_and_hardly_a_point() -> None:
    review = make_review(EVEN, slip(3, 0.6, 0.31))
    _, said, _ = explain_review(review, NAMES, ended(120, 98))
    assert said.en.startswith("Bob lost 31 % of the chance to win at turn 3: ")


def test_somebody_who_made_no_slip() -> None:
    _, said, _ = explain_review(make_review(EVEN, slip(2, 9.0)), NAMES, ended(120, 98))
    assert said.en == "Bob made no move that cost 3 points or more."
    assert said.de == "Bob hat keinen Zug gemacht, der 3 Punkte oder mehr gekostet hat."


def test_without_a_winner_it_is_about_the_worst_move() -> None:
    review = make_review(EVEN, slip(2, 30.0), slip(3, 9.0))
    for outcome in (None, ended(98, 98)):
        _, said, _ = explain_review(review, NAMES, outcome)
        assert said.en.startswith("Ida lost 30 points at turn 2")


def test_nothing_was_judged() -> None:
    empty = Review(GAME, 1.0, SLIPS, (0, 1), (None, None), (None,))
    course, worst, total = explain_review(empty, NAMES, None)
    assert course.en == "The recording ends at turn 1 without a result."
    assert worst.en == "No move of Ida was judged."
    assert total.en == "In all Ida gave away nothing; Bob gave away nothing."


# What was given away


def test_the_sum_with_its_kinds_and_when() -> None:
    review = make_review(EVEN, slip(1, 4.0), slip(5, 20.4), slip(7, 15.0), slip(2, 8.0))
    *_, said = explain_review(review, NAMES, ended(120, 98))
    assert said.en == (
        "In all Bob gave away 39 points (2 blunders, 1 inaccuracy), most of it in the middle; Ida "
        "gave away 8 (1 mistake)."
    )
    assert said.de == (
        "Insgesamt hat Bob 39 Punkte verschenkt (2 grobe Fehler, 1 Ungenauigkeit), das meiste in "
        "der Mitte; bei Ida waren es 8 (1 Fehler)."
    )


def test_of_a_part_nothing_is_said_about_the_whole() -> None:
    wins = [0.5, 0.45, 0.3, 0.25, 0.45, 0.8, 0.9, 0.9, 1.0]
    part = replace(make_review(wins, slip(5, 20.0)), is_complete=False)
    course, _, total = explain_review(part, NAMES, ended(120, 98))
    assert course.en == "Ida won 120 : 98."
    assert total.en == (
        "In the moves that were judged Bob gave away 20 points (1 blunder); Ida gave away nothing."
    )
    assert total.de == (
        "In den bewerteten Zügen hat Bob 20 Punkte verschenkt (1 grober Fehler); bei Ida war es "
        "nichts."
    )


# Who is spoken to, and names


@pytest.mark.parametrize("you", [0, 1])
@pytest.mark.parametrize("outcome", [ended(120, 98), ended(98, 120), ended(1, 2, {0: Cause.LEFT})])
def test_you_are_spoken_to(you: int, outcome: Outcome) -> None:
    wins = [0.5, 0.3, 0.3, 0.7, 0.7, 0.3, 0.7, 0.3, 0.1]
    review = make_review(wins, slip(2, 9.0), slip(3, 10.0))
    said = explain_review(review, NAMES, outcome, you=you)
    text = " ".join(f" {one.en} {one.de} " for one in said)
    assert NAMES[you] not in text
    assert NAMES[1 - you] in text
    assert said[1].en.startswith(f"You lost {9 + you} points at turn {2 + you}: ")
    assert said[1].de.startswith(f"Du hast {9 + you} Punkte in Zug {2 + you} verloren: ")
    assert not re.search(r"\b(du hat|hast Bob|hast Ida|you was|You was|Du hat|lag du)\b", text)


def test_who_has_no_name_or_the_same_is_called_by_the_seat() -> None:
    said, *_ = explain_review(make_review(EVEN), ("", " "), ended(120, 98))
    assert said.de.startswith("Blau und Rot hat mit")
    said, *_ = explain_review(make_review(EVEN), ("bot", "bot"), ended(120, 98))
    assert said.en.startswith("bot (Blue and Red) won 120 : 98")


def test_every_sentence_is_one() -> None:
    review = make_review(EVEN, slip(2, 9.0, remark=REMARK), slip(3, 10.0, 0.3, REMARK))
    for outcome in (None, ended(120, 98), ended(98, 98), ended(1, 2, {1: Cause.LEFT})):
        for said in explain_review(review, NAMES, outcome):
            for text in said:
                assert text.endswith(".")
                assert ". " not in text
                assert "  " not in text
