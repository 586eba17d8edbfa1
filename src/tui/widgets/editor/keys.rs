//! Keys of the text editor: arrows, and the usual keys of a shell's line editor.

use ratatui::crossterm::event::{KeyCode, KeyModifiers};

use super::{Editor, Pos};
use crate::tui::{Key, TextInput};

/// The keys of a text of several lines, for the help: they cannot be changed.
pub const EDITOR_KEYS: &[(&str, &str)] = &[
    ("ctrl-left, ctrl-right", "Previous or next word"),
    ("home, end", "Start or end of the row"),
    ("ctrl-a, ctrl-e", "Start or end of the line"),
    ("ctrl-home, ctrl-end", "Start or end of the text"),
    ("shift-arrows", "Select; with ctrl by word"),
    ("alt-a", "Select all"),
    ("ctrl-c, alt-c", "Copy the selection"),
    ("ctrl-x", "Cut the selection"),
    ("ctrl-v", "Paste what was copied or cut here"),
    ("ctrl-w, alt-d", "Delete the word before or after the caret"),
    ("ctrl-u, ctrl-k", "Delete to the start or end of the line"),
];

impl Editor {
    /// Handles typed or pasted text and keys; returns a text for the clipboard.
    pub fn take(&mut self, input: &TextInput) -> Option<String> {
        match input {
            TextInput::Typed(letter) => self.insert(letter.encode_utf8(&mut [0; 4])),
            TextInput::Pasted(text) => self.insert(text),
            TextInput::Key(key) => return self.key(*key),
        }
        None
    }

    /// Handles a key that types no character.
    pub fn key(&mut self, key: Key) -> Option<String> {
        let select = key.mods.contains(KeyModifiers::SHIFT);
        let word = key.mods.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        match key.code {
            KeyCode::Char(letter) => return self.letter(letter, key.mods),
            KeyCode::Enter => self.break_line(),
            KeyCode::Backspace => self.delete(if word { Self::word_left } else { Self::left }),
            KeyCode::Delete => self.delete(if word { Self::word_right } else { Self::right }),
            KeyCode::Home | KeyCode::End if !word => {
                let row = self.caret_row();
                self.go_to_column(row, if key.code == KeyCode::End { usize::MAX } else { 0 }, select);
            }
            KeyCode::Left | KeyCode::Right | KeyCode::Home | KeyCode::End => {
                let to = self.aim(key.code, word, select);
                self.go(to, select);
            }
            KeyCode::Up => self.vertical(-1, select),
            KeyCode::Down => self.vertical(1, select),
            KeyCode::PageUp => self.vertical(-self.page(), select),
            KeyCode::PageDown => self.vertical(self.page(), select),
            _ => {}
        }
        None
    }

    fn letter(&mut self, letter: char, mods: KeyModifiers) -> Option<String> {
        let (ctrl, alt) = (mods == KeyModifiers::CONTROL, mods == KeyModifiers::ALT);
        match letter {
            'a' if ctrl => self.go(self.line_start(), false),
            'e' if ctrl => self.go(self.line_end(), false),
            'b' if alt => self.go(self.word_left(), false),
            'f' if alt => self.go(self.word_right(), false),
            'a' if alt => {
                self.go(Pos::default(), false);
                self.go(self.buffer.end(), true);
            }
            'w' if ctrl => self.delete(Self::word_left),
            'd' if alt => self.delete(Self::word_right),
            'd' if ctrl => self.delete(Self::right),
            'k' if ctrl => self.delete(Self::kill_end),
            'u' if ctrl => self.delete(Self::kill_start),
            'z' if ctrl => self.undo(),
            'y' | 'Z' if ctrl => self.redo(),
            'v' if ctrl && !self.clip.is_empty() => self.insert(&self.clip.clone()),
            'x' if ctrl => return self.cut(),
            'c' if ctrl || alt => return self.copy(),
            'w' if alt => return self.copy(),
            _ => {}
        }
        None
    }

    fn copy(&mut self) -> Option<String> {
        let text = self.selected_text()?;
        self.clip.clone_from(&text);
        Some(text)
    }

    fn cut(&mut self) -> Option<String> {
        let text = self.copy()?;
        self.insert("");
        Some(text)
    }

    /// Deletes the selection, or from the caret to the target of the movement.
    fn delete(&mut self, movement: fn(&Self) -> Pos) {
        let to = movement(self);
        let range = self.selection().unwrap_or(self.caret.min(to)..self.caret.max(to));
        if range.start != range.end {
            self.replace(range.start, range.end, "");
        }
    }

    fn aim(&self, code: KeyCode, word: bool, select: bool) -> Pos {
        // Moving out of a selection without shift goes to its edge, as in other editors.
        let edges = self.selection().filter(|_| !select && !word);
        match (code, edges) {
            (KeyCode::Left, Some(range)) => range.start,
            (KeyCode::Right, Some(range)) => range.end,
            (KeyCode::Left, None) if word => self.word_left(),
            (KeyCode::Left, None) => self.left(),
            (KeyCode::Right, None) if word => self.word_right(),
            (KeyCode::Right, None) => self.right(),
            (KeyCode::Home, _) => Pos::default(),
            _ => self.buffer.end(),
        }
    }

    fn page(&self) -> isize {
        isize::try_from(self.area.height.saturating_sub(1).max(1)).unwrap_or(1)
    }

    fn left(&self) -> Pos {
        self.buffer.before(self.caret)
    }

    fn right(&self) -> Pos {
        self.buffer.after(self.caret)
    }

    fn word_left(&self) -> Pos {
        self.buffer.word_before(self.caret)
    }

    fn word_right(&self) -> Pos {
        self.buffer.word_after(self.caret)
    }

    fn line_start(&self) -> Pos {
        Pos { line: self.caret.line, byte: 0 }
    }

    fn line_end(&self) -> Pos {
        Pos { line: self.caret.line, byte: self.buffer.line(self.caret.line).len() }
    }

    /// To the end of the line; at the end, the line break.
    fn kill_end(&self) -> Pos {
        if self.caret == self.line_end() { self.right() } else { self.line_end() }
    }

    fn kill_start(&self) -> Pos {
        if self.caret == self.line_start() { self.left() } else { self.line_start() }
    }
}
