"""Say in words what a move of Blokus gave away, compared with a better one.

It counts places, which are ways to lay a piece that the rules allow now. It judges nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from spielleiter.games.blokus.rules.bitboard import count_placements
from spielleiter.games.blokus.rules.moves import BlokusMove, SkipMove
from spielleiter.games.blokus.rules.pieces import Color
from spielleiter.games.blokus.rules.state import BlokusState
from spielleiter.rules import Text
from spielleiter.rules.text import NO_TEXT

NOTABLE = 0.1
"""The part of all places from which on a difference is worth a word."""
_NAMES = {
    Color.BLUE: Text("Blau", "Blue"),
    Color.YELLOW: Text("Gelb", "Yellow"),
    Color.RED: Text("Rot", "Red"),
    Color.GREEN: Text("Grün", "Green"),
}
_SKIPPED = Text(
    "{color} konnte noch setzen und hat ausgesetzt", "{color} could still place a piece and skipped"
)
_CLOSED_OWN = Text(
    "{color} hatte noch {had}, und der Zug nahm {lost} davon weg (der bessere {less})",
    "{color} had {had} left, and the move closed {lost} of them (the better one {less})",
)
_CLOSED_ALL = Text(
    "{color} hatte noch {had} und nach dem Zug keinen mehr (nach dem besseren {more})",
    "{color} had {had} left, and none after the move ({more} after the better one)",
)
_LEFT_RIVAL = Text(
    "{color} hatte noch {had}, und der Zug nahm nur {less} davon weg (der bessere {lost})",
    "{color} had {had} left, and the move closed only {less} of them (the better one {lost})",
)
_LEFT_RIVAL_ALL = Text(
    "{color} hatte noch {had}, und der Zug nahm keinen davon weg (der bessere {lost})",
    "{color} had {had} left, and the move closed none of them (the better one {lost})",
)
_FEWER_NEXT = Text(
    "{color} hat danach noch {had}, nach dem besseren Zug wären es {more}",
    "{color} has {had} left after it, and would have {more} after the better move",
)
_SMALLER = Text(
    "der bessere Zug legt {more} Felder, dieser {less}",
    "the better move covers {more} squares, this one {less}",
)


def compare_moves(state: BlokusState, played: BlokusMove, better: BlokusMove) -> Text | None:
    """Return what speaks most for the better of two legal moves, None if nothing stands out."""
    color = _NAMES[state.color]
    if isinstance(played, SkipMove):
        return None if isinstance(better, SkipMove) else _told(_SKIPPED, color)
    found = max(_differences(state, played, better), default=(0.0, None), key=lambda one: one[0])
    if found[0] >= NOTABLE:
        return found[1]
    if played.size < better.size:
        return _told(_SMALLER, color, less=played.size, more=better.size)
    return None


def _differences(
    state: BlokusState, played: BlokusMove, better: BlokusMove
) -> Iterator[tuple[float, Text]]:
    """Yield what the moves do to each colour, with how much it matters."""
    after, wanted = state.play(played), state.play(better)
    for other in state.valid_colors:
        name = _NAMES[other]
        before, less, more = (_places(one, other) for one in (state, after, wanted))
        if other is state.color:
            if more > less:
                told = _told(_FEWER_NEXT, name, _counted(less), more=more)
                yield (more - less) / (more + 1), told
        elif other.seat == state.seat and more > less:
            text, closed = _CLOSED_OWN if less else _CLOSED_ALL, before - less
            values = {"lost": closed, "less": before - more, "more": more}
            told = _told(text, name, _counted(before), **values)
            yield (more - less) / (before + 1), told
        elif other.seat != state.seat and less > more:
            closed, fewer = before - more, before - less
            text = _LEFT_RIVAL if fewer else _LEFT_RIVAL_ALL
            told = _told(text, name, _counted(before), lost=closed, less=fewer)
            yield (less - more) / (before + 1), told


def _places(state: BlokusState, color: Color) -> int:
    return count_placements(state.placements(color))


def _counted(places: int) -> Text:
    if places == 1:
        return Text("1 Platz", "1 place")
    return Text(f"{places or 'keine'} Plätze", f"{places or 'no'} places")


def _told(text: Text, color: Text, had: Text = NO_TEXT, **values: int) -> Text:
    return Text(
        text.de.format(color=color.de, had=had.de, **values),
        text.en.format(color=color.en, had=had.en, **values),
    )
