//! Multi-line text editor: soft wrap by word, movement and deletion by grapheme, selection, undo, mouse, and the
//! hardware cursor at the caret, where terminals show an input method's composition.
//!
//! Right-to-left scripts are painted in the order of the text, each grapheme in its cells: a terminal with bidi
//! support reorders them itself, others show them in that order. The caret moves in that order too. The bytes of the
//! text are never changed by this.
//!
//! Only lines on screen are wrapped, so that pasting a megabyte costs no more than the insertion. Knows nothing of
//! entries: the pane reads [`Editor::text`], and [`Editor::revision`] to detect changes.

mod buffer;
mod find;
mod folds;
mod history;
mod keys;
mod lists;
#[cfg(test)]
mod tests;

use std::ops::Range;

use ratatui::{
    buffer::Buffer as Cells,
    layout::{Position, Rect},
};

use self::{folds::Folds, history::History};
use super::{markdown::marks, wrap};
use crate::{
    extract::fold,
    tui::{Pen, Role, Theme, cells},
};

pub use self::{
    buffer::{Buffer, Pos},
    keys::EDITOR_KEYS,
};

/// Maximum length of a line in which markup is highlighted.
const LONGEST_MARKED: usize = 20_000;

/// A text, a caret, and the undo history.
#[derive(Debug, Clone)]
pub struct Editor {
    buffer: Buffer,
    caret: Pos,
    /// The other end of the selection.
    anchor: Option<Pos>,
    history: History,
    /// The last cut or copied text.
    clip: String,
    revision: u64,
    /// The highlighted text, folded.
    sought: String,
    folds: Folds,
    /// The first row on screen: line, and row of that line.
    top: (usize, usize),
    /// The target column of up and down.
    goal: Option<usize>,
    /// The caret is at the end of its row, not at the start of the next, which is the same place in the text.
    at_row_end: bool,
    /// The caret moved since the last draw: scroll to it.
    follow: bool,
    area: Rect,
}

impl Default for Editor {
    fn default() -> Self {
        Self::new("")
    }
}

impl Editor {
    /// An editor with `text`, the caret at its end.
    pub fn new(text: &str) -> Self {
        let buffer = Buffer::new(text);
        let mut folds = Folds::default();
        folds.set_width(80, buffer.lines().len());
        let caret = buffer.end();
        Self {
            buffer,
            caret,
            anchor: None,
            history: History::default(),
            clip: String::new(),
            revision: 0,
            sought: String::new(),
            folds,
            top: (0, 0),
            goal: None,
            at_row_end: false,
            follow: true,
            area: Rect::default(),
        }
    }

    /// An editor with a text without line breaks, which is never wrapped.
    pub fn on_one_line(text: &str) -> Self {
        let mut editor = Self::new(text);
        editor.folds.set_width(usize::MAX, 1);
        editor
    }

    pub fn text(&self) -> String {
        self.buffer.text()
    }

    pub fn is_empty(&self) -> bool {
        self.buffer.is_empty()
    }

    pub fn words(&self) -> usize {
        self.buffer.words()
    }

