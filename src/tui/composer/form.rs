//! Layout of the entry form: the small fields above the text, or the text in focus mode.

use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use super::{Composer, Field, WIDEST_TIME, head::KEYS};
use crate::tui::{MEASURE, Pen, RenderContext, Role, Styled, below, cells, counted, day_name};

impl Composer {
    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let area = Rect { x: area.x + 2.min(area.width), width: area.width.saturating_sub(3).min(MEASURE + 1), ..area };
        if area.is_empty() {
            return;
        }
        self.draw_header(frame, area, context);
        let mut rest = self.draw_fields(frame, below(area, 1), context);
        if let Some(fault) = &self.fault {
            let message = format!("✗ {}", fault.message);
            let place = Rect { height: rest.height.min(3), ..rest };
            let rows = Styled::of(&message, Role::Error).paint(frame.buffer_mut(), place, context, Role::Error);
            rest = below(rest, rows);
        }
        let text = below(rest, if rest.height > 3 { 1 } else { 0 });
        self.draw_body(frame, text, area, context);
    }

    /// Focus mode: the text in the middle of the whole screen, with the fields only while one of them has the focus.
    pub fn draw_alone(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        if self.field != Field::Body || self.fault.is_some() || area.height < 5 {
            return self.draw(frame, area, context);
        }
        let width = area.width.saturating_sub(4).clamp(1, MEASURE + 1);
        let area = Rect { x: area.x + (area.width - width) / 2, width, ..area };
        let text = Rect { y: area.y + 1, height: area.height - 3, ..area };
        self.draw_body(frame, text, area, context);
        let foot = Rect { y: area.bottom() - 1, height: 1, ..area };
        let out = format!("{} shows the form", context.key("journal.alone"));
        Pen::new(foot.x, foot.y, foot.width).say(frame, context, &out, Role::Dim);
        self.draw_state(frame, foot, foot.x + cells::text_width(&out) as u16, context);
    }

    /// Draws the text with its caret and its completions, these anywhere in `area`.
    pub fn draw_body(&mut self, frame: &mut Frame<'_>, text: Rect, area: Rect, context: &RenderContext<'_>) {
        let text = self.draw_find(frame, text, context);
        let caret = self.editor.draw(frame.buffer_mut(), text, context.theme);
        if let Some(question) = self.question.as_ref().filter(|_| self.editor.is_empty() && self.base.is_none()) {
            draw_question(frame, text, question, context);
        }
        let caret = caret.filter(|_| self.field == Field::Body && !self.is_finding());
        if let Some(caret) = caret.filter(|_| context.focused) {
            frame.set_cursor_position(caret);
        }
        if let Some(offers) = &self.completion {
            let anchor = caret.or_else(|| {
                let field = self.areas.get(self.field as usize)?;
                Some(Position::new(field.x, field.y))
            });
            if let Some(anchor) = anchor {
                offers.draw(frame.buffer_mut(), anchor, area, context.theme);
            }
        }
    }

    fn draw_header(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let title = match &self.base {
            None => "New entry".to_owned(),
            Some(base) => {
                let clock = base.time.clock();
                let comma = if clock.is_empty() { "" } else { ", " };
                format!("Editing {clock}{comma}{}", day_name(base.day))
            }
        };
        let mut pen = Pen::new(area.x, area.y, area.width);
        pen.say(frame, context, &cells::truncate(&title, area.width.into()), Role::Title);
        self.draw_state(frame, area, pen.x, context);
    }

    /// Draws the word count and the state of the draft at the right end of a row; nothing where it would overlap
    /// `after`.
    fn draw_state(&self, frame: &mut Frame<'_>, row: Rect, after: u16, context: &RenderContext<'_>) {
        let kept = if self.has_draft() { " · draft kept" } else { "" };
        let state = counted(self.editor.words(), "word", "words") + kept;
        let x = row.right().saturating_sub(cells::text_width(&state) as u16);
        if x > after {
            Pen::new(x, row.y, row.width).say(frame, context, &state, Role::Dim);
        }
    }

    /// Draws the small fields, in one row where there is room; returns the area below them.
    fn draw_fields(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let in_a_row = area.width >= 54 || area.height < 8;
        let alone = area.width < 54 && in_a_row && self.field != Field::Body;
        self.areas = Default::default();
        // The time of an existing entry is the longest of the three.
        let time = WIDEST_TIME.min(area.width * 2 / 5);
        let mood = (area.width - time) * 2 / 5;
        let cells = [(0, time), (time, mood), (time + mood, area.width - time - mood)];
        for (nth, label) in KEYS.into_iter().enumerate() {
            let focused = self.field as usize == nth;
            let cell = if alone {
                Rect { height: if focused { area.height.min(1) } else { 0 }, ..area }
            } else if in_a_row {
                let gap = if nth < 2 { 2 } else { 0 };
                Rect {
                    x: area.x + cells[nth].0,
                    width: cells[nth].1.saturating_sub(gap),
                    height: 1.min(area.height),
                    ..area
                }
            } else {
                Rect { y: area.y + nth as u16, height: 1, ..area }.intersection(area)
            };
            if cell.is_empty() {
                continue;
            }
            let role = if focused { Role::Accent } else { Role::Dim };
            let mut pen = Pen::new(cell.x, cell.y, cell.width);
            pen.say(frame, context, label, role);
            let field = Rect { x: pen.x + 1, width: cell.right().saturating_sub(pen.x + 1), ..cell };
            self.areas[nth] = field;
            let wrong = self.fault.as_ref().is_some_and(|fault| fault.field as usize == nth);
            let role = if wrong { Role::Error } else { Role::Text };
            let style = context.style(role).underlined();
            Pen::new(field.x, field.y, field.width).blank(frame.buffer_mut(), field.right(), style);
            if self.small[nth].is_empty() && nth == 0 {
                let hint = context.style(Role::Dim).underlined();
                Pen::new(field.x, field.y, field.width).write(frame.buffer_mut(), "now", hint);
            }
            if focused {
                self.small[nth].draw(frame, field, style, &[], context.focused);
                continue;
            }
            // A field shows its end only while it is typed in.
            let text = cells::truncate(self.small[nth].text(), field.width.into());
            Pen::new(field.x, field.y, field.width).write(frame.buffer_mut(), &text, style);
        }
        below(area, if in_a_row { 1 } else { 3 })
    }
}

/// For an empty text: a question to begin with, and the keys for other ways to begin.
fn draw_question(frame: &mut Frame<'_>, text: Rect, question: &str, context: &RenderContext<'_>) {
    let keys = [("journal.prompt", "writes the question"), ("journal.template", "begins with a template")];
    let keys = keys.map(|(command, does)| format!("{} {does}", context.key(command))).join(" · ");
    for (line, said) in [question, keys.as_str()].into_iter().enumerate() {
        let y = text.y + line as u16;
        // The caret is in the first cell.
        let room = text.width.saturating_sub(2);
        if y < text.bottom() {
            let said = cells::truncate(said, room.into());
            Pen::new(text.x + 2, y, room).say(frame, context, &said, Role::Dim);
        }
    }
}
