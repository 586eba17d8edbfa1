//! Where a line leads: to the entry that says so, and further back to what led there. What the person says of a link.

use jiff::civil;

use super::{
    Why, causes, paths,
    question_form::{Answered, Asked},
};
use crate::{
    index::graph::Judgement,
    insight::Evidence,
    journal::{EntityKind, RelationKind},
    session::{Curating, Reply, Request},
    tui::update_context::UpdateContext,
};

/// Where a line leads.
#[derive(Debug, Clone)]
pub enum Leads {
    Source(Evidence),
    Cause(Box<Lead>),
}

/// Somebody or something that leads somewhere.
#[derive(Debug, Clone)]
pub struct Lead {
    pub name: String,
    /// Where it is known: homonyms differ in it.
    pub kind: Option<EntityKind>,
    /// As what it leads there; `None` where nothing is stated that could be judged.
    pub relation: Option<RelationKind>,
    /// Where it leads, if not to the subject.
    pub into: Option<String>,
    /// Its first quote.
    pub quote: Option<Evidence>,
    /// The last day that bears it out: what led to it came before.
    pub until: Option<civil::Date>,
}

/// A question that was followed further back, as it was left.
#[derive(Debug)]
pub struct Left {
    pub asked: Asked,
    pub answered: Answered,
    pub line: usize,
}

impl Why {
    pub(super) fn cause(&self) -> Option<&Lead> {
        match self.lines.selected_or_above(|leads| matches!(leads, Leads::Cause(_)))? {
            Leads::Cause(lead) => Some(lead),
            Leads::Source(_) => None,
        }
    }

    pub(super) fn quote(&self) -> Option<&Evidence> {
        match self.lines.selected()? {
            Leads::Source(quote) => Some(quote),
            Leads::Cause(lead) => lead.quote.as_ref(),
        }
    }

    pub(super) fn open(&mut self, cx: &mut UpdateContext<'_>) {
        if let Some(quote) = self.quote() {
            cx.open_source(quote);
        }
    }

    /// Asks what led to the cause, in the time up to the last day that bears it out.
    pub(super) fn follow(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(Lead { name, until, .. }) = self.cause().cloned() else { return };
        let (Some(asked), Some(answered)) = (self.asked.clone(), self.answered.take()) else { return };
        let from = if let Asked::Why { from, .. } = &asked { *from } else { None };
        self.trail.push(Left { asked, answered, line: self.lines.line() });
        let to = until.or_else(|| Some(cx.now().date()));
        self.put(Asked::Why { text: name, label: None, from, to }, cx);
    }

    pub(super) fn judge(&mut self, judgement: Judgement, cx: &mut UpdateContext<'_>) {
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

    pub(super) fn take_back(&mut self, cx: &mut UpdateContext<'_>) {
        self.judging = Some(cx.send(Request::Uncurate));
    }

    /// What a judgement came to. The causes come anew with the view.
    pub(super) fn heard_of_names(&mut self, reply: &Reply, cx: &mut UpdateContext<'_>) {
        if self.judging.is_none() || reply.ticket() != self.judging {
            return;
        }
        self.judging = None;
        match reply {
            Reply::Curated { curated, .. } if curated.unchanged => cx.done("Nothing to change"),
            Reply::Curated { curated, .. } => cx.done(curated.said.clone()),
            Reply::Uncurated { said, .. } => cx.done(format!("Undid: {said}")),
            Reply::NotYet { .. } => cx.error("Still loading the journal, nothing changed"),
            _ => {}
        }
    }

    pub(super) fn go_back(&mut self, cx: &mut UpdateContext<'_>) {
        let Some(left) = self.trail.pop() else { return };
        self.query_state.stop(cx);
        self.query_state.forget();
        self.asked = Some(left.asked);
        self.show(left.answered, cx);
        self.lines.select(left.line);
    }

    pub(super) fn show(&mut self, answered: Answered, cx: &UpdateContext<'_>) {
        let today = cx.now().date();
        self.lines.set(match &answered {
            Answered::Why(why) => causes::lines(why, today),
            Answered::Between(connection) => paths::lines(connection, today),
        });
        self.answered = Some(answered);
    }
}
