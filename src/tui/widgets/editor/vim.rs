//! vim's keys on a text, for those whose hands know no others: modes, counts, operators with motions and objects, dot.
//!
//! Not the whole of vim: no registers by name, no marks, no search, no command line; `ZZ` saves and `ZQ` leaves. `j` and `k`
//! go by rows of the screen, because a paragraph is one line; under an operator they mean lines. What is yanked also goes to
//! the clipboard. One command, or one time of inserting, is one step of undo.

mod act;
mod extent;
mod motion;
mod parse;
#[cfg(test)]
mod tests;

use std::ops::Range;

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use self::{
    extent::Extent,
    parse::{Command, Parse, What},
};
use super::{Editor, Outcome, Pos};
use crate::tui::key::Key;

/// One press, or one text that came whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stroke {
    Key(Key),
    Text(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    Normal,
    #[default]
    Insert,
    /// From where it began to the caret, both included; `lines`: whole lines.
    Visual {
        from: Pos,
        lines: bool,
    },
}

impl Mode {
    pub fn name(self) -> &'static str {
        match self {
            Self::Normal => "NORMAL",
            Self::Insert => "INSERT",
            Self::Visual { lines: false, .. } => "VISUAL",
            Self::Visual { lines: true, .. } => "VISUAL LINE",
        }
    }
}

/// What was deleted or yanked last.
#[derive(Debug, Clone, Default)]
struct Register {
    text: String,
    lines: bool,
}

/// A change that can be made again.
#[derive(Debug, Clone, Default)]
struct Change {
    strokes: Vec<Stroke>,
    /// Set where it was made on a selection: the next one is as large.
    extent: Option<Extent>,
}

/// What vim remembers between keys.
#[derive(Debug, Clone, Default)]
pub struct Vim {
    mode: Mode,
    /// The keys of a command that is not complete.
    pending: Vec<char>,
    register: Register,
    /// The last `f`, `F`, `t` or `T`, for `;` and `,`.
    find: Option<(char, char)>,
    /// The last change, for the dot.
    change: Change,
    /// A change that goes on while text is inserted.
    recording: Option<Change>,
    replaying: bool,
}

impl Editor {
    /// From now on with vim's keys; `inserting`: ready to type.
    pub fn use_vim(&mut self, inserting: bool) {
        let mode = if inserting { Mode::Insert } else { Mode::Normal };
        if inserting {
            self.history.hold();
        }
        self.vim = Some(Box::new(Vim { mode, ..Vim::default() }));
    }

    pub fn vim_mode(&self) -> Option<Mode> {
        self.vim.as_ref().map(|vim| vim.mode)
    }

    /// Whether a letter would be typed.
    pub fn inserts(&self) -> bool {
        matches!(self.vim_mode(), None | Some(Mode::Insert))
    }

    /// A press or a pasted text, under whichever keys are in use.
    pub fn stroke(&mut self, stroke: Stroke) -> Outcome {
        let Some(mut vim) = self.vim.take() else { return self.plain(stroke) };
        let outcome = vim.stroke(self, stroke);
        if !matches!(vim.mode, Mode::Insert) {
            self.hold_on_letter();
        }
        self.vim = Some(vim);
        outcome
    }

    /// Without vim, and in its insert mode.
    fn plain(&mut self, stroke: Stroke) -> Outcome {
        match stroke {
            Stroke::Text(text) => self.insert(&text),
            Stroke::Key(key) => match key.typed() {
                Some(letter) => self.insert(letter.encode_utf8(&mut [0; 4])),
                None => return self.key(key),
            },
        }
        Outcome::Done
    }

    /// What is shown as selected: in the visual modes the letter under the caret is a part of it.
    pub(super) fn shown_selection(&self) -> Option<Range<Pos>> {
        match self.vim_mode() {
            Some(Mode::Visual { from, lines }) => Some(self.visual(from, lines)),
            _ => self.selection(),
        }
    }

    /// The text between two letters, both included, or the lines they stand in.
    fn visual(&self, from: Pos, lines: bool) -> Range<Pos> {
        let from = self.buffer.clamp(from);
        let (start, end) = (from.min(self.caret), from.max(self.caret));
        if lines {
            let end = Pos { line: end.line, byte: self.buffer.line(end.line).len() };
            Pos { line: start.line, byte: 0 }..end
        } else {
            start..self.buffer.after(end)
        }
    }

    /// Outside of the insert mode the caret stands on a letter, not behind the last one.
    fn hold_on_letter(&mut self) {
        let line = self.buffer.line(self.caret.line);
        if !line.is_empty() && self.caret.byte >= line.len() {
            let goal = self.goal;
            self.caret = self.buffer.before(Pos { byte: line.len(), ..self.caret });
            self.goal = goal;
        }
    }
}

impl Vim {
    fn stroke(&mut self, editor: &mut Editor, stroke: Stroke) -> Outcome {
        if self.mode == Mode::Insert {
            return self.inserting(editor, stroke);
        }
        let key = match stroke {
            Stroke::Key(key) => key,
            // A paste is no row of commands.
            Stroke::Text(text) => {
                self.rest();
                editor.insert(&text);
                return Outcome::Done;
            }
        };
        if let Some(letter) = key.typed() {
            self.pending.push(letter);
            return self.pressed(editor);
        }
        self.special(editor, key)
    }

