//! The view: what the screens may read at any time, made from a snapshot after each commit.

use std::{collections::HashMap, hash::Hash, sync::Arc};

use jiff::civil;

use super::protocol::{DayLine, View};
use crate::{
    index::Snapshot,
    journal::{EntityKind, FileStamp},
};

/// How many names of a sort are offered for completion.
const OFFERED: usize = 500;

/// Days known only by their files' names, newest first.
pub(super) fn days_by_name(files: &[FileStamp]) -> Vec<DayLine> {
    let days = files.iter().rev().filter_map(|file| file.file.strip_suffix(".md")?.parse::<civil::Date>().ok());
    days.map(|day| DayLine { day, words: Vec::new(), moods: Vec::new() }).collect()
}

/// Everything of the view that follows from a snapshot.
pub(super) fn show(view: &mut View, snapshot: Arc<Snapshot>) {
    let entries = snapshot.catalog.entries();
    let mut days: HashMap<civil::Date, DayLine> = HashMap::new();
    let mut moods: HashMap<&str, usize> = HashMap::new();
    let mut tags: HashMap<&str, usize> = HashMap::new();
    for entry in entries {
        let line =
            days.entry(entry.day).or_insert_with(|| DayLine { day: entry.day, words: Vec::new(), moods: Vec::new() });
        line.words.push(entry.words);
        if let Some(mood) = &entry.mood {
            line.moods.push(mood.clone());
            *moods.entry(mood).or_default() += 1;
        }
        for tag in &entry.tags {
            *tags.entry(tag).or_default() += 1;
        }
    }
    let mut days: Vec<DayLine> = days.into_values().collect();
    days.sort_by_key(|line| std::cmp::Reverse(line.day));
    view.days = Arc::new(days);
    view.entries = entries.len();
    view.moods = Arc::new(most_used(moods));
    view.tags = Arc::new(most_used(tags));
    let named = |people: bool| {
        let entities = snapshot.graph.named_entities();
        let chosen = entities.filter(|entity| match entity.kind {
            EntityKind::Person => true,
            EntityKind::Emotion => false,
            _ => !people,
        });
        Arc::new(chosen.map(|entity| entity.name.clone()).take(OFFERED).collect::<Vec<_>>())
    };
    view.people = named(true);
    view.names = named(false);
    view.notices = Arc::new(snapshot.catalog.notices.clone());
    view.snapshot = Some(snapshot);
}

fn most_used<T: ToString + Ord + Hash>(counts: HashMap<T, usize>) -> Vec<String> {
    let mut counts: Vec<(T, usize)> = counts.into_iter().collect();
    counts.sort_by(|(a, m), (b, n)| n.cmp(m).then_with(|| a.cmp(b)));
    counts.into_iter().take(OFFERED).map(|(name, _)| name.to_string()).collect()
}
