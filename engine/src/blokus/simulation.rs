//! One simulation: down the tree, a few plies of playout, a judgement, and back up the tree.

use super::board::{Played, Position};
use super::moves::{is_legal, settle};
use super::net::sigmoid;
use super::pieces::{PASS, PlacementId, tables};
use super::playout::Policy;
use super::priors::{Scored, phase};
use super::search::Search;
use super::tree::{Child, Node, Stage};
use crate::cpu::multiversion;

/// More moves than a game can have.
const MOST_MOVES: usize = 96;
/// How many simulations the means of the last search count for in the next one.
const MEAN_START: f32 = 8.0;

/// What a simulation found out, for team 0.
#[derive(Clone, Copy, Debug)]
struct Result {
    win: f32,
    points: f32,
}

impl Result {
    /// Returns the result of a game that ends with a difference of points.
    fn of(difference: i32) -> Self {
        Result { win: (difference.signum() + 1) as f32 / 2.0, points: difference as f32 }
    }
}

/// The way of one simulation.
pub struct Trace {
    moves: [Played; MOST_MOVES],
    length: usize,
    /// The children chosen in the tree; the moves after them were played out.
    children: [u32; MOST_MOVES],
    depth: usize,
}

impl Default for Trace {
    fn default() -> Self {
        let none = Played { placement: PASS, color: 0 };
        Trace { moves: [none; MOST_MOVES], length: 0, children: [0; MOST_MOVES], depth: 0 }
    }
}

impl Trace {
    fn clear(&mut self) {
        self.length = 0;
        self.depth = 0;
    }

    #[inline(always)]
    fn push(&mut self, placement: PlacementId, color: usize) {
        self.moves[self.length] = Played { placement, color: color as u8 };
        self.length += 1;
    }

    #[inline(always)]
    fn moves(&self) -> &[Played] {
        &self.moves[..self.length]
    }
}

multiversion! {
    /// Runs some simulations from the root.
    pub(super) fn simulate(search: &mut Search, root: &Position, count: u64) = simulate_body;
}

#[inline(always)]
fn simulate_body(search: &mut Search, root: &Position, count: u64) {
    for _ in 0..count {
        search.simulate_once(root);
    }
}

impl Search {
    #[inline(always)]
    fn simulate_once(&mut self, root: &Position) {
        let mut position = *root;
        self.trace.clear();
        let result = match self.descend(&mut position) {
            Some(exact) => exact,
            None => self.finish(&mut position),
        };
        let utility = self.utility(result);
        self.update_path(result, utility);
        if self.parameters.rave > 0.0 {
            self.update_siblings(utility);
        }
        if self.parameters.replies > 0.5 {
            let good = result.points >= self.mean_points;
            self.replies.learn(self.trace.moves(), good);
        }
        self.simulations += 1;
    }

    /// Goes down the tree to a leaf, gives it children if it is ripe, and steps to the best prior.
    ///
    /// Returns the result if it is known there.
    #[inline(always)]
    fn descend(&mut self, position: &mut Position) -> Option<Result> {
        let mut index = self.tree.root;
        loop {
            let node = self.tree.nodes[index];
            match node.stage {
                Stage::End => return None,
                Stage::Solved => return Some(Result { win: node.win, points: node.points }),
                Stage::Leaf if !self.is_ripe(&node) => return None,
                Stage::Leaf => {
                    self.expand(index, position, self.trace.depth);
                    let node = self.tree.nodes[index];
                    if node.stage == Stage::Solved {
                        return Some(Result { win: node.win, points: node.points });
                    }
                    if node.is_expanded() {
                        self.step(node.first_child as usize, position);
                    }
                    return None;
                }
                Stage::Complete | Stage::Narrow => {
                    while position.color() != node.color as usize {
                        position.drop_color();
                    }
                    let exploration = self.exploration(node.visits);
                    let child = self.tree.select(self.cpu, &node, exploration);
                    index = self.step(child, position);
                }
            }
        }
    }

