//! Layout of the Reflect pane.

use ratatui::{Frame, layout::Rect};

use super::{Reflect, Scale};
use crate::tui::{
    MEASURE, Pen, RenderContext, Role, Styled, below, cells, counted, inset, linked, notice, rule, split_bottom, styled,
};

/// Maximum width of the page in cells: section names and lines.
pub(super) const WIDEST: u16 = linked::LABEL + MEASURE + 2;
/// Below this height every line is needed for the page.
const LOWEST_WITH_INVITATION: u16 = 14;

impl Reflect {
    pub(super) fn draw_pane(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.draw_head(frame, Rect { height: area.height.min(1), ..area }, context);
        let mut body = below(area, 1);
        if context.view.entries == 0 && context.view.progress.is_none() && context.view.snapshot.is_some() {
            return draw_new(frame, below(body, 1), context);
        }
        if let Some(notice) = notice(&self.query_state, context, "Loading", Some("reflect.again")) {
            return show(frame, below(body, 1), &[notice], context);
        }
        let figures = Rect { height: body.height.min(2), ..inset(body, 1, 1) };
        let taken = self.figures.paint(frame.buffer_mut(), figures, context, Role::Dim);
        body = below(body, taken);
        if self.is_landed() && context.view.line(context.today()).is_none() {
            let mut line = Styled::of("Today is empty", Role::Text).and(": this is the newest day. ", Role::Dim);
            line.push(&context.key("reflect.today"), Role::Key).push(" shows today", Role::Dim);
            let room = Rect { height: body.height.min(2), ..inset(body, 1, 1) };
            let rows = line.paint(frame.buffer_mut(), room, context, Role::Dim);
            self.spots.put(Rect { height: rows, ..room }, "reflect.today");
            body = below(body, rows);
        }
        body = below(body, u16::from(area.height >= LOWEST_WITH_INVITATION));
        if area.height >= LOWEST_WITH_INVITATION && !self.is_writing() {
            let (page, foot) = split_bottom(body, 2);
            body = page;
            self.draw_invitation(frame, foot, context);
        }
        if self.lines.is_empty() {
            let (days, today) = (&context.view.days, context.today());
            let earlier = self.day.and_then(|day| self.scale.step(day, false, days, today));
            let what = if self.scale == Scale::Day { "day with entries" } else { self.scale.word() };
            let previous = format!("{}  previous {what}", context.key("reflect.previous"));
            let lines: Vec<String> = ["No entries here, and nothing similar in the past".to_owned(), String::new()]
                .into_iter()
                .chain(earlier.map(|_| previous))
                .chain([format!("{}  random day with entries", context.key("reflect.random"))])
                .collect();
            return say(frame, body, &lines, context, Role::Dim);
        }
        self.lines.draw(frame, body, context, true);
    }

    /// `◂ Friday 20 November 2026 ▸      day  week  month  year`.
    fn draw_head(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let (Some(day), false) = (self.day, area.is_empty()) else { return };
        let scales: u16 = Scale::ALL.iter().map(|scale| scale.word().len() as u16 + 2).sum();
        let title = self.scale.name(day);
        let all = usize::from(area.width) >= cells::text_width(&title) + 7 + usize::from(scales);
        let room = if all { area.width - scales } else { area.width };
        let mut pen = Pen::new(area.x + 1, area.y, room.saturating_sub(1));
        let buffer = frame.buffer_mut();
        let room = usize::from(pen.right.saturating_sub(pen.x)).saturating_sub(4);
        let title = cells::truncate(&title, room);
        for (text, role, command) in [
            ("◂ ", Role::Dim, "reflect.previous"),
            (&title, Role::Title, "reflect.goto"),
            (" ▸", Role::Dim, "reflect.next"),
        ] {
            let x = pen.x;
            pen.write(buffer, text, context.style(role));
            self.spots.put(Rect { x, width: pen.x - x, ..area }, command);
        }
        if !all {
            return;
        }
        let mut x = area.right() - scales;
        let commands = ["reflect.day", "reflect.week", "reflect.month", "reflect.year"];
        for (scale, command) in Scale::ALL.into_iter().zip(commands) {
            let role = if scale == self.scale { Role::Accent } else { Role::Dim };
            let cells = scale.word().len() as u16;
            let mut style = context.style(role);
            if scale == self.scale {
                style = style.underlined();
                if context.settings.is_plain {
                    Pen::new(x - 1, area.y, 1).say(frame, context, ">", Role::Text);
                }
            }
            Pen::new(x, area.y, cells).write(frame.buffer_mut(), scale.word(), style);
            self.spots.put(Rect { x, width: cells, ..area }, command);
            x += cells + 2;
        }
    }

    fn draw_invitation(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        rule(frame, area, context);
        self.spots.put(area, "reflect.write");
        let mut pen = Pen::new(area.x + 1, area.y + 1, area.width.saturating_sub(1));
        pen.say(frame, context, "› ", Role::Accent);
        pen.say(frame, context, &context.key("reflect.write"), Role::Key);
        if let Some(writing) = &self.writing {
            let left = format!("  continue your reflection ({})", counted(writing.form.words(), "word", "words"));
            pen.say(frame, context, &left, Role::Dim);
            return;
        }
        let what = if self.question().is_some() { "answer this question" } else { "write your reflection" };
        pen.say(frame, context, &format!("  {what}; it will be saved as a new entry tagged "), Role::Dim);
        pen.say(frame, context, &format!("#{}", super::TAG), Role::Tag);
    }
}

fn draw_new(frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
    let lines = [
        "No entries yet".to_owned(),
        String::new(),
        format!("{}  write the first entry", context.key("app.new")),
        "After a few days with entries this page sums them up, shows related earlier entries, and asks questions."
            .to_owned(),
    ];
    say(frame, area, &lines, context, Role::Text);
}

fn say(frame: &mut Frame<'_>, area: Rect, lines: &[String], context: &RenderContext<'_>, role: Role) {
    let lines: Vec<Styled> = lines.iter().map(|line| Styled::of(line, role)).collect();
    show(frame, area, &lines, context);
}

fn show(frame: &mut Frame<'_>, area: Rect, lines: &[Styled], context: &RenderContext<'_>) {
    styled::paint_all(lines, frame.buffer_mut(), inset(area, 2, 1), context);
}
