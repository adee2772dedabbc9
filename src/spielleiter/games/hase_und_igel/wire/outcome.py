"""Results of Hase und Igel 2018 as XML and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from spielleiter.games.hase_und_igel.rules.seasons import Season
from spielleiter.games.hase_und_igel.rules.state import ENDS, HareState
from spielleiter.games.hase_und_igel.wire.state import encode_hare
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text
from spielleiter.rules.text import NO_TEXT
from spielleiter.wire.elements import Element, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import INT_LIMIT, decode_name, decode_number

FRAGMENTS = ("Gewinner", "∅ Feldnummer", "∅ Karotten")
FRAGMENTS_DOCUMENTED = ("Gewinner", "Ø Feldnummer", "Ø Karotten")  # H19

_CAUSES = {cause.value: cause for cause in Cause}
_KNOWN_REASONS = {text.de: text for text in ENDS.values()}

Reason = Callable[[SeatOutcome, Outcome], str | None]
"""Returns the German reason to write for a seat, None to leave it out."""


def reason_of_seat(line: SeatOutcome, outcome: Outcome) -> str | None:  # noqa: ARG001
    """Return the reason as on the server, where a seat may have none (H26)."""
    return line.reason.de or None


def reason_of_match(line: SeatOutcome, outcome: Outcome) -> str:
    """Return the reason as documented, the same for both where one of them is to blame (H26)."""
    return line.reason.de or outcome.reason.de


def encode_result(
    outcome: Outcome,
    state: HareState,
    names: Sequence[str],
    fragments: tuple[str, ...],
    reason: Reason,
) -> str:
    """Write what stands in ``<data class="result">``, or in the documented ``<condition>``."""
    lines = [_encode_definition(fragments)]
    for line in outcome.seats:
        german = reason(line, outcome)
        said = "" if german is None else f" reason={quote(german)}"
        lines.append(f'  <score cause="{line.cause.value}"{said}>')
        lines += [f"    <part>{part}</part>" for part in (line.points, *line.parts)]
        lines.append("  </score>")
    if outcome.winner is not None:
        seat = outcome.winner
        hare, name = state.hares[seat], names[seat]
        lines.append(encode_hare('  <winner class="player"', "winner", hare, name, seat))
    return "\n".join(lines)


@cache
def _encode_definition(fragments: tuple[str, ...]) -> str:
    lines = ["  <definition>"]
    for place, name in enumerate(fragments):
        lines += [
            f'    <fragment name="{name}">',
            f"      <aggregation>{'AVERAGE' if place else 'SUM'}</aggregation>",
            "      <relevantForRanking>true</relevantForRanking>",
            "    </fragment>",
        ]
    return "\n".join((*lines, "  </definition>"))


def decode_outcome(season: Season, element: Element) -> Outcome:
    """Read a result. Raises CodecError."""
    where = element.tag
    if element.get("class") not in (None, "result"):
        raise CodecError(f"{where}@class", f"{element.get('class')!r} is not a result")
    seats = tuple(_decode_score(score, f"{where}/score") for score in element.all("score"))
    if len(seats) != 2:
        raise CodecError(f"{where}/score", f"a result has two scores, not {len(seats)}")
    points = [seat.points for seat in seats]
    winner = None if points[0] == points[1] else points.index(max(points))
    guilty = [seat for seat in seats if seat.cause is not Cause.REGULAR]
    if guilty:
        return Outcome(seats, winner, guilty[0].cause.value, guilty[0].reason)
    code = "GOAL" if any(seat.parts[0] == season.goal for seat in seats) else "ROUND_LIMIT"
    return Outcome(seats, winner, code, seats[0].reason)


def _decode_score(element: Element, where: str) -> SeatOutcome:
    cause = decode_name(element.get("cause"), f"{where}@cause", _CAUSES)
    parts = [
        decode_number(part.text, f"{where}/part", -INT_LIMIT, INT_LIMIT)
        for part in element.all("part")
    ]
    if len(parts) != 3:
        raise CodecError(f"{where}/part", f"a score has three parts, not {len(parts)}")
    german = element.get("reason") or ""
    reason = _KNOWN_REASONS.get(german, Text(german, german)) if german else NO_TEXT
    return SeatOutcome(parts[0], tuple(parts[1:]), cause, reason)
