//! An index of sorted keys whose construction does not allocate for each key.

use super::EntryKey;

/// The position of each key in ascending order. Keys are hashes, so their upper bits predict the position: a lookup
/// reads two places, however many keys there are (and does a binary search where the keys are no hashes).
#[derive(Debug, Default)]
pub struct KeyIndex {
    keys: Vec<u64>,
    /// For each value of the upper bits, the position of the first such key.
    first: Vec<u32>,
    /// The shift that reduces a key to these bits.
    shift: u32,
}

impl KeyIndex {
    /// `keys` must be ascending. Linear.
    pub fn of(keys: Vec<u64>) -> Self {
        // About four keys share the same upper bits.
        let bits = (keys.len() / 4).max(2).ilog2();
        let shift = u64::BITS - bits;
        let mut first = Vec::with_capacity((1 << bits) + 1);
        for (at, key) in keys.iter().enumerate() {
            let begins = (key >> shift) as usize;
            while first.len() <= begins {
                first.push(at as u32);
            }
        }
        first.resize((1 << bits) + 1, keys.len() as u32);
        Self { keys, first, shift }
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn keys(&self) -> impl ExactSizeIterator<Item = EntryKey> + '_ {
        self.keys.iter().copied().map(EntryKey)
    }

    /// # Panics
    /// If `at` is out of range.
    pub fn key(&self, at: u32) -> EntryKey {
        EntryKey(self.keys[at as usize])
    }

    /// The position of a key.
    pub fn find(&self, key: EntryKey) -> Option<u32> {
        if self.keys.is_empty() {
            return None;
        }
        let begins = (key.0 >> self.shift) as usize;
        let (start, end) = (self.first[begins], self.first[begins + 1]);
        let alike = &self.keys[start as usize..end as usize];
        alike.binary_search(&key.0).ok().map(|at| start + at as u32)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_key_is_found_where_it_stands_and_no_other(
            hashes in prop::collection::btree_set(prop_oneof![any::<u64>(), 0u64..50, Just(u64::MAX)], 0..200),
            others in prop::collection::vec(prop_oneof![any::<u64>(), 0u64..50, Just(u64::MAX)], 20),
        ) {
            let keys: Vec<u64> = hashes.iter().copied().collect();
            let index = KeyIndex::of(keys.clone());
            for (at, key) in keys.iter().enumerate() {
                prop_assert_eq!(index.find(EntryKey(*key)), Some(at as u32));
            }
            for other in others {
                prop_assert_eq!(index.find(EntryKey(other)).is_some(), hashes.contains(&other));
            }
        }
    }
}
