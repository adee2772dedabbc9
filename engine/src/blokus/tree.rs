//! The tree of positions that a search has looked at, and which child to look at next.
//!
//! Children of a node lie side by side in arrays, one array for each of their numbers, so that the
//! choice among them is vector code. A child gets a node of its own when it is first visited.

use super::pieces::{PASS, PlacementId};
use crate::cpu::{Cpu, multiversion};

/// Children are stored in whole groups of this size.
const LANES: usize = 8;
/// The value of entries that fill up a group. They are never chosen.
const NEVER: f32 = -1.0e9;
/// Marks a child that has no node yet.
pub const NO_NODE: u32 = u32::MAX;

/// How far a node is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Its children are not known yet.
    Leaf,
    /// All its children are listed.
    Complete,
    /// Only the children with the best priors are listed.
    Narrow,
    /// The game is over here.
    End,
    /// The result of perfect play is known: the means are exact and stay so.
    Solved,
}

/// A position in the tree.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    pub first_child: u32,
    pub children: u16,
    /// The colour that moves here. Colours between it and the last mover cannot move.
    pub color: u8,
    pub stage: Stage,
    pub visits: u32,
    /// Means over the visits, for team 0: the probability of winning and the difference of points.
    pub win: f32,
    pub points: f32,
}

impl Node {
    pub const LEAF: Node = Node {
        first_child: 0,
        children: 0,
        color: 0,
        stage: Stage::Leaf,
        visits: 0,
        win: 0.5,
        points: 0.0,
    };

    pub fn is_expanded(&self) -> bool {
        matches!(self.stage, Stage::Complete | Stage::Narrow)
    }

    pub fn child_range(&self) -> std::ops::Range<usize> {
        let first = self.first_child as usize;
        first..first + self.children as usize
    }

    /// Adds the result of a simulation, for team 0.
    pub fn add(&mut self, win: f32, points: f32) {
        self.visits += 1;
        let part = 1.0 / self.visits as f32;
        self.win += (win - self.win) * part;
        self.points += (points - self.points) * part;
    }
}

/// A new child: a placement with its prior and the value it starts with.
#[derive(Clone, Copy, Debug)]
pub struct Child {
    pub placement: PlacementId,
    pub prior: f32,
    pub value: f32,
    pub weight: f32,
}

/// All nodes and children. Values of children are for the team that moves there.
#[derive(Default)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub value: Vec<f32>,
    pub weight: Vec<f32>,
    pub prior: Vec<f32>,
    pub placement: Vec<PlacementId>,
    pub node: Vec<u32>,
    pub root: usize,
}

impl Tree {
    pub fn new() -> Self {
        let mut tree = Tree::default();
        tree.clear();
        tree
    }

    /// Forgets everything but a root without children.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.truncate_children();
        self.nodes.push(Node::LEAF);
        self.root = 0;
    }

    fn truncate_children(&mut self) {
        self.value.clear();
        self.weight.clear();
        self.prior.clear();
        self.placement.clear();
        self.node.clear();
    }

    pub fn root(&self) -> &Node {
        &self.nodes[self.root]
    }

    /// Returns roughly how many bytes the tree takes.
    pub fn bytes(&self) -> usize {
        const CHILD: usize = 3 * size_of::<f32>() + size_of::<PlacementId>() + size_of::<u32>();
        self.nodes.len() * size_of::<Node>() + self.value.len() * CHILD
    }

    /// Gives a node its children.
    pub fn expand(&mut self, node: usize, color: usize, stage: Stage, children: &[Child]) {
        let first = self.value.len();
        for child in children {
            self.push(*child);
        }
        let filler = Child { placement: PASS, prior: 0.0, value: NEVER, weight: 1.0 };
        while !self.value.len().is_multiple_of(LANES) {
            self.push(filler);
        }
        let node = &mut self.nodes[node];
        node.first_child = first as u32;
        node.children = children.len() as u16;
        node.color = color as u8;
        node.stage = stage;
    }

    fn push(&mut self, child: Child) {
        self.value.push(child.value);
        self.weight.push(child.weight);
        self.prior.push(child.prior);
        self.placement.push(child.placement);
        self.node.push(NO_NODE);
    }

    /// Returns the node of a child and makes it if there is none yet.
    #[inline(always)]
    pub fn node_of(&mut self, child: usize) -> usize {
        if self.node[child] == NO_NODE {
            self.node[child] = self.nodes.len() as u32;
            self.nodes.push(Node::LEAF);
        }
        self.node[child] as usize
    }

    /// Returns the child of an expanded node that plays this placement, quickly.
    #[inline(always)]
    pub fn scan_children(&self, node: &Node, placement: PlacementId) -> Option<usize> {
        let first = node.first_child as usize;
        let end = first + (node.children as usize).next_multiple_of(LANES);
        let (groups, _) = self.placement[first..end].as_chunks::<LANES>();
        for (group, placements) in groups.iter().enumerate() {
            // All lanes are compared at once, and only then is the right one looked for.
            if placements.iter().fold(false, |found, &other| found | (other == placement)) {
                let lane = placements.iter().position(|&other| other == placement)?;
                return Some(first + group * LANES + lane);
            }
        }
        None
    }

    /// Returns the child of a node that plays this placement.
    pub fn find_child(&self, node: usize, placement: PlacementId) -> Option<usize> {
        let node = &self.nodes[node];
        if node.is_expanded() { self.scan_children(node, placement) } else { None }
    }

    /// Returns how often a child was visited.
    pub fn visits(&self, child: usize) -> u32 {
        match self.node[child] {
            NO_NODE => 0,
            node => self.nodes[node as usize].visits,
        }
    }

    /// Returns the child of a node whose value, with what is to be explored, is the highest.
    #[inline(always)]
    pub fn select(&self, cpu: Cpu, node: &Node, exploration: f32) -> usize {
        let first = node.first_child as usize;
        let range = first..first + (node.children as usize).next_multiple_of(LANES);
        let value = &self.value[range.clone()];
        let weight = &self.weight[range.clone()];
        first + highest(cpu, value, weight, &self.prior[range], exploration)
    }

    /// Keeps only what can be reached from a node, which becomes the root.
    pub fn keep(&mut self, root: usize) {
        let mut kept = Tree::default();
        kept.nodes.push(self.nodes[root]);
        let mut next = 0;
        while next < kept.nodes.len() {
            let node = kept.nodes[next];
            if node.is_expanded() {
                kept.nodes[next].first_child = kept.value.len() as u32;
                self.copy_children(&node, &mut kept);
            }
            next += 1;
        }
        *self = kept;
    }

    fn copy_children(&self, node: &Node, kept: &mut Tree) {
        let first = node.first_child as usize;
        let range = first..first + (node.children as usize).next_multiple_of(LANES);
        kept.value.extend_from_slice(&self.value[range.clone()]);
        kept.weight.extend_from_slice(&self.weight[range.clone()]);
        kept.prior.extend_from_slice(&self.prior[range.clone()]);
        kept.placement.extend_from_slice(&self.placement[range.clone()]);
        for child in range {
            let old = self.node[child];
            let new = if old == NO_NODE { NO_NODE } else { kept.nodes.len() as u32 };
            if old != NO_NODE {
                kept.nodes.push(self.nodes[old as usize]);
            }
            kept.node.push(new);
        }
    }
}

