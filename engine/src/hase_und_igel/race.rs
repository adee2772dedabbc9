//! Exact tables of how many turns a hare alone on the track needs to the goal.
//!
//! Alone means that nobody is in the way. What a salad or a position field brings depends on who is
//! ahead, so there are several tables, each for an opponent who stands still on some field: always
//! behind, always ahead, and three in between. Nothing is searched here.

use super::board::{Board, Field, GOAL, LENGTH, advance_cost};
use super::moves::{EXCHANGES, TAKES};
use super::state::{
    EAT_SALAD, FIRST_GAIN, GOAL_CARROTS, Hare, RETREAT_GAIN, SECOND_GAIN, START_SALADS,
    TAKE_OR_DROP,
};

/// The tables know 0 to 255 carrots. Nobody who wants to win needs more.
pub const CARROTS_KNOWN: usize = 256;
/// More turns than this are not told apart, as a match is over after 30 of each hare.
pub const MOST_TURNS: u8 = 42;
/// How many tables there are.
pub const RANKS: usize = 5;
const LAST_RANK: usize = RANKS - 1;
/// Where the opponent stands. A hare is first on every field beyond that.
///
/// Between each two of these fields lies one of the four salad fields of 2018, since it is the
/// salads that make the difference.
pub const OPPONENTS: [u8; RANKS] = [0, 16, 32, 50, GOAL];

/// Of the cards only two count that need no opponent.
const SOLO_CARDS: u8 = TAKE_OR_DROP | EAT_SALAD;
/// How many pairs of salads and such cards there are. The tables have a lane for each.
const LANES: usize = (START_SALADS as usize + 1) * (SOLO_CARDS as usize + 1);
/// Every field, and every field once more for a hare that has still to eat there.
const PLACES: usize = 2 * LENGTH;

/// Something about each number of carrots. All of it is moved at once where carrots are paid.
type Row = [u8; CARROTS_KNOWN];

/// What the tables know about a hare on its turn.
///
/// It is aligned, so that one look into memory finds it all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(8))]
pub struct Turns {
    /// The turns to the goal, by where the opponent stands.
    pub by_rank: [u8; RANKS],
    /// A number below `EFFECTS` for what a few carrots more or fewer would change, of a hare that
    /// is always first and of one that is always second.
    pub effects: [u8; 2],
}

/// How many carrots more or fewer are meant.
const CHANGE: usize = 10;
/// More turns than this, saved or lost, are not told apart.
const LARGEST_EFFECT: u8 = 3;
/// How many effects there are.
pub const EFFECTS: usize = (2 * LARGEST_EFFECT as usize + 1).pow(2);

impl Turns {
    /// Returns the turns of a hare that is always first.
    pub fn first(self) -> u8 {
        self.by_rank[0]
    }

    /// Returns the turns of a hare that is always second.
    pub fn second(self) -> u8 {
        self.by_rank[RANKS - 1]
    }
}

/// The tables of one board.
pub struct Race {
    turns: Vec<Turns>,
}

impl Race {
    /// Makes the tables of a board, in a few milliseconds.
    pub fn new(board: &Board) -> Race {
        let mut turns = vec![Turns::default(); PLACES * LANES * CARROTS_KNOWN];
        for (rank, opponent) in OPPONENTS.into_iter().enumerate() {
            let rows = solve(board, opponent);
            for (turns, number) in turns.iter_mut().zip(rows.iter().flatten()) {
                turns.by_rank[rank] = *number;
            }
            let place = match rank {
                0 => 0,
                LAST_RANK => 1,
                _ => continue,
            };
            for (turns, row) in turns.chunks_exact_mut(CARROTS_KNOWN).zip(&rows) {
                for (turns, effect) in turns.iter_mut().zip(effects(row)) {
                    turns.effects[place] = effect;
                }
            }
        }
        Race { turns }
    }

