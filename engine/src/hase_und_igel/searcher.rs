//! Thinks about a position for as long as it may, one turn deeper again and again.
//!
//! What it found is kept for the positions that follow. How one depth is searched is in `search`.

use super::board::Board;
use super::evaluation::{DECIDED, Evaluator, WON};
use super::limits::{Limits, Pace};
use super::moves::{Move, Step, legal_steps};
use super::net::Net;
use super::search::Search;
use super::state::{LAST_TURN, Position};
use super::table::{Bound, Table, key_of};
use crate::clock::Meter;
use std::sync::Arc;

/// The longest continuation that is told. Nobody reads more.
const LONGEST_CONTINUATION: usize = 12;

/// What is known about a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub play: Move,
    /// What it is worth to the hare that makes it.
    pub worth: i32,
    /// How many positions after it were looked at.
    pub nodes: u64,
    /// What is expected to follow.
    pub continuation: Vec<Move>,
}

/// Hears after how many seconds which moves are thought best, and returns whether to go on.
pub type Listener<'a> = &'a mut dyn FnMut(f64, &[Line]) -> bool;

/// Thinks about the positions of one match after the other.
pub struct Searcher {
    table: Table,
    net: Arc<Net>,
    evaluator: Option<Evaluator>,
    /// How deep and at how many positions the latest search looked.
    pub depth: u8,
    pub nodes: u64,
}

impl Searcher {
    /// Makes one that remembers positions in about so many megabytes.
    pub fn new(megabytes: usize, net: Arc<Net>) -> Searcher {
        Searcher { table: Table::new(megabytes), net, evaluator: None, depth: 0, nodes: 0 }
    }

    /// Makes the tables of a board, so that the first search on it need not.
    ///
    /// A board other than the one before means that another match has begun.
    pub fn prepare(&mut self, board: &Board) -> &Evaluator {
        if self.evaluator.as_ref().is_none_or(|evaluator| evaluator.board() != board) {
            self.evaluator = None;
            self.table.clear();
        }
        self.evaluator.get_or_insert_with(|| Evaluator::new(board, self.net.clone()))
    }

    /// Forgets all positions.
    pub fn forget(&mut self) {
        self.table.clear();
    }

    /// Returns the best moves, at most so many of them, best first. There is none after the end.
    pub fn think(
        &mut self,
        board: &Board,
        position: Position,
        limits: (Limits, Meter),
        count: usize,
        listen: Listener,
    ) -> Vec<Line> {
        let pace = Pace::start(limits.0, limits.1);
        self.prepare(board);
        let Some(evaluator) = &self.evaluator else { return Vec::new() };
        self.table.begin();
        let mut search = Search {
            evaluator,
            table: &mut self.table,
            pace,
            listen,
            lines: Vec::new(),
            nodes: 0,
            is_stopped: false,
            steps: Vec::new(),
        };
        let mut root = Root::new(&mut search, position, count);
        root.deepen(&mut search);
        let lines = root.lines(&search);
        (self.depth, self.nodes) = (root.depth, search.nodes);
        lines
    }
}

/// A move at the root, with what is known about it.
#[derive(Clone, Copy)]
struct Candidate {
    step: Step,
    worth: i32,
    nodes: u64,
}

/// The position thought about, and its moves, best first as far as is known.
struct Root {
    position: Position,
    candidates: Vec<Candidate>,
    /// How many of them are wanted.
    count: usize,
    depth: u8,
}

impl Root {
    fn new(search: &mut Search, position: Position, count: usize) -> Root {
        if !position.is_over() {
            search.push_sorted(position, None);
        }
        let steps = std::mem::take(&mut search.steps);
        let candidate = |step: Step| Candidate { step, worth: step.worth, nodes: 0 };
        let candidates: Vec<Candidate> = steps.into_iter().map(candidate).collect();
        let count = count.min(candidates.len());
        Root { position, candidates, count, depth: 1 }
    }

