"""Check whether a recorded match is one by the rules.

Every move is played again, and every position and the result are compared. What official servers
are known to do differently is noted and does not count as a difference (see ``Game.deviations``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from spielleiter.replays.deviations import explain_cause
from spielleiter.replays.reader import RecordedMatch
from spielleiter.replays.steps import play_recorded
from spielleiter.rules import LOSS, AnyState, Cause, Outcome, RuleViolation
from spielleiter.wire.codec import AnyCodec
from spielleiter.wire.elements import Element, encode_element
from spielleiter.wire.stream import parse_element

_NOTHING = "nothing"
_MOST_PER_POSITION = 8
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that is not as the rules have it. ``where`` names turn and place."""

    where: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.where}: expected {self.expected}, found {self.found}"


@dataclass(frozen=True, slots=True)
class Verification:
    """What comparing a recorded game with the rules gave. ``checked`` counts positions."""

    recorded: RecordedMatch
    checked: int
    differences: tuple[Difference, ...]
    notes: tuple[str, ...]


def verify(recorded: RecordedMatch) -> Verification:
    """Play the game again.

    After a difference the recording is believed, so that one fault is reported once.
    """
    states = [position.state for position in recorded.positions]
    differences: list[Difference] = []
    explained: Counter[str] = Counter()
    if states[0].turn == 0 and states[0].last_move is not None:
        differences.append(
            Difference("turn 0", "no last move at the start", _shown(str(states[0].last_move)))
        )
    for before, after in pairwise(states):
        result = play_recorded(before, after)
        if result == after:
            continue
        reasons = recorded.codec.game.deviations.explain_step(
            recorded.codec.revision, before, after
        )
        if reasons is None:
            differences += _step_differences(recorded.codec, before, after, result)
        else:
            explained.update(reasons)
    if recorded.outcome is not None:
        differences += _result_differences(recorded, states[-1], recorded.outcome, explained)
    if recorded.damage is not None:
        differences.append(Difference("file", "a whole recording", recorded.damage))
    notes = [note for note in recorded.notes if note != recorded.damage]
    if recorded.variant_note is not None:
        notes.append(recorded.variant_note)
    notes += [
        reason if count == 1 else f"{reason} ({count} x)" for reason, count in explained.items()
    ]
    return Verification(recorded, len(states), tuple(differences), tuple(notes))


# Positions ----------------------------------------------------------------------------------------


def _step_differences(
    codec: AnyCodec,
    before: AnyState,
    after: AnyState,
    result: AnyState | RuleViolation | None,
) -> list[Difference]:
    where = f"turn {before.turn} to {after.turn}"
    if result is None:
        return [Difference(where, "a move that leads there", "a position without a last move")]
    move = _shown(codec.game.format_move(after.last_move))
    if isinstance(result, RuleViolation):
        return [Difference(where, "a legal move", f"{move}: {result}")]
    names = ("",) * codec.game.seats
    expected, found = (parse_element(codec.encode_state(state, names)) for state in (result, after))
    differences = list(
        _element_differences(where + f", after {move}", expected.tag, expected, found)
    )
    if len(differences) > _MOST_PER_POSITION:
        left = len(differences) - _MOST_PER_POSITION
        differences[_MOST_PER_POSITION:] = [
            Difference(where, _NOTHING, f"{left} more differences in this position")
        ]
    if not differences:  # something the wire does not show
        differences = [Difference(where, _shown(repr(result)), _shown(repr(after)))]
    return differences


