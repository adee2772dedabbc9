//! Finds the legal placements of a colour as bitmaps: for each form the positions where it may lie.
//!
//! A form may lie where all its squares are free and one of its tips covers an attach square. Both
//! are found for a whole board at once by shifting the bitboards of free and attach squares.

use super::board::{Position, ROWS, Rows};
use super::pieces::{Cell, FORMS, Form, PlacementId, SIZE, Tables, tables};
use crate::cpu::{Cpu, multiversion};

/// Rows that are computed: those of the board, filled up to whole vectors.
pub const ANCHOR_ROWS: usize = 24;
/// The positions of a form, one number a row, bit x for column x. Rows beyond the board are 0.
pub type Anchors = [u32; ANCHOR_ROWS];

/// A bitboard moved left by 0 to 4 columns, with room to read it from every row on.
#[derive(Clone)]
#[repr(align(64))]
pub struct Shifted(pub [[u32; ROWS + 8]; 5]);

impl Shifted {
    pub const EMPTY: Shifted = Shifted([[0; ROWS + 8]; 5]);

    #[inline(always)]
    pub fn set(&mut self, rows: &Rows) {
        for (columns, shifted) in self.0.iter_mut().enumerate() {
            for (to, from) in shifted.iter_mut().zip(&rows.0) {
                *to = from >> columns;
            }
        }
    }

    /// Returns the rows as a form sees them whose square `cell` they are, from row `first` on.
    #[inline(always)]
    pub fn window<const LENGTH: usize>(&self, cell: Cell, first: usize) -> &[u32; LENGTH] {
        // The masks change nothing. They show the compiler that no index can be out of range.
        let columns = &self.0[(cell.x & 7).min(4) as usize];
        let start = (first + cell.y as usize + 1) & if LENGTH > 8 { 7 } else { 31 };
        columns[start..start + LENGTH].try_into().expect("the window has this length")
    }
}

/// Returns where all squares of a form are free.
#[inline(always)]
pub fn fitting(free: &Shifted, form: &Form) -> Anchors {
    let mut anchors = *free.window::<ANCHOR_ROWS>(form.cells[0], 0);
    for &cell in &form.cells[1..] {
        let window = free.window::<ANCHOR_ROWS>(cell, 0);
        for (row, other) in anchors.iter_mut().zip(window) {
            *row &= other;
        }
    }
    anchors
}

/// Returns where a form fits and one of its tips covers an attach square.
#[inline(always)]
pub fn attached(attach: &Shifted, form: &Form, fitting: &Anchors) -> Anchors {
    let mut touching = *attach.window::<ANCHOR_ROWS>(form.tips[0], 0);
    for &tip in &form.tips[1..] {
        let window = attach.window::<ANCHOR_ROWS>(tip, 0);
        for (row, other) in touching.iter_mut().zip(window) {
            *row |= other;
        }
    }
    for (row, fits) in touching.iter_mut().zip(fitting) {
        *row &= fits;
    }
    touching
}

#[inline(always)]
pub fn any(anchors: &Anchors) -> bool {
    anchors.iter().fold(0, |all, row| all | row) != 0
}

/// The legal placements of one colour in one position.
pub struct LegalMoves {
    free: Shifted,
    attach: Shifted,
    anchors: Box<[Anchors; FORMS]>,
    /// The forms that have a legal position, in order.
    forms: Vec<u8>,
}

impl Default for LegalMoves {
    fn default() -> Self {
        LegalMoves {
            free: Shifted::EMPTY,
            attach: Shifted::EMPTY,
            anchors: Box::new([[0; ANCHOR_ROWS]; FORMS]),
            forms: Vec::with_capacity(FORMS),
        }
    }
}

impl LegalMoves {
    /// Finds the legal placements of a colour, whether or not it is on turn.
    pub fn find(&mut self, cpu: Cpu, position: &Position, color: usize) {
        find(cpu, self, tables(), position, color);
    }

    /// Finds where some pieces may lie, all of whose squares are free and one an attach square.
    pub fn find_among(&mut self, cpu: Cpu, free: &Rows, attach: &Rows, pieces: u32) {
        find_among(cpu, self, tables(), free, attach, pieces);
    }

    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    pub fn count(&self) -> usize {
        let of_form = |(_, anchors): (usize, &Anchors)| -> u32 {
            anchors.iter().map(|row| row.count_ones()).sum()
        };
        self.by_form().map(of_form).sum::<u32>() as usize
    }

    /// Returns the forms that have legal positions, with these.
    pub fn by_form(&self) -> impl Iterator<Item = (usize, &Anchors)> {
        self.forms.iter().map(|&form| (form as usize, &self.anchors[form as usize]))
    }

    /// Lists all placements, by form, then row, then column.
    pub fn list(&self, placements: &mut Vec<PlacementId>) {
        placements.clear();
        for (form, anchors) in self.by_form() {
            let form = &tables().forms[form];
            for (y, &row) in anchors.iter().enumerate().take(SIZE) {
                for_each_bit(row, |x| placements.push(form.placement(x, y)));
            }
        }
    }
}

