//! A reflection written in place, below the page. The text is saved as a draft while it is typed, stays on the page
//! when the user leaves it, and is removed only by saving it in the journal or discarding it.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use super::{Reflect, TAG};
use crate::{
    journal::{Draft, DraftId, NewEntry},
    session::{Reply, Request, Response, Ticket, Written},
    tui::{
        MEASURE, Mouse, MouseKind, Pen, RenderContext, Role, TextInput, UpdateContext, counted, drafts, rule,
        update_context::DRAFT_DELAY, widgets::editor::Editor,
    },
};

/// Minimum and maximum rows of the text, including the line above.
const LOWEST: u16 = 4;
const HIGHEST: u16 = 14;

/// The reflection being written.
#[derive(Debug)]
pub struct Writing {
    editor: Editor,
    draft: DraftId,
    /// The editor has the keyboard.
    pub is_typing: bool,
    /// The revision of the prefilled text.
    given: u64,
    /// The revision last sent as a draft.
    kept: u64,
    due: Option<Duration>,
    saving: Option<Ticket>,
    /// A draft was sent after the save, so the save does not delete it.
    kept_late: bool,
    discarding: Option<Ticket>,
}

impl Writing {
    fn new(draft: DraftId, given: &str) -> Self {
        let editor = Editor::new(given);
        let given = editor.revision();
        Self {
            editor,
            draft,
            is_typing: true,
            given,
            kept: given,
            due: None,
            saving: None,
            kept_late: false,
            discarding: None,
        }
    }

    fn is_worth_keeping(&self) -> bool {
        self.editor.revision() != self.given && !self.editor.text().trim().is_empty()
    }

    fn was_kept(&self) -> bool {
        self.kept != self.given
    }

    fn keep(&mut self, cx: &mut UpdateContext<'_>) {
        self.due = None;
        if self.editor.revision() == self.kept {
            return;
        }
        self.kept = self.editor.revision();
        self.kept_late = self.saving.is_some();
        cx.send(Request::KeepDraft(self.as_draft()));
    }

    fn as_draft(&self) -> Draft {
        Draft {
            id: self.draft.clone(),
            editing: None,
            base: None,
            time: String::new(),
            mood: String::new(),
            tags: TAG.to_owned(),
            body: self.editor.text(),
        }
    }

    /// Number of rows in a pane of this height.
    fn rows(&self, height: u16) -> u16 {
        if self.is_typing { (height / 3).clamp(LOWEST, HIGHEST).min(height) } else { 0 }
    }
}

// Conditions.
impl Reflect {
    pub(super) fn is_writing(&self) -> bool {
        self.writing.as_ref().is_some_and(|writing| writing.is_typing)
    }
}

impl Reflect {
    /// Resumes the unfinished text, or begins one; a selected question is put above it.
    pub(super) fn write(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(writing) = &mut self.writing {
            writing.is_typing = true;
            return;
        }
        let question = self.question().map(|question| format!("> {question}\n\n"));
        let draft = drafts::name(&cx.now(), 0);
        self.writing = Some(Writing::new(draft, &question.unwrap_or_default()));
    }

