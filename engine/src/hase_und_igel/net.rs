//! A small net that tells from the rows of a position how likely its mover wins.
//!
//! All of it is whole numbers, so that every machine computes the same. The first layer adds up
//! rows, the second one has a few neurons, and the last one adds those up.

use super::features::ROWS;

/// Neurons of the first and of the second layer.
pub const FIRST: usize = 32;
pub const SECOND: usize = 16;

/// Weights have so many bits after the point.
const BITS: u32 = 9;
const ONE: f32 = (1 << BITS) as f32;

/// Sums of rows.
pub type Sums = [i16; FIRST];

/// The weights of a net.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Net {
    rows: Vec<Sums>,
    first_bias: Sums,
    /// For each neuron of the second layer what it makes of the first.
    second: [Sums; SECOND],
    second_bias: [i32; SECOND],
    last: [i32; SECOND],
    last_bias: i32,
}

/// How many numbers of two bytes a file of weights has.
const NUMBERS: usize = ROWS * FIRST + FIRST + SECOND * FIRST + SECOND + SECOND + 1;

/// Weights as they are learned, in the order of `Net::write`.
#[derive(Clone, Debug)]
pub struct Weights {
    pub rows: Vec<f32>,
    pub first_bias: Vec<f32>,
    pub second: Vec<f32>,
    pub second_bias: Vec<f32>,
    pub last: Vec<f32>,
    pub last_bias: f32,
}

impl Net {
    /// Reads weights, or says that these are none.
    pub fn read(bytes: &[u8]) -> Result<Net, String> {
        if bytes.len() != 2 * NUMBERS {
            let found = bytes.len();
            return Err(format!("a file of weights has {} bytes, not {found}", 2 * NUMBERS));
        }
        let mut numbers = bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut next = || numbers.next().unwrap_or_default();
        let mut row = || std::array::from_fn(|_| next());
        let rows = (0..ROWS).map(|_| row()).collect();
        let first_bias = row();
        let second = std::array::from_fn(|_| row());
        let mut few = || std::array::from_fn(|_| i32::from(next()));
        let (second_bias, last) = (few(), few());
        Ok(Net { rows, first_bias, second, second_bias, last, last_bias: i32::from(next()) })
    }

    /// Returns sums that no row has been added to.
    pub fn empty(&self) -> Sums {
        self.first_bias
    }

    /// Adds rows to sums.
    #[inline(always)]
    pub fn add(&self, sums: &mut Sums, rows: &[u16]) {
        for &row in rows {
            for (sum, &weight) in sums.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum = sum.wrapping_add(weight);
            }
        }
    }

    /// Returns the logarithm of the odds of winning, in thousandths.
    #[inline(always)]
    pub fn logit(&self, sums: &Sums) -> i32 {
        let active = sums.map(|sum| sum.max(0));
        let mut total = i64::from(self.last_bias) << BITS;
        for (number, weights) in self.second.iter().enumerate() {
            let products = active.iter().zip(weights).map(|(&a, &w)| i32::from(a) * i32::from(w));
            let sum: i32 = products.sum();
            let sum = (sum >> BITS) + self.second_bias[number];
            total += i64::from(sum.max(0)) * i64::from(self.last[number]);
        }
        ((total * 1000) >> (2 * BITS)) as i32
    }
}

impl Weights {
    /// Returns the weights as whole numbers, as `Net::read` reads them.
    pub fn write(&self) -> Vec<u8> {
        let last_bias = [self.last_bias];
        let parts: [&[f32]; 6] =
            [&self.rows, &self.first_bias, &self.second, &self.second_bias, &self.last, &last_bias];
        let numbers = parts.into_iter().flatten().map(|value| (value * ONE).round() as i16);
        numbers.flat_map(i16::to_le_bytes).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn random_weights() -> Weights {
        let mut random = Random::new(1);
        let mut some = |count, size: f32| (0..count).map(|_| size * random.normal()).collect();
        Weights {
            rows: some(ROWS * FIRST, 0.3),
            first_bias: some(FIRST, 0.3),
            second: some(SECOND * FIRST, 0.3),
            second_bias: some(SECOND, 0.3),
            last: some(SECOND, 0.3),
            last_bias: 0.2,
        }
    }

    /// The same in floating-point numbers.
    fn logit(weights: &Weights, rows: &[usize]) -> f32 {
        let first = |place: usize| {
            let sum: f32 = rows.iter().map(|row| weights.rows[row * FIRST + place]).sum();
            (weights.first_bias[place] + sum).max(0.0)
        };
        let first: Vec<f32> = (0..FIRST).map(first).collect();
        let second = |number: usize| {
            let row = &weights.second[number * FIRST..][..FIRST];
            let sum: f32 = row.iter().zip(&first).map(|(w, a)| w * a).sum();
            (weights.second_bias[number] + sum).max(0.0) * weights.last[number]
        };
        weights.last_bias + (0..SECOND).map(second).sum::<f32>()
    }

    #[test]
    fn whole_numbers_give_what_the_weights_say() {
        let weights = random_weights();
        let net = Net::read(&weights.write()).unwrap();
        let mut random = Random::new(2);
        for _ in 0..100 {
            let rows: Vec<u16> = (0..20).map(|_| random.below(ROWS as u32) as u16).collect();
            let mut sums = net.empty();
            net.add(&mut sums, &rows);
            let rows: Vec<usize> = rows.into_iter().map(usize::from).collect();
            let expected = 1000.0 * logit(&weights, &rows);
            assert!((net.logit(&sums) as f32 - expected).abs() < 30.0, "{expected}");
        }
    }

    #[test]
    fn other_files_are_no_weights() {
        assert!(Net::read(&[0; 100]).unwrap_err().contains("bytes, not 100"));
    }
}
