//! A question before something that is asked for is done.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::{Paragraph, Wrap},
};

use crate::{
    engine::{Request, Ticket},
    tui::{command::Command, cx::Cx, effect::Effect, look::Look, panes::Pane, theme::Role, widgets::width},
};

pub struct Confirm {
    question: String,
    yes: &'static str,
    ask: Option<(Ticket, Request)>,
}

impl Confirm {
    pub fn new(question: String, yes: &'static str, ticket: Ticket, request: Request) -> Self {
        Self { question, yes, ask: Some((ticket, request)) }
    }

    fn agree(&mut self, cx: &mut Cx<'_>) {
        if let Some((ticket, request)) = self.ask.take() {
            cx.out.effects.push(Effect::Send { ticket, request });
        }
        cx.close();
    }
}

impl Pane for Confirm {
    const NAME: &'static str = "confirm";
    const TITLE: &'static str = "Sure?";
    const COMMANDS: &'static [Command<Self>] = &[
        Command::new("confirm.yes", &["y", "enter"], "Yes, do it", Self::agree).hint("yes"),
        Command::new("confirm.no", &["n", "esc", "q"], "No, leave it", |_, cx| cx.close()).hint("no"),
    ];

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        let wide = (width::cells(&self.question) as u16 + 4).clamp(30, 60);
        let lines = (width::cells(&self.question) as u16).div_ceil(wide - 4);
        let inside = super::popup(frame, area, look, Self::TITLE, wide, lines + 5);
        let choice = Line::from(vec![
            Span::styled(look.key("confirm.yes"), look.style(Role::Key)),
            Span::raw(format!(" {}   ", self.yes)),
            Span::styled(look.key("confirm.no"), look.style(Role::Key)),
            Span::raw(" Cancel"),
        ]);
        let text = vec![Line::raw(self.question.as_str()), Line::raw(""), choice];
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), inside);
    }
}
