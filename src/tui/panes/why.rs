//! The Why pane: causes of a feeling, a name or an entry, and chains between two names. A cause can be followed back
//! to its own causes.

mod causes;
mod commands;
mod question_form;
mod screen;
#[cfg(test)]
mod source_tests;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use jiff::civil;
use ratatui::{Frame, layout::Rect};

use self::{question_form::WhyQuery, screen::EXAMPLES};
use crate::{
    index::graph::Judgement,
    journal::{EntityKind, RelationKind},
    session::{Answer, Curating, Reply, Request, Response, Ticket},
    tui::{
        AsyncQuery, Cited, History, Input, LinkedLines, Motion, Mouse, MouseKind, RenderContext, Screen, SourceColumn,
        Spots, Target, TextInput, UpdateContext,
    },
};

/// State of the pane: the question, and the questions it was followed from.
#[derive(Default)]
pub struct Why {
    input: Input,
    /// The second name, for chains between two names.
    other: Option<Input>,
    /// The second field has the caret.
    in_other: bool,
    typing: bool,
    /// The number of the last days that it is about; `None` for all.
    since: Option<i32>,
    asked: Option<WhyQuery>,
    query_state: AsyncQuery,
    trail: History<Left>,
    /// Causes that are shown with all their quotes.
    unfolded: Vec<String>,
    lines: LinkedLines<Lead>,
    /// A verdict that was sent.
    judging: Option<Ticket>,
    /// The shared query that was last used as the question.
    query: String,
    /// The entry that the selected line comes from.
    source: SourceColumn,
    /// Another pane opened it: Esc goes back there.
    is_visit: bool,
    spots: Spots<HitArea>,
}

// Conditions.
impl Why {
    fn is_reading(&self) -> bool {
        !self.typing
    }

    fn opens(&self) -> bool {
        self.is_reading() && (self.lines.is_on_link())
    }

    fn follows(&self) -> bool {
        self.is_reading() && self.cause().is_some()
    }

    fn returns(&self) -> bool {
        self.is_reading() && (self.trail.has(false) || !self.unfolded.is_empty())
    }

    /// Whether the selected relation can be accepted or rejected: causes of an entry or a day as a whole cannot.
    fn judges(&self) -> bool {
        let is_of_names = matches!(&self.asked, Some(WhyQuery::Why { label: None, .. }));
        let subject = || matches!(self.query_state.known(), Some(Answer::Why(why)) if why.subject.is_some());
        let judged = |lead: &Lead| lead.relation.is_some() && (lead.into.is_some() || is_of_names && subject());
        self.is_reading() && self.cause().is_some_and(judged)
    }

    fn is_thinking(&self) -> bool {
        self.is_reading() && !self.trail.has(false) && self.query_state.is_running()
    }

    fn is_between(&self) -> bool {
        self.other.is_some()
    }
}

