//! Several colours that want the same squares: an alpha-beta search over the group.

use super::lone::{Lone, most_points};
use super::table::{Bound, Hash};
use super::{Group, MOST_POINTS, Solver, TEAM_SIGN, first_in, reach, split};
use crate::blokus::board::{COLORS, Position, ROWS, Rows};
use crate::blokus::moves::open_attach;
use crate::blokus::pieces::{FULL_HAND, FULL_ROW, PASS, PlacementId, SIZE, tables};

impl Solver {
    /// Returns the gain of team 0 against team 1 in a group, exactly if it is between the bounds.
    pub(super) fn contest(
        &mut self,
        position: &Position,
        group: &Group,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let key = self.key(position, group);
        let known = self.contests.find(key);
        if let Some(entry) = known {
            let value = i32::from(entry.value);
            match entry.bound {
                Bound::Exact => return Some(value),
                Bound::AtLeast if value >= beta => return Some(value),
                Bound::AtMost if value <= alpha => return Some(value),
                _ => {}
            }
        }
        self.count()?;
        let (lowest, highest) = self.bounds(position, group);
        if lowest == highest || lowest >= beta {
            return Some(lowest);
        }
        if highest <= alpha {
            return Some(highest);
        }
        let first = known.map_or(PASS, |entry| entry.placement);
        self.try_moves(position, group, key, first, (alpha.max(lowest), beta.min(highest)))
    }

    fn try_moves(
        &mut self,
        position: &Position,
        group: &Group,
        key: u64,
        first: PlacementId,
        (mut alpha, mut beta): (i32, i32),
    ) -> Option<i32> {
        let color = group.next;
        let sign = TEAM_SIGN[color];
        let placements = self.ordered(position, group, color, first);
        if placements.is_empty() {
            return self.without(position, group, color, alpha, beta);
        }
        let bounds = (alpha, beta);
        let mut best = (-sign * MOST_POINTS, PASS);
        for placement in placements {
            let gain = self.after(position, group, color, placement, alpha, beta)?;
            if gain * sign > best.0 * sign {
                best = (gain, placement);
            }
            if sign > 0 {
                alpha = alpha.max(best.0);
            } else {
                beta = beta.min(best.0);
            }
            if alpha >= beta {
                break;
            }
        }
        let bound = match best.0 {
            value if value <= bounds.0 => Bound::AtMost,
            value if value >= bounds.1 => Bound::AtLeast,
            _ => Bound::Exact,
        };
        self.contests.store(key, best.0, best.1, bound);
        Some(best.0)
    }

    /// Returns the gain of a group in which one colour cannot move any more.
    fn without(
        &mut self,
        position: &Position,
        group: &Group,
        color: usize,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let colors = group.colors & !(1 << color);
        let mut rest = Group { colors, next: first_in(colors, color), ..*group };
        rest.reach[color] = Rows::EMPTY;
        self.sum(position, &rest, alpha, beta)
    }

    /// Returns the gain of a placement and of what follows.
    pub(super) fn after(
        &mut self,
        position: &Position,
        group: &Group,
        color: usize,
        placement: PlacementId,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let mut after = *position;
        after.place_for(color, placement);
        let points = TEAM_SIGN[color] * (after.points[color] - position.points[color]);
        let covered = squares(placement);
        let mut rest = *group;
        rest.next = first_in(group.colors, (color + 1) % COLORS);
        for other in (0..COLORS).filter(|other| group.colors >> other & 1 == 1) {
            if other == color || group.reach[other].meets(&covered) {
                rest.reach[other] = reach::reach(self.cpu, &after, other);
            }
        }
        Some(points + self.sum(&after, &rest, alpha - points, beta - points)?)
    }

