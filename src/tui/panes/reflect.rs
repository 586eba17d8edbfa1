//! The Reflect pane: a review of a day, a week, a month or a year, with related earlier entries and questions made
//! from both. Every line opens the entry it comes from.

mod commands;
mod page;
mod saving;
mod scale;
mod screen;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;
mod writing;

use std::time::Duration;

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use self::{
    page::{Lead, Page},
    scale::Scale,
    writing::Writing,
};
use crate::{
    journal::DraftId,
    session::{Answer, Ask, Reply, Ticket},
    tui::{
        AsyncQuery, Cited, LinkedLines, Motion, Mouse, MouseKind, PromptLine, QueryState, RenderContext, Role, Screen,
        SourceColumn, Spots, Styled, Target, TextInput, UpdateContext, Wording, composer::Composer, split_bottom,
        update_context::Intent,
    },
};

/// Tag of a reflection.
const TAG: &str = "reflection";

#[derive(Default)]
pub struct Reflect {
    scale: Scale,
    /// The day, or a day of the week, month or year shown. `None` until the clock was first read.
    day: Option<civil::Date>,
    query_state: AsyncQuery,
    /// Summary in numbers.
    figures: Styled,
    lines: LinkedLines<Lead>,
    /// The entry that Enter opens, beside the page.
    source: SourceColumn,
    goto: Option<PromptLine>,
    /// The input line for the name of a file.
    saving: Option<PromptLine>,
    /// The file that was sent from that line.
    sent: Option<Ticket>,
    /// A reflection being written, or left unfinished.
    writing: Option<Writing>,
    /// The text that was discarded last.
    discarded: Option<DraftId>,
    /// The user has not navigated yet: if today is empty, another day is shown.
    landing: bool,
    /// The day shown instead of an empty today.
    landed: Option<civil::Date>,
    /// Counts random days, so that the next one differs.
    drawn: u64,
    /// Commands of the hit areas besides lines, of the last draw.
    spots: Spots<&'static str>,
}

// Conditions.
impl Reflect {
    fn is_reading(&self) -> bool {
        !self.is_asking() && !self.is_writing()
    }

    fn is_asking(&self) -> bool {
        self.goto.is_some() || self.saving.is_some()
    }

    /// The selected question.
    fn question(&self) -> Option<&String> {
        self.lines.selected()?.question.as_ref()
    }

    fn has_page(&self) -> bool {
        self.is_reading() && !self.lines.is_empty()
    }
}

// Navigation.
impl Reflect {
    fn ask(&self, cx: &UpdateContext<'_>) -> Option<Ask> {
        let (day, now) = (self.day?, cx.now());
        Some(match self.scale.unit() {
            None => Ask::Reflect { day, now },
            Some(unit) => Ask::Review { unit, day, now },
        })
    }

    fn turn(&mut self, scale: Scale, day: civil::Date, cx: &mut UpdateContext<'_>) {
        if (self.scale, self.day) == (scale, Some(day)) {
            return;
        }
        (self.scale, self.day) = (scale, Some(day));
        self.landing = false;
        (self.figures, self.lines) = Default::default();
        self.saving = None;
        if let Some(ask) = self.ask(cx) {
            self.query_state.ask(ask, cx);
        }
    }

    fn look_at(&mut self, scale: Scale, cx: &mut UpdateContext<'_>) {
        let today = cx.today();
        if let Some(day) = self.day {
            let day = if day == today { day } else { self.scale.nearest_written(day, &cx.view.days).unwrap_or(day) };
            self.turn(scale, day, cx);
        }
    }

    fn next_scale(&mut self, cx: &mut UpdateContext<'_>) {
        let here = Scale::ALL.into_iter().position(|scale| scale == self.scale).unwrap_or(0);
        self.look_at(Scale::ALL[(here + 1) % Scale::ALL.len()], cx);
    }

