//! Two hares on a track, whose turn it is, when the match is over and who has won.
//!
//! The numbers of the season are here, too. What a hare may do is in `moves`.

use super::board::{Board, Field, GOAL};

/// The match ends when this many turns are over.
pub const LAST_TURN: u8 = 60;
/// Carrots for a salad or a position field of the hare that is ahead.
pub const FIRST_GAIN: u32 = 10;
/// The same for the hare that is behind.
pub const SECOND_GAIN: u32 = 30;
/// Carrots for each field that a hare falls back.
pub const RETREAT_GAIN: u32 = 10;
/// The most carrots with which a hare may enter the goal.
pub const GOAL_CARROTS: u32 = 10;
/// What a hare has at the start.
pub const START_CARROTS: u32 = 68;
pub const START_SALADS: u8 = 5;

/// More than a match can bring, and few enough that no sum of them overflows.
pub const MOST_CARROTS: u32 = 999_999;
pub const MOST_SALADS: u8 = 99;

/// The seats. Red begins.
pub const RED: usize = 0;
pub const BLUE: usize = 1;

/// Hare cards as bits of a set.
pub const TAKE_OR_DROP: u8 = 1;
pub const EAT_SALAD: u8 = 2;
pub const HURRY_AHEAD: u8 = 4;
pub const FALL_BACK: u8 = 8;
pub const ALL_CARDS: u8 = 15;

/// One player's piece and stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Hare {
    pub carrots: u32,
    pub field: u8,
    pub salads: u8,
    /// The cards left, as bits.
    pub cards: u8,
    /// Whether it stands on a salad field and has not eaten there yet.
    pub must_eat: bool,
}

impl Hare {
    /// A hare as it begins.
    pub const START: Hare = Hare {
        carrots: START_CARROTS,
        field: 0,
        salads: START_SALADS,
        cards: ALL_CARDS,
        must_eat: false,
    };

    /// Returns all there is to know about the hare as one number.
    pub fn packed(self) -> u64 {
        u64::from(self.carrots) << 32
            | u64::from(self.field) << 24
            | u64::from(self.salads) << 16
            | u64::from(self.cards) << 8
            | u64::from(self.must_eat)
    }

    fn check(self, name: &str, board: &Board) -> Result<(), String> {
        if self.field > GOAL {
            let field = self.field;
            return Err(format!("{name} must stand on a field from 0 to {GOAL}, not {field}"));
        }
        if self.carrots > MOST_CARROTS {
            return Err(format!("{name} cannot have more than {MOST_CARROTS} carrots"));
        }
        if self.salads > MOST_SALADS {
            return Err(format!("{name} cannot have more than {MOST_SALADS} salads"));
        }
        if self.cards > ALL_CARDS {
            return Err(format!("{name} has a card that there is not"));
        }
        if self.must_eat && (self.salads == 0 || board.field(self.field) != Field::Salad) {
            return Err(format!("{name} must eat, but has no salad or stands on no salad field"));
        }
        Ok(())
    }
}

/// A position on a board, seen by the hare to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// The hare to move, already paid for the field it stands on.
    pub mover: Hare,
    /// The other, which is paid when its turn comes.
    pub other: Hare,
    /// How many turns are over.
    pub turn: u8,
}

impl Position {
    /// The position in which every match begins.
    pub const START: Position = Position { mover: Hare::START, other: Hare::START, turn: 0 };

    /// Makes a position of the hares by seat, or says why no match can stand like this.
    pub fn new(board: &Board, hares: [Hare; 2], turn: u8) -> Result<Position, String> {
        if turn > LAST_TURN {
            return Err(format!("the turn must be 0 to {LAST_TURN}, not {turn}"));
        }
        hares[RED].check("red", board)?;
        hares[BLUE].check("blue", board)?;
        let field = hares[RED].field;
        if field == hares[BLUE].field && field != 0 && field != GOAL {
            return Err(format!(
                "both hares stand on field {field}; only start and goal are shared"
            ));
        }
        let seat = usize::from(turn % 2);
        Ok(Position { mover: hares[seat], other: hares[1 - seat], turn })
    }

    /// Returns the seat that has to move.
    pub fn seat(self) -> usize {
        usize::from(self.turn % 2)
    }

    /// Returns the hares by seat.
    pub fn hares(self) -> [Hare; 2] {
        if self.seat() == RED { [self.mover, self.other] } else { [self.other, self.mover] }
    }

    /// Returns whether no move will be accepted any more.
    pub fn is_over(self) -> bool {
        // The goal counts at the end of a round only. After red enters it, blue has one more move.
        self.turn >= LAST_TURN
            || (self.seat() == RED && (self.mover.field == GOAL || self.other.field == GOAL))
    }

    /// Returns the seat that wins if the match ends like this.
    pub fn winner(self) -> usize {
        let [red, blue] = self.hares();
        // Farther is better, then fewer carrots, then red.
        let blue_wins = (blue.field, red.carrots) > (red.field, blue.carrots);
        if blue_wins { BLUE } else { RED }
    }

