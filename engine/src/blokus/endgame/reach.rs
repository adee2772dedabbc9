//! Finds the squares that a colour could cover in the rest of the game, or more than those.

use crate::blokus::board::{Position, ROWS, Rows};
use crate::blokus::moves::{ANCHOR_ROWS, Shifted, any, attached, fitting, open_attach};
use crate::blokus::pieces::{Tables, tables};
use crate::cpu::{Cpu, multiversion};

/// Returns the squares that a colour could cover if nobody else moved.
///
/// Pieces count as if there were many of each, so some of the squares may be out of reach.
pub fn reach(cpu: Cpu, position: &Position, color: usize) -> Rows {
    reach_on(cpu, tables(), position, color)
}

multiversion! {
    fn reach_on(tables: &Tables, position: &Position, color: usize) -> Rows = reach_body;
}

#[inline(always)]
fn reach_body(tables: &Tables, position: &Position, color: usize) -> Rows {
    let free = position.free(color);
    let mut shifted_free = Shifted::EMPTY;
    shifted_free.set(&free);
    let mut attach = open_attach(position, color, &free);
    let mut reached = Rows::EMPTY;
    loop {
        let grown = cover(tables, &shifted_free, &attach, position.choices(color));
        if grown == reached {
            return reached;
        }
        reached = grown;
        attach = attach.union(&corners(&reached).intersection(&free));
    }
}

/// Returns all squares of all placements that touch an attach square.
#[inline(always)]
fn cover(tables: &Tables, free: &Shifted, attach: &Rows, mut pieces: u32) -> Rows {
    let mut shifted_attach = Shifted::EMPTY;
    shifted_attach.set(attach);
    let mut covered = Rows::EMPTY;
    while pieces != 0 {
        let piece = pieces.trailing_zeros() as usize;
        pieces &= pieces - 1;
        for form in &tables.forms[tables.forms_of_piece[piece].clone()] {
            let anchors = attached(&shifted_attach, form, &fitting(free, form));
            if !any(&anchors) {
                continue;
            }
            for cell in &form.cells[..form.size as usize] {
                let first = (cell.y as usize + 1) & 7;
                let rows = &mut covered.0[first..first + ANCHOR_ROWS];
                for (row, anchor) in rows.iter_mut().zip(&anchors) {
                    *row |= anchor << (cell.x & 7);
                }
            }
        }
    }
    covered
}

/// Returns the squares that touch these with a corner.
#[inline(always)]
fn corners(squares: &Rows) -> Rows {
    let mut found = Rows::EMPTY;
    for row in 1..ROWS - 1 {
        let upright = squares.0[row - 1] | squares.0[row + 1];
        found.0[row] = upright << 1 | upright >> 1;
    }
    found
}
