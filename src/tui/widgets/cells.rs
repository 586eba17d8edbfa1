//! Text in terminal cells: grapheme boundaries, widths, and the characters painted.
//!
//! Widths are those that ratatui uses, so that a caret computed here is where the character is.

use std::borrow::Cow;

use ratatui::{
    Frame,
    buffer::{Buffer, CellWidth as _},
    style::Style,
};
use unicode_segmentation::UnicodeSegmentation as _;

use crate::{
    sanitize,
    tui::{RenderContext, Role},
};

/// Columns between tab stops.
pub const TAB: usize = 4;

/// Longer graphemes (stacked combining marks) are truncated.
const LONGEST_PAINTED: usize = 64;

/// The end of the grapheme that starts at byte `start`, which must be a grapheme boundary below `text.len()`.
pub fn grapheme_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    // Two ASCII bytes in a row never join, except CR LF: a fast path without tables.
    if bytes[start].is_ascii() && bytes[start] != b'\r' && bytes.get(start + 1).is_none_or(u8::is_ascii) {
        return start + 1;
    }
    start + text[start..].graphemes(true).next().map_or(1, str::len)
}

/// The start of the grapheme that ends at byte `end`, which must be a grapheme boundary above 0.
pub fn grapheme_start(text: &str, end: usize) -> usize {
    end - text[..end].graphemes(true).next_back().map_or(1, str::len)
}

/// The nearest grapheme boundary at or before `at`.
pub fn floor(text: &str, at: usize) -> usize {
    let at = text.floor_char_boundary(at);
    let mut cursor = unicode_segmentation::GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(false) => cursor.prev_boundary(text, 0).ok().flatten().unwrap_or(0),
        _ => at,
    }
}

/// Width of one grapheme in cells when it starts in `column` (tabs extend to the next stop).
pub fn width(grapheme: &str, column: usize) -> usize {
    match grapheme.as_bytes() {
        [b'\t'] => TAB - column % TAB,
        [_] => 1,
        _ if grapheme.contains(char::is_control) => 1,
        _ => usize::from(sanitize::grapheme(grapheme).cell_width()),
    }
}

/// Width of a text without line breaks in cells, from column 0.
pub fn text_width(text: &str) -> usize {
    text.graphemes(true).fold(0, |column, grapheme| column + width(grapheme, column))
}

/// The characters painted for a grapheme: sanitized by [`sanitize`], so that no text can control the terminal.
pub fn shown(grapheme: &str) -> Cow<'_, str> {
    match grapheme.as_bytes() {
        [b'\t'] => Cow::Borrowed(" "),
        [_] => sanitize::grapheme(grapheme),
        // One cell for CR LF.
        _ if grapheme.contains(char::is_control) => Cow::Borrowed("\u{fffd}"),
        _ => {
            let shown = sanitize::grapheme(grapheme);
            if shown.len() <= LONGEST_PAINTED {
                return shown;
            }
            Cow::Owned(shown[..shown.floor_char_boundary(LONGEST_PAINTED)].to_owned())
        }
    }
}

/// As much of `text` as fits into `cells`, with `…` where it was truncated.
pub fn truncate(text: &str, cells: usize) -> Cow<'_, str> {
    let mut column = 0;
    let mut fits = 0;
    for (start, grapheme) in text.grapheme_indices(true) {
        let next = column + width(grapheme, column);
        if next > cells {
            return if cells == 0 { Cow::Borrowed("") } else { Cow::Owned(format!("{}…", &text[..fits])) };
        }
        if next < cells {
            fits = start + grapheme.len();
        }
        column = next;
    }
    Cow::Borrowed(text)
}

/// `text` in exactly so many cells: truncated like [`truncate`] or padded with spaces.
pub fn pad(text: &str, cells: usize) -> String {
    let mut text = truncate(text, cells).into_owned();
    let missing = cells.saturating_sub(text_width(&text));
    text.extend(std::iter::repeat_n(' ', missing));
    text
}

/// The longest prefix of `text` that fits in `room` cells; a wide character is never split.
pub fn start(text: &str, room: usize) -> &str {
    let mut taken = 0;
    for (at, grapheme) in text.grapheme_indices(true) {
        taken += width(grapheme, taken);
        if taken > room {
            return &text[..at];
        }
    }
    text
}

/// The longest suffix of `text` that fits in `room` cells.
pub fn end(text: &str, room: usize) -> &str {
    // A tab takes one cell at least: the width of a longer suffix need not be computed.
    let mut least = 0;
    let candidates = text.grapheme_indices(true).rev().take_while(|(_, grapheme)| {
        least += if *grapheme == "\t" { 1 } else { width(grapheme, 0) };
        least <= room
    });
    let tail = &text[candidates.last().map_or(text.len(), |(at, _)| at)..];
    // Tab stops count from the start, so a shorter suffix may be wider: the first that fits is the longest.
    tail.grapheme_indices(true).map(|(at, _)| &tail[at..]).find(|suffix| text_width(suffix) <= room).unwrap_or("")
}

/// Position of the next grapheme.
#[derive(Debug, Clone, Copy)]
pub struct Pen {
    pub x: u16,
    pub y: u16,
    /// The first column that must not be painted.
    pub right: u16,
    /// The text column, from which tab stops count.
    pub column: usize,
}

