//! Toasts: short messages in place of the hint line. Successes disappear after a time; errors stay until a key is pressed.

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use crate::tui::{
    RenderContext, Role, Styled, cells,
    plain_screen::{is_marked, is_selected},
    update_context::ToastLevel,
};

const SHOWN: Duration = Duration::from_secs(5);
const AT_ONCE: usize = 3;
/// Maximum width of a text in cells.
const WIDTH: u16 = 58;

#[derive(Debug)]
pub struct Toasts {
    toasts: Vec<Toast>,
    /// All messages stay until a key is pressed.
    keeps_all: bool,
}

#[derive(Debug)]
struct Toast {
    level: ToastLevel,
    text: String,
    /// `None`: no time limit.
    until: Option<Duration>,
}

impl Toasts {
    pub fn new(keeps_all: bool) -> Self {
        Self { toasts: Vec::new(), keeps_all }
    }

    pub fn push(&mut self, level: ToastLevel, text: String, elapsed: Duration) {
        // A repeated message only stays longer.
        self.toasts.retain(|toast| toast.text != text);
        let until = (level != ToastLevel::Error && !self.keeps_all).then(|| elapsed + SHOWN);
        self.toasts.push(Toast { level, text, until });
        let surplus = self.toasts.len().saturating_sub(AT_ONCE);
        self.toasts.drain(..surplus);
    }

    /// Removes messages that may no longer be true.
    pub fn withdraw(&mut self, levels: &[ToastLevel]) {
        self.toasts.retain(|toast| !levels.contains(&toast.level));
    }

    /// A key was pressed: removes errors.
    pub fn acknowledge(&mut self) {
        self.toasts.retain(|toast| toast.until.is_some());
    }

    /// Removes expired messages; returns whether there were any.
    pub fn expire(&mut self, elapsed: Duration) -> bool {
        let before = self.toasts.len();
        self.toasts.retain(|toast| toast.until.is_none_or(|until| until > elapsed));
        before != self.toasts.len()
    }

    pub fn deadline(&self) -> Option<Duration> {
        self.toasts.iter().filter_map(|toast| toast.until).min()
    }

    #[cfg(any(test, feature = "lab"))]
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.toasts.iter().map(|toast| toast.text.as_str())
    }

    /// Another screen is shown: removes messages about the one before.
    pub fn leave(&mut self, elapsed: Duration) {
        let is_new = |toast: &Toast| toast.until.is_none_or(|until| until >= elapsed + SHOWN);
        self.toasts.retain(|toast| toast.level != ToastLevel::Done || is_new(toast));
    }

    /// Draws the newest in place of the hint line (`spare`), if it is one line. Others are drawn at the bottom right of
    /// `area`, or at the top right below its first row: where they cover no text, else where the selected line stays
    /// free. Returns whether the hint line is taken.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, spare: Rect, context: &RenderContext<'_>) -> bool {
        let lay = |toast: &Toast, most: u16| {
            let role = if toast.level == ToastLevel::Error { Role::Error } else { Role::Ok };
            let wide = (cells::text_width(&toast.text).min(usize::from(most)) as u16 + 2).min(area.width);
            let (text, inner) = (Styled::of(&toast.text, role), wide.saturating_sub(2).max(1));
            let high = text.height(inner) as u16;
            (text, wide, inner, high)
        };
        let mut toasts = self.toasts.iter().rev().peekable();
        let in_hints = toasts.peek().map(|toast| lay(toast, spare.width));
        let in_hints = in_hints.filter(|(.., high)| *high == 1 && spare.height == 1 && !context.settings.is_plain);
        let takes_hints = in_hints.is_some();
        if let Some((text, _, inner, _)) = in_hints {
            toasts.next();
            super::clear(frame, spare);
            frame.buffer_mut().set_style(spare, context.style(Role::Selected));
            let inside = Rect { x: spare.x + 1, width: inner.min(spare.width.saturating_sub(1)), ..spare };
            text.paint(frame.buffer_mut(), inside, context, Role::Selected);
        }
        let laid: Vec<_> = toasts.map(|toast| lay(toast, WIDTH)).collect();
        let all = laid.iter().map(|(.., high)| *high).sum::<u16>().min(area.height);
        let wide = laid.iter().map(|(_, wide, ..)| *wide).max().unwrap_or(0);
        let low = Rect { y: area.bottom() - all, height: all, ..area };
        let high = Rect { y: area.y + 1, ..low }.intersection(area);
        let buffer = frame.buffer_mut();
        let is_free =
            |place: Rect| !place.positions().any(|at| is_marked(&buffer[at]) || is_selected(&buffer[at], context));
        let is_blank = |place: Rect| {
            let right = Rect { x: area.right() - wide, width: wide, ..place };
            is_free(place) && right.positions().all(|at| buffer[at].symbol() == " ")
        };
        let is_high = !is_blank(low) && (is_blank(high) || !is_free(low) && is_free(high));
        let mut bottom = if is_high { high.bottom() } else { low.bottom() };
        for (text, wide, inner, high) in laid {
            if bottom < area.y + high {
                break;
            }
            bottom -= high;
            let place = Rect { x: area.right() - wide, y: bottom, width: wide, height: high };
            let is_plain = context.settings.is_plain;
            super::clear(frame, if is_plain { Rect { x: area.x, width: area.width, ..place } } else { place });
            frame.buffer_mut().set_style(place, context.style(Role::Selected));
            let inside = Rect { x: place.x + 1, width: inner.min(place.width.saturating_sub(1)), ..place };
            text.paint(frame.buffer_mut(), inside, context, Role::Selected);
        }
        takes_hints
    }
}
