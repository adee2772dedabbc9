"""Say in words what a move of Hase und Igel gave away, compared with a better one.

It looks at the hare after both moves and judges nothing.
"""

from __future__ import annotations

from spielleiter.games.hase_und_igel.rules.moves import HareMove
from spielleiter.games.hase_und_igel.rules.state import Hare, HareState
from spielleiter.rules import Text

MANY_CARROTS = 10
FAR = 3
"""Fields that are worth a word."""
_GOAL = Text("der bessere Zug führt ins Ziel", "the better move leads to the goal")
_SALAD = Text(
    "mit dem besseren Zug bleiben weniger Salate übrig ({more} statt {less})",
    "the better move leaves fewer salads ({more} instead of {less})",
)
_FURTHER = Text(
    "der bessere Zug führt auf Feld {more} statt {less} und lässt genauso viele Karotten oder mehr",
    "the better move leads to field {more} instead of {less} and leaves as many carrots or more",
)
_CARROTS = Text(
    "der Zug lässt dem Hasen {less} Karotten, der bessere {more}",
    "the move leaves the hare {less} carrots, and the better one {more}",
)
_FIELD = Text(
    "der bessere Zug führt auf Feld {more}, dieser nur auf Feld {less}",
    "the better move leads to field {more}, this one only to field {less}",
)
_BACK = Text(
    "der bessere Zug endet schon auf Feld {more}, dieser auf Feld {less}",
    "the better move ends on field {more} already, this one on field {less}",
)
_CARDS = Text(
    "mit dem besseren Zug bleiben mehr Hasenkarten ({more} statt {less})",
    "the better move keeps more cards ({more} instead of {less})",
)


def compare_moves(state: HareState, played: HareMove, better: HareMove) -> Text | None:
    """Return what speaks most for the better of two legal moves, None if nothing stands out."""
    seat = state.seat
    after, wanted = state.play(played), state.play(better)
    this, other = after.hares[seat], wanted.hares[seat]
    if wanted.in_goal(other) and not after.in_goal(this):
        return _GOAL
    if other.salads < this.salads:
        return _told(_SALAD, this.salads, other.salads)
    return _compare_ways(this, other)


def _compare_ways(this: Hare, other: Hare) -> Text | None:
    """Compare how far two moves lead and what they cost."""
    further, richer = other.position - this.position, other.carrots - this.carrots
    if further > 0 and richer >= 0:
        return _told(_FURTHER, this.position, other.position)
    if richer >= MANY_CARROTS:
        return _told(_CARROTS, this.carrots, other.carrots)
    if further >= FAR:
        return _told(_FIELD, this.position, other.position)
    if len(other.cards) > len(this.cards):
        return _told(_CARDS, len(this.cards), len(other.cards))
    if further <= -FAR:
        return _told(_BACK, this.position, other.position)
    return None


def _told(text: Text, less: int, more: int) -> Text:
    return text.format(less=less, more=more)