    /// Returns how many turns a hare needs whose turn it is.
    ///
    /// More carrots or salads than the tables know count as the most they know.
    #[inline(always)]
    pub fn turns(&self, hare: Hare) -> Turns {
        let place = usize::from(hare.field) + if hare.must_eat { LENGTH } else { 0 };
        let lane = lane_of(hare.salads.min(START_SALADS), hare.cards & SOLO_CARDS);
        let carrots = (hare.carrots as usize).min(CARROTS_KNOWN - 1);
        self.turns[(place * LANES + lane) * CARROTS_KNOWN + carrots]
    }
}

#[inline(always)]
fn lane_of(salads: u8, cards: u8) -> usize {
    usize::from(salads) * (usize::from(SOLO_CARDS) + 1) + usize::from(cards)
}

/// Returns the turns of all hares, by place and lane, with the opponent on a field.
///
/// Nobody eats without ending in a lane before, and nobody gets a card. So the lanes are solved
/// one after the other, and within a lane only falling back leads in circles.
fn solve(board: &Board, opponent: u8) -> Vec<Row> {
    let turns = vec![[MOST_TURNS; CARROTS_KNOWN]; PLACES * LANES];
    let mut solver = Solver { board, opponent, turns };
    for salads in 0..=START_SALADS {
        for cards in 0..=SOLO_CARDS {
            solver.solve_lane(salads, cards);
        }
    }
    solver.turns
}

struct Solver<'a> {
    board: &'a Board,
    opponent: u8,
    turns: Vec<Row>,
}

impl Solver<'_> {
    fn row(&self, field: u8, salads: u8, cards: u8) -> &Row {
        &self.turns[usize::from(field) * LANES + lane_of(salads, cards)]
    }

    /// Returns what a salad brings on a field.
    fn gain(&self, field: u8) -> i32 {
        (if field > self.opponent { FIRST_GAIN } else { SECOND_GAIN }) as i32
    }

    /// Returns what the position field brings that lies there.
    fn bonus(&self, field: u8) -> i32 {
        let is_first = field > self.opponent;
        let pays = match self.board.field(field) {
            Field::Position1 => is_first,
            Field::Position2 => !is_first,
            _ => false,
        };
        if pays { self.gain(field) } else { 0 }
    }

    fn solve_lane(&mut self, salads: u8, cards: u8) {
        let mut entering: Vec<Row> =
            (0..=GOAL).map(|field| self.entering_from_lanes(field, salads, cards)).collect();
        let lane = lane_of(salads, cards);
        for (place, field) in (LENGTH..).zip(0..=GOAL) {
            self.turns[place * LANES + lane] = self.hungry(field, salads, cards);
        }
        self.turns[usize::from(GOAL) * LANES + lane] = entering[usize::from(GOAL)];
        let mut has_changed = true;
        while has_changed {
            has_changed = false;
            for field in (0..GOAL).rev() {
                has_changed |= self.improve(field, salads, cards, &mut entering);
            }
        }
    }

    /// Returns the turns of a hare that has paid for coming to a field that asks for something.
    ///
    /// They are known before its lane is solved, since what is asked for leads to another lane.
    fn entering_from_lanes(&self, field: u8, salads: u8, cards: u8) -> Row {
        let mut best = [MOST_TURNS; CARROTS_KNOWN];
        match self.board.field(field) {
            Field::Goal if salads == 0 => best[..=GOAL_CARROTS as usize].fill(0),
            Field::Salad => best = self.hungry(field, salads, cards),
            Field::Hare => {
                if cards & TAKE_OR_DROP != 0 {
                    for value in TAKES {
                        relax(&mut best, self.row(field, salads, cards & !TAKE_OR_DROP), value);
                    }
                }
                if cards & EAT_SALAD != 0 && salads > 0 {
                    let row = self.row(field, salads - 1, cards & !EAT_SALAD);
                    relax(&mut best, row, self.gain(field));
                }
            }
            _ => {}
        }
        best
    }

    /// Returns the turns of hares that have to eat on the field where they stand.
    fn hungry(&self, field: u8, salads: u8, cards: u8) -> Row {
        let mut best = [MOST_TURNS; CARROTS_KNOWN];
        if salads > 0 {
            relax(&mut best, self.row(field, salads - 1, cards), self.gain(field));
            lengthen(&mut best);
        }
        best
    }

    /// Lets hares on a field move to where is known how far it is. Returns whether one gained.
    fn improve(&mut self, field: u8, salads: u8, cards: u8, entering: &mut [Row]) -> bool {
        let mut best = advanced(field, entering);
        if let Some(hedgehog) = self.board.hedgehog_behind(field) {
            let gain = RETREAT_GAIN * u32::from(field - hedgehog);
            relax(&mut best, self.row(hedgehog, salads, cards), gain as i32);
        }
        lengthen(&mut best);
        let kind = self.board.field(field);
        if kind == Field::Carrot {
            exchange(&mut best);
        }
        if *self.row(field, salads, cards) == best {
            return false;
        }
        self.turns[usize::from(field) * LANES + lane_of(salads, cards)] = best;
        if matches!(kind, Field::Carrot | Field::Position1 | Field::Position2) {
            let entering = &mut entering[usize::from(field)];
            entering.fill(MOST_TURNS);
            relax(entering, &best, self.bonus(field));
        }
        true
    }
}

