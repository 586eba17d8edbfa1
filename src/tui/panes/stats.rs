//! The Stats pane: a map of the year, moods over time, the rhythm of week and day, frequent names of the last weeks.
//! With a query, its results are shown beside the totals.

mod charts;
mod found;
mod mood_area;
mod screen;
#[cfg(test)]
mod tests;

use jiff::{Span, ToSpan as _, civil};
use ratatui::{
    Frame,
    layout::{Position, Rect},
};

use self::found::Found;
use crate::{
    insight,
    session::{Answer, Ask, Reply, Stage, View},
    tui::{
        AsyncQuery, Command, Motion, Mouse, MouseKind, Pane, RenderContext, Screen, Target, UpdateContext,
        widgets::year_map::YearMap,
    },
};

#[derive(Default)]
pub struct Stats {
    /// The selected day of the map. `None` until the clock was first read.
    day: Option<civil::Date>,
    /// The last day of the statistics.
    seen_from: Option<civil::Date>,
    /// The map of the year shows moods instead of words.
    shows_moods: bool,
    query_state: AsyncQuery,
    /// The results of the shared query; `None` without a query.
    found: Option<Found>,
    /// The query for which the map was moved to a hit.
    aimed: String,
    /// The next draw scrolls to the selected day.
    is_sought: bool,
    /// View state of the last draw.
    scroll: u16,
    longest_scroll: u16,
    page: u16,
    area: Rect,
    /// Areas of the map: on the screen, and on the page.
    map_area: Rect,
}

// Navigation.
impl Stats {
    fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        let today = cx.seen_from();
        let is_same = self.seen_from.replace(today) == Some(today);
        if is_same {
            self.query_state.renew(Ask::Stats(today), cx);
        } else {
            self.query_state.ask(Ask::Stats(today), cx);
        }
    }

    fn is_new(view: &View) -> bool {
        view.entries == 0 && view.progress.is_none() && view.snapshot.is_some()
    }

    /// Selects a day; in an empty journal there is none to select.
    fn begin(&mut self, cx: &UpdateContext<'_>) {
        if self.day.is_none() && !Self::is_new(cx.view) {
            self.day = Some(cx.seen_from());
        }
    }

    /// If a query has no hits in the year shown, moves the map to its newest hit, once per query.
    fn aim(&mut self, cx: &UpdateContext<'_>) {
        let (query, Some(day)) = (cx.query, self.day) else { return };
        if !query.is_on() {
            return self.aimed.clear();
        }
        if query.stage() != Some(Stage::Fused) || self.aimed == query.text() {
            return;
        }
        query.text().clone_into(&mut self.aimed);
        let mut hits = cx.view.days.iter().map(|line| line.day).filter(|day| query.hits_on(*day) > 0);
        if !hits.clone().any(|hit| hit.year() == day.year()) {
            self.day = hits.next().or(self.day);
        }
    }

    fn has_days(&self) -> bool {
        self.day.is_some()
    }

    fn has_more(&self) -> bool {
        self.scroll < self.longest_scroll
    }

    fn step(&mut self, days: i32, cx: &mut UpdateContext<'_>) {
        let Some(aim) = self.day.and_then(|day| day.checked_add(days.days()).ok()) else { return };
        self.select(aim, cx);
    }

    /// Limited to the years with entries, up to today.
    fn select(&mut self, day: civil::Date, cx: &mut UpdateContext<'_>) {
        let today = cx.today();
        let first = cx.view.days.last().map_or(today, |line| line.day).first_of_year();
        let last = cx.view.days.first().map_or(today, |line| line.day.max(today));
        (self.day, self.is_sought) = (Some(day.clamp(first, last)), true);
    }

    fn year(&mut self, by: i16, cx: &mut UpdateContext<'_>) {
        let Some(day) = self.day else { return };
        let Ok(aim) = day.checked_add(Span::new().years(by)) else { return };
        self.select(aim, cx);
        if self.day.is_some_and(|now| now.year() == day.year()) {
            self.day = Some(day);
            cx.done(if by < 0 { "No earlier entries" } else { "No later entries" });
        }
    }

    fn today(&mut self, cx: &mut UpdateContext<'_>) {
        self.select(cx.today(), cx);
    }

    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        cx.open(Target { day: self.day, ..Target::journal() });
    }

    fn why(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(day) = self.day {
            cx.open(Target::why(day.to_string()));
        }
    }

    fn swap(&mut self, _: &mut UpdateContext<'_>) {
        self.shows_moods = !self.shows_moods;
    }

    fn scroll(&mut self, by: isize) {
        let scroll = usize::from(self.scroll).saturating_add_signed(by);
        self.scroll = scroll.min(self.longest_scroll.into()) as u16;
    }

    fn figures(&self) -> Option<&insight::stats::Stats> {
        let Some(Answer::Stats(stats)) = self.query_state.known() else { return None };
        Some(stats)
    }
}

