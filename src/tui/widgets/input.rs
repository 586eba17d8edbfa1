//! Single-line text field: movement by grapheme, the hardware cursor at the caret.

use std::ops::Range;

use ratatui::{
    Frame,
    crossterm::event::{KeyCode, KeyModifiers},
    layout::Rect,
    style::Style,
    text::{Line, Span},
};
use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation};

use super::cells::text_width;
use crate::tui::{Key, TextInput};

/// Text with a caret, which is always between graphemes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    text: String,
    caret: usize,
    /// First visible byte.
    scroll: usize,
}

impl Input {
    pub fn of(text: &str) -> Self {
        Self { text: text.to_owned(), caret: text.len(), scroll: 0 }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Replaces the text; the caret goes to its end.
    pub fn set(&mut self, text: &str) {
        *self = Self::of(text);
    }

    /// Handles typed or pasted text and editing keys; returns whether the text changed.
    pub fn take(&mut self, input: &TextInput) -> bool {
        match input {
            TextInput::Typed(letter) => self.insert(letter.encode_utf8(&mut [0; 4])),
            TextInput::Pasted(text) => {
                let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
                self.insert(line.trim_end())
            }
            TextInput::Key(key) => self.edit(*key),
        }
    }

    fn insert(&mut self, text: &str) -> bool {
        self.text.insert_str(self.caret, text);
        self.caret += text.len();
        // A combining mark may have joined the graphemes before and after the caret.
        if !self.is_boundary(self.caret) {
            self.caret = self.after(self.caret);
        }
        !text.is_empty()
    }

    fn edit(&mut self, key: Key) -> bool {
        let word = key.mods.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
        let target = match key.code {
            KeyCode::Left if word => self.word_before(),
            KeyCode::Right if word => self.word_after(),
            KeyCode::Left => self.before(self.caret),
            KeyCode::Right => self.after(self.caret),
            KeyCode::Home => 0,
            KeyCode::End => self.text.len(),
            KeyCode::Char('a') if key.mods == KeyModifiers::CONTROL => 0,
            KeyCode::Char('e') if key.mods == KeyModifiers::CONTROL => self.text.len(),
            KeyCode::Backspace if word => return self.remove(self.word_before()..self.caret),
            KeyCode::Backspace => return self.remove(self.before(self.caret)..self.caret),
            KeyCode::Delete => return self.remove(self.caret..self.after(self.caret)),
            KeyCode::Char('w') if word => return self.remove(self.word_before()..self.caret),
            KeyCode::Char('u') if key.mods == KeyModifiers::CONTROL => return self.remove(0..self.caret),
            KeyCode::Char('k') if key.mods == KeyModifiers::CONTROL => {
                return self.remove(self.caret..self.text.len());
            }
            _ => return false,
        };
        self.caret = target;
        false
    }

    fn remove(&mut self, range: Range<usize>) -> bool {
        let changed = !range.is_empty();
        self.caret = range.start;
        self.text.replace_range(range, "");
        if !self.is_boundary(self.caret) {
            self.caret = self.before(self.caret);
        }
        changed
    }

    fn is_boundary(&self, at: usize) -> bool {
        GraphemeCursor::new(at, self.text.len(), true).is_boundary(&self.text, 0).unwrap_or(true)
    }

    fn before(&self, at: usize) -> usize {
        self.text[..at].grapheme_indices(true).next_back().map_or(0, |(start, _)| start)
    }

    fn after(&self, at: usize) -> usize {
        GraphemeCursor::new(at, self.text.len(), true)
            .next_boundary(&self.text, 0)
            .ok()
            .flatten()
            .unwrap_or(self.text.len())
    }

    fn word_before(&self) -> usize {
        self.text[..self.caret].unicode_word_indices().next_back().map_or(0, |(start, _)| start)
    }

    fn word_after(&self) -> usize {
        let rest = &self.text[self.caret..];
        rest.unicode_word_indices().next().map_or(self.text.len(), |(at, word)| self.caret + at + word.len())
    }

    /// Draws the visible part. `styled`: parts of the text (bytes, in order) in another style. `cursor`: whether to
    /// set the hardware cursor at the caret.
    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        style: Style,
        styled: &[(Range<usize>, Style)],
        cursor: bool,
    ) {
        if area.is_empty() {
            return;
        }
        let width = usize::from(area.width);
        self.scroll_to_caret(width);
        let visible = super::cells::start(&self.text[self.scroll..], width);
        let until = self.scroll + visible.len();
        let mut spans = Vec::new();
        let mut at = self.scroll;
        for (range, own) in styled {
            let (from, to) = (self.floor(range.start).clamp(at, until), self.floor(range.end).clamp(at, until));
            spans.push(Span::styled(self.text[at..from].to_owned(), style));
            spans.push(Span::styled(self.text[from..to].to_owned(), *own));
            at = to;
        }
        spans.push(Span::styled(self.text[at..until].to_owned(), style));
        frame.render_widget(Line::from(spans), area);
        if cursor {
            let column = text_width(&self.text[self.scroll..self.caret]).min(width.saturating_sub(1));
            frame.set_cursor_position((area.x + column as u16, area.y));
        }
    }

