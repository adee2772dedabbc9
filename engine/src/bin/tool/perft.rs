//! Counts the lines of play to a depth, to compare with other programs.

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::rules::{Rules, Start};
use spielleiter_engine::cpu::Cpu;

use crate::arguments::Arguments;
use crate::matches::starts;

pub fn run(mut arguments: Arguments) -> Result<(), String> {
    let start = starts(&arguments.take_or("start", "corner".to_string())?)?[0];
    let piece = arguments.take_or("piece", 10)?;
    let depth = arguments.take_or("depth", 3)?;
    arguments.finish()?;
    let rules = match start {
        Start::AnyCorner => Rules::season_2021(piece),
        Start::OwnCorner => Rules::table(),
        Start::Border => Rules::season_2027(piece),
    };
    for depth in 1..=depth {
        println!("{depth} {}", count(&mut Position::new(rules), depth));
    }
    Ok(())
}

/// Counts lines of play; passing is not among them.
fn count(position: &mut Position, depth: u32) -> u64 {
    let mut moves = LegalMoves::default();
    if !settle(Cpu::detect(), position, &mut moves) {
        return 1;
    }
    if depth == 1 {
        return moves.count() as u64;
    }
    let mut placements = Vec::new();
    moves.list(&mut placements);
    placements
        .iter()
        .map(|&placement| {
            let mut after = *position;
            after.place(placement);
            count(&mut after, depth - 1)
        })
        .sum()
}
