//! Random boards, as the season of 2018 draws them.

use super::super::board::{Board, LENGTH};
use crate::random::Random;

/// A board whose inner fields are drawn anew, with a space for each of them.
const FRAME: &str = "S         LI   I   I  L I     I      I    LI      I     IL      G";
/// What is shuffled among the spaces, part by part in the order of the track.
const PARTS: [&str; 10] =
    ["HCHCCH12C", "HCC", "1C2", "C2C", "CC2CH", "1HCH2C", "C2HC", "1CH2CC", "C2CHC", "HC1CHC"];

/// Draws a board.
pub fn random_board(random: &mut Random) -> Board {
    let mut contents = Vec::with_capacity(LENGTH);
    for part in PARTS {
        let mut letters: Vec<char> = part.chars().collect();
        random.shuffle(&mut letters);
        contents.extend(letters);
    }
    let mut contents = contents.into_iter();
    let drawn = |letter| if letter == ' ' { contents.next().unwrap_or('C') } else { letter };
    let letters: String = FRAME.chars().map(drawn).collect();
    Board::from_letters(&letters).expect("every board that is drawn can be")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_differ_and_have_the_same_fields() {
        let mut random = Random::new(3);
        let boards: Vec<String> = (0..20).map(|_| random_board(&mut random).letters()).collect();
        assert!(boards.windows(2).all(|pair| pair[0] != pair[1]));
        for letters in boards {
            let count = |wanted| letters.chars().filter(|&letter| letter == wanted).count();
            // The counts of the season, as in its rules.
            assert_eq!("CHLI12".chars().map(count).collect::<Vec<_>>(), [25, 12, 4, 9, 5, 8]);
            assert!([11, 15, 19].iter().all(|&index| letters.as_bytes()[index] == b'I'));
        }
    }
}
