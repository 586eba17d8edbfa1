//! What led to a feeling, a name, an entry; and what lies between two names. A cause can be followed further back.

mod causes;
mod commands;
mod paths;
mod screen;
#[cfg(test)]
mod tests;

use jiff::{ToSpan, civil};
use ratatui::{Frame, layout::Rect};

use super::Pane;
use crate::{
    engine::{Answer, Ask, Curating, Reply, Request, Ticket},
    index::graph::Judgement,
    insight::{self, Evidence, connect::Connection, why::Question},
    journal::{EntityKind, RelationKind},
    tui::{
        command::Command,
        cx::{Cx, Target},
        event::{Mouse, MouseKind, TextInput},
        inquiry::Inquiry,
        look::Look,
        widgets::{input::Input, linked::LinkedLines},
    },
};

/// Which days a question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Since {
    #[default]
    Always,
    Days(i32),
}

impl Since {
    fn next(self) -> Self {
        match self {
            Self::Always => Self::Days(365),
            Self::Days(365) => Self::Days(90),
            Self::Days(90) => Self::Days(30),
            Self::Days(_) => Self::Always,
        }
    }

    fn first_day(self, today: civil::Date) -> Option<civil::Date> {
        match self {
            Self::Always => None,
            Self::Days(days) => Some(today.saturating_sub((days - 1).days())),
        }
    }

    fn words(self) -> String {
        match self {
            Self::Always => "all days".to_owned(),
            Self::Days(days) => format!("last {days} days"),
        }
    }
}

/// What is asked.
#[derive(Debug, Clone, PartialEq)]
enum Asked {
    Why {
        text: String,
        /// What the screen calls it, where not by its text.
        label: Option<String>,
        from: Option<civil::Date>,
        to: Option<civil::Date>,
    },
    Between(String, String),
}

#[derive(Debug, Clone)]
enum Answered {
    Why(Box<insight::why::Why>),
    Between(Connection),
}

/// Where a line leads.
#[derive(Debug, Clone)]
enum Leads {
    Source(Evidence),
    Cause(Box<Lead>),
}

/// Somebody or something that leads somewhere.
#[derive(Debug, Clone)]
struct Lead {
    name: String,
    /// Where it is known: homonyms differ in it.
    kind: Option<EntityKind>,
    /// As what it leads there; `None` where nothing is stated that could be judged.
    relation: Option<RelationKind>,
    /// Where it leads, if not to the subject.
    into: Option<String>,
    /// Its first quote.
    quote: Option<Evidence>,
    /// The last day that bears it out: what led to it came before.
    until: Option<civil::Date>,
}

/// A question that was followed further back, as it was left.
#[derive(Debug)]
struct Left {
    asked: Asked,
    answered: Answered,
    line: usize,
}

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
    inquiry: Inquiry,
    answered: Option<Answered>,
    trail: Vec<Left>,
    lines: LinkedLines<Leads>,
    /// A judgement that was sent, or taken back.
    judging: Option<Ticket>,
    /// The shared query last taken as the question.
    query: String,
    /// In front.
    shown: bool,
    lines_area: Rect,
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

    fn is_thinking(&self) -> bool {
        self.is_reading() && self.trail.is_empty() && self.inquiry.is_running()
    }

    fn is_between(&self) -> bool {
        self.other.is_some()
    }
}

// Asking.
impl Why {
    /// Asks what is typed, from the beginning.
    fn ask_typed(&mut self, cx: &mut Cx<'_>) {
        let text = self.input.text().trim().to_owned();
        if let Some(other) = &self.other {
            let other = other.text().trim().to_owned();
            match (text.is_empty(), other.is_empty()) {
                (false, false) => self.begin(Asked::Between(text, other), cx),
                (is_missing, _) => self.in_other = !is_missing,
            }
        } else if !text.is_empty() {
            self.begin(self.question(text), cx);
        }
    }

    fn question(&self, text: String) -> Asked {
        Asked::Why { text, label: None, from: None, to: None }
    }

    fn begin(&mut self, asked: Asked, cx: &mut Cx<'_>) {
        self.trail.clear();
        self.answered = None;
        self.typing = false;
        self.put(asked, cx);
    }

    /// Asks; what is on screen stays until the answer comes only where it answers the same.
    fn put(&mut self, mut asked: Asked, cx: &mut Cx<'_>) {
        let now = cx.now();
        if let Asked::Why { from, to: None, .. } = &mut asked {
            *from = self.since.first_day(cx.seen_from());
        }
        if self.asked.as_ref() != Some(&asked) {
            self.lines = LinkedLines::default();
        }
        let ask = match asked.clone() {
            Asked::Why { text, from, to, .. } => Ask::Why(Question { text, from, to, now }),
            Asked::Between(from, to) => Ask::Connect { from, to },
        };
        self.asked = Some(asked);
        self.inquiry.ask(ask, cx);
    }