    /// Returns whether a leaf has enough visits to get children.
    #[inline(always)]
    fn is_ripe(&self, node: &Node) -> bool {
        let depth = self.trace.depth;
        let visits = self.parameters.expand_visits + self.parameters.expand_depth * depth as f32;
        depth == 0 || node.visits as f32 >= visits && !self.full
    }

    #[inline(always)]
    fn exploration(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        let growth = self.parameters.explore_growth * (visits + 1.0).ln();
        (self.parameters.explore + growth) * visits.sqrt()
    }

    /// Plays the move of a child. Returns its node.
    #[inline(always)]
    fn step(&mut self, child: usize, position: &mut Position) -> usize {
        let placement = self.tree.placement[child];
        self.trace.push(placement, position.color());
        self.trace.children[self.trace.depth] = child as u32;
        self.trace.depth += 1;
        position.place(placement);
        self.tree.node_of(child)
    }

    /// Lists the children of a node, the best prior first.
    pub(super) fn expand(&mut self, index: usize, position: &mut Position, depth: usize) {
        if !settle(self.cpu, position, &mut self.moves) {
            self.tree.nodes[index].stage = Stage::End;
            return;
        }
        if depth > 0 && self.solve_node(index, position) {
            return;
        }
        let weights = &self.priors.phases[phase(position.ply)];
        self.planes.describe(self.cpu, position);
        self.planes.score(self.cpu, weights, &self.moves, &mut self.scored);
        let width = match depth {
            0 => self.parameters.width_root,
            1 => self.parameters.width_second,
            _ => self.parameters.width_deeper,
        } as usize;
        let stage = if self.scored.len() > width { Stage::Narrow } else { Stage::Complete };
        if stage == Stage::Narrow {
            self.scored.select_nth_unstable_by(width, |a, b| b.cmp(a));
            self.scored.truncate(width);
        }
        self.make_children(index, position.team());
        self.tree.expand(index, position.color(), stage, &self.children);
    }

    /// Solves the position of a node if that is quick. Returns whether it was.
    fn solve_node(&mut self, index: usize, position: &Position) -> bool {
        let nodes = self.parameters.solve_tree_nodes as u64;
        if nodes == 0 || f32::from(position.ply) < self.parameters.solve_ply {
            return false;
        }
        let guess = self.tree.nodes[index].points.round() as i32;
        let solution = self.solver.solve(position, guess, nodes, None);
        let Some(solution) = solution else { return false };
        let result = Result::of(solution.difference);
        let node = &mut self.tree.nodes[index];
        node.stage = Stage::Solved;
        node.win = result.win;
        node.points = result.points;
        true
    }

    /// Turns scored placements into children with priors and first values.
    fn make_children(&mut self, index: usize, team: usize) {
        let best = *self.scored.iter().max().expect("a node with moves has a best one");
        let node = &self.tree.nodes[index];
        let for_first_team = if node.visits > 0 { self.node_value(index) } else { self.mean_value };
        let parent = if team == 0 { for_first_team } else { 1.0 - for_first_team };
        let exponent = self.parameters.prior_exponent;
        let first_exponent = self.parameters.first_exponent;
        self.children.clear();
        let mut sum = 0.0;
        for scored in &self.scored {
            let below_best = scored.units() - best.units();
            let prior = (below_best * exponent).exp();
            sum += prior;
            let drop = self.parameters.first_drop * (1.0 - (below_best * first_exponent).exp());
            self.children.push(Child {
                placement: scored.placement,
                prior,
                value: parent - drop,
                weight: self.parameters.first_weight,
            });
        }
        for child in &mut self.children {
            child.prior /= sum;
        }
        self.put_best_first(best);
    }

    fn put_best_first(&mut self, best: Scored) {
        let found = self.children.iter().position(|child| child.placement == best.placement);
        if let Some(position) = found {
            self.children.swap(0, position);
        }
    }

    /// Returns the value of a node's visits for team 0.
    fn node_value(&self, index: usize) -> f32 {
        let node = &self.tree.nodes[index];
        self.utility(Result { win: node.win, points: node.points })
    }

