//! Monte Carlo tree search: grows a tree of positions where it looks promising.
//!
//! This file holds the search's memory, the time it may take and the choice in the end. What one
//! simulation does is in `simulation.rs`.

use std::sync::Arc;

use super::board::{COLORS, Position, ROWS};
use super::endgame::{Solution, Solver};
use super::moves::{LegalMoves, settle};
use super::net::Net;
use super::parameters::Parameters;
use super::pieces::{PlacementId, tables};
use super::playout::Playout;
use super::priors::{Planes, Priors, Scored};
use super::replies::Replies;
use super::simulation::{Trace, simulate};
use super::tree::{Child, NO_NODE, Node, Stage, Tree};
use crate::clock::Deadline;
use crate::cpu::Cpu;
use crate::random::Random;

/// Simulations between two looks at the clock.
const BATCH: u64 = 16;
/// Simulations that are made once the best move is known, to judge the others.
const AFTER_SOLUTION: u64 = 200;
/// The part of the memory above which a tree is cleaned of what cannot be reached any more.
const CLEAN_ABOVE: f64 = 0.6;

/// What a search is made of.
#[derive(Clone)]
pub struct Setup {
    pub parameters: Parameters,
    /// Without a net every simulation plays the game out.
    pub net: Option<Arc<Net>>,
    pub priors: Arc<Priors>,
    pub cpu: Cpu,
    pub seed: u64,
    pub memory_bytes: usize,
}

impl Default for Setup {
    /// Returns a search that has learned nothing.
    fn default() -> Self {
        Setup {
            parameters: Parameters::default(),
            net: None,
            priors: Arc::new(Priors::untrained()),
            cpu: Cpu::detect(),
            seed: 0,
            memory_bytes: 256 << 20,
        }
    }
}

/// When a search ends, whichever comes first.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limit {
    pub deadline: Option<Deadline>,
    pub simulations: Option<u64>,
}

impl Limit {
    pub fn simulations(count: u64) -> Self {
        Limit { deadline: None, simulations: Some(count) }
    }

    pub fn deadline(deadline: Deadline) -> Self {
        Limit { deadline: Some(deadline), simulations: None }
    }
}

/// A search with its tree, which is kept from move to move.
pub struct Search {
    pub parameters: Parameters,
    pub(super) net: Option<Arc<Net>>,
    pub(super) priors: Arc<Priors>,
    pub(super) cpu: Cpu,
    pub(super) random: Random,
    pub(super) tree: Tree,
    pub(super) replies: Replies,
    pub(super) playout: Playout,
    pub(super) planes: Box<Planes>,
    pub(super) moves: LegalMoves,
    pub(super) scored: Vec<Scored>,
    pub(super) children: Vec<Child>,
    pub(super) trace: Box<Trace>,
    /// Means over this search, for team 0.
    pub(super) mean_points: f32,
    pub(super) mean_value: f32,
    /// Simulations of this search.
    pub(super) simulations: u64,
    pub(super) solver: Solver,
    memory_bytes: usize,
    /// Whether the memory is used up, so that the tree does not grow any more.
    pub(super) full: bool,
    root: Option<Position>,
    /// The result of perfect play from the root, if it was found.
    pub(super) exact: Option<Solution>,
}

impl Search {
    pub fn new(setup: Setup) -> Self {
        Search {
            parameters: setup.parameters,
            net: setup.net,
            priors: setup.priors,
            cpu: setup.cpu,
            random: Random::new(setup.seed),
            tree: Tree::new(),
            replies: Replies::default(),
            playout: Playout::default(),
            planes: Box::default(),
            moves: LegalMoves::default(),
            scored: Vec::new(),
            children: Vec::new(),
            trace: Box::default(),
            mean_points: 0.0,
            mean_value: 0.5,
            simulations: 0,
            solver: Solver::new(setup.cpu),
            memory_bytes: setup.memory_bytes,
            full: false,
            root: None,
            exact: None,
        }
    }

