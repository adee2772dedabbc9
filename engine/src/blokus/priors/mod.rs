//! Guesses, before any search, which placements are worth looking at.
//!
//! Each square that a placement covers, that is beside it or at its corner, has a learned vector by
//! what it means to the four colours. That is said twice: by classes made for the purpose, and by how
//! soon each colour reaches the square, as the value net sees it. The vectors of a placement's squares
//! are added up. One number of the sum counts as it is, the others are hidden units. A few weights for
//! the placement as a whole come on top. Weights depend on the phase of the game and come from
//! `training`.

mod score;
mod squares;

use super::board::Position;
use super::moves::LegalMoves;
use super::pieces::{NOWHERE, PIECES, PLANE, PLANE_STRIDE, PlacementId, SIZE, tables};
use super::territory::{BOARD, JointClasses, PART_ROWS, TAKEN, parts_of};
use crate::cpu::Cpu;
use score::Lanes;

/// The number of this set of features, which is stored with the weights.
const FEATURE_SET: u32 = 3;
const MAGIC: &[u8; 4] = b"SLBP";

/// Covered squares: how near the two opponents are (4 each), and whether the partner attaches.
const CELL_CLASSES: usize = 32;
/// Squares beside: who is there or what is free (5), and whether an opponent is near.
const EDGE_CLASSES: usize = 10;
/// Squares at corners: free neighbours (5), an opponent's reach (3), own attach square; or blocked.
const CORNER_CLASSES: usize = 31;
const BLOCKED_CORNER: u8 = 30;
const FIRST_EDGE: usize = CELL_CLASSES;
const FIRST_CORNER: usize = FIRST_EDGE + EDGE_CLASSES;
const FIRST_PIECE: usize = FIRST_CORNER + CORNER_CLASSES;
/// Covers one, two, three or more squares that the opponents' last moves opened.
const FIRST_LOCAL: usize = FIRST_PIECE + PIECES;
const TOUCHES_PARTNER: usize = FIRST_LOCAL + 3;
/// Opens 0, 1, 2, 3, 4, 5 or more new attach squares.
const FIRST_OPENED: usize = TOUCHES_PARTNER + 1;
const MOST_OPENED: usize = 5;
const CENTRE: usize = FIRST_OPENED + MOST_OPENED + 1;
/// The roomiest corner, and the room at all corners.
const ROOM_BEST: usize = CENTRE + 1;
const ROOM_SUM: usize = ROOM_BEST + 1;
pub const FEATURES: usize = ROOM_SUM + 1;
pub const PHASES: usize = 6;

const ROOM_SQUARES: f32 = 49.0;
const CENTRE_UNIT: f32 = 0.1;
const ROOM_SUM_UNIT: f32 = 0.25;

/// Returns the phase of the game: weights are learned for each on its own.
pub fn phase(ply: u8) -> usize {
    match ply {
        0..=3 => 0,
        4..=9 => 1,
        10..=17 => 2,
        18..=27 => 3,
        28..=39 => 4,
        _ => 5,
    }
}

/// What a square can be to a placement: covered, beside it, or at its corner.
pub const ROLES: usize = 3;
/// Numbers of a vector: one that counts as it is, three to count with, and the hidden units.
pub const LANES: usize = 16;
pub const FIRST_HIDDEN: usize = 4;
/// The vectors of the parts of joint classes for each role, of all classes, and of the pieces.
const CLASS_VECTORS: usize = PART_ROWS * ROLES;
const PIECE_VECTORS: usize = CLASS_VECTORS + FIRST_PIECE;
const VECTORS: usize = PIECE_VECTORS + PIECES;

/// The weights of the classes and of the placement as a whole.
pub type Sums = [f32; FEATURES];

/// What is learned for one phase.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    pub sums: Sums,
    pub vectors: Vec<[f32; LANES]>,
    /// What the hidden units are worth, from `FIRST_HIDDEN` on.
    pub output: [f32; LANES],
}

