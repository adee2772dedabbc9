//! The value net: a small network that judges a position by its features and its territory.
//!
//! It only computes. Weights come from a file that `training` writes; the sizes of the hidden
//! layers stand in that file. Sums are built in one fixed order, so all processors agree.

use super::board::Position;
use super::features::{self, FEATURE_SET, FEATURES, Features};
use super::pieces::{Tables, tables};
use super::reach::Reach;
use super::territory::{self, BOARD, JOINT_CLASSES, JointClasses, TAKEN};
use crate::cpu::{Cpu, multiversion};

const SHORT: &str = "the file of weights is too short";
const MAGIC: &[u8; 4] = b"SLBV";
/// Hidden units that are computed together. Sizes of hidden layers are multiples of it.
pub const LANES: usize = 16;
const MOST_HIDDEN: usize = 512;
/// So many entries of the table can be added up in 16 bits...
const GROUP: usize = 8;
/// ...if none is larger than this.
const LARGEST_ENTRY: i16 = i16::MAX / GROUP as i16;
const _: () = assert!(BOARD.is_multiple_of(GROUP) && TAKEN == 0);
/// The unit of the second output, so that it is about as large as the first.
pub const POINTS_UNIT: f32 = 32.0;
pub const OUTPUTS: usize = 2;
/// Stages of the game and the plies of each; the last one has no end.
pub const STAGES: usize = 4;
const STAGE_PLIES: u8 = 12;

/// What the net says about a position, for the team on turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// The probability of winning, half for a draw.
    pub win: f32,
    /// The expected difference of points at the end.
    pub points: f32,
}

/// The weights of one layer: a row of `outputs` numbers for every input, and a bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Layer {
    pub inputs: usize,
    pub outputs: usize,
    pub weights: Vec<f32>,
    pub bias: Vec<f32>,
}

impl Layer {
    pub fn new(inputs: usize, outputs: usize) -> Self {
        Layer { inputs, outputs, weights: vec![0.0; inputs * outputs], bias: vec![0.0; outputs] }
    }
}

/// The vectors that the joint classes of squares add to the first hidden layer.
///
/// They are whole numbers of a small unit, because sums of those do not depend on their order.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    pub hidden: usize,
    pub unit: f32,
    pub rows: Vec<i16>,
}

impl Table {
    /// Returns a table in which all vectors are zero.
    pub fn new(hidden: usize) -> Self {
        Table { hidden, unit: 1.0, rows: vec![0; JOINT_CLASSES * hidden] }
    }

    /// Returns the table nearest to these vectors. That of `TAKEN` must be zero.
    pub fn rounded(hidden: usize, vectors: &[f32]) -> Self {
        let largest = vectors.iter().fold(1.0e-6f32, |most, value| most.max(value.abs()));
        let unit = largest / f32::from(LARGEST_ENTRY);
        let rows = vectors.iter().map(|value| (value / unit).round() as i16).collect();
        Table { hidden, unit, rows }
    }

    /// Adds up the vectors of all squares for hidden units from `lane` on.
    #[inline(always)]
    fn sum(&self, classes: &JointClasses, lane: usize) -> [f32; LANES] {
        let mut sums = [0i32; LANES];
        for group in classes.chunks_exact(GROUP) {
            let mut part = [0i16; LANES];
            for &class in group {
                let start = usize::from(class) * self.hidden + lane;
                let row: &[i16; LANES] =
                    self.rows[start..start + LANES].try_into().expect("a lane has this length");
                for (sum, value) in part.iter_mut().zip(row) {
                    *sum = sum.wrapping_add(*value);
                }
            }
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum += i32::from(part);
            }
        }
        sums.map(|sum| sum as f32 * self.unit)
    }
}

/// The layers that come after the first one, for one stage of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    pub second: Layer,
    pub last: Layer,
}

/// A net with two hidden layers. The second one and what follows depend on the stage of the game.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    pub table: Table,
    pub first: Layer,
    pub heads: Vec<Head>,
}

/// Returns the stage of the game, by which a head is chosen.
#[inline(always)]
pub fn stage(ply: u8) -> usize {
    usize::from(ply / STAGE_PLIES).min(STAGES - 1)
}

impl Net {
    /// Returns a net of these sizes in which all weights are zero.
    pub fn new(hidden_first: usize, hidden_second: usize) -> Self {
        Net {
            table: Table::new(hidden_first),
            first: Layer::new(FEATURES, hidden_first),
            heads: vec![
                Head {
                    second: Layer::new(hidden_first, hidden_second),
                    last: Layer::new(hidden_second, OUTPUTS),
                };
                STAGES
            ],
        }
    }

    /// Judges a position.
    pub fn judge(&self, cpu: Cpu, position: &Position) -> Judgement {
        judge(cpu, self, tables(), position)
    }