impl Screen for Why {
    fn on_show(&mut self, cx: &mut UpdateContext<'_>) {
        if cx.opening {
            // A question from another pane takes precedence over the query.
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

    fn has_trail(&self, forward: bool) -> bool {
        self.trail.has(forward)
    }

    fn step(&mut self, forward: bool, cx: &mut UpdateContext<'_>) {
        let here = self.left();
        let Some(left) = self.trail.step(forward, here) else { return };
        self.query_state.stop(cx);
        self.query_state.forget();
        self.unfolded = left.unfolded;
        match left.answered {
            Some(answered) => {
                self.asked = Some(left.asked);
                self.query_state.put(answered);
                self.set_lines(cx);
                self.lines.select(left.line);
            }
            None => self.put(left.asked, cx),
        }
    }

    fn forget_ahead(&mut self) {
        self.trail.leave(None);
    }

    fn on_hide(&mut self) {
        self.is_visit = false;
    }

    fn on_open(&mut self, target: &Target, cx: &mut UpdateContext<'_>) {
        let Some(text) = &target.text else { return };
        self.is_visit = target.visit;
        let place = self.place();
        if (&place.text, &place.other) == (&target.text, &target.other) {
            if self.query_state.is_due(cx.view) {
                self.again(cx);
            }
            return;
        }
        let Some(other) = &target.other else {
            self.since = None;
            return self.ask_about(text, cx);
        };
        self.ask_nothing(cx);
        self.input.set(text);
        self.other = Some(Input::of(other));
        self.enter_field(true);
        if !other.is_empty() {
            self.ask_typed(cx);
        }
    }

    fn place(&self) -> Target {
        let (text, other) = match &self.asked {
            Some(WhyQuery::Why { text, .. }) => (Some(text.clone()), None),
            Some(WhyQuery::Between(one, other)) => (Some(one.clone()), Some(other.clone())),
            None => (None, None),
        };
        Target { text, other, visit: self.is_visit, ..Target::default() }
    }

    fn on_query(&mut self, cx: &mut UpdateContext<'_>) {
        if !cx.query.is_on() {
            self.query.clear();
        } else if cx.in_front {
            self.take_query(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        self.heard_of_names(reply, cx);
        let is_answer = self.query_state.take(reply);
        if is_answer {
            self.set_lines(cx);
        }
        if cx.in_front && (is_answer || matches!(reply, Reply::ViewChanged)) && self.query_state.is_behind(cx.view) {
            self.again(cx);
        }
    }

    fn go(&mut self, motion: Motion, _: &mut UpdateContext<'_>) {
        self.lines.go(motion);
    }

    fn source(&mut self) -> Option<(&mut SourceColumn, Option<Cited>)> {
        Some((&mut self.source, self.lines.cited().cloned()))
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
        match mouse.kind {
            MouseKind::Wheel(by) => self.lines.go(Motion::Lines(by)),
            MouseKind::Click => self.click(mouse, cx),
            MouseKind::Drag => {}
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, context: &RenderContext<'_>) {
        self.paint(frame, area, context);
    }
}

/// A cause that can be followed or judged.
#[derive(Debug, Clone, Default)]
pub struct Lead {
    pub name: String,
    /// The name of the journal that can be judged as the cause, where it is another one.
    pub entity: Option<String>,
    /// If known: homonyms differ in it.
    pub kind: Option<EntityKind>,
    /// The kind of the relation; `None` where there is no relation to judge.
    pub relation: Option<RelationKind>,
    /// The effect, if it is not the subject of the question.
    pub into: Option<String>,
    /// The last day with evidence: its own causes must be earlier.
    pub until: Option<civil::Date>,
    /// It has more quotes than are on screen.
    pub is_folded: bool,
}

/// A question that was left by following a cause, or by going back.
#[derive(Debug)]
pub struct Left {
    pub asked: WhyQuery,
    pub answered: Option<Arc<Answer>>,
    pub unfolded: Vec<String>,
    pub line: usize,
}

/// Hit areas besides lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HitArea {
    Field,
    /// The field of the second name.
    Other,
    Period,
    /// The link back to the question that a cause was followed from.
    Back,
    /// One of [`EXAMPLES`].
    Example(usize),
}

impl Why {
    fn cause(&self) -> Option<&Lead> {
        self.lines.selected_or_above()
    }

    fn open(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(cited) = self.lines.cited() {
            cited.open(cx);
        } else if let Some(Lead { name, .. }) = self.cause().cloned() {
            // A word nearest to one that is not in the journal.
            self.ask_about(&name, cx);
        }
    }

    /// Asks for the causes of the selected cause, up to the last day with evidence of it.
    fn follow(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(Lead { name, until, is_folded, .. }) = self.cause().cloned() else { return };
        if is_folded {
            self.unfolded.push(name);
            return self.set_lines(cx);
        }
        let Some(left) = self.left() else { return };
        // The days that the question itself names hold for the causes of its causes, too.
        let own = self.own_days(cx.view).map(|period| period.from);
        let from = own.or(if let WhyQuery::Why { from, .. } = &left.asked { *from } else { None });
        self.trail.leave([left]);
        self.unfolded.clear();
        let to = until.or_else(|| Some(cx.now().date()));
        self.put(WhyQuery::Why { text: name, label: None, from, to }, cx);
    }

    fn judge(&mut self, judgement: Judgement, cx: &mut UpdateContext<'_>) {
        let Some(Lead { name, entity, kind, relation: Some(relation), into, .. }) = self.cause().cloned() else {
            return;
        };
        let name = entity.unwrap_or(name);
        let subject = match self.query_state.known() {
            Some(Answer::Why(why)) => why.subject.clone(),
            _ => None,
        };
        let Some(target) = into.or(subject) else { return };
        let source = kind.map_or_else(|| name.clone(), |kind| format!("{name} ({})", kind.word()));
        let kind = relation;
        let curating = Curating::Judge { source, kind, target, entry: None, judgement };
        self.judging = Some(cx.send(Request::Curate(curating)));
    }

    /// Handles the result of a verdict. The causes are loaded again with the next view.
    fn heard_of_names(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        match reply.settles(&mut self.judging) {
            Some(Response::Curated(curated)) if curated.unchanged => cx.done("Nothing to change"),
            Some(Response::Curated(curated)) => cx.done(format!("{} · u undo", curated.said)),
            Some(Response::NotYet) => cx.error("Still loading the journal, nothing changed"),
            _ => {}
        }
    }

    fn go_back(&mut self, cx: &mut UpdateContext<'_>) {
        if !self.unfolded.is_empty() {
            let cause = self.cause().map(|lead| lead.name.clone());
            self.unfolded.clear();
            self.set_lines(cx);
            return self.lines.select_where(|lead| Some(&lead.name) == cause.as_ref());
        }
        self.step(false, cx);
    }

    /// The question on screen, as it would be left.
    fn left(&self) -> Option<Left> {
        let (asked, answered) = (self.asked.clone()?, self.query_state.answer().cloned());
        Some(Left { asked, answered, unfolded: self.unfolded.clone(), line: self.lines.line() })
    }

    fn set_lines(&mut self, cx: &UpdateContext<'_>) {
        let today = cx.now().date();
        self.lines.set(match self.query_state.known() {
            Some(Answer::Why(why)) => causes::lines(why, &self.unfolded, today),
            Some(Answer::Connect(connection)) => causes::paths(connection, today),
            _ => Vec::new(),
        });
    }

    fn click(&mut self, mouse: Mouse, cx: &mut UpdateContext<'_>) {
        if let Some(spot) = self.spots.at(mouse.at).copied() {
            return self.press(spot, cx);
        }
        // The click that leaves the field opens nothing.
        let was_typing = std::mem::replace(&mut self.typing, false);
        if self.lines.click(mouse) && !was_typing {
            self.open(cx);
        }
    }

    fn press(&mut self, spot: HitArea, cx: &mut UpdateContext<'_>) {
        match spot {
            HitArea::Field => self.enter_field(false),
            HitArea::Other => self.enter_field(true),
            HitArea::Period => self.next_period(cx),
            HitArea::Back => self.go_back(cx),
            HitArea::Example(nth) => {
                if let Some((example, _)) = EXAMPLES.get(nth) {
                    self.ask_about(example, cx);
                }
            }
        }
    }
}
