//! Sync of the stores with the vault: scan, difference, apply, commit.

use std::{collections::HashSet, sync::Arc, thread};

use super::{
    Catalog, EntryKey, Index, IndexError, Result,
    catalog::KeyMap,
    end_of_thread,
    ingest::{Ingested, Taken},
    keyword::made_anew,
    model_switch::{BACKLOG, ModelVectors},
    scan::{self, Difference, ScanOutcome, ScanScope},
    words::Words,
};
use crate::journal::Vault;

/// Progress of a long operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// "reading", "indexing", "meaning", "causes".
    pub what: &'static str,
    pub done: usize,
    pub of: usize,
}

/// Result of a sync.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SyncReport {
    pub entries: usize,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
    /// Number of passages embedded by this sync.
    pub embedded: usize,
    /// The new active model, if it replaced another one.
    pub succeeded: Option<String>,
    /// Number of entries that another program removed or changed, and that were moved to the trash.
    pub vanished: usize,
    /// Warnings: damaged and rebuilt parts, vanished entries that were kept.
    pub warnings: Vec<String>,
    /// Another kioku holds the index: nothing was written, new entries are searched in memory.
    pub read_only: bool,
    /// Stopped early by the caller; the next sync continues.
    pub stopped: bool,
    /// No file differed and no store changed: an earlier snapshot is still valid.
    pub unchanged: bool,
    /// An entity note was added, removed or changed, even if only in its free text.
    pub noted: bool,
}

impl SyncReport {
    fn count(&mut self, difference: &Difference, after: &Catalog) {
        let replaced = difference.remove.iter().filter(|key| after.row(**key).is_some()).count();
        self.entries = after.entries().len();
        self.changed = replaced;
        self.added = difference.ingest.len() - replaced;
        self.removed = difference.remove.len() - replaced;
    }
}

/// Number of changed entries from which a sync ends with a checkpoint; with fewer, only words are committed.
pub(super) const CHECKPOINT_FROM: usize = 256;

/// The warning about entries that another program removed or changed.
pub(super) fn vanished_warning(count: usize) -> Option<String> {
    let entries = if count == 1 { "one entry".to_owned() } else { format!("{count} entries") };
    (count > 0).then(|| format!("{entries} removed or changed by another program can be restored from the trash"))
}

/// Number of tries to read day files that other programs keep writing.
pub(super) const READ_TRIES: usize = 3;

impl Index {
    /// Indexes the changes of the vault by word and in the graph, and registers their passages for embedding. Entries
    /// that another program removed or changed are moved to the trash first. `progress` returns false to stop: what
    /// was applied until then stays, in a consistent state.
    pub fn sync(&mut self, vault: &Vault, progress: &mut dyn FnMut(Progress) -> bool) -> Result<SyncReport> {
        let report = self.update(vault, ScanScope::Everywhere, progress)?;
        self.commit()?;
        Ok(report)
    }

    /// Like [`Index::sync`], but a few changed entries can be searched before their words are committed;
    /// [`Index::commit`] commits them, as does any later operation on the index. `look`: where to scan; the whole
    /// vault in any case where some store is out of sync.
    ///
    /// Where something cannot be written, all new entries are searched in memory; a damaged word index is rebuilt
    /// first.
    pub fn update(
        &mut self,
        vault: &Vault,
        look: ScanScope<'_>,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<SyncReport> {
        let mut warnings = if self.read_only() { self.reopen()? } else { Vec::new() };
        let mut outcome = self.compare(vault, look, progress);
        if let Err(error @ (IndexError::Damaged { .. } | IndexError::Keyword(_))) = &outcome
            && !self.read_only()
        {
            warnings.push(made_anew(error));
            outcome = self.rebuild_words().and_then(|()| self.compare(vault, ScanScope::Everywhere, progress));
        }
        if let Err(error) = &outcome
            && !self.read_only()
            && !matches!(error, IndexError::FolderGone { .. })
        {
            warnings = self.switch_to_read_only(error)?;
            outcome = self.compare(vault, ScanScope::Everywhere, progress);
        }
        let mut report = outcome?;
        if !report.stopped && self.stand_in(BACKLOG)? {
            let rest = self.compare(vault, ScanScope::Everywhere, progress)?;
            report.warnings.extend(rest.warnings);
            (report.stopped, report.unchanged) = (rest.stopped, false);
        }
        report.warnings.extend(vanished_warning(report.vanished));
        warnings.append(&mut report.warnings);
        Ok(SyncReport { warnings, ..report })
    }

