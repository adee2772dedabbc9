"""A story keeps what happened in a match and tells whoever listens."""

from __future__ import annotations

from spielleiter.arena.thoughts import Thoughts
from spielleiter.web.story import (
    MOST_OUTPUT,
    Change,
    ChangeKind,
    MatchStory,
    StoryPhase,
    shown_name,
)
from web.browsing import BLOKUS, HARE, add_move, new_story


def told(story: MatchStory) -> list[Change]:
    changes: list[Change] = []
    story.hearers.append(lambda _, change: changes.append(change))
    return changes


def test_positions_and_moves_are_kept_in_order() -> None:
    story = new_story(count=2)
    assert [move.notation for move in story.moves] == [
        BLOKUS.format_move(state.last_move) for state in story.positions[1:]
    ]
    assert [(move.turn, move.seat, move.seconds) for move in story.moves] == [
        (0, 0, 0.25),
        (1, 1, 0.25),
    ]
    assert story.moves[0].hints == ("so",)


def test_a_position_without_a_record_has_the_move_that_it_shows() -> None:
    story = new_story(HARE)
    state = story.positions[0]
    story.add_position(state.play(state.legal_moves()[0]))
    assert story.moves[0].notation == HARE.format_move(state.legal_moves()[0])
    assert story.moves[0].seconds is None


def test_every_change_is_told_once() -> None:
    story = new_story()
    changes = told(story)
    add_move(story)
    story.ask(1)
    story.pause(True)
    story.pause(False)
    story.add_output(0, "stdout", "hello")
    story.finish(None)
    assert [change.kind for change in changes] == [
        ChangeKind.POSITION,
        ChangeKind.ASKED,
        ChangeKind.PAUSED,
        ChangeKind.PAUSED,
        ChangeKind.OUTPUT,
        ChangeKind.ENDED,
    ]


def test_who_is_asked_is_known_until_the_move() -> None:
    story = new_story()
    story.ask(0)
    assert (story.asked, story.asked_at) == (0, 100.0)
    add_move(story)
    assert story.asked is None


def test_a_paused_match_goes_on_and_one_that_is_over_stays_so() -> None:
    story = new_story()
    story.pause(True)
    assert story.phase is StoryPhase.PAUSED
    story.pause(False)
    assert story.phase is StoryPhase.RUNNING
    story.finish(None)
    story.pause(True)
    assert story.phase is StoryPhase.ENDED


def test_thoughts_go_to_the_move_of_their_turn() -> None:
    story = new_story(count=3)
    changes = told(story)
    story.add_thoughts(1, 1, Thoughts(1, ("why",)))
    assert [move.thoughts and move.thoughts.notes for move in story.moves] == [None, ("why",), None]
    story.add_thoughts(77, 1, Thoughts(77, ("lost",)))
    assert changes == [Change(ChangeKind.THOUGHTS, 1)]


def test_output_stands_beside_the_position_at_which_it_came_and_is_harmless() -> None:
    story = new_story(count=2)
    story.add_output(1, "stderr", "\x1b[31mred\x1b[0m <b>\u202e" + "x" * 1000)
    line = story.output[0]
    assert (line.seat, line.stream, line.index) == (1, "stderr", 2)
    assert line.text.startswith("red <b>\ufffd")
    assert len(line.text) < 600
    for number in range(MOST_OUTPUT + 5):
        story.add_output(0, "stdout", str(number))
    assert (len(story.output), story.printed) == (MOST_OUTPUT, MOST_OUTPUT + 6)


def test_who_has_no_name_is_called_as_the_game_calls_the_seat() -> None:
    story = new_story()
    story.seats[1].name = ""
    assert (story.called(0).en, story.called(1).en) == ("A", "Yellow and Green")
    assert len(shown_name("n" * 5000)) <= 101