impl Learned {
    pub fn zero() -> Self {
        Learned {
            sums: [0.0; FEATURES],
            vectors: vec![[0.0; LANES]; VECTORS],
            output: [0.0; LANES],
        }
    }

    /// Returns all numbers one after the other.
    pub fn numbers(&mut self) -> impl Iterator<Item = &mut f32> {
        self.sums.iter_mut().chain(self.vectors.iter_mut().flatten()).chain(&mut self.output)
    }
}

/// Returns the vector of a part of a joint class in a role.
pub fn part_vector(part: usize, role: usize) -> usize {
    part * ROLES + role
}

/// Returns the vector of a piece.
pub fn piece_vector(piece: u8) -> usize {
    PIECE_VECTORS + usize::from(piece)
}

/// The weights of one phase, made ready to score with.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    learned: Learned,
    ready: score::Ready,
}

impl Weights {
    pub fn new(learned: Learned) -> Self {
        Weights { ready: score::Ready::new(&learned), learned }
    }
}

/// The learned weights of all phases.
#[derive(Clone, Debug, PartialEq)]
pub struct Priors {
    pub phases: Vec<Weights>,
}

impl Priors {
    /// Returns priors that know nothing but that large pieces should be placed early.
    pub fn untrained() -> Self {
        let mut learned = Learned::zero();
        for piece in 0..PIECES {
            learned.sums[FIRST_PIECE + piece] = f32::from(tables().piece_size[piece]);
        }
        Priors { phases: vec![Weights::new(learned); PHASES] }
    }

    /// Reads weights that `write` wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.get(..4) != Some(MAGIC) {
            return Err("these are not weights of priors".to_string());
        }
        if bytes.get(4..8) != Some(&FEATURE_SET.to_le_bytes()) {
            return Err("the priors belong to another set of features: train again".to_string());
        }
        let (values, _) = bytes[8..].as_chunks::<4>();
        let count = Learned::zero().numbers().count();
        if values.len() != PHASES * count {
            return Err(format!("there are {} weights of priors", values.len()));
        }
        let phases = values.chunks_exact(count).map(|values| {
            let mut learned = Learned::zero();
            for (number, value) in learned.numbers().zip(values) {
                *number = f32::from_le_bytes(*value);
            }
            Weights::new(learned)
        });
        Ok(Priors { phases: phases.collect() })
    }

    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(FEATURE_SET.to_le_bytes());
        for phase in &self.phases {
            for value in phase.learned.clone().numbers() {
                bytes.extend(value.to_le_bytes());
            }
        }
        bytes
    }
}

/// A placement with its score, in parts of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Scored {
    pub score: i32,
    pub placement: PlacementId,
}

impl Scored {
    /// Returns the score in units: the logarithm of how likely the placement is.
    pub fn units(self) -> f32 {
        self.score as f32 * (1.0 / score::PARTS)
    }
}

/// What the squares of a position mean, in planes with a margin around the board.
#[derive(Clone)]
pub struct Planes {
    cell_class: [u8; PLANE],
    edge_class: [u8; PLANE],
    corner_class: [u8; PLANE],
    /// Squares that the opponents' last moves have opened for them.
    local: [u8; PLANE],
    /// Free squares around that the colour does not reach soon.
    room: [u8; PLANE],
    /// How soon each colour reaches the squares of the board.
    joint: JointClasses,
    /// The vectors of the squares, for each role.
    values: [[Lanes; PLANE]; ROLES],
}

impl Default for Planes {
    fn default() -> Self {
        Planes {
            cell_class: [CELL_CLASSES as u8; PLANE],
            edge_class: [EDGE_CLASSES as u8; PLANE],
            corner_class: [CORNER_CLASSES as u8; PLANE],
            local: [0; PLANE],
            room: [0; PLANE],
            joint: [TAKEN; BOARD],
            values: [[[0; LANES]; PLANE]; ROLES],
        }
    }
}

