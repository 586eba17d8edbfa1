//! Layout of the Why pane.

use ratatui::{Frame, layout::Rect};

use super::{HitArea, Why, WhyQuery};
use crate::{
    insight::Period,
    session::{Answer, View},
    tui::{MEASURE, Pen, RenderContext, Role, Styled, cells, counted, inset, notice, styled},
};

impl Why {
    pub(super) fn paint(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.spots.clear();
        if area.is_empty() {
            return;
        }
        // Without a question, or with an answer without quotes, the column beside has no content.
        let may_quote = self.asked.is_some() && (self.query_state.is_waiting() || self.lines.is_on_link());
        let lines = if may_quote { (area.width * 3 / 5).min(MEASURE + 8) } else { area.width };
        let area = self.source.beside(frame, area, context, lines);
        self.draw_fields(frame, Rect { height: 1, ..area }, context);
        let used = 1 + self.draw_subject(frame, Rect { y: area.y + 1, height: area.height - 1, ..area }, context);
        let used = used.min(area.height);
        let room = area.width.min(MEASURE + 8);
        let body = Rect { y: area.y + used, height: area.height - used, width: room, ..area };
        if !self.lines.is_empty() {
            return self.lines.draw(frame, body, context, !self.typing);
        }
        let mut lines: Vec<Styled> = Vec::new();
        let notice = notice(&self.query_state, context, "Searching", Some("why.again"));
        if let Some(notice) = notice.filter(|_| self.asked.is_some()) {
            lines.push(notice);
        } else if self.is_between() {
            lines.push(Styled::of("Enter two names to find what connects them", Role::Text));
        } else {
            lines.push(Styled::of("Ask for the causes of something, for example:", Role::Text));
            for (nth, (example, meaning)) in EXAMPLES.iter().enumerate() {
                let row = Rect { y: body.y + 2 + nth as u16, height: 1, ..body };
                self.spots.put(row.intersection(body), HitArea::Example(nth));
                let meaning = if body.width < NARROW { "" } else { meaning };
                lines.push(Styled::of(&cells::pad(example, 24), Role::Accent).and(meaning, Role::Dim));
            }
            lines.extend([Styled::default(), Styled::of(&context.tabs_in_field(), Role::Dim)]);
        }
        styled::paint_alone(&lines, frame.buffer_mut(), body, context);
    }

    /// The days of the answer, if they are fewer than those of the setting: the question names them.
    pub(super) fn own_days(&self, view: &View) -> Option<Period> {
        let (Some(WhyQuery::Why { from, .. }), Some(Answer::Why(why))) = (&self.asked, self.query_state.known()) else {
            return None;
        };
        let (newest, oldest) = (view.days.first()?, view.days.last()?);
        why.period.filter(|period| period.from > from.unwrap_or(oldest.day) || period.to < newest.day)
    }

