//! Alpha-beta search of one position to a given depth.
//!
//! It looks at the moves that seem best first, and at those that do not less deep. What a position
//! is worth at the end of a line is in `evaluation`. How deep to search is decided in `searcher`.

use std::sync::LazyLock;

use super::board::GOAL;
use super::evaluation::{DECIDED, Evaluator, Outlook, WON};
use super::limits::Pace;
use super::moves::{Move, Step, push_steps};
use super::searcher::{Line, Listener};
use super::state::{BLUE, Position};
use super::table::{Bound, Known, Table, key_of};

/// Moves after so many better ones are first tried less deep, where it is so deep at least.
const FULL_DEPTH_STEPS: usize = 2;
const LEAST_REDUCED_DEPTH: u8 = 3;
/// The turns that they are tried less deep at least, and that each factor of the product of the
/// logarithms of depth and number adds, in hundredths.
const LEAST_REDUCTION: i32 = 100;
const REDUCTION_FACTOR: f64 = 50.0;
/// What a move must seem worse than the best by, so that it is tried one turn less deep still. One
/// that seems better is tried deeper.
const WORTH_OF_TURN: i32 = 500;
/// How many hundredths of a turn that makes at most, for better and for worse.
const MOST_DEEPER: i32 = 150;
const MOST_SHALLOWER: i32 = 300;

/// One search. Everything in it belongs to one position at its root.
pub struct Search<'a> {
    pub evaluator: &'a Evaluator,
    pub table: &'a mut Table,
    pub pace: Pace,
    /// Is told of `lines` each time somebody looks at the clock, and returns whether to go on.
    pub listen: Listener<'a>,
    /// What is known so far about the best moves at the root.
    pub lines: Vec<Line>,
    /// How many positions were looked at.
    pub nodes: u64,
    /// Whether a limit is reached. What is then returned means nothing.
    pub is_stopped: bool,
    /// The moves of all positions on the way from the root to here.
    pub steps: Vec<Step>,
}

impl Search<'_> {
    /// Returns what a move is worth, where `number` better ones were tried before.
    ///
    /// It is exact between `low` and `high`, and a bound outside.
    pub fn step_worth(
        &mut self,
        position: Position,
        step: Step,
        number: usize,
        depth: u8,
        low: i32,
        high: i32,
    ) -> i32 {
        if step.worth.abs() >= DECIDED {
            return step.worth;
        }
        let after = self.evaluator.after(position, step.hare);
        if number > 0 {
            // The first was probably the best. Ask of the others only whether they are better at
            // all, which is quickly answered, and of those that do not look like it, ask with less
            // depth first.
            if number >= FULL_DEPTH_STEPS && depth >= LEAST_REDUCED_DEPTH {
                let reduced = reduced_depth(depth, number, low - step.worth);
                let worth = -self.worth(after, reduced, -low - 1, -low);
                if worth <= low {
                    return worth;
                }
            }
            let worth = -self.worth(after, depth - 1, -low - 1, -low);
            if worth <= low || worth >= high {
                return worth;
            }
        }
        -self.worth(after, depth - 1, -high, -low)
    }

    /// Returns what a position is worth to the hare to move, so many turns deep.
    fn worth(&mut self, position: Position, depth: u8, low: i32, high: i32) -> i32 {
        self.nodes += 1;
        if self.pace.is_look_due(self.nodes) {
            self.is_stopped =
                self.pace.look(self.nodes) || !(self.listen)(self.pace.elapsed(), &self.lines);
        }
        if self.is_stopped {
            return 0;
        }
        if depth <= 1 {
            return self.worth_at_sight(position, high);
        }
        let key = key_of(position);
        let known = self.table.get(key);
        if let Some(known) = known
            && let Some(worth) = known.answer(depth, low, high)
        {
            return worth;
        }
        let first = self.steps.len();
        self.push_sorted(position, known.map(|known| known.play));
        let (worth, bound, play) = self.best_step(position, first, depth, low, high);
        self.steps.truncate(first);
        if !self.is_stopped {
            self.table.put(key, Known { worth, depth, bound, play });
        }
        worth
    }

    fn best_step(
        &mut self,
        position: Position,
        first: usize,
        depth: u8,
        mut low: i32,
        high: i32,
    ) -> (i32, Bound, Move) {
        let (mut best, mut bound, mut play) = (-WON, Bound::AtMost, self.steps[first].play);
        for index in first..self.steps.len() {
            let step = self.steps[index];
            let worth = self.step_worth(position, step, index - first, depth, low, high);
            if self.is_stopped {
                break;
            }
            if worth > best {
                (best, play) = (worth, step.play);
                if worth >= high {
                    return (best, Bound::AtLeast, play);
                }
                if worth > low {
                    (low, bound) = (worth, Bound::Exact);
                }
            }
        }
        (best, bound, play)
    }

    /// Appends all moves, best first as far as one can see, but `favourite` before all others.
    pub fn push_sorted(&mut self, position: Position, favourite: Option<Move>) {
        let first = self.steps.len();
        push_steps(self.evaluator.board(), position, &mut self.steps);
        let mut outlook = self.evaluator.outlook(position);
        for step in &mut self.steps[first..] {
            let after = self.evaluator.after(position, step.hare);
            step.worth = sight(self.evaluator, &mut outlook, after);
        }
        let steps = &mut self.steps[first..];
        steps.sort_by_key(|step| -step.worth);
        if let Some(place) = steps.iter().position(|step| Some(step.play) == favourite) {
            steps[..=place].rotate_right(1);
        }
    }

    /// Returns what the best move is worth at first sight.
    fn worth_at_sight(&mut self, position: Position, high: i32) -> i32 {
        let first = self.steps.len();
        push_steps(self.evaluator.board(), position, &mut self.steps);
        let mut best = -WON;
        let mut outlook = self.evaluator.outlook(position);
        for index in first..self.steps.len() {
            let after = self.evaluator.after(position, self.steps[index].hare);
            let worth = if after.seat() == BLUE && after.other.field == GOAL {
                // Red in the goal has not won yet. Blue has one more move.
                -self.worth_at_sight(after, WON)
            } else {
                sight(self.evaluator, &mut outlook, after)
            };
            best = best.max(worth);
            if best >= high {
                break;
            }
        }
        self.steps.truncate(first);
        best
    }
}