    /// Returns the gain of a group that may have fallen into parts.
    fn sum(&mut self, position: &Position, group: &Group, alpha: i32, beta: i32) -> Option<i32> {
        let mut total = 0;
        let mut contests = Vec::new();
        for part in split(group) {
            if part.colors.is_power_of_two() {
                total += self.part_value(position, &part, alpha, beta)?;
            } else {
                contests.push(part);
            }
        }
        while let Some(part) = contests.pop() {
            // The last part may be cut off by the bounds; those before it must be exact.
            let window = if contests.is_empty() {
                (alpha - total, beta - total)
            } else {
                (-MOST_POINTS, MOST_POINTS)
            };
            total += self.contest(position, &part, window.0, window.1)?;
        }
        Some(total)
    }

    /// Returns bounds of the gain: each colour gets what it has to itself, or all it wants.
    fn bounds(&mut self, position: &Position, group: &Group) -> (i32, i32) {
        let mut lowest = 0;
        let mut highest = 0;
        for color in (0..COLORS).filter(|color| group.colors >> color & 1 == 1) {
            let all = &group.reach[color];
            let lone = Lone::of(position, color, all);
            let most =
                self.pack_quickly(&lone).unwrap_or_else(|| most_points(self.cpu, &lone, tables()));
            let disputed = (0..COLORS)
                .filter(|&other| other != color && group.colors >> other & 1 == 1)
                .fold(Rows::EMPTY, |set, other| set.union(&group.reach[other]));
            let alone = Lone::of(position, color, &all.without(&disputed));
            let least = self.pack_quickly(&alone).unwrap_or(0);
            let sign = TEAM_SIGN[color];
            lowest += if sign > 0 { least } else { -most };
            highest += if sign > 0 { most } else { -least };
        }
        (lowest, highest)
    }

    /// Lists the placements of a colour, promising ones first.
    pub(super) fn ordered(
        &mut self,
        position: &Position,
        group: &Group,
        color: usize,
        first: PlacementId,
    ) -> Vec<PlacementId> {
        let mut moves = self.take_moves();
        moves.find(self.cpu, position, color);
        let mut placements = Vec::new();
        moves.list(&mut placements);
        self.moves.push(moves);
        let opponents = [(color + 1) % COLORS, (color + 3) % COLORS];
        let wanted: Vec<(Rows, Rows)> = opponents
            .iter()
            .filter(|&&other| group.colors >> other & 1 == 1)
            .map(|&other| {
                let attach = open_attach(position, other, &position.free(other));
                (attach, group.reach[other])
            })
            .collect();
        placements.sort_by_cached_key(|&placement| {
            let covered = squares(placement);
            let taken: u32 = wanted
                .iter()
                .map(|(attach, reach)| {
                    4 * covered.intersection(attach).count() + covered.intersection(reach).count()
                })
                .sum();
            let size = u32::from(tables().form_of(placement).size);
            std::cmp::Reverse((placement == first, 4 * size + taken))
        });
        placements
    }

    /// Returns a number for what matters in a group: two equal groups have the same.
    fn key(&self, position: &Position, group: &Group) -> u64 {
        let mut hash = Hash(u64::from(group.colors) << 8 | group.next as u64);
        for color in (0..COLORS).filter(|color| group.colors >> color & 1 == 1) {
            let free = position.free(color).intersection(&group.reach[color]);
            let attach = open_attach(position, color, &free);
            hash.add(u64::from(position.hands[color] & FULL_HAND));
            hash.add_rows(&free.0[1..=SIZE]);
            hash.add_rows(&attach.0[1..=SIZE]);
        }
        hash.0
    }
}

/// Returns the squares of a placement.
fn squares(placement: PlacementId) -> Rows {
    let at = tables().placements[placement as usize];
    let form = &tables().forms[at.form as usize];
    let mut rows = Rows::EMPTY;
    let first = (at.y as usize).min(ROWS - 8);
    for (row, body) in rows.0[first..first + 8].iter_mut().zip(&form.body) {
        *row = body << at.x >> 1 & FULL_ROW;
    }
    rows
}
