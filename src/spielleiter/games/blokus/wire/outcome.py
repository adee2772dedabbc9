"""Results of Blokus as XML and back.

Season 2021 writes them with causes, and 2027 with one reason. Whose fault an end was is decided
elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.rules import DRAW, LOSS, WIN, Cause, Outcome, SeatOutcome, Text
from spielleiter.wire.elements import Element, quote
from spielleiter.wire.errors import CodecError
from spielleiter.wire.values import (
    decode_flag,
    decode_name,
    decode_number,
    only_child,
    required_child,
)

TEAMS = {"ONE": 0, "TWO": 1}
_TEAM_NAMES = tuple(TEAMS)
_CAUSES = {cause.value: cause for cause in Cause}
_MOST_POINTS = 9999

_DEFINITION = """\
  <definition>
    <fragment name="{wins}">
      <aggregation>SUM</aggregation>
      <relevantForRanking>true</relevantForRanking>
    </fragment>
    <fragment name="{points}">
      <aggregation>AVERAGE</aggregation>
      <relevantForRanking>true</relevantForRanking>
    </fragment>
  </definition>
"""
FRAGMENTS_2021 = ("Gewinner", "∅ Punkte")
FRAGMENTS_2027 = ("Siegpunkte", "Punkte")
_DEFINITION_2021 = _DEFINITION.format(wins=FRAGMENTS_2021[0], points=FRAGMENTS_2021[1])
_DEFINITION_2027 = _DEFINITION.format(wins=FRAGMENTS_2027[0], points=FRAGMENTS_2027[1])

_REASONS_2027: tuple[tuple[str, Cause], ...] = (
    ("Regelverletzung von ", Cause.RULE_VIOLATION),
    (" gebraucht.", Cause.SOFT_TIMEOUT),
    (" keinen Zug gesendet.", Cause.HARD_TIMEOUT),
)
"""How a reason of 2027 begins or ends, and the cause it stands for.

