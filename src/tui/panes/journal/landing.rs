//! The day that the journal opens on: today, or where nothing is written today yet, the newest day with entries. An empty page
//! shows nobody anything, and the key that writes begins today's entry from any day.

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use super::{Focus, Journal};
use crate::tui::{Pen, RenderContext, Role, UpdateContext, below, day_of};

/// Whether the day on screen was chosen by anybody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Landing {
    /// Not yet: the days are not known.
    #[default]
    Due,
    /// This one stands in for an empty today.
    On(civil::Date),
    /// By the person, or today holds something.
    Done,
}

impl Journal {
    /// Reads the day on screen, which is chosen first where that is due.
    pub(super) fn arrive(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.land(cx) {
            self.read(cx);
        }
    }

    /// Once, when the days are known, unless the person has begun something. Whether it turned to another day, and asked for it.
    fn land(&mut self, cx: &mut UpdateContext<'_>) -> bool {
        if self.landing != Landing::Due || cx.view.days.is_empty() {
            return false;
        }
        self.landing = Landing::Done;
        let today = day_of(&cx.now(), cx.settings);
        let is_untouched = self.day() == Some(today) && self.is_reading() && self.focus == Focus::Days;
        if !is_untouched || cx.view.line(today).is_some() {
            return false;
        }
        // What is dated ahead is not where the writer is.
        let newest = cx.view.days.iter().map(|line| line.day).find(|day| *day < today);
        if let Some(day) = newest {
            self.turn_to(day, cx);
            self.landing = Landing::On(day);
        }
        newest.is_some()
    }

    /// Says why another day than today is shown.
    pub(super) fn draw_landing(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let today = day_of(context.now, context.settings);
        let is_on = matches!(self.landing, Landing::On(day) if self.day() == Some(day));
        if !is_on || context.view.line(today).is_some() || area.height <= 4 {
            return area;
        }
        let mut pen = Pen::new(area.x + 2, area.y, area.width.saturating_sub(2));
        pen.say(frame, context, "Today is empty", Role::Text);
        pen.say(frame, context, ": ", Role::Dim);
        for (key, what) in [("journal.new", " writes, "), ("journal.today", " shows it")] {
            pen.say(frame, context, &context.key(key), Role::Key);
            pen.say(frame, context, what, Role::Dim);
        }
        below(area, 2)
    }
}
