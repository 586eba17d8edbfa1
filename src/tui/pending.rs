//! Async query state: a request to the session and its newest answer, which stays while the same request is repeated.
//!
//! The only type for this: panes, overlays and the shared query use it for their answers.

use std::sync::{Arc, Weak};

use crate::{
    index::{Catalog, Snapshot, graph::GraphView},
    session::{Answer, Ask, Progress, Reply, Request, Response, Ticket, View},
    tui::UpdateContext,
};

/// State of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryState<'a> {
    /// The request is running, or the index is not open yet.
    Waiting,
    /// The user cancelled it.
    Stopped,
    Known,
    /// With the error message.
    Failed(&'a str),
}

/// One request at a time; a new one replaces the one before.
///
/// All panes share one worker for answers, and the newest request wins there, so a pane that becomes visible repeats
/// a request that it still waits for.
#[derive(Debug, Clone)]
pub struct Pending<T> {
    ticket: Option<Ticket>,
    /// The index is not open: the answer comes when the view changes.
    is_early: bool,
    /// The user cancelled the request.
    is_stopped: bool,
    /// Progress, if the session has reported any.
    progress: Option<Progress>,
    error: Option<String>,
    answer: Option<T>,
    /// The index that the last request was for; `None` before the first request.
    over: Option<Over>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        let (is_early, is_stopped) = (false, false);
        Self { ticket: None, is_early, is_stopped, progress: None, error: None, answer: None, over: None }
    }
}

/// A question about the journal.
pub type AsyncQuery = Pending<Arc<Answer>>;

/// The index that a request was for. Weak references, so that an old index is not kept in memory for it.
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

    /// Whether a new answer would be based on other data. While passages are embedded, a new snapshot comes every
    /// second with the same entries and names; it counts once all vectors are there.
    fn is_behind(&self, view: &View) -> bool {
        let Some(now) = &view.snapshot else { return false };
        let is_other = self.graph.as_ptr() != Arc::as_ptr(&now.graph)
            || self.catalog.as_ptr() != Arc::as_ptr(&now.catalog)
            || self.noted != view.noted;
        is_other || (view.progress.is_none() && self.snapshot.as_ptr() != Arc::as_ptr(now))
    }
}

impl AsyncQuery {
    /// Sends another question, and drops the old answer.
    pub fn ask(&mut self, ask: Ask, cx: &mut UpdateContext<'_>) {
        self.answer = None;
        self.renew(ask, cx);
    }

    /// Repeats the question; the old answer stays until the new one is there.
    pub fn renew(&mut self, ask: Ask, cx: &mut UpdateContext<'_>) {
        self.send(Request::Ask(ask), cx);
    }

    /// Takes a reply; returns whether the state changed.
    pub fn take(&mut self, reply: &Reply) -> bool {
        self.take_as(reply, |response| match response {
            Response::Answer(answer) => Some(Arc::clone(answer)),
            _ => None,
        })
    }

    pub fn known(&self) -> Option<&Answer> {
        self.answer().map(Arc::as_ref)
    }
}

impl<T> Pending<T> {
    /// Sends a request; the old answer stays until the new one is there.
    pub fn send(&mut self, request: Request, cx: &mut UpdateContext<'_>) {
        self.sent(cx.send(request), cx.view);
    }

    /// Records a sent request.
    pub fn sent(&mut self, ticket: Ticket, view: &View) {
        self.over = Some(Over::of(view));
        (self.is_early, self.is_stopped) = (false, false);
        (self.progress, self.error) = (None, None);
        self.ticket = Some(ticket);
    }

    /// Clears request and answer.
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// Cancels the request; the old answer stays.
    pub fn stop(&mut self, cx: &mut UpdateContext<'_>) {
        self.is_stopped |= self.is_waiting();
        (self.is_early, self.progress) = (false, None);
        if let Some(ticket) = self.ticket.take() {
            cx.send(Request::Cancel(ticket));
        }
    }

    /// Takes a reply; returns whether the state changed. `read` extracts the answer.
    pub fn take_as(&mut self, reply: &Reply, read: impl FnOnce(&Response) -> Option<T>) -> bool {
        if let Reply::To(_, Response::Progress(progress)) = reply {
            if self.awaits(reply) {
                self.progress = Some(progress.clone());
            }
            return false;
        }
        let Some(response) = reply.settles(&mut self.ticket) else { return false };
        self.progress = None;
        match response {
            Response::NotYet => {
                self.is_early = true;
                false
            }
            Response::Failed(error) => {
                self.error = Some(error.to_string());
                self.answer.take().is_some()
            }
            response => {
                let answer = read(response);
                let is_answer = answer.is_some();
                self.answer = answer.or(self.answer.take());
                is_answer
            }
        }
    }

    /// Whether the reply is for the pending request.
    pub fn awaits(&self, reply: &Reply) -> bool {
        reply.ticket().is_some() && reply.ticket() == self.ticket
    }

    /// Sets the answer.
    pub fn put(&mut self, answer: T) {
        self.answer = Some(answer);
    }

    /// Whether an answer is pending.
    pub fn is_waiting(&self) -> bool {
        self.ticket.is_some() || self.is_early
    }

    /// Whether the session is working on it.
    pub fn is_running(&self) -> bool {
        self.ticket.is_some()
    }

    /// Whether to repeat the request when the pane becomes visible: another pane's request may have replaced it in
    /// the worker.
    pub fn is_due(&self, view: &View) -> bool {
        self.ticket.is_some() || self.is_behind(view)
    }

    /// Whether the answer is outdated or could not be made yet. False while a request is pending, because a busy
    /// index would otherwise delay the answer without end.
    pub fn is_behind(&self, view: &View) -> bool {
        self.ticket.is_none() && (self.is_early || self.over.as_ref().is_some_and(|over| over.is_behind(view)))
    }

    /// Whether nothing was requested since the last [`Pending::forget`].
    pub fn is_idle(&self) -> bool {
        self.over.is_none()
    }

    pub fn answer(&self) -> Option<&T> {
        self.answer.as_ref()
    }

    /// The answer, for a change that the session has made but not yet indexed.
    pub fn answer_mut(&mut self) -> Option<&mut T> {
        self.answer.as_mut()
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

    /// Progress after a space: ` counting days, 40 %`; empty if unknown.
    pub fn progress_text(&self) -> String {
        self.progress.as_ref().map_or_else(String::new, |Progress { what, done, of }| {
            format!(" {what}, {} %", (100 * done.min(of)).checked_div(*of).unwrap_or(100))
        })
    }
}
