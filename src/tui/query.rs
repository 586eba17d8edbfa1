//! The query that all panes share, and its answer.

use std::{collections::HashMap, sync::Arc};

use jiff::civil;

use super::update_context::Effects;
use crate::{
    index::EntryKey,
    journal::EntryId,
    search::{Found, Hit, Legs, Search},
    session::{Reply, Request, Response, Stage, View},
    tui::Pending,
};

/// Number of requested hits: more than any screen shows at once.
const LIMIT: usize = 200;

/// Query text, legs and the newest answer.
#[derive(Debug, Clone, Default)]
pub struct SharedQuery {
    text: String,
    /// All if not set.
    legs: Option<Legs>,
    answer: Pending<Arc<Found>>,
    stage: Option<Stage>,
    by_key: HashMap<EntryKey, usize>,
    days: HashMap<civil::Date, usize>,
}

impl SharedQuery {
    /// As typed; empty without a query.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether there is a query: panes then show its results.
    pub fn is_on(&self) -> bool {
        !self.text.trim().is_empty()
    }

    pub fn legs(&self) -> Legs {
        self.legs.unwrap_or(Legs::ALL)
    }

    /// The newest answer; while a newer query runs, the previous one (so that the screen does not flicker).
    pub fn found(&self) -> Option<&Arc<Found>> {
        self.answer.answer()
    }

    /// The stage of the answer to the current text.
    pub fn stage(&self) -> Option<Stage> {
        self.stage
    }

    /// Why the current text has no answer.
    pub fn error(&self) -> Option<&str> {
        self.answer.error()
    }

    pub fn hits(&self) -> &[Hit] {
        self.found().map_or(&[], |found| &found.hits)
    }

    /// The hit of an entry, if it is one.
    pub fn hit(&self, id: &EntryId) -> Option<&Hit> {
        self.by_key.get(&EntryKey::of(id)).map(|nth| &self.hits()[*nth])
    }

    /// Number of strong matches, including those on no screen. Weak matches are shown by the Search pane only, and
    /// are not counted.
    pub fn sure(&self) -> usize {
        let Some(found) = self.found() else { return 0 };
        let sure = found.hits.iter().filter(|hit| !hit.weak).count();
        if sure == found.hits.len() { found.total } else { sure }
    }

    /// Number of weak matches.
    pub fn weak(&self) -> usize {
        self.found().map_or(0, |found| found.total).saturating_sub(self.sure())
    }

    /// Whether an entry is a strong match.
    pub fn is_sure_of(&self, id: &EntryId) -> bool {
        self.hit(id).is_some_and(|hit| !hit.weak)
    }

    /// Number of strong matches on a day.
    pub fn hits_on(&self, day: civil::Date) -> usize {
        self.days.get(&day).copied().unwrap_or(0)
    }

    /// Sends a new query. The old answer stays on screen until the first stage of the new one arrives.
    pub(crate) fn ask(&mut self, text: String, legs: Legs, now: jiff::Zoned, view: &View, out: &mut Effects) {
        (self.text, self.legs, self.stage) = (text, Some(legs), None);
        if !self.is_on() {
            *self = Self { legs: Some(legs), ..Self::default() };
            return;
        }
        let search = Search { legs, typing: true, ..Search::new(self.text.clone(), LIMIT, now) };
        self.answer.sent(out.send(Request::Search(search)), view);
    }

    /// Repeats the query, after the index changed.
    pub(crate) fn renew(&mut self, now: jiff::Zoned, view: &View, out: &mut Effects) {
        let stage = self.stage;
        self.ask(self.text.clone(), self.legs(), now, view, out);
        self.stage = stage;
    }

    /// Takes an answer to the current text; returns whether the reply was one.
    pub(crate) fn take(&mut self, reply: &Reply, view: &View) -> bool {
        if !self.answer.awaits(reply) {
            return false;
        }
        let (stage, found) = match reply {
            // A late first stage must not replace the final order.
            Reply::To(_, Response::Found { stage: Stage::Words, .. }) if self.stage == Some(Stage::Fused) => {
                return false;
            }
            Reply::To(_, Response::Found { stage, found }) => (*stage, Arc::clone(found)),
            Reply::To(_, Response::Failed(_)) => {
                self.answer.take_as(reply, |_| None);
                (Stage::Fused, Arc::default())
            }
            _ => return false,
        };
        self.stage = Some(stage);
        self.keep(found, view);
        true
    }

    fn keep(&mut self, found: Arc<Found>, view: &View) {
        self.by_key = found.hits.iter().enumerate().map(|(nth, hit)| (hit.key, nth)).collect();
        // A query of filters only returns the counts of all days, including matches that are not among the hits.
        self.days = found.days.iter().copied().collect();
        let hits = if found.days.is_empty() { &found.hits[..] } else { &[] };
        for hit in hits.iter().filter(|hit| !hit.weak) {
            if let Some(day) = day_of(hit, view) {
                *self.days.entry(day).or_default() += 1;
            }
        }
        self.answer.put(found);
    }
}

/// The day of a hit: from the catalog, else the date of its written time.
pub fn day_of(hit: &Hit, view: &View) -> Option<civil::Date> {
    let known = view.snapshot.as_ref().and_then(|snapshot| Some(snapshot.catalog.by_key(hit.key)?.day));
    known.or_else(|| hit.time.get(..10)?.parse().ok())
}
