//! The extracts of all entries. Those of the saved file stay encoded and are decoded one at a time, because a change of
//! a few entries needs few of the others.

use std::{borrow::Cow, sync::Arc};

use jiff::civil;

use super::{interned::InternedExtract, persisted::Persisted};
use crate::index::{EntryKey, catalog::KeyMap, checkpoint};

/// See the module header. Cloning shares the file.
#[derive(Clone, Default)]
pub(super) struct Extracts {
    filed: Option<Arc<Filed>>,
    /// The entries that changed since; `None` for a removed one.
    changed: KeyMap<Option<InternedExtract>>,
    len: usize,
}

/// The extracts as encoded in the file.
struct Filed {
    kept: Arc<Persisted>,
    payload: Vec<u8>,
    /// Where the entry of each row begins in `payload`.
    starts: Vec<u32>,
}

impl Filed {
    /// # Panics
    /// If the file was not written by this program: its checksum was verified when it was read.
    fn extract(&self, row: usize) -> InternedExtract {
        let entry = checkpoint::part::<(EntryKey, InternedExtract)>(&self.payload[self.starts[row] as usize..]);
        entry.map(|((_, extract), _)| extract).expect("its checksum held when it was read")
    }
}

impl Extracts {
    /// The extracts of a file; `None` where the places of the entries do not fit. `starts`: by row of the view.
    pub fn filed(kept: &Arc<Persisted>, payload: Vec<u8>, starts: Vec<u32>) -> Option<Self> {
        let fits = starts.len() == kept.rows().len() && starts.iter().all(|start| (*start as usize) < payload.len());
        let len = starts.len();
        let filed = Arc::new(Filed { kept: kept.clone(), payload, starts });
        fits.then(|| Self { filed: Some(filed), changed: KeyMap::default(), len })
    }

    pub fn decoded(entries: Vec<(EntryKey, InternedExtract)>) -> Self {
        let changed: KeyMap<_> = entries.into_iter().map(|(key, extract)| (key, Some(extract))).collect();
        Self { filed: None, len: changed.len(), changed }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, key: EntryKey) -> Option<Cow<'_, InternedExtract>> {
        match self.changed.get(&key) {
            Some(changed) => changed.as_ref().map(Cow::Borrowed),
            None => {
                let filed = self.filed.as_ref()?;
                Some(Cow::Owned(filed.extract(filed.kept.row(key)?)))
            }
        }
    }

    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        match self.changed.get(&key) {
            Some(changed) => changed.as_ref().map(|extract| extract.fingerprint),
            None => self.filed.as_ref()?.kept.fingerprint(key),
        }
    }

    /// Key and fingerprint of each entry.
    pub fn fingerprints(&self) -> impl Iterator<Item = (EntryKey, u64)> {
        let changed = self.changed.iter().filter_map(|(key, extract)| Some((*key, extract.as_ref()?.fingerprint)));
        let filed = self.filed.iter().flat_map(|filed| filed.kept.fingerprints());
        changed.chain(filed.filter(|(key, _)| !self.changed.contains_key(key)))
    }

    /// Day and key of each entry.
    pub fn dated(&self) -> impl Iterator<Item = (civil::Date, EntryKey)> {
        let changed = self.changed.iter().filter_map(|(key, extract)| Some((extract.as_ref()?.day, *key)));
        let filed = self.filed.iter().flat_map(|filed| filed.kept.rows().iter().copied());
        changed.chain(filed.filter(|(_, key)| !self.changed.contains_key(key)))
    }

    /// Adds or replaces an extract; returns the previous one.
    pub fn insert(&mut self, key: EntryKey, extract: InternedExtract) -> Option<InternedExtract> {
        let before = self.remove(key);
        self.changed.insert(key, Some(extract));
        self.len += 1;
        before
    }

    pub fn remove(&mut self, key: EntryKey) -> Option<InternedExtract> {
        let before = self.get(key)?.into_owned();
        self.changed.insert(key, None);
        self.len -= 1;
        Some(before)
    }
}
