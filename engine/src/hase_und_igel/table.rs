//! Positions that a search has already seen, with what it found out about each.

use super::moves::Move;
use super::state::Position;

/// How a worth that was found relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub worth: i32,
    pub depth: u8,
    pub bound: Bound,
    pub play: Move,
}

impl Known {
    /// Returns the worth if it answers what a search so deep wants to know.
    pub fn answer(self, depth: u8, low: i32, high: i32) -> Option<i32> {
        let answers = match self.bound {
            Bound::Exact => true,
            Bound::AtLeast => self.worth >= high,
            Bound::AtMost => self.worth <= low,
        };
        (answers && self.depth >= depth).then_some(self.worth)
    }
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    worth: i16,
    play: Move,
    depth: u8,
    bound: Bound,
    generation: u8,
}

const EMPTY: Entry =
    Entry { key: 0, worth: 0, play: Move::SKIP, depth: 0, bound: Bound::AtMost, generation: 0 };

/// Places in which a position may be stored. They fill a cache line.
const WAYS: usize = 4;

/// A table of limited size that forgets the least useful positions.
pub struct Table {
    entries: Vec<Entry>,
    generation: u8,
}

impl Table {
    /// Makes an empty table of about so many megabytes.
    pub fn new(megabytes: usize) -> Table {
        let wanted = (megabytes << 20) / size_of::<Entry>();
        let count = (wanted.max(WAYS) + 1).next_power_of_two() / 2;
        Table { entries: vec![EMPTY; count], generation: 0 }
    }

    /// Begins another search. What earlier ones left is given up first.
    pub fn begin(&mut self) {
        self.generation = self.generation.wrapping_add(1);
    }

    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    fn bucket(&self, key: u64) -> std::ops::Range<usize> {
        let start = (key as usize).wrapping_mul(WAYS) & (self.entries.len() - 1);
        start..start + WAYS
    }

    pub fn get(&self, key: u64) -> Option<Known> {
        let bucket = &self.entries[self.bucket(key)];
        let entry = bucket.iter().find(|entry| entry.key == key)?;
        Some(Known {
            worth: i32::from(entry.worth),
            depth: entry.depth,
            bound: entry.bound,
            play: entry.play,
        })
    }

    pub fn put(&mut self, key: u64, known: Known) {
        let generation = self.generation;
        let bucket = self.bucket(key);
        let bucket = &mut self.entries[bucket];
        let use_of = |entry: &Entry| {
            if entry.key == key {
                return -1;
            }
            i32::from(entry.depth) + if entry.generation == generation { 256 } else { 0 }
        };
        let least = (0..WAYS).min_by_key(|&way| use_of(&bucket[way])).unwrap_or(0);
        bucket[least] = Entry {
            key,
            worth: known.worth as i16,
            play: known.play,
            depth: known.depth,
            bound: known.bound,
            generation,
        };
    }
}

/// Returns the number under which a position is stored. Different ones are as good as never equal.
pub fn key_of(position: Position) -> u64 {
    let mover = position.mover.packed().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let turn = u64::from(position.turn) + 1;
    let other = (position.other.packed() ^ turn << 56).wrapping_mul(0xC2B2_AE3D_27D4_EB4F);
    let mixed = (mover ^ mover >> 32).wrapping_add((other ^ other >> 29).rotate_left(23));
    let mixed = mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93);
    mixed ^ mixed >> 32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hase_und_igel::state::Hare;

    fn known(worth: i32, depth: u8, bound: Bound) -> Known {
        Known { worth, depth, bound, play: Move(77) }
    }

    #[test]
    fn what_was_put_is_found() {
        let mut table = Table::new(1);
        assert!(table.get(5).is_none());
        table.put(5, known(-1234, 7, Bound::Exact));
        let found = table.get(5).unwrap();
        assert_eq!((found.worth, found.depth, found.play), (-1234, 7, Move(77)));
        table.put(5, known(3, 2, Bound::AtLeast));
        assert_eq!(table.get(5).unwrap().worth, 3);
        table.clear();
        assert!(table.get(5).is_none());
    }

    #[test]
    fn what_an_earlier_search_left_goes_first_then_what_is_not_deep() {
        let mut table = Table::new(1);
        // These keys have the same place, since there are not so many places.
        let keys: Vec<u64> = (1..=6).map(|number| number << 40).collect();
        table.begin();
        table.put(keys[0], known(0, 20, Bound::Exact));
        table.begin();
        for (key, depth) in keys[1..5].iter().zip([9, 3, 8, 7]) {
            table.put(*key, known(0, depth, Bound::Exact));
        }
        assert!(table.get(keys[0]).is_none());
        table.put(keys[5], known(0, 1, Bound::Exact));
        assert!(table.get(keys[2]).is_none());
        assert!([1, 3, 4, 5].iter().all(|&place| table.get(keys[place]).is_some()));
    }

    #[test]
    fn a_bound_answers_only_what_it_tells() {
        assert_eq!(known(5, 3, Bound::Exact).answer(3, 0, 10), Some(5));
        assert_eq!(known(5, 3, Bound::Exact).answer(4, 0, 10), None);
        assert_eq!(known(5, 3, Bound::AtLeast).answer(3, 0, 5), Some(5));
        assert_eq!(known(5, 3, Bound::AtLeast).answer(3, 0, 6), None);
        assert_eq!(known(5, 3, Bound::AtMost).answer(3, 5, 10), Some(5));
        assert_eq!(known(5, 3, Bound::AtMost).answer(3, 4, 10), None);
    }

    #[test]
    fn positions_that_differ_in_anything_have_different_keys() {
        let start = Position::START;
        let hare = Hare::START;
        let mut keys: Vec<u64> = [
            start,
            Position { turn: 2, ..start },
            Position { mover: Hare { carrots: 67, ..hare }, ..start },
            Position { other: Hare { carrots: 67, ..hare }, ..start },
            Position { mover: Hare { field: 1, ..hare }, ..start },
            Position { mover: Hare { salads: 4, ..hare }, ..start },
            Position { mover: Hare { cards: 14, ..hare }, ..start },
            Position { mover: Hare { must_eat: true, ..hare }, ..start },
        ]
        .map(key_of)
        .to_vec();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), 8);
    }
}
