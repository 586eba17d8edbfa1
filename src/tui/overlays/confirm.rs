//! A question before something that is asked for is done.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    engine::{Request, Ticket},
    tui::{
        command::Command,
        cx::Cx,
        effect::Effect,
        look::Look,
        panes::Pane,
        theme::Role,
        widgets::{cells, styled::Styled},
    },
};

pub struct Confirm {
    question: String,
    yes: &'static str,
    ask: Option<(Ticket, Box<Request>)>,
}

impl Confirm {
    pub fn new(question: String, yes: &'static str, ticket: Ticket, request: Box<Request>) -> Self {
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
        let mut question = Styled::default();
        question.push(&self.question, Role::Text);
        let wide = (cells::text_width(&self.question).min(60) as u16 + 4).clamp(30, 60).min(area.width);
        let high = question.height(wide.saturating_sub(4)) as u16;
        let inside = super::popup(frame, area, look, Self::TITLE, wide, high + 4);
        let used =
            question.paint(frame.buffer_mut(), Rect { height: inside.height.min(high), ..inside }, look, Role::Text);
        let choice = Line::from(vec![
            Span::styled(look.key("confirm.yes"), look.style(Role::Key)),
            Span::raw(format!(" {}   ", self.yes)),
            Span::styled(look.key("confirm.no"), look.style(Role::Key)),
            Span::raw(" Cancel"),
        ]);
        frame.render_widget(choice, Rect { y: inside.y + used + 1, height: 1, ..inside }.intersection(inside));
    }
}