    fn compare(
        &mut self,
        vault: &Vault,
        look: ScanScope<'_>,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<SyncReport> {
        let mut report = SyncReport { read_only: self.read_only(), ..SyncReport::default() };
        let mut tries = READ_TRIES;
        loop {
            tries -= 1;
            if self.compare_once(vault, look, tries == 0, &mut report, progress)? {
                return Ok(report);
            }
        }
    }

    /// False where day files were being written during the scan, and this is not the `last` try: nothing has been
    /// applied.
    fn compare_once(
        &mut self,
        vault: &Vault,
        look: ScanScope<'_>,
        last: bool,
        report: &mut SyncReport,
        progress: &mut dyn FnMut(Progress) -> bool,
    ) -> Result<bool> {
        self.commit()?;
        let read_only = report.read_only;
        let notes_before = self.notes_read.clone();
        let curated = self.curate(vault).unwrap_or_else(|error| {
            report.warnings.push(format!("changes to names and aliases could not be read: {error}"));
            false
        });
        report.noted = self.notes_read != notes_before;
        let refined = self.refine(vault).unwrap_or_else(|error| {
            report.warnings.push(format!("new answers of the language model could not be read: {error}"));
            false
        });
        // The entries were extracted with other aliases than the current ones.
        let renamed = self.graph.aliases_used() != self.graph.aliases();
        let rest_known = self.graph_known && self.all_vectors().all(|vectors| vectors.known);
        let known = self.words_known && rest_known;
        // The only difference is that words were committed after the last checkpoint; the next checkpoint can wait
        // until kioku is idle.
        let behind = !self.words_known && rest_known && self.checkpoint > 0;
        let in_step = known && !refined && !renamed;
        let look = if in_step && !read_only { look } else { ScanScope::Everywhere };
        // Read before the day files: a second copy that exists now was written to a day file before.
        let copies = self.unseen_copies(vault, look)?;
        // There will be changes: the graph reads what it needs for them during the scan.
        let is_changed = copies.is_some() || !self.words_known;
        let scanned = thread::scope(|scope| {
            let ahead = (is_changed && self.graph_known).then(|| scope.spawn(|| self.graph.is_whole()));
            let scanned = scan::scan(vault, &self.catalog, look, progress);
            ahead.map(end_of_thread);
            scanned
        })?;
        let (catalog, has_same_entries) = match scanned {
            None => {
                report.stopped = true;
                return Ok(true);
            }
            Some(ScanOutcome::Unchanged) => (None, true),
            Some(ScanOutcome::Newer(catalog)) => (Some(catalog), self.checkpoint > 0),
            Some(ScanOutcome::Changed(catalog)) => (Some(catalog), false),
        };
        if in_step && has_same_entries {
            if let Some(catalog) = catalog {
                // These files are read again at every start until the catalog is saved, and are found again by most
                // scans until then: counted once.
                self.unsaved = self.unsaved.max(scan::differing(&self.catalog, &catalog.files));
                self.catalog = Arc::from(catalog);
                self.seek_texts_again();
            }
            self.keep_missing(vault, None, copies, report);
            report.entries = self.catalog.entries().len();
            report.unchanged = !read_only && !curated;
            return Ok(true);
        }
        let catalog = catalog.map_or_else(|| self.catalog.clone(), Arc::from);
        let described = scan::changes(&self.catalog, &catalog);
        report.count(&described, &catalog);
        let fingerprints = self.word_fingerprints()?;
        let is_settled =
            read_only || self.keep_vanished(vault, &catalog, &described.remove, fingerprints.as_ref(), report)?;
        if !is_settled && !last {
            return Ok(false);
        }
        let seen = self.keep_missing(vault, Some(&catalog), copies, report);
        let mut plan = self.plan(described, fingerprints.as_ref(), &catalog, refined, renamed)?;
        if renamed {
            plan.graph.ingest_again(self.touched_by_aliases(&catalog, &self.graph.aliases())?);
            // Until all entries are ingested, some may have been extracted with the old aliases and some with the new
            // ones.
            self.graph.set_aliases_used([self.graph.aliases_used(), &self.graph.aliases()].concat());
        }
        self.to_read.entries = None;
        // An error from here on leaves the stores out of sync: the next sync compares them.
        self.mark_known(false);
        self.forget(&plan)?;
        let Taken { ingested, beside } = self.ingest(vault, &catalog, &plan, None, &mut report.warnings, progress)?;
        if ingested == Ingested::Stopped {
            // Ingested entries are committed as "ahead": the next sync compares instead of trusting the catalog.
            self.copies_seen.clear();
            self.commit_words()?;
            report.stopped = true;
            return Ok(true);
        }
        let changed = plan.ingest_count() + plan.forget_count();
        let read_again = scan::differing(&self.catalog, &catalog.files);
        let all_again = !catalog.entries().is_empty() && plan.graph.ingest.len() == catalog.entries().len();
        self.catalog = catalog;
        self.copies_seen = if ingested == Ingested::All && is_settled { seen } else { Vec::new() };
        // A file with a new stamp and the same entries is read again at every start until the catalog is saved.
        self.unsaved += changed.max(read_again);
        self.behind |= behind;
        self.seek_texts_again();
        if ingested == Ingested::Some {
            // A file was deleted or changed since the scan: the next sync compares its entries instead of trusting
            // the catalog.
            self.commit_words()?;
            return Ok(true);
        }
        self.mark_known(true);
        self.graph.set_aliases_used(self.graph.aliases());
        let amiss = self.checkpoint == 0 || !(known || behind);
        let many = self.is_checkpoint_due();
        if amiss || renamed || all_again || many && (beside.is_none() || changed == 0) {
            self.checkpoint()?;
        } else if let Some(entries) = beside.filter(|_| changed > 0) {
            self.search_uncommitted(entries)?;
        } else if changed > 0 {
            self.commit_words()?;
        }
        Ok(true)
    }

