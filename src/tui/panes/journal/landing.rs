//! The day on which the journal opens: today, or if today has no entry yet, the newest day with entries. An empty
//! page is of no use, and the key for a new entry starts one for today from any day.

use jiff::civil;

use super::{Focus, Journal, day_notice::DayNotice};
use crate::tui::{RenderContext, Role, UpdateContext};

/// State of the choice of the first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Landing {
    /// Not yet: the days are not loaded.
    #[default]
    Due,
    /// This day is shown instead of an empty today.
    On(civil::Date),
    /// The user chose a day, or today has entries.
    Done,
}

impl Journal {
    /// Reads the day on screen, after choosing it if that is due.
    pub(super) fn arrive(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.land(cx) {
            self.read(cx);
        }
    }

    /// Chooses the day once the days are loaded, unless the user has begun something. Returns whether it switched to
    /// another day and requested it.
    fn land(&mut self, cx: &mut UpdateContext<'_>) -> bool {
        if self.landing != Landing::Due || cx.view.days.is_empty() {
            return false;
        }
        self.landing = Landing::Done;
        let today = cx.today();
        let is_untouched = self.day() == Some(today) && self.is_reading() && self.focus == Focus::Days;
        if !is_untouched || cx.view.line(today).is_some() {
            return false;
        }
        // Entries dated in the future are not where the user is writing.
        let newest = cx.view.days.iter().map(|line| line.day).find(|day| *day < today);
        if let Some(day) = newest {
            self.turn_to(day, cx);
            self.landing = Landing::On(day);
        }
        newest.is_some()
    }

    /// Why another day than today is shown.
    pub(super) fn landing_notice(&self, context: &RenderContext<'_>) -> Option<DayNotice> {
        let today = context.today();
        let is_on = matches!(self.landing, Landing::On(day) if self.day() == Some(day));
        (is_on && context.view.line(today).is_none()).then(|| DayNotice {
            words: vec![("Today is empty".to_owned(), Role::Text), (": ".to_owned(), Role::Dim)],
            keys: &[("journal.new", " writes, "), ("journal.today", " shows it")],
        })
    }
}
