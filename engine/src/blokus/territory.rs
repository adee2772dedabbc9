//! Whose square is it? Each square has a class for each colour, by how soon that colour reaches it.
//!
//! The four classes together index a table of vectors, and the sum of the vectors of all squares is
//! what the value net sees of the territory. What a vector means is learned.

use super::board::COLORS;
use super::pieces::SIZE;
use super::reach::{LEVELS, Plane, ROW_COUNT, Reach};

/// Classes of a square for one colour: not free, free but out of reach, and the rings of `Reach`
/// from the widest to the attach squares.
pub const CLASSES: usize = LEVELS + 2;
/// Joint classes for all four colours, in the order of play, the colour on turn first.
pub const JOINT_CLASSES: usize = CLASSES * CLASSES * CLASSES * CLASSES;
/// Squares of the board.
pub const BOARD: usize = SIZE * SIZE;
/// The joint class of squares that nobody can cover any more. Its vector is zero.
pub const TAKEN: u16 = 0;

const CLASS_BITS: usize = 4;
const LANES: usize = 32;
const COLUMNS: [u32; LANES] = {
    let mut columns = [0; LANES];
    let mut x = 0;
    while x < LANES {
        columns[x] = 1 << x;
        x += 1;
    }
    columns
};
/// What the class of a colour counts in the joint class.
const SEAT_WORTH: [u32; COLORS] =
    [(CLASSES * CLASSES * CLASSES) as u32, (CLASSES * CLASSES) as u32, CLASSES as u32, 1];

/// The joint class of every square, row by row.
pub type JointClasses = [u16; BOARD];

/// Returns the joint class of four classes.
pub fn join(classes: [usize; COLORS]) -> u16 {
    classes.iter().fold(0, |joint, class| joint * CLASSES + class) as u16
}

/// Returns the four classes of a joint class.
pub fn split(joint: u16) -> [usize; COLORS] {
    let mut rest = usize::from(joint);
    let mut classes = [0; COLORS];
    for class in classes.iter_mut().rev() {
        *class = rest % CLASSES;
        rest /= CLASSES;
    }
    classes
}

const PAIRS: [(usize, usize); 6] = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
const SINGLE_ROWS: usize = COLORS * CLASSES;
/// Parts of a joint class: the class for each colour and that for each pair of colours.
pub const PARTS: usize = COLORS + PAIRS.len();
/// All there are of these parts.
pub const PART_ROWS: usize = SINGLE_ROWS + PAIRS.len() * CLASSES * CLASSES;

/// Returns the numbers of the parts of a joint class.
///
/// What is learned for a part is learned from all classes that share it, so that classes that are
/// rare together still get sensible weights.
pub fn parts_of(joint: u16) -> [usize; PARTS] {
    let classes = split(joint);
    std::array::from_fn(|part| match part {
        _ if part < COLORS => part * CLASSES + classes[part],
        _ => {
            let (left, right) = PAIRS[part - COLORS];
            let pair = classes[left] * CLASSES + classes[right];
            SINGLE_ROWS + (part - COLORS) * CLASSES * CLASSES + pair
        }
    })
}

/// Finds the joint class of every square.
#[inline(always)]
pub fn classify(reach: &Reach, joint: &mut JointClasses) {
    let mut bits = [[[0; ROW_COUNT]; CLASS_BITS]; COLORS];
    for (seat, bits) in bits.iter_mut().enumerate() {
        *bits = class_bits(&reach.levels[seat], &reach.free[seat]);
    }
    for y in 0..SIZE {
        let mut row = [0u32; LANES];
        for (seat, seat_bits) in bits.iter().enumerate() {
            for (bit, plane) in seat_bits.iter().enumerate() {
                let word = plane[y + 1];
                let worth = SEAT_WORTH[seat] << bit;
                for (sum, column) in row.iter_mut().zip(COLUMNS) {
                    *sum += if word & column == 0 { 0 } else { worth };
                }
            }
        }
        for (class, sum) in joint[y * SIZE..(y + 1) * SIZE].iter_mut().zip(row) {
            *class = sum as u16;
        }
    }
}

/// Returns the class of every square for one colour as binary digits.
///
/// The sets are nested, so the class is the number of sets that a square is in.
#[inline(always)]
fn class_bits(levels: &[Plane; LEVELS], free: &Plane) -> [Plane; CLASS_BITS] {
    let mut bits = [[0; ROW_COUNT]; CLASS_BITS];
    for row in 1..=SIZE {
        // Number k of these says whether the class is greater than k.
        let above: [u32; CLASSES] = std::array::from_fn(|k| match k {
            0 => free[row],
            _ if k <= LEVELS => levels[LEVELS - k][row],
            _ => 0,
        });
        bits[0][row] = (above[0] & !above[1])
            | (above[2] & !above[3])
            | (above[4] & !above[5])
            | (above[6] & !above[7])
            | above[8];
        bits[1][row] = (above[1] & !above[3]) | (above[5] & !above[7]);
        bits[2][row] = above[3] & !above[7];
        bits[3][row] = above[7];
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::board::Position;
    use crate::blokus::moves::{LegalMoves, settle};
    use crate::blokus::rules::Rules;
    use crate::cpu::Cpu;
    use crate::random::Random;

    fn has(plane: &Plane, square: usize) -> usize {
        (plane[square / SIZE + 1] >> (square % SIZE) & 1) as usize
    }

    /// The same as `classify`, square by square.
    fn count_sets(reach: &Reach, square: usize) -> u16 {
        join(std::array::from_fn(|seat| {
            let levels = reach.levels[seat].iter().map(|level| has(level, square));
            levels.sum::<usize>() + has(&reach.free[seat], square)
        }))
    }

    #[test]
    fn joint_classes_can_be_split() {
        for joint in 0..JOINT_CLASSES as u16 {
            assert_eq!(join(split(joint)), joint);
        }
    }

    #[test]
    fn classes_count_the_sets_that_a_square_is_in() {
        let mut random = Random::new(5);
        let mut position = Position::new(Rules::season_2027(10));
        let mut moves = LegalMoves::default();
        let mut placements = Vec::new();
        while settle(Cpu::detect(), &mut position, &mut moves) {
            moves.list(&mut placements);
            let reach = Reach::of(&position);
            let mut joint = [TAKEN; BOARD];
            classify(&reach, &mut joint);
            for (square, &class) in joint.iter().enumerate() {
                assert_eq!(class, count_sets(&reach, square));
            }
            position.place(placements[random.below(placements.len() as u32) as usize]);
        }
    }
}
