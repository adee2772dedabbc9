//! What a hare can legally do, and what each move makes of it.
//!
//! A move is a small number. `actions` spells it out, in the terms of the rules.

use super::board::{Board, Field, GOAL, advance_cost};
use super::state::{
    EAT_SALAD, FALL_BACK, GOAL_CARROTS, HURRY_AHEAD, Hare, Position, RETREAT_GAIN, TAKE_OR_DROP,
    salad_gain,
};

/// By how many carrots a hare may change its stock on a carrot field.
pub const EXCHANGES: [i32; 2] = [10, -10];
/// The same for the card that takes or drops carrots.
pub const TAKES: [i32; 3] = [20, 0, -20];

/// A hare card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Card {
    /// Changes the carrots by this value.
    TakeOrDrop(i32),
    EatSalad,
    HurryAhead,
    FallBack,
}

/// One of the things a move is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Advance(u8),
    Exchange(i32),
    EatSalad,
    FallBack,
    Skip,
    Play(Card),
}

/// A move, as a number below `Move::COUNT`.
///
/// The first few are those of a single action. An advance is `25 * distance + 5 * jumps + ending`:
/// which jump cards were played one after the other, and what the last card played was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Move(pub u16);

const ENDINGS: u16 = 5;
const CHAINS: u16 = 25;
const JUMPS: [&[Card]; 5] = [
    &[],
    &[Card::HurryAhead],
    &[Card::FallBack],
    &[Card::HurryAhead, Card::FallBack],
    &[Card::FallBack, Card::HurryAhead],
];

impl Move {
    pub const SKIP: Move = Move(0);
    pub const EAT_SALAD: Move = Move(1);
    pub const FALL_BACK: Move = Move(2);
    const FIRST_EXCHANGE: u16 = 3;
    /// How many moves there are at all.
    pub const COUNT: usize = CHAINS as usize * (GOAL as usize + 1);

    fn advance(distance: u8) -> Move {
        Move(CHAINS * u16::from(distance))
    }

    /// Returns the move that ends with another card. The ones after the jumps are numbered.
    fn ending(self, ending: u16) -> Move {
        Move(self.0 + ending)
    }

    /// Returns the move with another jump. None of an advance's endings has been added yet.
    fn jump(self, card: Card) -> Move {
        let done = self.0 % CHAINS / ENDINGS;
        let next = match (done, card) {
            (0, Card::HurryAhead) => 1,
            (0, _) => 2,
            (1, _) => 3,
            _ => 4,
        };
        Move(self.0 + ENDINGS * (next - done))
    }

    /// Returns the actions of the move.
    pub fn actions(self) -> Vec<Action> {
        if self.0 < CHAINS {
            return vec![match self {
                Move::SKIP => Action::Skip,
                Move::EAT_SALAD => Action::EatSalad,
                Move::FALL_BACK => Action::FallBack,
                Move(code) => Action::Exchange(EXCHANGES[usize::from(code - 3)]),
            }];
        }
        let (distance, chain) = (self.0 / CHAINS, self.0 % CHAINS);
        let mut actions = vec![Action::Advance(distance as u8)];
        let jumps = JUMPS[usize::from(chain / ENDINGS)];
        actions.extend(jumps.iter().map(|&card| Action::Play(card)));
        actions.extend(match chain % ENDINGS {
            0 => None,
            1 => Some(Action::Play(Card::EatSalad)),
            take => Some(Action::Play(Card::TakeOrDrop(TAKES[usize::from(take - 2)]))),
        });
        actions
    }
}

/// A move and what it makes of the hare, before it is paid for its field on its next turn.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub hare: Hare,
    pub play: Move,
    /// What a search thinks of the move at first sight. It is 0 as the step is made.
    pub worth: i32,
}

impl Step {
    fn new(play: Move, hare: Hare) -> Step {
        Step { hare, play, worth: 0 }
    }
}

/// Returns every legal move, none if the match is over.
pub fn legal_steps(board: &Board, position: Position) -> Vec<Step> {
    let mut steps = Vec::new();
    if !position.is_over() {
        push_steps(board, position, &mut steps);
    }
    steps
}

