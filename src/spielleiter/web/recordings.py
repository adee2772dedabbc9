"""Make stories of matches that are over, from a replay file or from the record of a match."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from spielleiter.arena.thoughts import Thoughts
from spielleiter.match import MoveRecord
from spielleiter.replays import MatchRecord, RecordedComplaint, RecordedMatch
from spielleiter.rules import RuleViolation, one_line
from spielleiter.web.endings import describe_fault, end_of_record, make_ending
from spielleiter.web.replay_words import in_both
from spielleiter.web.story import MatchStory, RefusedMove, Source, StoryPhase, StorySeat, shown_name

LONGEST_NOTE = 300


def story_of_recording(
    recorded: RecordedMatch, story_id: str, *, now: Callable[[], float], data: bytes | None = None
) -> MatchStory:
    """Return the match of a replay file. ``data`` is the file itself, to be downloaded again."""
    story = MatchStory(
        story_id,
        recorded.game,
        # A recording that is cut off knows no names.
        [
            StorySeat(shown_name(name or title.en), joined=True)
            for name, title in zip(recorded.names, recorded.game.seat_names, strict=True)
        ],
        Source.FILE,
        now,
        notes=tuple(in_both(one_line(note, LONGEST_NOTE)) for note in recorded.notes),
        record=data,
    )
    for position in recorded.positions:
        story.add_position(position.state)
        if story.moves:
            story.moves[-1] = replace(
                story.moves[-1], seconds=position.seconds, hints=position.hints
            )
    ending = None
    if recorded.outcome is not None:
        ending = make_ending(story, recorded.outcome, fault=_fault(recorded))
    story.phase, story.ending = StoryPhase.ENDED, ending
    return story


def _fault(recorded: RecordedMatch) -> RefusedMove | None:
    """Return the refused move of a recording, if it is there and the rules refuse it, too."""
    state, move, outcome = recorded.positions[-1].state, recorded.refused, recorded.outcome
    if move is None or outcome is None or outcome.is_regular:
        return None
    try:
        state.play(move)
    except RuleViolation as violation:
        return describe_fault(state, RecordedComplaint(state.seat, violation, move))
    return None


def story_of_record(
    record: MatchRecord,
    story_id: str,
    *,
    now: Callable[[], float],
    source: Source = Source.RUN,
    limit: float | None = None,
    thoughts: Callable[[MoveRecord], Thoughts | None] | None = None,
) -> MatchStory:
    """Return a match of which the record is there. ``thoughts`` finds what belongs to a move."""
    names = record.names or tuple(name.en for name in record.game.seat_names)
    story = MatchStory(
        story_id,
        record.game,
        [StorySeat(shown_name(name), joined=True) for name in names],
        source,
        now,
        limit=limit,
        record=record,
    )
    # Positions before the first move may be those of an opening, which nobody played.
    before = max(1, len(record.shown) - len(record.moves))
    moves: list[MoveRecord | None] = [*[None] * before, *record.moves]
    for shown, move in zip(record.shown, moves, strict=False):
        story.add_position(shown.state, move)
        kept = None if move is None or thoughts is None else thoughts(move)
        if move is not None and kept is not None:
            story.add_thoughts(move.turn, move.seat, kept)
    story.phase, story.ending = StoryPhase.ENDED, end_of_record(story, record)
    return story
