//! Query history, recalled with the arrows in an empty field.

use crate::{
    session::{Reply, Request, Response, Ticket},
    tui::UpdateContext,
};

/// Maximum number of queries; the session stores no more.
const DEPTH: usize = 200;

#[derive(Default)]
pub(super) struct History {
    /// The oldest first, each once.
    queries: Vec<String>,
    /// Index of the query in the field.
    at: Option<usize>,
    asked: Option<Ticket>,
    /// Number of steps back requested before the history was loaded.
    wished: usize,
}

impl History {
    /// Requests the queries of earlier sessions.
    pub fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        self.asked = Some(cx.send(Request::Queries));
    }

    /// Takes the loaded queries; returns the one that was requested in the meantime.
    pub fn take(&mut self, reply: &Reply) -> Option<&str> {
        let response = reply.settles(&mut self.asked)?;
        let wished = std::mem::take(&mut self.wished);
        if let Response::Queries(queries) = response {
            let shown = self.at.and_then(|at| self.queries.get(at)).cloned();
            // If the history is not stored between sessions, the queries of this session stay.
            if !queries.is_empty() {
                self.queries.clone_from(queries);
            }
            self.at = shown.and_then(|shown| self.queries.iter().position(|query| *query == shown));
        }
        if wished == 0 || self.queries.is_empty() {
            return None;
        }
        (1..wished).for_each(|_| {
            self.older();
        });
        Some(self.older())
    }

    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Whether the first ones are being loaded.
    pub fn is_awaited(&self) -> bool {
        self.queries.is_empty() && self.asked.is_some()
    }

    /// Whether the text is the recalled query.
    pub fn is_at(&self, text: &str) -> bool {
        self.at.and_then(|at| self.queries.get(at)).is_some_and(|query| query == text)
    }

    /// Adds a query as the newest; `None` if it is that already, or empty.
    pub fn push(&mut self, text: &str) -> Option<String> {
        let text = text.trim();
        if text.is_empty() || self.queries.last().is_some_and(|last| last == text) {
            return None;
        }
        self.queries.retain(|query| query != text);
        self.queries.push(text.to_owned());
        let surplus = self.queries.len().saturating_sub(DEPTH);
        self.queries.drain(..surplus);
        self.at = None;
        Some(text.to_owned())
    }

    /// Records a step back or forward before the history is loaded: [`History::take`] makes it.
    pub fn wish(&mut self, older: bool) {
        self.wished = if older { self.wished + 1 } else { self.wished.saturating_sub(1) };
    }

    /// The previous query; stops at the oldest.
    pub fn older(&mut self) -> &str {
        let at = self.at.unwrap_or(self.queries.len()).saturating_sub(1);
        self.at = Some(at);
        self.queries.get(at).map_or("", String::as_str)
    }

    /// The next query; after the newest, an empty text.
    pub fn newer(&mut self) -> &str {
        self.at = self.at.map(|at| at + 1).filter(|at| *at < self.queries.len());
        self.at.and_then(|at| self.queries.get(at)).map_or("", String::as_str)
    }
}