    /// Another kind of question: the answer before it would be read as its own.
    fn ask_nothing(&mut self, cx: &mut Cx<'_>) {
        self.trail.clear();
        self.inquiry.stop(cx);
        self.inquiry.forget();
        (self.asked, self.answered) = (None, None);
        self.lines = LinkedLines::default();
    }

    fn again(&mut self, cx: &mut Cx<'_>) {
        if let Some(asked) = self.asked.clone() {
            self.put(asked, cx);
        }
    }

    /// An entry is asked about by its name, and called by its time.
    fn ask_about(&mut self, text: &str, cx: &mut Cx<'_>) {
        let known = cx.view.snapshot.as_ref().and_then(|snapshot| snapshot.catalog.by_id(&text.into()));
        let entry = known.map(|entry| entry.time.local().strftime("the entry of %-d %B %Y, %H:%M").to_string());
        let day = text.trim().parse::<civil::Date>().ok().map(|day| day.strftime("%-d %B %Y").to_string());
        let label = entry.or(day);
        self.other = None;
        self.input.set(if label.is_some() { "" } else { text });
        self.begin(Asked::Why { text: text.to_owned(), label, from: None, to: None }, cx);
    }

    /// The query that all panes share is the question, once.
    fn take_query(&mut self, cx: &mut Cx<'_>) {
        if cx.query.is_on() && cx.query.text() != self.query {
            self.query = cx.query.text().to_owned();
            let text = self.query.clone();
            self.ask_about(text.trim(), cx);
        }
    }

    fn next_period(&mut self, cx: &mut Cx<'_>) {
        self.since = self.since.next();
        self.trail.clear();
        if let Some(Asked::Why { text, label, .. }) = self.asked.clone() {
            self.put(Asked::Why { text, label, from: None, to: None }, cx);
        }
    }

    fn toggle_between(&mut self, cx: &mut Cx<'_>) {
        self.other = if self.other.is_some() { None } else { Some(Input::default()) };
        // A question is no name, but what it is about is one.
        if let (Some(Asked::Why { label: None, .. }), Some(Answered::Why(why))) = (&self.asked, &self.answered) {
            self.input.set(&why.target);
        }
        self.ask_nothing(cx);
        self.in_other = self.other.is_some() && !self.input.is_empty();
        self.typing = true;
    }

    fn swap_field(&mut self, _: &mut Cx<'_>) {
        self.typing = true;
        self.in_other = !self.in_other;
    }
}

// Going about.
impl Why {
    fn cause(&self) -> Option<&Lead> {
        match self.lines.selected_or_above(|leads| matches!(leads, Leads::Cause(_)))? {
            Leads::Cause(lead) => Some(lead),
            Leads::Source(_) => None,
        }
    }

    fn quote(&self) -> Option<&Evidence> {
        match self.lines.selected()? {
            Leads::Source(quote) => Some(quote),
            Leads::Cause(lead) => lead.quote.as_ref(),
        }
    }

    fn open(&mut self, cx: &mut Cx<'_>) {
        if let Some(quote) = self.quote() {
            cx.open_source(quote);
        }
    }

    /// Asks what led to the cause, in the time up to the last day that bears it out.
    fn follow(&mut self, cx: &mut Cx<'_>) {
        let Some(Lead { name, until, .. }) = self.cause().cloned() else { return };
        let (Some(asked), Some(answered)) = (self.asked.clone(), self.answered.take()) else { return };
        let from = if let Asked::Why { from, .. } = &asked { *from } else { None };
        self.trail.push(Left { asked, answered, line: self.lines.line() });
        let to = until.or_else(|| Some(cx.now().date()));
        self.put(Asked::Why { text: name, label: None, from, to }, cx);
    }

    fn judge(&mut self, judgement: Judgement, cx: &mut Cx<'_>) {
        let Some(Lead { name, kind, relation: Some(relation), into, .. }) = self.cause().cloned() else { return };
        let subject = match &self.answered {
            Some(Answered::Why(why)) => Some(why.target.clone()),
            _ => None,
        };
        let Some(target) = into.or(subject) else { return };
        let source = kind.map_or_else(|| name.clone(), |kind| format!("{name} ({})", kind.word()));
        let kind = relation;
        let curating = Curating::Judge { source, kind, target, entry: None, judgement };
        self.judging = Some(cx.send(Request::Curate(curating)));
    }