impl Pen {
    pub fn new(x: u16, y: u16, cells: u16) -> Self {
        Self { x, y, right: x.saturating_add(cells), column: 0 }
    }

    /// Paints one grapheme; `false` once no more fits.
    pub fn put(&mut self, buffer: &mut Buffer, grapheme: &str, style: Style) -> bool {
        let cells = width(grapheme, self.column);
        let right = self.right.min(buffer.area.right());
        if usize::from(right.saturating_sub(self.x)) < cells {
            if grapheme == "\t" {
                self.blank(buffer, right, style);
            }
            self.x = right;
            return false;
        }
        let end = self.x + cells as u16;
        if grapheme == "\t" {
            self.blank(buffer, end, style);
        } else if cells > 0 && buffer.area.contains((self.x, self.y).into()) {
            buffer[(self.x, self.y)].set_symbol(&shown(grapheme)).set_style(style);
            for x in self.x + 1..end {
                buffer[(x, self.y)].reset();
            }
        }
        self.x = end;
        self.column += cells;
        self.x < right
    }

    /// Paints a text on one row.
    pub fn write(&mut self, buffer: &mut Buffer, text: &str, style: Style) {
        for grapheme in text.graphemes(true) {
            if !self.put(buffer, grapheme, style) {
                break;
            }
        }
    }

    /// Like [`Pen::write`], in a frame, in the style of a role.
    pub fn say(&mut self, frame: &mut Frame<'_>, context: &RenderContext<'_>, text: &str, role: Role) {
        self.write(frame.buffer_mut(), text, context.style(role));
    }

    /// Paints spaces up to column `end`.
    pub fn blank(&mut self, buffer: &mut Buffer, end: u16, style: Style) {
        for x in self.x..end.min(buffer.area.right()) {
            if buffer.area.contains((x, self.y).into()) {
                buffer[(x, self.y)].set_symbol(" ").set_style(style);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_family_is_one_grapheme_of_two_cells() {
        let family = "👩‍👩‍👧x";
        assert_eq!(grapheme_end(family, 0), family.len() - 1);
        assert_eq!(width(&family[..family.len() - 1], 0), 2);
        assert_eq!(text_width("漢字e\u{301}"), 5);
    }

    #[test]
    fn an_ascii_letter_keeps_its_combining_mark() {
        assert_eq!(grapheme_end("e\u{301}x", 0), 3);
        assert_eq!(grapheme_start("xe\u{301}", 4), 1);
        assert_eq!(floor("xe\u{301}", 2), 1);
    }

    #[test]
    fn escape_sequences_are_painted_as_pictures() {
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 8, 1));
        Pen::new(0, 0, 8).write(&mut buffer, "a\u{1b}[2J\tb", Style::new());
        assert_eq!(buffer, Buffer::with_lines(["a␛[2J   "]));
    }

    #[test]
    fn what_would_reorder_or_hide_text_is_painted_as_the_command_line_prints_it() {
        let text = "a\u{202e}b\u{200b}c\u{2067}";
        let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 6, 1));
        Pen::new(0, 0, 6).write(&mut buffer, text, Style::new());
        assert_eq!(buffer, Buffer::with_lines([format!("{} ", sanitize::for_terminal(text))]));
        assert_eq!(text_width(text), 5);
    }

    #[test]
    fn truncation_says_that_it_cut() {
        assert_eq!(truncate("calm", 4), "calm");
        assert_eq!(truncate("calmly", 4), "cal…");
        assert_eq!(truncate("漢字漢", 5), "漢字…");
        assert_eq!(truncate("漢字漢", 4), "漢…");
        assert_eq!(truncate("phở bò", 4), "phở…");
        assert_eq!(pad("日本語", 4), "日… ");
    }

    #[test]
    fn a_wide_character_is_never_split() {
        assert_eq!(start("日本語", 3), "日");
        assert_eq!(end("日本語", 3), "語");
    }

    proptest! {
        #[test]
        fn painting_counts_cells_as_width_does(text in "\\PC{0,20}") {
            let mut buffer = Buffer::empty(ratatui::layout::Rect::new(0, 0, 200, 1));
            let mut pen = Pen::new(0, 0, 200);
            pen.write(&mut buffer, &text, Style::new());
            prop_assert_eq!(usize::from(pen.x), text_width(&text).min(200));
        }

        #[test]
        fn what_is_cut_or_filled_fits(text: String, room in 0usize..20) {
            prop_assert!(text_width(&truncate(&text, room)) <= room);
            prop_assert_eq!(text_width(&pad(&text, room)), room);
            prop_assert!(text.starts_with(start(&text, room)) && text.ends_with(end(&text, room)));
            prop_assert!(text_width(start(&text, room)) <= room && text_width(end(&text, room)) <= room);
        }

        #[test]
        fn stepping_meets_every_boundary(text in any::<String>()) {
            let mut steps = vec![];
            let mut at = 0;
            while at < text.len() {
                steps.push(at);
                at = grapheme_end(&text, at);
            }
            let expected: Vec<_> = text.grapheme_indices(true).map(|(start, _)| start).collect();
            prop_assert_eq!(steps, expected);
        }
    }
}
