//! Confirmation of an action.

use ratatui::{Frame, layout::Rect};

use crate::{
    session::{Request, Ticket},
    tui::{
        Command, Mouse, MouseKind, Pane, Pen, RenderContext, Role, Screen, Spots, Styled, UpdateContext, cells,
        effect::Effect,
    },
};

pub struct Confirm {
    question: String,
    yes: &'static str,
    ask: Option<(Ticket, Box<Request>)>,
    /// The inner area of the box at the last draw.
    inside: Rect,
    /// Hit areas of yes and no.
    spots: Spots<bool>,
}

impl Confirm {
    pub fn new(question: String, yes: &'static str, ticket: Ticket, request: Box<Request>) -> Self {
        Self { question, yes, ask: Some((ticket, request)), inside: Rect::default(), spots: Spots::default() }
    }

    fn agree(&mut self, cx: &mut UpdateContext<'_>) {
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
        Command::new("confirm.yes", &["y"], "Yes", Self::agree).hint("yes"),
        Command::new("confirm.no", &["n", "esc", "q"], "No", |_, cx| cx.close()).hint("no"),
    ];
}

impl Screen for Confirm {
    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        let question = Styled::of(&self.question, Role::Text);
        let wide = (cells::text_width(&self.question).min(60) as u16 + 4).clamp(30, 60).min(area.width);
        let high = question.height(wide.saturating_sub(4)) as u16;
        let inside = super::popup(frame, area, context, Self::TITLE, wide, high + 4);
        let used =
            question.paint(frame.buffer_mut(), Rect { height: inside.height.min(high), ..inside }, context, Role::Text);
        self.inside = inside;
        self.spots.clear();
        let row = Rect { y: inside.y + used + 1, height: 1, ..inside }.intersection(inside);
        let mut pen = Pen::new(row.x, row.y, if row.is_empty() { 0 } else { row.width });
        for (command, word, yes) in [("confirm.yes", self.yes, true), ("confirm.no", "Cancel", false)] {
            let x = pen.x;
            pen.say(frame, context, &context.key(command), Role::Key);
            pen.say(frame, context, &format!(" {word}"), Role::Text);
            self.spots.put(Rect { x, width: pen.x - x, ..row }, yes);
            pen.say(frame, context, "   ", Role::Text);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if mouse.kind != MouseKind::Click {
            return;
        }
        match self.spots.at(mouse.at) {
            Some(true) => self.agree(cx),
            Some(false) => cx.close(),
            None if !super::is_in_box(self.inside, mouse) => cx.close(),
            None => {}
        }
    }
}
