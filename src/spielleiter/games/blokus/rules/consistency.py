"""Check whether a position from outside can exist, since notation and wire can describe anything.

Only what no reading of the rules allows is refused. The squares need not be explicable by the
pieces placed, because the documents' own example shows four squares where hundreds must lie (ruling
B10). No move is looked at here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from spielleiter.games.blokus.rules.pieces import FULL_HAND, SQUARES, Color, hand_squares
from spielleiter.rules import PositionError

if TYPE_CHECKING:
    from spielleiter.games.blokus.rules.state import BlokusState


def check_consistency(state: BlokusState) -> None:
    """Raise PositionError if the parts of a position contradict each other."""
    season = state.game.season
    if state.start_piece not in season.start_pieces:
        names = ", ".join(piece.name for piece in season.start_pieces)
        raise PositionError(
            f"{state.start_piece.name} is not a start piece of {season.title}; those are {names}"
        )
    if state.turn < 0:
        raise PositionError(f"turn {state.turn} is less than 0")
    for color in Color:
        _check_color(state, color)
    if not state.is_over:
        _check_turn(state, state.color)


def _check_color(state: BlokusState, color: Color) -> None:
    hand, count = state.hands[color], state.boards[color].bit_count()
    if not 0 <= hand <= FULL_HAND:
        raise PositionError(
            f"the hand of {color.name} is {hand:#x}, which has bits beyond the 21 pieces"
        )
    most = SQUARES - hand_squares(hand)
    if count > most:
        raise PositionError(
            f"{color.name} covers {count} squares, but the pieces it has placed have only {most} "
            "together"
        )
    if state.mono_last >> color & 1 and hand:
        raise PositionError(f"{color.name} cannot have placed MONO last: it still has pieces")


def _check_turn(state: BlokusState, color: Color) -> None:
    """Check that the colour on turn is in play, and can place something if it cannot skip."""
    if not state.valid >> color & 1:
        names = ", ".join(other.name for other in state.valid_colors)
        raise PositionError(
            f"turn {state.turn} is {color.name}'s, but only {names} are still in play"
        )
    if state.is_first_move(color) and not state.can_place(color):
        raise PositionError(
            f"{color.name} is on turn and must place {state.start_piece.name} first, but has no "
            "room for it"
        )