/// Calls a function with the number of every bit that is set.
#[inline(always)]
pub fn for_each_bit(mut bits: u32, mut call: impl FnMut(usize)) {
    while bits != 0 {
        call(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

multiversion! {
    fn find(moves: &mut LegalMoves, tables: &Tables, position: &Position, color: usize) = find_body;
}

#[inline(always)]
fn find_body(moves: &mut LegalMoves, tables: &Tables, position: &Position, color: usize) {
    let free = position.free(color);
    let attach = open_attach(position, color, &free);
    find_among_body(moves, tables, &free, &attach, position.choices(color));
}

multiversion! {
    fn find_among(
        moves: &mut LegalMoves,
        tables: &Tables,
        free: &Rows,
        attach: &Rows,
        pieces: u32,
    ) = find_among_body;
}

#[inline(always)]
fn find_among_body(
    moves: &mut LegalMoves,
    tables: &Tables,
    free: &Rows,
    attach: &Rows,
    mut pieces: u32,
) {
    moves.forms.clear();
    if attach.is_empty() {
        return;
    }
    moves.free.set(free);
    moves.attach.set(attach);
    while pieces != 0 {
        let piece = pieces.trailing_zeros() as usize;
        pieces &= pieces - 1;
        for index in tables.forms_of_piece[piece].clone() {
            let form = &tables.forms[index];
            let anchors = attached(&moves.attach, form, &fitting(&moves.free, form));
            if any(&anchors) {
                moves.anchors[index] = anchors;
                moves.forms.push(index as u8);
            }
        }
    }
}

/// Returns the attach squares of a colour that it may cover.
#[inline(always)]
pub fn open_attach(position: &Position, color: usize, free: &Rows) -> Rows {
    let attach = &position.attach[color].0;
    Rows(std::array::from_fn(|row| attach[row] & free.0[row]))
}

/// Returns whether a colour has a legal placement.
pub fn can_place(position: &Position, color: usize) -> bool {
    let mut moves = LegalMoves::default();
    moves.find(Cpu::detect(), position, color);
    !moves.is_empty()
}

/// Returns whether a placement is legal for a colour.
#[inline(always)]
pub fn is_legal(
    tables: &Tables,
    position: &Position,
    color: usize,
    placement: PlacementId,
) -> bool {
    let Some(at) = tables.placements.get(placement as usize) else {
        return false;
    };
    let form = &tables.forms[at.form as usize];
    if position.choices(color) >> form.piece & 1 == 0 {
        return false;
    }
    let first = (at.y as usize).min(ROWS - 8);
    let forbidden = &position.forbidden[color].0[first..first + 8];
    let attach = &position.attach[color].0[first..first + 8];
    let mut blocked = 0;
    let mut touching = 0;
    for row in 0..8 {
        let squares = form.body[row] << at.x >> 1;
        blocked |= squares & forbidden[row];
        touching |= squares & attach[row];
    }
    blocked == 0 && touching != 0
}

/// Takes colours that cannot move out of play until one can, as after every move.
///
/// Returns whether the game goes on; `moves` then holds the legal placements.
pub fn settle(cpu: Cpu, position: &mut Position, moves: &mut LegalMoves) -> bool {
    while !position.is_deserted() {
        moves.find(cpu, position, position.color());
        if !moves.is_empty() {
            break;
        }
        position.drop_color();
    }
    !position.is_over()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::board::COLORS;
    use crate::blokus::pieces::PLACEMENTS;
    use crate::blokus::sampling::random_positions;

    /// Returns whether a placement is legal, square by square as the rules say it.
    fn is_legal_by_squares(position: &Position, color: usize, placement: PlacementId) -> bool {
        let squares = tables().squares(placement);
        let own = |x: usize, y: usize| x < SIZE && y < SIZE && position.occupied[color].has(x, y);
        let near = |x: usize, y: usize, steps: [(usize, usize); 4]| {
            steps.iter().any(|(dx, dy)| own(x.wrapping_add(*dx), y.wrapping_add(*dy)))
        };
        const BACK: usize = usize::MAX;
        let sides = [(1, 0), (BACK, 0), (0, 1), (0, BACK)];
        let corners = [(1, 1), (1, BACK), (BACK, 1), (BACK, BACK)];
        let first = position.occupied[color].is_empty();
        let held = position.choices(color) >> tables().form_of(placement).piece & 1 == 1;
        held && squares.iter().all(|&(x, y)| {
            position.occupied.iter().all(|board| !board.has(x, y)) && !near(x, y, sides)
        }) && squares.iter().any(|&(x, y)| {
            if first { position.rules.start_squares(color).has(x, y) } else { near(x, y, corners) }
        })
    }

    #[test]
    fn bitmaps_are_the_rules_square_by_square() {
        let mut moves = LegalMoves::default();
        let mut found = Vec::new();
        for (number, position) in random_positions(3).iter().enumerate().step_by(7) {
            let color = number % COLORS;
            let expected: Vec<PlacementId> = (0..PLACEMENTS as PlacementId)
                .filter(|&placement| is_legal_by_squares(position, color, placement))
                .collect();
            for cpu in Cpu::all() {
                moves.find(cpu, position, color);
                moves.list(&mut found);
                assert_eq!(found, expected);
                assert_eq!(moves.count(), expected.len());
                assert_eq!(moves.is_empty(), expected.is_empty());
            }
        }
    }

    #[test]
    fn a_single_placement_is_legal_if_it_is_listed() {
        let mut moves = LegalMoves::default();
        let mut listed = Vec::new();
        for position in random_positions(3).iter().step_by(9) {
            moves.find(Cpu::detect(), position, position.color());
            moves.list(&mut listed);
            let all = 0..PLACEMENTS as PlacementId;
            let legal: Vec<_> = all
                .filter(|&placement| is_legal(tables(), position, position.color(), placement))
                .collect();
            assert_eq!(legal, listed);
        }
        assert!(!is_legal(tables(), &random_positions(1)[0], 0, PlacementId::MAX));
    }
}
