//! Writing: the form, saves, texts in `$EDITOR`, drafts that are left and resumed.

use std::time::Duration;

use super::{
    Focus, Handed, Journal, offers,
    saving::{self, Saving, is_provisional},
};
use crate::{
    extract::dates,
    journal::{Change, Draft, DraftId, Entry},
    session::{Reply, Request},
    tui::{
        Screen, TextInput, UpdateContext,
        composer::{Composer, Persistence, Save, fields::opened},
        drafts,
    },
};

impl Journal {
    pub(super) fn copy(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            cx.copy(known.entry.body);
            cx.done("Copied");
        }
    }

    pub(super) fn delete(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            cx.send(Request::Remove { base: known.entry });
        }
    }

    pub(super) fn star(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            let star = (!known.entry.starred()).then(|| "true".to_owned());
            let change = Change { extra: vec![("star".to_owned(), star)], ..Change::default() };
            cx.send(Request::Edit { base: known.entry, change, draft: None });
        }
    }

    /// Esc closes open completions first.
    pub(super) fn leave(&mut self, cx: &mut UpdateContext<'_>) {
        if self.composer.as_mut().is_some_and(|composer| !composer.close_offers()) {
            self.leave_composer(cx);
        }
    }

    pub(super) fn compose(&mut self, composer: Composer, cx: &UpdateContext<'_>) {
        self.alone = false;
        self.composer = Some(composer);
        self.ask_question(cx);
    }

    /// Shows the question of the entry's day in the form.
    pub(super) fn ask_question(&mut self, cx: &UpdateContext<'_>) {
        if let Some(composer) = &mut self.composer {
            composer.ask(self.picking.known.prompt(composer.when(&cx.now()).date()).to_owned());
        }
    }

    /// Calls `act` on the open form.
    pub(super) fn in_form(&mut self, act: impl FnOnce(&mut Composer)) {
        if let Some(composer) = &mut self.composer {
            act(composer);
        }
    }

    pub(super) fn draft_name(&mut self, cx: &UpdateContext<'_>) -> DraftId {
        self.count += 1;
        drafts::name(&cx.now(), self.count)
    }

    pub(super) fn new_entry(&mut self, cx: &mut UpdateContext<'_>) {
        if self.composer.is_none() {
            let draft = self.draft_name(cx);
            self.compose(Composer::new(draft, ""), cx);
        }
    }

    pub(super) fn new_or_draft(&mut self, cx: &mut UpdateContext<'_>) {
        if self.composer.is_some() {
            return;
        }
        match self.offers.take(|draft| draft.editing.is_none()) {
            Some(draft) => self.compose_draft(&draft, None, cx),
            None => {
                self.new_entry(cx);
                self.early =
                    self.composer.as_ref().filter(|_| self.offers.asked.is_some()).map(|form| form.draft.clone());
            }
        }
    }

    /// The drafts are known: puts the one that `n` resumes before the text that was typed in its place.
    pub(super) fn resume_early(&mut self, cx: &mut UpdateContext<'_>) {
        let early = self.early.take();
        let is_early = |form: &mut Composer| Some(&form.draft) == early.as_ref() && form.has_only_text();
        let Some(typed) = self.composer.take_if(is_early) else { return };
        let Some(draft) = self.offers.take(|draft| draft.editing.is_none()) else {
            self.composer = Some(typed);
            return;
        };
        let mut composer = self.resumed(&draft, None);
        composer.take(TextInput::Pasted(typed.body()), cx);
        composer.keep_now(cx);
        typed.drop_draft(None, cx);
        self.compose(composer, cx);
    }

    /// Starts a new entry on the selected day; today without a time, which means now.
    pub(super) fn new_here(&mut self, cx: &mut UpdateContext<'_>) {
        let composer = self.composer_here(cx);
        self.compose(composer, cx);
    }

    fn composer_here(&mut self, cx: &UpdateContext<'_>) -> Composer {
        let today = cx.today();
        let time = self.day().filter(|day| *day != today).map_or(String::new(), |day| format!("{day} 12:00"));
        Composer::new(self.draft_name(cx), &time)
    }

    pub(super) fn edit(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(known) = self.entry() {
            let composer = self.composer_of(known.entry, cx);
            self.compose(composer, cx);
        }
    }

    /// A form with an entry, or with the unsaved edit of it that was left: two edits of one text would replace each other.
    fn composer_of(&mut self, entry: Entry, cx: &mut UpdateContext<'_>) -> Composer {
        let is_of = |draft: &Draft| draft.editing.as_ref() == Some(&entry.id) && !is_outdated(draft, &entry);
        match self.offers.take(is_of) {
            Some(draft) => {
                cx.done("With your unsaved changes");
                self.resumed(&draft, Some(entry))
            }
            None => Composer::edit(self.draft_name(cx), entry),
        }
    }

    /// Closes the form: saves its content as a draft and offers it, unless it is not worth keeping.
    pub(super) fn leave_composer(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(mut composer) = self.composer.take() else { return };
        if std::mem::take(&mut self.is_form_visit) {
            cx.travel(false);
        }
        if !composer.is_worth_keeping() {
            return composer.drop_draft(None, cx);
        }
        composer.keep_now(cx);
        if composer.is_on_disk() {
            cx.done("Kept as a draft");
        }
        self.offer(composer);
    }

    /// Offers the text of a closed form as a draft.
    pub(super) fn offer(&mut self, composer: Composer) {
        self.offers.left(composer.as_draft());
        if !composer.is_on_disk() {
            self.left.push(composer);
        }
    }

    /// Takes replies about drafts: a closed form is kept in memory until its draft is on disk.
    pub(super) fn heard_of_drafts(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let sent = |form: &&Composer| form.persistence() == Persistence::Sent;
        let before = self.left.iter().filter(sent).count();
        for form in self.forms() {
            form.heard(reply);
        }
        if self.left.extract_if(.., |form| form.is_on_disk()).count() > 0 {
            cx.done("Kept as a draft");
        } else if self.left.iter().filter(sent).count() < before {
            cx.error("Not kept as a draft: the text is only in this window");
        }
    }

    /// A form with a draft. One that is not on disk yet must not count as kept.
    fn resumed(&mut self, draft: &Draft, base: Option<Entry>) -> Composer {
        let mut composer = Composer::resume(draft, base);
        composer.is_durable = self.left.extract_if(.., |form| form.draft == draft.id).count() == 0;
        composer
    }

    fn compose_draft(&mut self, draft: &Draft, base: Option<Entry>, cx: &UpdateContext<'_>) {
        let composer = self.resumed(draft, base);
        self.compose(composer, cx);
    }

    pub(super) fn save(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(composer) = &mut self.composer else { return };
        match composer.save(&cx.now()) {
            Err(_) => {}
            Ok(None) => {
                self.leave_composer(cx);
                cx.done("Nothing to save");
            }
            Ok(Some(save)) => {
                let composer = self.composer.take();
                self.is_visit |= std::mem::take(&mut self.is_form_visit);
                self.send_save(save, composer, "Saved", cx);
            }
        }
    }

    /// Sends a save and shows the entry at once.
    pub(super) fn send_save(&mut self, save: Save, composer: Option<Composer>, said: &str, cx: &mut UpdateContext<'_>) {
        let mut composer = composer;
        self.count += 1;
        let entry = saving::expected(&save, &cx.now(), cx.settings.day_start, self.count);
        let draft = composer.as_ref().filter(|composer| composer.was_kept()).map(|composer| composer.draft.clone());
        if let Save::Edit(base, _) = &save
            && base.day != entry.day
        {
            self.cache.take_off(base.day, &base.id);
        }
        let ticket = match save {
            Save::Append(new) => cx.send(Request::Append { new, draft }),
            Save::Edit(base, change) => cx.send(Request::Edit { base: *base, change, draft }),
        };
        composer.iter_mut().for_each(|composer| composer.sent_to_save(ticket));
        self.show(&entry, cx);
        // With one column, shows the new entry instead of the list of days.
        self.focus = Focus::Text;
        self.saving.push(Saving { ticket, entry, composer, said: said.to_owned() });
    }

    /// Shows an entry, which is put into the cache.
    pub(super) fn show(&mut self, entry: &Entry, cx: &mut UpdateContext<'_>) {
        self.cache.show(entry);
        self.turn_to(entry.day, cx);
        self.reading.select(entry.id.clone(), None, None);
    }

    pub(super) fn edit_outside(&mut self, cx: &mut UpdateContext<'_>) {
        let composer = match self.entry().filter(|known| !is_provisional(&known.entry.id)) {
            Some(known) => self.composer_of(known.entry, cx),
            None => self.composer_here(cx),
        };
        let text = composer.to_text();
        self.hand_over(text, Handed::Entry(Box::new(composer)), cx);
    }

    pub(super) fn write_outside(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(composer) = &self.composer {
            let text = composer.to_text();
            self.hand_over(text, Handed::Composer, cx);
        }
    }

    pub(super) fn hand_over(&mut self, text: String, handed: Handed, cx: &mut UpdateContext<'_>) {
        if cx.settings.has_editor {
            self.handed = Some((cx.edit(text), handed));
        } else {
            cx.error("No editor found: set $EDITOR, or `editor` in the configuration");
            self.put_back(handed);
        }
    }

    /// Offers an unsaved edit again that was not edited outside.
    pub(super) fn put_back(&mut self, handed: Handed) {
        if let Handed::Entry(composer) = handed
            && composer.was_kept()
        {
            self.offer(*composer);
        }
    }

    /// Takes the edited text into the open form, or saves it. A head that cannot be read leaves the whole text in the
    /// form.
    pub(super) fn finish_external_edit(&mut self, handed: Handed, text: &str, cx: &mut UpdateContext<'_>) {
        let saves = match handed {
            Handed::Composer => false,
            Handed::Entry(composer) if composer.was_kept() && composer.to_text() == text => {
                self.put_back(Handed::Entry(composer));
                return cx.done("Nothing changed");
            }
            Handed::Entry(composer) => {
                self.composer = Some(*composer);
                true
            }
        };
        let Some(composer) = &mut self.composer else { return };
        match composer.take_text(text) {
            Err(why) => cx.error(format!("The head could not be read: {why} · all of the text is here")),
            Ok(()) if !saves => {}
            Ok(()) if composer.is_worth_keeping() => self.save(cx),
            Ok(()) => {
                let is_new = composer.base.is_none();
                composer.drop_draft(None, cx);
                self.composer = None;
                if !is_new {
                    cx.done("Nothing changed");
                }
            }
        }
    }

    /// Saves due drafts, including those of a save that is still waiting; returns the time of the next one.
    pub(super) fn keep_drafts(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        let waiting = self.saving.iter_mut().filter_map(|saving| saving.composer.as_mut());
        self.composer.iter_mut().chain(waiting).filter_map(|composer| composer.keep_if_due(cx)).min()
    }

    pub(super) fn continue_draft(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(draft) = self.offers.take(|_| true) else { return };
        let Some(id) = draft.editing.clone() else {
            return self.compose_draft(&draft, None, cx);
        };
        let catalog = cx.view.snapshot.as_ref().map(|snapshot| &snapshot.catalog);
        let day = catalog.and_then(|catalog| catalog.by_id(&id)).map(|known| known.day);
        let day = day.or_else(|| Some(dates::moment(&draft.time, &cx.now())?.date()));
        self.resuming = Some(draft);
        match day {
            Some(day) => {
                self.days.select(day);
                self.turned(cx);
            }
            None => self.resume(None, cx),
        }
    }

    /// Opens the draft that waited for its entry. If the entry is gone, the draft becomes a new entry.
    pub(super) fn resume(&mut self, base: Option<Entry>, cx: &mut UpdateContext<'_>) {
        let Some(draft) = self.resuming.take() else { return };
        let typed = std::mem::take(&mut self.typed_ahead);
        if self.composer.is_some() {
            return self.offers.left(draft);
        }
        let is_gone = base.is_none();
        let base = base.filter(|entry| !is_outdated(&draft, entry));
        if is_gone {
            cx.done("The entry is gone · saving creates a new one");
        } else if base.is_none() {
            cx.done("The entry was changed after this · saving creates a new one");
        }
        self.compose_draft(&draft, base, cx);
        self.in_form(|form| typed.into_iter().for_each(|input| form.take(input, cx)));
    }

    pub(super) fn discard_draft(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(draft) = self.offers.first().cloned() else { return };
        let question = format!("Discard {}?", offers::names(&draft)[0]);
        let ticket = cx.confirm(question, "Discard", Request::DiscardDraft(Box::new(draft.clone())));
        self.discarding = Some((ticket, draft));
    }
}

/// Whether the entry has changed since its draft was begun.
fn is_outdated(draft: &Draft, entry: &Entry) -> bool {
    draft.base.is_some_and(|base| base != opened(entry))
}