    /// ` why  stressed____   period: last 90 days`, or ` between  Hùng____  and  Linh____`.
    fn draw_fields(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let cursor = context.focused && self.typing;
        let text = context.style(Role::Text);
        let label = |on: bool| context.style(if on { Role::Accent } else { Role::Dim });
        let since = self.since.map(|days| format!("last {days} days"));
        let own = self.own_days(context.view).map(|days| format!("{} to {}", days.from, days.to));
        let Some(other) = &mut self.other else {
            Pen::new(area.x, area.y, area.width).write(frame.buffer_mut(), " why  ", label(self.typing));
            let period = format!("   period: {} ", own.or(since).unwrap_or_else(|| "all days".to_owned()));
            let tail = cells::text_width(&period) as u16;
            let tail = if area.width > tail + 20 { tail } else { 0 };
            let x = area.x + 6.min(area.width);
            let field = Rect { x, width: (area.right() - x).saturating_sub(tail), ..area };
            self.input.draw(frame, field, text, &[], cursor);
            Pen::new(area.right() - tail, area.y, tail).say(frame, context, &period, Role::Dim);
            self.spots.put(Rect { width: field.right() - area.x, ..area }, HitArea::Field);
            self.spots.put(Rect { x: area.right() - tail, width: tail, ..area }, HitArea::Period);
            return;
        };
        let half = (area.width.saturating_sub(16)) / 2;
        let x = area.x + 10.min(area.width);
        let second = (x + half + 6).min(area.right());
        Pen::new(area.x, area.y, 10.min(area.width)).write(frame.buffer_mut(), " between  ", label(self.typing));
        let mut between = Pen::new(x + half, area.y, area.right().saturating_sub(x + half).min(6));
        between.write(frame.buffer_mut(), "  and ", label(self.typing));
        let place = |x: u16| Rect { x, width: half.min(area.right() - x), ..area };
        self.input.draw(frame, place(x), text, &[], cursor && !self.in_other);
        other.draw(frame, place(second), text, &[], cursor && self.in_other);
        self.spots.put(Rect { width: (x + half - area.x).min(area.width), ..area }, HitArea::Field);
        self.spots.put(Rect { x: x + half, width: area.right().saturating_sub(x + half), ..area }, HitArea::Other);
    }

    /// Draws the trail and the counts: `stressed ← Project X   on 14 of 78 days with entries, …`; returns the number
    /// of rows.
    fn draw_subject(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) -> u16 {
        let mut line = Styled::default();
        for left in &self.trail.back {
            line.push(&called(&left.asked, left.answered.as_deref()), Role::Dim).push(" ← ", Role::Dim);
        }
        let Some(asked) = &self.asked else { return 0 };
        line.push(&called(asked, self.query_state.known()), Role::Title);
        match self.query_state.known() {
            Some(Answer::Why(why)) => {
                if let Some(period) = why.period.filter(|_| why.nearest.is_none()) {
                    let (with, total) = (why.days.with_target, why.days.total);
                    let total = counted(total, "day", "days");
                    let are = why.days_are();
                    let days = format!("{} to {}", period.from, period.to);
                    // A cause of a cause comes before the last day on which the cause is quoted.
                    let today = context.now.date();
                    let is_cut = matches!(asked, WhyQuery::Why { to: Some(to), .. } if *to < today);
                    let until = if is_cut { " (last quoted)" } else { "" };
                    line.push(&format!("   {are}on {with} of {total} with entries, {days}{until}"), Role::Dim);
                }
            }
            Some(Answer::Connect(connection)) => {
                let ways = counted(connection.paths.len(), "way", "ways");
                line.push(&format!("   {ways}"), Role::Dim);
            }
            _ => {}
        }
        let place = Rect { height: area.height.min(3), ..inset(area, 1, 1) };
        let rows = line.paint(frame.buffer_mut(), place, context, Role::Text);
        if self.trail.has(false) {
            self.spots.put(Rect { height: rows, ..place }, HitArea::Back);
        }
        rows
    }
}

/// Name of a question on screen.
fn called(asked: &WhyQuery, answered: Option<&Answer>) -> String {
    match (asked, answered) {
        (WhyQuery::Why { label: Some(label), .. }, _) => label.clone(),
        (WhyQuery::Why { .. }, Some(Answer::Why(why))) => why.target.clone(),
        (WhyQuery::Why { text, .. }, _) => text.clone(),
        (WhyQuery::Between(..), Some(Answer::Connect(found))) => format!("{} and {}", found.from, found.to),
        (WhyQuery::Between(one, other), _) => format!("{one} and {other}"),
    }
}

/// Below this width the examples are shown without their explanation.
const NARROW: u16 = 60;

pub(super) const EXAMPLES: &[(&str, &str)] = &[
    ("stressed", "a feeling"),
    ("stressed about work", "a feeling, together with something else"),
    ("why was I sad in March", "a question, with a time"),
    ("Project X", "a name"),
];
