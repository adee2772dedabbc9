//! Compares numbers of lines of play with those that the Python rules give.

use spielleiter_engine::blokus::board::Position;
use spielleiter_engine::blokus::moves::{LegalMoves, settle};
use spielleiter_engine::blokus::pieces::PlacementId;
use spielleiter_engine::blokus::rules::Rules;
use spielleiter_engine::cpu::Cpu;

/// Season, first piece, plies played before, depth, and the number of lines.
///
/// Before, every colour plays the middle one of its legal placements. All figures come from
/// `spielleiter.games.blokus`.
const TABLE: [(u32, usize, u32, u32, u64); 11] = [
    (2021, 10, 0, 5, 84_096),
    (2021, 14, 0, 5, 43_776),
    (2027, 10, 0, 2, 69_184),
    (2027, 19, 0, 2, 4_284),
    (2021, 12, 4, 2, 28_458),
    (2021, 12, 12, 2, 183_900),
    (2027, 17, 20, 2, 28_634),
    (2021, 9, 32, 2, 20_551),
    (2027, 20, 44, 3, 1_672),
    (2021, 11, 52, 3, 118),
    (2027, 13, 46, 4, 1_050),
];

fn legal(position: &mut Position) -> Vec<PlacementId> {
    let mut moves = LegalMoves::default();
    let mut placements = Vec::new();
    if settle(Cpu::detect(), position, &mut moves) {
        moves.list(&mut placements);
    }
    placements
}

fn count(position: &Position, depth: u32) -> u64 {
    let mut position = *position;
    let placements = legal(&mut position);
    if position.is_over() {
        return 1;
    }
    if depth == 1 {
        return placements.len() as u64;
    }
    let after = |placement: &PlacementId| {
        let mut after = position;
        after.place(*placement);
        count(&after, depth - 1)
    };
    placements.iter().map(after).sum()
}

#[test]
fn lines_of_play_are_as_many_as_in_python() {
    for (season, piece, plies, depth, expected) in TABLE {
        let rules =
            if season == 2021 { Rules::season_2021(piece) } else { Rules::season_2027(piece) };
        let mut position = Position::new(rules);
        for _ in 0..plies {
            let placements = legal(&mut position);
            position.place(placements[placements.len() / 2]);
        }
        assert_eq!(count(&position, depth), expected, "{season} {piece} {plies} {depth}");
    }
}