    /// Goes back to the page; a text that is not worth keeping is removed.
    pub(super) fn leave_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = &mut self.writing else { return };
        writing.is_typing = false;
        if writing.is_worth_keeping() {
            return writing.keep(cx);
        }
        if writing.was_kept() {
            cx.send(Request::DropDraft(writing.draft.clone()));
        }
        self.writing = None;
    }

    pub(super) fn save_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = self.writing.as_mut().filter(|writing| writing.saving.is_none()) else { return };
        if !writing.is_worth_keeping() {
            self.leave_writing(cx);
            return cx.done("Nothing to save");
        }
        let body = writing.editor.text().trim_end_matches(['\n', '\r']).to_owned();
        let new = NewEntry { body, tags: vec![TAG.to_owned()], ..NewEntry::default() };
        // The draft is deleted only once the entry is durable.
        writing.kept_late = false;
        writing.saving = Some(cx.send(Request::Append { new, draft: Some(writing.draft.clone()) }));
    }

    pub(super) fn discard_writing(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(writing) = &mut self.writing else { return };
        let words = counted(writing.editor.words(), "word", "words");
        let drop = Request::DiscardDraft(Box::new(writing.as_draft()));
        writing.discarding = Some(cx.confirm(format!("Discard the reflection of {words}?"), "Discard", drop));
    }

    pub(super) fn in_editor(&mut self, act: impl FnOnce(&mut Editor)) {
        if let Some(writing) = &mut self.writing {
            act(&mut writing.editor);
        }
    }

    pub(super) fn type_reflection(&mut self, input: &TextInput, cx: &mut UpdateContext<'_>) {
        let Some(writing) = self.writing.as_mut().filter(|writing| writing.saving.is_none()) else { return };
        if let Some(text) = writing.editor.take(input) {
            cx.copy(text);
        }
    }

    /// Handles the mouse in the text being written; returns whether it is there.
    pub(super) fn points_in_writing(&mut self, mouse: Mouse) -> bool {
        let typed = self.writing.as_mut().filter(|writing| writing.is_typing);
        let Some(writing) = typed.filter(|writing| writing.editor.holds(mouse.column, mouse.row)) else { return false };
        match mouse.kind {
            MouseKind::Click => writing.editor.point(mouse.column, mouse.row, false),
            MouseKind::Drag => writing.editor.point(mouse.column, mouse.row, true),
            MouseKind::WheelUp => writing.editor.scroll(-3),
            MouseKind::WheelDown => writing.editor.scroll(3),
        }
        true
    }

    /// Handles replies about the text; a failed save leaves it open.
    pub(super) fn heard_of_writing(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let Some(writing) = &mut self.writing else { return };
        if let Some(Response::Written(Written::Added(entry))) = reply.settles(&mut writing.saving) {
            let time = entry.time.clock();
            cx.done(format!("Saved as an entry of {time}, tagged #{TAG}"));
            if writing.kept_late {
                cx.send(Request::DropDraft(writing.draft.clone()));
            }
            self.writing = None;
        } else if let Some(Response::Written(_)) = reply.settles(&mut writing.discarding) {
            self.writing = None;
            cx.done("Discarded the reflection · u undo");
        }
    }

    /// Saves a due draft; returns the time of the next one.
    pub(super) fn keep_writing(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        let writing = self.writing.as_mut().filter(|writing| writing.editor.revision() != writing.kept)?;
        let due = *writing.due.get_or_insert(cx.elapsed + DRAFT_DELAY);
        if cx.elapsed < due {
            return Some(due);
        }
        writing.keep(cx);
        None
    }

    pub(super) fn keep_writing_now(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(writing) = self.writing.as_mut().filter(|writing| writing.is_worth_keeping()) {
            writing.keep(cx);
        }
    }

    /// Number of words in the unfinished text.
    pub(super) fn unfinished_words(&self) -> Option<usize> {
        self.writing.as_ref().map(|writing| writing.editor.words())
    }

    /// Draws the text at the bottom, under a line; returns the area above.
    pub(super) fn draw_writing(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let Some(writing) = &mut self.writing else { return area };
        let rows = writing.rows(area.height);
        if rows == 0 {
            return area;
        }
        let place = Rect { y: area.bottom() - rows, height: rows, ..area };
        rule(frame, place, context);
        let words = format!(" #{TAG} · {} ", counted(writing.editor.words(), "word", "words"));
        Pen::new(place.x + 2, place.y, place.width.saturating_sub(2)).say(frame, context, &words, Role::Dim);
        let text = Rect {
            x: place.x + 2.min(place.width),
            y: place.y + 1,
            width: place.width.saturating_sub(3).min(MEASURE),
            height: rows - 1,
        };
        let caret = writing.editor.draw(frame.buffer_mut(), text, &|role| context.style(role));
        if let (Some(caret), true) = (caret, context.focused) {
            frame.set_cursor_position(caret);
        }
        Rect { height: area.height - rows, ..area }
    }
}
