"""The gallery shows what happens on a server, as stories, and not too many of them."""

from __future__ import annotations

import pytest

from server.stage import Stage
from server.test_feed import prepare, send_move, sit
from spielleiter.web.gallery import FeedReader, Gallery
from spielleiter.web.story import Change, ChangeKind, MatchStory, StoryPhase
from web.browsing import new_story


def gallery_of(stage: Stage, **options: int) -> Gallery:
    gallery = Gallery(now=stage.server.services.clock.now, limit=2.0, **options)
    FeedReader(gallery, stage.server)
    return gallery


def test_a_match_from_its_opening_to_its_end() -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo")
    story = gallery.stories[room.id]
    assert (story.names, story.phase) == (("Ada", "Bo"), StoryPhase.WAITING)
    assert list(story.reservations) == room.reservation_codes
    lines = sit(stage, room)
    assert story.phase is StoryPhase.RUNNING
    assert [seat.joined for seat in story.seats] == [True, True]
    assert (len(story.positions), story.asked, story.limit) == (1, 0, 2.0)
    send_move(room, lines[0])
    assert [move.hints for move in story.moves] == [("so",)]
    assert story.asked == 1
    lines[1].hang_up()
    assert story.phase is StoryPhase.ENDED
    assert story.ending is not None
    assert story.ending.reason.en == "Turn 1: Bo left the game."
    assert story.ending.index == 1
    assert gallery.get(room.id) is story


def test_a_move_that_breaks_a_rule_is_shown_with_it() -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo")
    lines = sit(stage, room)
    codec = room.codecs[room.revision]
    move = room.game.parse_move("A60")
    send_move(room, lines[0], codec.encode_move(move))
    ending = gallery.stories[room.id].ending
    assert ending is not None
    assert ending.fault is not None
    assert (ending.fault.seat, ending.fault.move, ending.index) == (0, "A60", 0)
    assert ending.reason.en.startswith("Turn 0: Ada broke a rule: ")
    assert ending.reason.de.startswith("Zug 0: Ada brach eine Regel: ")


def test_a_move_that_comes_too_late_is_told_with_its_seconds() -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo")
    lines = sit(stage, room)
    stage.time.advance(2.04)
    send_move(room, lines[0])
    ending = gallery.stories[room.id].ending
    assert ending is not None
    assert ending.reason.en == "Turn 0: Ada took 2.04 s, 2 s are allowed."
    assert ending.reason.de == "Zug 0: Ada brauchte 2,04 s, erlaubt sind 2 s."


def test_a_match_without_a_clock_has_no_limit() -> None:
    stage = Stage(no_timeout=True)
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo")
    assert gallery.stories[room.id].limit is None


def test_pausing_is_seen() -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo", paused=True)
    story = gallery.stories[room.id]
    assert story.phase is StoryPhase.PAUSED
    sit(stage, room)
    assert (story.phase, len(story.positions)) == (StoryPhase.PAUSED, 1)
    room.pause(False)
    assert (story.phase, len(story.positions)) == (StoryPhase.RUNNING, 1)


def test_rooms_that_are_there_already_are_shown_as_they_stand() -> None:
    stage = Stage()
    room = prepare(stage, "Ada", "Bo")
    lines = sit(stage, room)
    send_move(room, lines[0])
    story = gallery_of(stage).stories[room.id]
    assert (len(story.positions), len(story.moves)) == (2, 1)
    assert story.phase is StoryPhase.RUNNING


def test_a_room_that_is_given_up_before_its_match_is_gone() -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, "Ada", "Bo")
    told: list[tuple[MatchStory, Change]] = []
    gallery.hearers.append(lambda story, change: told.append((story, change)))
    room.cancel()
    assert not gallery.stories
    assert told[-1][1].kind is ChangeKind.GONE


def test_the_oldest_that_are_over_make_room() -> None:
    gallery = Gallery(most_ended=2)
    for number in range(4):
        story = new_story(name=str(number))
        gallery.add(story)
        if number != 1:
            story.finish(None)
    assert list(gallery.stories) == ["1", "2", "3"]


def test_more_matches_than_the_page_can_show_are_played_without_it() -> None:
    stage = Stage()
    gallery = gallery_of(stage, most_live=2)
    rooms = [prepare(stage, "Ada", "Bo") for _ in range(3)]
    assert list(gallery.stories) == [room.id for room in rooms[:2]]
    rooms[0].cancel()
    again = prepare(stage, "Ada", "Bo")
    assert list(gallery.stories) == [rooms[1].id, again.id]
    lines = sit(stage, rooms[2])
    send_move(rooms[2], lines[0])
    assert len(rooms[2].record.shown) == 2


@pytest.mark.parametrize("name", ["", "<script>alert(1)</script>", "x" * 99])
def test_names_are_kept_as_they_are(name: str) -> None:
    stage = Stage()
    gallery = gallery_of(stage)
    room = prepare(stage, name, "Bo")
    assert gallery.stories[room.id].names[0] == name
