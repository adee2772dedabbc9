"""Read and write Vier gewinnt on the wire.

This is the only file of the game with tag names in it. It reads elements and writes text.

Around these elements everything is the protocol of today, so every client library of season 2027
can join. A game that wants other names or sentences there makes its own dialect from ``BASE`` with
``dataclasses.replace``.

    <data class="example.Drop">          <state class="state" turn="2" round="2">
      <column>3</column>                   <lastMove class="example.Drop">...</lastMove>
      <hint content="my best"/>            <board>
    </data>                                  <column/>   (seven of them, bottom to top: RYR)
"""

from __future__ import annotations

from collections.abc import Sequence

from spielleiter.rules import Cause, NotationError, Outcome, RuleViolation, SeatOutcome, Text
from spielleiter.wire.codec import Codec, ReceivedMove, ReceivedState
from spielleiter.wire.dialects import BASE
from spielleiter.wire.elements import Element, escape, indent, quote
from spielleiter.wire.errors import CodecError

from .game import FOUR, FOUR_SCATTERED, FourInARow
from .notation import NOTHING, format_move, parse_position
from .rules import NEUTRAL, REASONS, SEAT_NAMES, Drop, Position

MOVE_CLASS = "example.Drop"
TEAMS = ("ONE", "TWO")


class FourCodec(Codec[Position, Drop]):
    """The one revision there is."""

    revision = "1"
    dialect = BASE
    fragments = ("Siegpunkte", "Freie Felder")

    def __init__(self, game: FourInARow) -> None:
        self._game = game

    @property
    def game(self) -> FourInARow:
        return self._game

    def encode_state(self, state: Position, names: Sequence[str], hints: Sequence[str] = ()) -> str:  # noqa: ARG002
        """Write a state. Names and hints are not part of it, as in season 2027."""
        lines = [f'<state class="state" turn="{state.turn}" round="{state.round}">']
        if state.last_move is not None:
            lines.append(indent(self.encode_move(state.last_move, tag="lastMove"), 1))
        lines.append("  <board>")
        lines += (
            f"    <column>{column}</column>" if column else "    <column/>"
            for column in state.columns
        )
        lines += ("  </board>", "</state>")
        return "\n".join(lines)

    def decode_state(self, element: Element) -> ReceivedState[Position]:
        board = _child(element, "board", "state")
        columns = "/".join(column.text.strip() or NOTHING for column in board.all("column"))
        last = element.find("lastMove")
        last_move = NOTHING if last is None else format_move(_decode_drop(last, "state/lastMove"))
        try:
            # The notation knows which positions are possible. Read through it, the wire accepts
            # the same ones.
            state = parse_position(self._variant(columns), f"{columns} {last_move}")
        except NotationError as error:
            raise CodecError("state/board", error.reason) from error
        return ReceivedState(state, discarded=_unknown(element, "board", "lastMove"))

    def _variant(self, columns: str) -> FourInARow:
        """Return the variant that has as many stones of nobody.

        Somebody who comes with a reservation alone does not know yet which one is played.
        """
        neutral = columns.count(NEUTRAL)
        for game in (self._game, FOUR, FOUR_SCATTERED):
            if game.variant.neutral_stones == neutral:
                return game
        return self._game

    def encode_move(self, move: Drop, hints: Sequence[str] = (), tag: str = "data") -> str:
        lines = [f'<{tag} class="{MOVE_CLASS}">', f"  <column>{move.column}</column>"]
        lines += (f"  <hint content={quote(hint)}/>" for hint in hints)
        lines.append(f"</{tag}>")
        return "\n".join(lines)

    def decode_move(self, element: Element, state: Position) -> ReceivedMove[Drop]:  # noqa: ARG002  a drop says it all
        move = _decode_drop(element, element.tag)
        hints = tuple(hint.get("content") or "" for hint in element.all("hint"))
        return ReceivedMove(move, hints, _unknown(element, "column", "hint"))

    def encode_outcome(self, outcome: Outcome, state: Position, names: Sequence[str]) -> str:  # noqa: ARG002  the outcome says it all
        definition = "\n".join(map(_FRAGMENT.format, self.fragments, ("SUM", "AVERAGE")))
        entries = "\n".join(
            _ENTRY.format(
                name=quote(name),
                team=team,
                cause=line.cause.value,
                points=line.points,
                free=line.parts[0],
            )
            for name, team, line in zip(names, TEAMS, outcome.seats, strict=True)
        )
        winner = "" if outcome.winner is None else f' team="{TEAMS[outcome.winner]}"'
        return _RESULT.format(
            definition=indent(definition, 2),
            entries=indent(entries, 2),
            winner=winner,
            regular="true" if outcome.is_regular else "false",
            code=quote(outcome.code),
            reason=quote(outcome.reason.de),
        )

    def decode_outcome(self, element: Element) -> Outcome:
        entries = list(_child(element, "scores", "data").all("entry"))
        if len(entries) != len(TEAMS):
            raise CodecError("data/scores", f"{len(entries)} entries and not {len(TEAMS)}")
        winner = _child(element, "winner", "data")
        team = winner.get("team")
        if team is not None and team not in TEAMS:
            raise CodecError(
                "data/winner@team", f"{team!r} is not a team; there are {', '.join(TEAMS)}"
            )
        seat = None if team is None else TEAMS.index(team)
        code, said = winner.get("code") or "", winner.get("reason") or ""
        reason = _reason(code, said, seat)
        lines = tuple(_decode_entry(entry, reason) for entry in entries)
        return Outcome(lines, seat, code, reason)

    def describe_move(self, move: Drop) -> str:
        return f"Stein in Spalte {format_move(move)}"

    def violation_reason(self, violation: RuleViolation, move: Drop | None, name: str) -> Text:
        what = "" if move is None else f" ({format_move(move)})"
        de, en = violation.text
        return Text(f"{name} hat eine Regel verletzt: {de}{what}", f"{en}{what}")

    def complaint(
        self, violation: RuleViolation, move: Drop | None, name: str, *, to_offender: bool
    ) -> str:
        what = "Zug" if move is None else f"Zug '{self.describe_move(move)}'"
        whose = "Dein " if to_offender else f"{name}: "
        return f"{whose}{what} ist ungültig: {violation.text.de}"

    def seat_name(self, seat: int) -> str:
        return TEAMS[seat]