/// Returns how deep to look first after a move with so many before it that seem better.
///
/// `behind` is what it seems worse than the best one by.
fn reduced_depth(depth: u8, number: usize, behind: i32) -> u8 {
    static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
        let of = |depth: usize, number: usize| {
            let product = (depth.max(1) as f64).ln() * (number as f64 + 1.0).ln();
            LEAST_REDUCTION + (REDUCTION_FACTOR * product) as i32
        };
        std::array::from_fn(|depth| std::array::from_fn(|number| of(depth, number)))
    });
    let usual = REDUCTIONS[usize::from(depth).min(63)][number.min(63)];
    let change = (behind * 100 / WORTH_OF_TURN).clamp(-MOST_DEEPER, MOST_SHALLOWER);
    let reduction = ((usual + change) / 100).max(0) as u8;
    depth.saturating_sub(1 + reduction).max(1)
}

/// Returns what a position is worth at first sight to the hare that has just moved.
fn sight(evaluator: &Evaluator, outlook: &mut Outlook, after: Position) -> i32 {
    if after.is_over() {
        let worth = WON - i32::from(after.turn);
        return if after.winner() == after.seat() { -worth } else { worth };
    }
    if after.other.field == GOAL {
        // Only the last move of blue can still say otherwise.
        return DECIDED - 1;
    }
    -evaluator.worth_after(outlook, after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_seems_worse_is_looked_at_less_deep() {
        let depths: Vec<u8> = [2, 4, 8, 16, 99].map(|number| reduced_depth(12, number, 0)).to_vec();
        assert!(depths.is_sorted_by(|one, next| one >= next), "{depths:?}");
        assert!(depths[0] < 11 && depths[0] > depths[4], "{depths:?}");
        let depths = [-9999, -500, 0, 500, 29_000].map(|behind| reduced_depth(12, 4, behind));
        assert!(depths.is_sorted_by(|one, next| one >= next), "{depths:?}");
        assert!(depths[0] > depths[4]);
    }

    #[test]
    fn a_reduced_depth_is_a_depth() {
        for depth in LEAST_REDUCED_DEPTH..=60 {
            for number in 0..100 {
                for behind in [-30_000, 0, 30_000] {
                    let reduced = reduced_depth(depth, number, behind);
                    assert!(reduced >= 1 && reduced < depth);
                }
            }
        }
    }
}
