//! A question and the newest answer to it, which stays on screen while the same is asked again.

use std::sync::{Arc, Weak};

use super::{asking::Asking, cx::Cx};
use crate::{
    engine::{Answer, Ask, Reply, View},
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
    asking: Asking,
    answer: Option<Box<Answer>>,
    /// What it was asked over: words and meaning have a part in the answer, not the graph alone. Held weakly, so that an old
    /// index is not kept for it.
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
        self.over = cx.view.snapshot.as_ref().map_or_else(Weak::new, Arc::downgrade);
        self.asking.ask(ask, cx);
    }

    /// Whether it is to be asked again, now that the pane came to the front: another pane's question may have taken the
    /// place of this one in the lane.
    pub fn is_due(&self, view: &View) -> bool {
        self.asking.is_pending() || self.is_behind(view)
    }

    /// Whether the answer is from another index than the one on screen, or was not to be had yet. While one is on its way
    /// nothing is: a busy index would put off the answer for ever.
    pub fn is_behind(&self, view: &View) -> bool {
        let is_other = match &view.snapshot {
            Some(snapshot) => self.over.as_ptr() != Arc::as_ptr(snapshot),
            None => self.answer.is_none(),
        };
        is_other && !self.asking.is_pending()
    }

    /// Whether the reply changed what is known.
    pub fn take(&mut self, reply: &Reply) -> bool {
        if let Some(answer) = self.asking.take(reply) {
            self.answer = Some(Box::new(answer.clone()));
            return true;
        }
        self.asking.error().is_some() && self.answer.take().is_some()
    }

    pub fn answer(&self) -> Option<&Answer> {
        self.answer.as_deref()
    }

    pub fn stand(&self) -> Stand<'_> {
        match (&self.answer, self.asking.error()) {
            (Some(_), _) => Stand::Known,
            (None, Some(error)) => Stand::Failed(error),
            (None, None) => Stand::Waiting,
        }
    }
}
