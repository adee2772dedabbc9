//! The fields of the track, and tables about one board that move generation asks.
//!
//! Nothing here knows whose turn it is or what a move may do.

/// How many fields the track has, with start and goal.
pub const LENGTH: usize = 65;
/// The index of the last field.
pub const GOAL: u8 = LENGTH as u8 - 1;

/// What a field of the track is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    Start,
    Carrot,
    Hare,
    Salad,
    Hedgehog,
    Position1,
    Position2,
    Goal,
}

impl Field {
    /// Returns the field of a letter, as positions are written.
    pub fn from_letter(letter: char) -> Option<Field> {
        Some(match letter {
            'S' => Field::Start,
            'C' => Field::Carrot,
            'H' => Field::Hare,
            'L' => Field::Salad,
            'I' => Field::Hedgehog,
            '1' => Field::Position1,
            '2' => Field::Position2,
            'G' => Field::Goal,
            _ => return None,
        })
    }

    /// Returns the letter that `from_letter` reads.
    pub fn letter(self) -> char {
        match self {
            Field::Start => 'S',
            Field::Carrot => 'C',
            Field::Hare => 'H',
            Field::Salad => 'L',
            Field::Hedgehog => 'I',
            Field::Position1 => '1',
            Field::Position2 => '2',
            Field::Goal => 'G',
        }
    }
}

/// A board, and where each of its fields has the nearest hedgehog behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    fields: [Field; LENGTH],
    hedgehog_behind: [Option<u8>; LENGTH],
}

impl Board {
    /// Makes a board of its letters, or says what is wrong with them.
    ///
    /// Only start and goal have their places. The rest may lie in any order, since boards of other
    /// makers arrange it differently.
    pub fn from_letters(letters: &str) -> Result<Board, String> {
        let count = letters.chars().count();
        if count != LENGTH {
            return Err(format!("a board has {LENGTH} fields, not {count}"));
        }
        let mut fields = [Field::Carrot; LENGTH];
        for (field, letter) in fields.iter_mut().zip(letters.chars()) {
            *field = Field::from_letter(letter)
                .ok_or_else(|| format!("{letter:?} is not a field; fields are S C H L I 1 2 G"))?;
        }
        for (index, &field) in fields.iter().enumerate() {
            if (field == Field::Start) != (index == 0) {
                return Err("field 0, and no other, must be the start".to_string());
            }
            if (field == Field::Goal) != (index == GOAL as usize) {
                return Err(format!("field {GOAL}, and no other, must be the goal"));
            }
        }
        Ok(Board { fields, hedgehog_behind: nearest_behind(&fields) })
    }

    /// Returns what lies on a field.
    pub fn field(&self, index: u8) -> Field {
        self.fields[usize::from(index)]
    }

    /// Returns the nearest hedgehog field behind an index, if there is one.
    pub fn hedgehog_behind(&self, index: u8) -> Option<u8> {
        self.hedgehog_behind[usize::from(index)]
    }

    /// Returns the letters of all fields, as `from_letters` reads them.
    pub fn letters(&self) -> String {
        self.fields.iter().map(|field| field.letter()).collect()
    }
}

fn nearest_behind(fields: &[Field; LENGTH]) -> [Option<u8>; LENGTH] {
    let mut behind = [None; LENGTH];
    let mut nearest = None;
    for (index, &field) in (0..).zip(fields) {
        behind[usize::from(index)] = nearest;
        if field == Field::Hedgehog {
            nearest = Some(index);
        }
    }
    behind
}

/// Returns how many carrots an advance costs.
pub fn advance_cost(distance: u8) -> u32 {
    let distance = u32::from(distance);
    distance * (distance + 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const LETTERS: &str = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";

    #[test]
    fn a_board_reads_its_own_letters() {
        let board = Board::from_letters(LETTERS).unwrap();
        assert_eq!(board.letters(), LETTERS);
        assert_eq!(board.field(10), Field::Salad);
        assert_eq!(board.field(GOAL), Field::Goal);
    }

    #[test]
    fn the_nearest_hedgehog_is_strictly_behind() {
        let board = Board::from_letters(LETTERS).unwrap();
        assert_eq!(board.hedgehog_behind(11), None);
        assert_eq!(board.hedgehog_behind(12), Some(11));
        assert_eq!(board.hedgehog_behind(15), Some(11));
        assert_eq!(board.hedgehog_behind(GOAL), Some(56));
    }

    #[test]
    fn a_board_that_cannot_be_is_refused() {
        for (letters, complaint) in [
            (LETTERS[1..].to_string(), "a board has 65 fields, not 64"),
            (LETTERS.replacen('2', "x", 1), "'x' is not a field"),
            (LETTERS.replacen('2', "S", 1), "must be the start"),
            (LETTERS.replacen('2', "G", 1), "must be the goal"),
            (LETTERS.replacen('S', "C", 1), "must be the start"),
            ("ä".repeat(LENGTH), "'ä' is not a field"),
        ] {
            let error = Board::from_letters(&letters).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }

    #[test]
    fn every_field_of_an_advance_costs_one_more() {
        let costs: Vec<u32> = (0..12).map(advance_cost).collect();
        assert_eq!(costs, [0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55, 66]);
    }
}