    fn inserting(&mut self, editor: &mut Editor, stroke: Stroke) -> Outcome {
        if stroke == Stroke::Key(Key::plain(KeyCode::Esc)) {
            editor.history.release();
            self.mode = Mode::Normal;
            editor.go(editor.buffer.before_in_line(editor.caret), false);
            if let Some(change) = self.recording.take() {
                self.change = change;
            }
            return Outcome::Done;
        }
        if let Some(Change { strokes: recording, .. }) = &mut self.recording {
            match (recording.last_mut(), &stroke) {
                (Some(Stroke::Text(typed)), Stroke::Key(key)) if let Some(letter) = key.typed() => typed.push(letter),
                (_, Stroke::Key(key)) if let Some(letter) = key.typed() => {
                    recording.push(Stroke::Text(letter.to_string()));
                }
                _ => recording.push(stroke.clone()),
            }
        }
        editor.plain(stroke)
    }

    /// Esc: nothing is begun any more.
    fn rest(&mut self) {
        self.pending.clear();
        self.mode = Mode::Normal;
    }

    /// Keys that are no letters.
    fn special(&mut self, editor: &mut Editor, key: Key) -> Outcome {
        let as_letter = match key.code {
            KeyCode::Left if key.mods.is_empty() => Some('h'),
            KeyCode::Right if key.mods.is_empty() => Some('l'),
            KeyCode::Up if key.mods.is_empty() => Some('k'),
            KeyCode::Down if key.mods.is_empty() => Some('j'),
            KeyCode::Backspace => Some('h'),
            KeyCode::Enter => Some('+'),
            KeyCode::Delete => Some('x'),
            KeyCode::Home => Some('0'),
            KeyCode::End => Some('$'),
            _ => None,
        };
        if let Some(letter) = as_letter {
            // After a count, the key is no figure.
            if letter == '0' && self.pending.iter().all(char::is_ascii_digit) {
                self.pending.clear();
            }
            self.pending.push(letter);
            return self.pressed(editor);
        }
        self.pending.clear();
        let half = editor.page().midpoint(1).max(1);
        match key.code {
            KeyCode::Esc => self.rest(),
            KeyCode::Char('r') if key.mods == KeyModifiers::CONTROL => editor.redo(),
            KeyCode::Char('d') if key.mods == KeyModifiers::CONTROL => editor.vertical(half, false),
            KeyCode::Char('u') if key.mods == KeyModifiers::CONTROL => editor.vertical(-half, false),
            KeyCode::Char('f') if key.mods == KeyModifiers::CONTROL => editor.vertical(editor.page(), false),
            KeyCode::Char('b') if key.mods == KeyModifiers::CONTROL => editor.vertical(-editor.page(), false),
            KeyCode::PageDown => editor.vertical(editor.page(), false),
            KeyCode::PageUp => editor.vertical(-editor.page(), false),
            _ => return Outcome::Ignored,
        }
        Outcome::Done
    }

    /// Does what the letters pressed so far say, once they say something.
    fn pressed(&mut self, editor: &mut Editor) -> Outcome {
        let visual = matches!(self.mode, Mode::Visual { .. });
        match parse::parse(&self.pending, visual) {
            Parse::More => Outcome::Done,
            Parse::Nothing => {
                self.pending.clear();
                Outcome::Done
            }
            Parse::Do(command) => {
                let pressed = std::mem::take(&mut self.pending);
                self.run(editor, &command, pressed)
            }
        }
    }

    fn run(&mut self, editor: &mut Editor, command: &Command, pressed: Vec<char>) -> Outcome {
        if command.what == What::Act('.') {
            return self.repeat(editor, command.count);
        }
        let extent = match self.mode {
            Mode::Visual { from, lines } => Some(Extent::of(editor, from, lines)),
            _ => None,
        };
        editor.history.hold();
        let outcome = act::run(self, editor, command);
        let strokes = || pressed.iter().map(|letter| Stroke::Key(Key::plain(KeyCode::Char(*letter)))).collect();
        let changes = command.changes(extent.is_some());
        let change = || Change { strokes: strokes(), extent };
        if self.mode == Mode::Insert {
            self.recording = (!self.replaying).then(change);
        } else {
            editor.history.release();
            if !self.replaying && changes {
                self.change = change();
            }
        }
        outcome
    }

    /// The dot: the last change once more, with another count where one is given; what was made on a selection is made on as much
    /// from the caret on.
    fn repeat(&mut self, editor: &mut Editor, count: Option<usize>) -> Outcome {
        if self.replaying || self.change.strokes.is_empty() {
            return Outcome::Done;
        }
        let Change { mut strokes, extent } = self.change.clone();
        if let Some(extent) = extent {
            self.mode = extent.select(editor);
        } else if let Some(count) = count {
            let is_figure =
                |stroke: &Stroke| matches!(stroke, Stroke::Key(key) if key.typed().is_some_and(|l| l.is_ascii_digit()));
            let figures = strokes.iter().take_while(|stroke| is_figure(stroke)).count();
            let figure = |figure| Stroke::Key(Key::plain(KeyCode::Char(figure)));
            strokes.splice(..figures, count.to_string().chars().map(figure));
        }
        self.replaying = true;
        for stroke in strokes {
            self.stroke(editor, stroke);
            if self.mode != Mode::Insert {
                editor.hold_on_letter();
            }
        }
        if self.mode == Mode::Insert {
            self.inserting(editor, Stroke::Key(Key::plain(KeyCode::Esc)));
        }
        self.pending.clear();
        self.replaying = false;
        Outcome::Done
    }
}
