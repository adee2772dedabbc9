//! How games of self-play and matches begin.

use spielleiter_engine::blokus::board::{COLORS, Position};
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::pieces::{FULL_HAND, PIECES, PlacementId, tables};
use spielleiter_engine::blokus::rules::{Rules, Start};
use spielleiter_engine::cpu::Cpu;
use spielleiter_engine::random::Random;

/// Returns rules with a piece that is drawn for the start.
pub fn draw_rules(start: Start, random: &mut Random) -> Rules {
    loop {
        let piece = random.below(PIECES as u32) as usize;
        if Rules::can_start_with(start, piece) {
            return match start {
                Start::Border => Rules::season_2027(piece),
                Start::AnyCorner => Rules::season_2021(piece),
                Start::OwnCorner => Rules { start_pieces: 1 << piece, ..Rules::table() },
            };
        }
    }
}

/// Returns a first placement: of some drawn at random the one nearest to the middle.
pub fn first_placement(
    position: &Position,
    moves: &mut LegalMoves,
    draws: u32,
    random: &mut Random,
) -> PlacementId {
    let mut placements = Vec::new();
    moves.find(Cpu::detect(), position, position.color());
    moves.list(&mut placements);
    let distance = |placement: PlacementId| tables().centre_distance[placement as usize];
    (0..draws.max(1))
        .map(|_| placements[random.below(placements.len() as u32) as usize])
        .min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
        .expect("at least one is drawn")
}

/// Returns a position in which all colours have placed their first piece.
pub fn opening(start: Start, random: &mut Random) -> Position {
    let mut position = Position::new(draw_rules(start, random));
    let mut moves = LegalMoves::default();
    let draws = if start == Start::Border { 2 } else { 6 };
    for _ in 0..COLORS {
        assert!(settle(Cpu::detect(), &mut position, &mut moves));
        assert_eq!(position.hands[position.color()], FULL_HAND);
        position.place(first_placement(&position, &mut moves, draws, random));
    }
    position
}