impl Pane for Stats {
    const NAME: &'static str = "stats";
    const TITLE: &'static str = "Stats";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("stats.open", &["enter"], "Open the day in the journal", Self::open)
            .when(Self::has_days)
            .hint("open the day"),
        Command::new("stats.stop", &["esc"], "Cancel", |s: &mut Self, cx| s.query_state.stop(cx))
            .when(|s| s.query_state.is_running())
            .hint("stop"),
        Command::new("stats.why", &["w"], "Find causes on this day", Self::why).when(Self::has_days).hint("why"),
        Command::new("stats.swap", &["v"], "Switch map between words and moods", Self::swap)
            .when(Self::has_days)
            .hint("words or moods"),
        Command::new("stats.year-back", &["["], "Previous year", |s: &mut Self, cx| s.year(-1, cx))
            .when(Self::has_days)
            .hint("year before"),
        Command::new("stats.year-on", &["]"], "Next year", |s: &mut Self, cx| s.year(1, cx))
            .when(Self::has_days)
            .hint("year after"),
        Command::new("stats.page-down", &["pagedown", "space"], "Scroll down", |s: &mut Self, _| {
            s.scroll(s.page as isize)
        })
        .when(Self::has_more)
        .hint("further"),
        Command::new("stats.page-up", &["pageup"], "Scroll up", |s: &mut Self, _| s.scroll(-(s.page as isize))),
        Command::new("stats.today", &["t"], "Go to today", Self::today).when(Self::has_days).hint("today"),
        Command::new("stats.day-on", &["j", "down"], "Next day", |s: &mut Self, cx| s.step(1, cx)),
        Command::new("stats.day-back", &["k", "up"], "Previous day", |s: &mut Self, cx| s.step(-1, cx)),
        Command::new("stats.week-on", &["l", "right"], "Next week", |s: &mut Self, cx| s.step(7, cx)),
        Command::new("stats.week-back", &["h", "left"], "Previous week", |s: &mut Self, cx| s.step(-7, cx)),
        Command::new("stats.again", &["R", "alt-r"], "Reload", |s: &mut Self, cx| s.ask(cx)),
    ];
}

impl Screen for Stats {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.draw_page(frame, area, context);
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        let today = cx.seen_from();
        self.begin(cx);
        let is_old = self.seen_from != Some(today);
        if is_old || self.query_state.is_due(cx.view) {
            self.ask(cx);
        }
        self.found = Found::of(cx.query, cx.view);
        self.aim(cx);
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        if let Some(day) = target.day {
            self.select(day, cx);
        }
    }

    fn place(&self) -> Target {
        Target { day: self.day, ..Target::default() }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        let is_answer = self.query_state.take(reply);
        if cx.in_front && (is_answer || matches!(reply, Reply::ViewChanged)) {
            self.begin(cx);
            self.found = Found::of(cx.query, cx.view);
            if self.query_state.is_behind(cx.view) {
                self.ask(cx);
            }
        }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        // A hidden pane counts the hits when it becomes visible.
        if cx.in_front {
            self.found = Found::of(cx.query, cx.view);
            self.aim(cx);
        }
    }

    fn go(&mut self, motion: Motion, cx: &mut UpdateContext<'_>) {
        let days = &cx.view.days;
        let end = match motion {
            Motion::First => days.last().map(|line| line.day),
            Motion::Last => days.first().map(|line| line.day),
            Motion::Lines(_) | Motion::Pages(_) => None,
        };
        if let Some(day) = end {
            self.select(day, cx);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        match mouse.kind {
            MouseKind::Wheel(by) => self.scroll(3 * by),
            MouseKind::Click => {
                let (Some(selected), true) = (self.day, self.area.contains(mouse.at)) else {
                    return;
                };
                let at = Position::new(mouse.at.x - self.area.x, mouse.at.y - self.area.y + self.scroll);
                let map = YearMap { selected, today: selected, week_starts: cx.settings.week_starts };
                let inside = self.map_area.contains(at);
                match map.day_at(self.map_area, at).filter(|_| inside) {
                    Some(day) if day == selected => self.open(cx),
                    Some(day) => self.day = Some(day),
                    None => {}
                }
            }
            MouseKind::Drag => {}
        }
    }
}