/// Appends every legal move of a match that is not over.
///
/// First come the advances, nearest first, each on a hare field with its sequences of cards. Then
/// follow exchange, eat, fall back, and skip.
pub fn push_steps(board: &Board, position: Position, steps: &mut Vec<Step>) {
    let Position { mover, other, .. } = position;
    if mover.must_eat {
        let hare = eaten(mover, other.field);
        steps.push(Step::new(Move::EAT_SALAD, hare));
        return;
    }
    let before = steps.len();
    push_advances(board, mover, other.field, steps);
    if board.field(mover.field) == Field::Carrot {
        for (code, value) in (Move::FIRST_EXCHANGE..).zip(EXCHANGES) {
            push_change(Move(code), mover, value, steps);
        }
    }
    if let Some(target) = board.hedgehog_behind(mover.field)
        && target != other.field
    {
        let carrots = mover.carrots + RETREAT_GAIN * u32::from(mover.field - target);
        let hare = Hare { field: target, carrots, must_eat: false, ..mover };
        steps.push(Step::new(Move::FALL_BACK, hare));
    }
    if steps.len() == before {
        steps.push(Step::new(Move::SKIP, mover));
    }
}

fn push_advances(board: &Board, mover: Hare, other: u8, steps: &mut Vec<Step>) {
    for distance in 1..=GOAL - mover.field {
        let cost = advance_cost(distance);
        // A longer advance costs more.
        if cost > mover.carrots {
            break;
        }
        let target = mover.field + distance;
        if target == other && target != GOAL {
            continue;
        }
        let walked = Hare { carrots: mover.carrots - cost, ..mover };
        push_entered(board, Move::advance(distance), walked, target, other, steps);
    }
}

/// Appends what becomes of a hare that comes to a field, whether it walks or jumps by card.
fn push_entered(
    board: &Board,
    play: Move,
    hare: Hare,
    target: u8,
    other: u8,
    steps: &mut Vec<Step>,
) {
    let mut hare = Hare { field: target, must_eat: false, ..hare };
    match board.field(target) {
        Field::Start | Field::Hedgehog => return,
        Field::Hare => return push_cards(board, play, hare, other, steps),
        Field::Salad if hare.salads == 0 => return,
        Field::Salad => hare.must_eat = true,
        Field::Goal if hare.salads > 0 || hare.carrots > GOAL_CARROTS => return,
        _ => {}
    }
    steps.push(Step::new(play, hare));
}

/// Appends every way to go on by cards from a hare field just entered.
///
/// Where no card can be played it appends nothing, because then the field cannot be entered.
fn push_cards(board: &Board, play: Move, hare: Hare, other: u8, steps: &mut Vec<Step>) {
    if hare.cards & TAKE_OR_DROP != 0 {
        let rest = Hare { cards: hare.cards & !TAKE_OR_DROP, ..hare };
        for (ending, value) in (2..).zip(TAKES) {
            push_change(play.ending(ending), rest, value, steps);
        }
    }
    if hare.cards & EAT_SALAD != 0 && hare.salads > 0 {
        let rest = Hare { cards: hare.cards & !EAT_SALAD, ..hare };
        steps.push(Step::new(play.ending(1), eaten(rest, other)));
    }
    // A hare is either behind or ahead, so at most one of the two jumps can be played.
    if hare.cards & HURRY_AHEAD != 0 && hare.field < other && other != GOAL {
        let rest = Hare { cards: hare.cards & !HURRY_AHEAD, ..hare };
        let play = play.jump(Card::HurryAhead);
        push_entered(board, play, rest, other + 1, other, steps);
    } else if hare.cards & FALL_BACK != 0 && hare.field > other && other > 1 {
        let rest = Hare { cards: hare.cards & !FALL_BACK, ..hare };
        let play = play.jump(Card::FallBack);
        push_entered(board, play, rest, other - 1, other, steps);
    }
}

/// Appends a move that changes the carrots, if there are enough of them.
fn push_change(play: Move, hare: Hare, value: i32, steps: &mut Vec<Step>) {
    if let Some(carrots) = hare.carrots.checked_add_signed(value) {
        let hare = Hare { carrots, must_eat: false, ..hare };
        steps.push(Step::new(play, hare));
    }
}

