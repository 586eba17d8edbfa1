//! What the word index was given and has not committed.
//!
//! A commit waits for the disk a dozen times; whoever searches need not. A few entries that came or changed are searched by word in
//! memory until [`Index::settle`], as are those that another process writes. While there are any, the word index is not known to
//! hold what the catalog describes: where the commit fails, the next sync compares.

use super::{EntryKey, Index, IndexError, keyword::KeywordView, stores::Words};
use crate::journal::Entry;

/// See the top of the file.
pub(super) struct Uncommitted {
    /// Under the names they have in the catalog.
    entries: Vec<(EntryKey, Entry)>,
    /// The same to be searched by word; `None` where entries only went.
    pub view: Option<KeywordView>,
}

impl Index {
    /// Lets entries be found that the word index was given, before it commits them.
    pub(super) fn search_beside(&mut self, entries: Vec<(EntryKey, Entry)>) -> Result<(), IndexError> {
        self.words_known = false;
        let view = match entries.is_empty() {
            true => None,
            false => Some(KeywordView::in_memory(entries.iter().map(|(key, entry)| (*key, entry)))?),
        };
        self.unsettled = Some(Uncommitted { entries, view });
        Ok(())
    }

    /// Commits what [`Index::take_in`] left to be committed, and writes a checkpoint where it is time; nothing where it left
    /// nothing.
    pub fn settle(&mut self) -> Result<(), IndexError> {
        if self.unsettled.is_none() {
            return Ok(());
        }
        if self.is_checkpoint_due() {
            return self.checkpoint();
        }
        self.unsettled = None;
        self.commit_words()?;
        self.words_known = true;
        Ok(())
    }

    /// Does now what the first change after opening would have to do, for who is about to write; nothing where another process
    /// holds the index.
    pub fn prepare(&mut self) {
        if !self.read_only() {
            self.graph.prepare();
        }
    }

    /// What is searched in memory until [`Index::settle`]; `None` where nothing waits for it.
    pub fn unsettled(&self) -> Option<&[(EntryKey, Entry)]> {
        self.unsettled.as_ref().map(|unsettled| unsettled.entries.as_slice())
    }

    /// The bodies of some entries as they were last taken in, in the order asked.
    pub(super) fn texts(&self, keys: &[EntryKey]) -> Result<Vec<Option<String>>, IndexError> {
        let mut texts = match &self.words {
            Words::Writer(store) => store.view()?.texts(keys)?,
            Words::Reader { view, .. } => view.texts(keys)?,
        };
        for (key, entry) in self.unsettled().unwrap_or_default() {
            let asked = keys.iter().zip(&mut texts).filter(|(asked, _)| *asked == key);
            asked.for_each(|(_, text)| *text = Some(entry.body.clone()));
        }
        Ok(texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        index::{ScanScope, testing::open},
        journal::{Change, Edited, NewEntry, Vault},
    };

    fn add(vault: &Vault, body: &str) -> Entry {
        vault.append(NewEntry { body: body.to_owned(), ..NewEntry::default() }).unwrap()
    }

    fn take_in(index: &mut Index, vault: &Vault, look: ScanScope<'_>) {
        index.take_in(vault, look, &mut |_| true).unwrap();
    }

    /// The text of an entry as it is committed, and as it is found beside that.
    fn texts(index: &mut Index, entry: &Entry) -> [Option<String>; 2] {
        let snapshot = index.snapshot().unwrap();
        let of = |view: &KeywordView| view.texts(&[EntryKey::of(&entry.id)]).unwrap().remove(0);
        [of(&snapshot.keyword), snapshot.fresh.as_ref().and_then(of)]
    }

    fn some(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn what_came_or_changed_is_found_before_and_after_it_is_committed() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        let fog = add(&vault, "Fog.");
        index.sync(&vault, &mut |_| true).unwrap();
        let rain = add(&vault, "Rain.");
        take_in(&mut index, &vault, ScanScope::In(std::slice::from_ref(&rain.place.file)));
        assert_eq!(texts(&mut index, &rain), [None, some("Rain.")]);
        assert_eq!(texts(&mut index, &fog), [some("Fog."), None]);
        index.settle().unwrap();
        assert_eq!(texts(&mut index, &rain), [some("Rain."), None]);

        let change = Change { body: Some("Thick fog.".to_owned()), ..Change::default() };
        assert!(matches!(vault.edit(&fog, change).unwrap(), Edited::Saved(_)));
        take_in(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(texts(&mut index, &fog), [some("Fog."), some("Thick fog.")]);
        assert_eq!(index.texts(&[EntryKey::of(&fog.id)]).unwrap(), [some("Thick fog.")]);
        vault.remove(&rain).unwrap();
        take_in(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(
            texts(&mut index, &fog),
            [some("Thick fog."), None],
            "the next look commits what the one before left"
        );
        assert_eq!(index.unsettled().map(<[_]>::len), Some(0));
        assert!(index.catalog().row(EntryKey::of(&rain.id)).is_none());
        index.checkpoint().unwrap();
        assert_eq!(texts(&mut index, &rain), [None, None]);
    }

    #[test]
    fn many_files_that_are_only_newer_are_filed_so_and_not_read_again_at_every_start() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        std::fs::create_dir_all(vault.entries_folder()).unwrap();
        let days = jiff::civil::date(2025, 1, 1).series(jiff::Span::new().days(1)).take(300);
        let files: Vec<_> = days.map(|day| vault.entries_folder().join(format!("{day}.md"))).collect();
        for file in &files {
            let day = file.file_stem().unwrap().to_str().unwrap();
            std::fs::write(file, format!("# Kioku\n\n---\ntime: \"{day}T08:00:00+00:00\"\n---\nFog.\n")).unwrap();
        }
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!((index.catalog().entries().len(), index.unsaved()), (300, 0));
        for file in &files {
            // Long ago, so that its time tells whether it is as it was.
            let later = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
            std::fs::File::options().write(true).open(file).unwrap().set_modified(later).unwrap();
        }
        take_in(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(index.unsaved(), 0);
        assert!(index.sync(&vault, &mut |_| true).unwrap().unchanged);
    }

    #[test]
    fn what_was_not_committed_is_taken_in_again_by_whoever_opens_next() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        add(&vault, "Fog.");
        index.sync(&vault, &mut |_| true).unwrap();
        let rain = add(&vault, "Rain.");
        take_in(&mut index, &vault, ScanScope::Everywhere);
        // As a program that is killed.
        drop(index);
        let (vault, mut index) = open(dir.path());
        assert_eq!(texts(&mut index, &rain), [None, None]);
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(texts(&mut index, &rain), [some("Rain."), None]);
        let snow = add(&vault, "Snow.");
        take_in(&mut index, &vault, ScanScope::Everywhere);
        index.close().unwrap();
        assert_eq!(texts(&mut open(dir.path()).1, &snow), [some("Snow."), None], "who ends commits");
    }
}
