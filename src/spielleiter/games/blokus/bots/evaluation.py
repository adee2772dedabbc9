"""Estimate the final lead in a position from the squares each colour can still reach.

``RatedPosition`` is a position prepared for bots that look at thousands of them, with sets of
squares and without objects for moves. It knows nothing about searching or clocks, and what is legal
is decided in ``rules/``.
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

from spielleiter.games.blokus.rules.bitboard import (
    FORM_MASKS,
    STRIDE,
    Placements,
    diagonals,
    find_placements,
    free_squares,
    has_placement,
    indices,
)
from spielleiter.games.blokus.rules.pieces import (
    FULL_HAND,
    ORIENTATIONS,
    SIZES,
    Color,
    Piece,
    hand_squares,
)
from spielleiter.games.blokus.rules.state import FINISH_BONUS, MONO_BONUS, BlokusState

# The estimate. A colour's near reach is what it may cover with its next piece, its far reach what
# it may cover with two or three, if nobody gets in the way. Squares that a rival reaches as well
# are worth less, so it pays to go where they cannot follow and to shut them out where they can. A
# hand is worth something too: points to come; and the two smallest pieces fit where nothing else
# does, so they are kept for the end.
#
# The weights are points at the end of the game per square. They come from least squares over 300
# games of a simpler bot (how many more points did a colour make from here, given its reach and its
# hand?), rounded and smoothed by hand. The later it is, the more counts what is near.

_TURNS = (8, 24, 40, 56, 72)
_NEAR = (0.05, 0.18, 0.27, 0.33, 0.34)
_NEAR_SHARED = (-0.03, -0.07, -0.14, -0.15, -0.07)
_FAR = (0.20, 0.18, 0.15, 0.10, 0.07)
_FAR_SHARED = (-0.14, -0.12, -0.08, -0.03, -0.02)
_SQUARE_IN_HAND = (0.30, 0.30, 0.20, 0.10, 0.00)
_SMALL_IN_HAND = {Piece.MONO.bit: 3.5, Piece.DOMINO.bit: 2.7}

_LAST_TURN = 103
"""No turn is higher, not even where colours that are out push the last one over the limit."""


def _by_turn(values: tuple[float, ...]) -> tuple[float, ...]:
    """Return a weight for every turn, on straight lines between the turns of the table."""
    line = [values[0]] * _TURNS[0]
    for number, (before, after) in enumerate(pairwise(_TURNS)):
        step = (values[number + 1] - values[number]) / (after - before)
        line += [values[number] + step * turn for turn in range(after - before)]
    line += [values[-1]] * (_LAST_TURN + 1 - len(line))
    return tuple(line)


_NEAR_WEIGHTS = tuple(zip(_by_turn(_NEAR), _by_turn(_NEAR_SHARED), strict=True))
_FAR_WEIGHTS = tuple(zip(_by_turn(_FAR), _by_turn(_FAR_SHARED), strict=True))
_HAND_WEIGHTS = _by_turn(_SQUARE_IN_HAND)

FORM_SIZES = tuple(SIZES[form.piece] for form in ORIENTATIONS)
"""How many squares each orientation has."""
_FORM_PIECES = tuple(form.piece.bit for form in ORIENTATIONS)


def near_reach(free: int, touch: int) -> int:
    """Return the squares within four steps of an open corner.

    Those are the squares that a piece of five may cover, whatever its form.
    """
    near = touch
    for _ in range(4):
        near = (near | near << 1 | near >> 1 | near << STRIDE | near >> STRIDE) & free
    return near


def far_reach(free: int, near: int) -> int:
    """Return the squares up to six steps further, diagonal ones included.

    Diagonal steps count because the way from piece to piece leads over corners.
    """
    far = near
    for _ in range(6):
        row = far | far << 1 | far >> 1
        far = (row | row << STRIDE | row >> STRIDE) & free
    return far


def _still_reached(free: int, touch: int, near: int, far: int, covered: int) -> tuple[int, int]:
    """Return the near and far reach of a colour after somebody else has covered these squares."""
    if not covered & far:
        return near, far
    free &= ~covered
    if covered & near:
        near = near_reach(free, touch & free)
    return near, far_reach(free, near)


def _balance(
    own: int, partner: int, rival: int, other_rival: int, weights: tuple[float, float]
) -> float:
    """Return how much more the reach of one side is worth than that of the other."""
    ours, theirs = own | partner, rival | other_rival
    alone, shared = weights
    return alone * (
        own.bit_count() + partner.bit_count() - rival.bit_count() - other_rival.bit_count()
    ) + shared * (
        (own & theirs).bit_count()
        + (partner & theirs).bit_count()
        - (rival & ours).bit_count()
        - (other_rival & ours).bit_count()
    )


def _hand_value(hand: int, turn: int) -> float:
    """Return what unplaced pieces promise a colour that can still move."""
    value = _HAND_WEIGHTS[turn] * hand_squares(hand)
    return value + sum(extra for piece, extra in _SMALL_IN_HAND.items() if hand & piece)


def _gain(form: int, hand: int) -> int:
    """Return the points for placing this form, with what is left in the hand afterwards."""
    if hand:
        return FORM_SIZES[form]
    return FORM_SIZES[form] + FINISH_BONUS + (MONO_BONUS if FORM_SIZES[form] == 1 else 0)


RatedMove = tuple[float, int, int]
"""(estimated final lead of the side that moves, index of an orientation, number of the position's
bit)
"""


class RatedPosition:
    """A position with the room and the reach of every colour.

    Never changed once made; trusts what it is given.

    All lists are by colour. ``free`` holds the squares a colour may cover, ``touch`` those of which
    it must cover one, ``near`` and ``far`` its reach; all are empty for a colour that is out.
    ``points`` are the scores so far.
    """

    __slots__ = (
        "boards",
        "far",
        "free",
        "hands",
        "live",
        "near",
        "occupied",
        "points",
        "state",
        "touch",
        "turn",
    )

    def __init__(self, state: BlokusState) -> None:
        self.state = state
        """The position all this began with. What never changes in a game is read from it."""
        self.turn = state.turn
        self.live = 0 if state.is_over else state.valid
        """The colours still in play, one bit each, and none once the game is over."""
        self.boards, self.hands = [*state.boards], [*state.hands]
        self.points = [state.score(color) for color in Color]
        self.occupied = state.occupied_squares
        self.free, self.touch, self.near, self.far = [0] * 4, [0] * 4, [0] * 4, [0] * 4
        for color in state.valid_colors:
            free = free_squares(self.boards[color], self.occupied)
            first = state.is_first_move(color)
            touch = free & (
                state.game.season.start_cells if first else diagonals(self.boards[color])
            )
            self._look_around(color, free, touch)

    def _look_around(self, color: int, free: int, touch: int) -> None:
        self.free[color], self.touch[color] = free, touch
        self.near[color] = near_reach(free, touch)
        self.far[color] = far_reach(free, self.near[color])

    @property
    def seat(self) -> int:
        """The side on turn."""
        return self.turn & 1

    @property
    def lead(self) -> int:
        """How many points the side on turn is ahead, which is the result if the game is over."""
        blue, yellow, red, green = self.points
        lead = blue + red - yellow - green
        return -lead if self.turn & 1 else lead

    def _playable(self, color: int) -> int:
        """Return the pieces a colour may choose from."""
        hand = self.hands[color]
        return self.state.start_piece.bit if hand == FULL_HAND else hand

    def placements(self) -> Placements:
        """Return all placements of the colour on turn."""
        color = self.turn & 3
        return find_placements(self.free[color], self.touch[color], self._playable(color))

    def rate_moves(self, found: Placements, enough: float = inf) -> list[RatedMove]:
        """Return the estimate after each of these moves, in the order they came.

        It stops after the first that reaches ``enough``.
        """
        color, turn = self.turn & 3, min(self.turn + 1, _LAST_TURN)
        partner, rival, other = color ^ 2, color + 1 & 3, color + 3 & 3
        own, hand, occupied = self.boards[color], self.hands[color], self.occupied
        partner_room, rival_room, other_room = (
            (self.free[each], self.touch[each], self.near[each], self.far[each])
            for each in (partner, rival, other)
        )
        partner_hand, rival_hand, other_hand = (
            _hand_value(self.hands[each], turn) for each in (partner, rival, other)
        )
        near_weights, far_weights = _NEAR_WEIGHTS[turn], _FAR_WEIGHTS[turn]
        own_hand, lead = _hand_value(hand, turn), self.lead
        rated: list[RatedMove] = []
        for form, positions in found:
            piece, size = _FORM_PIECES[form], FORM_SIZES[form]
            points = lead + _gain(form, hand ^ piece)
            left_in_hand = own_hand - size * _HAND_WEIGHTS[turn] - _SMALL_IN_HAND.get(piece, 0.0)
            for index in indices(positions):
                covered = FORM_MASKS[form] << index
                board = own | covered
                free = free_squares(board, occupied | covered)
                near = near_reach(free, free & diagonals(board))
                far = far_reach(free, near)
                near_2, far_2 = _still_reached(*partner_room, covered)
                near_3, far_3 = _still_reached(*rival_room, covered)
                near_4, far_4 = _still_reached(*other_room, covered)
                value = points + _balance(near, near_2, near_3, near_4, near_weights)
                value += _balance(far, far_2, far_3, far_4, far_weights)
                # A colour that cannot move any more cannot use its hand.
                if near:
                    value += left_in_hand
                if near_2:
                    value += partner_hand
                if near_3:
                    value -= rival_hand
                if near_4:
                    value -= other_hand
                rated.append((value, form, index))
                if value >= enough:
                    return rated
        return rated

    def after(self, form: int, index: int) -> RatedPosition:
        """Return the position after a move of the colour on turn.

        The next colour that can move is then on turn.
        """
        color, covered = self.turn & 3, FORM_MASKS[form] << index
        # ``__init__`` would look around for all four colours, which is what costs. Here only those
        # do whose reach the move can have changed, and the others keep what they had.
        new = object.__new__(RatedPosition)
        new.state, new.live = self.state, self.live
        new.occupied = self.occupied | covered
        new.boards, new.hands, new.points = (
            self.boards.copy(),
            self.hands.copy(),
            self.points.copy(),
        )
        new.boards[color] |= covered
        new.hands[color] ^= _FORM_PIECES[form]
        new.points[color] += _gain(form, new.hands[color])
        new.free, new.touch, new.near, new.far = (
            self.free.copy(),
            self.touch.copy(),
            self.near.copy(),
            self.far.copy(),
        )
        free = free_squares(new.boards[color], new.occupied)
        new._look_around(color, free, free & diagonals(new.boards[color]))
        for other in {0, 1, 2, 3} - {color}:
            free = self.free[other] & ~covered
            new.free[other] = free
            # ``touch`` lies in ``near`` and that in ``far``. So a move that covers nothing of
            # ``far`` leaves all three as they are.
            if covered & self.far[other]:
                new._look_around(other, free, self.touch[other] & free)
        new.turn = new._pass_on(self.turn)
        return new

    def _pass_on(self, turn: int) -> int:
        """Return the next turn, and take colours that cannot move out of play.

        If the game is over, all of them are taken out.
        """
        before, season = turn, self.state.game.season
        while self.live:
            turn += 1
            color = turn & 3
            if not self.live >> color & 1:
                continue
            if has_placement(self.free[color], self.touch[color], self._playable(color)):
                break
            self.live ^= 1 << color
            self.free[color] = self.touch[color] = self.near[color] = self.far[color] = 0
        # Rulings B1 and B2.
        finished = season.ends_when_finished and not all(self.hands) and before // 4 < turn // 4
        if finished or turn >= season.turn_limit:
            self.live = 0
        return turn
