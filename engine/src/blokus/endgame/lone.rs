//! One colour that nobody disturbs: how many points it can still get.

use super::Solver;
use super::table::{Bound, Hash};
use crate::blokus::board::{Position, ROWS, Rows, finish_bonus};
use crate::blokus::moves::{Shifted, any, fitting, open_attach};
use crate::blokus::pieces::{MONO, PASS, PIECES, PlacementId, SIZE, Tables, tables};
use crate::cpu::multiversion;

/// Positions that are looked at to bound the points of a colour in a contest.
const QUICK_NODES: u64 = 20;

/// What matters to one colour: the squares it may cover, where it attaches, and its hand.
#[derive(Clone, Copy)]
pub struct Lone {
    free: Rows,
    attach: Rows,
    hand: u32,
}

impl Lone {
    /// Returns a colour in a position, bound to some squares.
    pub fn of(position: &Position, color: usize, squares: &Rows) -> Self {
        let free = position.free(color).intersection(squares);
        let attach = open_attach(position, color, &free);
        Lone { free, attach, hand: position.choices(color) }
    }

    pub fn is_stuck(&self) -> bool {
        self.attach.is_empty() || self.hand == 0
    }

    fn after(&self, placement: PlacementId) -> Lone {
        let at = tables().placements[placement as usize];
        let form = &tables().forms[at.form as usize];
        let mut after = *self;
        let first = (at.y as usize).min(ROWS - 8);
        for row in 0..8 {
            let shift = |rows: &[u32; 8]| rows[row] << at.x >> 1;
            after.free.0[first + row] &= !(shift(&form.body) | shift(&form.edges));
            after.attach.0[first + row] |= shift(&form.corners);
        }
        after.attach = after.attach.intersection(&after.free);
        after.hand &= !(1 << form.piece);
        after
    }

    fn key(&self) -> u64 {
        let mut hash = Hash(u64::from(self.hand));
        hash.add_rows(&self.free.0[1..=SIZE]);
        hash.add_rows(&self.attach.0[1..=SIZE]);
        hash.0
    }
}

multiversion! {
    /// Returns points that cannot be exceeded: of all pieces that fit somewhere.
    pub fn most_points(lone: &Lone, tables: &Tables) -> i32 = most_points_body;
}

#[inline(always)]
fn most_points_body(lone: &Lone, tables: &Tables) -> i32 {
    let mut shifted = Shifted::EMPTY;
    shifted.set(&lone.free);
    let mut squares = 0;
    let mut all_fit = true;
    for piece in (0..PIECES).filter(|piece| lone.hand >> piece & 1 == 1) {
        let forms = &tables.forms[tables.forms_of_piece[piece].clone()];
        if forms.iter().any(|form| any(&fitting(&shifted, form))) {
            squares += i32::from(tables.piece_size[piece]);
        } else {
            all_fit = false;
        }
    }
    let room = lone.free.count() as i32;
    if all_fit && squares <= room {
        squares + finish_bonus(lone.hand >> MONO & 1 == 1)
    } else {
        squares.min(room)
    }
}

impl Solver {
    /// Returns the most points that a lone colour can still get.
    pub(super) fn pack(&mut self, lone: &Lone) -> Option<i32> {
        self.pack_above(lone, -1)
    }

    /// Returns the most points that a lone colour can still get. None if that takes long.
    pub(super) fn pack_quickly(&mut self, lone: &Lone) -> Option<i32> {
        let left = self.left;
        self.left = left.min(QUICK_NODES);
        let allowed = self.left;
        let points = self.pack(lone);
        self.left = left - (allowed - self.left);
        points
    }

    /// Returns the most points if they are more than `floor`, otherwise a number up to it that they
    /// do not exceed.
    fn pack_above(&mut self, lone: &Lone, floor: i32) -> Option<i32> {
        if lone.is_stuck() {
            return Some(0);
        }
        let key = lone.key();
        if let Some(known) = self.packings.find(key) {
            let value = i32::from(known.value);
            if known.bound == Bound::Exact || value <= floor {
                return Some(value);
            }
        }
        let most = most_points(self.cpu, lone, tables());
        if most <= floor {
            return Some(most);
        }
        self.count()?;
        let best = self.pack_best(lone, floor, most)?;
        let bound = if best > floor { Bound::Exact } else { Bound::AtMost };
        self.packings.store(key, best, PASS, bound);
        Some(best)
    }

    /// Tries all placements, large pieces first, until one gives the most there can be.
    fn pack_best(&mut self, lone: &Lone, floor: i32, most: i32) -> Option<i32> {
        let mut moves = self.take_moves();
        moves.find_among(self.cpu, &lone.free, &lone.attach, lone.hand);
        let mut placements = Vec::new();
        moves.list(&mut placements);
        self.moves.push(moves);
        let mut best = 0;
        for &placement in placements.iter().rev() {
            let form = tables().form_of(placement);
            let after = lone.after(placement);
            let bonus = match after.hand {
                0 => finish_bonus(form.piece as usize == MONO),
                _ => 0,
            };
            let gain = i32::from(form.size) + bonus;
            let rest = self.pack_above(&after, best.max(floor) - gain)?;
            best = best.max(gain + rest);
            if best >= most {
                break;
            }
        }
        Some(best)
    }
}