    /// Searches one turn deeper again and again, until a limit is reached or all is decided.
    fn deepen(&mut self, search: &mut Search) {
        while self.depth < LAST_TURN - self.position.turn && !self.is_decided() {
            for place in 0..self.count {
                if !self.find_best(search, place, self.depth + 1) {
                    return;
                }
            }
            self.depth += 1;
            search.lines = self.lines(search);
        }
    }

    fn is_decided(&self) -> bool {
        self.candidates[..self.count].iter().all(|one| one.worth.abs() >= DECIDED)
    }

    /// Puts the best move from a place on at that place. Returns false if time was up before.
    ///
    /// A better one is put there as soon as it is known, so that a search that is cut short has not
    /// been for nothing.
    fn find_best(&mut self, search: &mut Search, place: usize, depth: u8) -> bool {
        let mut best = -WON;
        for number in place..self.candidates.len() {
            let step = self.candidates[number].step;
            let before = search.nodes;
            let worth = search.step_worth(self.position, step, number - place, depth, best, WON);
            if search.is_stopped {
                return false;
            }
            let candidate = &mut self.candidates[number];
            candidate.nodes += search.nodes - before;
            if worth > best {
                best = worth;
                candidate.worth = worth;
                self.candidates[place..=number].rotate_right(1);
            }
        }
        true
    }

    fn lines(&self, search: &Search) -> Vec<Line> {
        let mut most = WON;
        let line = |candidate: &Candidate| {
            // A line that was not searched as deep as the one before is not known to be better.
            most = most.min(candidate.worth);
            Line {
                play: candidate.step.play,
                worth: most,
                nodes: candidate.nodes,
                continuation: continuation(search, self.position, candidate.step),
            }
        };
        self.candidates[..self.count].iter().map(line).collect()
    }
}

