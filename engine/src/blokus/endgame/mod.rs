//! Solves endings exactly: the final difference of points if both teams play as well as they can.
//!
//! Colours that cannot reach the same squares do not concern each other, so a position falls into
//! groups. A colour alone is a packing problem (`lone.rs`), several are a contest (`contest.rs`).
//! Nobody is thought to pass of his own will. Positions that take too long are left unsolved.

mod contest;
mod lone;
mod reach;
mod table;

use super::board::{COLORS, Position, Rows};
use super::moves::LegalMoves;
use super::pieces::{PASS, PlacementId};
use crate::clock::Deadline;
use crate::cpu::Cpu;
use lone::Lone;
use table::Table;

const TEAM_SIGN: [i32; COLORS] = [1, -1, 1, -1];
/// Positions between two looks at the clock.
const CLOCK_EVERY: u64 = 32;
const TABLE_BITS: u32 = 17;
/// More points than a team can be ahead.
const MOST_POINTS: i32 = 1000;

/// The result of perfect play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solution {
    /// The best placement of the colour on turn.
    pub placement: PlacementId,
    /// The final points of team 0 minus those of team 1.
    pub difference: i32,
}

/// A solver with its memory, which is kept from one position to the next.
pub struct Solver {
    cpu: Cpu,
    /// Positions that may still be looked at, and how many were.
    left: u64,
    nodes: u64,
    deadline: Option<Deadline>,
    packings: Table,
    contests: Table,
    moves: Vec<LegalMoves>,
}

/// The colours that are still to move in a part of the position, and what they can reach.
#[derive(Clone, Copy)]
struct Group {
    colors: u8,
    /// The colour that moves next, or the first one after it that is in the group.
    next: usize,
    reach: [Rows; COLORS],
}

impl Solver {
    pub fn new(cpu: Cpu) -> Self {
        Solver {
            cpu,
            left: 0,
            nodes: 0,
            deadline: None,
            packings: Table::new(TABLE_BITS),
            contests: Table::new(TABLE_BITS),
            moves: Vec::new(),
        }
    }

    /// Forgets what was found in other games.
    pub fn restart(&mut self) {
        if self.nodes > 0 {
            self.packings.clear();
            self.contests.clear();
        }
        self.nodes = 0;
    }

    /// Returns how many positions were looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Solves a position whose colour on turn can move. None if that takes too long.
    ///
    /// The nearer `guess` is to the final difference, the quicker.
    pub fn solve(
        &mut self,
        position: &Position,
        guess: i32,
        most_nodes: u64,
        deadline: Option<Deadline>,
    ) -> Option<Solution> {
        if position.is_over() || !is_regular(position) {
            return None;
        }
        self.left = most_nodes;
        self.deadline = deadline;
        let color = position.color();
        let mut difference = position.difference();
        let mut own_part = None;
        for part in split(&self.whole(position)) {
            if part.colors >> color & 1 == 1 {
                own_part = Some(part);
            } else {
                difference += self.part_value(position, &part, -MOST_POINTS, MOST_POINTS)?;
            }
        }
        let (gain, placement) = self.best(position, &own_part?, guess - difference)?;
        Some(Solution { placement, difference: difference + gain })
    }

    /// Returns all colours in play with what they can reach.
    fn whole(&self, position: &Position) -> Group {
        let mut group = Group { colors: 0, next: position.color(), reach: [Rows::EMPTY; COLORS] };
        for color in (0..COLORS).filter(|&color| !position.is_out(color)) {
            group.colors |= 1 << color;
            group.reach[color] = reach::reach(self.cpu, position, color);
        }
        group
    }

    /// Returns what a part gains, and the best placement of the colour that is to move in it.
    ///
    /// It asks again and again whether the gain is below a number, beginning with the guess.
    fn best(
        &mut self,
        position: &Position,
        part: &Group,
        guess: i32,
    ) -> Option<(i32, PlacementId)> {
        let (mut lowest, mut highest) = (-MOST_POINTS, MOST_POINTS);
        let mut best = PASS;
        let mut number = guess.clamp(lowest + 1, highest);
        while lowest < highest {
            let (gain, placement) = self.ask(position, part, number, best)?;
            if gain < number {
                highest = gain;
            } else {
                lowest = gain;
            }
            if (gain >= number) == (TEAM_SIGN[part.next] > 0) {
                best = placement;
            }
            number = if gain == lowest { gain + 1 } else { gain };
        }
        Some((lowest, best))
    }

    /// Finds out whether the gain of a part is below a number, and the placement that shows it.
    fn ask(
        &mut self,
        position: &Position,
        part: &Group,
        number: i32,
        first: PlacementId,
    ) -> Option<(i32, PlacementId)> {
        let sign = TEAM_SIGN[part.next];
        let mut best = (-sign * MOST_POINTS, PASS);
        for placement in self.ordered(position, part, part.next, first) {
            let gain = self.after(position, part, part.next, placement, number - 1, number)?;
            if best.1 == PASS || gain * sign > best.0 * sign {
                best = (gain, placement);
            }
            if (gain >= number) == (sign > 0) {
                break;
            }
        }
        Some(best)
    }