_FRAGMENT = """\
<fragment name="{}">
  <aggregation>{}</aggregation>
  <relevantForRanking>true</relevantForRanking>
</fragment>"""

_ENTRY = """\
<entry>
  <player name={name} team="{team}"/>
  <score cause="{cause}">
    <part>{points}</part>
    <part>{free}</part>
  </score>
</entry>"""

_RESULT = """\
<data class="result">
  <definition>
{definition}
  </definition>
  <scores>
{entries}
  </scores>
  <winner{winner} regular="{regular}" code={code} reason={reason}/>
</data>"""


def _child(element: Element, tag: str, where: str) -> Element:
    child = element.find(tag)
    if child is None:
        raise CodecError(where, f"there is no <{tag}> in it")
    return child


def _number(element: Element, where: str) -> int:
    text = element.text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise CodecError(where, f"{escape(text)!r} is not a number")
    return int(text)


def _unknown(element: Element, *known: str) -> tuple[str, ...]:
    return tuple(child.tag for child in element.children if child.tag not in known)


def _decode_drop(element: Element, where: str) -> Drop:
    if element.get("class") != MOVE_CLASS:
        raise CodecError(
            f"{where}@class",
            f"{element.get('class')!r} is not a move of this game; {MOVE_CLASS!r} is",
        )
    # A column that is not there is left to the rules, which say what rule it breaks.
    return Drop(_number(_child(element, "column", where), f"{where}/column"))


def _decode_entry(entry: Element, reason: Text) -> SeatOutcome:
    score = _child(entry, "score", "data/scores/entry")
    parts = [_number(part, "data/scores/entry/score/part") for part in score.all("part")]
    if len(parts) != 2:
        raise CodecError("data/scores/entry/score", f"{len(parts)} parts and not 2")
    try:
        cause = Cause(score.get("cause") or Cause.REGULAR.value)
    except ValueError:
        known = ", ".join(known.value for known in Cause)
        raise CodecError(
            "data/scores/entry/score@cause", f"{score.get('cause')!r} is none of {known}"
        ) from None
    return SeatOutcome(
        parts[0], (parts[1],), cause, Text("", "") if cause is Cause.REGULAR else reason
    )


def _reason(code: str, said: str, winner: int | None) -> Text:
    """Return the reason of an end in both languages, or as it came if it is not one of ours."""
    if code not in REASONS:
        return Text(said, said)
    name = Text("", "") if winner is None else SEAT_NAMES[winner]
    return Text(REASONS[code].de.format(name=name.de), REASONS[code].en.format(name=name.en))
