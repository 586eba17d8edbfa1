//! Layout of the Stats pane, and scrolling.

use jiff::civil;
use ratatui::{Frame, buffer::Buffer, layout::Rect};

use super::{
    Stats,
    charts::{self, Column},
    mood_area,
};
use crate::{
    insight::stats::Stats as StatsAnswer,
    session::DayLine,
    tui::{
        RenderContext, Role, Styled, Width, counted, day_name, notice,
        widgets::year_map::{self, YearMap},
    },
};

/// More rows than any page has.
const ROWS: u16 = 96;
/// Minimum number of words for each step.
const WORDS: [u32; 4] = [1, 50, 150, 300];
/// Cells between two columns.
const GAP: u16 = 3;

#[derive(Debug, Clone, Copy)]
enum Section {
    Moods,
    MoodCounts,
    Words,
    Week,
    Names,
}

/// The sections below the year, by column.
fn sections(width: Width) -> &'static [&'static [Section]] {
    match width {
        Width::One => &[&[Section::Moods, Section::MoodCounts, Section::Words, Section::Week, Section::Names]],
        Width::Two => &[&[Section::Moods, Section::MoodCounts, Section::Words], &[Section::Week, Section::Names]],
        Width::Three => &[&[Section::Moods, Section::MoodCounts], &[Section::Week, Section::Words], &[Section::Names]],
    }
}

impl Stats {
    pub(super) fn draw_page(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        (self.area, self.page) = (area, area.height.saturating_sub(2).max(1));
        if area.is_empty() {
            return;
        }
        let place = Rect { x: 1, y: 0, width: area.width.saturating_sub(2), height: ROWS };
        let mut buffer = Buffer::empty(Rect { x: 0, width: area.width, ..place });
        let rows = match self.day {
            Some(day) if !Self::is_new(context.view) => self.draw_parts(&mut buffer, place, day, context),
            _ => {
                let mut column = Column { buffer: &mut buffer, area: place, context };
                draw_new(&mut column);
                column.area.y
            }
        };
        self.longest_scroll = rows.saturating_sub(area.height);
        if std::mem::take(&mut self.is_sought) {
            // The map and the selected day's line below it.
            let bottom = self.map_area.bottom() + 1;
            self.scroll = self.scroll.min(self.map_area.y).max(bottom.saturating_sub(area.height));
        }
        self.scroll = self.scroll.min(self.longest_scroll);
        for y in 0..area.height.min(ROWS - self.scroll) {
            for x in 0..area.width {
                frame.buffer_mut()[(area.x + x, area.y + y)] = buffer[(x, y + self.scroll)].clone();
            }
        }
        if self.scroll < self.longest_scroll {
            let more = &mut frame.buffer_mut()[(area.right() - 1, area.bottom() - 1)];
            more.set_symbol("↓").set_style(context.style(Role::Accent));
        }
    }

    /// Draws the sections; returns the number of rows.
    fn draw_parts(&mut self, buffer: &mut Buffer, place: Rect, day: civil::Date, context: &RenderContext<'_>) -> u16 {
        let mut column = Column { buffer, area: place, context };
        let today = context.today();
        let ended = self.seen_from.filter(|day| *day < today);
        if let Some(notice) = notice(&self.query_state, context, "Counting", Some("stats.again")) {
            column.flow(&notice);
        } else if let Some(stats) = self.figures() {
            charts::totals(&mut column, stats, self.found.as_ref(), ended);
        }
        column.skip(1);
        self.map_area = self.draw_year(&mut column, day);
        let Some(stats) = self.figures() else { return column.area.y };
        column.skip(1);
        let top = column.area;
        let sections = sections(context.width);
        let count = sections.len() as u16;
        let width = (top.width + GAP) / count - GAP;
        let mut bottom = top.y;
        for (nth, sections) in sections.iter().enumerate() {
            column.area = Rect { x: top.x + nth as u16 * (width + GAP), width, ..top };
            for section in *sections {
                self.draw_section(&mut column, *section, stats, day);
            }
            bottom = bottom.max(column.area.y);
        }
        bottom
    }