    /// Forgets everything about the game so far and begins with other random numbers.
    pub fn restart(&mut self, seed: u64) {
        self.tree.clear();
        self.replies.clear();
        self.solver.restart();
        self.random = Random::new(seed);
        self.mean_points = 0.0;
        self.mean_value = 0.5;
        self.root = None;
        self.exact = None;
    }

    /// Returns the simulations of the last search.
    pub fn simulations(&self) -> u64 {
        self.simulations
    }

    /// Returns the size of the tree in bytes.
    pub fn bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// Thinks about a position. Returns the move to play, `PASS` if there is none.
    pub fn think(&mut self, position: &Position, limit: Limit) -> PlacementId {
        self.begin(position);
        while !self.go_on(limit) {}
        self.best()
    }

    /// Prepares to think about a position, with what is still known about it.
    pub fn begin(&mut self, position: &Position) {
        let mut position = *position;
        self.exact = None;
        if !settle(self.cpu, &mut position, &mut self.moves) {
            self.tree.clear();
            self.tree.nodes[0].stage = Stage::End;
            self.root = Some(position);
            return;
        }
        match self.find_known(&position) {
            Some(node) => self.tree.root = node,
            None => self.tree.clear(),
        }
        if self.tree.bytes() as f64 > CLEAN_ABOVE * self.memory_bytes as f64 {
            let root = self.tree.root;
            self.tree.keep(root);
        }
        self.root = Some(position);
        self.simulations = 0;
        self.complete_root(&position);
    }

    /// Runs some simulations. Returns whether the search has ended.
    pub fn go_on(&mut self, limit: Limit) -> bool {
        let Some(root) = self.root else { return true };
        let node = self.tree.root();
        if node.stage == Stage::End || node.children == 1 && node.visits > 0 {
            return true;
        }
        if self.simulations == 0 {
            self.solve_root(&root, limit);
        }
        let left = limit.simulations.map_or(BATCH, |most| most.saturating_sub(self.simulations));
        self.full = self.tree.bytes() > self.memory_bytes;
        simulate(self.cpu, self, &root, left.min(BATCH));
        let enough = limit.simulations.is_some_and(|most| self.simulations >= most);
        let solved = self.exact.is_some() && self.simulations >= AFTER_SOLUTION;
        enough || solved || limit.deadline.is_some_and(|deadline| deadline.has_passed())
    }

    /// Tries to solve the position at the root.
    fn solve_root(&mut self, root: &Position, limit: Limit) {
        let parameters = &self.parameters;
        let part = f64::from(parameters.solve_root_part);
        if f32::from(root.ply) < parameters.solve_ply || part <= 0.0 {
            return;
        }
        let nodes = match limit.simulations {
            Some(count) => (count as f64 * f64::from(parameters.solve_root_nodes)) as u64,
            None => u64::MAX,
        };
        let deadline = limit.deadline.map(|deadline| deadline.part(part));
        let guess = self.expected_difference();
        self.exact = self.solver.solve(root, guess, nodes, deadline);
    }

    /// Returns the node of a position that was reached by moves since the last search.
    fn find_known(&self, wanted: &Position) -> Option<usize> {
        let mut position = self.root?;
        let mut index = self.tree.root;
        for _ in 0..2 * COLORS {
            let node = &self.tree.nodes[index];
            if !node.is_expanded() || position.rules != wanted.rules {
                return None;
            }
            while position.color() != node.color as usize {
                position.drop_color();
            }
            if position.occupied == wanted.occupied {
                let same_turn = position.turn == wanted.turn && position.hands == wanted.hands;
                return same_turn.then_some(index);
            }
            let placement = first_difference(&position, wanted)?;
            let child = self.tree.find_child(index, placement)?;
            if self.tree.node[child] == NO_NODE {
                return None;
            }
            index = self.tree.node[child] as usize;
            position.place(placement);
        }
        None
    }

