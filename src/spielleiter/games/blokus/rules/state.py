"""A position of Blokus and all its rules.

They say what is legal, what a move changes, when the game ends and how it scores. What differs
between seasons comes from ``state.game.season``, and sets of squares come from ``bitboard.py``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, NoReturn

from spielleiter.games.blokus.rules.bitboard import (
    FORM_MASKS,
    STRIDE,
    Placements,
    diagonals,
    find_placements,
    free_squares,
    has_placement,
    indices,
    sides,
    square,
)
from spielleiter.games.blokus.rules.consistency import check_consistency
from spielleiter.games.blokus.rules.moves import BlokusMove, SetMove, SkipMove
from spielleiter.games.blokus.rules.pieces import (
    FULL_HAND,
    ORIENTATIONS,
    SIZE,
    SPELLINGS,
    SQUARES,
    Cell,
    Color,
    Piece,
    hand_pieces,
    hand_squares,
)
from spielleiter.rules import (
    DRAW,
    LOSS,
    WIN,
    Outcome,
    PositionError,
    RuleViolation,
    SeatOutcome,
    State,
    Text,
)
from spielleiter.rules.frozen import frozen

if TYPE_CHECKING:
    from spielleiter.games.blokus.game import Blokus

ALL_COLORS = 0b1111
FINISH_BONUS, MONO_BONUS = 15, 5
COLORS = tuple(Color)

_ENDINGS = {
    "RUNNING": Text("Das Spiel läuft noch.", "The game is still running."),
    "NO_MOVES": Text(
        "Keine Farbe kann mehr einen Stein setzen.", "No colour can place another piece."
    ),
    "ALL_PLACED": Text(
        "Eine Farbe hat alle Steine gesetzt, und die Runde ist zu Ende gespielt.",
        "A colour has placed all its pieces, and the round has been played out.",
    ),
    "ROUND_LIMIT": Text("Die letzte Runde ist gespielt.", "The last round has been played."),
}


@cache
def _moves_of(color: Color, form: int) -> dict[int, SetMove]:
    """Return all moves of one colour and form by the number of the position's bit.

    Moves are values, so they are shared.
    """
    # The cache needs no limit, because there are 4 * 91 entries and no more. They are made when
    # first needed: all 120,000 moves at once would delay every start by a third of a second.
    shape = ORIENTATIONS[form]
    return {
        y * STRIDE + x: SetMove(color, shape.piece, shape.rotation, shape.flipped, x, y)
        for y in range(SIZE - shape.height + 1)
        for x in range(SIZE - shape.width + 1)
    }


def placed(color: Color, form: int, index: int) -> SetMove:
    """Return the move that puts a form at a position, both numbered as in ``Placements``."""
    return _moves_of(color, form)[index]


@frozen
class BlokusState(State[BlokusMove]):
    """One position. ``boards`` and ``hands`` have an entry for each colour in the order of play.

    A board is a set of squares: bit ``y * 21 + x`` (see ``bitboard.py``). A hand is a set of pieces
    not yet placed: bit ``piece``. ``valid`` and ``mono_last`` are sets of colours: bit ``color``.

    ``valid`` holds the colours still in play. Only the colour on turn is ever tested (ruling B6),
    so it may hold colours that cannot move any more but have not noticed yet.
    """

    game: Blokus
    boards: tuple[int, int, int, int]
    hands: tuple[int, int, int, int]
    valid: int
    turn: int
    start_piece: Piece
    last_move: BlokusMove | None
    mono_last: int

    # What to read off a position

    @property
    def color(self) -> Color:
        """The colour on turn. Meaningless once ``is_over``."""
        return COLORS[self.turn & 3]

    @property
    def seat(self) -> int:
        return self.turn & 1

    @property
    def round(self) -> int:
        return 1 + self.turn // 4

    @property
    def valid_colors(self) -> tuple[Color, ...]:
        """The colours still in play, in the order of play."""
        return tuple(color for color in COLORS if self.valid >> color & 1)

    def hand(self, color: Color) -> tuple[Piece, ...]:
        """Return the pieces this colour has not placed yet."""
        return hand_pieces(self.hands[color])

    def cell(self, x: int, y: int) -> Color | None:
        """Return the colour that covers this square, None if it is empty.

        Raises IndexError off the board.
        """
        if not (0 <= x < SIZE and 0 <= y < SIZE):
            raise IndexError(f"({x}, {y}) is not on the board of {SIZE} x {SIZE}")
        bit = square(x, y)
        return next((color for color in COLORS if self.boards[color] & bit), None)

    @property
    def occupied_squares(self) -> int:
        """All squares covered by any colour, as a bit set."""
        blue, yellow, red, green = self.boards
        return blue | yellow | red | green

    def occupied(self) -> Iterator[tuple[int, int, Color]]:
        """Return all covered squares with their colour, row by row."""
        blue, yellow, red, _ = self.boards
        for index in indices(self.occupied_squares):
            bit = 1 << index
            if blue & bit:
                color = Color.BLUE
            elif yellow & bit:
                color = Color.YELLOW
            else:
                color = Color.RED if red & bit else Color.GREEN
            yield index % STRIDE, index // STRIDE, color

    def score(self, color: Color) -> int:
        """Return the points of a colour.

        They are the squares of the pieces placed, +15 if all are, +5 more if MONO was the last of
        them.

        Counted from the hand, as the official servers do (ruling B8).
        """
        if self.hands[color]:
            return SQUARES - hand_squares(self.hands[color])
        return SQUARES + FINISH_BONUS + (MONO_BONUS if self.mono_last >> color & 1 else 0)

    # The end

    @property
    def is_over(self) -> bool:
        season = self.game.season
        return (
            not self.valid
            or self.turn >= season.turn_limit
            or (season.ends_when_finished and self._ended_by_finishing)
        )

    @property
    def _ended_by_finishing(self) -> bool:
        """Whether the round in which a colour placed its last piece is complete (ruling B1).

        The turn of the last move follows from its colour, because from one move to the next the
        turn advances by one to four. If that move ended a round and somebody is finished, it is
        over; if it did not, the colour finished in the round that is still being played, as the
        game would have ended before.
        """
        if all(self.hands):
            return False
        if self.last_move is None:
            return True
        # A difference of 0 means that the same colour is on turn again, a whole round later.
        back = (self.turn - self.last_move.color) & 3 or 4
        return (self.turn - back) // 4 < self.turn // 4

    def outcome(self) -> Outcome:
        blue, yellow, red, green = [self.score(color) for color in COLORS]
        teams = (blue + red, yellow + green)
        if teams[0] == teams[1]:
            winner, points = None, (DRAW, DRAW)
        else:
            winner = 0 if teams[0] > teams[1] else 1
            points = (LOSS, WIN) if winner else (WIN, LOSS)
        code = self._ending()
        seats = tuple(SeatOutcome(points[seat], (teams[seat],)) for seat in (0, 1))
        return Outcome(seats, winner, code, _ENDINGS[code])

    def _ending(self) -> str:
        if not self.is_over:
            return "RUNNING"
        if self.game.season.ends_when_finished and self._ended_by_finishing:
            return "ALL_PLACED"
        return "NO_MOVES" if not self.valid else "ROUND_LIMIT"

    # What is legal

    def is_first_move(self, color: Color) -> bool:
        """Return whether this colour still has all its pieces.

        The hand decides this, not the round (ruling B5).
        """
        return self.hands[color] == FULL_HAND

    def _room(self, color: int) -> tuple[int, int, int]:
        """Return the squares this colour may cover, those of which it must cover one, and its hand.

        The hand holds only the pieces it may choose from now.
        """
        hand = self.hands[color]
        own = self.boards[color]
        free = free_squares(own, self.occupied_squares)
        # A full hand means the first move, with the start piece and on a start square (ruling B5).
        if hand == FULL_HAND:
            return free, free & self.game.season.start_cells, 1 << self.start_piece
        return free, free & diagonals(own), hand

    def placements(self, color: Color | None = None) -> Placements:
        """Return every placement the rules allow a colour, as sets of positions per form.

        Without ``color`` it is the colour on turn.

        This is the fast form of ``legal_moves()``, same moves, same order, without the skip. It
        does not ask whether the colour is on turn or the game over.
        """
        return find_placements(*self._room(self.turn & 3 if color is None else color))

    def can_place(self, color: Color) -> bool:
        """Return whether the rules allow this colour any placement here."""
        return has_placement(*self._room(color))

    def legal_moves(self) -> Sequence[BlokusMove]:
        """Return every legal move once, placements first.

        They are sorted by piece, then rotation, then flip, then row by row. The skip comes last,
        where it is allowed.

        Only the first spelling of equal placements is listed.
        """
        if self.is_over:
            return ()
        color = self.color
        moves: list[BlokusMove] = []
        for form, bits in self.placements():
            table = _moves_of(color, form)
            moves += [table[index] for index in indices(bits)]
        if not self.is_first_move(color):
            moves.append(SkipMove(color))
        return tuple(moves)

    def is_legal(self, move: BlokusMove) -> bool:
        try:
            self._check(move)
        except RuleViolation:
            return False
        return True

    def _check(self, move: BlokusMove) -> int:
        """Return the squares a move covers. Raises RuleViolation.

        The order of the tests is that of the official servers. They look at the squares of a piece
        in no particular order. Here one outside comes before one covered, before one beside its own
        colour (ruling B7).
        """
        # Looking the move up among ``placements()`` would be shorter and wrong. It could not say
        # which rule is broken, it would refuse other spellings of a legal placement, and for one
        # move it costs ten times as much.
        color = self.turn & 3
        if self.is_over:
            self._refuse("GAME_OVER", move)
        if move.color != color:
            self._refuse("WRONG_COLOR", move)
        hand = self.hands[color]
        if isinstance(move, SkipMove):
            if hand == FULL_HAND:
                self._refuse("SKIP_FIRST_TURN", move)
            return 0
        if hand == FULL_HAND:
            if move.piece != self.start_piece:
                self._refuse("WRONG_SHAPE", move)
        elif not hand >> move.piece & 1:
            self._refuse("DUPLICATE_SHAPE", move)

        form = SPELLINGS[move.piece][move.rotation][move.flipped]
        shape = ORIENTATIONS[form]
        if not (0 <= move.x <= SIZE - shape.width and 0 <= move.y <= SIZE - shape.height):
            self._refuse("OUT_OF_BOUNDS", move)
        # Only now that the piece is known to lie on the board may the mask be shifted there.
        covered = FORM_MASKS[form] << move.y * STRIDE + move.x
        own = self.boards[color]
        if covered & self.occupied_squares:
            self._refuse("OBSTRUCTED", move)
        if covered & sides(own):
            self._refuse("TOUCHES_SAME_COLOR", move)
        if hand == FULL_HAND:
            if not covered & self.game.season.start_cells:
                self._refuse(self.game.season.start_mistake, move)
        elif not covered & diagonals(own):
            self._refuse("NO_SHARED_CORNER", move)
        return covered

    def _refuse(self, rule: str, move: BlokusMove) -> NoReturn:
        color = Color(move.color)
        values: dict[str, object] = {
            "color": color.name,
            "turn_color": self.color.name,
            "start_piece": self.start_piece.name,
        }
        if isinstance(move, SetMove):
            values["piece"] = move.piece.name
            # Row by row, the first square of the piece that is at fault.
            cell = next(iter(self._faults(rule, move)), None)
            if cell is not None:
                values["cell"] = f"({cell[0]}, {cell[1]})"
                other = self.cell(*cell) if rule == "OBSTRUCTED" else None
                values["other"] = other.name if other is not None else ""
        raise RuleViolation(rule, self.game.season.mistakes[rule].format(**values))

    def _faults(self, rule: str, move: SetMove) -> tuple[Cell, ...]:
        """Return the squares of the piece, row by row, that break this rule by themselves."""
        if rule == "OUT_OF_BOUNDS":
            return tuple((x, y) for x, y in move.cells if not (0 <= x < SIZE and 0 <= y < SIZE))
        wrong = {
            "OBSTRUCTED": self.occupied_squares,
            "TOUCHES_SAME_COLOR": sides(self.boards[move.color]),
        }.get(rule)
        if wrong is None:
            return ()
        return tuple(cell for cell in move.cells if wrong & square(*cell))

    def cells_at_fault(self, move: BlokusMove) -> tuple[Cell, ...]:
        """Return the squares that make a move illegal, all of the piece where none is to blame.

        Empty for a legal move, and where the piece does not matter.
        """
        try:
            self._check(move)
        except RuleViolation as violation:
            if isinstance(move, SetMove):
                rule = violation.rule
                whole = rule in ("NO_SHARED_CORNER", self.game.season.start_mistake)
                return move.cells if whole else self._faults(rule, move)
        return ()

    # What a move changes

    def play(self, move: BlokusMove) -> BlokusState:
        return self._after(move, self._check(move))

    def play_unchecked(self, move: BlokusMove) -> BlokusState:
        """Play a move known to be legal, such as one of ``legal_moves()``, without checking it."""
        if isinstance(move, SkipMove):
            return self._after(move, 0)
        form = SPELLINGS[move.piece][move.rotation][move.flipped]
        return self._after(move, FORM_MASKS[form] << move.y * STRIDE + move.x)

    def _after(self, move: BlokusMove, covered: int) -> BlokusState:
        boards, hands, mono_last = self.boards, self.hands, self.mono_last
        if isinstance(move, SetMove):
            color = move.color
            boards = _with(boards, color, boards[color] | covered)
            hands = _with(hands, color, hands[color] ^ (1 << move.piece))
            if move.piece is Piece.MONO and not hands[color]:
                mono_last |= 1 << color
        after = BlokusState(
            self.game,
            boards,
            hands,
            self.valid,
            next_turn(self.turn, self.valid),
            self.start_piece,
            move,
            mono_last,
        )
        # Only the colour now on turn is tested. The others find out at their own turn (ruling B6).
        if after.can_place(after.color):
            return after
        return after._drop_stuck()

    def _drop_stuck(self) -> BlokusState:
        """Take the colour on turn out of play and pass on, until one can move or none is left.

        This is ruling B6. When the last colour goes, the turn stays where it is.
        """
        valid, turn = self.valid, self.turn
        while not self.can_place(COLORS[turn & 3]):
            valid &= ~(1 << (turn & 3))
            if not valid:
                break
            turn = next_turn(turn, valid)
        return BlokusState(
            self.game,
            self.boards,
            self.hands,
            valid,
            turn,
            self.start_piece,
            self.last_move,
            self.mono_last,
        )

    # Positions from outside

    @staticmethod
    def build(
        game: Blokus,
        cells: Mapping[Cell, Color],
        hands: Sequence[int],
        valid_colors: Sequence[Color],
        turn: int,
        start_piece: Piece,
        last_move: BlokusMove | None,
        mono_last: int,
    ) -> BlokusState:
        """Return a position that somebody else describes.

        Raises PositionError if it contradicts itself.

        The squares need not be explicable by the pieces placed: the documents' own example shows
        four squares where dozens must lie (ruling B10).
        """
        boards = [0, 0, 0, 0]
        for (x, y), color in cells.items():
            if not (0 <= x < SIZE and 0 <= y < SIZE):
                raise PositionError(f"square ({x}, {y}) is not on the board of {SIZE} x {SIZE}")
            boards[color] |= square(x, y)
        valid = sum(1 << color for color in set(valid_colors))
        if len(hands) != len(COLORS):
            raise PositionError(f"there are four colours, but {len(hands)} hands")
        blue, yellow, red, green = hands
        state = BlokusState(
            game,
            (boards[0], boards[1], boards[2], boards[3]),
            (blue, yellow, red, green),
            valid,
            turn,
            start_piece,
            last_move,
            mono_last,
        )
        check_consistency(state)
        return state


def _with(four: tuple[int, int, int, int], color: Color, value: int) -> tuple[int, int, int, int]:
    """Return the same values, but for one colour."""
    values = [*four]
    values[color] = value
    blue, yellow, red, green = values
    return blue, yellow, red, green


def next_turn(turn: int, valid: int) -> int:
    """Return the next turn of a colour still in play. ``valid`` must not be empty."""
    turn += 1
    while not valid >> (turn & 3) & 1:
        turn += 1
    return turn


def empty_state(game: Blokus, start_piece: Piece) -> BlokusState:
    """Return the position with nothing placed and BLUE to move."""
    hands = (FULL_HAND, FULL_HAND, FULL_HAND, FULL_HAND)
    return BlokusState(game, (0, 0, 0, 0), hands, ALL_COLORS, 0, start_piece, None, 0)
