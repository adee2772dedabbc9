//! Compares numbers of legal placements with those that another program counted.

use spielleiter_engine::blokus::board::{COLORS, Position};
use spielleiter_engine::blokus::moves::LegalMoves;
use spielleiter_engine::blokus::rules::Rules;
use spielleiter_engine::cpu::Cpu;

#[test]
fn all_counts_are_the_same_on_all_processors() {
    let mut moves = LegalMoves::default();
    let mut position = Position::new(Rules::table());
    let mut compared = 0;
    for line in include_str!("data/legal_counts.txt").lines().filter(|line| !line.starts_with('#'))
    {
        let numbers: Vec<i32> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        if let [difference] = numbers[..] {
            assert_eq!(position.difference(), difference);
            position = Position::new(Rules::table());
            continue;
        }
        for color in 0..COLORS {
            for cpu in Cpu::all() {
                moves.find(cpu, &position, color);
                assert_eq!(moves.count() as i32, numbers[2 + color], "{cpu:?} {line}");
            }
            compared += 1;
        }
        while position.color() as i32 != numbers[0] {
            position.drop_color();
        }
        position.place(numbers[1] as u16);
    }
    assert_eq!(compared, 5540);
}
