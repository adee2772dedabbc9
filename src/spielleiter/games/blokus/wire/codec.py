"""Blokus in XML, with one codec for each revision of the documents, all made from one table.

The work is done in ``state.py``, ``moves.py`` and ``outcome.py`` beside this. What surrounds a
game's own elements (rooms, requests, errors) is in ``spielleiter.wire``, and what differs by
season around them is in ``dialects.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from spielleiter.games.blokus.rules.moves import BlokusMove
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.games.blokus.wire import dialects
from spielleiter.games.blokus.wire.moves import decode_move, describe_move, encode_move
from spielleiter.games.blokus.wire.outcome import (
    FRAGMENTS_2021,
    FRAGMENTS_2027,
    TEAMS,
    decode_outcome,
    encode_outcome_2021,
    encode_outcome_2027,
)
from spielleiter.games.blokus.wire.state import (
    LAYOUT_2027,
    NEWEST_2021,
    OLDER_2021,
    OLDEST_2021,
    Layout,
    decode_state,
    encode_state,
)
from spielleiter.rules import Outcome, RuleViolation, Text, UnknownGame
from spielleiter.rules.frozen import frozen
from spielleiter.wire.codec import Codec, ReceivedMove, ReceivedState
from spielleiter.wire.dialects import Dialect
from spielleiter.wire.elements import Element

if TYPE_CHECKING:
    from spielleiter.games.blokus.game import Blokus


@frozen
class Revision:
    """What one revision of the documents writes differently from the others."""

    name: str
    layout: Layout
    dialect: Dialect
    seat_names: tuple[str, str]
    fragments: tuple[str, str]
    encode_outcome: Callable[[Outcome, Sequence[str]], str]
    blame: Text
    """Why a seat lost by breaking a rule. ``text`` is the rule's, ``name`` the player's."""
    blame_move: Text
    """What follows if the rule is about the move as a whole."""


def _season_2021(name: str, layout: Layout, dialect: Dialect) -> Revision:
    # W28: the welcome says "one" and "two" in lower case; a client of 2021 compares with that.
    return Revision(
        name,
        layout,
        dialect,
        seat_names=("one", "two"),
        fragments=FRAGMENTS_2021,
        encode_outcome=encode_outcome_2021,
        blame=Text("{text}", "{text}"),
        blame_move=Text(" bei Zug '{move}'", " (move {move})"),
    )


_REVISIONS = {
    "swc_2021_blokus": (
        _season_2021("2021-newest", NEWEST_2021, dialects.NEWEST_2021),
        _season_2021("2021-older", OLDER_2021, dialects.OLDER_2021),
        _season_2021("2021-oldest", OLDEST_2021, dialects.OLDER_2021),
    ),
    "swc_2027_blokus": (
        Revision(
            "2027",
            LAYOUT_2027,
            dialects.DIALECT_2027,
            seat_names=("ONE", "TWO"),
            fragments=FRAGMENTS_2027,
            encode_outcome=encode_outcome_2027,
            blame=Text("Regelverletzung von {name}: {text}", "{text}"),
            blame_move=Text(" bei '{move}'", " (move {move})"),
        ),
    ),
}

_MOVELESS = frozenset({"WRONG_SHAPE", "DUPLICATE_SHAPE"})
"""Rules about the piece alone, with which the official servers name no move."""


class BlokusCodec(Codec[BlokusState, BlokusMove]):
    """Blokus in one revision."""

    hints_allowed = (
        False  # documented in 2021, but no official server of 2021 or 2027 takes them (W23)
    )

    def __init__(self, game: Blokus, revision: Revision) -> None:
        self._game = game
        self._revision = revision
        self._package = revision.layout.package
        self.revision = revision.name
        self.dialect = revision.dialect
        self.fragments = revision.fragments

    @property
    def game(self) -> Blokus:
        return self._game

    def encode_state(
        self, state: BlokusState, names: Sequence[str], hints: Sequence[str] = ()
    ) -> str:
        """Write the state, with hints as children of ``lastMove``.

        Official clients die on hints, while our own clients and replays keep them.
        """
        return encode_state(self._revision.layout, state, names, hints)

    def decode_state(self, element: Element) -> ReceivedState[BlokusState]:
        return decode_state(self._game, self._package, element)

    def encode_move(self, move: BlokusMove, hints: Sequence[str] = (), tag: str = "data") -> str:
        bare = self._revision.layout.bare_skip
        return encode_move(self._package, move, hints, tag, bare_skip=bare)

    def decode_move(self, element: Element, state: BlokusState) -> ReceivedMove[BlokusMove]:
        return decode_move(self._package, element, element.tag, state.color)

    def encode_outcome(self, outcome: Outcome, state: BlokusState, names: Sequence[str]) -> str:  # noqa: ARG002
        return self._revision.encode_outcome(outcome, names)

    def decode_outcome(self, element: Element) -> Outcome:
        return decode_outcome(element)

    def decode_names(self, element: Element) -> tuple[str, ...]:
        """Return who played, which in 2027 only the result says."""
        scores = element.find("scores")
        entries = () if scores is None else scores.all("entry")
        names = {
            player.get("team"): player.get("name") or ""
            for entry in entries
            for player in entry.all("player")
        }
        return tuple(names.get(team, "") for team in TEAMS)

    def describe_move(self, move: BlokusMove) -> str:
        return describe_move(move)

    def violation_reason(
        self, violation: RuleViolation, move: BlokusMove | None, name: str
    ) -> Text:
        """Return the reason for a lost match in which a rule was broken.

        ``name`` is the display name, or the seat's where that is blank.
        """
        blame, at_move, text = self._revision.blame, self._revision.blame_move, violation.text
        german = blame.de.format(text=text.de, name=name)
        english = blame.en.format(text=text.en, name=name)
        if move is None or violation.rule in _MOVELESS:
            return Text(german, english)
        english = english.removesuffix(".") + at_move.en.format(move=move)
        return Text(german + at_move.de.format(move=describe_move(move)), english)

    def complaint(
        self,
        violation: RuleViolation,
        move: BlokusMove | None,
        name: str,
        *,
        to_offender: bool,  # noqa: ARG002
    ) -> str:
        """Return the same to the offender and to observers (W29).

        The words are those of 21.4.0 and 27.0.4.
        """
        said = "null" if move is None or violation.rule in _MOVELESS else describe_move(move)
        return (
            f"Ungueltiger Zug von '{name}'.\n"
            f"InvalidMoveException(mistake={violation.text.de}, move={said})"
        )

    def seat_name(self, seat: int) -> str:
        return self._revision.seat_names[seat]


def codecs_for(game: Blokus) -> Mapping[str, BlokusCodec]:
    """Return the codecs of this game's season by revision, the default first."""
    if game.game_type not in _REVISIONS:
        raise UnknownGame(game.game_type, _REVISIONS)
    return {revision.name: BlokusCodec(game, revision) for revision in _REVISIONS[game.game_type]}
