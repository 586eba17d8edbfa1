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
    /// The days of the request, and the address of the catalog.
    asked: Option<(Ticket, usize, Vec<civil::Date>)>,
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

    pub fn is_waiting(&self) -> bool {
        self.asked.is_some()
    }

    /// Requests the openings of those days that are not known for the current index; one request at a time.
    pub fn ask(&mut self, mut days: Vec<civil::Date>, cx: &mut UpdateContext<'_>) {
        let Some(snapshot) = cx.view.snapshot.as_ref().filter(|_| self.asked.is_none()) else { return };
        let catalog = std::sync::Arc::as_ptr(&snapshot.catalog).addr();
        days.retain(|day| self.known.get(day).is_none_or(|opening| opening.catalog != catalog));
        if !days.is_empty() {
            self.asked = Some((cx.send(Request::Openings(days.clone())), catalog, days));
        }
    }

    /// Takes the answer. Days without words, and all of them after a failure, are not requested again until the index
    /// changes.
    pub fn take(&mut self, reply: &Reply) {
        let is_own = |(ticket, ..): &mut (Ticket, usize, Vec<civil::Date>)| reply.ticket() == Some(*ticket);
        let Some((_, catalog, days)) = self.asked.take_if(is_own) else { return };
        for day in days {
            self.known.entry(day).or_insert(Opening { words: String::new(), catalog }).catalog = catalog;
        }
        if let Reply::To(_, Response::Openings(openings)) = reply {
            let opening = |words: &String| Opening { words: words.clone(), catalog };
            self.known.extend(openings.iter().map(|(day, words)| (*day, opening(words))));
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::{
        session::{Reply, Request, Response, SessionError, SessionWorkers},
        tui::{
            fixtures,
            harness::{Harness, HarnessSetup},
            panes::PANES,
        },
    };

    #[test]
    fn a_day_without_words_and_a_failure_are_not_asked_for_again_and_again() {
        let folder = tempfile::tempdir().unwrap();
        let options = fixtures::session_options(folder.path());
        let vault = crate::journal::Vault::open(options.vault.clone()).unwrap();
        let extra = vec![("record".to_owned(), "goal".to_owned())];
        let body = "run a half marathon".to_owned();
        vault.append(crate::journal::NewEntry { extra, body, ..Default::default() }).unwrap();
        let session = Some(SessionWorkers::inline(options));
        let mut harness = Harness::new(HarnessSetup { session, ..HarnessSetup::new(PANES) });
        harness.keys("j k").settle();
        let sent = harness.sent();
        let asked = sent.iter().filter_map(|(ticket, request)| match request {
            Request::Openings(days) => Some((*ticket, days.clone())),
            _ => None,
        });
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked.len(), 1, "{sent:?}");
        assert_eq!(asked[0].1, [date(2026, 11, 20)]);
        harness.reply(Reply::To(asked[0].0, Response::Failed(SessionError::Fault("reading".into()))));
        harness.keys("j k").settle();
        assert!(harness.sent().iter().all(|(_, request)| !matches!(request, Request::Openings(_))));
    }
}
