//! Remembers replies that were good: after a move, and after a pair of moves.
//!
//! A reply is forgotten as soon as it turns out badly once.

use super::board::{COLORS, Played};
use super::pieces::{PASS, PLACEMENTS, PlacementId};

const PAIR_BITS: u32 = 17;
const PAIRS: usize = 1 << PAIR_BITS;

/// The last good reply of each colour to each move and to pairs of moves.
pub struct Replies {
    to_move: Vec<PlacementId>,
    to_pair: Vec<PlacementId>,
}

impl Default for Replies {
    fn default() -> Self {
        Replies { to_move: vec![PASS; COLORS * PLACEMENTS], to_pair: vec![PASS; COLORS * PAIRS] }
    }
}

impl Replies {
    pub fn clear(&mut self) {
        self.to_move.fill(PASS);
        self.to_pair.fill(PASS);
    }

    /// Returns what a colour replied to the last moves, to the pair first. `PASS` means nothing.
    #[inline(always)]
    pub fn find(&self, color: usize, moves: &[Played]) -> [PlacementId; 2] {
        let [.., before, last] = moves else {
            return [PASS; 2];
        };
        [
            self.to_pair[pair_index(color, before.placement, last.placement)],
            self.to_move[color * PLACEMENTS + last.placement as usize],
        ]
    }

    /// Learns from a line of moves that went well, or not, for team 0.
    #[inline(always)]
    pub fn learn(&mut self, moves: &[Played], good_for_first_team: bool) {
        for index in 1..moves.len() {
            let Played { placement, color } = moves[index];
            let good = good_for_first_team == (color & 1 == 0);
            let color = color as usize;
            let last = moves[index - 1].placement;
            update(&mut self.to_move[color * PLACEMENTS + last as usize], placement, good);
            if index >= 2 {
                let pair = pair_index(color, moves[index - 2].placement, last);
                update(&mut self.to_pair[pair], placement, good);
            }
        }
    }
}

#[inline(always)]
fn update(reply: &mut PlacementId, placement: PlacementId, good: bool) {
    if good {
        *reply = placement;
    } else if *reply == placement {
        *reply = PASS;
    }
}

#[inline(always)]
fn pair_index(color: usize, before: PlacementId, last: PlacementId) -> usize {
    let pair = u32::from(before) << 16 | u32::from(last);
    let hash = pair.wrapping_mul(0x9E37_79B1) >> (32 - PAIR_BITS);
    color * PAIRS + hash as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(placement: PlacementId, color: u8) -> Played {
        Played { placement, color }
    }

    #[test]
    fn good_replies_are_remembered_and_bad_ones_forgotten() {
        let mut replies = Replies::default();
        let line = [played(1, 0), played(2, 1), played(3, 2)];
        replies.learn(&line, true);
        assert_eq!(replies.find(2, &line[..2]), [3, 3]);
        assert_eq!(replies.find(1, &line[..1]), [PASS, PASS]);
        replies.learn(&line, false);
        assert_eq!(replies.find(2, &line[..2]), [PASS, PASS]);
    }

    #[test]
    fn what_is_bad_for_one_team_is_good_for_the_other() {
        let mut replies = Replies::default();
        let line = [played(1, 3), played(2, 0), played(3, 1)];
        replies.learn(&line, false);
        assert_eq!(replies.find(1, &line[..2]), [3, 3]);
        assert_eq!(replies.find(0, &[played(9, 2), line[0]])[1], PASS);
    }
}
