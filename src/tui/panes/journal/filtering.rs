//! Which days are listed: the shared query, typed here with the journal's own moods, tags and names on offer.

use ratatui::{
    Frame,
    crossterm::event::KeyCode,
    layout::{Position, Rect},
};

use super::{Focus, Journal, line::Line};
use crate::{
    engine::Stage,
    search::Query,
    tui::{
        cx::Cx,
        event::TextInput,
        look::Look,
        theme::Role,
        widgets::{
            cells::{self, Pen},
            completion::Completion,
            input::Input,
        },
    },
};

/// The query as it is typed.
#[derive(Debug, Default)]
pub struct FilterLine {
    input: Input,
    offers: Option<Completion>,
}

impl FilterLine {
    pub fn close_offers(&mut self) -> bool {
        self.offers.take().is_some()
    }

    /// Puts the chosen offer in place of what was begun.
    fn accept(&mut self) -> bool {
        let Some((text, replaces)) = self.offers.as_ref().and_then(|known| Some((known.accepted()?, known.replaces)))
        else {
            return false;
        };
        self.offers = None;
        let begun = self.input.text().len().saturating_sub(replaces);
        let whole = format!("{}{text}", self.input.text().get(..begun).unwrap_or_default());
        self.input.set(&whole);
        true
    }

    fn take(&mut self, input: &TextInput, cx: &Cx<'_>) {
        if let (TextInput::Key(key), Some(offers)) = (input, &mut self.offers) {
            match key.code {
                KeyCode::Down => return offers.step(1),
                KeyCode::Up => return offers.step(-1),
                KeyCode::Tab => {
                    self.accept();
                    return;
                }
                _ => {}
            }
        }
        if self.input.take(input) {
            let found = Completion::in_filters(self.input.text(), cx.view);
            self.offers = found.map(|found| found.keep_choice(self.offers.as_ref()));
        }
    }

    pub fn draw(&mut self, frame: &mut Frame<'_>, row: Rect, look: &Look<'_>) {
        if row.is_empty() {
            return;
        }
        let mut pen = Pen::new(row.x + 1, row.y, row.width.saturating_sub(1));
        pen.write(frame.buffer_mut(), "only ", look.style(Role::Accent));
        let field = Rect { x: pen.x, width: row.right().saturating_sub(pen.x).min(44), ..row };
        let query = Query::parse(self.input.text(), look.now);
        let filters: Vec<_> = query.understood().into_iter().map(|span| (span, look.style(Role::Accent))).collect();
        self.input.draw(frame, field, look.style(Role::Text).underlined(), &filters, look.focused);
        let notice = query.notices.first();
        let hint = notice.map_or("a mood, #tag, @name, word, or as in mood:calm from:2026-03", String::as_str);
        let role = if notice.is_some() { Role::Warn } else { Role::Dim };
        let x = field.right() + 2;
        if x < row.right() {
            let room = row.right() - x;
            Pen::new(x, row.y, room).write(frame.buffer_mut(), &cells::truncate(hint, room.into()), look.style(role));
        }
        if let Some(offers) = &self.offers {
            let column = cells::text_width(self.input.text()).saturating_sub(offers.replaces) as u16;
            let anchor = Position::new(field.x + column.min(field.width), row.y);
            let screen = frame.area();
            offers.draw(frame.buffer_mut(), anchor, Rect { height: row.y + 1, ..screen }, &|role| look.style(role));
        }
    }
}

impl Journal {
    /// Begins with the query as it is, so that it is one query, whatever pane it was typed in.
    pub(super) fn ask_filter(&mut self, cx: &mut Cx<'_>) {
        let mut filter = FilterLine::default();
        let text = cx.query.text().trim();
        if !text.is_empty() {
            filter.input.set(&format!("{text} "));
        }
        self.line = Some(Line::Filter(filter));
    }

    pub(super) fn type_filter(&mut self, mut filter: FilterLine, input: &TextInput, cx: &mut Cx<'_>) {
        if !matches!(input, TextInput::Key(key) if key.code == KeyCode::Enter) {
            filter.take(input, cx);
            self.line = Some(Line::Filter(filter));
            return;
        }
        filter.accept();
        let text = filter.input.text().trim().to_owned();
        self.days.only_hits = !text.is_empty();
        self.aims = !text.is_empty();
        self.focus = Focus::Days;
        let legs = cx.query.legs();
        cx.search(text, legs);
    }

    /// Turns to the nearest day that passes, once that is known: an older one before a newer one.
    pub(super) fn aim(&mut self, cx: &mut Cx<'_>) {
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