    /// Returns the gain of a part, which may be a single colour.
    fn part_value(
        &mut self,
        position: &Position,
        part: &Group,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        if part.colors.is_power_of_two() {
            let color = part.colors.trailing_zeros() as usize;
            let lone = Lone::of(position, color, &part.reach[color]);
            return Some(TEAM_SIGN[color] * self.pack(&lone)?);
        }
        self.contest(position, part, alpha, beta)
    }

    /// Counts a position. None if there were too many, or the time is up.
    fn count(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.nodes += 1;
        let look = self.nodes.is_multiple_of(CLOCK_EVERY);
        let late = look && self.deadline.is_some_and(|deadline| deadline.has_passed());
        (!late).then_some(())
    }

    fn take_moves(&mut self) -> LegalMoves {
        self.moves.pop().unwrap_or_default()
    }
}

/// Returns whether all colours in play can place a piece in every round to come.
///
/// Where somebody has passed, the limit of turns or the end of a round may come between.
fn is_regular(position: &Position) -> bool {
    let in_play = || (0..COLORS).filter(|&color| !position.is_out(color));
    let rounds = |color: usize| {
        let moved = u32::from(color < position.color());
        position.hands[color].count_ones() + moved
    };
    let most = in_play().map(rounds).max().unwrap_or(0);
    let least = in_play().map(rounds).min().unwrap_or(0);
    let in_time = u32::from(position.turn) + 4 * (most + 1) <= u32::from(position.rules.turn_limit);
    in_time && (most == least || !position.rules.ends_when_finished)
}

/// Splits a group into parts that cannot reach the same squares.
fn split(group: &Group) -> Vec<Group> {
    let mut rest = group.colors;
    let mut parts = Vec::new();
    while rest != 0 {
        let mut colors = rest & rest.wrapping_neg();
        loop {
            let touched = (0..COLORS)
                .filter(|&color| rest >> color & 1 == 1 && colors >> color & 1 == 0)
                .filter(|&color| {
                    let meets = |other: usize| group.reach[color].meets(&group.reach[other]);
                    (0..COLORS).any(|other| colors >> other & 1 == 1 && meets(other))
                })
                .fold(0, |set, color| set | 1 << color);
            if touched == 0 {
                break;
            }
            colors |= touched;
        }
        rest &= !colors;
        parts.push(Group { colors, next: first_in(colors, group.next), ..*group });
    }
    parts
}

/// Returns the first colour from `start` on, in the order of play, that is in a set.
fn first_in(colors: u8, start: usize) -> usize {
    (0..COLORS)
        .map(|step| (start + step) % COLORS)
        .find(|&color| colors >> color & 1 == 1)
        .unwrap_or(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::moves::settle;
    use crate::blokus::rules::Rules;
    use crate::blokus::sampling::random_game;

    fn rules() -> Rules {
        Rules::season_2027(10)
    }

    /// Returns the result of perfect play, found by trying everything. None if that is too much.
    fn try_everything(position: &Position, nodes: &mut u32) -> Option<i32> {
        *nodes = nodes.checked_sub(1)?;
        let mut position = *position;
        let mut moves = LegalMoves::default();
        if !settle(Cpu::detect(), &mut position, &mut moves) {
            return Some(position.difference());
        }
        let mut placements = Vec::new();
        moves.list(&mut placements);
        let mut results = Vec::new();
        for placement in placements {
            let mut after = position;
            after.place(placement);
            results.push(try_everything(&after, nodes)?);
        }
        if position.team() == 0 { results.into_iter().max() } else { results.into_iter().min() }
    }

    #[test]
    fn solutions_are_those_of_trying_everything() {
        let mut solver = Solver::new(Cpu::detect());
        let mut compared = 0;
        for seed in 0..120 {
            for position in random_game(rules(), seed).iter().rev().take(14) {
                let mut nodes = 20_000;
                let Some(expected) = try_everything(position, &mut nodes) else { break };
                let solution = solver.solve(position, 3, 1_000_000, None).unwrap();
                assert_eq!(solution.difference, expected);
                let mut after = *position;
                after.place(solution.placement);
                assert_eq!(try_everything(&after, &mut 20_000), Some(expected));
                compared += 1;
            }
        }
        assert!(compared > 100, "{compared}");
    }

    #[test]
    fn too_many_nodes_are_refused() {
        let position = random_game(rules(), 1)[30];
        assert_eq!(Solver::new(Cpu::detect()).solve(&position, 0, 50, None), None);
    }

    #[test]
    fn positions_in_which_somebody_passed_are_left_alone() {
        let positions = random_game(rules(), 2);
        let mut position = positions[positions.len() - 3];
        position.rules = Rules::season_2021(10);
        position.turn = 98;
        assert_eq!(Solver::new(Cpu::detect()).solve(&position, 0, 1000, None), None);
    }
}