multiversion! {
    fn highest(value: &[f32], weight: &[f32], prior: &[f32], exploration: f32) -> usize
        = highest_body;
}

/// Returns the index of the highest value, the first of equal ones.
#[inline(always)]
fn highest_body(value: &[f32], weight: &[f32], prior: &[f32], exploration: f32) -> usize {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut group_of_best = [0u32; LANES];
    let (value, _) = value.as_chunks::<LANES>();
    let (weight, _) = weight.as_chunks::<LANES>();
    let (prior, _) = prior.as_chunks::<LANES>();
    for (group, ((value, weight), prior)) in value.iter().zip(weight).zip(prior).enumerate() {
        for lane in 0..LANES {
            let score = value[lane] + exploration * prior[lane] / weight[lane];
            let better = score > best[lane];
            best[lane] = if better { score } else { best[lane] };
            group_of_best[lane] = if better { group as u32 } else { group_of_best[lane] };
        }
    }
    let mut highest = 0;
    let index = |lane: usize| group_of_best[lane] as usize * LANES + lane;
    for lane in 1..LANES {
        let equal = best[lane] == best[highest] && index(lane) < index(highest);
        if best[lane] > best[highest] || equal {
            highest = lane;
        }
    }
    index(highest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn children(count: usize, random: &mut Random) -> Vec<Child> {
        (0..count)
            .map(|index| Child {
                placement: index as PlacementId,
                prior: random.unit(),
                value: random.unit(),
                weight: 1.0 + random.unit(),
            })
            .collect()
    }

    #[test]
    fn the_choice_is_the_highest_on_all_processors() {
        let mut random = Random::new(1);
        for count in 1..60 {
            let mut tree = Tree::new();
            let children = children(count, &mut random);
            tree.expand(0, 0, Stage::Complete, &children);
            let score = |child: &Child| child.value + 0.7 * child.prior / child.weight;
            let expected = (0..count).fold(0, |best, index| {
                if score(&children[index]) > score(&children[best]) { index } else { best }
            });
            for cpu in Cpu::all() {
                assert_eq!(tree.select(cpu, tree.root(), 0.7), expected);
            }
        }
    }

    #[test]
    fn keeping_a_subtree_keeps_its_numbers() {
        let mut random = Random::new(2);
        let mut tree = Tree::new();
        tree.expand(0, 0, Stage::Complete, &children(10, &mut random));
        let child = tree.find_child(0, 7).unwrap();
        let node = tree.node_of(child);
        tree.expand(node, 1, Stage::Narrow, &children(13, &mut random));
        let grandchild = tree.find_child(node, 3).unwrap();
        let deep = tree.node_of(grandchild);
        tree.nodes[deep].add(1.0, 12.0);
        let value = tree.value[grandchild];
        tree.keep(node);
        assert_eq!(tree.root().color, 1);
        assert_eq!(tree.root().children, 13);
        let kept = tree.find_child(tree.root, 3).unwrap();
        assert_eq!(tree.value[kept], value);
        assert_eq!(tree.visits(kept), 1);
        assert_eq!(tree.nodes[tree.node[kept] as usize].points, 12.0);
        assert_eq!(tree.nodes.len(), 2);
    }

    #[test]
    fn means_are_means() {
        let mut node = Node::LEAF;
        node.add(1.0, 10.0);
        node.add(0.0, -4.0);
        assert_eq!((node.visits, node.win, node.points), (2, 0.5, 3.0));
    }
}