/// Returns the turns of hares on a field that go on from there, which are not counted yet.
fn advanced(field: u8, entering: &[Row]) -> Row {
    let mut best = [MOST_TURNS; CARROTS_KNOWN];
    for target in field + 1..=GOAL {
        let cost = advance_cost(target - field) as usize;
        if cost >= CARROTS_KNOWN {
            break;
        }
        relax(&mut best, &entering[usize::from(target)], -(cost as i32));
    }
    best
}

/// Returns for each number of carrots what more and fewer of them change.
fn effects(row: &Row) -> Row {
    let difference = |place: usize, turns: u8| {
        let changed = row[place] + LARGEST_EFFECT;
        changed.saturating_sub(turns).min(2 * LARGEST_EFFECT)
    };
    std::array::from_fn(|carrots| {
        let richer = difference((carrots + CHANGE).min(CARROTS_KNOWN - 1), row[carrots]);
        let poorer = difference(carrots.saturating_sub(CHANGE), row[carrots]);
        richer * (2 * LARGEST_EFFECT + 1) + poorer
    })
}

/// Lowers `row` to what the carrots, changed by so many, have in `source`.
///
/// Changes that leave what the tables know lead nowhere.
fn relax(row: &mut Row, source: &Row, change: i32) {
    let shift = (change.unsigned_abs() as usize).min(CARROTS_KNOWN);
    let (row, source) = if change >= 0 {
        (&mut row[..CARROTS_KNOWN - shift], &source[shift..])
    } else {
        (&mut row[shift..], &source[..CARROTS_KNOWN - shift])
    };
    for (turns, &other) in row.iter_mut().zip(source) {
        *turns = (*turns).min(other);
    }
}

/// Lets hares on a carrot field exchange carrots, as often as they like.
fn exchange(row: &mut Row) {
    for value in EXCHANGES {
        let step = value.unsigned_abs() as usize;
        let starts = (0..CARROTS_KNOWN - step).step_by(step);
        // Who drops carrots follows those with fewer, who takes some follows those with more.
        if value < 0 {
            for start in starts {
                let (fewer, more) = row[start..].split_at_mut(step);
                follow(more, fewer);
            }
        } else {
            for start in starts.rev() {
                let (fewer, more) = row[start..].split_at_mut(step);
                follow(fewer, more);
            }
        }
    }
}

/// Lets hares become others with one turn more.
fn follow(hares: &mut [u8], others: &[u8]) {
    for (turns, &other) in hares.iter_mut().zip(others) {
        *turns = (*turns).min(other + 1);
    }
}