impl Planes {
    /// Finds out what the squares mean to the colour on turn.
    pub fn describe(&mut self, cpu: Cpu, position: &Position) {
        squares::describe(cpu, self, tables(), position);
    }

    /// Scores all legal placements.
    pub fn score(
        &mut self,
        cpu: Cpu,
        weights: &Weights,
        moves: &LegalMoves,
        scored: &mut Vec<Scored>,
    ) {
        score::score(cpu, self, tables(), weights, moves, scored);
    }

    /// Adds up the features of one placement as training needs them: number and value.
    pub fn features(&self, placement: PlacementId) -> Vec<(usize, f32)> {
        let mut sums = [0.0f32; FEATURES];
        let form = tables().form_of(placement);
        let local = self.add_cells(&squares_of(placement, &form.cell_offsets), &mut sums);
        self.add_edges(&squares_of(placement, &form.edge_offsets), &mut sums);
        let opened = self.add_corners(&squares_of(placement, &form.corner_offsets), &mut sums);
        sums[FIRST_PIECE + form.piece as usize] = 1.0;
        if local > 0 {
            sums[FIRST_LOCAL + local.min(3) - 1] = 1.0;
        }
        sums[FIRST_OPENED + opened.min(MOST_OPENED)] = 1.0;
        sums[CENTRE] = tables().centre_distance[placement as usize] * CENTRE_UNIT;
        let present = sums.into_iter().enumerate().filter(|&(_, value)| value != 0.0);
        present.collect()
    }

    /// Lists the squares of the board that a placement has to do with, and their roles.
    pub fn roles(&self, placement: PlacementId) -> Vec<(usize, usize)> {
        let form = tables().form_of(placement);
        let offsets = [&form.cell_offsets[..], &form.edge_offsets[..], &form.corner_offsets[..]];
        let mut roles = Vec::new();
        for (role, offsets) in offsets.into_iter().enumerate() {
            let squares = squares_of(placement, offsets).into_iter().filter_map(board_square);
            roles.extend(squares.map(|square| (square, role)));
        }
        roles
    }

    /// Lists the vectors of a square of the board in a role.
    pub fn vectors_of(&self, square: usize, role: usize) -> Vec<usize> {
        let padded = (square / SIZE + 1) * PLANE_STRIDE + square % SIZE + 1;
        let class = match role {
            0 => self.cell_class[padded] as usize,
            1 => FIRST_EDGE + self.edge_class[padded] as usize,
            _ => FIRST_CORNER + self.corner_class[padded] as usize,
        };
        let mut vectors = vec![CLASS_VECTORS + class];
        if self.joint[square] != TAKEN {
            vectors.extend(parts_of(self.joint[square]).map(|part| part_vector(part, role)));
        }
        vectors
    }

    /// Returns how many squares were opened by the opponents' last moves.
    fn add_cells(&self, squares: &[usize], sums: &mut Sums) -> usize {
        for &square in squares {
            sums[self.cell_class[square] as usize] += 1.0;
        }
        squares.iter().map(|&square| self.local[square] as usize).sum()
    }

    fn add_edges(&self, squares: &[usize], sums: &mut Sums) {
        for &square in squares {
            let class = self.edge_class[square];
            if (class as usize) < EDGE_CLASSES {
                sums[FIRST_EDGE + class as usize] += 1.0;
                if is_partner(class) {
                    sums[TOUCHES_PARTNER] = 1.0;
                }
            }
        }
    }

    /// Returns how many new attach squares there are.
    fn add_corners(&self, squares: &[usize], sums: &mut Sums) -> usize {
        let mut opened = 0;
        for &square in squares {
            let class = self.corner_class[square];
            if (class as usize) < CORNER_CLASSES {
                sums[FIRST_CORNER + class as usize] += 1.0;
                opened += usize::from(is_opened(class));
                let room = f32::from(self.room[square]) / ROOM_SQUARES;
                sums[ROOM_BEST] = sums[ROOM_BEST].max(room);
                sums[ROOM_SUM] += room * ROOM_SUM_UNIT;
            }
        }
        opened
    }
}

