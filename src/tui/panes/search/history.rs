//! Earlier queries, brought back by the arrows in an empty field.

use crate::{
    session::{Reply, Request, Ticket},
    tui::UpdateContext,
};

/// So many are held; the session keeps no more.
const DEPTH: usize = 200;

#[derive(Default)]
pub(super) struct History {
    /// The oldest first, each once.
    queries: Vec<String>,
    /// The one in the field.
    at: Option<usize>,
    asked: Option<Ticket>,
    /// So many steps back were wished for before any were read.
    wished: usize,
}

impl History {
    /// Asks for what earlier sessions kept.
    pub fn ask(&mut self, cx: &mut UpdateContext<'_>) {
        self.asked = Some(cx.send(Request::Queries));
    }

    /// What was kept is here; the query that was wished for meanwhile.
    pub fn take(&mut self, reply: &Reply) -> Option<&str> {
        if reply.ticket().is_none() || reply.ticket() != self.asked {
            return None;
        }
        self.asked = None;
        let wished = std::mem::take(&mut self.wished);
        if let Reply::Queries { queries, .. } = reply {
            let shown = self.at.and_then(|at| self.queries.get(at)).cloned();
            // Where nothing is kept between sessions, those of this one stay.
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

    /// Whether the first ones are on their way.
    pub fn is_awaited(&self) -> bool {
        self.queries.is_empty() && self.asked.is_some()
    }

    /// Whether the text is the one that was brought back.
    pub fn is_at(&self, text: &str) -> bool {
        self.at.and_then(|at| self.queries.get(at)).is_some_and(|query| query == text)
    }

    /// Makes a query the newest; `None` where it is that already, or says nothing.
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

    /// A step back or on while none is read yet: [`History::take`] makes it.
    pub fn wish(&mut self, older: bool) {
        self.wished = if older { self.wished + 1 } else { self.wished.saturating_sub(1) };
    }

    /// The one before; the oldest stays.
    pub fn older(&mut self) -> &str {
        let at = self.at.unwrap_or(self.queries.len()).saturating_sub(1);
        self.at = Some(at);
        self.queries.get(at).map_or("", String::as_str)
    }

    /// The one after; behind the newest, nothing.
    pub fn newer(&mut self) -> &str {
        self.at = self.at.map(|at| at + 1).filter(|at| *at < self.queries.len());
        self.at.and_then(|at| self.queries.get(at)).map_or("", String::as_str)
    }
}
