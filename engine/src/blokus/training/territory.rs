//! Learns the vectors of joint classes as sums: one for each colour's class, one for each pair of
//! colours, and one for all four. So classes that are rare together still get sensible vectors.

use crate::blokus::board::Position;
use crate::blokus::reach::Reach;
use crate::blokus::territory::{BOARD, JOINT_CLASSES, PART_ROWS, PARTS, TAKEN, classify, parts_of};
use crate::random::Random;

const ROWS: usize = PART_ROWS + JOINT_CLASSES;
/// What one square counts, so that a board of them counts about as much as other inputs.
const SQUARE: f32 = 0.02;

/// The joint classes of a position's squares, each with how often it occurs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Squares(Vec<(u16, u16)>);

impl Squares {
    pub fn of(position: &Position) -> Self {
        let mut classes = [TAKEN; BOARD];
        classify(&Reach::of(position), &mut classes);
        classes.sort_unstable();
        let counted = classes.chunk_by(|a, b| a == b).map(|run| (run[0], run.len() as u16));
        Squares(counted.filter(|(class, _)| *class != TAKEN).collect())
    }
}

/// The vectors of all parts.
#[derive(Clone, Debug)]
pub struct Factors {
    hidden: usize,
    pub weights: Vec<f32>,
}

impl Factors {
    pub fn zero(hidden: usize) -> Self {
        Factors { hidden, weights: vec![0.0; ROWS * hidden] }
    }

    pub fn new(hidden: usize, random: &mut Random) -> Self {
        let mut factors = Self::zero(hidden);
        factors.weights.iter_mut().for_each(|weight| *weight = 0.003 * random.normal());
        factors
    }

    pub fn shrink(&mut self, factor: f32) {
        self.weights.iter_mut().for_each(|weight| *weight *= factor);
    }

    /// Adds the vectors of all squares.
    #[inline(always)]
    pub fn add_to(&self, squares: &Squares, outputs: &mut [f32]) {
        for &(class, count) in &squares.0 {
            let share = SQUARE * f32::from(count);
            for row in rows_of(class) {
                let weights = &self.weights[row * self.hidden..(row + 1) * self.hidden];
                for (output, weight) in outputs.iter_mut().zip(weights) {
                    *output += share * weight;
                }
            }
        }
    }

    /// Adds the gradient of one example, whose hidden units have these errors.
    #[inline(always)]
    pub fn learn(&mut self, squares: &Squares, errors: &[f32]) {
        for &(class, count) in &squares.0 {
            let share = SQUARE * f32::from(count);
            for row in rows_of(class) {
                let sums = &mut self.weights[row * self.hidden..(row + 1) * self.hidden];
                for (sum, error) in sums.iter_mut().zip(errors) {
                    *sum += share * error;
                }
            }
        }
    }

    /// Returns the vector of every joint class, for one square. That of `TAKEN` is zero.
    pub fn joint(&self) -> Vec<f32> {
        let mut vectors = vec![0.0; JOINT_CLASSES * self.hidden];
        for (class, vector) in vectors.chunks_exact_mut(self.hidden).enumerate().skip(1) {
            self.add_to(&Squares(vec![(class as u16, 1)]), vector);
        }
        vectors
    }
}

/// Returns the rows of a class: those of its parts, and one of its own.
fn rows_of(class: u16) -> [usize; PARTS + 1] {
    let parts = parts_of(class);
    std::array::from_fn(|part| match parts.get(part) {
        Some(row) => *row,
        None => PART_ROWS + usize::from(class),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::rules::Rules;

    #[test]
    fn every_square_that_is_not_taken_counts() {
        let squares = Squares::of(&Position::new(Rules::season_2027(10)));
        assert_eq!(squares.0.iter().map(|(_, count)| usize::from(*count)).sum::<usize>(), BOARD);
    }

    #[test]
    fn rows_of_parts_are_in_range_and_those_of_a_class_its_own() {
        let rows: Vec<_> = (0..JOINT_CLASSES as u16).map(rows_of).collect();
        assert!(rows.iter().flatten().all(|row| *row < ROWS));
        assert!(rows.is_sorted_by_key(|row| row[PARTS]));
    }

    #[test]
    fn joint_vectors_are_what_squares_add() {
        let factors = Factors::new(2, &mut Random::new(3));
        let mut sum = vec![0.0; 2];
        factors.add_to(&Squares(vec![(1234, 3)]), &mut sum);
        let joint = factors.joint();
        assert!((sum[0] - 3.0 * joint[2 * 1234]).abs() < 1.0e-6);
        assert_eq!(joint[..2], [0.0, 0.0]);
    }
}
