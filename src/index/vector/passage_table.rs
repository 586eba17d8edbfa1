//! The passage table: the passages of each entry, and the entries of each row. Cheap to publish: unchanged entries
//! are in immutable columns (see `passage_base`), changes since in shards behind `Arc`s, so a view copies pointers
//! and a change copies the few shards it touches.

use std::{ops::Range, sync::Arc};

use super::{
    chunked::Chunked,
    passage_base::{NONE, PassageBase},
};
use crate::index::{
    EntryKey,
    catalog::{KeyMap, KeySet},
    passage::PassageHash,
};

const SHARDS: u64 = 512;

/// Location of the vector of a passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Place {
    Row(u32),
    /// It has none yet.
    Waits(PassageHash),
}

impl Place {
    pub fn row(self) -> Option<u32> {
        match self {
            Self::Row(row) => Some(row),
            Self::Waits(_) => None,
        }
    }
}

/// One passage of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TablePassage {
    pub span: Range<u32>,
    pub place: Place,
}

/// One entry.
#[derive(Debug, Clone)]
pub(super) struct TableEntry {
    pub fingerprint: u64,
    /// Increases with every `set`: the newest entry has the highest.
    pub sequence: u64,
    pub passages: Arc<[TablePassage]>,
}

/// An entry, either from the base or changed since.
#[derive(Clone, Copy)]
pub(super) struct Holding<'a> {
    pub fingerprint: u64,
    pub sequence: u64,
    passages: Passages<'a>,
}

#[derive(Clone, Copy)]
enum Passages<'a> {
    Changed(&'a [TablePassage]),
    PassageBase(&'a PassageBase, u32),
}

impl<'a> Holding<'a> {
    fn changed(entry: &'a TableEntry) -> Self {
        let TableEntry { fingerprint, sequence, passages } = entry;
        Self { fingerprint: *fingerprint, sequence: *sequence, passages: Passages::Changed(passages) }
    }

    fn base(base: &'a PassageBase, at: u32) -> Self {
        let (fingerprint, sequence) = base.state(at);
        Self { fingerprint, sequence, passages: Passages::PassageBase(base, at) }
    }

    pub fn passages(self) -> impl Iterator<Item = TablePassage> + 'a {
        let range = match self.passages {
            Passages::Changed(passages) => 0..passages.len(),
            Passages::PassageBase(base, at) => base.passages(at),
        };
        range.map(move |nth| match self.passages {
            Passages::Changed(passages) => passages[nth].clone(),
            Passages::PassageBase(base, _) => base.passage(nth),
        })
    }

    pub fn to_owned(self) -> TableEntry {
        TableEntry { fingerprint: self.fingerprint, sequence: self.sequence, passages: self.passages().collect() }
    }
}

/// An entry and span of a row.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Owner {
    pub key: EntryKey,
    pub span: Range<u32>,
}

/// Entries by key, and by row.
#[derive(Clone)]
pub(super) struct PassageTable {
    base: Arc<PassageBase>,
    /// Entries of `base` that were changed or removed.
    gone: Arc<KeySet>,
    changed: Vec<Arc<KeyMap<TableEntry>>>,
    /// Of the changed entries.
    owners: Chunked<OwnersOfRow>,
    /// Number of entries.
    len: usize,
    /// Number of rows that belong to at least one entry.
    live: usize,
}

impl Default for PassageTable {
    fn default() -> Self {
        Self::over(PassageBase::default())
    }
}

impl PassageTable {
    pub fn over(base: PassageBase) -> Self {
        let (len, live) = (base.len(), base.live());
        let changed = vec![Arc::default(); SHARDS as usize];
        Self { base: Arc::new(base), gone: Arc::default(), changed, owners: Chunked::default(), len, live }
    }

