//! Earlier queries, brought back by the arrows in an empty field.

use crate::{
    engine::{Reply, Request, Ticket},
    tui::cx::Cx,
};

/// So many are held; the engine keeps no more.
const DEPTH: usize = 200;

#[derive(Default)]
pub(super) struct History {
    /// The oldest first, each once.
    queries: Vec<String>,
    /// The one in the field.
    at: Option<usize>,
    asked: Option<Ticket>,
}

impl History {
    /// Asks for what earlier sessions kept.
    pub fn ask(&mut self, cx: &mut Cx<'_>) {
        self.asked = Some(cx.send(Request::Queries));
    }

    pub fn take(&mut self, reply: &Reply) {
        if let Reply::Queries { ticket, queries } = reply
            && Some(*ticket) == self.asked
        {
            // Where nothing is kept between sessions, those of this one stay.
            if !queries.is_empty() {
                self.queries.clone_from(queries);
            }
            (self.asked, self.at) = (None, None);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
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
