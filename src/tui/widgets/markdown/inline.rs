//! Inline text of a block in runs of equal style.

use std::ops::Range;

use ratatui::style::Modifier;

use crate::tui::{Role, cells};

/// A run of equal style.
#[derive(Debug, Clone)]
pub struct Piece {
    pub text: Range<usize>,
    pub role: Role,
    pub modifier: Modifier,
    /// Bytes of the source; byte for byte if it is as long as `text`.
    pub source: Range<usize>,
}

/// Text in runs: of one block before wrapping, where `\n` breaks the line, and of a whole layout.
#[derive(Debug, Clone, Default)]
pub struct Inline {
    pub text: String,
    pub runs: Vec<Piece>,
}

impl Inline {
    pub fn add(&mut self, text: &str, role: Role, modifier: Modifier, source: Range<usize>) {
        let start = self.text.len();
        self.text.push_str(text);
        self.runs.push(Piece { text: start..self.text.len(), role, modifier, source });
    }

    pub fn append(&mut self, other: &Self, bold: bool) -> usize {
        for run in &other.runs {
            let modifier = if bold { run.modifier | Modifier::BOLD } else { run.modifier };
            self.add(&other.text[run.text.clone()], run.role, modifier, run.source.clone());
        }
        other.cells()
    }

    pub fn pop_newline(&mut self) {
        self.text.pop();
        if let Some(run) = self.runs.last_mut() {
            run.text.end -= 1;
            run.source.end = run.source.end.saturating_sub(1).max(run.source.start);
        }
    }

    pub fn cells(&self) -> usize {
        cells::text_width(&self.text)
    }

    /// The runs inside a part of the text, clipped to it.
    pub fn within(&self, part: &Range<usize>) -> impl Iterator<Item = Piece> {
        let first = self.runs.partition_point(|run| run.text.end <= part.start);
        let (start, end) = (part.start, part.end);
        self.runs[first..].iter().take_while(move |run| run.text.start < end).map(move |run| {
            let text = run.text.start.max(start)..run.text.end.min(end);
            let source = if run.source.len() == run.text.len() {
                run.source.start + (text.start - run.text.start)..run.source.start + (text.end - run.text.start)
            } else {
                run.source.clone()
            };
            Piece { text, source, ..*run }
        })
    }
}
