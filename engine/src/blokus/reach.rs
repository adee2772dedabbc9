//! How far each colour reaches: its attach squares, and ever wider rings of free squares around
//! them. What that is worth is learned by the value net.

use super::board::{COLORS, Position, Rows};
use super::moves::open_attach;

/// Rings: the attach squares, then three over edges and four over corners.
pub const LEVELS: usize = 8;
const OVER_EDGES: [(usize, usize); 3] = [(1, 1), (2, 1), (3, 2)];
const OVER_CORNERS: [(usize, usize); 4] = [(4, 2), (5, 3), (6, 4), (7, 6)];
pub const ROW_COUNT: usize = 24;

/// The rows of a bitboard that matter, with a margin of one above and three below.
pub type Plane = [u32; ROW_COUNT];

/// What the colours reach, in the order of play, the colour on turn first.
pub struct Reach {
    /// Each ring contains the one before.
    pub levels: [[Plane; LEVELS]; COLORS],
    /// The squares that a colour may still cover, reached or not.
    pub free: [Plane; COLORS],
}

impl Reach {
    #[inline(always)]
    pub fn of(position: &Position) -> Self {
        let none = [0; ROW_COUNT];
        let mut reach = Reach { levels: [[none; LEVELS]; COLORS], free: [none; COLORS] };
        for seat in 0..COLORS {
            let color = (position.color() + seat) % COLORS;
            let free = position.free(color);
            reach.free[seat] = plane(&free);
            if !position.is_out(color) {
                let attach = plane(&open_attach(position, color, &free));
                spread(attach, &reach.free[seat], &mut reach.levels[seat]);
            }
        }
        reach
    }
}

/// Finds the squares that are reached in more and more steps.
#[inline(always)]
fn spread(attach: Plane, free: &Plane, levels: &mut [Plane; LEVELS]) {
    let mut reached = attach;
    levels[0] = reached;
    // Steps over edges are what a piece needs; steps over corners are quicker and cross gaps.
    for (level, steps) in OVER_EDGES {
        for _ in 0..steps {
            reached = grow_over_edges(&reached, free);
        }
        levels[level] = reached;
    }
    for (level, steps) in OVER_CORNERS {
        for _ in 0..steps {
            reached = grow_over_corners(&reached, free);
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
