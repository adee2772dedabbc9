"""Hase und Igel 2018 in XML, byte for byte what the official server writes.

The default revision follows the official server where the documents differ from it (H17 to H20),
because the clients of 2018 read that. ``2018-documented`` follows the documents (H23 to H26).
Reading is generous in both. The work is done in ``state``, ``moves`` and ``outcome``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.seasons import SEASON_2018, SEASON_2018_DOCUMENTED
from spielleiter.games.hase_und_igel.rules.state import HareState
from spielleiter.games.hase_und_igel.wire.dialects import DIALECT_2018, DOCUMENTED_2018
from spielleiter.games.hase_und_igel.wire.moves import decode_actions, decode_move, encode_move
from spielleiter.games.hase_und_igel.wire.outcome import (
    FRAGMENTS,
    FRAGMENTS_DOCUMENTED,
    Reason,
    decode_outcome,
    encode_result,
    reason_of_match,
    reason_of_seat,
)
from spielleiter.games.hase_und_igel.wire.state import SEATS, decode_state, encode_state
from spielleiter.rules import Outcome, RuleViolation, Text, UnknownGame
from spielleiter.wire.codec import Codec, ReceivedMove, ReceivedState
from spielleiter.wire.elements import Element

if TYPE_CHECKING:
    from spielleiter.games.hase_und_igel.game import HaseUndIgel


class HareCodec(Codec[HareState, HareMove]):
    """Positions, moves and results of Hase und Igel 2018."""

    revision = "2018"
    dialect = DIALECT_2018
    hints_allowed = True
    echoes_hints = True
    fragments = FRAGMENTS
    _reason: Reason = staticmethod(reason_of_seat)

    def __init__(self, game: HaseUndIgel) -> None:
        self._game = game

    @property
    def game(self) -> HaseUndIgel:
        return self._game

    def encode_state(
        self, state: HareState, names: Sequence[str], hints: Sequence[str] = ()
    ) -> str:
        return encode_state(state, names, hints)

    def decode_state(self, element: Element) -> ReceivedState[HareState]:
        return decode_state(self._game, element)

    def encode_move(self, move: HareMove, hints: Sequence[str] = (), tag: str = "data") -> str:
        return encode_move(move, hints, tag)

    def decode_move(self, element: Element, state: HareState) -> ReceivedMove[HareMove]:  # noqa: ARG002
        return decode_move(element)

    def decode_last_move(self, element: Element, state: HareState) -> ReceivedMove[HareMove]:  # noqa: ARG002
        """Read a last move, which has no class."""
        return decode_actions(element, element.tag)

    def encode_outcome(self, outcome: Outcome, state: HareState, names: Sequence[str]) -> str:
        return f'<data class="result">\n{self._result(outcome, state, names)}\n</data>'

    def _result(self, outcome: Outcome, state: HareState, names: Sequence[str]) -> str:
        return encode_result(outcome, state, names, self.fragments, self._reason)

    def decode_outcome(self, element: Element) -> Outcome:
        return decode_outcome(self._game.season, element)

    def describe_move(self, move: HareMove) -> str:
        return str(move)  # the messages of 2018 name no moves; logs and pages do

    def violation_reason(self, violation: RuleViolation, move: HareMove | None, name: str) -> Text:  # noqa: ARG002
        return violation.text

    def complaint(
        self,
        violation: RuleViolation,
        move: HareMove | None,  # noqa: ARG002 - other seasons name the move
        name: str,
        *,
        to_offender: bool,
    ) -> str:
        german = violation.text.de
        return f"Ungueltiger Zug von '{name}'.\n{german}" if to_offender else german

    def seat_name(self, seat: int) -> str:
        return SEATS[seat]


class DocumentedHareCodec(HareCodec):
    """Hase und Igel 2018 to the letter of its page. The official clients cannot read this."""

    revision = "2018-documented"
    dialect = DOCUMENTED_2018
    fragments = FRAGMENTS_DOCUMENTED
    _reason: Reason = staticmethod(reason_of_match)

    def encode_state(
        self, state: HareState, names: Sequence[str], hints: Sequence[str] = ()
    ) -> str:
        if state.is_over:
            return self.encode_last_state(state, names, hints, state.outcome())
        return encode_state(state, names, None if state.round == 1 else hints)  # H17

    def encode_last_state(
        self,
        state: HareState,
        names: Sequence[str],
        hints: Sequence[str],
        outcome: Outcome,
    ) -> str:
        """Write the last state with the result in it, without a class like ``lastMove`` (H23)."""
        condition = f"<condition>\n{self._result(outcome, state, names)}\n</condition>"
        return encode_state(state, names, None if state.round == 1 else hints, condition)


_REVISIONS: Mapping[str, tuple[type[HareCodec], ...]] = {
    SEASON_2018.id: (HareCodec, DocumentedHareCodec),
    SEASON_2018_DOCUMENTED.id: (DocumentedHareCodec, HareCodec),
}


def codecs_for(game: HaseUndIgel) -> Mapping[str, HareCodec]:
    """Return the codecs of this game's season by revision, the default first."""
    if game.id not in _REVISIONS:
        raise UnknownGame(game.id, _REVISIONS)
    return MappingProxyType({kind.revision: kind(game) for kind in _REVISIONS[game.id]})
