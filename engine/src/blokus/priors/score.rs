//! Adds up the weights of placements. Scores are whole numbers, so all processors agree.

use super::{
    CELL_CLASSES, CENTRE, CENTRE_UNIT, CORNER_CLASSES, EDGE_CLASSES, FIRST_CORNER, FIRST_EDGE,
    FIRST_LOCAL, FIRST_OPENED, FIRST_PIECE, MOST_OPENED, Planes, ROOM_BEST, ROOM_SQUARES, ROOM_SUM,
    ROOM_SUM_UNIT, Scored, TOUCHES_PARTNER, Weights, is_opened, is_partner,
};
use crate::blokus::moves::LegalMoves;
use crate::blokus::pieces::{Form, PLANE, PLANE_STRIDE, SIZE, Tables};
use crate::cpu::multiversion;

/// Scores are whole numbers of this many parts.
pub const PARTS: f32 = 512.0;
/// Sums carry three counts in their lowest bits: squares that the opponents' last moves opened,
/// squares of the partner, and new attach squares.
const LOCAL: i32 = 1;
const PARTNER: i32 = 1 << 3;
const OPENED: i32 = 1 << 7;
const COUNT_BITS: u32 = 11;

multiversion! {
    /// Scores all legal placements.
    pub fn score(
        planes: &mut Planes,
        tables: &Tables,
        weights: &Weights,
        moves: &LegalMoves,
        scored: &mut Vec<Scored>,
    ) = score_body;
}

#[inline(always)]
fn score_body(
    planes: &mut Planes,
    tables: &Tables,
    weights: &Weights,
    moves: &LegalMoves,
    scored: &mut Vec<Scored>,
) {
    weigh_squares(planes, weights);
    let whole_form = WholeForm::new(weights);
    scored.clear();
    for (index, anchors) in moves.by_form() {
        let form = &tables.forms[index];
        let piece = whole(weights[FIRST_PIECE + form.piece as usize]);
        for (y, &row) in anchors.iter().enumerate().take(SIZE) {
            let mut bits = row;
            while bits != 0 {
                let x = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let placement = form.placement(x, y);
                let squares = score_squares(planes, &whole_form, form, y * PLANE_STRIDE + x);
                let centre = tables.centre_distance[placement as usize] * CENTRE_UNIT;
                let score = piece + squares + whole(weights[CENTRE] * centre);
                scored.push(Scored { score, placement });
            }
        }
    }
}

#[inline(always)]
fn whole(value: f32) -> i32 {
    (value * PARTS) as i32
}

/// The weights of what a placement does as a whole, by the counts of it.
struct WholeForm {
    local: [i32; 8],
    partner: [i32; 16],
    opened: [i32; 16],
    room: [i32; 64],
}

impl WholeForm {
    #[inline(always)]
    fn new(weights: &Weights) -> Self {
        WholeForm {
            local: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(weights[FIRST_LOCAL + count.min(3) - 1]),
            }),
            partner: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(weights[TOUCHES_PARTNER]),
            }),
            opened: std::array::from_fn(|count| {
                whole(weights[FIRST_OPENED + count.min(MOST_OPENED)])
            }),
            room: std::array::from_fn(|count| {
                whole(weights[ROOM_BEST] * count as f32 / ROOM_SQUARES)
            }),
        }
    }
}

/// Puts the weights of the squares' classes into planes, with the counts.
#[inline(always)]
fn weigh_squares(planes: &mut Planes, weights: &Weights) {
    let class_weight = |first: usize, count: usize| -> [i32; 64] {
        std::array::from_fn(|class| match class {
            class if class < count => whole(weights[first + class]) << COUNT_BITS,
            _ => 0,
        })
    };
    let cell_weight = class_weight(0, CELL_CLASSES);
    let edge_weight = class_weight(FIRST_EDGE, EDGE_CLASSES);
    let corner_weight = class_weight(FIRST_CORNER, CORNER_CLASSES);
    let room_weight = weights[ROOM_SUM] * ROOM_SUM_UNIT / ROOM_SQUARES;
    for row in 1..=SIZE {
        let first = row * PLANE_STRIDE + 1;
        for square in first..first + SIZE {
            let cell_class = planes.cell_class[square];
            let edge_class = planes.edge_class[square];
            let corner_class = planes.corner_class[square];
            let room = whole(room_weight * f32::from(planes.room[square])) << COUNT_BITS;
            planes.cell_value[square] =
                cell_weight[cell_class as usize & 63] + LOCAL * i32::from(planes.local[square]);
            planes.edge_value[square] =
                edge_weight[edge_class as usize & 63] + PARTNER * i32::from(is_partner(edge_class));
            planes.corner_value[square] = corner_weight[corner_class as usize & 63]
                + room
                + OPENED * i32::from(is_opened(corner_class));
        }
    }
}

/// Scores the squares that a form covers at an anchor, and those around it.
#[inline(always)]
fn score_squares(planes: &Planes, whole_form: &WholeForm, form: &Form, anchor: usize) -> i32 {
    let mut sum = 0;
    for offset in form.cell_offsets {
        sum += planes.cell_value[(anchor + offset as usize) & (PLANE - 1)];
    }
    for offset in form.edge_offsets {
        sum += planes.edge_value[(anchor + offset as usize) & (PLANE - 1)];
    }
    let mut best_room = 0;
    for offset in form.corner_offsets {
        let square = (anchor + offset as usize) & (PLANE - 1);
        sum += planes.corner_value[square];
        best_room = best_room.max(planes.room[square]);
    }
    (sum >> COUNT_BITS)
        + whole_form.local[(sum & 7) as usize]
        + whole_form.partner[(sum >> PARTNER.trailing_zeros() & 15) as usize]
        + whole_form.opened[(sum >> OPENED.trailing_zeros() & 15) as usize]
        + whole_form.room[best_room as usize & 63]
}
