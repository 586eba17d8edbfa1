//! The left column: calendar, list of days, and the selected day.

use jiff::{ToSpan as _, civil};
use ratatui::{Frame, layout::Rect};

use super::openings::Openings;

use crate::{
    session::View,
    tui::{
        List, Motion, Mouse, Pen, RenderContext, Role, UpdateContext, Width, below, counted,
        query::SharedQuery,
        query_notice,
        update_context::Settings,
        widgets::{
            calendar::{self, Calendar},
            day_list::{DayList, Row},
        },
    },
};

/// Minimum height for the calendar: below it the list needs every line.
const LOWEST_WITH_CALENDAR: u16 = 17;
/// Minimum width for the calendar beside the list.
const WIDTH_BESIDE: u16 = 64;

#[derive(Debug, Default)]
pub struct Days {
    /// `None` until the clock was first read.
    selected: Option<civil::Date>,
    /// As of the last draw; `None` before.
    pub today: Option<civil::Date>,
    list: List,
    /// Only days with hits are listed.
    pub only_hits: bool,
    /// The filter has no hits: no day is shown until one is selected.
    pub is_blank: bool,
    /// The calendar was switched on, or off where it is shown by itself.
    pub toggled_calendar: bool,
    /// There is room for the calendar without a key.
    pub has_room: bool,
    pub openings: Openings,
    calendar_area: Rect,
    list_area: Rect,
}

impl Days {
    pub fn selected(&self) -> Option<civil::Date> {
        self.selected
    }

    pub fn select(&mut self, day: civil::Date) {
        (self.selected, self.is_blank) = (Some(day), false);
    }