/// Returns what the table says about the moves after one.
fn continuation(search: &Search, position: Position, step: Step) -> Vec<Move> {
    let evaluator = search.evaluator;
    let mut position = evaluator.after(position, step.hare);
    let mut plays = Vec::new();
    while plays.len() < LONGEST_CONTINUATION {
        let Some(known) = search.table.get(key_of(position)) else { break };
        let steps = legal_steps(evaluator.board(), position);
        let Some(step) = steps.iter().find(|step| step.play == known.play) else { break };
        if known.bound == Bound::AtMost {
            break;
        }
        plays.push(step.play);
        position = evaluator.after(position, step.hare);
    }
    plays
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::evaluation::house_net;
    use crate::hase_und_igel::notation::{format_move, parse_position};
    use crate::hase_und_igel::state::Hare;
    use crate::hase_und_igel::training::boards::random_board;
    use crate::random::Random;

    const BOARD: &str = "SCCCCCCCCCLICCCICCCICCLCICCCCCICCCCCCICCCCLICCCCCCICCCCCILH1CHHCG";

    fn think(text: &str, nodes: u64, count: usize) -> Vec<Line> {
        let (board, position) = parse_position(&format!("{BOARD} {text}")).unwrap();
        let limits = Limits { seconds: None, nodes: Some(nodes) };
        let mut searcher = Searcher::new(1, house_net());
        searcher.think(&board, position, (limits, Meter::Wall), count, &mut |_, _| true)
    }

    /// Returns whether the hare to move wins, by trying everything.
    fn wins(board: &Board, position: Position) -> bool {
        legal_steps(board, position).into_iter().any(|step| {
            let after = position.after(board, step.hare, true);
            if after.is_over() { after.winner() == position.seat() } else { !wins(board, after) }
        })
    }

    #[test]
    fn a_win_in_one_move_is_found() {
        let lines = think("41 57,60,2,-,E 60,12,0,HF,A2", 1000, 3);
        assert_eq!(format_move(lines[0].play), "A4");
        assert_eq!(lines[0].worth, WON - 42);
        assert!(lines[1..].iter().all(|line| line.worth < lines[0].worth));
    }

    #[test]
    fn red_in_the_goal_has_not_won_where_blue_enters_with_fewer_carrots() {
        // Red would enter with 9 carrots left, and blue then with 8.
        let lines = think("58 63,10,0,-,A2 62,11,0,-,A2", 1000, 1);
        assert!(lines[0].worth <= -DECIDED, "{lines:?}");
        let lines = think("58 63,10,0,-,A2 62,12,0,-,A2", 1000, 1);
        assert!(lines[0].worth >= DECIDED, "{lines:?}");
    }

    #[test]
    fn the_end_of_a_match_is_solved_as_by_trying_everything() {
        let mut random = Random::new(11);
        let mut searcher = Searcher::new(1, house_net());
        let mut won = 0;
        for _ in 0..150 {
            let board = random_board(&mut random);
            let mut some = |from: u32, count: u32| from + random.below(count);
            let mut hare = |field| Hare {
                field,
                carrots: some(0, 40),
                salads: some(0, 2) as u8,
                cards: some(0, 16) as u8,
                must_eat: false,
            };
            let (one, other) = (hare(56), hare(58));
            let fields = [some(44, 10) as u8, some(54, 10) as u8];
            let turn = some(56, 4) as u8;
            let hares = [Hare { field: fields[0], ..one }, Hare { field: fields[1], ..other }];
            let position = Position::new(&board, hares, turn).unwrap();
            let limits = (Limits::default(), Meter::Wall);
            let lines = searcher.think(&board, position, limits, 1, &mut |_, _| true);
            assert!(lines[0].worth.abs() >= DECIDED);
            assert_eq!(lines[0].worth > 0, wins(&board, position), "{position:?}");
            won += u32::from(lines[0].worth > 0);
        }
        assert!((30..120).contains(&won), "{won}");
    }

    #[test]
    fn lines_are_different_moves_best_first_with_legal_continuations() {
        let text = "20 21,27,4,EH,A8 20,36,5,EH,A3";
        let lines = think(text, 5000, 4);
        let (board, start) = parse_position(&format!("{BOARD} {text}")).unwrap();
        assert_eq!(lines.len(), 4);
        assert!(lines.is_sorted_by(|one, next| one.worth >= next.worth && one.play != next.play));
        for line in lines {
            let mut position = start;
            for play in std::iter::once(line.play).chain(line.continuation) {
                let steps = legal_steps(&board, position);
                let step = steps.iter().find(|step| step.play == play).unwrap();
                position = position.after(&board, step.hare, true);
            }
        }
    }

    #[test]
    fn so_many_positions_are_looked_at_and_no_more() {
        let (board, position) =
            parse_position(&format!("{BOARD} 0 0,68,5,TEHF,- 0,68,5,TEHF,-")).unwrap();
        let mut searcher = Searcher::new(1, house_net());
        let limits = Limits { seconds: None, nodes: Some(777) };
        let first = searcher.think(&board, position, (limits, Meter::Wall), 2, &mut |_, _| true);
        assert_eq!(searcher.nodes, 777);
        let mut other = Searcher::new(1, house_net());
        let again = other.think(&board, position, (limits, Meter::Wall), 2, &mut |_, _| true);
        assert_eq!(first, again);
    }

    #[test]
    fn who_listens_may_stop_it() {
        let (board, position) =
            parse_position(&format!("{BOARD} 0 0,68,5,TEHF,- 0,68,5,TEHF,-")).unwrap();
        let mut searcher = Searcher::new(1, house_net());
        let mut heard = 0;
        let mut listen = |_: f64, lines: &[Line]| {
            heard += usize::from(!lines.is_empty());
            heard < 3
        };
        let limits = (Limits::default(), Meter::Wall);
        let lines = searcher.think(&board, position, limits, 1, &mut listen);
        assert_eq!((heard, lines.len()), (3, 1));
    }

    #[test]
    fn after_the_end_there_is_nothing_to_think() {
        assert!(think("42 64,3,0,-,A2 60,12,0,HF,A2", 100, 1).is_empty());
    }
}
