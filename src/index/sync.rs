//! Brings the stores in step with the vault: survey, difference, apply, commit.

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use super::{
    Catalog, CatalogEntry, EntryKey, Index, IndexError,
    catalog::KeyMap,
    keyword::KeywordView,
    passage,
    stores::Words,
    survey::{self, Difference, Survey},
};
use crate::{
    embed::Encoder,
    extract,
    journal::{Entry, Vault},
};

/// Where a long step stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// "reading", "indexing", "meaning".
    pub what: &'static str,
    pub done: usize,
    pub of: usize,
}

/// What a sync did.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SyncReport {
    pub entries: usize,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    /// Passages that had to be embedded now.
    pub embedded: usize,
    /// In words: what was damaged and rebuilt, what vanished and was kept.
    pub told: Vec<String>,
    /// Another kioku holds the index: nothing was written, new entries are searched in memory.
    pub read_only: bool,
    /// Stopped early by the caller; the next sync goes on.
    pub stopped: bool,
}

/// From so many changed entries on, a sync ends with a checkpoint; below, words alone are committed.
const CHECKPOINT_FROM: usize = 256;

/// Passages embedded at a time: enough to fill the encoder's batches, few enough to stop soon.
const EMBED_BATCH: usize = 256;

impl Index {
    /// Indexes what changed in the vault by word and connection, and tells the meaning store which passages there
    /// are. Entries that another program removed or changed go to the trash as vanished first.
    /// `progress` returns false to stop: what was applied until then stays, nothing is half done.
    pub fn sync(
        &mut self,
        vault: &Vault,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<SyncReport, IndexError> {
        let told = if self.read_only() { self.reopen()? } else { Vec::new() };
        let mut report = SyncReport { read_only: self.read_only(), told, ..SyncReport::default() };
        let known = self.words_known && self.graph_known && self.vectors_known;
        let catalog = match survey::survey(vault, &self.catalog, progress)? {
            None => {
                report.stopped = true;
                return Ok(report);
            }
            Some(Survey::Unchanged) if known => {
                report.entries = self.catalog.entries().len();
                return Ok(report);
            }
            Some(Survey::Unchanged) => self.catalog.clone(),
            Some(Survey::Changed(catalog)) => Arc::new(catalog),
        };
        report.entries = catalog.entries().len();
        count_changes(&self.catalog, &catalog, &mut report);
        if !self.read_only() {
            self.keep_vanished(vault, &catalog, &mut report)?;
        }
        let plan = self.plan(&catalog)?;
        let touched = plan.learn_count();
        self.forget(&plan)?;
        if !self.learn(vault, &catalog, &plan, progress)? {
            // What was learned is committed as "ahead": the next sync compares instead of trusting the catalog.
            self.commit_words()?;
            (self.words_known, self.graph_known, self.vectors_known) = (false, false, false);
            report.stopped = true;
            return Ok(report);
        }
        let changed = touched + plan.forget_count();
        let same_files = self.catalog.files == catalog.files;
        self.catalog = catalog;
        self.unsaved += changed + usize::from(!same_files);
        (self.words_known, self.graph_known, self.vectors_known) = (true, true, true);
        if self.generation == 0 || !known || self.unsaved >= CHECKPOINT_FROM {
            self.checkpoint()?;
        } else if changed > 0 {
            self.commit_words()?;
        }
        Ok(report)
    }

    /// Embeds up to `limit` passages that have no vector yet, newest entries first. Returns how many were embedded;
    /// 0 when none is left. Vectors are durable at once and keyed by their text: nothing is embedded twice.
    pub fn embed(&mut self, encoder: &dyn Encoder, limit: usize) -> Result<usize, IndexError> {
        if self.read_only() {
            return Ok(0);
        }
        let Some(vectors) = &mut self.vectors else { return Ok(0) };
        let missing = vectors.missing(limit.min(EMBED_BATCH) + self.unreadable);
        let Words::Writer(store) = &self.words else { return Ok(0) };
        let keys: Vec<EntryKey> = missing.iter().map(|(key, _)| *key).collect();
        let bodies = store.view()?.texts(&keys)?;
        let mut hashes = Vec::new();
        let mut texts = Vec::new();
        let mut unreadable = 0;
        for ((_, passage), body) in missing.iter().zip(&bodies) {
            let text =
                body.as_deref().and_then(|body| body.get(passage.span.start as usize..passage.span.end as usize));
            match text {
                Some(text) if passage::PassageHash::of(text) == passage.hash => {
                    hashes.push(passage.hash);
                    texts.push(text);
                }
                _ => unreadable += 1,
            }
        }
        self.unreadable = unreadable;
        if texts.is_empty() {
            return Ok(0);
        }
        match encoder.embed(&texts) {
            Ok(embedded) => {
                let rows: Vec<_> = hashes.into_iter().zip(embedded).collect();
                vectors.insert(&rows)?;
                Ok(rows.len())
            }
            Err(error) => {
                self.vector_fault = Some(error.to_string());
                Err(IndexError::Vector(error.to_string()))
            }
        }
    }

    fn plan(&self, wanted: &Catalog) -> Result<Plan, IndexError> {
        let described = self.catalog.fingerprints();
        let words = survey::difference(&self.held_words()?, wanted);
        let graph = match self.graph_known {
            true => survey::difference(&described, wanted),
            false => survey::difference(&self.graph.held(), wanted),
        };
        let vectors = match &self.vectors {
            None => Difference::default(),
            Some(_) if self.vectors_known => survey::difference(&described, wanted),
            Some(store) => survey::difference(&store.held(), wanted),
        };
        Ok(Plan { words, graph, vectors })
    }

    fn forget(&mut self, plan: &Plan) -> Result<(), IndexError> {
        if let Words::Writer(store) = &mut self.words {
            for key in &plan.words.remove {
                store.delete(*key)?;
            }
        }
        for key in &plan.graph.remove {
            self.graph.remove(*key);
        }
        if let Some(vectors) = &mut self.vectors {
            for key in &plan.vectors.remove {
                vectors.remove(*key);
            }
        }
        Ok(())
    }

    /// Reads the entries the stores lack, file by file, and tells them. False where `progress` said stop.
    fn learn(
        &mut self,
        vault: &Vault,
        catalog: &Catalog,
        plan: &Plan,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<bool, IndexError> {
        let [words, graph, vectors] =
            [&plan.words, &plan.graph, &plan.vectors].map(|part| part.learn.iter().copied().collect::<HashSet<_>>());
        let mut files: BTreeMap<&str, Vec<&CatalogEntry>> = BTreeMap::new();
        let any = |key: &EntryKey| words.contains(key) || graph.contains(key) || vectors.contains(key);
        for entry in catalog.entries().iter().filter(|entry| any(&entry.key)) {
            files.entry(entry.place.file.as_ref()).or_default().push(entry);
        }
        let of: usize = files.values().map(Vec::len).sum();
        let mut done = 0;
        let mut beside: Vec<(EntryKey, Entry)> = Vec::new();
        for (file, wanted) in files {
            if !progress(Progress { what: "indexing", done, of }) {
                return Ok(false);
            }
            done += wanted.len();
            // Unreadable since the survey: its stamp differs next time, and the next sync reads it again.
            let Ok(day) = vault.read(file) else { continue };
            for known in wanted {
                let Some(written) = day.entries.get(known.place.position as usize) else { continue };
                if written.entry.hash != known.hash {
                    continue;
                }
                let entry = Entry { id: known.id.clone(), ..written.entry.clone() };
                if graph.contains(&known.key) {
                    self.graph.set(known.key, known.fingerprint, entry.day, extract::extract(&entry));
                }
                if let Some(store) = self.vectors.as_mut().filter(|_| vectors.contains(&known.key)) {
                    store.set(known.key, known.fingerprint, passage::passages(&entry.body));
                }
                if words.contains(&known.key) {
                    match &mut self.words {
                        Words::Writer(store) => store.add(known.key, known.fingerprint, &entry)?,
                        Words::Reader { .. } => beside.push((known.key, entry)),
                    }
                }
            }
        }
        if let Words::Reader { fresh, .. } = &mut self.words
            && !beside.is_empty()
        {
            *fresh = Some(KeywordView::in_memory(beside.iter().map(|(key, entry)| (*key, entry)))?);
        }
        Ok(true)
    }

    /// What the catalog remembers and no file holds any more goes to the trash with the text the index kept.
    fn keep_vanished(&self, vault: &Vault, now: &Catalog, report: &mut SyncReport) -> Result<(), IndexError> {
        let standing: HashSet<_> = now.entries().iter().chain(now.copies()).map(|entry| entry.hash).collect();
        let gone: Vec<&CatalogEntry> =
            self.catalog.entries().iter().map(AsRef::as_ref).filter(|entry| !standing.contains(&entry.hash)).collect();
        if gone.is_empty() {
            return Ok(());
        }
        let Words::Writer(store) = &self.words else { return Ok(()) };
        let keys: Vec<EntryKey> = gone.iter().map(|entry| entry.key).collect();
        let texts = store.view()?.texts(&keys)?;
        let last_known: Vec<Entry> =
            gone.iter().zip(texts).filter_map(|(entry, text)| Some(entry.with_body(text?))).collect();
        let mut kept = 0;
        for entry in &last_known {
            kept += usize::from(vault.keep_vanished(entry)?.is_some());
        }
        if kept > 0 {
            let entries = if kept == 1 { "one entry" } else { "entries" };
            report.told.push(format!(
                "{kept} {entries} removed or changed by another program can be put back from the trash",
            ));
        }
        Ok(())
    }
}

/// What each store must forget and learn.
struct Plan {
    words: Difference,
    graph: Difference,
    vectors: Difference,
}

impl Plan {
    fn learn_count(&self) -> usize {
        [&self.words, &self.graph, &self.vectors].map(|part| part.learn.len()).into_iter().max().unwrap_or(0)
    }

    fn forget_count(&self) -> usize {
        [&self.words, &self.graph, &self.vectors].map(|part| part.remove.len()).into_iter().max().unwrap_or(0)
    }
}

fn count_changes(before: &Catalog, after: &Catalog, report: &mut SyncReport) {
    let held: KeyMap<u64> = before.fingerprints();
    let difference = survey::difference(&held, after);
    let replaced = difference.remove.iter().filter(|key| after.row(**key).is_some()).count();
    report.changed = replaced;
    report.added = difference.learn.len() - replaced;
    report.removed = difference.remove.len() - replaced;
}
