//! Async query state: a request to the session and the newest answer to it, which stays while the same is asked again.
//!
//! The one such type: panes, overlays and the query that all panes share keep their answers in it.

use std::sync::{Arc, Weak};

use crate::{
    index::{Catalog, Snapshot, graph::GraphView},
    session::{Answer, Ask, Progress, Reply, Request, Ticket, View},
    tui::UpdateContext,
};

/// How far the answer has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryState<'a> {
    /// On its way, or the index is not open yet.
    Waiting,
    /// The person did not wait for it.
    Stopped,
    Known,
    /// In words.
    Failed(&'a str),
}

/// One request at a time. A newer one takes the place of the one before.
///
/// The answers' worker is shared by all panes and the newest question wins there, so a pane that comes to the front asks again
/// what it still waits for.
#[derive(Debug, Clone)]
pub struct Pending<T> {
    ticket: Option<Ticket>,
    /// The index is not open: the answer comes when the view changes.
    is_early: bool,
    /// The person did not wait for the answer.
    is_stopped: bool,
    /// How far the answer is, where the session has said so.
    progress: Option<Progress>,
    error: Option<String>,
    answer: Option<T>,
    /// What the last question was put to; `None` until something was asked.
    over: Option<Over>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        let (is_early, is_stopped) = (false, false);
        Self { ticket: None, is_early, is_stopped, progress: None, error: None, answer: None, over: None }
    }
}

/// A question about the journal.
pub type AsyncQuery = Pending<Answer>;

/// The index that a question was put to. Held weakly, so that an old one is not kept for it.
#[derive(Debug, Clone, Default)]
struct Over {
    snapshot: Weak<Snapshot>,
    graph: Weak<GraphView>,
    catalog: Weak<Catalog>,
    /// [`View::noted`].
    noted: u64,
}

impl Over {
    fn of(view: &View) -> Self {
        view.snapshot.as_ref().map_or_else(Self::default, |snapshot| Self {
            snapshot: Arc::downgrade(snapshot),
            graph: Arc::downgrade(&snapshot.graph),
            catalog: Arc::downgrade(&snapshot.catalog),
            noted: view.noted,
        })
    }

    /// Whether the view would by now answer from something else. While vectors are made a new index comes every second with the
    /// same entries and names in it: worth another answer once they are all there.
    fn is_behind(&self, view: &View) -> bool {
        let Some(now) = &view.snapshot else { return false };
        let is_other = self.graph.as_ptr() != Arc::as_ptr(&now.graph)
            || self.catalog.as_ptr() != Arc::as_ptr(&now.catalog)
            || self.noted != view.noted;
        is_other || (view.progress.is_none() && self.snapshot.as_ptr() != Arc::as_ptr(now))
    }
}

impl AsyncQuery {
    /// Asks something else: what is known does not fit it.
    pub fn ask(&mut self, ask: Ask, cx: &mut UpdateContext<'_>) {
        self.answer = None;
        self.renew(ask, cx);
    }

    /// Asks the same again; what is known stays until the answer is here.
    pub fn renew(&mut self, ask: Ask, cx: &mut UpdateContext<'_>) {
        self.send(Request::Ask(ask), cx);
    }

    /// Whether the reply changed what is known.
    pub fn take(&mut self, reply: &Reply) -> bool {
        self.take_as(reply, |reply| match reply {
            Reply::Answer { answer, .. } => Some((**answer).clone()),
            _ => None,
        })
    }
}

impl<T> Pending<T> {
    /// Sends a request; what is known stays until the answer is here.
    pub fn send(&mut self, request: Request, cx: &mut UpdateContext<'_>) {
        self.sent(cx.send(request), cx.view);
    }

    /// A request went out.
    pub fn sent(&mut self, ticket: Ticket, view: &View) {
        self.over = Some(Over::of(view));
        (self.is_early, self.is_stopped) = (false, false);
        (self.progress, self.error) = (None, None);
        self.ticket = Some(ticket);
    }

    /// Nothing is to come any more, and nothing is known.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The answer is not waited for any longer; what is known stays.
    pub fn stop(&mut self, cx: &mut UpdateContext<'_>) {
        self.is_stopped |= self.is_waiting();
        (self.is_early, self.progress) = (false, None);
        if let Some(ticket) = self.ticket.take() {
            cx.send(Request::Cancel(ticket));
        }
    }

    /// Whether the reply changed what is known; `read` finds the answer in it.
    pub fn take_as(&mut self, reply: &Reply, read: impl FnOnce(&Reply) -> Option<T>) -> bool {
        if !self.awaits(reply) {
            return false;
        }
        if let Reply::Thinking { progress, .. } = reply {
            self.progress = Some(progress.clone());
            return false;
        }
        (self.ticket, self.progress) = (None, None);
        match reply {
            Reply::NotYet { .. } => {
                self.is_early = true;
                false
            }
            Reply::Failed { error, .. } => {
                self.error = Some(error.to_string());
                self.answer.take().is_some()
            }
            reply => {
                let answer = read(reply);
                let is_answer = answer.is_some();
                self.answer = answer.or(self.answer.take());
                is_answer
            }
        }
    }

    /// Whether the reply is to the request that is out.
    pub fn awaits(&self, reply: &Reply) -> bool {
        reply.ticket().is_some() && reply.ticket() == self.ticket
    }

    /// What is known from now on.
    pub fn put(&mut self, answer: T) {
        self.answer = Some(answer);
    }

    /// Whether an answer is to come.
    pub fn is_waiting(&self) -> bool {
        self.ticket.is_some() || self.is_early
    }

    /// Whether the session has it in hand.
    pub fn is_running(&self) -> bool {
        self.ticket.is_some()
    }

    /// Whether it is to be asked again, now that the pane came to the front: another pane's question may have taken the
    /// place of this one in the worker.
    pub fn is_due(&self, view: &View) -> bool {
        self.ticket.is_some() || self.is_behind(view)
    }

    /// Whether the answer is from another index than the one on screen, or was not to be had yet. While one is on its way
    /// nothing is: a busy index would put off the answer for ever.
    pub fn is_behind(&self, view: &View) -> bool {
        self.ticket.is_none() && (self.is_early || self.over.as_ref().is_some_and(|over| over.is_behind(view)))
    }

    /// Whether nothing was asked since the last [`Pending::forget`].
    pub fn is_idle(&self) -> bool {
        self.over.is_none()
    }

    pub fn answer(&self) -> Option<&T> {
        self.answer.as_ref()
    }

    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    pub fn state(&self) -> QueryState<'_> {
        match (&self.answer, &self.error) {
            (Some(_), _) => QueryState::Known,
            (None, Some(error)) => QueryState::Failed(error),
            (None, None) if self.is_stopped => QueryState::Stopped,
            (None, None) => QueryState::Waiting,
        }
    }

    /// How far the answer is, after a blank: `counting days, 40 %`; empty while nobody has said.
    pub fn progress_text(&self) -> String {
        self.progress.as_ref().map_or_else(String::new, |Progress { what, done, of }| {
            format!(" {what}, {} %", (100 * done.min(of)).checked_div(*of).unwrap_or(100))
        })
    }
}
