//! What the evaluation looks at, as numbers of rows of the net's first layer.
//!
//! Everything is a choice of one out of several: of so many turns to the goal the row of that
//! number counts, and so on. Most of it is about one hare, and hares on their turn and waiting ones
//! have rows of their own.

use super::board::{Board, Field, LENGTH};
use super::race::{CARROTS_KNOWN, EFFECTS, MOST_TURNS, OPPONENTS, RANKS, Race};
use super::state::{ALL_CARDS, Hare, LAST_TURN, Position, START_SALADS};

/// How many rows count for each hare, and for both together.
pub const OF_HARE: usize = RANKS + 7;
pub const OF_BOTH: usize = 5;
/// How many rows count in a position: those of both hares and the one of the turn.
pub const ACTIVE: usize = 2 * OF_HARE + OF_BOTH + 1;

const TURNS: usize = MOST_TURNS as usize + 1;
const SALADS: usize = START_SALADS as usize + 1;
const CARDS: usize = ALL_CARDS as usize + 1;
const FIELD_KINDS: usize = Field::Goal as usize + 1;
/// Carrots are told apart by 2, above 32 by 4, above 96 by 8.
const CARROT_STEPS: usize = 48;
/// How far one hare is ahead of the other, up to so many fields.
const LARGEST_GAP: i32 = 24;
const GAPS: usize = 2 * LARGEST_GAP as usize + 1;
/// The salad fields of 2018. The parts of the track between them are told apart.
const SALAD_FIELDS: [u8; 4] = [10, 22, 42, 57];
const PARTS: usize = SALAD_FIELDS.len() + 1;

/// Turns to the goal of both hares, in pairs. More than these are not told apart.
const PAIRED_TURNS: usize = 24;

const HARE_ROWS: usize =
    RANKS * TURNS + 2 * EFFECTS + 2 * SALADS + CARDS + CARROT_STEPS + LENGTH + FIELD_KINDS;
const UNPAIRED_ROWS: usize = GAPS + SALADS * SALADS + PARTS * PARTS;
const BOTH_ROWS: usize = UNPAIRED_ROWS + 2 * PAIRED_TURNS * PAIRED_TURNS;
/// How many rows there are.
pub const ROWS: usize = 2 * HARE_ROWS + BOTH_ROWS + LAST_TURN as usize;

/// The hare on its turn, or the one that waits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Mover,
    Other,
}

/// Numbers rows one group after the other.
struct Numbering<'a> {
    rows: &'a mut [u16],
    used: usize,
    first: usize,
}

impl Numbering<'_> {
    /// Adds the row of one choice out of so many.
    #[inline(always)]
    fn choose(&mut self, choice: usize, count: usize) {
        debug_assert!(choice < count);
        self.rows[self.used] = (self.first + choice) as u16;
        self.used += 1;
        self.first += count;
    }
}

/// Returns the rows of one hare.
#[inline(always)]
pub fn hare_rows(board: &Board, race: &Race, hare: Hare, role: Role) -> [u16; OF_HARE] {
    let mut rows = [0; OF_HARE];
    let first = if role == Role::Mover { 0 } else { HARE_ROWS };
    let mut numbering = Numbering { rows: &mut rows, used: 0, first };
    let turns = race.turns(hare);
    for number in turns.by_rank {
        numbering.choose(usize::from(number), TURNS);
    }
    for effect in turns.effects {
        numbering.choose(usize::from(effect), EFFECTS);
    }
    let salads = usize::from(hare.salads.min(START_SALADS));
    numbering.choose(2 * salads + usize::from(hare.must_eat), 2 * SALADS);
    numbering.choose(usize::from(hare.cards), CARDS);
    numbering.choose(carrot_step(hare.carrots), CARROT_STEPS);
    numbering.choose(usize::from(hare.field), LENGTH);
    numbering.choose(board.field(hare.field) as usize, FIELD_KINDS);
    rows
}

fn carrot_step(carrots: u32) -> usize {
    let carrots = (carrots as usize).min(CARROTS_KNOWN - 1);
    match carrots {
        0..32 => carrots / 2,
        32..96 => 16 + (carrots - 32) / 4,
        _ => (32 + (carrots - 96) / 8).min(CARROT_STEPS - 1),
    }
}

