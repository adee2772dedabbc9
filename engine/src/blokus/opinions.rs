//! What a search has found out: its opinion of each move, and how it expects the game to go on.

use super::board::Played;
use super::endgame::Solution;
use super::pieces::{PASS, PlacementId};
use super::search::Search;
use super::tree::NO_NODE;

/// What a search thinks of one move, for the team on turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Opinion {
    pub placement: PlacementId,
    pub visits: u32,
    pub value: f32,
    pub win: f32,
    pub points: f32,
    /// Whether this is the best move in an ending that was solved.
    pub exact: bool,
}

/// A move with what the search thinks of it and how it expects the game to go on.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub opinion: Opinion,
    pub continuation: Vec<Played>,
}

impl Search {
    /// Returns the move with the most visits, `PASS` if there is none.
    pub fn best(&self) -> PlacementId {
        self.opinions().first().map_or(PASS, |opinion| opinion.placement)
    }

    /// Returns what the search thinks of the moves it has visited, the best first.
    pub fn opinions(&self) -> Vec<Opinion> {
        let root = self.tree.root();
        if !root.is_expanded() {
            return Vec::new();
        }
        let first_team = root.color & 1 == 0;
        let opinion = |child: usize| {
            let (visits, win, points) = match self.tree.node[child] {
                NO_NODE => (0, root.win, root.points),
                node => {
                    let node = &self.tree.nodes[node as usize];
                    (node.visits, node.win, node.points)
                }
            };
            Opinion {
                placement: self.tree.placement[child],
                visits,
                value: self.tree.value[child],
                win: if first_team { win } else { 1.0 - win },
                points: if first_team { points } else { -points },
                exact: false,
            }
        };
        let mut opinions: Vec<Opinion> = root.child_range().map(opinion).collect();
        opinions.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        self.put_exact_first(&mut opinions);
        opinions
    }

    /// Puts the solution before all other moves, with its exact result.
    fn put_exact_first(&self, opinions: &mut [Opinion]) {
        let Some(solution) = self.exact else { return };
        let best = |opinion: &Opinion| opinion.placement == solution.placement;
        if let Some(index) = opinions.iter().position(best) {
            opinions[..=index].rotate_right(1);
            let (win, points) = self.exact_means(solution);
            opinions[0].win = win;
            opinions[0].points = points;
            opinions[0].exact = true;
        }
    }

    /// Returns the result of a solution for the team on turn.
    fn exact_means(&self, solution: Solution) -> (f32, f32) {
        let sign = if self.tree.root().color & 1 == 0 { 1 } else { -1 };
        let points = solution.difference * sign;
        ((points.signum() + 1) as f32 / 2.0, points as f32)
    }

    /// Returns the best moves, the best first, with the moves that are expected after them.
    pub fn lines(&self, count: usize) -> Vec<Line> {
        let line =
            |opinion: Opinion| Line { continuation: self.continuation(opinion.placement), opinion };
        self.opinions().into_iter().take(count).map(line).collect()
    }

    /// Returns the most visited moves after a move at the root.
    fn continuation(&self, placement: PlacementId) -> Vec<Played> {
        let mut moves = Vec::new();
        let mut child = self.tree.find_child(self.tree.root, placement);
        while let Some(index) = child {
            if self.tree.node[index] == NO_NODE {
                break;
            }
            let node = &self.tree.nodes[self.tree.node[index] as usize];
            let visits = |&child: &usize| self.tree.visits(child);
            child = node.child_range().filter(|child| visits(child) > 0).max_by_key(visits);
            if let Some(next) = child {
                let placement = self.tree.placement[next];
                moves.push(Played { placement, color: node.color });
            }
        }
        moves
    }

    /// Returns the final difference of points that the search expects, for team 0.
    pub fn expected_difference(&self) -> i32 {
        let root = self.tree.root();
        let points = if root.visits > 0 { root.points } else { self.mean_points };
        points.round() as i32
    }

    /// Returns win probability and points at the root, for the team on turn.
    pub fn root_means(&self) -> (f32, f32) {
        if let Some(solution) = self.exact {
            return self.exact_means(solution);
        }
        let root = self.tree.root();
        if root.color & 1 == 0 { (root.win, root.points) } else { (1.0 - root.win, -root.points) }
    }
}
