//! Weights to begin with, which only know who is ahead in the race.

use super::super::features::{ROWS, paired_rows};
use super::super::net::{FIRST, Net, SECOND, Weights};

/// What a turn ahead adds to the logarithm of the odds of winning, in each of both rows that tell.
const WORTH_OF_TURN: f32 = 0.3;

/// Returns weights that count nothing.
pub fn zeros() -> Weights {
    Weights {
        rows: vec![0.0; ROWS * FIRST],
        first_bias: vec![0.0; FIRST],
        second: vec![0.0; SECOND * FIRST],
        second_bias: vec![0.0; SECOND],
        last: vec![0.0; SECOND],
        last_bias: 0.0,
    }
}

/// Returns a net to which a position is worth the turns that its mover is ahead.
pub fn racing_net() -> Net {
    let mut weights = zeros();
    // One neuron of each layer is active for who is ahead, the other for who is behind.
    for (number, sign) in [1.0, -1.0].into_iter().enumerate() {
        for (row, mover, other) in paired_rows() {
            let ahead = other as f32 - mover as f32;
            weights.rows[row * FIRST + number] = sign * WORTH_OF_TURN * ahead;
        }
        weights.second[number * FIRST + number] = 1.0;
        weights.last[number] = sign;
    }
    Net::read(&weights.write()).expect("weights are read as they are written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_ahead_is_worth_something() {
        let net = racing_net();
        for (row, mover, other) in paired_rows() {
            let mut sums = net.empty();
            net.add(&mut sums, &[row as u16]);
            let expected = 1000.0 * WORTH_OF_TURN * (other as f32 - mover as f32);
            assert!((net.logit(&sums) as f32 - expected).abs() < 60.0, "{mover} {other}");
        }
    }
}
