//! What the value net sees of a position beside its territory: hands and points.
//!
//! The four colours are described in the order of play, the colour on turn first, so one net
//! serves all colours. All features are small whole numbers. Their order is part of the meaning of
//! the weights: a change here needs a new `FEATURE_SET` and new weights.

use super::board::{COLORS, Position};
use super::pieces::{PIECES, Tables, tables};
use crate::cpu::{Cpu, multiversion};

/// The number of this set of features, which is stored with the weights.
pub const FEATURE_SET: u32 = 3;
/// Features of one colour.
pub const PER_COLOR: usize = SIZES + PIECES + 2;
const SIZES: usize = 5;
pub const FEATURES: usize = COLORS * PER_COLOR;

/// The features of one position.
pub type Features = [i16; FEATURES];

/// Computes the features of a position.
pub fn compute(cpu: Cpu, position: &Position, features: &mut Features) {
    compute_on(cpu, tables(), position, features);
}

multiversion! {
    fn compute_on(tables: &Tables, position: &Position, features: &mut Features) = compute_body;
}

#[inline(always)]
pub(super) fn compute_body(tables: &Tables, position: &Position, features: &mut Features) {
    for (seat, features) in features.as_chunks_mut::<PER_COLOR>().0.iter_mut().enumerate() {
        describe_hand(tables, position, (position.color() + seat) % COLORS, features);
    }
}

/// Describes hand and points: pieces by size, single pieces, points, and whether it is out of play.
#[inline(always)]
fn describe_hand(
    tables: &Tables,
    position: &Position,
    color: usize,
    features: &mut [i16; PER_COLOR],
) {
    let hand = position.hands[color];
    features[..SIZES].fill(0);
    for piece in 0..PIECES {
        let held = (hand >> piece & 1) as i16;
        features[tables.piece_size[piece] as usize - 1] += held;
        features[SIZES + piece] = held;
    }
    features[SIZES + PIECES] = position.points[color] as i16;
    features[SIZES + PIECES + 1] = i16::from(position.is_out(color));
}