    /// Lists the children at the root that were left out while it was deeper in the tree.
    fn complete_root(&mut self, position: &Position) {
        let root = self.tree.root;
        let before: Node = *self.tree.root();
        if before.stage != Stage::Narrow {
            return;
        }
        let mut position = *position;
        self.expand(root, &mut position, 0);
        for old in before.child_range() {
            let placement = self.tree.placement[old];
            if let Some(new) = self.tree.find_child(root, placement) {
                self.tree.value[new] = self.tree.value[old];
                self.tree.weight[new] = self.tree.weight[old];
                self.tree.node[new] = self.tree.node[old];
            }
        }
    }
}

/// Returns the placement of the colour on turn that leads towards another position.
fn first_difference(position: &Position, wanted: &Position) -> Option<PlacementId> {
    let color = position.color();
    let old = &position.occupied[color].0;
    let new = &wanted.occupied[color].0;
    let mut squares = Vec::new();
    for row in 0..ROWS {
        if old[row] & !new[row] != 0 {
            return None;
        }
        super::moves::for_each_bit(new[row] & !old[row], |x| squares.push((x, row - 1)));
    }
    if squares.len() > 5 { None } else { tables().find(&squares) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blokus::moves::is_legal;
    use crate::blokus::pieces::PASS;
    use crate::blokus::rules::Rules;
    use crate::blokus::sampling::{random_game, random_positions};
    use crate::blokus::weights;

    fn search(cpu: Cpu) -> Search {
        let net = Some(weights::net());
        Search::new(Setup { net, priors: weights::priors(), cpu, ..Setup::default() })
    }

    #[test]
    fn all_processors_think_alike() {
        let mut expected = search(Cpu::portable());
        let mut others: Vec<Search> = Cpu::all().into_iter().map(search).collect();
        for position in random_positions(3).iter().step_by(11) {
            expected.think(position, Limit::simulations(60));
            for other in &mut others {
                other.think(position, Limit::simulations(60));
                assert_eq!(other.lines(20), expected.lines(20));
            }
        }
    }

    #[test]
    fn moves_are_legal_with_and_without_weights() {
        for mut search in [search(Cpu::detect()), Search::new(Setup::default())] {
            for position in random_positions(3).iter().step_by(5) {
                let placement = search.think(position, Limit::simulations(20));
                assert!(is_legal(tables(), position, position.color(), placement));
            }
        }
    }

    #[test]
    fn visits_add_up_to_the_simulations() {
        let position = random_game(Rules::season_2027(10), 1)[10];
        let mut search = search(Cpu::detect());
        search.think(&position, Limit::simulations(333));
        let visits: u32 = search.opinions().iter().map(|opinion| opinion.visits).sum();
        assert_eq!((visits, search.simulations()), (333, 333));
    }

    #[test]
    fn the_tree_is_kept_for_positions_that_follow() {
        let mut position = random_game(Rules::season_2027(10), 2)[16];
        let mut search = search(Cpu::detect());
        search.think(&position, Limit::simulations(3000));
        let line = search.lines(1).remove(0);
        position.place(line.opinion.placement);
        for played in line.continuation.iter().take(2) {
            assert_eq!(position.color(), played.color as usize);
            position.place(played.placement);
        }
        search.begin(&position);
        let known = search.tree.root().visits;
        assert!(known > 10, "{known}");
        assert_eq!(search.tree.root().stage, Stage::Complete);
        search.begin(&random_game(Rules::season_2027(10), 3)[16]);
        assert_eq!(search.tree.root().visits, 0);
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        let mut position = Position::new(Rules::table());
        (0..COLORS).for_each(|_| position.drop_color());
        let mut search = search(Cpu::detect());
        assert_eq!(search.think(&position, Limit::simulations(10)), PASS);
        assert!(search.lines(3).is_empty());
    }

    #[test]
    fn memory_has_a_limit() {
        let memory_bytes = 1 << 20;
        let mut search = Search::new(Setup { memory_bytes, ..Setup::default() });
        let position = random_game(Rules::season_2027(10), 4)[12];
        search.think(&position, Limit::simulations(20_000));
        assert!((memory_bytes..2 * memory_bytes).contains(&search.bytes()), "{}", search.bytes());
    }
}
