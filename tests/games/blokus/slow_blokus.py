"""Blokus once more, slowly: sets of coordinates and brute force, written from the rules text alone.

Shares nothing with the package, so that the two can be compared. Colours, pieces and moves are
plain strings and sets; a move is ``(color, piece, frozenset of cells)`` or ``(color, None,
frozenset())``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

COLORS = ("BLUE", "YELLOW", "RED", "GREEN")

# Squares as the contest's table lists them: "10" is x = 1, y = 0.
PIECES = {
    "MONO": "00",
    "DOMINO": "00 10",
    "TRIO_L": "00 01 11",
    "TRIO_I": "00 01 02",
    "TETRO_O": "00 10 01 11",
    "TETRO_T": "00 10 20 11",
    "TETRO_I": "00 01 02 03",
    "TETRO_L": "00 01 02 12",
    "TETRO_Z": "00 10 11 21",
    "PENTO_L": "00 01 02 03 13",
    "PENTO_T": "00 10 20 11 12",
    "PENTO_V": "00 01 02 12 22",
    "PENTO_S": "10 20 30 01 11",
    "PENTO_Z": "00 10 11 12 22",
    "PENTO_I": "00 01 02 03 04",
    "PENTO_P": "00 10 01 11 02",
    "PENTO_W": "00 01 11 12 22",
    "PENTO_U": "00 01 11 21 20",
    "PENTO_R": "01 11 12 21 20",
    "PENTO_X": "10 01 11 21 12",
    "PENTO_Y": "01 10 11 12 13",
}


def squares_of(piece):
    return {(int(pair[0]), int(pair[1])) for pair in PIECES[piece].split()}


def turned(cells, rotation, flipped):
    """Rotate, then flip, then normalise, as the documents write it."""
    if rotation == "RIGHT":
        cells = {(-y, x) for x, y in cells}
    elif rotation == "MIRROR":
        cells = {(-x, -y) for x, y in cells}
    elif rotation == "LEFT":
        cells = {(y, -x) for x, y in cells}
    if flipped:
        cells = {(-x, y) for x, y in cells}
    min_x = min(x for x, y in cells)
    min_y = min(y for x, y in cells)
    return frozenset((x - min_x, y - min_y) for x, y in cells)


def all_forms(piece):
    return {
        turned(squares_of(piece), rotation, flip)
        for rotation in ("NONE", "RIGHT", "MIRROR", "LEFT")
        for flip in (0, 1)
    }


def on_board(cell):
    return 0 <= cell[0] <= 19 and 0 <= cell[1] <= 19


# Every way to lay every piece on an empty board.
PLACEMENTS = {
    piece: [
        frozenset((x + dx, y + dy) for dx, dy in form)
        for form in all_forms(piece)
        for x in range(20)
        for y in range(20)
        if all(on_board((x + dx, y + dy)) for dx, dy in form)
    ]
    for piece in PIECES
}

CORNER_SQUARES = {(0, 0), (19, 0), (0, 19), (19, 19)}
BORDER_SQUARES = {(x, y) for x in range(20) for y in range(20) if x in (0, 19) or y in (0, 19)}


@dataclass
class SlowBlokus:
    """One match, changed in place."""

    start_piece: str
    start_squares: set
    turn_limit: int
    ends_when_finished: bool
    board: dict = field(default_factory=dict)  # cell -> colour
    hands: dict = field(default_factory=lambda: {color: set(PIECES) for color in COLORS})
    valid: list = field(default_factory=lambda: list(COLORS))
    turn: int = 0
    mono_last: set = field(default_factory=set)
    finished_in_round: list = field(default_factory=list)

    def copy(self):
        return SlowBlokus(
            self.start_piece,
            self.start_squares,
            self.turn_limit,
            self.ends_when_finished,
            dict(self.board),
            {color: set(hand) for color, hand in self.hands.items()},
            list(self.valid),
            self.turn,
            set(self.mono_last),
            list(self.finished_in_round),
        )

    @property
    def color(self):
        return COLORS[self.turn % 4]

    @property
    def round(self):
        return 1 + self.turn // 4

    @property
    def over(self):
        if not self.valid or self.turn >= self.turn_limit:
            return True
        return self.ends_when_finished and any(
            self.round > finished for finished in self.finished_in_round
        )

    def placements(self, color):
        """All (piece, cells) this colour could lay down now."""
        own = {cell for cell, owner in self.board.items() if owner == color}
        beside = {(x + dx, y + dy) for x, y in own for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
        diagonal = {(x + dx, y + dy) for x, y in own for dx in (1, -1) for dy in (1, -1)}
        taken = set(self.board)
        first = self.hands[color] == set(PIECES)
        pieces = {self.start_piece} if first else self.hands[color]
        must_cover = self.start_squares if first else diagonal
        for piece in pieces:
            for cells in PLACEMENTS[piece]:
                if cells.isdisjoint(must_cover):
                    continue
                if cells.isdisjoint(taken) and cells.isdisjoint(beside):
                    yield piece, cells

    def moves(self):
        if self.over:
            return set()
        moves = {(self.color, piece, cells) for piece, cells in self.placements(self.color)}
        if self.hands[self.color] != set(PIECES):
            moves.add((self.color, None, frozenset()))
        return moves

    def play(self, move):
        color, piece, cells = move
        if piece is not None:
            for cell in cells:
                self.board[cell] = color
            self.hands[color].remove(piece)
            if not self.hands[color]:
                self.finished_in_round.append(self.round)
                if piece == "MONO":
                    self.mono_last.add(color)
        self.advance()
        while not any(True for _ in self.placements(self.color)):
            self.valid.remove(self.color)
            if not self.valid:
                break
            self.advance()

    def advance(self):
        self.turn += 1
        while self.color not in self.valid:
            self.turn += 1

    def points(self, color):
        points = sum(len(squares_of(piece)) for piece in PIECES if piece not in self.hands[color])
        if not self.hands[color]:
            points += 15
            if color in self.mono_last:
                points += 5
        return points


def perft(game, depth):
    """How many sequences of ``depth`` moves there are."""
    if depth == 1:
        return len(game.moves())
    total = 0
    for move in game.moves():
        after = game.copy()
        after.play(move)
        total += perft(after, depth - 1)
    return total
