//! How much was selected, so that the dot can take as much from another place on.

use super::Mode;
use crate::tui::widgets::{
    cells,
    editor::{Editor, Pos},
};

/// The size of a selection, as vim counts it: the text in it may be any other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// So many letters of one line.
    Letters(usize),
    /// So many whole lines.
    Lines(usize),
    /// To so many letters from the start of the line that is so many lines down.
    Down { lines: usize, letters: usize },
}

impl Extent {
    /// Of what is selected between a letter and the caret, both included.
    pub fn of(editor: &Editor, from: Pos, lines: bool) -> Self {
        let from = editor.buffer.clamp(from);
        let (start, end) = (from.min(editor.caret), from.max(editor.caret));
        let down = end.line - start.line;
        let letters_to = |start: usize| letters(editor.buffer.line(end.line), start, end.byte) + 1;
        match (lines, down) {
            (true, _) => Self::Lines(down + 1),
            (false, 0) => Self::Letters(letters_to(start.byte)),
            (false, _) => Self::Down { lines: down, letters: letters_to(0) },
        }
    }

    /// Puts the caret on the last letter of as much from the caret on, or of what there is.
    pub fn select(self, editor: &mut Editor) -> Mode {
        let from = editor.caret;
        let last = editor.buffer.lines().len() - 1;
        let on = |start: Pos, letters: usize| {
            let to = (1..letters).fold(start, |at, _| editor.buffer.after_in_line(at));
            // A line's end is no letter of it.
            if to.byte == editor.buffer.line(to.line).len() { editor.buffer.before_in_line(to) } else { to }
        };
        let to = match self {
            Self::Letters(letters) => on(from, letters),
            Self::Lines(lines) => Pos { line: (from.line + lines - 1).min(last), byte: 0 },
            Self::Down { lines, letters } => on(Pos { line: (from.line + lines).min(last), byte: 0 }, letters),
        };
        editor.go(to, false);
        Mode::Visual { from, lines: matches!(self, Self::Lines(_)) }
    }
}

/// Letters between two places of a line, as people count them.
fn letters(line: &str, start: usize, end: usize) -> usize {
    let (mut at, mut count) = (start, 0);
    while at < end {
        at = cells::grapheme_end(line, at);
        count += 1;
    }
    count
}
