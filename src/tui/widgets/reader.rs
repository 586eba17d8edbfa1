//! Reader for an entry beside a list: its day and head, and its text as markdown, scrolled to the relevant part.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use super::markdown::Layout;
use crate::tui::{Motion, Overlay, RenderContext, Role};

/// Scroll position, and the layout of the last text.
#[derive(Debug, Default)]
pub struct Reader {
    scroll: usize,
    /// Whether the user scrolled; until then the view follows the relevant part.
    scrolled: bool,
    /// Rows of text at the last draw.
    space: usize,
    laid: Option<Laid>,
}

#[derive(Debug)]
struct Laid {
    text: String,
    width: u16,
    layout: Layout,
}

/// The byte of a text to scroll to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Aim {
    pub at: usize,
    /// Do not scroll if it is in view already.
    pub holds: bool,
}

impl Reader {
    /// Shows another text, scrolled to its relevant part.
    pub fn rewind(&mut self) {
        self.scroll = 0;
        self.scrolled = false;
    }

    /// Scrolls to another place in the same text.
    pub fn aim(&mut self) {
        self.scrolled = false;
    }

    pub fn scroll(&mut self, by: isize) {
        self.scroll = self.scroll.saturating_add_signed(by);
        self.scrolled = true;
    }

    pub fn go(&mut self, motion: Motion) {
        self.scroll(motion.lines(self.space.saturating_sub(1)));
    }

    fn lay_out(&mut self, text: &str, width: u16, as_typed: bool) -> &Layout {
        if !self.laid.as_ref().is_some_and(|laid| laid.width == width && laid.text == text) {
            self.laid = None;
        }
        let lay_out = || Laid { text: text.to_owned(), width, layout: Layout::of(text, width, as_typed) };
        &self.laid.get_or_insert_with(lay_out).layout
    }

    /// Draws as much of the text as there is room for; returns the number of rows. Later layers win.
    pub fn draw(
        &mut self,
        frame: &mut Frame<'_>,
        area: Rect,
        context: &RenderContext<'_>,
        text: &str,
        aim: Aim,
        layers: &[&[Overlay]],
    ) -> u16 {
        let space = usize::from(area.height);
        self.space = space;
        let (scroll, scrolled) = (self.scroll, self.scrolled);
        let layout = self.lay_out(text, area.width, context.settings.is_plain);
        let last = layout.height().saturating_sub(space);
        let row = layout.row_of(aim.at);
        let in_view = aim.holds && (scroll..scroll + space).contains(&row);
        let wanted = if scrolled || in_view { scroll } else { row.saturating_sub(space / 3) };
        let top = if layout.height() <= space { 0 } else { wanted.min(last) };
        let rows = layout.height().min(top + space);
        for (line, row) in (top..rows).enumerate() {
            let place = Rect { y: area.y + line as u16, height: 1, ..area };
            layout.paint(frame.buffer_mut(), place, row, layers, context.theme);
        }
        self.scroll = top;
        (rows - top) as u16
    }
}

/// The head above an entry's text.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    /// `Monday 14 September 2026`.
    pub day: &'a str,
    /// `15:30`.
    pub clock: &'a str,
    pub mood: Option<&'a str>,
    pub tags: &'a [String],
}

impl Head<'_> {
    /// `Monday 14 September 2026   15:30  stressed  #work` on one row, or on two; returns the number of rows.
    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, role: Role) -> u16 {
        if area.is_empty() {
            return 0;
        }
        let title = Line::styled(self.day, context.style(Role::Title).patch(context.style(role)));
        let mut spans = vec![Span::styled(self.clock, context.style(Role::Dim))];
        if let Some(mood) = self.mood.filter(|mood| !mood.is_empty()) {
            spans.push(Span::styled(format!("  {mood}"), context.style(Role::Mood)));
        }
        for tag in self.tags {
            spans.push(Span::styled(format!("  #{tag}"), context.style(Role::Tag)));
        }
        let line = Line::from(spans);
        let room = usize::from(area.width).saturating_sub(title.width() + 2);
        frame.render_widget(title, Rect { height: 1, ..area });
        if line.width() <= room {
            let cells = line.width() as u16;
            frame.render_widget(line, Rect { x: area.right() - cells, width: cells, height: 1, ..area });
            return 1;
        }
        if area.height < 2 {
            return 1;
        }
        let is_cut = line.width() > usize::from(area.width);
        frame.render_widget(line, Rect { y: area.y + 1, height: 1, ..area });
        if is_cut {
            frame.render_widget("…", Rect { x: area.right() - 1, y: area.y + 1, width: 1, height: 1 });
        }
        2
    }
}