    /// Sets whether every store has exactly the entries of the catalog.
    pub(super) fn mark_known(&mut self, known: bool) {
        (self.words_known, self.graph_known) = (known, known);
        self.all_vectors().for_each(|vectors| vectors.known = known);
    }

    /// The work for each store. `described`: the differences to the catalog. A store that may differ from the catalog
    /// is compared itself, and so is the graph where answers of a language model changed (`refined`). `fingerprints`: the
    /// contents of the word index, where it may differ from the catalog.
    fn plan(
        &self,
        described: Difference,
        fingerprints: Option<&KeyMap<u64>>,
        wanted: &Catalog,
        refined: bool,
        renamed: bool,
    ) -> Result<Plan> {
        let words = match fingerprints {
            None => described.clone(),
            Some(fingerprints) => scan::difference(fingerprints, wanted, wanted.states()),
        };
        let graph_follows = described.is_empty() && !renamed || self.graph.is_whole();
        let mut graph = match self.graph_known && !refined && graph_follows {
            true => described.clone(),
            false => self.graph_difference(wanted),
        };
        if self.graph_known {
            // Entries that only have to be extracted again stay in the graph until then.
            let (gone, again): (HashSet<EntryKey>, HashSet<EntryKey>) =
                (described.remove.iter().copied().collect(), graph.ingest.iter().copied().collect());
            graph.remove.retain(|key| gone.contains(key) || !again.contains(key));
        }
        let of = |vectors: &Option<ModelVectors>| match vectors {
            None => Difference::default(),
            Some(vectors) if vectors.known => described.clone(),
            Some(vectors) => scan::difference(&vectors.store.fingerprints(), wanted, wanted.states()),
        };
        Ok(Plan { words, graph, vectors: of(&self.vectors), successor: of(&self.successor) })
    }

    fn forget(&mut self, plan: &Plan) -> Result<()> {
        if let Words::Writer(store) = &mut self.words {
            for key in &plan.words.remove {
                store.delete(*key)?;
            }
        }
        for key in &plan.graph.remove {
            self.graph.remove(*key);
        }
        for (vectors, part) in [(&mut self.vectors, &plan.vectors), (&mut self.successor, &plan.successor)] {
            if let Some(vectors) = vectors {
                part.remove.iter().for_each(|key| vectors.store.remove(*key));
            }
        }
        Ok(())
    }
}

/// The entries that each store has to remove and to ingest.
#[derive(Default)]
pub(super) struct Plan {
    words: Difference,
    pub(super) graph: Difference,
    vectors: Difference,
    successor: Difference,
}

impl Plan {
    /// Words, graph, vectors, and the vectors of a newly chosen model.
    pub(super) fn parts(&self) -> [&Difference; 4] {
        [&self.words, &self.graph, &self.vectors, &self.successor]
    }

    fn ingest_count(&self) -> usize {
        self.parts().map(|part| part.ingest.len()).into_iter().max().unwrap_or(0)
    }

    fn forget_count(&self) -> usize {
        self.parts().map(|part| part.remove.len()).into_iter().max().unwrap_or(0)
    }
}
