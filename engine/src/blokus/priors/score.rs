//! Adds up the vectors and weights of placements. Scores are whole numbers, so all processors agree.

use super::{
    CELL_CLASSES, CENTRE, CENTRE_UNIT, CLASS_VECTORS, CORNER_CLASSES, EDGE_CLASSES, FIRST_CORNER,
    FIRST_EDGE, FIRST_HIDDEN, FIRST_LOCAL, FIRST_OPENED, FIRST_PIECE, LANES, Learned, MOST_OPENED,
    Planes, ROLES, ROOM_BEST, ROOM_SQUARES, ROOM_SUM, ROOM_SUM_UNIT, Scored, TOUCHES_PARTNER,
    Weights, is_opened, is_partner, part_vector, piece_vector,
};
use crate::blokus::moves::LegalMoves;
use crate::blokus::pieces::{Form, NOWHERE, PIECES, PLANE, PLANE_STRIDE, SIZE, Tables};
use crate::blokus::territory::{JOINT_CLASSES, TAKEN, parts_of};
use crate::cpu::multiversion;

/// Scores are whole numbers of this many parts, and so are hidden units.
pub const PARTS: f32 = 256.0;
/// More squares than one placement has to do with have room in 16 bits if none counts for more.
const MOST_SQUARES: i16 = 25;
const LARGEST: i16 = 31_000 / MOST_SQUARES;
/// Limits of hidden units and of what they are worth, so that products have room in 32 bits.
const LARGEST_HIDDEN: i16 = 8191;
/// Lanes that count: squares that the opponents' last moves opened, squares of the partner, and new
/// attach squares.
const LOCAL: usize = 1;
const PARTNER: usize = 2;
const OPENED: usize = 3;
const COUNTS: usize = 16;

/// A vector in whole numbers.
pub type Lanes = [i16; LANES];

/// Weights of one phase as scores.
#[derive(Clone, Debug, PartialEq)]
pub struct Ready {
    /// The vectors of all joint classes for each role.
    territory: Vec<[Lanes; ROLES]>,
    cells: [Lanes; CELL_CLASSES],
    edges: [Lanes; EDGE_CLASSES],
    corners: [Lanes; CORNER_CLASSES],
    pieces: [Lanes; PIECES],
    hidden: Lanes,
    piece: [i32; PIECES],
    local: [i32; COUNTS],
    partner: [i32; COUNTS],
    opened: [i32; COUNTS],
    best_room: [i32; 64],
    /// What the room at a corner counts.
    room: [i16; 64],
    centre: f32,
}

impl Ready {
    pub fn new(learned: &Learned) -> Self {
        let sums = &learned.sums;
        Ready {
            territory: territory(learned),
            cells: std::array::from_fn(|class| class_vector(learned, class)),
            edges: std::array::from_fn(|class| class_vector(learned, FIRST_EDGE + class)),
            corners: std::array::from_fn(|class| class_vector(learned, FIRST_CORNER + class)),
            pieces: std::array::from_fn(|piece| {
                lanes(learned.vectors[piece_vector(piece as u8)], LARGEST)
            }),
            hidden: worth_of_hidden(learned),
            piece: std::array::from_fn(|piece| whole(sums[FIRST_PIECE + piece])),
            local: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(sums[FIRST_LOCAL + count.min(3) - 1]),
            }),
            partner: std::array::from_fn(|count| match count {
                0 => 0,
                _ => whole(sums[TOUCHES_PARTNER]),
            }),
            opened: std::array::from_fn(|count| whole(sums[FIRST_OPENED + count.min(MOST_OPENED)])),
            best_room: std::array::from_fn(|room| {
                whole(sums[ROOM_BEST] * room as f32 / ROOM_SQUARES)
            }),
            room: std::array::from_fn(|room| {
                whole(sums[ROOM_SUM] * ROOM_SUM_UNIT * room as f32 / ROOM_SQUARES) as i16
            }),
            centre: sums[CENTRE] * CENTRE_UNIT,
        }
    }
}

/// Returns the vectors of all joint classes, which are the sums of those of their parts.
fn territory(learned: &Learned) -> Vec<[Lanes; ROLES]> {
    let add = |class: u16| -> [Lanes; ROLES] {
        let parts = parts_of(class);
        std::array::from_fn(|role| {
            let mut sum = [0.0; LANES];
            for part in parts {
                for (sum, value) in sum.iter_mut().zip(learned.vectors[part_vector(part, role)]) {
                    *sum += value;
                }
            }
            lanes(sum, LARGEST)
        })
    };
    let mut vectors: Vec<_> = (0..JOINT_CLASSES as u16).map(add).collect();
    vectors[usize::from(TAKEN)] = [[0; LANES]; ROLES];
    vectors
}

/// Returns the vector of a class, with the weight that it has by itself.
fn class_vector(learned: &Learned, class: usize) -> Lanes {
    let mut vector = learned.vectors[CLASS_VECTORS + class];
    vector[0] += learned.sums[class];
    lanes(vector, LARGEST)
}

/// Returns what the hidden units are worth, and nothing for the other lanes.
fn worth_of_hidden(learned: &Learned) -> Lanes {
    let mut worth = lanes(learned.output, LARGEST_HIDDEN);
    worth[..FIRST_HIDDEN].fill(0);
    worth
}

