//! The extracts of all entries. Those of the saved file stay encoded and are decoded one at a time, because a change of
//! a few entries needs few of the others.

use std::{borrow::Cow, sync::Arc};

use jiff::civil;

use super::{interned::InternedExtract, view::GraphView};
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
    payload: Vec<u8>,
    /// Where the entry of each row of `view` begins in `payload`, and its fingerprint.
    starts: Vec<u32>,
    fingerprints: Arc<[u64]>,
    view: Arc<GraphView>,
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
    /// The extracts of a file, with the start and the fingerprint of each row of the view; `None` where they do not fit.
    pub fn filed(view: &Arc<GraphView>, fingerprints: &Arc<[u64]>, payload: Vec<u8>, starts: Vec<u32>) -> Option<Self> {
        let len = view.rows.len();
        let fits = starts.len() == len && starts.iter().all(|start| (*start as usize) < payload.len());
        let filed = Filed { payload, starts, fingerprints: fingerprints.clone(), view: view.clone() };
        fits.then(|| Self { filed: Some(Arc::new(filed)), changed: KeyMap::default(), len })
    }

    pub fn decoded(entries: Vec<(EntryKey, InternedExtract)>) -> Self {
        let changed: KeyMap<_> = entries.into_iter().map(|(key, extract)| (key, Some(extract))).collect();
        Self { filed: None, len: changed.len(), changed }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn get(&self, key: EntryKey) -> Option<Cow<'_, InternedExtract>> {
        if let Some(changed) = self.changed.get(&key) {
            return changed.as_ref().map(Cow::Borrowed);
        }
        let filed = self.filed.as_ref()?;
        Some(Cow::Owned(filed.extract(filed.view.row(key)? as usize)))
    }

    pub fn fingerprint(&self, key: EntryKey) -> Option<u64> {
        if let Some(changed) = self.changed.get(&key) {
            return changed.as_ref().map(|extract| extract.fingerprint);
        }
        let filed = self.filed.as_ref()?;
        filed.fingerprints.get(filed.view.row(key)? as usize).copied()
    }

    /// Key and fingerprint of each entry.
    pub fn fingerprints(&self) -> impl Iterator<Item = (EntryKey, u64)> {
        let changed = self.changed.iter().filter_map(|(key, extract)| Some((*key, extract.as_ref()?.fingerprint)));
        let filed = self.filed.iter();
        let filed = filed.flat_map(|filed| filed.view.rows.iter().zip(filed.fingerprints.iter()));
        let filed = filed.map(|((_, key), fingerprint)| (*key, *fingerprint));
        changed.chain(filed.filter(|(key, _)| !self.changed.contains_key(key)))
    }

    /// Day and key of each entry.
    pub fn dated(&self) -> impl Iterator<Item = (civil::Date, EntryKey)> {
        let changed = self.changed.iter().filter_map(|(key, extract)| Some((extract.as_ref()?.day, *key)));
        let filed = self.filed.iter().flat_map(|filed| filed.view.rows.iter().copied());
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