    fn step(&mut self, on: bool, cx: &mut UpdateContext<'_>) {
        let today = cx.today();
        let Some(day) = self.day else { return };
        match self.scale.step(day, on, &cx.view.days, today) {
            Some(day) => self.turn(self.scale, day, cx),
            None if on => cx.done("No later entries"),
            None => cx.done("No earlier entries"),
        }
    }

    fn today(&mut self, cx: &mut UpdateContext<'_>) {
        self.turn(self.scale, cx.today(), cx);
    }

    /// If today's page is empty, shows the newest day with entries. A page without entries but with earlier ones
    /// (such as anniversaries) stays, because that is what a user opens it for in the morning.
    fn land(&mut self, cx: &mut UpdateContext<'_>) {
        let today = cx.today();
        if !std::mem::take(&mut self.landing) || !self.lines.is_empty() || self.day != Some(today) {
            return;
        }
        self.landed = cx.view.days.iter().map(|line| line.day).find(|day| *day < today);
        if let Some(day) = self.landed {
            self.turn(Scale::Day, day, cx);
        }
    }

    /// Whether the day on screen is shown instead of an empty today.
    fn is_landed(&self) -> bool {
        self.landed.is_some() && (self.landed, self.scale) == (self.day, Scale::Day)
    }

    /// Goes to a random other day with entries.
    fn random(&mut self, cx: &mut UpdateContext<'_>) {
        let others: Vec<civil::Date> =
            cx.view.days.iter().map(|line| line.day).filter(|day| Some(*day) != self.day).collect();
        self.drawn += 1;
        // The time of the key press is random enough; the multiplier spreads it over all days (Steele, splitmix64,
        // 2014).
        let seed = cx.now().timestamp().as_microsecond().unsigned_abs().wrapping_add(self.drawn);
        let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        if let Some(day) = others.get((mixed % others.len().max(1) as u64) as usize) {
            self.turn(Scale::Day, *day, cx);
        }
    }

    fn type_date(&mut self, input: &TextInput, cx: &mut UpdateContext<'_>) {
        let Some(goto) = &mut self.goto else { return };
        if !input.is_enter() {
            goto.take(input, |_| None);
        } else if goto.text().trim().is_empty() {
            self.goto = None;
        } else if let Some(days) = goto.typed_days(&cx.now()) {
            self.goto = None;
            let scale = Scale::of(days.first, days.last).unwrap_or(self.scale);
            self.turn(scale, days.first, cx);
        }
    }

    fn again(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(ask) = self.ask(cx) {
            self.query_state.renew(ask, cx);
        }
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        // A click on the page only closes the field.
        if self.is_asking() {
            return self.leave(cx);
        }
        if self.is_writing() {
            return self.leave_writing(cx);
        }
        if let Some(command) = self.spots.at(mouse.at) {
            cx.out.intents.push(Intent::Run(command));
        } else if self.lines.click(mouse) {
            self.lines.open_source(cx);
        }
    }
}

// Reading and writing.
impl Reflect {
    /// Writes the reflection in the Journal pane instead, with time, mood and tags.
    fn write_in_journal(&mut self, cx: &mut UpdateContext<'_>) {
        let text = self.question().map(|question| format!("> {question}\n\n"));
        cx.open(Target { compose: true, text, tags: vec![TAG.to_owned()], ..Target::journal() });
    }

    fn markdown(&self, day: civil::Date) -> String {
        page::markdown(&self.scale.name(day), &self.figures, self.lines.all())
    }

    fn copy(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(day) = self.day {
            cx.copy(self.markdown(day));
            cx.done("Copied as markdown");
        }
    }

    /// Asks why about the selected line: about its feeling, its entry, else the day.
    fn why(&mut self, cx: &mut UpdateContext<'_>) {
        let asked = self.lines.selected().and_then(|lead| lead.asks.clone());
        let entry = || self.lines.cited().map(|source| source.id.to_string());
        let day = || self.day.map(|day| day.to_string());
        if let Some(text) = asked.or_else(entry).or_else(day) {
            cx.open(Target::why(text));
        }
    }

    fn leave(&mut self, _: &mut UpdateContext<'_>) {
        (self.goto, self.saving) = (None, None);
    }

