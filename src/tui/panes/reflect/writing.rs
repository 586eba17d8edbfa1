//! A reflection written in place, below the page. The text is saved as a draft while it is typed, stays on the page
//! when the user leaves it, and is removed only by saving it in the journal or discarding it.

use ratatui::{Frame, layout::Rect};

use super::{Reflect, TAG};
use crate::{
    session::{Reply, Request, Response, Ticket, Written},
    tui::{
        MEASURE, Pen, RenderContext, Role, UpdateContext, below,
        composer::{Composer, Save},
        counted, drafts, inset, rule,
    },
};

/// Minimum and maximum rows of the text, including the line above.
const LOWEST: u16 = 4;
const HIGHEST: u16 = 14;

/// The reflection being written, in a form of which only the text is shown.
#[derive(Debug)]
pub struct Writing {
    pub form: Composer,
    /// The text has the keyboard.
    pub is_typing: bool,
    discarding: Option<Ticket>,
}

impl Writing {
    pub(super) fn is_worth_keeping(&self) -> bool {
        self.form.is_worth_keeping() && self.form.has_text()
    }
}

impl Reflect {
    pub(super) fn is_writing(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| writing.is_typing)
    }

    /// The form, while the text has the keyboard.
    pub(super) fn form(&mut self) -> Option<&mut Composer> {
        self.writing.as_mut().filter(|writing| writing.is_typing).map(|writing| &mut writing.form)
    }

    /// Calls `act` on the form. A text that is being saved must not change.
    pub(super) fn in_form(&mut self, act: impl FnOnce(&mut Composer)) {
        if let Some(form) = self.form().filter(|form| form.saving.is_none()) {
            act(form);
        }
    }

    /// Resumes the unfinished text, or begins one; a selected question is put above it.
    pub(super) fn write(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(writing) = &mut self.writing {
            writing.is_typing = true;
            return;
        }
        let question = self.question().map(|question| format!("> {question}\n\n")).unwrap_or_default();
        let form = Composer::prefilled(drafts::name(&cx.now(), 0), TAG, &question);
        self.writing = Some(Writing { form, is_typing: true, discarding: None });
    }

    /// Closes open completions, else goes back to the page; a text that is not worth keeping is removed.
    pub(super) fn leave_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = &mut self.writing else { return };
        if writing.form.close_offers() {
            return;
        }
        writing.is_typing = false;
        if writing.is_worth_keeping() {
            return writing.form.keep_now(cx);
        }
        writing.form.drop_draft(None, cx);
        self.writing = None;
    }

    pub(super) fn save_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = self.writing.as_mut().filter(|writing| writing.form.saving.is_none()) else { return };
        match writing.form.save(&cx.now()) {
            // The draft is deleted only once the entry is durable.
            Ok(Some(Save::Append(new))) if writing.is_worth_keeping() => {
                let draft = Some(writing.form.draft.clone());
                let save = cx.send(Request::Append { new, draft });
                writing.form.sent_to_save(save);
            }
            _ => {
                self.leave_writing(cx);
                cx.done("Nothing to save");
            }
        }
    }

    pub(super) fn discard_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = &mut self.writing else { return };
        let words = counted(writing.form.words(), "word", "words");
        let drop = Request::DiscardDraft(Box::new(writing.form.as_draft()));
        writing.discarding = Some(cx.confirm(format!("Discard the reflection of {words}?"), "Discard", drop));
    }

    /// Handles replies about the text; a failed save leaves it open.
    pub(super) fn heard_of_writing(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if let Reply::To(_, Response::Drafts(drafts)) = reply
            && self.discarded.take_if(|own| drafts.iter().any(|draft| draft.id == *own)).is_some()
        {
            cx.done("Restored: the reflection, as an unsaved draft in Journal");
        }
        let Some(writing) = &mut self.writing else { return };
        let save = writing.form.saving;
        if let Some(Response::Written(Written::Added(entry))) = writing.form.heard(reply) {
            let time = entry.time.clock();
            cx.done(format!("Saved as an entry of {time}, tagged #{TAG}"));
            writing.form.drop_draft(save, cx);
            self.writing = None;
        } else if let Some(Response::DraftDropped) = reply.settles(&mut writing.discarding) {
            self.discarded = self.writing.take().map(|writing| writing.form.draft);
            cx.done("Discarded the reflection · u undo");
        }
    }

    /// Number of rows of the text in a pane of this height.
    pub(super) fn writing_rows(&self, height: u16) -> u16 {
        if self.is_writing() { (height / 3).clamp(LOWEST, HIGHEST).min(height) } else { 0 }
    }

    /// Draws the text under a line; its completions may be anywhere in `area`.
    pub(super) fn draw_writing(&mut self, frame: &mut Frame<'_>, place: Rect, area: Rect, context: &RenderContext<'_>) {
        let Some(form) = self.form().filter(|_| !place.is_empty()) else { return };
        rule(frame, place, context);
        let words = format!(" #{TAG} · {} ", counted(form.words(), "word", "words"));
        Pen::new(place.x + 2, place.y, place.width.saturating_sub(2)).say(frame, context, &words, Role::Dim);
        let text = inset(below(place, 1), 2, 1);
        form.draw_body(frame, Rect { width: text.width.min(MEASURE), ..text }, area, context);
    }
}
