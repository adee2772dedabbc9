"""The last line of a bot, for every way a game can end."""

from __future__ import annotations

import pytest

from spielleiter.client.results import FAULTS, describe_loss, describe_result
from spielleiter.games import get_game
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text

STATE = get_game("blokus-2027").start(1)
GERMAN = Text("ONE hat am meisten Punkte erzielt.", "")


def outcome(winner: int | None, *parts: int) -> Outcome:
    return Outcome(tuple(SeatOutcome(1, (part,)) for part in parts), winner, "", GERMAN)


@pytest.mark.parametrize(
    ("winner", "seat", "said"),
    [
        (0, 0, "won, 30 : 20."),
        (0, 1, "lost, 20 : 30."),
        (1, 1, "won, 20 : 30."),
        (None, 1, "draw, 20 : 30."),
        (1, None, "seat 1 has won, 20 : 30."),
    ],
)
def test_our_own_numbers_come_first(winner: int | None, seat: int | None, said: str) -> None:
    assert describe_result(outcome(winner, 30, 20), seat, STATE) == said


def test_a_finished_game_says_why_it_ended() -> None:
    state = STATE
    while not state.is_over:
        state = state.play(state.legal_moves()[-1])
    said = describe_result(state.outcome(), 0, state)
    assert said.endswith(f". {state.outcome().reason.en}")


@pytest.mark.parametrize("cause", FAULTS)
def test_every_fault_has_words(cause: Cause) -> None:
    won = outcome(0, 5, 5).forfeit(1, cause, GERMAN)
    assert (
        describe_result(won, 0, STATE)
        == f"won, 5 : 5. The opponent {FAULTS[cause]} ({cause.value})."
    )
    assert (
        describe_result(won, None, None)
        == f"seat 0 has won. Seat 1 {FAULTS[cause]} ({cause.value})."
    )
    assert describe_loss("mine", cause) == f"!!! mine has lost: it {FAULTS[cause]} ({cause.value})"


def test_no_cause_was_forgotten() -> None:
    assert {*FAULTS, Cause.REGULAR} == set(Cause)
