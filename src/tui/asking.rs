//! A question to the engine, and how far its answer is.

use std::sync::{Arc, Weak};

use super::cx::Cx;
use crate::{
    engine::{Answer, Ask, Reply, Request, Ticket, View},
    index::graph::GraphView,
};

/// What a pane waits for. The answers' lane is shared by all panes and the newest question wins, so a pane that comes to the
/// front asks again what it still waits for.
#[derive(Debug, Default)]
pub struct Asking {
    ticket: Option<Ticket>,
    /// The index is not open: the answer comes when the view changes.
    is_early: bool,
    error: Option<String>,
    /// The graph that the question was put to.
    seen: Option<Weak<GraphView>>,
    was_asked: bool,
}

impl Asking {
    pub fn ask(&mut self, ask: Ask, cx: &mut Cx<'_>) {
        let seen = cx.view.snapshot.as_ref().map(|snapshot| Arc::downgrade(&snapshot.graph));
        let ticket = Some(cx.send(Request::Ask(ask)));
        *self = Self { ticket, is_early: false, error: None, seen, was_asked: true };
    }

    /// The answer, where this reply is the one.
    pub fn take<'r>(&mut self, reply: &'r Reply) -> Option<&'r Answer> {
        if reply.ticket().is_none() || reply.ticket() != self.ticket {
            return None;
        }
        self.ticket = None;
        match reply {
            Reply::Answer { answer, .. } => return Some(answer),
            Reply::NotYet { .. } => self.is_early = true,
            Reply::Failed { error, .. } => self.error = Some(error.to_string()),
            _ => {}
        }
        None
    }

    /// Nothing is to come any more.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Whether the engine has the question.
    pub fn is_pending(&self) -> bool {
        self.ticket.is_some()
    }

    pub fn is_waiting(&self) -> bool {
        self.ticket.is_some() || self.is_early
    }

    /// Whether it was asked, and by now would be answered from something else, or never was answered.
    pub fn is_due(&self, view: &View) -> bool {
        let now = view.snapshot.as_ref().map(|snapshot| Arc::as_ptr(&snapshot.graph));
        let is_same = match (&self.seen, now) {
            (Some(seen), Some(now)) => seen.as_ptr() == now,
            (seen, now) => seen.is_none() && now.is_none(),
        };
        self.was_asked && !is_same
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }
}