    /// Reads weights that `write` wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let number = |index: usize| -> Option<u32> {
            let part = bytes.get(4 + 4 * index..8 + 4 * index)?;
            Some(u32::from_le_bytes(part.try_into().ok()?))
        };
        if bytes.get(..4) != Some(MAGIC) {
            return Err("these are not weights of a value net".to_string());
        }
        if number(0) != Some(FEATURE_SET) || number(1) != Some(FEATURES as u32) {
            return Err("the weights belong to another set of features: train again".to_string());
        }
        let size = |index: usize| number(index).map_or(0, |size| size as usize);
        let (hidden_first, hidden_second) = (size(2), size(3));
        for hidden in [hidden_first, hidden_second] {
            if hidden == 0 || hidden % LANES != 0 || hidden > MOST_HIDDEN {
                return Err(format!("a hidden layer of {hidden} units is not supported"));
            }
        }
        let mut net = Net::new(hidden_first, hidden_second);
        let (head, rest) = bytes[20..].split_at_checked(4).ok_or(SHORT)?;
        net.table.unit = f32::from_le_bytes([head[0], head[1], head[2], head[3]]);
        let (rows, rest) = rest.split_at_checked(2 * net.table.rows.len()).ok_or(SHORT)?;
        for (entry, part) in net.table.rows.iter_mut().zip(rows.as_chunks::<2>().0) {
            *entry = i16::from_le_bytes(*part).clamp(-LARGEST_ENTRY, LARGEST_ENTRY);
        }
        let mut values = rest.chunks_exact(4);
        for value in net.parameters() {
            let part = values.next().ok_or(SHORT)?;
            *value = f32::from_le_bytes([part[0], part[1], part[2], part[3]]);
        }
        Ok(net)
    }

    /// Returns the weights as bytes, with their sizes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let sizes = [FEATURE_SET as usize, FEATURES, self.first.outputs, self.hidden_second()];
        for size in sizes {
            bytes.extend((size as u32).to_le_bytes());
        }
        bytes.extend(self.table.unit.to_le_bytes());
        bytes.extend(self.table.rows.iter().flat_map(|entry| entry.to_le_bytes()));
        for value in self.clone().parameters() {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// Returns the size of the second hidden layer.
    fn hidden_second(&self) -> usize {
        self.heads[0].second.outputs
    }

    /// Returns all layers.
    pub fn layers(&mut self) -> impl Iterator<Item = &mut Layer> {
        let heads = self.heads.iter_mut().flat_map(|head| [&mut head.second, &mut head.last]);
        std::iter::once(&mut self.first).chain(heads)
    }

    /// Returns all weights and biases of the layers, one after the other.
    pub fn parameters(&mut self) -> impl Iterator<Item = &mut f32> {
        self.layers().flat_map(|layer| layer.weights.iter_mut().chain(layer.bias.iter_mut()))
    }
}

multiversion! {
    fn judge(net: &Net, tables: &Tables, position: &Position) -> Judgement = judge_body;
}

#[inline(always)]
fn judge_body(net: &Net, tables: &Tables, position: &Position) -> Judgement {
    let reach = Reach::of(position);
    let mut features: Features = [0; FEATURES];
    features::compute_body(tables, position, &mut features);
    let mut classes = [TAKEN; BOARD];
    territory::classify(&reach, &mut classes);
    let inputs = features.map(f32::from);
    let mut first = [0.0; MOST_HIDDEN];
    let mut second = [0.0; MOST_HIDDEN];
    for lane in (0..net.first.outputs).step_by(LANES) {
        forward(&net.first, &inputs, lane, net.table.sum(&classes, lane), &mut first);
    }
    let head = &net.heads[stage(position.ply)];
    for lane in (0..head.second.outputs).step_by(LANES) {
        forward(&head.second, &first[..net.first.outputs], lane, [0.0; LANES], &mut second);
    }
    let mut output = [head.last.bias[0], head.last.bias[1]];
    for (value, weights) in second.iter().zip(head.last.weights.as_chunks::<OUTPUTS>().0) {
        output[0] += value * weights[0];
        output[1] += value * weights[1];
    }
    Judgement { win: sigmoid(output[0]), points: output[1] * POINTS_UNIT }
}

/// Computes the hidden units from `lane` on, with negative results cut off. `more` is added.
#[inline(always)]
fn forward(
    layer: &Layer,
    inputs: &[f32],
    lane: usize,
    more: [f32; LANES],
    outputs: &mut [f32; MOST_HIDDEN],
) {
    let mut sums: [f32; LANES] = std::array::from_fn(|unit| layer.bias[lane + unit] + more[unit]);
    for (input, weights) in inputs.iter().zip(layer.weights.chunks_exact(layer.outputs)) {
        let weights: &[f32; LANES] =
            weights[lane..lane + LANES].try_into().expect("a lane has this length");
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += input * weight;
        }
    }
    for (output, sum) in outputs[lane..lane + LANES].iter_mut().zip(sums) {
        *output = sum.max(0.0);
    }
}

pub fn sigmoid(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::rules::Rules;
    use crate::random::Random;

    fn random_net() -> Net {
        let mut net = Net::new(32, 16);
        let mut random = Random::new(1);
        for value in net.parameters() {
            *value = 0.02 * random.normal();
        }
        let mut vectors: Vec<f32> = net.table.rows.iter().map(|_| random.normal()).collect();
        vectors[..32].fill(0.0);
        net.table = Table::rounded(32, &vectors);
        net
    }

    #[test]
    fn weights_survive_writing_and_reading() {
        let net = random_net();
        assert_eq!(Net::read(&net.write()), Ok(net));
    }

    #[test]
    fn damaged_weights_are_refused() {
        let bytes = random_net().write();
        assert!(Net::read(b"").is_err());
        assert!(Net::read(&bytes[..bytes.len() - 1]).is_err());
        assert!(Net::read(&[b"SLBV".as_slice(), &[0; 64]].concat()).is_err());
    }

    #[test]
    fn all_processors_judge_alike() {
        let net = random_net();
        let position = Position::new(Rules::season_2027(10));
        let expected = net.judge(Cpu::portable(), &position);
        assert!((0.0..=1.0).contains(&expected.win));
        for cpu in Cpu::all() {
            assert_eq!(net.judge(cpu, &position), expected);
        }
    }
}
