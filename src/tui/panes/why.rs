//! What led to a feeling, a name, an entry; and what lies between two names. A cause can be followed further back.

mod causes;
mod commands;
mod following;
mod paths;
mod pointing;
mod question_form;
mod screen;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;

use std::time::Duration;

use ratatui::{Frame, layout::Rect};

use self::{
    following::{Lead, Leads, Left},
    pointing::HitArea,
    question_form::{Answered, Asked, Since},
};
use super::{Pane, Screen};
use crate::{
    session::{Answer, Reply, Ticket},
    tui::{
        command::Command,
        event::{Mouse, TextInput},
        pending::AsyncQuery,
        render_context::RenderContext,
        source::{Cited, Source},
        update_context::{Target, UpdateContext},
        widgets::{input::Input, linked::LinkedLines, list::Motion, spots::Spots},
    },
};

/// State of the pane: what is asked, and the questions it came from.
#[derive(Default)]
pub struct Why {
    input: Input,
    /// The second name, where paths between two are looked for.
    other: Option<Input>,
    /// The second field has the caret.
    in_other: bool,
    typing: bool,
    since: Since,
    asked: Option<Asked>,
    query_state: AsyncQuery,
    answered: Option<Answered>,
    trail: Vec<Left>,
    lines: LinkedLines<Leads>,
    /// A judgement that was sent, or taken back.
    judging: Option<Ticket>,
    /// The shared query last taken as the question.
    query: String,
    /// In front.
    shown: bool,
    /// The entry that the selected line comes from.
    source: Source,
    /// The pane it was asked from: Esc goes back there.
    opened_from: Option<&'static str>,
    spots: Spots<HitArea>,
}

// Conditions.
impl Why {
    fn is_reading(&self) -> bool {
        !self.typing
    }

    fn opens(&self) -> bool {
        self.is_reading() && self.quote().is_some()
    }

    fn follows(&self) -> bool {
        self.is_reading() && self.cause().is_some()
    }

    fn returns(&self) -> bool {
        self.is_reading() && !self.trail.is_empty()
    }

    /// Whether there is a relation of names to judge: what leads to an entry or a day as a whole is none.
    fn judges(&self) -> bool {
        let is_of_names = matches!(&self.asked, Some(Asked::Why { label: None, .. }));
        let judged = |lead: &Lead| lead.relation.is_some() && (lead.into.is_some() || is_of_names);
        self.is_reading() && self.cause().is_some_and(judged)
    }

    /// Whether Esc goes back to the pane that it was asked from.
    fn goes_back(&self) -> bool {
        self.is_reading() && self.trail.is_empty() && self.opened_from.is_some()
    }

    fn is_thinking(&self) -> bool {
        self.is_reading() && self.trail.is_empty() && self.query_state.is_running()
    }

    fn is_between(&self) -> bool {
        self.other.is_some()
    }
}

impl Pane for Why {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Why";
    const COMMANDS: &'static [Command<Self>] = commands::COMMANDS;
}

impl Screen for Why {
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        self.shown = true;
        if cx.opening {
            // Whoever opens it has another question than the query.
            cx.query.text().clone_into(&mut self.query);
            return;
        }
        self.take_query(cx);
        if self.asked.is_none() {
            self.typing = true;
        } else if self.query_state.is_due(cx.view) {
            self.again(cx);
        }
    }

    fn on_hide(&mut self) {
        self.shown = false;
        self.opened_from = None;
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        let Some(text) = &target.text else { return };
        self.opened_from = target.from;
        let Some(other) = &target.other else { return self.ask_about(text, cx) };
        self.ask_nothing(cx);
        self.input.set(text);
        let mut field = Input::default();
        field.set(other);
        self.other = Some(field);
        self.enter_field(true);
        if !other.is_empty() {
            self.ask_typed(cx);
        }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        if !cx.query.is_on() {
            self.query.clear();
        } else if self.shown {
            self.take_query(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        self.heard_of_names(reply, cx);
        self.source.take(reply);
        let is_answer = self.query_state.take(reply);
        match self.query_state.answer().filter(|_| is_answer) {
            Some(Answer::Why(why)) => self.show(Answered::Why(Box::new(why.clone())), cx),
            Some(Answer::Connect(connection)) => self.show(Answered::Between(connection.clone()), cx),
            _ => {}
        }
        if self.shown && (is_answer || matches!(reply, Reply::ViewChanged)) && self.query_state.is_behind(cx.view) {
            self.again(cx);
        }
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.lines.go(motion);
    }

    fn on_tick(&mut self, cx: &mut UpdateContext<'_>) -> Option<Duration> {
        if self.shown {
            self.source.turn_to(self.quote().map(Cited::from), cx);
        }
        None
    }

    fn wants_text(&self) -> bool {
        self.typing
    }

    fn on_text(&mut self, input: TextInput, _: &mut UpdateContext<'_>) {
        self.typing |= matches!(input, TextInput::Pasted(_));
        if self.typing {
            self.field().take(&input);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        self.point(mouse, cx);
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.paint(frame, area, context);
    }
}
