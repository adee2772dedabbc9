//! A table of results that were found before. New results replace old ones in the same place.

use crate::blokus::pieces::{PASS, PlacementId};

/// What is known about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

#[derive(Clone, Copy, Debug)]
pub struct Entry {
    key: u64,
    pub value: i16,
    pub placement: PlacementId,
    pub bound: Bound,
}

const EMPTY: Entry = Entry { key: 0, value: 0, placement: PASS, bound: Bound::Exact };

pub struct Table {
    entries: Vec<Entry>,
    shift: u32,
}

impl Table {
    /// Returns a table with two to the power of `bits` entries.
    pub fn new(bits: u32) -> Self {
        Table { entries: vec![EMPTY; 1 << bits], shift: 64 - bits }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    pub fn find(&self, key: u64) -> Option<Entry> {
        let entry = self.entries[(key >> self.shift) as usize];
        (entry.key == key && key != 0).then_some(entry)
    }

    pub fn store(&mut self, key: u64, value: i32, placement: PlacementId, bound: Bound) {
        let value = value as i16;
        self.entries[(key >> self.shift) as usize] = Entry { key, value, placement, bound };
    }
}

/// Mixes numbers into one.
#[derive(Clone, Copy)]
pub struct Hash(pub u64);

impl Hash {
    #[inline(always)]
    pub fn add(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    /// Adds rows two by two.
    #[inline(always)]
    pub fn add_rows(&mut self, rows: &[u32]) {
        for pair in rows.chunks_exact(2) {
            self.add(u64::from(pair[0]) << 32 | u64::from(pair[1]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_is_found_and_nothing_else() {
        let mut table = Table::new(4);
        let key = 0xABCD_0000_0000_0001;
        table.store(key, -7, 12, Bound::AtMost);
        let entry = table.find(key).unwrap();
        assert_eq!((entry.value, entry.placement, entry.bound), (-7, 12, Bound::AtMost));
        assert!(table.find(key + 1).is_none());
        assert!(table.find(0).is_none());
        table.clear();
        assert!(table.find(key).is_none());
    }
}