/// Returns a vector in whole numbers, with nothing in the lanes that count.
fn lanes(vector: [f32; LANES], largest: i16) -> Lanes {
    let limit = f32::from(largest);
    std::array::from_fn(|lane| match lane {
        LOCAL..FIRST_HIDDEN => 0,
        _ => (vector[lane] * PARTS).round().clamp(-limit, limit) as i16,
    })
}

fn whole(value: f32) -> i32 {
    (value * PARTS) as i32
}

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
    let ready = &weights.ready;
    weigh_squares(planes, ready);
    scored.clear();
    for (index, anchors) in moves.by_form() {
        let form = &tables.forms[index];
        let offsets = Offsets::of(form);
        let piece = ready.piece[form.piece as usize];
        for (y, &row) in anchors.iter().enumerate().take(SIZE) {
            let mut bits = row;
            while bits != 0 {
                let x = bits.trailing_zeros() as usize;
                bits &= bits - 1;
                let placement = form.placement(x, y);
                let squares = score_squares(planes, ready, form, &offsets, y * PLANE_STRIDE + x);
                let centre = ready.centre * tables.centre_distance[placement as usize];
                scored.push(Scored { score: piece + squares + (centre * PARTS) as i32, placement });
            }
        }
    }
}

/// The offsets of a form that lead to squares.
struct Offsets<'a> {
    cells: &'a [u16],
    edges: &'a [u16],
    corners: &'a [u16],
}

impl<'a> Offsets<'a> {
    #[inline(always)]
    fn of(form: &'a Form) -> Self {
        Offsets {
            cells: real(&form.cell_offsets),
            edges: real(&form.edge_offsets),
            corners: real(&form.corner_offsets),
        }
    }
}

#[inline(always)]
fn real(offsets: &[u16]) -> &[u16] {
    let count = offsets.iter().take_while(|&&offset| offset != NOWHERE).count();
    &offsets[..count]
}

/// Puts the vectors of all squares into planes, with the counts.
#[inline(always)]
fn weigh_squares(planes: &mut Planes, ready: &Ready) {
    for row in 1..=SIZE {
        let first = row * PLANE_STRIDE + 1;
        for (square, column) in (first..first + SIZE).zip(0..) {
            let joint = planes.joint[(row - 1) * SIZE + column];
            let [cell, edge, corner] = &ready.territory[usize::from(joint)];
            let edge_class = planes.edge_class[square];
            let corner_class = planes.corner_class[square];
            let class = usize::from(planes.cell_class[square]) % CELL_CLASSES;
            let value = &mut planes.values[0][square];
            *value = limited_sum(cell, &ready.cells[class]);
            value[LOCAL] = i16::from(planes.local[square]);
            let value = &mut planes.values[1][square];
            *value = limited_sum(edge, &ready.edges[usize::from(edge_class) % EDGE_CLASSES]);
            value[PARTNER] = i16::from(is_partner(edge_class));
            let value = &mut planes.values[2][square];
            *value =
                limited_sum(corner, &ready.corners[usize::from(corner_class) % CORNER_CLASSES]);
            value[OPENED] = i16::from(is_opened(corner_class));
            value[0] += ready.room[usize::from(planes.room[square] & 63)];
        }
    }
}

#[inline(always)]
fn limited_sum(first: &Lanes, second: &Lanes) -> Lanes {
    std::array::from_fn(|lane| (first[lane] + second[lane]).clamp(-LARGEST, LARGEST))
}

#[inline(always)]
fn add(sum: &mut Lanes, value: &Lanes) {
    for (sum, value) in sum.iter_mut().zip(value) {
        *sum = sum.wrapping_add(*value);
    }
}

/// Scores the squares that a form covers at an anchor, and those around it.
#[inline(always)]
fn score_squares(
    planes: &Planes,
    ready: &Ready,
    form: &Form,
    offsets: &Offsets,
    anchor: usize,
) -> i32 {
    let mut sum = ready.pieces[form.piece as usize];
    for &offset in offsets.cells {
        add(&mut sum, &planes.values[0][(anchor + offset as usize) & (PLANE - 1)]);
    }
    for &offset in offsets.edges {
        add(&mut sum, &planes.values[1][(anchor + offset as usize) & (PLANE - 1)]);
    }
    let mut best_room = 0;
    for &offset in offsets.corners {
        let square = (anchor + offset as usize) & (PLANE - 1);
        add(&mut sum, &planes.values[2][square]);
        best_room = best_room.max(planes.room[square]);
    }
    // Lanes that are no hidden units are worth nothing here.
    let mut hidden = 0;
    for (value, worth) in sum.iter().zip(ready.hidden) {
        hidden += i32::from((*value).clamp(0, LARGEST_HIDDEN)) * i32::from(worth);
    }
    i32::from(sum[0])
        + hidden / PARTS as i32
        + ready.local[sum[LOCAL] as usize % COUNTS]
        + ready.partner[sum[PARTNER] as usize % COUNTS]
        + ready.opened[sum[OPENED] as usize % COUNTS]
        + ready.best_room[best_room as usize & 63]
}
