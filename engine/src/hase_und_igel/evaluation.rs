//! What a position is worth at first sight to the hare to move.
//!
//! The race tables of the board and the net say how likely it wins. Nothing is searched here.

use std::sync::{Arc, LazyLock};

use super::board::Board;
use super::features::{self, ACTIVE, Role, both_rows, hare_rows, turn_row};
use super::net::{Net, Sums};
use super::race::Race;
use super::state::{Hare, Position};

/// What a win is worth, less one for each turn until it comes.
pub const WON: i32 = 30_000;
/// Worth at least this, or at most its negative, means that it is known who wins.
pub const DECIDED: i32 = WON - 1_000;
/// The most that a position is worth of which that is not known.
const MOST_WORTH: i32 = 20_000;
/// By how many fields the winner is ahead of the loser at the end, on average.
const FIELDS_AT_END: f64 = 10.0;

/// Returns the net that comes with the engine.
pub fn house_net() -> Arc<Net> {
    static NET: LazyLock<Arc<Net>> = LazyLock::new(|| {
        let bytes = include_bytes!("../../weights/hares.bin");
        Arc::new(Net::read(bytes).expect("the weights in the crate fit it"))
    });
    NET.clone()
}

/// Judges positions on one board.
pub struct Evaluator {
    board: Board,
    race: Race,
    net: Arc<Net>,
}

/// What all moves of a position have in common: the hare whose turn comes next, and the turn.
///
/// Whether that hare is paid as its turn comes depends on the move, so there are two of them.
pub struct Outlook {
    position: Position,
    unpaid: Sums,
    paid: Option<(u32, Sums)>,
}

impl Evaluator {
    /// Makes the tables of a board, in a few milliseconds.
    pub fn new(board: &Board, net: Arc<Net>) -> Evaluator {
        Evaluator { board: board.clone(), race: Race::new(board), net }
    }

    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the position after a move. Carrots that are paid after the end change nothing here.
    #[inline(always)]
    pub fn after(&self, position: Position, moved: Hare) -> Position {
        position.after(&self.board, moved, true)
    }

    /// Returns the rows of the net that count in a position, for learning.
    pub fn rows(&self, position: Position) -> [u16; ACTIVE] {
        features::rows(&self.board, &self.race, position)
    }

    /// Prepares to judge the moves of a position.
    pub fn outlook(&self, position: Position) -> Outlook {
        Outlook { position, unpaid: self.next_sums(position, position.other), paid: None }
    }

    fn next_sums(&self, position: Position, next: Hare) -> Sums {
        let mut sums = self.net.empty();
        self.net.add(&mut sums, &hare_rows(&self.board, &self.race, next, Role::Mover));
        self.net.add(&mut sums, &[turn_row(position.turn + 1)]);
        sums
    }

    /// Returns what a position after a move is worth to the hare whose turn it then is.
    #[inline(always)]
    pub fn worth_after(&self, outlook: &mut Outlook, after: Position) -> i32 {
        let bonus = after.mover.carrots - outlook.position.other.carrots;
        let mut sums = match outlook.paid {
            _ if bonus == 0 => outlook.unpaid,
            Some((paid, sums)) if paid == bonus => sums,
            _ => {
                let sums = self.next_sums(outlook.position, after.mover);
                outlook.paid = Some((bonus, sums));
                sums
            }
        };
        self.net.add(&mut sums, &hare_rows(&self.board, &self.race, after.other, Role::Other));
        self.net.add(&mut sums, &both_rows(&self.race, after.mover, after.other));
        self.net.logit(&sums).clamp(-MOST_WORTH, MOST_WORTH)
    }
}

/// Returns the probability of winning.
pub fn win_of(worth: i32) -> f64 {
    if worth.abs() >= DECIDED {
        return if worth > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(worth) / 1000.0).exp())
}

/// Returns by how many fields the hare is expected to be ahead at the end.
pub fn points_of(worth: i32) -> f64 {
    FIELDS_AT_END * (2.0 * win_of(worth) - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::moves::legal_steps;
    use crate::hase_und_igel::notation::parse_position;

    #[test]
    fn moves_are_judged_as_their_positions_are() {
        // Blue is paid on field 3 if red stays behind it, and not if red goes ahead.
        let board = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";
        for text in ["4 2,68,5,TEHF,A2 3,52,5,TEHF,A3", "30 42,31,3,HF,A2 45,52,2,F,A3"] {
            let (board, position) = parse_position(&format!("{board} {text}")).unwrap();
            let evaluator = Evaluator::new(&board, house_net());
            let mut outlook = evaluator.outlook(position);
            for step in legal_steps(&board, position) {
                let after = evaluator.after(position, step.hare);
                let mut sums = evaluator.net.empty();
                evaluator.net.add(&mut sums, &evaluator.rows(after));
                let expected = evaluator.net.logit(&sums);
                assert_eq!(evaluator.worth_after(&mut outlook, after), expected);
            }
        }
    }

    #[test]
    fn a_worth_says_how_likely_a_win_is() {
        assert_eq!([-WON, -DECIDED, DECIDED, WON - 60].map(win_of), [0.0, 0.0, 1.0, 1.0]);
        assert_eq!(win_of(0), 0.5);
        assert!((win_of(1000) - 0.731).abs() < 0.001);
        assert_eq!(points_of(WON), FIELDS_AT_END);
        assert_eq!(points_of(0), 0.0);
    }

    #[test]
    fn who_is_far_ahead_in_the_race_is_expected_to_win() {
        let board = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";
        let text = format!("{board} 30 57,20,1,-,A3 12,20,5,TEHF,A3");
        let (board, position) = parse_position(&text).unwrap();
        let evaluator = Evaluator::new(&board, house_net());
        let step = legal_steps(&board, position)[0];
        let after = evaluator.after(position, step.hare);
        assert!(evaluator.worth_after(&mut evaluator.outlook(position), after) < -2000);
    }
}
