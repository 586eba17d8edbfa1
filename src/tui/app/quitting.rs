//! Quitting: only when all text is on disk, or when the user insists.

use std::path::PathBuf;

use super::{App, Quitting, World};
use crate::{
    journal::{Draft, DraftId, NewEntry},
    session::Ticket,
    tui::{
        Key,
        composer::{Composer, Persistence},
        effect::Effect,
        update_context::{ToastLevel, day_of},
    },
};

impl App {
    pub(super) fn quit_now(&mut self) {
        self.each(|pane, cx| pane.on_quit(cx));
        self.quitting = Quitting::Done;
        self.out.effects.push(Effect::Quit);
    }

    /// Quits if all text is on disk. Refuses if some could not be written, because a full disk can be mended now.
    pub(super) fn continue_quit(&mut self) {
        match self.forms(|form| form.persistence()).into_iter().max().unwrap_or(Persistence::OnDisk) {
            Persistence::OnDisk => self.quit_now(),
            Persistence::Sent => self.quitting = Quitting::Waiting,
            Persistence::InMemory => {
                (self.quitting, self.next_journal) = (Quitting::Refused, None);
                let key = self.keymap.keys_of("app.quit").last().map(ToString::to_string).unwrap_or_default();
                self.toast(ToastLevel::Error, format!("Text is not on disk · {key} again quits and prints it"));
            }
        }
    }

    /// Whether the user quit before all text was on disk.
    pub fn insists(&self) -> bool {
        self.quitting == Quitting::Insisted
    }

    /// Whether a key quits here, or would end another program.
    pub fn quits(&self, key: Key) -> bool {
        key.to_string() == "ctrl-c" || self.keymap.keys_of("app.quit").iter().any(|chord| chord.0 == [key])
    }

    pub(super) fn keep_forms(&mut self) {
        self.each(|pane, cx| pane.forms().into_iter().for_each(|form| form.keep_now(cx)));
    }

    pub(super) fn forms<T>(&mut self, mut read: impl FnMut(&Composer) -> T) -> Vec<T> {
        self.panes.iter_mut().flat_map(|pane| pane.forms()).map(|form| read(form)).collect()
    }

    /// The saves in progress, with the draft of each.
    pub fn saves(&mut self) -> Vec<(Ticket, DraftId)> {
        self.forms(|form| Some((form.saving?, form.draft.clone()))).into_iter().flatten().collect()
    }

    /// The text that is neither an entry nor a draft on disk.
    pub fn unsaved(&mut self) -> Vec<Draft> {
        let unsaved = |form: &Composer| (!form.is_on_disk()).then(|| form.as_draft());
        self.forms(unsaved).into_iter().flatten().collect()
    }

    /// The name of the day file of a new entry.
    pub fn day_file(&self, new: &NewEntry) -> String {
        let World { clock, settings, .. } = &self.world;
        let day = new.time.as_ref().map_or_else(|| day_of(&clock.now(), settings), |time| time.day(settings.day_start));
        format!("{day}.md")
    }

    /// Whether a draft on disk has the current content of its form.
    pub fn has_draft(&mut self, draft: &DraftId) -> bool {
        self.forms(|form| form.draft == *draft && form.has_draft()).contains(&true)
    }

    /// The file of a draft.
    pub fn draft_file(&self, draft: &DraftId) -> PathBuf {
        self.world.settings.root.as_deref().unwrap_or_else(|| "".as_ref()).join(draft.file())
    }
}
