//! What the value net sees of a position: how far each colour reaches and what it has in hand.
//!
//! The four colours are described in the order of play, the colour on turn first, so one net
//! serves all colours. All features are small whole numbers. Their order is part of the meaning of
//! the weights: a change here needs a new `FEATURE_SET` and new weights.

use super::board::{COLORS, Position, Rows};
use super::moves::open_attach;
use super::pieces::{PIECES, Tables, tables};
use crate::cpu::{Cpu, multiversion};

/// The number of this set of features, which is stored with the weights.
pub const FEATURE_SET: u32 = 1;
/// How far a colour reaches: its attach squares, and ever wider rings of free squares around them.
const LEVELS: usize = 8;
/// Levels that are also compared with what the opponents and the partner reach.
const COMPARED: usize = 4;
const FIRST_COMPARED: usize = 2;
/// Features of one colour.
pub const PER_COLOR: usize = 2 * LEVELS + 2 * COMPARED + 5 + PIECES + 2;
pub const FEATURES: usize = COLORS * PER_COLOR;

/// The features of one position.
pub type Features = [i16; FEATURES];

const ROW_COUNT: usize = 24;
/// The rows of a bitboard that matter, with a margin of one above and three below.
type Plane = [u32; ROW_COUNT];

/// Computes the features of a position.
pub fn compute(cpu: Cpu, position: &Position, features: &mut Features) {
    compute_on(cpu, tables(), position, features);
}

multiversion! {
    fn compute_on(tables: &Tables, position: &Position, features: &mut Features) = compute_body;
}

#[inline(always)]
pub(super) fn compute_body(tables: &Tables, position: &Position, features: &mut Features) {
    let mut levels = [[[0u32; ROW_COUNT]; LEVELS]; COLORS];
    for (seat, levels) in levels.iter_mut().enumerate() {
        reach(position, (position.color() + seat) % COLORS, levels);
    }
    for (seat, features) in features.as_chunks_mut::<PER_COLOR>().0.iter_mut().enumerate() {
        let color = (position.color() + seat) % COLORS;
        let (territory, hand) = features.split_at_mut(2 * LEVELS + 2 * COMPARED);
        describe_reach(&levels, seat, territory);
        describe_hand(tables, position, color, hand);
    }
}

/// Finds the squares a colour reaches in more and more steps.
#[inline(always)]
fn reach(position: &Position, color: usize, levels: &mut [Plane; LEVELS]) {
    if position.is_out(color) {
        return;
    }
    let free = position.free(color);
    let attach = open_attach(position, color, &free);
    let free = plane(&free);
    let mut reached = plane(&attach);
    levels[0] = reached;
    // Steps over edges are what a piece needs; steps over corners are quicker and cross gaps.
    for (level, steps) in [(1, 1), (2, 1), (3, 2)] {
        for _ in 0..steps {
            reached = grow_over_edges(&reached, &free);
        }
        levels[level] = reached;
    }
    for (level, steps) in [(4, 2), (5, 3), (6, 4), (7, 6)] {
        for _ in 0..steps {
            reached = grow_over_corners(&reached, &free);
        }
        levels[level] = reached;
    }
}

#[inline(always)]
fn plane(rows: &Rows) -> Plane {
    std::array::from_fn(|row| rows.0[row])
}

#[inline(always)]
fn grow_over_edges(squares: &Plane, free: &Plane) -> Plane {
    let mut grown = [0; ROW_COUNT];
    for row in 1..ROW_COUNT - 1 {
        let upright = squares[row - 1] | squares[row] | squares[row + 1];
        grown[row] = (upright | squares[row] << 1 | squares[row] >> 1) & free[row];
    }
    grown
}

#[inline(always)]
fn grow_over_corners(squares: &Plane, free: &Plane) -> Plane {
    let wide: Plane =
        std::array::from_fn(|row| squares[row] | squares[row] << 1 | squares[row] >> 1);
    let mut grown = [0; ROW_COUNT];
    for row in 1..ROW_COUNT - 1 {
        grown[row] = (wide[row - 1] | wide[row] | wide[row + 1]) & free[row];
    }
    grown
}

#[inline(always)]
fn count(plane: &Plane) -> i16 {
    plane.iter().map(|row| row.count_ones()).sum::<u32>() as i16
}

#[inline(always)]
fn count_without(plane: &Plane, first: &Plane, second: &Plane) -> i16 {
    let rest: Plane = std::array::from_fn(|row| plane[row] & !(first[row] | second[row]));
    count(&rest)
}

#[inline(always)]
fn count_common(plane: &Plane, other: &Plane) -> i16 {
    let common: Plane = std::array::from_fn(|row| plane[row] & other[row]);
    count(&common)
}

/// Counts what a colour reaches: alone, before its opponents, and together with its partner.
#[inline(always)]
fn describe_reach(levels: &[[Plane; LEVELS]; COLORS], seat: usize, features: &mut [i16]) {
    let own = &levels[seat];
    let left = &levels[(seat + 1) % COLORS];
    let partner = &levels[(seat + 2) % COLORS];
    let right = &levels[(seat + 3) % COLORS];
    for level in 0..LEVELS {
        features[level] = count(&own[level]);
        features[LEVELS + level] = count_without(&own[level], &left[level], &right[level]);
    }
    for index in 0..COMPARED {
        let level = FIRST_COMPARED + index;
        let later = level + 2;
        features[2 * LEVELS + index] = count_without(&own[level], &left[later], &right[later]);
        features[2 * LEVELS + COMPARED + index] = count_common(&own[level], &partner[level]);
    }
}

/// Describes hand and points: pieces by size, single pieces, points, and whether it is out of play.
#[inline(always)]
fn describe_hand(tables: &Tables, position: &Position, color: usize, features: &mut [i16]) {
    let hand = position.hands[color];
    features[..5].fill(0);
    for piece in 0..PIECES {
        let held = (hand >> piece & 1) as i16;
        features[tables.piece_size[piece] as usize - 1] += held;
        features[5 + piece] = held;
    }
    features[5 + PIECES] = position.points[color] as i16;
    features[6 + PIECES] = i16::from(position.is_out(color));
}
