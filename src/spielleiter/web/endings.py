"""Say why a match ended, in one sentence and both languages. Reads results and decides nothing."""

from __future__ import annotations

from spielleiter.replays import MatchRecord, RecordedComplaint
from spielleiter.rules import AnyState, Cause, Outcome, Text, one_line
from spielleiter.web.story import Ending, MatchStory, RefusedMove

CANCELLED = Text("Die Partie wurde abgebrochen.", "The match was cancelled.")
LONGEST = 400
"""Characters of a sentence that comes from outside."""


def end_of_record(story: MatchStory, record: MatchRecord) -> Ending | None:
    """Return how a match of the server ended, or None if nothing is known."""
    if record.outcome is None:
        return None
    fault = None
    if record.complaint is not None and story.positions:
        fault = describe_fault(story.positions[-1], record.complaint)
    return make_ending(story, record.outcome, fault=fault, late=record.late)


def make_ending(
    story: MatchStory,
    outcome: Outcome,
    *,
    fault: RefusedMove | None = None,
    late: float | None = None,
) -> Ending:
    """Return the ending of a story in its newest position.

    ``late`` is how many seconds a move took that came too late.
    """
    index = max(0, len(story.positions) - 1)
    reason = _reason(story, outcome, fault, late)
    return Ending(outcome, reason, index, fault)


def describe_fault(state: AnyState, complaint: RecordedComplaint) -> RefusedMove:
    """Return the refused move with its rule and the squares at fault."""
    game, violation = state.game, complaint.violation
    return RefusedMove(
        complaint.seat,
        game.format_move(complaint.move),
        violation.rule,
        violation.text,
        tuple(game.cells_at_fault(state, complaint.move)),
    )


def _reason(
    story: MatchStory, outcome: Outcome, fault: RefusedMove | None, late: float | None
) -> Text:
    guilty = [seat for seat, line in enumerate(outcome.seats) if line.cause is not Cause.REGULAR]
    if not guilty:
        # Servers say who won, in one language or not at all. The rules say why it is over.
        newest = story.newest
        rules = Text("", "") if newest is None else newest.outcome().reason
        if newest is not None and newest.is_over:
            return _shown(rules)
        # What the rules say of a position that is not over is no reason for an end.
        is_told = outcome.reason not in (rules, Text("", ""))
        return _shown(outcome.reason) if is_told else CANCELLED
    turn = story.positions[-1].turn if story.positions else None
    parts = [_fault(story, outcome, seat, turn, fault, late) for seat in guilty]
    return Text(" ".join(part.de for part in parts), " ".join(part.en for part in parts))


def _fault(
    story: MatchStory,
    outcome: Outcome,
    seat: int,
    turn: int | None,
    fault: RefusedMove | None,
    late: float | None,
) -> Text:
    line, name = outcome.seats[seat], story.called(seat)
    where = Text("", "") if turn is None else Text(f"Zug {turn}: ", f"Turn {turn}: ")
    match line.cause:
        case Cause.SOFT_TIMEOUT if late is not None:
            said = _late(late, story.limit)
        case Cause.SOFT_TIMEOUT | Cause.HARD_TIMEOUT:
            said = Text("zog nicht rechtzeitig.", "did not move in time.")
        case Cause.RULE_VIOLATION if fault is not None:
            said = Text(
                f"brach eine Regel: {_end(fault.reason.de)}",
                f"broke a rule: {_end(fault.reason.en)}",
            )
        case Cause.LEFT:
            said = Text("hat die Partie verlassen.", "left the game.")
        case _:
            reason = _shown(line.reason)
            said = Text(f"hat verloren: {_end(reason.de)}", f"lost: {_end(reason.en)}")
    return Text(f"{where.de}{name.de} {said.de}", f"{where.en}{name.en} {said.en}")


def _late(seconds: float, limit: float | None) -> Text:
    allowed = Text("", "")
    if limit is not None:
        allowed = Text(f", erlaubt sind {_comma(f'{limit:g}')} s", f", {limit:g} s are allowed")
    return Text(
        f"brauchte {_comma(f'{seconds:.2f}')} s{allowed.de}.",
        f"took {seconds:.2f} s{allowed.en}.",
    )


def _comma(number: str) -> str:
    return number.replace(".", ",")


def _shown(text: Text) -> Text:
    return Text(one_line(text.de, LONGEST), one_line(text.en, LONGEST))


def _end(sentence: str) -> str:
    sentence = " ".join(sentence.split())
    return sentence if sentence.endswith((".", "!", "?")) else sentence + "."
