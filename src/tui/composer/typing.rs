//! Input of the entry form: field navigation, completions, mouse.

use ratatui::crossterm::event::KeyCode;

use super::{Composer, FIELDS, Field, SMALL};
use crate::{
    session::View,
    tui::{Completion, Input, Key, Mouse, MouseKind, TextInput, UpdateContext},
};

impl Composer {
    /// Tab: accepts the chosen completion, else goes to the next field.
    pub fn next(&mut self) {
        if !self.accept() {
            self.step(1);
        }
    }

    /// Whether completions of the word at the end of a small field are shown.
    pub fn completes_field(&self) -> bool {
        self.completion.is_some() && self.small.get(self.field as usize).is_some_and(Input::is_at_end)
    }

    /// Accepts the chosen completion, or the first one.
    pub fn complete(&mut self) {
        if let Some(offers) = self.completion.as_mut().filter(|offers| !offers.is_chosen()) {
            offers.step(1);
        }
        self.accept();
    }

    pub fn previous(&mut self) {
        self.step(FIELDS.len() - 1);
    }

    fn step(&mut self, by: usize) {
        self.go(FIELDS[(self.field as usize + by) % FIELDS.len()]);
    }

    pub(super) fn go(&mut self, field: Field) {
        self.end_find(false);
        self.field = field;
        self.completion = None;
    }

    /// Esc: closes the completions; returns whether there were any.
    pub fn close_offers(&mut self) -> bool {
        self.completion.take().is_some()
    }

    /// Accepts the chosen completion; returns whether there is one.
    pub fn accept(&mut self) -> bool {
        let Some(completion) = self.completion.take_if(|completion| completion.is_chosen()) else { return false };
        if let Some(input) = self.small.get_mut(self.field as usize) {
            let text = completion.completed(input.text());
            input.set(&text.unwrap_or_default());
        } else if let Some(text) = completion.accepted() {
            self.editor.complete(completion.replaces, &text);
        }
        true
    }

    /// Handles typed or pasted text and keys.
    pub fn take(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if let TextInput::Key(key) = &input
            && self.offers_take(*key)
        {
            return;
        }
        if self.finding_take(&input) {
            return;
        }
        let before = self.revision();
        let is_small = self.field != Field::Body;
        match &input {
            TextInput::Key(key) if is_small && matches!(key.code, KeyCode::Enter | KeyCode::Down) => self.step(1),
            TextInput::Key(key) if is_small && key.code == KeyCode::Up => self.previous(),
            _ => {
                let copied = match self.small.get_mut(self.field as usize) {
                    Some(field) => field.type_in(&input),
                    None => self.editor.take(&input),
                };
                copied.into_iter().for_each(|text| cx.copy(text));
            }
        }
        if self.revision() != before {
            self.fault = None;
            self.is_durable = false;
        }
        let typed = matches!(input, TextInput::Typed(_)) || self.completion.is_some();
        let offers = typed && self.revision() != before;
        self.completion = if offers { self.offers(cx.view) } else { None };
    }

    /// Keys that move through open completions.
    fn offers_take(&mut self, key: Key) -> bool {
        let Some(offers) = &mut self.completion else { return false };
        match key.code {
            KeyCode::Down => offers.step(1),
            KeyCode::Up => offers.step(-1),
            KeyCode::Enter if offers.is_chosen() => return self.accept(),
            _ => return false,
        }
        true
    }

    fn offers(&self, view: &View) -> Option<Completion> {
        let found = match self.field {
            Field::Body => Completion::in_text(self.editor.before_caret(), view),
            Field::Mood => Completion::word(self.text_of(Field::Mood), &view.moods),
            Field::Tags => Completion::in_tags(self.text_of(Field::Tags), view),
            Field::Time => None,
        };
        Some(found?.keep_choice(self.completion.as_ref()))
    }

    /// Whether the mouse is in the text.
    pub fn holds(&self, mouse: Mouse) -> bool {
        self.editor.holds(mouse.at)
    }

    pub fn on_mouse(&mut self, mouse: Mouse) {
        match mouse.kind {
            MouseKind::Click | MouseKind::Drag if self.holds(mouse) => {
                self.go(Field::Body);
                self.editor.point(mouse.at, mouse.kind == MouseKind::Drag);
            }
            MouseKind::Click => {
                if let Some(nth) = self.areas.iter().position(|area| area.contains(mouse.at)) {
                    self.go(SMALL[nth]);
                }
            }
            MouseKind::Wheel(by) => self.editor.scroll(3 * by),
            MouseKind::Drag => {}
        }
    }
}
