//! The view: the state that the screens read without waiting, built from a snapshot after each commit.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::civil;

use super::{
    protocol::{DayLine, View},
    tally,
};
use crate::{
    index::Snapshot,
    journal::{EntityKind, FileStamp},
};

/// Maximum number of completions of each kind.
const OFFERED: usize = 500;

/// The days of the file names, newest first, before the index is open.
pub(super) fn days_by_name(files: &[FileStamp]) -> Vec<DayLine> {
    let days: BTreeSet<civil::Date> = files.iter().filter_map(FileStamp::day).collect();
    days.into_iter().rev().map(empty).collect()
}

/// Computes the parts of the view that depend on the snapshot, going through all entries. Returns a closure that stores
/// them in the view, so that the view is locked only briefly.
pub(super) fn shown(snapshot: Arc<Snapshot>) -> impl FnOnce(&mut View) {
    let entries = snapshot.catalog.entries();
    // By day, not by neighbours: entries of a traveller can alternate between two days.
    let mut days: BTreeMap<civil::Date, DayLine> = BTreeMap::new();
    for entry in entries.iter() {
        let line = days.entry(entry.day).or_insert_with(|| empty(entry.day));
        if entry.is_record() {
            line.records += 1;
            continue;
        }
        line.words.push(entry.words);
        if let Some(mood) = &entry.mood {
            line.moods.push(mood.clone());
        }
    }
    let days: Arc<Vec<DayLine>> = Arc::new(days.into_values().rev().collect());
    let written = || entries.iter().filter(|entry| !entry.is_record());
    let moods = Arc::new(most_used(written().filter_map(|entry| entry.mood.as_ref())));
    let tags = Arc::new(most_used(written().flat_map(|entry| &entry.tags)));
    let named = |people: bool| {
        let entities = snapshot.graph.named_entities();
        let chosen = entities.filter(|entity| match entity.kind {
            EntityKind::Person => true,
            EntityKind::Emotion => false,
            _ => !people,
        });
        Arc::new(chosen.map(|entity| entity.name.clone()).take(OFFERED).collect::<Vec<_>>())
    };
    let (people, names) = (named(true), named(false));
    let notices = Arc::new(snapshot.catalog.notices.clone());
    // Records are no entries of the diary.
    let count = days.iter().map(|line| line.words.len()).sum();
    move |view| {
        (view.days, view.entries, view.notices) = (days, count, notices);
        (view.moods, view.tags, view.people, view.names) = (moods, tags, people, names);
        view.snapshot = Some(snapshot);
    }
}

fn empty(day: civil::Date) -> DayLine {
    DayLine { day, words: Vec::new(), moods: Vec::new(), records: 0 }
}

fn most_used<'w>(words: impl Iterator<Item = &'w String>) -> Vec<String> {
    tally(words).into_iter().take(OFFERED).map(|(word, _)| word.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_in_subfolders_are_listed_once_and_newest_first() {
        let stamp = |file: &&str| FileStamp { file: (*file).into(), size: 0, modified: 0 };
        let files = ["2024-03-01.md", "2023/12/2023-12-31.md", "2025/2024-03-01 A walk.md", "old/20260222.md"];
        let days = days_by_name(&files.iter().map(stamp).collect::<Vec<_>>());
        let days: Vec<String> = days.iter().map(|line| line.day.to_string()).collect();
        assert_eq!(days, ["2026-02-22", "2024-03-01", "2023-12-31"]);
    }
}
