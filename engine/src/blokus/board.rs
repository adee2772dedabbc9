//! A position as row bitboards: who covers what, what each colour may cover, and whose turn it is.
//!
//! It plays moves that are known to be legal and tells when the game is over. Which moves are legal
//! is found in `moves.rs`.

use super::pieces::{FULL_HAND, FULL_ROW, MONO, PASS, Placement, PlacementId, SIZE, tables};
use super::rules::Rules;

pub const COLORS: usize = 4;
/// Numbers in a bitboard: row y of the board is number y + 1, the others are a margin.
pub const ROWS: usize = 32;
pub(super) const ALL_COLORS: u8 = 0b1111;
const FINISH_BONUS: i32 = 15;
const MONO_BONUS: i32 = 5;

/// Returns the points for placing all pieces, more if the single square was the last.
pub fn finish_bonus(mono_last: bool) -> i32 {
    FINISH_BONUS + if mono_last { MONO_BONUS } else { 0 }
}

/// A set of squares: one number a row, bit x for column x, with a margin above and below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Rows(pub [u32; ROWS]);

impl Rows {
    pub const EMPTY: Rows = Rows([0; ROWS]);
    /// All squares of the board.
    pub const BOARD: Rows = {
        let mut rows = [0; ROWS];
        let mut row = 1;
        while row <= SIZE {
            rows[row] = FULL_ROW;
            row += 1;
        }
        Rows(rows)
    };

    pub fn has(&self, x: usize, y: usize) -> bool {
        self.0[y + 1] >> x & 1 == 1
    }

    pub fn insert(&mut self, x: usize, y: usize) {
        self.0[y + 1] |= 1 << x;
    }

    #[inline(always)]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|row| row.count_ones()).sum()
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, row| all | row) == 0
    }
}

impl Rows {
    #[inline(always)]
    pub fn intersection(&self, other: &Rows) -> Rows {
        Rows(std::array::from_fn(|row| self.0[row] & other.0[row]))
    }

    #[inline(always)]
    pub fn union(&self, other: &Rows) -> Rows {
        Rows(std::array::from_fn(|row| self.0[row] | other.0[row]))
    }

    #[inline(always)]
    pub fn without(&self, other: &Rows) -> Rows {
        Rows(std::array::from_fn(|row| self.0[row] & !other.0[row]))
    }

    #[inline(always)]
    pub fn meets(&self, other: &Rows) -> bool {
        (0..ROWS).fold(0, |all, row| all | self.0[row] & other.0[row]) != 0
    }
}

/// A placement that was played, and by whom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Played {
    pub placement: PlacementId,
    pub color: u8,
}

/// The turn of the last move where none was made yet.
pub(super) const NO_TURN: u8 = u8::MAX;

/// One position. Sets of colours have bit `color`.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    pub occupied: [Rows; COLORS],
    /// Squares a colour may not cover: occupied ones and those beside its own pieces.
    /// The margin may hold anything; it counts as forbidden.
    pub forbidden: [Rows; COLORS],
    /// Squares of which a colour must cover one, forbidden ones among them.
    pub attach: [Rows; COLORS],
    pub hands: [u32; COLORS],
    pub points: [i32; COLORS],
    pub rules: Rules,
    /// Colours that are out of play because they could not move when it was their turn.
    pub out: u8,
    pub turn: u8,
    /// How many pieces lie on the board.
    pub ply: u8,
    pub(super) last_turn: u8,
    recent: [Played; 4],
}

impl Position {
    /// Returns the position with nothing placed and the first colour to move.
    pub fn new(rules: Rules) -> Self {
        Position {
            occupied: [Rows::EMPTY; COLORS],
            forbidden: [Rows::EMPTY; COLORS],
            attach: std::array::from_fn(|color| rules.start_squares(color)),
            hands: [FULL_HAND; COLORS],
            points: [0; COLORS],
            rules,
            out: 0,
            turn: 0,
            ply: 0,
            last_turn: NO_TURN,
            recent: [Played { placement: PASS, color: 0 }; 4],
        }
    }

    /// Returns the colour whose turn it is. Meaningless once the game is over.
    #[inline(always)]
    pub fn color(&self) -> usize {
        (self.turn & 3) as usize
    }

    /// Returns the team whose turn it is: 0 has the colours 0 and 2, 1 has 1 and 3.
    #[inline(always)]
    pub fn team(&self) -> usize {
        (self.turn & 1) as usize
    }

    #[inline(always)]
    pub fn is_out(&self, color: usize) -> bool {
        self.out >> color & 1 == 1
    }

    /// Returns the pieces a colour may choose from now.
    #[inline(always)]
    pub fn choices(&self, color: usize) -> u32 {
        let hand = self.hands[color];
        if hand == FULL_HAND { hand & self.rules.start_pieces } else { hand }
    }

    /// Returns the squares a colour may cover.
    #[inline(always)]
    pub fn free(&self, color: usize) -> Rows {
        let forbidden = &self.forbidden[color].0;
        Rows(std::array::from_fn(|row| Rows::BOARD.0[row] & !forbidden[row]))
    }

    /// Returns the last placements, the latest first.
    #[inline(always)]
    pub fn recent(&self, back: usize) -> Played {
        self.recent[(self.ply as usize + 3 - back) & 3]
    }

