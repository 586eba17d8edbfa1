//! Markdown as rows of styled text at a given width, with a mapping back to the bytes of the source.
//!
//! Laid out once per text and width ([`Layout::of`]); matches, names and tags are overlaid at drawing time, so a new
//! query or a newly known name needs no new layout. Stores roles, not colours.
//!
//! People write journals as plain text: line breaks inside a paragraph, indentation and blank lines stay as typed,
//! and text that markdown would not render (link definitions, HTML) is shown.

mod flow;
mod inline;
pub mod marks;
pub mod targets;
#[cfg(test)]
mod tests;

use std::ops::Range;

use ratatui::{buffer::Buffer, layout::Rect};

use self::inline::{Inline, Piece};
use crate::tui::{Pen, Role, Theme, cells};

/// A range of the source with another role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlay {
    pub span: Range<usize>,
    pub role: Role,
}

/// A text laid out at one width.
#[derive(Debug, Clone, Default)]
pub struct Layout {
    /// The painted text, all rows in one string.
    content: Inline,
    /// Runs of each row.
    rows: Vec<Range<usize>>,
}

impl Layout {
    /// Lays out `body` in rows of at most `width` cells. Cost: linear in `body`. `as_typed`: with the markup as text.
    pub fn of(body: &str, width: u16, as_typed: bool) -> Self {
        flow::lay_out(body, usize::from(width.max(1)), as_typed)
    }

    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The text of one row as painted.
    #[cfg(test)]
    pub fn row_text(&self, row: usize) -> String {
        self.pieces(row).iter().map(|piece| &self.content.text[piece.text.clone()]).collect()
    }

    /// The first row that shows a byte at or after `at` of the source.
    pub fn row_of(&self, at: usize) -> usize {
        let shows = |row: &Range<usize>| self.content.runs[row.clone()].iter().any(|piece| piece.source.end > at);
        self.rows.iter().position(shows).unwrap_or(self.rows.len().saturating_sub(1))
    }

    /// Draws one row into the first line of `area`. `layers` have non-overlapping spans in order; a later layer wins.
    pub fn paint(&self, buffer: &mut Buffer, area: Rect, row: usize, layers: &[&[Overlay]], theme: &Theme) {
        if area.is_empty() {
            return;
        }
        let mut pen = Pen::new(area.x, area.y, area.width);
        for piece in self.pieces(row) {
            let text = &self.content.text[piece.text.clone()];
            let base = theme.style(piece.role).add_modifier(piece.modifier);
            let exact = piece.source.len() == text.len();
            let mut at = 0;
            while at < text.len() {
                let end = cells::grapheme_end(text, at);
                let source =
                    if exact { piece.source.start + at..piece.source.start + end } else { piece.source.clone() };
                let style = layers.iter().filter_map(|layer| painted_over(layer, &source)).fold(base, |style, role| {
                    let shows_in_code = matches!(role, Role::Match | Role::MatchHere);
                    if piece.role == Role::Code && !shows_in_code { style } else { style.patch(theme.style(role)) }
                });
                if !pen.put(buffer, &text[at..end], style) {
                    return;
                }
                at = end;
            }
        }
    }

    fn pieces(&self, row: usize) -> &[Piece] {
        self.rows.get(row).map_or(&[], |row| &self.content.runs[row.clone()])
    }
}

fn painted_over(layer: &[Overlay], source: &Range<usize>) -> Option<Role> {
    if source.is_empty() {
        return None;
    }
    let first = layer.partition_point(|overlay| overlay.span.end <= source.start);
    layer.get(first).filter(|overlay| overlay.span.start < source.end).map(|overlay| overlay.role)
}