fn eaten(hare: Hare, other: u8) -> Hare {
    Hare {
        carrots: hare.carrots + salad_gain(hare.field, other),
        salads: hare.salads - 1,
        must_eat: false,
        ..hare
    }
}

/// Returns how many sequences of so many moves there are. A match that is over has none.
pub fn count_sequences(board: &Board, position: Position, length: u32) -> u64 {
    if length == 0 {
        return 1;
    }
    let steps = legal_steps(board, position);
    let after = |step: &Step| position.after(board, step.hare, true);
    let counts = steps.iter().map(|step| count_sequences(board, after(step), length - 1));
    counts.sum()
}

#[cfg(test)]
mod tests {
    use super::super::notation::{format_move, parse_position};
    use super::*;

    fn moves(text: &str) -> Vec<String> {
        let (board, position) = parse_position(text).unwrap();
        legal_steps(&board, position).into_iter().map(|step| format_move(step.play)).collect()
    }

    /// Counts on which two independent implementations in Python agree.
    const COUNTS: &str = include_str!("../../../tests/games/hase_und_igel/perft.txt");

    #[test]
    fn sequences_of_moves_are_as_many_as_elsewhere() {
        let lines = COUNTS.lines().filter(|line| !line.starts_with('#'));
        let mut compared = 0;
        for line in lines {
            let parts: Vec<&str> = line.split('|').collect();
            let (board, position) = parse_position(parts[1]).unwrap();
            for (length, count) in (1..).zip(parts[2].split(' ')) {
                let found = count_sequences(&board, position, length);
                assert_eq!(found.to_string(), count, "{}, {length} moves", parts[0]);
                compared += 1;
            }
        }
        assert!(compared > 40);
    }

    #[test]
    fn every_move_has_a_text_of_its_own() {
        let codes = (0..5).chain(CHAINS..Move::COUNT as u16);
        let texts: Vec<String> = codes.map(|code| format_move(Move(code))).collect();
        let mut different = texts.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), texts.len());
        assert_eq!(texts[..5], ["S", "E", "F", "X+10", "X-10"]);
    }

    #[test]
    fn cards_follow_each_other_from_hare_field_to_hare_field() {
        let board = "SCCHHCHCCCLICCCICCCICCLCICCCCCICCCCCCICCCCLICCCCCCICCCCCILCCCCCCG";
        let found = moves(&format!("{board} 4 2,1,0,THF,- 5,0,0,-,- -"));
        let jump = "A1 C:HURRY_AHEAD";
        let back = format!("{jump} C:FALL_BACK");
        for play in [
            "A1 C:TAKE_OR_DROP_CARROTS:20".to_string(),
            format!("{jump} C:TAKE_OR_DROP_CARROTS:0"),
            format!("{back} C:TAKE_OR_DROP_CARROTS:20"),
        ] {
            assert!(found.contains(&play), "{play} in {found:?}");
        }
        assert!(!found.contains(&back), "a card must follow on a hare field");
    }

    #[test]
    fn who_can_do_nothing_else_skips() {
        let board = "SCCCCCCCCCLICCCICCCIHCLHIHCCCCICCCCCCICCCCLICCCCCCICCCCCILCCCCCCG";
        assert_eq!(moves(&format!("{board} 20 22,0,1,-,E 19,0,1,-,F -")), ["S"]);
        assert_eq!(moves(&format!("{board} 20 22,0,1,-,A3 19,0,1,-,F -")), ["E"]);
    }

    #[test]
    fn a_match_that_is_over_has_no_moves() {
        let board = "SCCCCCCCCCLICCCICCCIHCLHIHCCCCICCCCCCICCCCLICCCCCCICCCCCILCCCCCCG";
        assert!(moves(&format!("{board} 20 64,0,0,-,A3 19,9,1,-,F -")).is_empty());
        assert!(moves(&format!("{board} 60 22,9,0,-,E 19,9,1,-,F -")).is_empty());
    }
}