    fn draw_section(&self, column: &mut Column<'_, '_>, section: Section, stats: &StatsAnswer, day: civil::Date) {
        let context = column.context;
        let (found, week_starts) = (self.found.as_ref(), context.settings.week_starts);
        let ended = self.seen_from.filter(|day| *day < context.today());
        match section {
            Section::Moods => mood_area::draw(column, stats, found, context.now.date().min(day.last_of_year())),
            Section::MoodCounts => charts::mood_counts(column, stats, found),
            Section::Words if context.settings.is_plain => return,
            Section::Words => charts::words(column, self.seen_from.unwrap_or(day)),
            Section::Week if context.settings.is_plain => charts::weekdays(column, stats, found, week_starts),
            Section::Week if found.is_none() => charts::week(column, stats, week_starts),
            Section::Week => {
                charts::weekdays(column, stats, found, week_starts);
                column.skip(1);
                charts::hours(column, stats, found);
            }
            Section::Names => {
                if let Some(found) = found {
                    charts::found_names(column, found);
                    column.skip(1);
                }
                charts::names(column, stats, ended);
            }
        }
        column.skip(1);
    }

    /// Draws the map of the year, its legend, and the selected day as text. Returns the area of the map.
    fn draw_year(&self, column: &mut Column<'_, '_>, day: civil::Date) -> Rect {
        let context = column.context;
        let legend = match self.shows_moods {
            _ if context.settings.is_plain => "",
            _ if context.query.is_on() => "◆ found by the query",
            false => "words a day  ░ 1 ▒ 50 ▓ 150 █ 300",
            true => "mood  + good  − hard  ○ between  ▪ not known",
        };
        let days = context.view.days.iter().filter(|line| line.day.year() == day.year());
        let of_year: Vec<u32> = days.flat_map(|line| line.words.iter().copied()).collect();
        let words = counted(of_year.iter().sum::<u32>() as usize, "word", "words");
        let figures = format!("{} · {words} · ", counted(of_year.len(), "entry", "entries"));
        let year = day.year().to_string();
        let figures = if column.fits(&[&year, "  ", &figures, legend]) { figures.as_str() } else { "" };
        column.heading(&year, format!("{figures}{legend}").trim_end_matches(" · "));
        let height = if context.settings.is_plain { 0 } else { year_map::HEIGHT.min(column.area.height) };
        let area = Rect { height, ..column.area };
        let today = context.today();
        let heat = |day| self.heat(day, context);
        let map = YearMap { selected: day, today, week_starts: context.settings.week_starts };
        map.draw(column.buffer, area, &heat, context.theme);
        column.skip(area.height);
        // Without the map, the cursor is on the day.
        let role = if context.settings.is_plain { Role::Selected } else { Role::Title };
        let mut text = Styled::of(&day_name(day), role);
        match context.view.line(day) {
            None => text.push(" · nothing written", Role::Dim),
            Some(line) => push_day(&mut text, line),
        };
        if context.query.is_on() && context.query.hits_on(day) > 0 {
            text.push(&format!(" · {} found", context.query.hits_on(day)), Role::Match);
        }
        column.flow(&text);
        area
    }

    fn heat(&self, day: civil::Date, context: &RenderContext<'_>) -> (char, Role) {
        let Some(line) = context.view.line(day) else { return ('·', Role::Dim) };
        if context.query.is_on() {
            return if context.query.hits_on(day) > 0 { ('◆', Role::Match) } else { ('░', Role::Dim) };
        }
        if self.shows_moods {
            return line.valence().map_or(('▪', Role::Dim), |mean| {
                let role = Role::of_valence(mean, Role::Mood);
                (role.sign(), role)
            });
        }
        let words: u32 = line.words.iter().sum();
        // A day whose words are not counted yet is written, too.
        Role::of_heat(WORDS.iter().filter(|least| words >= **least).count().max(1))
    }
}

/// ` · 3 entries · 64 words · calm, stressed`.
fn push_day<'t>(text: &'t mut Styled, line: &DayLine) -> &'t mut Styled {
    if !line.words.is_empty() {
        let words: u32 = line.words.iter().sum();
        let entries = counted(line.words.len(), "entry", "entries");
        text.push(&format!(" · {entries} · {}", counted(words as usize, "word", "words")), Role::Dim);
    }
    for (nth, mood) in line.moods.iter().enumerate() {
        text.push(if nth == 0 { " · " } else { ", " }, Role::Dim).push(mood, Role::of_mood(mood));
    }
    text
}

fn draw_new(column: &mut Column<'_, '_>) {
    let new = column.context.key("app.new");
    column.skip(1);
    column.row(&[("No entries yet", Role::Text)]);
    column.skip(1);
    column.row(&[(&new, Role::Key), ("  write the first entry", Role::Dim)]);
    let shows = "This pane shows a map of the year, moods over time, and when in the week and the day you write.";
    column.flow(&Styled::of(shows, Role::Dim));
}
