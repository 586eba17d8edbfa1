//! Undo history of the text editor.

use super::buffer::{Buffer, Pos};

/// One replacement.
#[derive(Debug, Clone)]
struct Edit {
    at: Pos,
    removed: String,
    inserted: String,
    /// Position of the caret before it.
    caret: Pos,
}

/// Undo and redo. The letters of one word typed in a row are one step.
#[derive(Debug, Clone, Default)]
pub struct History {
    done: Vec<Edit>,
    undone: Vec<Edit>,
    /// The last step may still grow.
    open: bool,
}

impl History {
    /// Replaces the text between `at` and `until` and records it; returns the end of the inserted text.
    pub fn replace(&mut self, buffer: &mut Buffer, at: Pos, until: Pos, text: &str, caret: Pos) -> Pos {
        let (removed, end) = swap(buffer, at, until, text);
        self.undone.clear();
        let edit = Edit { at, removed, inserted: text.to_owned(), caret };
        let letters = is_typing(&edit);
        let grown = self.open && letters && self.done.last_mut().is_some_and(|last| last.grow(&edit));
        if !grown {
            self.done.push(edit);
        }
        self.open = letters;
        end
    }

    /// The caret moved: the next input is a step of its own.
    pub fn close(&mut self) {
        self.open = false;
    }

    /// Undoes the last step; returns the position of the caret before it.
    pub fn undo(&mut self, buffer: &mut Buffer) -> Option<Pos> {
        let edit = self.done.pop()?;
        swap(buffer, edit.at, end_of(edit.at, &edit.inserted), &edit.removed);
        let caret = edit.caret;
        self.undone.push(edit);
        self.open = false;
        Some(caret)
    }

    /// Redoes the last undone step; returns the position of the caret after it.
    pub fn redo(&mut self, buffer: &mut Buffer) -> Option<Pos> {
        let edit = self.undone.pop()?;
        let (_, caret) = swap(buffer, edit.at, end_of(edit.at, &edit.removed), &edit.inserted);
        self.done.push(edit);
        self.open = false;
        Some(caret)
    }
}

/// Replaces the text between `at` and `until`; returns the removed text and the end of the inserted one.
fn swap(buffer: &mut Buffer, at: Pos, until: Pos, text: &str) -> (String, Pos) {
    let removed = if at == until { String::new() } else { buffer.remove(at..until) };
    (removed, if text.is_empty() { at } else { buffer.insert(at, text) })
}

impl Edit {
    /// Appends the next letter, if it continues the word (a space ends it, and a letter after a space starts the
    /// next).
    fn grow(&mut self, next: &Self) -> bool {
        let follows = self.at.line == next.at.line && self.at.byte + self.inserted.len() == next.at.byte;
        let space = |text: &str, end: bool| {
            let letter = if end { text.chars().next_back() } else { text.chars().next() };
            letter.is_some_and(char::is_whitespace)
        };
        if !follows || (space(&self.inserted, true) && !space(&next.inserted, false)) {
            return false;
        }
        self.inserted.push_str(&next.inserted);
        true
    }
}

fn is_typing(edit: &Edit) -> bool {
    edit.removed.is_empty() && !edit.inserted.contains('\n') && edit.inserted.chars().nth(1).is_none()
}

fn end_of(at: Pos, text: &str) -> Pos {
    match text.rfind('\n') {
        Some(newline) => Pos { line: at.line + text.matches('\n').count(), byte: text.len() - newline - 1 },
        None => Pos { line: at.line, byte: at.byte + text.len() },
    }
}
