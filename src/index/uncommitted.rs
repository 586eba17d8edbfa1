//! Uncommitted changes of the word index.
//!
//! A commit waits for the disk a dozen times; a search must not. A few new or changed entries are therefore searched
//! in memory until [`Index::commit`], as are those that another process writes. Where the commit fails, the next sync
//! compares.

use super::{EntryKey, Index, Result, keyword::KeywordView};
use crate::journal::Entry;

impl Index {
    /// Makes uncommitted entries searchable in memory. `entries` is empty where entries were only removed.
    pub(super) fn search_uncommitted(&mut self, entries: Vec<(EntryKey, Entry)>) -> Result<()> {
        self.words_known = false;
        self.fresh = match entries.is_empty() {
            true => None,
            false => Some(KeywordView::in_memory(entries.iter().map(|(key, entry)| (*key, entry)))?),
        };
        self.uncommitted = true;
        Ok(())
    }

    /// Commits the changes that [`Index::update`] left uncommitted, with a checkpoint where one is due.
    pub fn commit(&mut self) -> Result<()> {
        if !self.uncommitted {
            return Ok(());
        }
        if self.is_checkpoint_due() {
            return self.checkpoint();
        }
        (self.uncommitted, self.fresh) = (false, None);
        self.commit_words()?;
        self.words_known = true;
        Ok(())
    }

    /// Whether there are changes for [`Index::commit`].
    pub fn is_uncommitted(&self) -> bool {
        self.uncommitted
    }

    /// Does the one-time work of the first change after opening in advance. Does nothing where another process holds
    /// the index.
    pub fn prepare(&mut self) {
        if !self.read_only() {
            self.graph.prepare();
        }
    }

