//! The first words of the listed days, read by a worker and cached.

use std::collections::HashMap;

use jiff::civil;

use crate::{
    session::{Reply, Request, Response, Ticket},
    tui::UpdateContext,
};

/// The cache. The words of an older index are shown until those of the current one are read.
#[derive(Debug, Default)]
pub struct Openings {
    known: HashMap<civil::Date, Opening>,
    asked: Option<(Ticket, usize)>,
}

#[derive(Debug)]
struct Opening {
    words: String,
    /// Address of the catalog for which it was read.
    catalog: usize,
}

impl Openings {
    pub fn of(&self, day: civil::Date) -> Option<&str> {
        self.known.get(&day).map(|opening| opening.words.as_str()).filter(|words| !words.is_empty())
    }

    /// Requests the openings of those days that are not known for the current index; one request at a time.
    pub fn ask(&mut self, mut days: Vec<civil::Date>, cx: &mut UpdateContext<'_>) {
        let Some(snapshot) = cx.view.snapshot.as_ref().filter(|_| self.asked.is_none()) else { return };
        let catalog = std::sync::Arc::as_ptr(&snapshot.catalog).addr();
        days.retain(|day| self.known.get(day).is_none_or(|opening| opening.catalog != catalog));
        if !days.is_empty() {
            self.asked = Some((cx.send(Request::Openings(days)), catalog));
        }
    }

    pub fn take(&mut self, reply: &Reply) {
        let Some((ticket, catalog)) = self.asked else { return };
        if reply.ticket() != Some(ticket) {
            return;
        }
        self.asked = None;
        if let Reply::To(_, Response::Openings(openings)) = reply {
            let opening = |words: &String| Opening { words: words.clone(), catalog };
            self.known.extend(openings.iter().map(|(day, words)| (*day, opening(words))));
        }
    }
}