    /// The listed days, newest first: those with entries, and today and the selected one even without entries.
    fn rows<'a>(&self, view: &'a View, query: &SharedQuery) -> Vec<Row<'a>> {
        let only = self.only_hits && query.is_on();
        let hits = |day| if query.is_on() { query.hits_on(day) } else { 0 };
        let known =
            view.days.iter().map(|line| Row { day: line.day, line: Some(line), hits: hits(line.day), opening: None });
        let mut rows: Vec<Row<'_>> = known.filter(|row| !only || row.hits > 0).collect();
        for day in [self.selected.filter(|_| !self.is_blank), self.today.filter(|_| !only)].into_iter().flatten() {
            let at = rows.partition_point(|row| row.day > day);
            if rows.get(at).is_none_or(|row| row.day != day) {
                rows.insert(at, Row { day, line: view.line(day), hits: hits(day), opening: None });
            }
        }
        rows
    }

    /// Requests the first words of the days around the selected one.
    pub fn ask_openings(&mut self, cx: &mut UpdateContext<'_>) {
        if self.openings.is_waiting() {
            return;
        }
        let rows = self.rows(cx.view, cx.query);
        let selected = rows.iter().position(|row| Some(row.day) == self.selected).unwrap_or(0);
        // As far as the list reaches before the next request is answered.
        let reach = self.list.page().max(usize::from(self.list_area.height)) + 1;
        let near = selected.saturating_sub(reach)..(selected + reach).min(rows.len());
        let days = rows[near].iter().filter(|row| row.line.is_some()).map(|row| row.day).collect();
        self.openings.ask(days, cx);
    }

    /// Shows or hides the calendar on a pane of this size.
    pub fn toggle_calendar(&mut self, (width, height): (u16, u16), cx: &mut UpdateContext<'_>) {
        self.toggled_calendar = !self.toggled_calendar;
        let fits = height >= LOWEST_WITH_CALENDAR || (width >= WIDTH_BESIDE && height >= calendar::HEIGHT);
        if self.has_room != self.toggled_calendar && !fits {
            cx.done(format!("The calendar needs {} rows", LOWEST_WITH_CALENDAR + 2));
        }
    }

    /// Moves through the listed days; later days are above.
    pub fn go(&mut self, motion: Motion, view: &View, query: &SharedQuery) {
        let rows = self.rows(view, query);
        let at = rows.iter().position(|row| Some(row.day) == self.selected).unwrap_or(0);
        let page = usize::from(self.list_area.height.saturating_sub(2));
        let at = at.saturating_add_signed(motion.lines(page)).min(rows.len().saturating_sub(1));
        if let Some(row) = rows.get(at) {
            self.selected = Some(row.day);
        }
    }

    /// The nearest day with entries `months` away; the same day of that month if there is none.
    pub fn month(&mut self, months: i32, view: &View) {
        let Some(selected) = self.selected else { return };
        let Ok(aim) = selected.checked_add(months.months()) else { return };
        let (first, last) = (aim.first_of_month(), aim.last_of_month());
        let within = view.days.iter().map(|line| line.day).filter(|day| (first..=last).contains(day));
        let nearest = within.min_by_key(|day| day.since(aim).map_or(0, |span| span.get_days().abs()));
        self.selected = Some(nearest.unwrap_or(aim));
    }

    /// The day under the mouse.
    pub fn day_at(&self, mouse: Mouse, cx: &UpdateContext<'_>) -> Option<civil::Date> {
        if self.calendar_area.contains(mouse.at) {
            return self.calendar(cx.settings)?.day_at(self.calendar_area, mouse.at);
        }
        Some(self.rows(cx.view, cx.query).get(self.list.row_at(mouse)?)?.day)
    }

    fn calendar(&self, settings: &Settings) -> Option<Calendar> {
        Some(Calendar { selected: self.selected?, today: self.today?, week_starts: settings.week_starts })
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>, focused: bool) {
        let has_calendar = self.has_room != self.toggled_calendar;
        let (calendar_area, mut list_area) =
            if has_calendar { split(area, context) } else { (Rect { height: 0, ..area }, area) };
        self.calendar_area = calendar_area;
        if let Some(calendar) = self.calendar(context.settings).filter(|_| !calendar_area.is_empty()) {
            let role = |day| role_of(day, context.view, context.query);
            calendar.draw(frame.buffer_mut(), calendar_area, &role, context.theme);
        }
        if context.query.is_on() && list_area.height > 3 {
            self.draw_hits(frame, list_area, context);
            list_area = query_notice(frame, below(list_area, 1), context);
        }
        self.list_area = list_area;
        let mut rows = self.rows(context.view, context.query);
        rows.iter_mut().for_each(|row| row.opening = self.openings.of(row.day));
        let selected = rows.iter().position(|row| Some(row.day) == self.selected).unwrap_or(0);
        self.list.select(selected);
        let list = DayList { rows: &rows, searching: context.query.is_on(), focused };
        list.draw(frame.buffer_mut(), list_area, &mut self.list, context.theme);
        // With one column, the text that says so is not beside the list.
        if self.is_blank && rows.is_empty() && context.width == Width::One && !list_area.is_empty() {
            let room = list_area.width.saturating_sub(1);
            Pen::new(list_area.x + 1, list_area.y, room).say(frame, context, "No entries match.", Role::Dim);
        }
    }

    fn draw_hits(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let days = context.view.days.iter().filter(|line| context.query.hits_on(line.day) > 0).count();
        let (hits, weak) = (context.query.sure(), context.query.weak());
        let key = context.keys.key_of("journal.only-hits").unwrap_or_default();
        let what = if self.only_hits { "all days" } else { "only these" };
        let mut pen = Pen::new(area.x + 1, area.y, area.width.saturating_sub(1));
        if hits == 0 && weak > 0 {
            let search = context.key("app.tab-2");
            let told = format!("0 hits · {search} shows {weak} weaker");
            pen.say(frame, context, &told, Role::Dim);
            return;
        }
        let found = format!("{} on {}", counted(hits, "hit", "hits"), counted(days, "day", "days"));
        pen.say(frame, context, &found, Role::Match);
        if !key.is_empty() {
            pen.say(frame, context, &format!("  {key} {what}"), Role::Dim);
        }
    }
}

/// Areas of calendar and list: one above the other in a column, side by side where they have the whole width.
fn split(area: Rect, context: &RenderContext<'_>) -> (Rect, Rect) {
    let (calendar_width, calendar_height) = (calendar::WIDTH, calendar::HEIGHT + 1);
    if context.width == Width::One
        && !context.settings.is_plain
        && area.width >= WIDTH_BESIDE
        && area.height >= calendar::HEIGHT
    {
        let list = Rect { width: area.width - calendar_width - 2, ..area };
        return (Rect { x: list.right() + 1, width: calendar_width, height: calendar::HEIGHT, ..area }, list);
    }
    if area.height < LOWEST_WITH_CALENDAR || area.width < calendar_width {
        return (Rect { height: 0, ..area }, area);
    }
    let calendar = Rect { width: calendar_width, height: calendar::HEIGHT, ..area };
    (calendar, below(area, calendar_height))
}

fn role_of(day: civil::Date, view: &View, query: &SharedQuery) -> Role {
    match view.line(day) {
        None => Role::Dim,
        Some(_) if query.is_on() && query.hits_on(day) > 0 => Role::Match,
        Some(line) => line.valence().map_or(Role::Text, |valence| Role::of_valence(valence, Role::Text)),
    }
}
