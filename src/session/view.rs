//! The view: the state that the screens read without waiting, built from a snapshot after each commit.

use std::sync::Arc;

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
    let days = files.iter().filter_map(FileStamp::day);
    newest_first(days.map(|day| DayLine { day, words: Vec::new(), moods: Vec::new(), records: 0 }).collect())
}

/// Computes the parts of the view that depend on the snapshot, going through all entries. Returns a closure that stores
/// them in the view, so that the view is locked only briefly.
pub(super) fn shown(snapshot: Arc<Snapshot>) -> impl FnOnce(&mut View) {
    let entries = snapshot.catalog.entries();
    let mut days: Vec<DayLine> = Vec::new();
    for entry in entries.iter() {
        if days.last().is_none_or(|line| line.day != entry.day) {
            days.push(DayLine { day: entry.day, words: Vec::new(), moods: Vec::new(), records: 0 });
        }
        let Some(line) = days.last_mut() else { continue };
        if entry.is_record() {
            line.records += 1;
            continue;
        }
        line.words.push(entry.words);
        if let Some(mood) = &entry.mood {
            line.moods.push(mood.clone());
        }
    }
    let days = Arc::new(newest_first(days));
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

/// Merges the lines of a day. A day may have several, because entries of a traveller can alternate between two days.
fn newest_first(mut days: Vec<DayLine>) -> Vec<DayLine> {
    days.sort_by_key(|line| line.day);
    days.dedup_by(|later, line| {
        let same = later.day == line.day;
        if same {
            line.words.append(&mut later.words);
            line.moods.append(&mut later.moods);
            line.records += later.records;
        }
        same
    });
    days.reverse();
    days
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
