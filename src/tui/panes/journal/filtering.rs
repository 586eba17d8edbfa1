//! Which days are listed: the shared query, typed here with the journal's own moods, tags and names on offer.

use ratatui::{Frame, crossterm::event::KeyCode, layout::Rect};

use super::{Focus, Journal, line::Line};
use crate::{
    search::Query,
    session::Stage,
    tui::{
        event::TextInput,
        render_context::RenderContext,
        theme::Role,
        update_context::UpdateContext,
        widgets::{
            asked::{Asked, Wording},
            completion::Completion,
        },
    },
};

/// The query as it is typed.
#[derive(Debug, Default)]
pub struct FilterLine(pub Asked);

impl FilterLine {
    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, context: &RenderContext<'_>) {
        let query = Query::parse(self.0.text(), context.now);
        let styled: Vec<_> = query.understood().into_iter().map(|span| (span, context.style(Role::Accent))).collect();
        let notice = query.notices.first();
        let plain = match self.0.has_offers() {
            true => "enter takes it; esc first: as it is typed",
            false => "a mood, #tag, @name, word, or as in mood:calm from:2026-03",
        };
        let hint = notice.map_or(plain, String::as_str);
        let role = if notice.is_some() { Role::Warn } else { Role::Dim };
        self.0.draw(frame, row, context, &Wording { label: "only ", width: 44, styled: &styled, hint, role });
    }
}

impl Journal {
    /// Begins with the query as it is, so that it is one query, whatever pane it was typed in.
    pub(super) fn ask_filter(&mut self, cx: &mut UpdateContext<'_>) {
        let text = cx.query.text().trim();
        let begun = if text.is_empty() { String::new() } else { format!("{text} ") };
        self.line = Some(Line::Filter(FilterLine(Asked::of(&begun))));
    }

    pub(super) fn type_filter(&mut self, mut filter: FilterLine, input: &TextInput, cx: &mut UpdateContext<'_>) {
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            filter.0.take(input, |text| Completion::in_filters(text, cx.view));
            self.line = Some(Line::Filter(filter));
            return;
        }
        filter.0.accept();
        let text = filter.0.text().trim().to_owned();
        self.days.only_hits = !text.is_empty();
        self.aims = !text.is_empty();
        self.focus = Focus::Days;
        let legs = cx.query.legs();
        cx.search(text, legs);
    }

    /// Turns to the nearest day that passes, once that is known: an older one before a newer one.
    pub(super) fn aim(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.aims || cx.query.stage() != Some(Stage::Fused) {
            return;
        }
        self.aims = false;
        let Some(day) = self.day().filter(|day| cx.query.hits_on(*day) == 0) else { return };
        let mut hits = cx.view.days.iter().map(|line| line.day).filter(|day| cx.query.hits_on(*day) > 0);
        let newer = hits.clone().take_while(|hit| *hit > day).last();
        if let Some(nearest) = hits.find(|hit| *hit < day).or(newer) {
            self.turn_to(nearest, cx);
        }
    }
}
