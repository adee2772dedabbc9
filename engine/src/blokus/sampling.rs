//! Positions of games that are played at random, for tests.

use super::board::Position;
use super::moves::{LegalMoves, settle};
use super::playout::{Playout, Policy};
use super::rules::Rules;
use crate::cpu::Cpu;
use crate::random::Random;

/// Returns the positions of a random game in which somebody is to move, in order.
pub fn random_game(rules: Rules, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut position = Position::new(rules);
    let mut playout = Playout::default();
    let policy = Policy { hit_limit: 5, double_weight: 2.0 };
    let mut moves = LegalMoves::default();
    let mut positions = Vec::new();
    while settle(Cpu::portable(), &mut position, &mut moves) {
        positions.push(position);
        playout.restart();
        position.place(playout.choose(Cpu::portable(), &position, policy, &mut random));
    }
    positions
}

/// Returns positions of several games of all seasons.
pub fn random_positions(games: u64) -> Vec<Position> {
    let rules = |seed: u64| match seed % 3 {
        0 => Rules::season_2021(9 + seed as usize % 10),
        1 => Rules::season_2027(9 + seed as usize % 12),
        _ => Rules::table(),
    };
    (0..games).flat_map(|seed| random_game(rules(seed), seed)).collect()
}
