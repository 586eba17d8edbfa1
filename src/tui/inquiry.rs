//! A question that takes thought, as a pane holds it: what was asked, over which index, and the newest answer.

use std::sync::{Arc, Weak};

use super::cx::Cx;
use crate::{
    engine::{Answer, Ask, Reply, Request, Ticket, View},
    index::Snapshot,
};

/// How far the answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stand<'a> {
    /// On its way, or the index is not open yet.
    Waiting,
    Known,
    /// In words.
    Failed(&'a str),
}

/// One question at a time. A newer one takes the place of the one before.
#[derive(Debug, Default)]
pub struct Inquiry {
    ticket: Option<Ticket>,
    answer: Option<Box<Answer>>,
    failed: Option<String>,
    /// What it was asked over. Held weakly: an old index is not kept for it.
    over: Weak<Snapshot>,
}

impl Inquiry {
    /// Asks something else: what is known does not fit it.
    pub fn ask(&mut self, ask: Ask, cx: &mut Cx<'_>) {
        self.answer = None;
        self.renew(ask, cx);
    }

    /// Asks the same again; what is known stays until the answer is here.
    pub fn renew(&mut self, ask: Ask, cx: &mut Cx<'_>) {
        self.failed = None;
        self.over = cx.view.snapshot.as_ref().map_or_else(Weak::new, Arc::downgrade);
        self.ticket = Some(cx.send(Request::Ask(ask)));
    }

    /// Whether it was asked over the index that is on screen.
    pub fn is_over(&self, view: &View) -> bool {
        view.snapshot.as_ref().is_some_and(|snapshot| Weak::ptr_eq(&self.over, &Arc::downgrade(snapshot)))
    }

    /// Whether nothing has come back: another pane's question may have taken the place of this one in the lane.
    pub fn is_waiting(&self) -> bool {
        self.ticket.is_some()
    }

    /// Whether the reply is to this question; it is kept.
    pub fn take(&mut self, reply: &Reply) -> bool {
        if reply.ticket().is_none() || reply.ticket() != self.ticket {
            return false;
        }
        match reply {
            Reply::Answer { answer, .. } => self.answer = Some(answer.clone()),
            Reply::Failed { error, .. } => {
                self.answer = None;
                self.failed = Some(error.to_string());
            }
            Reply::NotYet { .. } => {}
            _ => return false,
        }
        self.ticket = None;
        true
    }

    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_deref()
    }

    pub fn stand(&self) -> Stand<'_> {
        match (&self.answer, &self.failed) {
            (Some(_), _) => Stand::Known,
            (None, Some(error)) => Stand::Failed(error),
            (None, None) => Stand::Waiting,
        }
    }
}
