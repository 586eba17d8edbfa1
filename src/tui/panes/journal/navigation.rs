//! Navigation: from day to day, from entry to entry, to a typed date.

use std::rc::Rc;

use jiff::civil;

use super::{Focus, Journal, Seen, cache::DayText, days::Days, landing::Landing};
use crate::{
    session::{DayEntry, Request},
    tui::{Motion, Mouse, Target, UpdateContext},
};

impl Journal {
    pub(super) fn day(&self) -> Option<civil::Date> {
        self.days.selected()
    }

    /// The cached content of the selected day, if any.
    pub(super) fn text(&self) -> Option<Rc<DayText>> {
        self.cache.day(self.day().filter(|_| !self.days.is_blank)?)
    }

    pub(super) fn entry(&self) -> Option<DayEntry> {
        let text = self.text()?;
        self.reading.entry(&text).cloned()
    }

    /// Requests the selected day; its cached content stays on screen.
    pub(super) fn read(&mut self, cx: &mut UpdateContext<'_>) {
        self.seen = Seen::of(cx.view, self.day());
        if let Some(day) = self.day() {
            self.cache.touch(day);
            self.waiting = Some((cx.send(Request::Day(day)), day));
        }
    }

    pub(super) fn turn_to(&mut self, day: civil::Date, cx: &mut UpdateContext<'_>) {
        self.landing = Landing::Done;
        if self.day() != Some(day) {
            self.days.select(day);
            self.turned(cx);
        }
    }

    pub(super) fn turned(&mut self, cx: &mut UpdateContext<'_>) {
        self.reading.turn();
        self.unread = None;
        self.read(cx);
    }

    /// Moves the selection in the list, and reads the day if it changed.
    pub(super) fn move_days(&mut self, cx: &mut UpdateContext<'_>, step: impl FnOnce(&mut Days, &UpdateContext<'_>)) {
        self.landing = Landing::Done;
        let before = self.day();
        step(&mut self.days, cx);
        if self.day() != before {
            self.turned(cx);
        }
    }

    pub(super) fn go_days(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        self.move_days(cx, |days, cx| days.go(motion, cx.view, cx.query));
    }

    /// Like [`Self::go_days`], and reports the end of the list.
    pub(super) fn step(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        let before = self.day();
        self.go_days(motion, cx);
        if self.day() == before {
            cx.done(if motion == Motion::UP { "No later entries" } else { "No earlier entries" });
        }
    }

    pub(super) fn go_months(&mut self, by: i32, cx: &mut UpdateContext<'_>) {
        self.move_days(cx, |days, cx| days.month(by, cx.view));
    }

    pub(super) fn today(&mut self, cx: &mut UpdateContext<'_>) {
        self.turn_to(cx.today(), cx);
    }

    /// Goes to the next or previous day with hits.
    pub(super) fn go_to_hit(&mut self, newer: bool, cx: &mut UpdateContext<'_>) {
        let Some(day) = self.day() else { return };
        let mut hits = cx.view.days.iter().map(|line| line.day).filter(|known| cx.query.hits_on(*known) > 0);
        let hit = if newer { hits.take_while(|known| *known > day).last() } else { hits.find(|known| *known < day) };
        match hit {
            Some(day) => self.turn_to(day, cx),
            None => cx.done("No more days in search results"),
        }
    }

    pub(super) fn again(&mut self, cx: &mut UpdateContext<'_>) {
        self.unread = None;
        // Another window may have left some.
        self.offers.asked = Some(cx.send(Request::Drafts));
        self.read(cx);
    }

    pub(super) fn click_day(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(day) = self.days.day_at(mouse, cx) {
            // A click on the open day moves the focus to its text.
            let again = self.focus == Focus::Days && self.day() == Some(day);
            self.focus = if again { Focus::Text } else { Focus::Days };
            self.is_visit = false;
            self.turn_to(day, cx);
        }
    }

    /// Asks why: about the name chosen in the text, else the entry; from the list, about the day.
    pub(super) fn ask_why(&mut self, cx: &mut UpdateContext<'_>) {
        let name = || Some(self.reading.name(self.text()?.as_ref())?.name);
        let entry = || Some(self.entry()?.entry.id.to_string());
        let asked = if self.in_days() { self.day().map(|day| day.to_string()) } else { name().or_else(entry) };
        if let Some(text) = asked {
            cx.open(Target::why(text));
        }
    }

    pub(super) fn leave_text(&mut self, _: &mut UpdateContext<'_>) {
        self.is_visit = false;
        self.focus = Focus::Days;
        self.full = false;
    }

    pub(super) fn swap(&mut self, cx: &mut UpdateContext<'_>) {
        match self.focus {
            Focus::Text if self.shows_related() => self.focus = Focus::Related,
            _ if self.in_text() || self.in_related() => self.leave_text(cx),
            _ => self.focus = Focus::Text,
        }
    }

    /// Closes what is open, one at a time: completions, the input line, the chosen name, the text. For an entry
    /// opened from another pane, goes back to that pane.
    pub(super) fn back(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(line) = &mut self.line {
            if !line.prompt.close_offers() {
                self.line = None;
            }
        } else if !self.reading.choose_no_name() {
            if self.is_visit {
                return cx.travel(false);
            }
            self.leave_text(cx);
        }
    }
}
