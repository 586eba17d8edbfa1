//! Layout of the Journal pane: days beside the text, or one of them.

use ratatui::{Frame, layout::Rect, widgets::Clear};

use super::{Focus, Journal, day_notice};
use crate::{
    journal::exchange::IMPORTERS,
    session::View,
    tui::{MEASURE, Pen, RenderContext, Role, Screen as _, below, cells, counted, list_and_detail, widgets::wrap},
};

/// Minimum and maximum width of the column of days: it gets what the text does not need.
const DAYS_WIDTH: std::ops::RangeInclusive<u16> = 34..=60;

/// Below this height there is no gap under the day.
const LOW: u16 = 12;

impl Journal {
    /// Whether the journal has no entries, as far as is known.
    pub(super) fn is_new(&self, view: &View) -> bool {
        view.days.is_empty() && self.text().is_some_and(|text| text.entries.is_empty())
    }

    /// Areas of days and text; with one column, the one with the focus.
    pub(super) fn split(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> (Rect, Rect) {
        if self.full || self.wants_screen() {
            return (Rect { width: 0, height: 0, ..area }, area);
        }
        let in_text = self.composer.is_some() || self.focus != Focus::Days || self.is_new(context.view);
        let unused = area.width.saturating_sub(MEASURE + 4);
        list_and_detail(frame, area, context, unused.clamp(*DAYS_WIDTH.start(), *DAYS_WIDTH.end()), in_text)
    }

    pub(super) fn draw_text(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let context = &RenderContext { focused: context.focused && !self.is_picking(), ..*context };
        let alone = self.wants_screen();
        if let Some(composer) = &mut self.composer {
            return if alone { composer.draw_alone(frame, area, context) } else { composer.draw(frame, area, context) };
        }
        let area = self.draw_notices(frame, area, context);
        let Some(day) = self.day() else { return };
        if self.days.is_blank {
            return say(frame, below(area, 2), &["No entries match."], context, Role::Dim);
        }
        let text = self.text();
        let empty = text.as_ref().is_some_and(|text| text.entries.is_empty());
        let focused = self.in_text();
        self.reading.draw(frame, area, (day, text.as_deref()), &self.marks, context, focused);
        if let Some(error) = &self.unread {
            let again = context.key("journal.again");
            say(frame, below(area, 2), &[&format!("✗ {error}"), &format!("{again}  try again")], context, Role::Error);
        } else if self.is_new(context.view) {
            draw_welcome(frame, below(area, if area.height < LOW { 1 } else { 2 }), context);
        } else if empty {
            let day_is_today = day == context.today();
            let key = context.key(if day_is_today { "journal.new" } else { "journal.new-here" });
            let what = if day_is_today { "write about today" } else { "new entry on this day" };
            say(frame, below(area, 2), &["Nothing written.", "", &format!("{key}  {what}")], context, Role::Dim);
        }
        if let Some(text) = text.filter(|text| !text.notices.is_empty()) {
            let problems = counted(text.notices.len(), "problem", "problems");
            let notices = format!("! {problems} in this day's file");
            let y = area.bottom().saturating_sub(1);
            Pen::new(area.x + 2, y, area.width.saturating_sub(2)).say(frame, context, &notices, Role::Warn);
        }
    }

    /// Draws the notices above the day; returns the area below.
    pub(super) fn draw_notices(&self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> Rect {
        let width = usize::from(area.width.saturating_sub(2));
        let (draft, record) = (self.offers.notice(width, context), self.proposals.notice(width, context));
        let notices = [draft, record, self.landing_notice(context), self.marks.notice()];
        day_notice::draw(frame, area, notices.into_iter().flatten(), context)
    }
}

/// Draws the first steps in an empty journal.
fn draw_welcome(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
    let (new, help) = (context.key("journal.new"), context.key("app.help"));
    let find = context.key("app.find");
    let unread = context.view.notices.first();
    let formats: Vec<_> = IMPORTERS.iter().map(|format| format.name).collect();
    let formats = format!("from {}", formats.join(", "));
    let rows = wrap::rows(&formats, usize::from(area.width.saturating_sub(2)));
    let formats: Vec<_> = rows.map(|row| formats[row].trim().to_owned()).collect();
    let mut lines = vec![
        // A journal whose files have no readable entry is not empty: the first reason is shown here, all of them in
        // the list of problems.
        unread.map_or_else(
            || "This journal is empty.".to_owned(),
            |notice| format!("No entries could be read. {}: {}", notice.file, notice.message),
        ),
        String::new(),
        format!("{new}  write the first entry"),
        format!("{find}  search the journal"),
        format!("{help}  show the keys here"),
        String::new(),
        "In the shell:".to_owned(),
        String::new(),
        "kioku import auto PATH  import a journal".to_owned(),
        "kioku demo              look around in a sample journal".to_owned(),
    ];
    let is_low = usize::from(area.height) < lines.len();
    if usize::from(area.height) >= lines.len() + formats.len() {
        lines.splice(lines.len() - 1..lines.len() - 1, formats);
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).filter(|line| !(is_low && line.is_empty())).collect();
    say(frame, area, &lines, context, Role::Text);
}

fn say(frame: &mut Frame<'_>, area: Rect, lines: &[&str], context: &RenderContext<'_>, role: Role) {
    for (nth, line) in lines.iter().enumerate().take(usize::from(area.height)) {
        let y = area.y + nth as u16;
        frame.render_widget(Clear, Rect { y, height: 1, ..area });
        let room = area.width.saturating_sub(2);
        let line = cells::truncate(line, room.into());
        Pen::new(area.x + 2, y, room).say(frame, context, &line, role);
    }
}