/// Counts one turn more.
fn lengthen(row: &mut Row) {
    for turns in row {
        *turns = (*turns + 1).min(MOST_TURNS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::moves::legal_steps;
    use crate::hase_und_igel::state::{Position, turn_bonus};
    use crate::random::Random;

    const LETTERS: &str = "SH12CCHCCHLICCHI21CICCL2ICC2CHICH21HCI2HCCLIC1HCC2ICCH2CILCCH1CHG";

    /// Returns the turns of a hare by trying everything, up to so many turns.
    ///
    /// The opponent stands on the start or in the goal, where nobody is in its way.
    fn tried(board: &Board, hare: Hare, opponent: u8, most: u8) -> Option<u8> {
        if hare.field == GOAL {
            return Some(0);
        }
        let other = Hare { field: opponent, ..Hare::START };
        let mut hares = vec![hare];
        for turns in 1..=most {
            let mut next = Vec::new();
            for hare in hares {
                let position = Position { mover: hare, other, turn: 1 };
                for step in legal_steps(board, position) {
                    let mut hare = step.hare;
                    if hare.field == GOAL {
                        return Some(turns);
                    }
                    hare.carrots += turn_bonus(board, hare.field, opponent);
                    next.push(hare);
                }
            }
            next.sort_by_key(|hare| hare.packed());
            next.dedup();
            hares = next;
        }
        None
    }

    #[test]
    fn the_tables_are_what_trying_everything_finds() {
        let board = Board::from_letters(LETTERS).unwrap();
        let race = Race::new(&board);
        let mut random = Random::new(5);
        let mut found = 0;
        for _ in 0..150 {
            let field = 40 + random.below(24) as u8;
            let salads = random.below(3) as u8;
            let hare = Hare {
                field,
                carrots: random.below(90),
                salads,
                cards: random.below(4) as u8,
                must_eat: salads > 0 && board.field(field) == Field::Salad && random.below(2) == 0,
            };
            let turns = race.turns(hare);
            for (opponent, turns) in [(0, turns.first()), (GOAL, turns.second())] {
                match tried(&board, hare, opponent, 4) {
                    Some(expected) => assert_eq!(turns, expected, "{hare:?} {opponent}"),
                    None => assert!(turns > 4, "{hare:?} {opponent}"),
                }
                found += u32::from(turns <= 4);
            }
        }
        assert!(found > 50);
    }

    #[test]
    fn from_the_start_it_pays_to_be_second() {
        let board = Board::from_letters(LETTERS).unwrap();
        let turns = Race::new(&board).turns(Hare::START);
        assert_eq!((turns.first(), turns.second()), (19, 13));
    }

    #[test]
    fn salads_in_front_of_the_opponent_bring_more() {
        let board = Board::from_letters(LETTERS).unwrap();
        let turns = Race::new(&board).turns(Hare::START).by_rank;
        assert!(turns.is_sorted_by(|one, next| one >= next), "{turns:?}");
    }

    #[test]
    fn more_than_the_tables_know_counts_as_the_most() {
        let board = Board::from_letters(LETTERS).unwrap();
        let race = Race::new(&board);
        let most = Hare { carrots: 255, ..Hare::START };
        let more = Hare { carrots: 9999, salads: 77, ..Hare::START };
        assert_eq!(race.turns(more), race.turns(most));
    }

    #[test]
    fn effects_are_turns_saved_and_lost() {
        let mut row = [9; CARROTS_KNOWN];
        row[..20].fill(12);
        row[40..].fill(8);
        let of = |richer: i8, poorer: i8| {
            let [richer, poorer] = [richer, poorer].map(|change| (change + 3) as u8);
            richer * 7 + poorer
        };
        let effects = effects(&row);
        assert_eq!([effects[0], effects[255]], [of(0, 0); 2]);
        assert_eq!([10, 19].map(|carrots| effects[carrots]), [of(-3, 0); 2]);
        assert_eq!([20, 29].map(|carrots| effects[carrots]), [of(0, 3); 2]);
        assert_eq!([30, 40].map(|carrots| effects[carrots]), [of(-1, 0), of(0, 1)]);
    }

    #[test]
    fn carrots_are_exchanged_turn_by_turn() {
        let mut row = [MOST_TURNS; CARROTS_KNOWN];
        row[100] = 5;
        exchange(&mut row);
        let turns = |carrots: usize| row[carrots];
        assert_eq!([100, 110, 120, 250, 90, 0, 101].map(turns), [5, 6, 7, 20, 6, 15, MOST_TURNS]);
    }
}