    /// The newest bodies of some entries, in the order of `keys`.
    pub(super) fn texts(&self, keys: &[EntryKey]) -> Result<Vec<Option<String>>> {
        self.words.view().texts(keys, self.fresh.as_ref())
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

    fn update(index: &mut Index, vault: &Vault, scope: ScanScope<'_>) {
        index.update(vault, scope, &mut |_| true).unwrap();
    }

    /// The text of an entry in the commit, and in the uncommitted view.
    fn texts(index: &mut Index, entry: &Entry) -> [Option<String>; 2] {
        let snapshot = index.snapshot();
        let of = |view: &KeywordView| view.texts(&[EntryKey::of(&entry.id)], None).unwrap().remove(0);
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
        update(&mut index, &vault, ScanScope::In(std::slice::from_ref(&rain.place.file)));
        assert_eq!(texts(&mut index, &rain), [None, some("Rain.")]);
        assert_eq!(texts(&mut index, &fog), [some("Fog."), None]);
        index.commit().unwrap();
        assert_eq!(texts(&mut index, &rain), [some("Rain."), None]);

        let change = Change { body: Some("Thick fog.".to_owned()), ..Change::default() };
        assert!(matches!(vault.edit(&fog, change).unwrap(), Edited::Saved(_)));
        update(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(texts(&mut index, &fog), [some("Fog."), some("Thick fog.")]);
        assert_eq!(index.texts(&[EntryKey::of(&fog.id)]).unwrap(), [some("Thick fog.")]);
        vault.remove(&rain).unwrap();
        update(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(
            texts(&mut index, &fog),
            [some("Thick fog."), None],
            "the next look commits what the one before left"
        );
        assert!(index.is_uncommitted() && index.fresh.is_none());
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
        assert_eq!((index.catalog().entries().len(), index.unsaved), (300, 0));
        for file in &files {
            // An old time, so that an unchanged stamp means an unchanged file.
            let later = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
            std::fs::File::options().write(true).open(file).unwrap().set_modified(later).unwrap();
        }
        update(&mut index, &vault, ScanScope::Everywhere);
        assert_eq!(index.unsaved, 0);
        assert!(index.sync(&vault, &mut |_| true).unwrap().unchanged);
    }

    #[test]
    fn what_was_not_committed_is_taken_in_again_by_whoever_opens_next() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        add(&vault, "Fog.");
        index.sync(&vault, &mut |_| true).unwrap();
        let rain = add(&vault, "Rain.");
        update(&mut index, &vault, ScanScope::Everywhere);
        // Dropped without a commit, like a killed process.
        drop(index);
        let (vault, mut index) = open(dir.path());
        assert_eq!(texts(&mut index, &rain), [None, None]);
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(texts(&mut index, &rain), [some("Rain."), None]);
        let snow = add(&vault, "Snow.");
        update(&mut index, &vault, ScanScope::Everywhere);
        index.close().unwrap();
        assert_eq!(texts(&mut open(dir.path()).1, &snow), [some("Snow."), None], "who ends commits");
    }

    #[test]
    fn a_reader_finds_the_words_of_an_entry_that_was_removed_and_is_there_again() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        let (_, rain) = (add(&vault, "Fog."), add(&vault, "Rain."));
        index.sync(&vault, &mut |_| true).unwrap();
        let trashed = vault.remove(&rain).unwrap();
        index.sync(&vault, &mut |_| true).unwrap();
        vault.restore(&trashed.handle).unwrap();
        let (vault, mut reader) = open(dir.path());
        assert!(reader.read_only());
        reader.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(texts(&mut reader, &rain), [None, some("Rain.")]);
    }

    /// What the stores have: entries with their fingerprints in words, graph and vectors, and the entities.
    fn whole(index: &mut Index) -> String {
        let snapshot = index.snapshot();
        let words: std::collections::BTreeMap<_, _> = snapshot.keyword.fingerprints().unwrap().into_iter().collect();
        let graph: std::collections::BTreeMap<_, _> = index.graph.fingerprints().into_iter().collect();
        let named: Vec<_> = snapshot.graph.entities().to_vec();
        let dated: Vec<_> = snapshot.graph.dated_entries().collect();
        let listed: Vec<_> = index.catalog.states().collect();
        format!("{words:?}\n{graph:?}\n{named:?}\n{dated:?}\n{listed:?}")
    }

    /// A large journal is left without a checkpoint by most commands, see [`super::super::checkpoint`].
    #[test]
    fn many_commands_without_a_checkpoint_find_every_entry_and_equal_a_rebuild() {
        let dir = tempfile::tempdir().unwrap();
        let (vault, mut index) = open(dir.path());
        let fog = add(&vault, "Fog with Hùng.");
        let rain = add(&vault, "Rain with Linh, because of @Mai.");
        add(&vault, "Left alone.");
        index.sync(&vault, &mut |_| true).unwrap();
        let checkpoint = index.checkpoint;
        drop(index);
        let mut added = Vec::new();
        for at in 0..12 {
            let (vault, mut index) = open(dir.path());
            added.push(add(&vault, &format!("Met @Friend{at} and Linh, because of walk {at}.")));
            match at {
                4 => drop(vault.remove(&rain).unwrap()),
                6 => {
                    let change = Change { body: Some("Thick fog.".to_owned()), ..Change::default() };
                    vault.edit(&fog, change).unwrap();
                }
                _ => {}
            }
            update(&mut index, &vault, ScanScope::Everywhere);
            for entry in &added {
                assert!(texts(&mut index, entry).into_iter().flatten().eq([entry.body.clone()]), "command {at}");
                assert!(!index.graph.view().of_entry(EntryKey::of(&entry.id)).is_empty());
            }
            // Every third command is killed before it commits.
            if at % 3 != 2 {
                index.commit().unwrap();
            }
            assert_eq!(index.checkpoint, checkpoint, "command {at}");
        }
        let (vault, mut index) = open(dir.path());
        index.sync(&vault, &mut |_| true).unwrap();
        let lived = whole(&mut index);
        assert!(index.behind && index.checkpoint == checkpoint);
        index.close().unwrap();
        let (vault, mut index) = open(dir.path());
        assert!(index.checkpoint > checkpoint, "a small journal is saved by the first process that can");
        assert!(index.sync(&vault, &mut |_| true).unwrap().unchanged);
        assert_eq!(whole(&mut index), lived);
        let (mut index, _) = index.rebuild().unwrap();
        index.sync(&vault, &mut |_| true).unwrap();
        assert_eq!(whole(&mut index), lived);
    }
}