All others mean that the player left (W34).
"""


def encode_outcome_2021(outcome: Outcome, names: Sequence[str]) -> str:
    """Write a result of 2021 (W26).

    It has two ``<score>`` in the order of the seats and a ``<winner>`` for each who won or drew.
    """
    scores = "".join(
        f'  <score cause="{line.cause.value}" reason={quote(line.reason.de)}>\n'
        f"{_parts(line, line.parts, '    ')}"
        f"  </score>\n"
        for line in outcome.seats
    )
    winners = "".join(
        f"  <winner displayName={quote(names[seat])}>\n"
        f'    <color class="team">{_TEAM_NAMES[seat]}</color>\n'
        f"  </winner>\n"
        for seat in _winners(outcome)
    )
    return f'<data class="result">\n{_DEFINITION_2021}{scores}{winners}</data>'


def encode_outcome_2027(outcome: Outcome, names: Sequence[str]) -> str:
    """Write an ``<entry>`` for each seat and one ``<winner>``, without a team if nobody won."""
    entries = "".join(
        f"    <entry>\n"
        f"      <player{f' name={quote(names[seat])}' if names[seat].strip() else ''} "
        f'team="{_TEAM_NAMES[seat]}"/>\n'
        f"      <score>\n{_parts(line, _kept(line), '        ')}      </score>\n"
        f"    </entry>\n"
        for seat, line in enumerate(outcome.seats)
    )
    team = "" if outcome.winner is None else f' team="{_TEAM_NAMES[outcome.winner]}"'
    regular = "true" if outcome.is_regular else "false"
    winner = f'  <winner{team} regular="{regular}" reason={quote(_reason_2027(outcome, names))}/>\n'
    return (
        f'<data class="result">\n{_DEFINITION_2027}  <scores>\n{entries}  </scores>\n'
        f"{winner}</data>"
    )


def decode_outcome(element: Element) -> Outcome:
    """Read a result of either season, told apart by ``<scores>``."""
    where = element.tag
    scores = only_child(element, "scores", where)
    return _decode_2021(element, where) if scores is None else _decode_2027(element, scores, where)


def _parts(line: SeatOutcome, parts: Sequence[int], pad: str) -> str:
    return "".join(f"{pad}<part>{part}</part>\n" for part in (line.points, *parts))


def _kept(line: SeatOutcome) -> tuple[int, ...]:
    """Return the points a seat keeps (W33).

    In 2027 whoever broke the game off loses its points as well.
    """
    return line.parts if line.cause is Cause.REGULAR else (0,) * len(line.parts)


def _winners(outcome: Outcome) -> Sequence[int]:
    if outcome.winner is not None:
        return (outcome.winner,)
    return tuple(seat for seat, line in enumerate(outcome.seats) if line.points == DRAW)


def _reason_2027(outcome: Outcome, names: Sequence[str]) -> str:
    blamed = [line for line in outcome.seats if line.cause is not Cause.REGULAR]
    if blamed:
        return blamed[0].reason.de if len(blamed) == 1 else outcome.reason.de
    if outcome.winner is None:
        return "Beide Spieler sind gleichauf"
    name = names[outcome.winner]
    return f"{name if name.strip() else _TEAM_NAMES[outcome.winner]} hat am meisten Punkte erzielt."


def _decode_2021(element: Element, where: str) -> Outcome:
    seats = tuple(
        _seat_2021(score, f"{where}/score[{number}]")
        for number, score in enumerate(element.all("score"), 1)
    )
    _expect_two(seats, f"{where}/score")
    winners = [_team(winner, f"{where}/winner") for winner in element.all("winner")]
    best = [seat for seat, line in enumerate(seats) if line.points == WIN]
    sole = (
        best or winners
    )  # W26: the points say it better than who is named; W27: if they say nothing, who is named
    blamed = [line for line in seats if line.cause is not Cause.REGULAR]
    code, reason = (
        (blamed[0].cause.value, blamed[0].reason) if blamed else (Cause.REGULAR.value, Text("", ""))
    )
    return Outcome(seats, sole[0] if len(sole) == 1 else None, code, reason)


def _seat_2021(score: Element, where: str) -> SeatOutcome:
    points, *parts = _decode_parts(score, where)
    cause = decode_name(score.get("cause"), f"{where}@cause", _CAUSES)
    reason = score.get("reason") or ""
    return SeatOutcome(points, tuple(parts), cause, Text(reason, reason))


def _decode_2027(element: Element, scores: Element, where: str) -> Outcome:
    winner = required_child(element, "winner", where)
    team = winner.get("team")
    won = None if team is None else decode_name(team, f"{where}/winner@team", TEAMS)
    regular = decode_flag(winner.get("regular"), f"{where}/winner@regular", True)
    reason = winner.get("reason") or ""
    said = Text(reason, reason)
    cause = Cause.REGULAR if regular else _cause_2027(reason)
    lines: dict[int, SeatOutcome] = {}
    for number, entry in enumerate(scores.all("entry"), 1):
        here = f"{where}/scores/entry[{number}]"
        seat = decode_name(
            required_child(entry, "player", here).get("team"), f"{here}/player@team", TEAMS
        )
        points, *parts = _decode_parts(required_child(entry, "score", here), f"{here}/score")
        blamed = not regular and seat != won
        lines[seat] = SeatOutcome(
            points,
            tuple(parts),
            cause if blamed else Cause.REGULAR,
            said if blamed else Text("", ""),
        )
    if len(lines) == 1:  # only one player ever came: the other seat stays empty
        lines.setdefault(1 - next(iter(lines)), SeatOutcome(LOSS, (0,), cause, said))
    seats = tuple(lines[seat] for seat in sorted(lines))
    _expect_two(seats, f"{where}/scores/entry")
    return Outcome(seats, won, cause.value, said)


def _cause_2027(reason: str) -> Cause:
    for words, cause in _REASONS_2027:
        if reason.startswith(words) or reason.endswith(words):
            return cause
    return Cause.LEFT


def _decode_parts(score: Element, where: str) -> list[int]:
    parts = [
        decode_number(part.text, f"{where}/part", 0, _MOST_POINTS) for part in score.all("part")
    ]
    if len(parts) != 2:
        raise CodecError(
            f"{where}/part",
            f"there are {len(parts)} of them, expected 2: victory points and points",
        )
    return parts


def _team(winner: Element, where: str) -> int:
    return decode_name(required_child(winner, "color", where).text, f"{where}/color", TEAMS)


def _expect_two(seats: Sequence[SeatOutcome], where: str) -> None:
    if len(seats) != 2:
        raise CodecError(where, f"there are {len(seats)} of them, expected 2")
