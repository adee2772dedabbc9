//! One colour that nobody disturbs: how many points it can still get.

use super::Solver;
use super::table::{Bound, Hash};
use crate::blokus::board::{Position, ROWS, Rows};
use crate::blokus::moves::{Shifted, any, fitting, open_attach};
use crate::blokus::pieces::{MONO, PASS, PIECES, PlacementId, SIZE, tables};

const FINISH_BONUS: i32 = 15;
const MONO_BONUS: i32 = 5;

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

    /// Returns points that cannot be exceeded: of all pieces that fit somewhere.
    fn most(&self) -> i32 {
        let mut shifted = Shifted::EMPTY;
        shifted.set(&self.free);
        let fits = |piece: &usize| {
            let forms = &tables().forms[tables().forms_of_piece[*piece].clone()];
            forms.iter().any(|form| any(&fitting(&shifted, form)))
        };
        let held = (0..PIECES).filter(|piece| self.hand >> piece & 1 == 1);
        let fitting = held.filter(fits).fold(0u32, |set, piece| set | 1 << piece);
        let squares = tables().hand_squares(fitting);
        let room = self.free.count() as i32;
        if fitting == self.hand && squares <= room {
            squares + finish_bonus(self.hand >> MONO & 1 == 1)
        } else {
            squares.min(room)
        }
    }
}

fn finish_bonus(mono_last: bool) -> i32 {
    FINISH_BONUS + if mono_last { MONO_BONUS } else { 0 }
}

impl Solver {
    /// Returns the most points that a lone colour can still get.
    pub(super) fn pack(&mut self, lone: &Lone) -> Option<i32> {
        if lone.is_stuck() {
            return Some(0);
        }
        let key = lone.key();
        if let Some(known) = self.packings.find(key) {
            return Some(i32::from(known.value));
        }
        self.count()?;
        let most = lone.most();
        let mut moves = self.take_moves();
        moves.find_among(self.cpu, &lone.free, &lone.attach, lone.hand);
        let mut placements = Vec::new();
        moves.list(&mut placements);
        self.moves.push(moves);
        // Large pieces have high numbers, and are tried first.
        let mut best = 0;
        for &placement in placements.iter().rev() {
            let form = tables().form_of(placement);
            let after = lone.after(placement);
            let bonus = match after.hand {
                0 => finish_bonus(form.piece as usize == MONO),
                _ => 0,
            };
            let gain = i32::from(form.size) + bonus + self.pack(&after)?;
            best = best.max(gain);
            if best >= most {
                break;
            }
        }
        self.packings.store(key, best, PASS, Bound::Exact);
        Some(best)
    }
}
