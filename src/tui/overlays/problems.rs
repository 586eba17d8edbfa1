//! What could not be read or followed: files of the journal, lines of the configuration. Counted, never hidden.

use jiff::civil;
use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::tui::{
    command::Command,
    cx::{Cx, Target},
    event::{Mouse, MouseKind},
    look::Look,
    panes::Pane,
    theme::Role,
    widgets::{list::ListState, width},
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// `2026-02-22.md:12`, or `config`.
    pub place: String,
    pub message: String,
    pub day: Option<civil::Date>,
}

pub struct Problems {
    problems: Vec<Problem>,
    list: ListState,
}

impl Problems {
    pub fn new(problems: Vec<Problem>) -> Self {
        Self { problems, list: ListState::default() }
    }

    fn day(&self) -> Option<civil::Date> {
        self.problems.get(self.list.selected())?.day
    }

    fn open(&mut self, cx: &mut Cx<'_>) {
        cx.close();
        cx.open(Target { pane: "journal", day: self.day(), ..Target::default() });
    }
}

impl Pane for Problems {
    const NAME: &'static str = "problems";
    const TITLE: &'static str = "Problems";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("problems.open", &["enter"], "Open the day in the journal", Self::open)
            .when(|problems: &Self| problems.day().is_some())
            .hint("open the day"),
        Command::new("problems.down", &["j", "down"], "Next", |p: &mut Self, _| p.list.step(1, p.problems.len()))
            .hint("next"),
        Command::new("problems.up", &["k", "up"], "Previous", |p: &mut Self, _| p.list.step(-1, p.problems.len())),
        Command::new("problems.close", &["esc", "q", "!"], "Close", |_, cx| cx.close()).hint("close"),
    ];

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let height = (self.problems.len() as u16 * 2).max(1) + 2;
        let inside = super::popup(frame, area, look, Self::TITLE, 96, height);
        if self.problems.is_empty() {
            frame.render_widget(Line::styled("Everything could be read.", look.style(Role::Ok)), inside);
            return;
        }
        let visible = self.list.visible(self.problems.len(), usize::from(inside.height), |_| 2);
        for (nth, row) in visible.enumerate() {
            let problem = &self.problems[row];
            let area = Rect { y: inside.y + nth as u16 * 2, height: 2, ..inside }.intersection(inside);
            let place = Span::styled(problem.place.as_str(), look.style(Role::Warn));
            let message = width::fit(&problem.message, usize::from(area.width.saturating_sub(2)));
            frame.render_widget(
                ratatui::text::Text::from(vec![Line::from(place), Line::raw(format!("  {message}"))]),
                area,
            );
            if row == self.list.selected() {
                frame.buffer_mut().set_style(area, look.style(Role::Selected));
            }
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, _: &mut Cx<'_>) {
        match mouse.kind {
            MouseKind::WheelUp => self.list.step(-1, self.problems.len()),
            MouseKind::WheelDown => self.list.step(1, self.problems.len()),
            _ => {}
        }
    }
}
