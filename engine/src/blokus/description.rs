//! Positions that somebody else describes: checks whether they can be, and builds them.
//!
//! Only what no reading of the rules allows is refused, as in `consistency.py` of the Python rules.

use super::board::{ALL_COLORS, COLORS, NO_TURN, Position, ROWS, Rows, finish_bonus};
use super::moves;
use super::pieces::{FULL_HAND, FULL_ROW, PIECES, SIZE, SQUARES, tables};
use super::rules::Rules;

/// The highest turn that a position or a limit may have.
const LATEST_TURN: u8 = 200;

/// A position as somebody else describes it, not yet checked.
#[derive(Clone, Debug)]
pub struct Description {
    pub boards: [Rows; COLORS],
    pub hands: [u32; COLORS],
    /// The colours still in play.
    pub valid: u8,
    pub turn: u32,
    pub rules: Rules,
    pub start_piece: usize,
    /// The colours whose last piece was the single square.
    pub mono_last: u8,
    pub last_move_color: Option<usize>,
}

impl Description {
    /// Returns the position. Says what is wrong if it cannot be.
    pub fn check(&self) -> Result<Position, String> {
        if !Rules::can_start_with(self.rules.start, self.start_piece) {
            return Err(format!("piece {} cannot be the first piece", self.start_piece));
        }
        if self.turn > u32::from(LATEST_TURN) {
            return Err(format!("turn {} is beyond the end of every game", self.turn));
        }
        if self.rules.turn_limit > LATEST_TURN {
            return Err(format!("a limit of {} turns is too high", self.rules.turn_limit));
        }
        if self.valid > ALL_COLORS || self.mono_last > ALL_COLORS {
            return Err("a set of colours has bits beyond the four colours".to_string());
        }
        (0..COLORS).try_for_each(|color| self.check_color(color))?;
        let position = self.build();
        if !position.is_over() {
            self.check_turn(&position)?;
        }
        Ok(position)
    }

    fn check_color(&self, color: usize) -> Result<(), String> {
        let hand = self.hands[color];
        let board = &self.boards[color];
        if hand & !FULL_HAND != 0 {
            return Err(format!("the hand of colour {color} has bits beyond the {PIECES} pieces"));
        }
        for other in 0..color {
            let overlap = (0..ROWS).any(|row| board.0[row] & self.boards[other].0[row] != 0);
            if overlap {
                return Err(format!("colours {other} and {color} cover the same square"));
            }
        }
        let most = SQUARES - tables().hand_squares(hand);
        if board.count() as i32 > most {
            let count = board.count();
            return Err(format!(
                "colour {color} covers {count} squares, but the pieces it has placed have only {most}"
            ));
        }
        if self.mono_last >> color & 1 == 1 && hand != 0 {
            return Err(format!("colour {color} cannot have placed its single square last"));
        }
        Ok(())
    }

    fn check_turn(&self, position: &Position) -> Result<(), String> {
        let color = position.color();
        if position.is_out(color) {
            return Err(format!("turn {} is colour {color}'s, which is out of play", self.turn));
        }
        if position.hands[color] == FULL_HAND && !moves::can_place(position, color) {
            return Err(format!(
                "colour {color} must place its first piece, but has no room for it"
            ));
        }
        Ok(())
    }

    fn build(&self) -> Position {
        let mut position = Position::new(self.rules);
        position.turn = self.turn as u8;
        position.out = ALL_COLORS & !self.valid;
        position.hands = self.hands;
        position.occupied = self.boards;
        let placed = |hand: &u32| (PIECES - hand.count_ones() as usize) as u8;
        position.ply = self.hands.iter().map(placed).sum();
        for color in 0..COLORS {
            position.points[color] = self.points(color);
            let own = &self.boards[color].0;
            for row in 1..=SIZE {
                let upright = own[row - 1] | own[row + 1];
                let beside = upright | own[row] << 1 | own[row] >> 1;
                let others = self.boards.iter().fold(0, |all, board| all | board.0[row]);
                position.forbidden[color].0[row] = (beside | others) & FULL_ROW;
                if self.hands[color] != FULL_HAND {
                    position.attach[color].0[row] = (upright << 1 | upright >> 1) & FULL_ROW;
                }
            }
        }
        position.last_turn = match self.last_move_color {
            None => NO_TURN,
            Some(color) => position.turn.wrapping_sub(self.turns_since(color)),
        };
        position
    }

    /// Returns how many turns ago a colour made the last move: one to four.
    fn turns_since(&self, color: usize) -> u8 {
        match (self.turn as u8).wrapping_sub(color as u8) & 3 {
            0 => 4,
            turns => turns,
        }
    }

    fn points(&self, color: usize) -> i32 {
        let hand = self.hands[color];
        if hand != 0 {
            return SQUARES - tables().hand_squares(hand);
        }
        SQUARES + finish_bonus(self.mono_last >> color & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::moves::open_attach;
    use crate::blokus::sampling::{random_game, random_positions};

    fn describe(position: &Position) -> Description {
        Description {
            boards: position.occupied,
            hands: position.hands,
            valid: ALL_COLORS & !position.out,
            turn: u32::from(position.turn),
            rules: position.rules,
            start_piece: 10,
            mono_last: 0,
            last_move_color: (position.ply > 0).then(|| position.recent(0).color as usize),
        }
    }

    #[test]
    fn a_described_position_is_the_one_that_was_played() {
        for position in random_positions(9) {
            let mut described = describe(&position).check().unwrap();
            assert_eq!(described.is_over(), position.is_over());
            assert_eq!(described.points, position.points);
            assert_eq!(described.ply, position.ply);
            for color in 0..COLORS {
                let free = described.free(color);
                assert_eq!(free, position.free(color));
                let attach = open_attach(&described, color, &free);
                assert_eq!(attach, open_attach(&position, color, &free));
            }
            described.pass();
            assert_eq!(described.last_turn, position.turn);
        }
    }

    #[test]
    fn positions_that_cannot_be_are_refused() {
        let position = random_game(Rules::season_2027(10), 1)[20];
        let wrong = |change: fn(&mut Description)| {
            let mut description = describe(&position);
            change(&mut description);
            assert!(description.check().is_err());
        };
        wrong(|description| description.start_piece = 0);
        wrong(|description| description.turn = 1000);
        wrong(|description| description.valid = 16);
        wrong(|description| description.hands[0] = 1 << 21);
        wrong(|description| description.hands[0] = FULL_HAND);
        wrong(|description| description.boards[0] = description.boards[1]);
        wrong(|description| description.mono_last = 15);
        wrong(|description| description.valid = 0b1111 & !(1 << (description.turn % 4)));
        wrong(|description| description.rules.turn_limit = 255);
        assert!(describe(&position).check().is_ok());
    }
}
