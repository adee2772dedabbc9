"""Recordings of every season and records of matches become stories."""

from __future__ import annotations

import pytest

import recorded
from server.stage import Stage
from server.test_feed import prepare, send_move, sit
from spielleiter.arena.thoughts import Thoughts
from spielleiter.replays import parse_replay, read_replay
from spielleiter.web.recordings import story_of_record, story_of_recording
from spielleiter.web.story import MatchStory, Source, StoryPhase
from spielleiter.web.telling import Teller

REPLAYS = [path for version in recorded.versions() for path in recorded.replays(version)]


def now() -> float:
    return 0.0


def story_of(version: str, scenario: str) -> MatchStory:
    data = recorded.text(version, scenario, "admin", "server").encode()
    return story_of_recording(parse_replay(data, "x"), "one", now=now)


@pytest.mark.parametrize("path", REPLAYS, ids=lambda path: path.name)
def test_official_replays_of_every_season(path) -> None:
    match = read_replay(path)
    story = story_of_recording(match, "one", now=now, data=path.read_bytes())
    assert story.positions == [position.state for position in match.positions]
    assert (story.phase, story.source) == (StoryPhase.ENDED, Source.FILE)
    assert all(move.notation for move in story.moves)
    assert story.ending is not None
    assert story.ending.outcome == match.outcome
    assert Teller().match(story)


@pytest.mark.parametrize("version", ["18.2.6", "21.0.3", "21.4.0", "27.0.4"])
def test_who_left_is_told(version: str) -> None:
    ending = story_of(version, "leave-mid-game").ending
    assert ending is not None
    assert not ending.outcome.is_regular
    assert "left the game" in ending.reason.en


@pytest.mark.parametrize(
    ("version", "scenario", "rule", "cells"),
    [
        ("21.4.0", "violation-no-corner", "NO_SHARED_CORNER", True),
        ("27.0.4", "violation-overlap", "OBSTRUCTED", True),
        ("27.0.4", "violation-out-of-board", "OUT_OF_BOUNDS", True),
        ("18.2.6", "violation-advance-too-far", "", False),
    ],
)
def test_a_refused_move_is_shown_with_its_rule_and_squares(
    version: str, scenario: str, rule: str, cells: bool
) -> None:
    story = story_of(version, scenario)
    assert story.ending is not None
    fault = story.ending.fault
    assert fault is not None
    assert fault.rule == rule or not rule
    assert bool(fault.cells) is cells
    assert "broke a rule" in story.ending.reason.en
    assert story.ending.index == len(story.positions) - 1


def test_a_cut_recording_is_a_match_without_an_end() -> None:
    data = recorded.text("27.0.4", "leave-mid-game", "admin", "server").encode()
    story = story_of_recording(parse_replay(data[: len(data) // 2], "x"), "one", now=now)
    assert (story.phase, story.ending) == (StoryPhase.ENDED, None)
    assert story.positions
    assert story.notes


def test_a_record_with_what_the_bots_thought() -> None:
    stage = Stage()
    room = prepare(stage, "Ada", "Bo")
    lines = sit(stage, room)
    send_move(room, lines[0])
    lines[1].hang_up()
    story = story_of_record(
        stage.records[0], "one", now=now, limit=2.0, thoughts=lambda move: Thoughts(move.turn)
    )
    assert (story.source, story.names) == (Source.RUN, ("Ada", "Bo"))
    assert [move.thoughts for move in story.moves] == [Thoughts(0)]
    assert story.ending is not None
    assert story.ending.reason.en == "Turn 1: Bo left the game."
