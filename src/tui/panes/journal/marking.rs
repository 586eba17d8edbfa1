//! Multiple selection: entries are marked one by one, then tagged, deleted or exported together, and undone together.

use super::{Journal, day_notice::DayNotice, saving::is_provisional};
use crate::{
    journal::{Entry, EntryId, Trashed},
    session::{EntryOperation, Request, Ticket},
    tui::{Motion, Role, Screen as _, UpdateContext, composer::fields, counted},
};

/// The marked entries, of any day, in the order of marking.
#[derive(Debug, Default)]
pub struct Marks(Vec<Entry>);

impl Marks {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, id: &EntryId) -> bool {
        self.0.iter().any(|entry| entry.id == *id)
    }

    fn toggle(&mut self, entry: Entry) {
        if self.has(&entry.id) {
            self.0.retain(|marked| marked.id != entry.id);
        } else {
            self.0.push(entry);
        }
    }

    /// Replaces a marked entry by its newly read version, which the next change starts from.
    pub fn renew(&mut self, entry: &Entry) {
        if let Some(marked) = self.0.iter_mut().find(|marked| marked.id == entry.id) {
            *marked = entry.clone();
        }
    }

    pub fn drop(&mut self, id: &EntryId) {
        self.0.retain(|marked| marked.id != *id);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// The number of marked entries, and what can be done with them.
    pub fn notice(&self) -> Option<DayNotice> {
        let marked = format!("{} marked: ", counted(self.0.len(), "entry", "entries"));
        (!self.is_empty()).then(|| DayNotice {
            words: vec![(marked, Role::Accent)],
            keys: &[
                ("journal.delete-marked", " delete  "),
                ("journal.tag", " tag  "),
                ("journal.export", " export  "),
                ("journal.unmark", " unmark"),
            ],
        })
    }
}

impl Journal {
    pub(super) fn has_marks(&self) -> bool {
        self.is_reading() && !self.marks.is_empty()
    }

    /// Toggles the mark of the entry, and goes to the next.
    pub(super) fn mark(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            self.marks.toggle(known.entry);
            if self.in_text() {
                self.go(Motion::DOWN, cx);
            }
        }
    }

    /// Marks every entry of the day; if all are marked, unmarks them.
    pub(super) fn mark_day(&mut self, _: &mut UpdateContext<'_>) {
        let Some(text) = self.text() else { return };
        let of_day: Vec<&Entry> =
            text.entries.iter().map(|known| &known.entry).filter(|entry| !is_provisional(&entry.id)).collect();
        let all = of_day.iter().all(|entry| self.marks.has(&entry.id));
        for entry in of_day {
            if self.marks.has(&entry.id) == all {
                self.marks.toggle(entry.clone());
            }
        }
    }

    /// The marked entries, or else the selected one.
    pub(super) fn meant(&self) -> Vec<Entry> {
        match self.marks.is_empty() {
            true => self.entry().map(|known| known.entry).into_iter().collect(),
            false => self.marks.0.clone(),
        }
    }

    pub(super) fn delete_marked(&mut self, cx: &mut UpdateContext<'_>) {
        // The latest first: undone in reverse order, they get the same places in their files.
        let mut bases = self.marks.0.clone();
        bases.sort_by_key(|base| std::cmp::Reverse(base.time.at));
        let deeds = bases.into_iter().map(|base| EntryOperation::Remove { base }).collect();
        self.several = Some(cx.send(Request::Several(deeds)));
    }

    /// Handles the result of a change of several entries; failed ones stay marked.
    pub(super) fn heard_several(
        &mut self,
        ticket: Ticket,
        edited: &[Entry],
        removed: &[Trashed],
        failed: &[String],
        cx: &mut UpdateContext<'_>,
    ) {
        for entry in edited {
            self.cache.show(entry);
            self.marks.drop(&entry.id);
        }
        for trashed in removed {
            self.cache.take_off(trashed.entry.day, &trashed.entry.id);
            self.marks.drop(&trashed.entry.id);
        }
        if self.several.take_if(|own| *own == ticket).is_some() {
            match (edited.len(), removed.len()) {
                (0, 0) if failed.is_empty() => cx.done("Nothing changed"),
                (0, 0) => {}
                (0, removed) => cx.done(format!("Deleted {} · u undo", counted(removed, "entry", "entries"))),
                (edited, _) => cx.done(format!("Changed {} · u undo", counted(edited, "entry", "entries"))),
            }
        }
        if let [first, more @ ..] = failed {
            let more = if more.is_empty() { String::new() } else { format!(" (and {} more)", more.len()) };
            cx.error(format!("{first}{more}"));
        }
    }
}

/// The tags after typed changes: added, or removed where a dash is before them.
pub fn tagged(present: &[String], typed: &str) -> Vec<String> {
    let mut tags = present.to_vec();
    for tag in fields::tags(typed) {
        match tag.strip_prefix('-') {
            Some(off) => tags.retain(|known| known != off.trim_start_matches('#')),
            None if tags.contains(&tag) => {}
            None => tags.push(tag),
        }
    }
    tags
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_added_once_and_taken_off_with_a_dash() {
        let present = ["work".to_owned(), "project x".to_owned()];
        assert_eq!(tagged(&present, "lunch work"), ["work", "project x", "lunch"]);
        assert_eq!(tagged(&present, "-work #lunch"), ["project x", "lunch"]);
        assert_eq!(tagged(&present, "-project x, lunch"), ["work", "lunch"]);
    }
}