    /// Keeps the caret's cell visible, with as much text before it as fits.
    fn scroll_to_caret(&mut self, width: usize) {
        // A text that fits is shown in full, also after the field became wider.
        if text_width(&self.text) < width {
            self.scroll = 0;
        }
        self.scroll = self.floor(self.scroll.min(self.caret));
        if !self.is_boundary(self.scroll) {
            self.scroll = self.before(self.scroll);
        }
        if text_width(&self.text[self.scroll..self.caret]) >= width {
            let shown = super::cells::end(&self.text[..self.caret], width.saturating_sub(1));
            self.scroll = self.caret - shown.len();
        }
    }

    fn floor(&self, at: usize) -> usize {
        self.text.floor_char_boundary(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(input: &mut Input, keys: &str) {
        for key in keys.split_whitespace() {
            input.take(&TextInput::Key(key.parse().unwrap()));
        }
    }

    fn typed(text: &str) -> Input {
        let mut input = Input::default();
        for letter in text.chars() {
            input.take(&TextInput::Typed(letter));
        }
        input
    }

    #[test]
    fn the_caret_moves_and_deletes_by_grapheme() {
        // A decomposed letter, an emoji of four joined persons, a flag.
        let mut input = typed("e\u{301}👨‍👩‍👧‍👦🇻🇳x");
        key(&mut input, "left backspace");
        assert_eq!(input.text(), "e\u{301}👨‍👩‍👧‍👦x");
        key(&mut input, "backspace backspace");
        assert_eq!(input.text(), "x");
        key(&mut input, "delete");
        assert_eq!(input.text(), "");
    }

    #[test]
    fn words_go_at_once() {
        let mut input = typed("phở with Linh");
        key(&mut input, "ctrl-w");
        assert_eq!(input.text(), "phở with ");
        key(&mut input, "ctrl-left ctrl-left delete");
        assert_eq!(input.text(), "hở with ");
        key(&mut input, "end ctrl-u");
        assert!(input.is_empty());
    }

    #[test]
    fn pasted_lines_become_one() {
        let mut input = Input::default();
        input.take(&TextInput::Pasted("two\nlines\t\n".into()));
        assert_eq!(input.text(), "two lines");
    }

    proptest::proptest! {
        #[test]
        fn any_keys_on_any_text_keep_the_caret_between_graphemes(
            parts in proptest::collection::vec((0usize..8, ".{0,4}"), 0..20), width in 1usize..12,
        ) {
            let mut input = Input::default();
            for (what, text) in parts {
                match what {
                    0..3 => { input.take(&TextInput::Pasted(text)); }
                    3 => key(&mut input, "left"),
                    4 => key(&mut input, "backspace"),
                    5 => key(&mut input, "ctrl-left"),
                    6 => key(&mut input, "delete"),
                    _ => key(&mut input, "right"),
                }
                assert!(input.is_boundary(input.caret), "{:?} at {}", input.text, input.caret);
                input.scroll_to_caret(width);
                assert!(text_width(&input.text[input.scroll..input.caret]) < width.max(1) + 1);
            }
        }
    }
}
