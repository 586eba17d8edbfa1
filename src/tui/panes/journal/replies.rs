//! Replies of the session to the Journal pane.

use std::path::Path;

use jiff::civil;

use super::{Journal, cache::DayText, line::Asked, offers};
use crate::{
    journal::Notice,
    session::{DayEntry, Request, SessionError, Ticket, Written},
    tui::{UpdateContext, counted},
};

impl Journal {
    pub(super) fn heard_day(
        &mut self,
        ticket: Ticket,
        day: civil::Date,
        entries: &[DayEntry],
        notices: &[Notice],
        cx: &mut UpdateContext<'_>,
    ) {
        let awaited = self.waiting.is_some_and(|(waiting, _)| waiting == ticket);
        if !awaited && self.cache.day(day).is_none() {
            return;
        }
        self.cache.keep(day, DayText::new(entries.to_vec(), notices.to_vec()));
        entries.iter().for_each(|known| self.marks.renew(&known.entry));
        for saving in &self.saving {
            if saving.entry.day == day {
                self.cache.show(&saving.entry);
            }
        }
        if awaited {
            self.waiting = None;
            self.unread = None;
            let id = self.resuming.as_ref().and_then(|draft| draft.editing.clone());
            if let Some(id) = id {
                let base = entries.iter().find(|known| known.entry.id == id).map(|known| known.entry.clone());
                self.resume(base, cx);
            }
        }
    }

    pub(super) fn heard_written(&mut self, ticket: Ticket, done: &Written, cx: &mut UpdateContext<'_>) {
        let own = self.saving.iter().position(|saving| saving.ticket == ticket).map(|at| self.saving.remove(at));
        if let Some(own) = &own {
            self.cache.take_off(own.entry.day, &own.entry.id);
            own.composer.iter().for_each(|composer| composer.drop_draft(Some(ticket), cx));
        }
        match done {
            Written::Added(entry) | Written::Edited(entry) | Written::Unchanged(entry) | Written::Restored(entry) => {
                self.cache.show(entry);
                if own.is_some() || matches!(done, Written::Restored(_)) {
                    self.show(entry, cx);
                }
                if own.is_some() && matches!(done, Written::Added(_)) {
                    self.proposals.propose(entry, cx);
                }
                if let Some(own) = own {
                    let unchanged = matches!(done, Written::Unchanged(_));
                    let hides = if self.days.only_hits { " · the filter may hide it, alt-x clears it" } else { "" };
                    cx.done(if unchanged { "Nothing changed".to_owned() } else { own.said + hides });
                }
            }
            Written::KeptBoth { theirs, mine } => {
                self.cache.show(theirs);
                self.show(mine, cx);
                cx.error("Changed by another program meanwhile: both versions kept");
            }
            Written::Removed(trashed) => {
                self.cache.take_off(trashed.entry.day, &trashed.entry.id);
                self.marks.drop(&trashed.entry.id);
                cx.done(format!("Deleted {} · u undo", trashed.entry.time.day_and_clock()));
            }
            // The entries of the day come with the new view.
            Written::Repaired(_) => {}
            Written::Several { edited, removed, failed } => self.heard_several(ticket, edited, removed, failed, cx),
            // A restored or moved-back entry is shown on its day.
            Written::Undone { entry: Some(entry), .. } => self.show(entry, cx),
            // It may be a draft that is there again.
            Written::Undone { entry: None, .. } => self.offers.asked = Some(cx.send(Request::Drafts)),
            Written::NothingToUndo => {}
        }
        self.read(cx);
    }

    pub(super) fn heard_exported(&mut self, path: &Path, entries: usize, cx: &mut UpdateContext<'_>) {
        cx.done(format!("Exported {} to {}", counted(entries, "entry", "entries"), path.display()));
        self.marks.clear();
        self.line.take_if(|line| matches!(line.asked, Asked::Export(_)));
    }

    pub(super) fn heard_discarded(&mut self, ticket: Ticket, cx: &mut UpdateContext<'_>) {
        if let Some((_, draft)) = self.discarding.take_if(|(discarding, _)| *discarding == ticket) {
            self.offers.remove(&draft.id);
            self.left.retain(|form| form.draft != draft.id);
            cx.done(format!("Discarded the {} · u undo", offers::kind(&draft)));
        }
    }

    pub(super) fn heard_failure(&mut self, ticket: Ticket, error: &SessionError, cx: &mut UpdateContext<'_>) {
        if self.waiting.take_if(|(waiting, _)| *waiting == ticket).is_some() {
            self.unread = Some(error.to_string());
            if self.resuming.is_some() {
                self.resume(None, cx);
            }
        }
        let Some(at) = self.saving.iter().position(|saving| saving.ticket == ticket) else { return };
        let lost = self.saving.remove(at);
        self.cache.take_off(lost.entry.day, &lost.entry.id);
        if let Some(mut composer) = lost.composer {
            cx.error("Not saved, the text is still here");
            if self.composer.is_none() {
                self.composer = Some(composer);
            } else {
                composer.keep_now(cx);
                self.offer(composer);
            }
        }
        self.read(cx);
    }
}
