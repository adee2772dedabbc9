"""Why a match ended is one sentence in both languages, with the squares at fault."""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielleiter.replays import RecordedComplaint
from spielleiter.rules import Cause, RuleViolation, Text
from spielleiter.web.endings import CANCELLED, describe_fault, make_ending
from web.browsing import BLOKUS, new_story


@pytest.mark.parametrize(
    ("cause", "en", "de"),
    [
        (Cause.LEFT, "Turn 2: A left the game.", "Zug 2: A hat die Partie verlassen."),
        (Cause.HARD_TIMEOUT, "Turn 2: A did not move in time.", "Zug 2: A zog nicht rechtzeitig."),
        (Cause.SOFT_TIMEOUT, "Turn 2: A did not move in time.", "Zug 2: A zog nicht rechtzeitig."),
        (Cause.RULE_VIOLATION, "Turn 2: A lost: why.", "Zug 2: A hat verloren: warum."),
    ],
)
def test_what_was_done_wrong_is_told_with_the_turn(cause: Cause, en: str, de: str) -> None:
    story = new_story(count=2)
    outcome = story.positions[-1].outcome().forfeit(0, cause, Text("warum", "why"))
    ending = make_ending(story, outcome)
    assert (ending.reason.en, ending.reason.de) == (en, de)
    assert ending.index == 2


def test_a_match_that_was_cancelled_does_not_say_that_it_runs() -> None:
    story = new_story(count=2)
    ending = make_ending(story, story.positions[-1].outcome())
    assert ending.reason == CANCELLED
    told = replace(story.positions[-1].outcome(), reason=Text("weil", "because"))
    assert make_ending(story, told).reason == Text("weil", "because")


def test_a_reason_from_outside_is_one_harmless_line() -> None:
    story = new_story()
    text = Text("a\n\x1b[31mb" + "c" * 5000, "d\u202ee" * 3)
    outcome = story.positions[0].outcome().forfeit(1, Cause.RULE_VIOLATION, text)
    reason = make_ending(story, outcome).reason
    assert "\n" not in reason.de
    assert "\x1b" not in reason.de
    assert "\u202e" not in reason.en
    assert len(reason.de) < 600


def test_the_squares_at_fault_come_from_the_game() -> None:
    state = BLOKUS.start(1)
    piece = state.start_piece.name
    outside, nowhere = (BLOKUS.parse_move(f"B:{piece}@{place}") for place in ("19,0", "7,7"))
    with pytest.raises(RuleViolation) as caught:
        state.play(outside)
    fault = describe_fault(state, RecordedComplaint(0, caught.value, outside))
    assert (fault.rule, fault.move) == ("OUT_OF_BOUNDS", BLOKUS.format_move(outside))
    assert fault.cells
    assert all(x > 19 for x, _ in fault.cells)
    assert BLOKUS.cells_at_fault(state, nowhere) == nowhere.cells
    assert BLOKUS.cells_at_fault(state, state.legal_moves()[0]) == ()