/// Returns the squares at some offsets from a placement, in a padded plane.
fn squares_of(placement: PlacementId, offsets: &[u16]) -> Vec<usize> {
    let at = tables().placements[placement as usize];
    let anchor = at.y as usize * PLANE_STRIDE + at.x as usize;
    let real = offsets.iter().filter(|&&offset| offset != NOWHERE);
    real.map(|&offset| anchor + offset as usize).collect()
}

/// Returns the number on the board of a square of a padded plane.
fn board_square(square: usize) -> Option<usize> {
    let (row, column) = (square / PLANE_STRIDE, square % PLANE_STRIDE);
    let on_board = (1..=SIZE).contains(&row) && (1..=SIZE).contains(&column);
    on_board.then(|| (row - 1) * SIZE + column - 1)
}

#[inline(always)]
fn is_partner(edge_class: u8) -> bool {
    edge_class >> 1 == 1
}

/// Returns whether a corner is a new attach square with at least one free neighbour.
#[inline(always)]
fn is_opened(corner_class: u8) -> bool {
    (6..BLOCKED_CORNER).contains(&corner_class) && corner_class & 1 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::sampling::random_positions;
    use crate::random::Random;

    fn random_priors() -> Priors {
        let mut random = Random::new(5);
        let phases = (0..PHASES).map(|_| {
            let mut learned = Learned::zero();
            learned.numbers().for_each(|number| *number = 0.1 * random.normal());
            Weights::new(learned)
        });
        Priors { phases: phases.collect() }
    }

    /// The same as a score, by the numbers that were learned.
    fn expected_score(planes: &Planes, learned: &Learned, placement: PlacementId) -> f32 {
        let features = planes.features(placement).into_iter();
        let sums: f32 = features.map(|(index, value)| learned.sums[index] * value).sum();
        let mut sum = learned.vectors[piece_vector(tables().form_of(placement).piece)];
        for (square, role) in planes.roles(placement) {
            for vector in planes.vectors_of(square, role) {
                for (sum, value) in sum.iter_mut().zip(learned.vectors[vector]) {
                    *sum += value;
                }
            }
        }
        let hidden = (FIRST_HIDDEN..LANES).map(|lane| sum[lane].max(0.0) * learned.output[lane]);
        sums + sum[0] + hidden.sum::<f32>()
    }

    #[test]
    fn weights_survive_writing_and_reading() {
        let priors = random_priors();
        assert_eq!(Priors::read(&priors.write()), Ok(priors));
        assert!(Priors::read(b"SLBP").is_err());
        assert!(Priors::read(b"other").is_err());
    }

    #[test]
    fn scores_are_the_weighted_features_on_all_processors() {
        let priors = random_priors();
        for position in random_positions(6).iter().step_by(5) {
            let weights = &priors.phases[phase(position.ply)];
            let mut moves = LegalMoves::default();
            moves.find(Cpu::portable(), position, position.color());
            let mut expected = Vec::new();
            let mut planes = Planes::default();
            planes.describe(Cpu::portable(), position);
            planes.score(Cpu::portable(), weights, &moves, &mut expected);
            assert!(!expected.is_empty());
            for scored in &expected {
                let sum = expected_score(&planes, &weights.learned, scored.placement);
                assert!((scored.units() - sum).abs() < 0.25, "{} {sum}", scored.units());
            }
            for cpu in Cpu::all() {
                let mut found = Vec::new();
                planes.describe(cpu, position);
                planes.score(cpu, weights, &moves, &mut found);
                assert_eq!(found, expected);
            }
        }
    }
}