    /// Returns whether no colour is in play any more.
    #[inline(always)]
    pub fn is_deserted(&self) -> bool {
        self.out == ALL_COLORS
    }

    #[inline(always)]
    pub fn is_over(&self) -> bool {
        self.is_deserted() || self.turn >= self.rules.turn_limit || self.ended_by_finishing()
    }

    /// Returns whether the round in which a colour placed its last piece is complete.
    #[inline(always)]
    fn ended_by_finishing(&self) -> bool {
        self.rules.ends_when_finished
            && self.hands.contains(&0)
            && (self.last_turn == NO_TURN || self.last_turn / 4 < self.turn / 4)
    }

    /// Returns the points of team 0 minus those of team 1.
    #[inline(always)]
    pub fn difference(&self) -> i32 {
        self.points[0] + self.points[2] - self.points[1] - self.points[3]
    }

    /// Plays a placement of the colour on turn, which must be legal.
    ///
    /// The turn passes to the next colour in play, whether or not that one can move.
    #[inline(always)]
    pub fn place(&mut self, placement: PlacementId) {
        let at = tables().placements[placement as usize];
        self.place_at(placement, at);
    }

    #[inline(always)]
    fn place_at(&mut self, placement: PlacementId, at: Placement) {
        let form = &tables().forms[at.form as usize];
        let color = self.color();
        if self.hands[color] == FULL_HAND {
            self.attach[color] = Rows::EMPTY;
        }
        let first = at.y as usize & 31;
        let shift = |rows: &[u32; 8]| -> [u32; 8] {
            std::array::from_fn(|row| (rows[row] << at.x) >> 1 & FULL_ROW)
        };
        let body = shift(&form.body);
        add_rows(&mut self.occupied[color], first, &body);
        for forbidden in &mut self.forbidden {
            add_rows(forbidden, first, &body);
        }
        add_rows(&mut self.forbidden[color], first, &shift(&form.edges));
        add_rows(&mut self.attach[color], first, &shift(&form.corners));
        self.hands[color] &= !(1 << form.piece);
        self.points[color] += i32::from(form.size);
        if self.hands[color] == 0 {
            self.points[color] += finish_bonus(form.piece as usize == MONO);
        }
        self.recent[self.ply as usize & 3] = Played { placement, color: color as u8 };
        self.ply += 1;
        self.last_turn = self.turn;
        self.next_turn();
    }

    /// Passes without placing anything.
    pub fn pass(&mut self) {
        self.last_turn = self.turn;
        self.next_turn();
    }

    /// Plays a placement of any colour, whose turn it then was. Only for looking ahead.
    pub fn place_for(&mut self, color: usize, placement: PlacementId) {
        self.turn = color as u8;
        self.place(placement);
    }

    /// Takes the colour on turn, which cannot move, out of play.
    #[inline(always)]
    pub fn drop_color(&mut self) {
        self.out |= 1 << self.color();
        if self.out != ALL_COLORS {
            self.next_turn();
        }
    }

    /// Passes the turn to the next colour that is in play.
    #[inline(always)]
    fn next_turn(&mut self) {
        self.turn += 1;
        while self.is_out(self.color()) {
            self.turn += 1;
        }
    }
}

#[inline(always)]
fn add_rows(rows: &mut Rows, first: usize, added: &[u32; 8]) {
    let first = first.min(ROWS - 8);
    for (row, added) in rows.0[first..first + 8].iter_mut().zip(added) {
        *row |= added;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::pieces::SQUARES;
    use crate::blokus::sampling::random_positions;

    #[test]
    fn pieces_squares_and_points_agree() {
        for position in random_positions(9) {
            for color in 0..COLORS {
                let placed = SQUARES - tables().hand_squares(position.hands[color]);
                assert_eq!(position.occupied[color].count() as i32, placed);
                if position.hands[color] != 0 {
                    assert_eq!(position.points[color], placed);
                }
            }
        }
    }

    #[test]
    fn the_last_piece_brings_a_bonus_and_the_single_square_more() {
        let mut position = Position::new(Rules::table());
        position.hands[0] = 1 << MONO;
        position.place(0);
        assert_eq!(position.points[0], 1 + FINISH_BONUS + MONO_BONUS);
        position.hands[1] = 0b10;
        let domino = tables().forms[1].placement(18, 0);
        position.place(domino);
        assert_eq!(position.points[1], 2 + FINISH_BONUS);
    }

    #[test]
    fn colours_that_are_out_are_left_out() {
        let mut position = Position::new(Rules::table());
        position.drop_color();
        assert_eq!((position.turn, position.out), (1, 0b0001));
        position.pass();
        position.drop_color();
        position.pass();
        assert_eq!((position.color(), position.turn), (1, 5));
        position.drop_color();
        position.drop_color();
        assert!(position.is_deserted() && position.is_over());
    }

    #[test]
    fn the_limit_of_turns_ends_the_game() {
        let mut position = Position::new(Rules::season_2027(10));
        for _ in 0..96 {
            assert!(!position.is_over());
            position.pass();
        }
        assert!(position.is_over());
    }

    #[test]
    fn a_finished_colour_ends_the_game_with_its_round() {
        let mut position = Position::new(Rules::season_2021(10));
        position.hands[1] = 0;
        position.turn = 5;
        position.pass();
        assert!(!position.is_over());
        position.pass();
        assert!(!position.is_over());
        position.pass();
        assert!(position.is_over());
    }
}
