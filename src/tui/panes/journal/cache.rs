//! Cache of recently shown days, so that going back to one needs no wait.

use std::{collections::VecDeque, rc::Rc};

use jiff::civil;

use crate::{
    journal::{Entry, EntryId, Notice, word_count},
    session::DayEntry,
};

/// Number of days in the cache.
const MOST: usize = 50;

/// The content of one day, as last received.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct DayText {
    pub entries: Vec<DayEntry>,
    pub notices: Vec<Notice>,
    /// Number of entries that are no records, and of their words.
    pub counts: (usize, usize),
}

impl DayText {
    pub fn new(entries: Vec<DayEntry>, notices: Vec<Notice>) -> Self {
        let diary = || entries.iter().filter(|known| known.entry.record().is_none());
        let words = diary().map(|known| word_count(&known.entry.body)).sum();
        Self { counts: (diary().count(), words), entries, notices }
    }
}

/// Evicts the least recently used day.
#[derive(Debug, Default)]
pub struct DayCache {
    /// The most recently used day is in front.
    days: VecDeque<(civil::Date, Rc<DayText>)>,
}

impl DayCache {
    pub fn day(&self, day: civil::Date) -> Option<Rc<DayText>> {
        self.days.iter().find(|(known, _)| *known == day).map(|(_, text)| Rc::clone(text))
    }

    /// Stores a day at the front.
    pub fn keep(&mut self, day: civil::Date, text: DayText) {
        self.days.retain(|(known, _)| *known != day);
        self.days.push_front((day, Rc::new(text)));
        self.days.truncate(MOST);
    }

    /// Moves a day to the front.
    pub fn touch(&mut self, day: civil::Date) {
        if let Some(at) = self.days.iter().position(|(known, _)| *known == day)
            && let Some(known) = self.days.remove(at)
        {
            self.days.push_front(known);
        }
    }

    /// Inserts an entry before it is read back from its file: in its place by time, or instead of its older version.
    pub fn show(&mut self, entry: &Entry) {
        let DayText { mut entries, notices, .. } = self.day(entry.day).as_deref().cloned().unwrap_or_default();
        let shown = DayEntry { entry: entry.clone(), names: Vec::new(), spans: Vec::new() };
        let later = entries.partition_point(|known| known.entry.time.at <= entry.time.at);
        match entries.iter_mut().find(|known| known.entry.id == entry.id) {
            Some(known) => *known = shown,
            None => entries.insert(later, shown),
        }
        self.keep(entry.day, DayText::new(entries, notices));
    }

    /// Removes an entry from its day.
    pub fn take_off(&mut self, day: civil::Date, id: &EntryId) {
        if let Some(text) = self.day(day) {
            let DayText { mut entries, notices, .. } = (*text).clone();
            entries.retain(|known| known.entry.id != *id);
            self.keep(day, DayText::new(entries, notices));
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::{ToSpan as _, civil::date};

    use super::*;

    #[test]
    fn the_day_not_looked_at_for_longest_goes_first() {
        let mut cache = DayCache::default();
        let first = date(2026, 1, 1);
        for n in 0..50 {
            cache.keep(first + n.days(), DayText::default());
        }
        cache.touch(first);
        cache.keep(date(2027, 1, 1), DayText::default());
        assert!(cache.day(first).is_some());
        assert!(cache.day(first + 1.days()).is_none());
        assert_eq!(cache.days.len(), MOST);
    }
}
