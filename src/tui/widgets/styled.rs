//! Styled text with roles for parts of it, wrapped by word.

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect};
use unicode_segmentation::UnicodeSegmentation;

use super::wrap;
use crate::{
    journal::EntityKind,
    tui::{Pen, RenderContext, Role, below, inset, kind_label},
};

/// Text and the roles of its parts. Built by pushing; parts without a role have the base role.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Styled {
    text: String,
    parts: Vec<(Range<usize>, Role)>,
}

impl Styled {
    pub fn of(text: &str, role: Role) -> Self {
        let mut line = Self::default();
        line.push(text, role);
        line
    }

    /// Appends more text.
    pub fn and(mut self, text: &str, role: Role) -> Self {
        self.push(text, role);
        self
    }

    pub fn push(&mut self, text: &str, role: Role) -> &mut Self {
        let start = self.text.len();
        self.text.push_str(text);
        self.parts.push((start..self.text.len(), role));
        self
    }

    /// Appends a name with its kind: `Hùng person`.
    pub fn push_name(&mut self, name: &str, kind: EntityKind) -> &mut Self {
        self.push(name, Role::of_kind(kind)).push(&format!(" {}", kind_label(kind).0), Role::Dim)
    }

    /// Sets the role of the bytes of `range`; later calls win.
    pub fn mark(&mut self, range: Range<usize>, role: Role) -> &mut Self {
        if !range.is_empty() {
            self.parts.push((range, role));
        }
        self
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Number of rows at a width.
    pub fn height(&self, width: u16) -> usize {
        wrap::rows(&self.text, usize::from(width)).count()
    }

    /// Draws as many rows as `area` has, and returns their number. A truncated text ends in `…`.
    pub fn paint(&self, buffer: &mut Buffer, area: Rect, context: &RenderContext<'_>, base: Role) -> u16 {
        let mut rows = wrap::rows(&self.text, usize::from(area.width)).peekable();
        let mut y = area.y;
        while y < area.bottom() {
            let Some(row) = rows.next() else { break };
            let painted = wrap::painted(&self.text, &row);
            let mut pen = Pen::new(area.x, y, area.width);
            for (at, grapheme) in self.text[painted.clone()].grapheme_indices(true) {
                let style = context.style(base).patch(context.style(self.role(painted.start + at).unwrap_or(base)));
                if !pen.put(buffer, grapheme, style) {
                    break;
                }
            }
            y += 1;
            if y == area.bottom() && rows.peek().is_some() {
                let x = pen.x.min(area.right() - 1);
                Pen::new(x, y - 1, 1).put(buffer, "…", context.style(Role::Dim));
            }
        }
        y - area.y
    }

    fn role(&self, at: usize) -> Option<Role> {
        self.parts.iter().rev().find(|(range, _)| range.contains(&at)).map(|(_, role)| *role)
    }
}

/// Draws texts like [`paint_all`], indented from the edges, for a pane that shows nothing else.
pub fn paint_alone(lines: &[Styled], buffer: &mut Buffer, area: Rect, context: &RenderContext<'_>) {
    paint_all(lines, buffer, inset(below(area, 1), 3, 1), context);
}

/// Draws texts one below the other, an empty one as an empty row.
pub fn paint_all(lines: &[Styled], buffer: &mut Buffer, area: Rect, context: &RenderContext<'_>) {
    let mut area = area;
    for line in lines {
        if area.is_empty() {
            return;
        }
        let taken = line.paint(buffer, area, context, Role::Text).clamp(1, area.height);
        area = below(area, taken);
    }
}