    /// Plays a few plies and judges, or plays the game out. Returns what comes out.
    #[inline(always)]
    fn finish(&mut self, position: &mut Position) -> Result {
        let late = f32::from(position.ply) >= self.parameters.late_ply;
        let judged = self.net.is_some() && !late;
        let mut plies = if judged { self.parameters.playout_plies as usize } else { MOST_MOVES };
        self.playout.restart();
        while !position.is_over() {
            if plies == 0 {
                return self.judge(position);
            }
            let placement = self.playout_move(position);
            if placement == PASS {
                position.drop_color();
                continue;
            }
            self.trace.push(placement, position.color());
            position.place(placement);
            plies -= 1;
        }
        Result::of(position.difference())
    }

    #[inline(always)]
    fn judge(&self, position: &Position) -> Result {
        let Some(net) = &self.net else {
            return Result { win: 0.5, points: 0.0 };
        };
        let judgement = net.judge(self.cpu, position);
        if position.team() == 0 {
            Result { win: judgement.win, points: judgement.points }
        } else {
            Result { win: 1.0 - judgement.win, points: -judgement.points }
        }
    }

    #[inline(always)]
    fn playout_move(&mut self, position: &Position) -> PlacementId {
        let color = position.color();
        if self.parameters.replies > 0.5 {
            for reply in self.replies.find(color, self.trace.moves()) {
                if reply != PASS && is_legal(tables(), position, color, reply) {
                    return reply;
                }
            }
        }
        let policy = Policy {
            hit_limit: self.parameters.playout_hits as usize,
            double_weight: self.parameters.playout_double,
        };
        self.playout.choose(self.cpu, position, policy, &mut self.random)
    }

    /// Returns what a result is worth for team 0, from 0 to 1: winning, and points beyond the mean.
    #[inline(always)]
    fn utility(&self, result: Result) -> f32 {
        let weight = self.parameters.points_weight;
        let beyond = (result.points - self.mean_points) / self.parameters.points_scale;
        (1.0 - weight) * result.win + weight * sigmoid(beyond)
    }

    #[inline(always)]
    fn update_path(&mut self, result: Result, utility: f32) {
        let rate = 1.0 / (self.simulations as f32 + MEAN_START);
        self.mean_points += (result.points - self.mean_points) * rate;
        self.mean_value += (utility - self.mean_value) * rate;
        self.tree.nodes[self.tree.root].add(result.win, result.points);
        for step in 0..self.trace.depth {
            let child = self.trace.children[step] as usize;
            let for_first_team = self.trace.moves[step].color & 1 == 0;
            let value = if for_first_team { utility } else { 1.0 - utility };
            self.tree.weight[child] += 1.0;
            self.tree.value[child] += (value - self.tree.value[child]) / self.tree.weight[child];
            let node = self.tree.node[child] as usize;
            self.tree.nodes[node].add(result.win, result.points);
        }
    }

    /// Lets siblings share in the result if their move was played later in the line.
    #[inline(always)]
    fn update_siblings(&mut self, utility: f32) {
        for step in 0..self.trace.depth {
            let index = match step {
                0 => self.tree.root,
                _ => self.tree.node[self.trace.children[step - 1] as usize] as usize,
            };
            if self.tree.nodes[index].visits as f32 <= self.parameters.rave_parent {
                self.update_children(index, step, utility);
            }
        }
    }

    #[inline(always)]
    fn update_children(&mut self, index: usize, step: usize, utility: f32) {
        let node = self.tree.nodes[index];
        let value = if node.color & 1 == 0 { utility } else { 1.0 - utility };
        let decay = 1.0 / (self.trace.length - step) as f32;
        for when in step + 1..self.trace.length {
            let played = self.trace.moves[when];
            if played.color != node.color {
                continue;
            }
            let Some(child) = self.tree.scan_children(&node, played.placement) else { continue };
            if self.tree.weight[child] > self.parameters.rave_child {
                continue;
            }
            let weight = self.parameters.rave * (1.0 - (when - step) as f32 * decay);
            self.tree.weight[child] += weight;
            let change = weight * (value - self.tree.value[child]) / self.tree.weight[child];
            self.tree.value[child] += change;
        }
    }
}