/// Returns the rows of what the hares are to each other.
#[inline(always)]
pub fn both_rows(race: &Race, mover: Hare, other: Hare) -> [u16; OF_BOTH] {
    let mut rows = [0; OF_BOTH];
    let mut numbering = Numbering { rows: &mut rows, used: 0, first: 2 * HARE_ROWS };
    let gap = i32::from(mover.field) - i32::from(other.field);
    numbering.choose((gap.clamp(-LARGEST_GAP, LARGEST_GAP) + LARGEST_GAP) as usize, GAPS);
    let salads = |hare: Hare| usize::from(hare.salads.min(START_SALADS));
    numbering.choose(salads(mover) * SALADS + salads(other), SALADS * SALADS);
    numbering.choose(part_of(mover.field) * PARTS + part_of(other.field), PARTS * PARTS);
    // The other may stay where it is, or get as far as the next of the tables' places.
    let turns = [race.turns(mover), race.turns(other)];
    let ranks = [rank_of(other.field), rank_of(mover.field)];
    for ahead in [0, 1] {
        let paired = |hare: usize| {
            usize::from(turns[hare].by_rank[ranks[hare] + ahead]).min(PAIRED_TURNS - 1)
        };
        numbering.choose(paired(0) * PAIRED_TURNS + paired(1), PAIRED_TURNS * PAIRED_TURNS);
    }
    rows
}

/// Returns which table is of an opponent who stands there, or a little behind.
#[inline(always)]
fn rank_of(field: u8) -> usize {
    OPPONENTS[1..RANKS - 1].iter().filter(|&&from| field >= from).count()
}

#[inline(always)]
fn part_of(field: u8) -> usize {
    SALAD_FIELDS.iter().filter(|&&salad| field >= salad).count()
}

/// Returns the rows for turns of both hares, each with those of the mover and of the other.
pub fn paired_rows() -> impl Iterator<Item = (usize, usize, usize)> {
    let first = 2 * HARE_ROWS + UNPAIRED_ROWS;
    let pair = move |number: usize| {
        (first + number, number / PAIRED_TURNS % PAIRED_TURNS, number % PAIRED_TURNS)
    };
    (0..2 * PAIRED_TURNS * PAIRED_TURNS).map(pair)
}

/// Returns the row of the turn.
#[inline(always)]
pub fn turn_row(turn: u8) -> u16 {
    (2 * HARE_ROWS + BOTH_ROWS + usize::from(turn.min(LAST_TURN - 1))) as u16
}

/// Returns all rows that count in a position.
pub fn rows(board: &Board, race: &Race, position: Position) -> [u16; ACTIVE] {
    let Position { mover, other, turn } = position;
    let mut rows = [turn_row(turn); ACTIVE];
    rows[..OF_HARE].copy_from_slice(&hare_rows(board, race, mover, Role::Mover));
    rows[OF_HARE..2 * OF_HARE].copy_from_slice(&hare_rows(board, race, other, Role::Other));
    rows[2 * OF_HARE..ACTIVE - 1].copy_from_slice(&both_rows(race, mover, other));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::board::GOAL;
    use crate::hase_und_igel::notation::parse_position;

    const BOARD: &str = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";

    #[test]
    fn every_row_is_one_of_those_there_are_and_counts_once() {
        for rest in [
            "0 0,68,5,TEHF,- 0,68,5,TEHF,-",
            "59 64,999999,99,TEHF,- 10,0,1,-,A1",
            "31 63,255,0,-,- 1,96,5,F,-",
        ] {
            let (board, position) = parse_position(&format!("{BOARD} {rest}")).unwrap();
            let mut rows = rows(&board, &Race::new(&board), position).to_vec();
            assert!(rows.iter().all(|&row| usize::from(row) < ROWS));
            rows.sort();
            rows.dedup();
            assert_eq!(rows.len(), ACTIVE);
        }
    }

    #[test]
    fn rows_of_pairs_are_those_that_count() {
        let (board, position) =
            parse_position(&format!("{BOARD} 20 21,27,4,EH,A8 20,36,5,EH,A3")).unwrap();
        let race = Race::new(&board);
        let rows = rows(&board, &race, position);
        let paired: Vec<(usize, usize)> = paired_rows()
            .filter(|&(row, ..)| rows.contains(&(row as u16)))
            .map(|(_, mover, other)| (mover, other))
            .collect();
        let of = |hare, rank: usize| usize::from(race.turns(hare).by_rank[rank]);
        let at = |rank| (of(position.mover, rank), of(position.other, rank));
        assert_eq!(paired, [at(1), at(2)]);
    }

    #[test]
    fn carrots_are_told_apart_more_where_they_are_few() {
        assert_eq!([0, 1, 2, 31].map(carrot_step), [0, 0, 1, 15]);
        assert_eq!([32, 36, 95].map(carrot_step), [16, 17, 31]);
        assert_eq!([96, 104, 215, 224, 5000].map(carrot_step), [32, 33, 46, 47, 47]);
    }

    #[test]
    fn the_track_has_parts_between_its_salads() {
        assert_eq!([0, 9, 10, 41, 42, GOAL].map(part_of), [0, 0, 1, 2, 3, 4]);
    }
}