    /// Increases with every change.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    pub fn caret(&self) -> Pos {
        self.caret
    }

    pub fn caret_line(&self) -> &str {
        self.buffer.line(self.caret.line)
    }

    /// The caret's line up to the caret.
    pub fn before_caret(&self) -> &str {
        &self.caret_line()[..self.caret.byte]
    }

    pub fn selection(&self) -> Option<Range<Pos>> {
        let anchor = self.anchor.filter(|anchor| *anchor != self.caret)?;
        Some(anchor.min(self.caret)..anchor.max(self.caret))
    }

    pub fn selected_text(&self) -> Option<String> {
        self.selection().map(|range| self.buffer.slice(range))
    }

    /// Replaces the selection by text. Line endings of any system become line breaks.
    pub fn insert(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let Range { start, end } = self.selection().unwrap_or(self.caret..self.caret);
        if !text.is_empty() || start != end {
            self.replace(start, end, &text);
        }
    }

    /// Replaces the selection by text, and sets the caret `at` bytes from its start.
    pub fn insert_at_caret(&mut self, text: &str, at: usize) {
        let start = self.selection().map_or(self.caret, |range| range.start);
        self.insert(text);
        let before = &text[..cells::floor(text, at)];
        let line = start.line + before.matches('\n').count();
        let byte = match before.rfind('\n') {
            Some(newline) => before.len() - newline - 1,
            None => start.byte + before.len(),
        };
        self.go(Pos { line, byte }, false);
    }

    /// Replaces the whole text, as one undo step.
    pub fn rewrite(&mut self, text: &str) {
        self.anchor = Some(Pos::default());
        self.caret = self.buffer.end();
        self.insert(text);
    }

    /// Replaces the `bytes` before the caret (a completed word).
    pub fn complete(&mut self, bytes: usize, text: &str) {
        let start = self.buffer.clamp(Pos { line: self.caret.line, byte: self.caret.byte.saturating_sub(bytes) });
        self.replace(start, self.caret, text);
    }

    pub fn undo(&mut self) {
        if let Some(caret) = self.history.undo(&mut self.buffer) {
            self.rewritten(caret);
        }
    }

    pub fn redo(&mut self) {
        if let Some(caret) = self.history.redo(&mut self.buffer) {
            self.rewritten(caret);
        }
    }

    fn rewritten(&mut self, caret: Pos) {
        self.folds.set_width(self.folds.width(), 0);
        self.folds.set_width(self.folds.width(), self.buffer.lines().len());
        self.settle(caret);
        self.revision += 1;
    }

    fn replace(&mut self, start: Pos, end: Pos, text: &str) {
        let put = self.history.replace(&mut self.buffer, start, end, text, self.caret);
        if start.line == end.line && start.line == put.line {
            let line = self.buffer.line(start.line);
            self.folds.edited(start.line, line, start.byte, end.byte - start.byte, text.len());
        } else {
            self.folds.replaced(start.line, end.line - start.line + 1, put.line - start.line + 1);
        }
        self.settle(put);
        self.revision += 1;
    }

    /// Sets the caret after a change, on a grapheme boundary (a combining mark joins the character before it).
    fn settle(&mut self, caret: Pos) {
        let mut at = self.buffer.clamp(caret);
        if at < caret && at.line == caret.line {
            at = self.buffer.after(at);
        }
        self.caret = at;
        self.anchor = None;
        (self.goal, self.at_row_end) = (None, false);
        self.follow = true;
    }

    /// Moves the caret; with `select` it extends the selection.
    pub fn go(&mut self, to: Pos, select: bool) {
        self.anchor = if select { self.anchor.or(Some(self.caret)) } else { None };
        self.caret = self.buffer.clamp(to);
        self.history.close();
        (self.goal, self.at_row_end) = (None, false);
        self.follow = true;
    }

    /// Moves the caret to the place nearest to `column` in a row.
    fn go_to_column(&mut self, row: (usize, usize), column: usize, select: bool) {
        let to = self.at_column(row, column);
        self.go(to, select);
        self.at_row_end = self.row_of(to) > row.1;
    }

    fn caret_row(&mut self) -> (usize, usize) {
        let Pos { line, byte } = self.caret;
        let row = self.row_of(self.caret);
        let is_at_end = self.at_row_end && row > 0 && self.starts(line)[row] == byte;
        (line, row - usize::from(is_at_end))
    }

    fn starts(&mut self, line: usize) -> &[usize] {
        self.folds.of(line, self.buffer.line(line))
    }

    fn row_of(&mut self, pos: Pos) -> usize {
        self.starts(pos.line).partition_point(|start| *start <= pos.byte).saturating_sub(1)
    }

    fn row_range(&mut self, line: usize, row: usize) -> Range<usize> {
        let length = self.buffer.line(line).len();
        let starts = self.starts(line);
        starts[row]..starts.get(row + 1).copied().unwrap_or(length)
    }

    /// The next or previous row, if there is one.
    fn next_row(&mut self, (line, row): (usize, usize)) -> Option<(usize, usize)> {
        if row + 1 < self.starts(line).len() {
            Some((line, row + 1))
        } else {
            (line + 1 < self.buffer.lines().len()).then_some((line + 1, 0))
        }
    }

    fn previous_row(&mut self, (line, row): (usize, usize)) -> Option<(usize, usize)> {
        if row > 0 {
            Some((line, row - 1))
        } else {
            let line = line.checked_sub(1)?;
            Some((line, self.starts(line).len() - 1))
        }
    }

    fn caret_column(&mut self) -> usize {
        let (line, row) = self.caret_row();
        let start = self.row_range(line, row).start;
        cells::text_width(&self.buffer.line(line)[start..self.caret.byte])
    }

    /// The position nearest to `column` in a row.
    fn at_column(&mut self, (line, row): (usize, usize), column: usize) -> Pos {
        let range = self.row_range(line, row);
        let text = self.buffer.line(line);
        let last = range.end == text.len();
        let (mut at, mut reached) = (range.start, 0);
        while at < range.end {
            let end = cells::grapheme_end(text, at);
            let next = reached + cells::width(&text[at..end], reached);
            // The space at the end of a wrapped row is not shown.
            if next > column || (end == range.end && !last && text[at..end].trim().is_empty()) {
                break;
            }
            (at, reached) = (end, next);
        }
        Pos { line, byte: at }
    }

    /// Moves the caret to the first match from `from` on, or `backward` to the last one before it, through the ends of the
    /// text. Returns whether there is one. Matches are highlighted until an empty text is sought.
    pub fn find(&mut self, sought: &str, from: Pos, backward: bool) -> bool {
        self.sought = fold(sought);
        let count = self.buffer.lines().len();
        // The line of `from` comes first for its one part, and last for the other.
        let found = (0..=count).find_map(|step| {
            let line = (from.line + if backward { count - step } else { step }) % count;
            let is_ahead = |at: &usize| step > 0 || (*at < from.byte) == backward;
            let mut starts =
                find::matches(self.buffer.line(line), &self.sought).map(|found| found.start).filter(is_ahead);
            Some(Pos { line, byte: if backward { starts.last() } else { starts.next() }? })
        });
        found.into_iter().for_each(|found| self.go(found, false));
        found.is_some()
    }

    /// Moves the caret to the next or previous match.
    pub fn find_again(&mut self, backward: bool) -> bool {
        let from = if backward { self.caret } else { self.buffer.after(self.caret) };
        self.find(&self.sought.clone(), from, backward)
    }

    /// Moves by visual rows, keeping the column.
    fn vertical(&mut self, rows: isize, select: bool) {
        let goal = match self.goal {
            Some(goal) => goal,
            None => self.caret_column(),
        };
        let mut at = self.caret_row();
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 { self.previous_row(at) } else { self.next_row(at) };
            let Some(next) = next else {
                let edge = if rows < 0 { Pos::default() } else { self.buffer.end() };
                self.go(edge, select);
                self.goal = Some(goal);
                return;
            };
            at = next;
        }
        self.go_to_column(at, goal, select);
        self.goal = Some(goal);
    }

    /// Scrolls without moving the caret (mouse wheel).
    pub fn scroll(&mut self, rows: isize) {
        self.hold_top();
        for _ in 0..rows.unsigned_abs() {
            let next = if rows < 0 { self.previous_row(self.top) } else { self.next_row(self.top) };
            let Some(next) = next else { break };
            self.top = next;
        }
        self.follow = false;
    }

    /// Sets the caret at the mouse position; dragging selects.
    pub fn point(&mut self, place: Position, drag: bool) {
        self.hold_top();
        let mut at = self.top;
        for _ in 0..place.y.saturating_sub(self.area.y) {
            let Some(next) = self.next_row(at) else { break };
            at = next;
        }
        self.go_to_column(at, usize::from(place.x.saturating_sub(self.area.x)), drag);
    }

    /// Whether a screen cell is in the text area.
    pub fn holds(&self, place: Position) -> bool {
        self.area.contains(place)
    }

    /// Clamps the first row on screen to the existing rows.
    fn hold_top(&mut self) {
        self.top.0 = self.top.0.min(self.buffer.lines().len() - 1);
        self.top.1 = self.top.1.min(self.starts(self.top.0).len() - 1);
    }

    /// Scrolls to the caret after a movement.
    fn bring_into_view(&mut self) {
        let height = usize::from(self.area.height.max(1));
        self.hold_top();
        if !std::mem::take(&mut self.follow) {
            return;
        }
        let caret = self.caret_row();
        if caret < self.top {
            self.top = caret;
            return;
        }
        let mut first = caret;
        for _ in 1..height {
            match self.previous_row(first) {
                Some(row) => first = row,
                None => break,
            }
        }
        self.top = self.top.max(first);
    }

    /// Draws the text; returns the position of the hardware cursor, if the caret is in view.
    pub fn draw(&mut self, cells: &mut Cells, area: Rect, theme: &Theme) -> Option<Position> {
        if area.is_empty() {
            return None;
        }
        // One cell is reserved for the caret at the end of a full row.
        let width = usize::from(area.width.saturating_sub(1).max(1));
        self.follow |= self.area != area;
        self.area = area;
        self.folds.set_width(width, self.buffer.lines().len());
        self.bring_into_view();
        let mut at = Some(self.top);
        let mut caret = None;
        let on = self.caret_row();
        for y in area.y..area.bottom() {
            let Some(row) = at else { break };
            self.draw_row(cells, Rect { y, height: 1, ..area }, row, theme);
            if row == on {
                let column = self.caret_column().min(usize::from(area.width - 1));
                caret = Some(Position::new(area.x + column as u16, y));
            }
            at = self.next_row(row);
        }
        caret
    }

    fn draw_row(&mut self, cells: &mut Cells, area: Rect, (line, row): (usize, usize), theme: &Theme) {
        let range = self.row_range(line, row);
        let selected = self.selection().unwrap_or_default();
        let text = self.buffer.line(line);
        // The row and as much around it as a match may need.
        let reach = 4 * self.sought.len();
        let near = cells::floor(text, range.start.saturating_sub(reach));
        let part = &text[near..text.ceil_char_boundary(range.end + reach)];
        let found: Vec<_> = find::matches(part, &self.sought).collect();
        let marked = if text.len() <= LONGEST_MARKED { marks::marks(text) } else { Vec::new() };
        let mut pen = Pen::new(area.x, area.y, area.width);
        let mut at = range.start;
        let painted = wrap::painted(text, &range);
        while at < range.end {
            let end = cells::grapheme_end(text, at);
            let here = Pos { line, byte: at };
            let mark = marked.iter().find(|mark| mark.span.contains(&at));
            let role = match found.iter().find(|found| found.contains(&(at - near))) {
                Some(found) if self.caret == (Pos { line, byte: near + found.start }) => Role::MatchHere,
                Some(_) => Role::Match,
                None => mark.map_or(Role::Text, |mark| mark.role),
            };
            let mut style = theme.style(role);
            if selected.contains(&here) {
                style = style.patch(theme.style(Role::Selected));
            } else if at >= painted.end {
                break;
            }
            if !pen.put(cells, &text[at..end], style) {
                break;
            }
            at = end;
        }
        // A selected line end is visible, so that selected empty lines are.
        let end = Pos { line, byte: text.len() };
        if range.end == text.len() && selected.contains(&end) {
            pen.put(cells, " ", theme.style(Role::Selected));
        }
    }
}