    /// Returns the position after the hare to move has become `moved`.
    ///
    /// The other is paid for its field as its turn comes, at the end of the match only if
    /// `pays_after_end`.
    pub fn after(self, board: &Board, moved: Hare, pays_after_end: bool) -> Position {
        let mut next = Position { mover: self.other, other: moved, turn: self.turn + 1 };
        let bonus = turn_bonus(board, next.mover.field, moved.field);
        if bonus > 0 && (pays_after_end || !next.is_over()) {
            next.mover.carrots += bonus;
        }
        next
    }
}

/// Returns the carrots that a hare is given as its turn comes, for the position field of its rank.
pub fn turn_bonus(board: &Board, field: u8, other: u8) -> u32 {
    match board.field(field) {
        Field::Position1 if field > other => FIRST_GAIN,
        Field::Position2 if field < other => SECOND_GAIN,
        _ => 0,
    }
}

/// Returns the carrots for eating a salad.
pub fn salad_gain(field: u8, other: u8) -> u32 {
    if field > other { FIRST_GAIN } else { SECOND_GAIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: &str = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";

    fn board() -> Board {
        Board::from_letters(LETTERS).unwrap()
    }

    fn hare(field: u8, carrots: u32) -> Hare {
        Hare { field, carrots, salads: 0, cards: 0, must_eat: false }
    }

    fn position(red: Hare, blue: Hare, turn: u8) -> Position {
        Position::new(&board(), [red, blue], turn).unwrap()
    }

    #[test]
    fn hares_are_kept_by_seat() {
        for turn in [4, 5] {
            let position = position(hare(3, 10), hare(5, 20), turn);
            assert_eq!(position.hares(), [hare(3, 10), hare(5, 20)]);
            assert_eq!(position.seat(), usize::from(turn % 2));
        }
    }

    #[test]
    fn positions_that_cannot_be_are_refused() {
        let fine = hare(3, 10);
        let hungry = Hare { must_eat: true, ..fine };
        for (red, blue, turn, complaint) in [
            (fine, fine, 0, "both hares stand on field 3"),
            (fine, hare(65, 0), 0, "blue must stand on a field"),
            (hare(4, MOST_CARROTS + 1), fine, 0, "red cannot have more"),
            (Hare { salads: 100, ..fine }, hare(4, 0), 0, "more than 99 salads"),
            (Hare { cards: 16, ..fine }, hare(4, 0), 0, "a card that there is not"),
            (hungry, hare(4, 0), 0, "red must eat"),
            (fine, hare(4, 0), 61, "the turn must be 0 to 60"),
        ] {
            let error = Position::new(&board(), [red, blue], turn).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn start_and_goal_are_shared() {
        for field in [0, GOAL] {
            assert!(Position::new(&board(), [hare(field, 1); 2], 1).is_ok());
        }
    }

    #[test]
    fn the_goal_counts_at_the_end_of_a_round() {
        assert!(!position(hare(GOAL, 3), hare(5, 20), 7).is_over());
        assert!(position(hare(GOAL, 3), hare(5, 20), 8).is_over());
        assert!(position(hare(5, 3), hare(GOAL, 20), 8).is_over());
        assert!(!position(hare(5, 3), hare(6, 20), 59).is_over());
        assert!(position(hare(5, 3), hare(6, 20), 60).is_over());
    }

    #[test]
    fn farther_wins_then_fewer_carrots_then_red() {
        assert_eq!(position(hare(5, 3), hare(6, 20), 60).winner(), BLUE);
        assert_eq!(position(hare(7, 3), hare(6, 2), 60).winner(), RED);
        assert_eq!(position(hare(GOAL, 3), hare(GOAL, 2), 8).winner(), BLUE);
        assert_eq!(position(hare(GOAL, 3), hare(GOAL, 3), 8).winner(), RED);
        assert_eq!(position(hare(GOAL, 3), hare(GOAL, 4), 8).winner(), RED);
    }

    #[test]
    fn position_fields_pay_by_rank_as_the_turn_comes() {
        // Field 2 is for the first and field 3 for the second.
        for (field, other, carrots) in [(2, 1, 20), (2, 4, 10), (3, 1, 10), (3, 4, 40)] {
            let before = position(hare(other, 0), hare(field, 10), 4);
            let after = before.after(&board(), hare(other, 0), true);
            assert_eq!(after.mover.carrots, carrots, "{field} {other}");
            assert_eq!((after.turn, after.other), (5, hare(other, 0)));
        }
    }

    #[test]
    fn after_the_end_a_position_field_pays_in_one_variant_only() {
        let before = position(hare(2, 10), hare(1, 0), 59);
        assert_eq!(before.after(&board(), hare(1, 0), true).mover.carrots, 20);
        assert_eq!(before.after(&board(), hare(1, 0), false).mover.carrots, 10);
    }
}