    fn take_back(&mut self, cx: &mut Cx<'_>) {
        self.judging = Some(cx.send(Request::Uncurate));
    }

    /// What a judgement came to. The causes come anew with the view.
    fn heard_of_names(&mut self, reply: &Reply, cx: &mut Cx<'_>) {
        if self.judging.is_none() || reply.ticket() != self.judging {
            return;
        }
        self.judging = None;
        match reply {
            Reply::Curated { curated, .. } if curated.unchanged => cx.done("That is how it is already"),
            Reply::Curated { curated, .. } => cx.done(curated.said.clone()),
            Reply::Uncurated { said, .. } => cx.done(format!("Taken back: {said}")),
            Reply::NotYet { .. } => cx.error("Nothing is changed: the journal is still being read"),
            _ => {}
        }
    }

    fn go_back(&mut self, cx: &mut Cx<'_>) {
        let Some(left) = self.trail.pop() else { return };
        self.inquiry.stop(cx);
        self.inquiry.forget();
        self.asked = Some(left.asked);
        self.show(left.answered, cx);
        self.lines.select(left.line);
    }

    fn show(&mut self, answered: Answered, cx: &Cx<'_>) {
        let today = cx.now().date();
        self.lines.set(match &answered {
            Answered::Why(why) => causes::lines(why, today),
            Answered::Between(connection) => paths::lines(connection, today),
        });
        self.answered = Some(answered);
    }

    fn field(&mut self) -> &mut Input {
        match &mut self.other {
            Some(other) if self.in_other => other,
            _ => &mut self.input,
        }
    }
}

impl Pane for Why {
    const NAME: &'static str = "why";
    const TITLE: &'static str = "Why";
    const COMMANDS: &'static [Command<Self>] = commands::COMMANDS;

    fn on_show(&mut self, cx: &mut Cx<'_>) {
        self.shown = true;
        if cx.opening {
            // Whoever opens it has another question than the query.
            cx.query.text().clone_into(&mut self.query);
            return;
        }
        self.take_query(cx);
        if self.asked.is_none() {
            self.typing = true;
        } else if self.inquiry.is_due(cx.view) {
            self.again(cx);
        }
    }

    fn on_hide(&mut self) {
        self.shown = false;
    }

    fn on_open(&mut self, target: &Target, cx: &mut Cx<'_>) {
        let Some(text) = &target.text else { return };
        let Some(other) = &target.other else { return self.ask_about(text, cx) };
        self.ask_nothing(cx);
        self.input.set(text);
        let mut field = Input::default();
        field.set(other);
        self.other = Some(field);
        (self.in_other, self.typing) = (true, true);
        if !other.is_empty() {
            self.ask_typed(cx);
        }
    }

    fn on_query(&mut self, cx: &mut Cx<'_>) {
        if !cx.query.is_on() {
            self.query.clear();
        } else if self.shown {
            self.take_query(cx);
        }
    }

    fn on_reply(&mut self, reply: &Reply, cx: &mut Cx<'_>) {
        self.heard_of_names(reply, cx);
        let is_answer = self.inquiry.take(reply);
        match self.inquiry.answer().filter(|_| is_answer) {
            Some(Answer::Why(why)) => self.show(Answered::Why(Box::new(why.clone())), cx),
            Some(Answer::Connect(connection)) => self.show(Answered::Between(connection.clone()), cx),
            _ => {}
        }
        if self.shown && (is_answer || matches!(reply, Reply::ViewChanged)) && self.inquiry.is_behind(cx.view) {
            self.again(cx);
        }
    }

    fn wants_text(&self) -> bool {
        self.typing
    }

    fn on_text(&mut self, input: TextInput, _: &mut Cx<'_>) {
        self.typing |= matches!(input, TextInput::Pasted(_));
        if self.typing {
            self.field().take(&input);
        }
    }

    fn on_mouse(&mut self, mouse: Mouse, cx: &mut Cx<'_>) {
        match mouse.kind {
            MouseKind::WheelDown => self.lines.step(1),
            MouseKind::WheelUp => self.lines.step(-1),
            MouseKind::Click if mouse.row < self.lines_area.y => self.typing = true,
            MouseKind::Click => {
                // The click that leaves the field opens nothing yet.
                let was_typing = std::mem::replace(&mut self.typing, false);
                if self.lines.click(mouse.column, mouse.row) && !was_typing {
                    self.open(cx);
                }
            }
            MouseKind::Drag => {}
        }
    }

    fn draw(&mut self, frame: &mut Frame<'_>, area: Rect, look: &Look<'_>) {
        self.paint(frame, area, look);
    }
}
