//! Single-line text field: the text editor on one line, with the hardware cursor at the caret.

use std::ops::Range;

use ratatui::{
    Frame,
    crossterm::event::KeyCode,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span},
};

use super::{
    cells::{self, text_width},
    editor::Editor,
};
use crate::tui::{Key, TextInput};

/// Maximum number of bytes in a field: drawing reads them all.
const MOST: usize = 20_000;

/// A line of text with a caret.
#[derive(Debug, Clone)]
pub struct Input {
    pub editor: Editor,
    /// First visible byte.
    scroll: usize,
}

impl Default for Input {
    fn default() -> Self {
        Self::of("")
    }
}

impl Input {
    pub fn of(text: &str) -> Self {
        Self { editor: Editor::on_one_line(&one_line(text)), scroll: 0 }
    }

    pub fn text(&self) -> &str {
        self.editor.caret_line()
    }

    pub fn is_empty(&self) -> bool {
        self.editor.is_empty()
    }

    pub fn is_at_end(&self) -> bool {
        self.editor.before_caret().len() == self.text().len()
    }

    /// Replaces the text, as one undo step; the caret goes to its end.
    pub fn set(&mut self, text: &str) {
        self.editor.rewrite(&one_line(text));
    }

    /// Handles typed or pasted text and editing keys; returns whether the text changed.
    pub fn take(&mut self, input: &TextInput) -> bool {
        let before = self.editor.revision();
        self.type_in(input);
        self.editor.revision() != before
    }

    /// Handles typed or pasted text and the keys that edit a line; returns a text for the clipboard.
    pub fn type_in(&mut self, input: &TextInput) -> Option<String> {
        match input {
            TextInput::Pasted(text) => {
                let room = MOST.saturating_sub(self.text().len());
                self.editor.insert(one_line(&text[..text.floor_char_boundary(room)]).trim_end());
                None
            }
            TextInput::Key(key) if !edits_line(*key) => None,
            TextInput::Key(_) | TextInput::Typed(_) => self.editor.take(input),
        }
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
        let (text, caret) = (self.text(), self.editor.before_caret().len());
        let floor = |at: usize| text.floor_char_boundary(at);
        let until = self.scroll + cells::start(&text[self.scroll..], width).len();
        let mut spans = Vec::new();
        let mut at = self.scroll;
        for (range, own) in styled {
            let (from, to) = (floor(range.start).clamp(at, until), floor(range.end).clamp(at, until));
            spans.push(Span::styled(&text[at..from], style));
            spans.push(Span::styled(&text[from..to], *own));
            at = to;
        }
        spans.push(Span::styled(&text[at..until], style));
        frame.render_widget(Line::from(spans), area);
        if (1..text.len()).contains(&self.scroll) {
            let cells = text_width(&text[self.scroll..cells::grapheme_end(text, self.scroll)]);
            frame.render_widget(Span::styled(cells::pad("…", cells), style), area);
        }
        if cursor {
            let column = |at: usize| text_width(&text[self.scroll..at.max(self.scroll)]).min(width - 1) as u16;
            frame.set_cursor_position((area.x + column(caret), area.y));
            if let Some(Range { start, end }) = self.editor.selection() {
                let (from, to) = (column(start.byte), column(end.byte));
                let selected = Rect { x: area.x + from, width: to - from, height: 1, ..area };
                frame.buffer_mut().set_style(selected, Modifier::REVERSED);
            }
        }
    }

    /// Keeps the caret's cell visible, with as much text before it as fits.
    fn scroll_to_caret(&mut self, width: usize) {
        let (text, before) = (self.editor.caret_line(), self.editor.before_caret());
        // A text that fits is shown in full, also after the field became wider.
        let least = if text_width(text) < width { 0 } else { self.scroll };
        // The first cell may have the sign for the text before it, which the caret must not be on.
        let last = if before.is_empty() { 0 } else { cells::grapheme_start(text, before.len()) };
        self.scroll = cells::floor(text, least.min(last));
        if text_width(&before[self.scroll..]) >= width {
            self.scroll = before.len() - cells::end(before, width.saturating_sub(1)).len();
        }
    }
}

fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether a key edits a line, or moves in it.
fn edits_line(key: Key) -> bool {
    use KeyCode::{Backspace, Char, Delete, End, Home, Left, Right};
    matches!(key.code, Char(_) | Backspace | Delete | Left | Right | Home | End)
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
    fn no_key_leaves_the_line_and_a_change_is_undone() {
        let mut input = typed("phở with Linh");
        key(&mut input, "enter up down left");
        input.take(&TextInput::Typed('.'));
        assert_eq!(input.text(), "phở with Lin.h");
        key(&mut input, "ctrl-w ctrl-z");
        assert_eq!(input.text(), "phở with Lin.h");
        input.set("gone");
        key(&mut input, "ctrl-z");
        assert_eq!(input.text(), "phở with Lin.h");
    }

    #[test]
    fn a_selection_is_shown_and_replaced() {
        let mut input = typed("phở with Linh");
        let mut terminal = ratatui::Terminal::new(ratatui::backend::TestBackend::new(9, 1)).unwrap();
        let mut draw = |input: &mut Input| {
            let area = Rect::new(0, 0, 9, 1);
            terminal.draw(|frame| input.draw(frame, area, Style::new(), &[], true)).unwrap().buffer.clone()
        };
        draw(&mut input);
        key(&mut input, "shift-left shift-left");
        let buffer = draw(&mut input);
        let row: String = buffer.content.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert_eq!(row, "…th Linh ", "the text before is marked as left out");
        let is_selected = |x| buffer[(x, 0)].modifier.contains(Modifier::REVERSED);
        assert_eq!((0..9).filter(|x| is_selected(*x)).collect::<Vec<u16>>(), [6, 7]);
        input.take(&TextInput::Typed('k'));
        assert_eq!(input.text(), "phở with Lik");
        key(&mut input, "alt-a backspace");
        assert!(input.is_empty());
    }

    #[test]
    fn pasted_lines_become_one() {
        let mut input = Input::default();
        input.take(&TextInput::Pasted("two\nlines\t\n".into()));
        assert_eq!(input.text(), "two lines");
    }

    #[test]
    fn a_long_paste_is_cut() {
        let mut input = typed("phở ");
        input.take(&TextInput::Pasted("é".repeat(MOST)));
        assert!(input.text().len() <= MOST && input.text().starts_with("phở éé"));
        assert!(!input.take(&TextInput::Pasted("é".into())), "it is full");
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
                let caret = input.editor.before_caret().len();
                assert_eq!(cells::floor(input.text(), caret), caret, "{:?}", input.text());
                input.scroll_to_caret(width);
                assert!(text_width(&input.text()[input.scroll..caret]) < width.max(1) + 1);
            }
        }
    }
}
