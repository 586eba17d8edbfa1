//! Privacy screen: a blur that a key toggles, and a blank screen after a time without input.
//!
//! Neither locks anything: any key shows the text again, and the files on disk are not protected. Real protection
//! needs the lock of the operating system.

use std::time::Duration;

use ratatui::{
    Frame,
    buffer::Cell,
    layout::Rect,
    style::{Modifier, Style},
    text::{Line, Span, Text},
};

use super::update_context::Settings;
use crate::tui::{RenderContext, Role, below, cells};

/// Replaces every letter.
const BLOCK: &str = "▒";

#[derive(Debug, Default)]
pub struct PrivacyScreen {
    blurred: bool,
    blank: bool,
    /// Time without input until the screen goes blank.
    after: Option<Duration>,
    /// Time of the last input.
    touched: Duration,
}

impl PrivacyScreen {
    pub fn new(settings: &Settings) -> Self {
        Self { blurred: settings.blurred, after: settings.blank_after, ..Self::default() }
    }

    pub fn is_blurred(&self) -> bool {
        self.blurred
    }

    pub fn is_blank(&self) -> bool {
        self.blank
    }

    pub fn toggle_blur(&mut self) {
        self.blurred = !self.blurred;
    }

    pub fn go_blank(&mut self) {
        self.blank = true;
    }

    /// Registers input. Returns whether it only ended the blank screen: a key pressed on a blank screen runs no
    /// command.
    pub fn touch(&mut self, elapsed: Duration) -> bool {
        self.touched = elapsed;
        std::mem::take(&mut self.blank)
    }

    /// Returns whether the screen just went blank.
    pub fn tick(&mut self, elapsed: Duration) -> bool {
        let due = self.deadline().is_some_and(|due| elapsed >= due);
        self.blank |= due;
        due
    }

    /// The time at which it will go blank.
    pub fn deadline(&self) -> Option<Duration> {
        (!self.blank).then_some(self.touched.checked_add(self.after?))?
    }

    /// Replaces every letter of an area by blocks of its width, without the colours that show moods; lines and bars
    /// stay.
    pub fn blur(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let buffer = frame.buffer_mut();
        let dim = context.style(Role::Dim);
        let area = area.intersection(buffer.area);
        for y in area.top()..area.bottom() {
            let mut x = area.left();
            while x < area.right() {
                let wide = cells::text_width(buffer[(x, y)].symbol()).max(1) as u16;
                let hidden = is_text(buffer[(x, y)].symbol());
                for x in x..(x + wide).min(area.right()) {
                    let cell = &mut buffer[(x, y)];
                    if hidden {
                        cell.set_symbol(BLOCK);
                    }
                    pale(cell, dim);
                }
                x += wide;
            }
        }
    }

    /// Draws a blank screen with a hint how to leave it.
    pub fn draw_blank(frame: &mut Frame<'_>, context: &RenderContext<'_>) {
        let area = frame.area();
        let lines = ["Blank. Any key brings the text back.", "This hides, it does not lock."];
        let lines = lines.map(|line| Line::from(Span::styled(line, context.style(Role::Dim))).centered());
        frame.render_widget(Text::from_iter(lines), below(area, (area.height / 2).saturating_sub(1)));
    }
}

/// Frames, bars and dots of charts are no text.
fn is_text(symbol: &str) -> bool {
    let is_drawing = |letter: char| matches!(letter, '\u{2500}'..='\u{259f}' | '\u{2800}'..='\u{28ff}');
    !symbol.trim().is_empty() && !symbol.chars().all(is_drawing)
}

fn pale(cell: &mut Cell, dim: Style) {
    let kept = cell.modifier & Modifier::REVERSED;
    cell.set_fg(dim.fg.unwrap_or_default());
    cell.modifier = kept | dim.add_modifier;
}