def _element_differences(
    where: str, path: str, expected: Element, found: Element
) -> Iterator[Difference]:
    """Compare two elements in attributes, text and children.

    The order of children of one name does not matter.
    """
    for name in dict.fromkeys((*expected.attributes, *found.attributes)):
        wanted, got = expected.get(name), found.get(name)
        if wanted != got:
            yield Difference(f"{where}: {path}@{name}", wanted or _NOTHING, got or _NOTHING)
    if expected.text.strip() != found.text.strip():
        yield Difference(
            f"{where}: {path}", expected.text.strip() or _NOTHING, found.text.strip() or _NOTHING
        )
    for tag in dict.fromkeys(child.tag for child in (*expected.children, *found.children)):
        wanted_all, got_all = list(expected.all(tag)), list(found.all(tag))
        if len(wanted_all) == len(got_all) == 1:
            yield from _element_differences(where, f"{path}/{tag}", wanted_all[0], got_all[0])
            continue
        wanted_texts, got_texts = (
            Counter(map(encode_element, each)) for each in (wanted_all, got_all)
        )
        for text in (wanted_texts - got_texts).elements():
            yield Difference(f"{where}: {path}", _shown(text), _NOTHING)
        for text in (got_texts - wanted_texts).elements():
            yield Difference(f"{where}: {path}", _NOTHING, _shown(text))


def _shown(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."


# The result ---------------------------------------------------------------------------------------


def _result_differences(
    recorded: RecordedMatch, last: AnyState, found: Outcome, explained: Counter[str]
) -> list[Difference]:
    """Compare the result with the last position.

    If they do not fit, compare it with every position that a single unseen move would give (W82).
    """
    codec, names = recorded.codec, recorded.names
    wrong_cause = explain_cause(codec, found, names)
    if wrong_cause is not None:
        explained[wrong_cause] += 1
    over = last.is_over
    expected = _expected(codec, last, found, names)
    explain = codec.game.deviations.explain_outcome
    reason = (
        None if _agree(expected, found) else explain(codec.revision, expected, found, over=over)
    )
    fits = reason is not None or _agree(expected, found)
    if not fits and not over:
        for move in last.legal_moves():
            after = last.play(move)
            expected_after = _expected(codec, after, found, names)
            reason = explain(codec.revision, expected_after, found, over=after.is_over)
            if _agree(expected_after, found) or reason is not None:
                explained[
                    f"the last position is missing; {codec.game.format_move(move)} would lead to "
                    "the result"
                ] += 1
                fits, over = True, after.is_over
                break
    if reason is not None:
        explained[reason] += 1
    if not fits:
        return [Difference(f"result after turn {last.turn}", _result(expected), _result(found))]
    if found.is_regular and not over:
        explained["the game was not over: it was cancelled"] += 1
    return []


def _expected(codec: AnyCodec, state: AnyState, found: Outcome, names: tuple[str, ...]) -> Outcome:
    """Return the result of this position, lost by whoever the recorded one blames.

    It is written and read once, so that it has just what this season tells about a result.
    """
    outcome = state.outcome()
    blamed = [seat for seat, line in enumerate(found.seats) if line.cause is not Cause.REGULAR]
    for seat in blamed:
        outcome = outcome.forfeit(seat, found.seats[seat].cause, found.seats[seat].reason)
    if len(blamed) > 1:
        lines = tuple(
            replace(
                line, points=LOSS, cause=found.seats[seat].cause, reason=found.seats[seat].reason
            )
            for seat, line in enumerate(outcome.seats)
        )
        outcome = replace(outcome, seats=lines, winner=None)
    return codec.decode_outcome(parse_element(codec.encode_outcome(outcome, state, names)))


def _agree(expected: Outcome, found: Outcome) -> bool:
    """Compare points and numbers.

    Words are not compared, nor the name of the winner where both are blamed.
    """
    if [(line.points, line.parts) for line in expected.seats] != [
        (line.points, line.parts) for line in found.seats
    ]:
        return False
    return expected.winner == found.winner or all(
        line.cause is not Cause.REGULAR for line in found.seats
    )


def _result(outcome: Outcome) -> str:
    lines = ", ".join(
        f"{line.points} ({' '.join(map(str, line.parts))}) {line.cause.value}"
        for line in outcome.seats
    )
    winner = "no winner" if outcome.winner is None else f"seat {outcome.winner + 1} wins"
    return f"{lines}, {winner}"
