//! Moves and positions as text, as the games of Spielleiter write them, and back.

use super::board::{Board, Field};
use super::moves::{Action, Card, Move};
use super::state::{EAT_SALAD, FALL_BACK, HURRY_AHEAD, Hare, Position, TAKE_OR_DROP};

const CARD_LETTERS: [(char, u8); 4] =
    [('T', TAKE_OR_DROP), ('E', EAT_SALAD), ('H', HURRY_AHEAD), ('F', FALL_BACK)];

/// Reads a position, `BOARD TURN RED BLUE` and anything after it.
///
/// Each hare is `field,carrots,salads,cards,last action`.
pub fn parse_position(text: &str) -> Result<(Board, Position), String> {
    let mut words = text.split_whitespace();
    let mut word = || words.next().ok_or("a position is BOARD TURN RED BLUE");
    let board = Board::from_letters(word()?)?;
    let turn = parse_number(word()?)?;
    let red = parse_hare(word()?, &board)?;
    let blue = parse_hare(word()?, &board)?;
    let position = Position::new(&board, [red, blue], turn)?;
    Ok((board, position))
}

fn parse_number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    let number = text.parse();
    number.map_err(|_| format!("{text:?} is not a number that can be here"))
}

fn parse_hare(text: &str, board: &Board) -> Result<Hare, String> {
    let parts: Vec<&str> = text.split(',').collect();
    let [field, carrots, salads, cards, last] = parts[..] else {
        return Err(format!("a hare is field,carrots,salads,cards,last action, not {text:?}"));
    };
    let mut hare = Hare {
        field: parse_number(field)?,
        carrots: parse_number(carrots)?,
        salads: parse_number(salads)?,
        cards: 0,
        must_eat: false,
    };
    for letter in cards.chars().filter(|&letter| letter != '-') {
        let known = CARD_LETTERS.iter().find(|(known, _)| *known == letter);
        hare.cards |= known.ok_or_else(|| format!("{letter:?} is not a card"))?.1;
    }
    let has_eaten = last == "E" || last.starts_with("C:EAT_SALAD");
    let on_salad =
        usize::from(hare.field) < super::board::LENGTH && board.field(hare.field) == Field::Salad;
    hare.must_eat = on_salad && hare.salads > 0 && !has_eaten;
    Ok(hare)
}

/// Returns a position as text. The last actions are only told as far as they matter.
pub fn format_position(board: &Board, position: Position) -> String {
    let [red, blue] = position.hares().map(|hare| format_hare(hare, board));
    format!("{} {} {red} {blue} -", board.letters(), position.turn)
}

fn format_hare(hare: Hare, board: &Board) -> String {
    let held = CARD_LETTERS.iter().filter(|(_, bit)| hare.cards & bit != 0);
    let mut cards: String = held.map(|(letter, _)| letter).collect();
    if cards.is_empty() {
        cards.push('-');
    }
    let has_eaten = board.field(hare.field) == Field::Salad && !hare.must_eat;
    let last = if has_eaten { "E" } else { "-" };
    let Hare { field, carrots, salads, .. } = hare;
    format!("{field},{carrots},{salads},{cards},{last}")
}

/// Returns a move as text.
pub fn format_move(play: Move) -> String {
    let words: Vec<String> = play.actions().into_iter().map(format_action).collect();
    words.join(" ")
}

fn format_action(action: Action) -> String {
    match action {
        Action::Advance(distance) => format!("A{distance}"),
        Action::Exchange(value) => format!("X{value:+}"),
        Action::EatSalad => "E".to_string(),
        Action::FallBack => "F".to_string(),
        Action::Skip => "S".to_string(),
        Action::Play(Card::TakeOrDrop(value)) => format!("C:TAKE_OR_DROP_CARROTS:{value}"),
        Action::Play(Card::EatSalad) => "C:EAT_SALAD".to_string(),
        Action::Play(Card::HurryAhead) => "C:HURRY_AHEAD".to_string(),
        Action::Play(Card::FallBack) => "C:FALL_BACK".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";

    #[test]
    fn a_position_is_written_as_it_is_read() {
        for rest in [
            "0 0,68,5,TEHF,- 0,68,5,TEHF,- -",
            "17 10,3,2,EF,- 22,120,1,-,E -",
            "41 64,3,0,-,- 57,30,1,TH,E -",
        ] {
            let text = format!("{BOARD} {rest}");
            let (board, position) = parse_position(&text).unwrap();
            assert_eq!(format_position(&board, position), text);
        }
    }

    #[test]
    fn who_has_eaten_on_a_salad_field_need_not_eat() {
        for (last, must_eat) in [("A3", true), ("-", true), ("E", false), ("C:EAT_SALAD@1", false)]
        {
            let text = format!("{BOARD} 4 10,3,2,-,{last} 3,1,1,-,- -");
            assert_eq!(parse_position(&text).unwrap().1.mover.must_eat, must_eat, "{last}");
        }
    }

    #[test]
    fn text_that_is_no_position_is_refused() {
        for (rest, complaint) in [
            ("", "a position is BOARD TURN RED BLUE"),
            ("x 0,68,5,-,- 0,68,5,-,-", "\"x\" is not a number"),
            ("0 0,68,5,- 0,68,5,-,-", "a hare is field,carrots"),
            ("0 0,68,5,X,- 0,68,5,-,-", "'X' is not a card"),
            ("0 300,68,5,-,- 0,68,5,-,-", "\"300\" is not a number"),
            ("0 65,68,5,-,- 0,68,5,-,-", "red must stand on a field"),
        ] {
            let error = parse_position(&format!("{BOARD} {rest}")).unwrap_err();
            assert!(error.contains(complaint), "{error}");
        }
    }
}
