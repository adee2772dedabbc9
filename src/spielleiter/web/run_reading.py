"""Read runs and single matches of them from databases. For use in a thread behind the loop."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from spielleiter.arena.results.collection import Collection
from spielleiter.arena.results.reading import collect
from spielleiter.arena.store.errors import StoreError
from spielleiter.arena.store.reader import RunPlace, StoreReader
from spielleiter.arena.store.replay import record_of
from spielleiter.arena.store.values import StoredMatch
from spielleiter.arena.thoughts import Thoughts, parse_thoughts
from spielleiter.match import MoveRecord
from spielleiter.rules import one_line
from spielleiter.web.answers import NO_MATCH, Mistake
from spielleiter.web.recordings import story_of_record
from spielleiter.web.run_telling import match_id_of, run_id_of, tell_run, tell_summary
from spielleiter.web.story import MatchStory, OutputLine
from spielleiter.web.telling import dump


@dataclass(frozen=True, slots=True)
class KnownRun:
    """A run as it was read last."""

    id: str
    path: Path
    stored_id: int
    collection: Collection
    created_at: datetime
    played: int
    summary: str
    whole: str


def read_runs(path: Path) -> tuple[tuple[KnownRun, ...], str]:
    """Return the runs in a database, or else what is wrong with it."""
    try:
        return tuple(_read_runs(path)), ""
    except StoreError as error:
        # Where it is on this machine is nobody's business.
        fault = error.fault.name.lower().replace("_", " ")
        return (), one_line(f"{path.parent.name}: {fault}")


def _read_runs(path: Path) -> Iterator[KnownRun]:
    with StoreReader(path) as reader:
        for stored in reader.runs():
            collection = collect(RunPlace(reader, stored))
            whole = dump(tell_run(collection))
            yield KnownRun(
                run_id_of(stored.run.key),
                path,
                stored.id,
                collection,
                stored.run.created_at,
                len(collection.matches),
                dump(tell_summary(collection)),
                whole,
            )


# One match


def read_story(run: KnownRun, number: int, now: Callable[[], float]) -> MatchStory:
    """Return one match of a run. Raises Mistake."""
    try:
        with StoreReader(run.path) as reader:
            match = reader.match(run.stored_id, number)
            record = record_of(reader, match, notes=False)
            kept = _thoughts(reader, match)

            def thoughts(move: MoveRecord) -> Thoughts | None:
                return kept.get((move.seat, move.turn))

            control = run.collection.runs[0].tally.plan.time
            story = story_of_record(
                record,
                match_id_of(run.id, number),
                now=now,
                limit=None if control is None else control.soft,
                thoughts=thoughts,
            )
            _add_output(story, reader, match)
            return story
    except StoreError:
        raise Mistake(404, NO_MATCH) from None


def _thoughts(reader: StoreReader, match: StoredMatch) -> dict[tuple[int, int], Thoughts]:
    kept: dict[tuple[int, int], Thoughts] = {}
    for note in reader.notes(match):
        thoughts = parse_thoughts(note.content)
        if thoughts is not None and not thoughts.after_the_end:
            kept[note.seat, thoughts.turn] = thoughts
    return kept


def _add_output(story: MatchStory, reader: StoreReader, match: StoredMatch) -> None:
    """Put what the bots printed beside the positions of the turns in which they did."""
    turns = [state.turn for state in story.positions]
    last = len(turns) - 1
    for line in reader.outputs(match):
        index = last
        if line.turn is not None:
            index = next((at for at, turn in enumerate(turns) if turn >= line.turn), last)
        text = one_line(line.text)
        story.output.append(OutputLine(line.seat, line.stream, text, max(0, index)))
        story.printed += 1
