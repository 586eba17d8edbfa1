//! Find in the text of the form: an input line below the text.

use ratatui::{Frame, layout::Rect};

use super::{Composer, Field, Finding};
use crate::tui::{PromptLine, RenderContext, Role, TextInput, Wording, split_bottom};

impl Composer {
    pub fn is_finding(&self) -> bool {
        self.finding.is_some()
    }

    pub fn find(&mut self) {
        self.go(Field::Body);
        self.finding = Some(Finding { line: PromptLine::default(), from: self.editor.caret() });
    }

    /// Goes to the next or previous match.
    pub fn seek(&mut self, backward: bool) {
        self.editor.find_again(backward);
    }

    /// Closes the line: at the match, or `back` where the caret was.
    pub fn end_find(&mut self, back: bool) {
        let Some(finding) = self.finding.take() else { return };
        self.editor.find("", finding.from, false);
        if back {
            self.editor.go(finding.from, false);
        }
    }

    /// Passes input to the line; returns whether it is open.
    pub(super) fn finding_take(&mut self, input: &TextInput) -> bool {
        let Some(Finding { line, from }) = &mut self.finding else { return false };
        if line.take(input, |_| None) && !self.editor.find(line.text(), *from, false) {
            self.editor.go(*from, false);
            line.is_refused = true;
        }
        true
    }

    /// Draws the line; returns the area above it.
    pub(super) fn draw_find(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let Some(Finding { line, .. }) = &mut self.finding else { return area };
        let (above, row) = split_bottom(area, 1);
        let hint = if line.is_refused && !line.text().is_empty() { "✗ no match" } else { "" };
        line.draw(frame, row, context, &Wording { label: "find ", width: 40, styled: &[], hint, role: Role::Error });
        above
    }
}