    /// Makes the lines again, keeping the selection; on a new page that is the first line of the day itself, below
    /// the questions.
    fn arrange(&mut self, cx: &UpdateContext<'_>) {
        let is_new = self.lines.is_empty();
        let Page { figures, lines } = match self.query_state.known() {
            Some(Answer::Reflect(day)) => Page::of_day(day, cx.view, cx.query),
            Some(Answer::Review(review)) => Page::of_review(review, cx.query),
            _ => Page::default(),
        };
        let own = lines.iter().position(|line| line.label == page::OF_DAY);
        self.figures = figures;
        self.lines.set(lines);
        if is_new {
            self.lines.select(own.unwrap_or(0));
        }
    }
}

impl Screen for Reflect {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.spots.clear();
        if area.is_empty() {
            return;
        }
        let is_empty = self.query_state.state() == QueryState::Known && self.lines.is_empty();
        let lines = if is_empty { area.width } else { (area.width * 3 / 5).min(screen::WIDEST) };
        let area = self.source.beside(frame, area, context, lines);
        let (page, text) = split_bottom(area, self.writing_rows(area.height));
        let (page, line) = split_bottom(page, u16::from(self.is_asking()));
        self.draw_pane(frame, page, context);
        self.draw_writing(frame, text, area, context);
        if let Some(goto) = &mut self.goto {
            goto.draw_for_date(frame, line, context);
        } else if let Some(saving) = &mut self.saving {
            let wording = Wording { label: "save as ", width: u16::MAX, styled: &[], hint: "", role: Role::Dim };
            saving.draw(frame, line, context, &wording);
        }
    }

    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        if self.day.is_none() {
            self.today(cx);
            self.landing = true;
        } else if self.is_landed() && cx.view.line(cx.today()).is_some() {
            // Today is no longer empty: go there, unless the user chose the other day.
            self.today(cx);
        } else {
            self.arrange(cx);
            if self.query_state.is_due(cx.view) {
                self.again(cx);
            }
        }
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        if let Some(day) = target.day {
            let scale = Scale::ALL.into_iter().find(|scale| target.text.as_deref() == Some(scale.word()));
            self.turn(scale.unwrap_or_default(), day, cx);
        }
    }

    fn place(&self) -> Target {
        Target { day: self.day, text: Some(self.scale.word().to_owned()), ..Target::default() }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        self.heard_of_saving(reply, cx);
        self.heard_of_writing(reply, cx);
        let is_answer = self.query_state.take(reply);
        if is_answer {
            self.arrange(cx);
            self.land(cx);
        }
        if cx.in_front && (is_answer || matches!(reply, Reply::ViewChanged)) && self.query_state.is_behind(cx.view) {
            self.again(cx);
        }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        // A hidden pane makes its lines again when it becomes visible.
        if cx.in_front {
            self.arrange(cx);
        }
    }

    fn wants_text(&self) -> bool {
        self.is_asking() || self.is_writing()
    }

    fn on_text(&mut self, input: TextInput, cx: &mut UpdateContext<'_>) {
        if self.is_writing() && self.goto.is_none() {
            self.in_form(|form| form.take(input, cx));
        } else if let Some(saving) = &mut self.saving {
            saving.take(&input, |_| None);
        } else {
            self.type_date(&input, cx);
        }
    }

    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        self.writing.as_mut()?.form.keep_if_due(cx)
    }

    fn source(&mut self) -> Option<(&mut SourceColumn, Option<Cited>)> {
        Some((&mut self.source, self.lines.cited().cloned()))
    }

    fn forms(&mut self) -> Vec<&mut Composer> {
        let writing = self.writing.as_mut().filter(|writing| writing.is_worth_keeping());
        writing.into_iter().map(|writing| &mut writing.form).collect()
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.lines.go(motion);
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(form) = self.form().filter(|form| form.holds(mouse)) {
            return form.on_mouse(mouse);
        }
        match mouse.kind {
            MouseKind::Wheel(by) => self.go(Motion::Lines(by), cx),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }
}