    fn shard(key: EntryKey) -> usize {
        // The low bits choose the place inside a map.
        ((key.0 >> 32) % SHARDS) as usize
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// Number of rows that belong to at least one entry.
    pub fn live(&self) -> usize {
        self.live
    }

    pub fn find(&self, key: EntryKey) -> Option<Holding<'_>> {
        if let Some(entry) = self.changed[Self::shard(key)].get(&key) {
            return Some(Holding::changed(entry));
        }
        self.base_at(key).map(|at| Holding::base(&self.base, at))
    }

    /// The position of an entry in `base`, if it has not changed since.
    fn base_at(&self, key: EntryKey) -> Option<u32> {
        self.base.find(key).filter(|_| !self.gone.contains(&key))
    }

    pub fn iter(&self) -> impl Iterator<Item = (EntryKey, Holding<'_>)> {
        let changed = self.changed.iter().flat_map(|shard| shard.iter());
        let base = self.base.keys().filter(|(_, key)| !self.gone.contains(key));
        changed
            .map(|(key, entry)| (*key, Holding::changed(entry)))
            .chain(base.map(|(at, key)| (key, Holding::base(&self.base, at))))
    }

    /// Adds an entry that is not in the table.
    pub fn put(&mut self, key: EntryKey, entry: TableEntry) {
        for passage in entry.passages.iter() {
            if let Some(row) = passage.place.row() {
                self.live += usize::from(self.is_free(row));
                self.owners.item_mut(row).push(Owner { key, span: passage.span.clone() });
            }
        }
        Arc::make_mut(&mut self.changed[Self::shard(key)]).insert(key, entry);
        self.len += 1;
    }

    pub fn take(&mut self, key: EntryKey) -> Option<TableEntry> {
        let entry = self.find(key)?.to_owned();
        let changed = &mut self.changed[Self::shard(key)];
        let base = !changed.contains_key(&key);
        if base {
            Arc::make_mut(&mut self.gone).insert(key);
        } else {
            Arc::make_mut(changed).remove(&key);
        }
        let rows = entry.passages.iter().filter_map(|passage| passage.place.row());
        let mut rows: Vec<u32> = rows.filter(|row| *row != NONE).collect();
        rows.sort_unstable();
        rows.dedup();
        for row in rows {
            if !base {
                self.owners.item_mut(row).retain(|owner| owner.key != key);
            }
            self.live -= usize::from(self.is_free(row));
        }
        self.len -= 1;
        Some(entry)
    }

    /// The entries and spans of a row; empty for a row without an entry.
    pub fn owners(&self, row: u32) -> impl Iterator<Item = Owner> + '_ {
        let changed = self.owners.get(row).map(OwnersOfRow::as_slice).unwrap_or_default().iter().cloned();
        let unchanged = |owner: &Owner| self.gone.is_empty() || !self.gone.contains(&owner.key);
        self.base.owners(row).filter(unchanged).chain(changed)
    }

    fn is_free(&self, row: u32) -> bool {
        self.owners(row).next().is_none()
    }
}

/// Nearly every text is in one entry only.
#[derive(Debug, Clone, Default)]
enum OwnersOfRow {
    #[default]
    None,
    One(Owner),
    Many(Vec<Owner>),
}

impl OwnersOfRow {
    fn as_slice(&self) -> &[Owner] {
        match self {
            Self::None => &[],
            Self::One(owner) => std::slice::from_ref(owner),
            Self::Many(owners) => owners,
        }
    }

    fn push(&mut self, owner: Owner) {
        *self = match std::mem::take(self) {
            Self::None => Self::One(owner),
            Self::One(first) => Self::Many(vec![first, owner]),
            // A long entry may repeat one text ten thousand times: each is added in constant time.
            Self::Many(mut owners) => {
                owners.push(owner);
                Self::Many(owners)
            }
        };
    }

    fn retain(&mut self, keep: impl Fn(&Owner) -> bool) {
        let mut kept: Vec<Owner> = self.as_slice().iter().filter(|owner| keep(owner)).cloned().collect();
        *self = match kept.len() {
            0 => Self::None,
            1 => kept.pop().map_or(Self::None, Self::One),
            _ => Self::Many(kept),
        };
    }
}
