//! Which entries hold which passages, and which entries a row belongs to, in a form that is cheap to publish: both maps
//! lie in shards behind `Arc`s, so a view copies pointers and a change copies the few shards it touches.

use std::{ops::Range, sync::Arc};

use crate::index::{
    EntryKey,
    catalog::KeyMap,
    passage::{Passage, PassageHash},
};

const SHARDS: u64 = 512;
/// Rows a shard of owners.
const OWNED: usize = 1024;

/// One passage of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HeldPassage {
    pub span: Range<u32>,
    pub hash: PassageHash,
    /// `None` while it has no vector.
    pub row: Option<u32>,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct HeldEntry {
    pub fingerprint: u64,
    /// Counts up with every telling: the newest entry has the highest.
    pub told: u64,
    pub passages: Arc<[HeldPassage]>,
}

/// Entries by key.
#[derive(Debug, Clone)]
pub(super) struct Entries {
    shards: Vec<Arc<KeyMap<HeldEntry>>>,
}

impl Default for Entries {
    fn default() -> Self {
        Self { shards: vec![Arc::default(); SHARDS as usize] }
    }
}

impl Entries {
    fn shard(key: EntryKey) -> usize {
        // The low bits choose the place inside a map.
        ((key.0 >> 32) % SHARDS) as usize
    }

    pub fn find(&self, key: EntryKey) -> Option<&HeldEntry> {
        self.shards[Self::shard(key)].get(&key)
    }

    pub fn put(&mut self, key: EntryKey, entry: HeldEntry) {
        Arc::make_mut(&mut self.shards[Self::shard(key)]).insert(key, entry);
    }

    pub fn take(&mut self, key: EntryKey) -> Option<HeldEntry> {
        self.find(key)?;
        Arc::make_mut(&mut self.shards[Self::shard(key)]).remove(&key)
    }

    pub fn iter(&self) -> impl Iterator<Item = (EntryKey, &HeldEntry)> {
        self.shards.iter().flat_map(|shard| shard.iter().map(|(key, entry)| (*key, entry)))
    }
}

impl HeldEntry {
    /// With the row of each that has a vector.
    pub fn passages(&self) -> Vec<(Passage, Option<u32>)> {
        let of = |held: &HeldPassage| (Passage { span: held.span.clone(), hash: held.hash }, held.row);
        self.passages.iter().map(of).collect()
    }
}

/// Where a row's text stands.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Owner {
    pub key: EntryKey,
    pub span: Range<u32>,
}

/// Nearly every text stands in one entry only.
#[derive(Debug, Clone, Default)]
enum OwnersOfRow {
    #[default]
    None,
    One(Owner),
    Many(Box<[Owner]>),
}

impl OwnersOfRow {
    fn as_slice(&self) -> &[Owner] {
        match self {
            Self::None => &[],
            Self::One(owner) => std::slice::from_ref(owner),
            Self::Many(owners) => owners,
        }
    }

    fn of(mut owners: Vec<Owner>) -> Self {
        match owners.len() {
            0 => Self::None,
            1 => owners.pop().map_or(Self::None, Self::One),
            _ => Self::Many(owners.into()),
        }
    }
}

/// Entries by row.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners {
    shards: Vec<Arc<Vec<OwnersOfRow>>>,
    /// Rows that stand in at least one entry.
    live: usize,
}

impl Owners {
    /// Rows that stand in at least one entry.
    pub fn live(&self) -> usize {
        self.live
    }

    /// Empty for a row that no entry holds.
    pub fn of(&self, row: u32) -> &[Owner] {
        let owners = self.shards.get(row as usize / OWNED).and_then(|shard| shard.get(row as usize % OWNED));
        owners.map(OwnersOfRow::as_slice).unwrap_or_default()
    }

    pub fn add(&mut self, row: u32, owner: Owner) {
        let place = self.place(row);
        if matches!(place, OwnersOfRow::None) {
            *place = OwnersOfRow::One(owner);
            self.live += 1;
        } else {
            self.change(row, |owners| owners.push(owner));
        }
    }

    /// Takes every standing of the row in an entry away.
    pub fn remove(&mut self, row: u32, key: EntryKey) {
        if self.of(row).iter().any(|owner| owner.key == key) {
            self.change(row, |owners| owners.retain(|owner| owner.key != key));
        }
    }

    fn change(&mut self, row: u32, change: impl FnOnce(&mut Vec<Owner>)) {
        let place = self.place(row);
        let mut owners = place.as_slice().to_vec();
        let was_live = !owners.is_empty();
        change(&mut owners);
        let is_live = !owners.is_empty();
        *place = OwnersOfRow::of(owners);
        match (was_live, is_live) {
            (false, true) => self.live += 1,
            (true, false) => self.live -= 1,
            _ => {}
        }
    }

    fn place(&mut self, row: u32) -> &mut OwnersOfRow {
        let (shard, at) = (row as usize / OWNED, row as usize % OWNED);
        if self.shards.len() <= shard {
            self.shards.resize_with(shard + 1, Arc::default);
        }
        let rows = Arc::make_mut(&mut self.shards[shard]);
        if rows.len() <= at {
            rows.resize_with(at + 1, OwnersOfRow::default);
        }
        &mut rows[at]
    }
}
