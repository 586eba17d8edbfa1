//! The one query that all panes share, and what it found.

use std::{collections::HashMap, sync::Arc};

use jiff::civil;

use super::update_context::Effects;
use crate::{
    index::EntryKey,
    journal::EntryId,
    search::{Found, Hit, Legs, Search},
    session::{Reply, Request, Stage, View},
    tui::Pending,
};

/// Hits asked for: more than any screen shows at once.
const LIMIT: usize = 200;

/// Query text, legs and the newest answer.
#[derive(Debug, Clone, Default)]
pub struct SharedQuery {
    text: String,
    /// All where nothing else was asked for.
    legs: Option<Legs>,
    answer: Pending<Arc<Found>>,
    stage: Option<Stage>,
    by_key: HashMap<EntryKey, usize>,
    days: HashMap<civil::Date, usize>,
}

impl SharedQuery {
    /// As typed; empty when nothing is asked.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether something is asked: panes then show what the query says about their matter.
    pub fn is_on(&self) -> bool {
        !self.text.trim().is_empty()
    }

    pub fn legs(&self) -> Legs {
        self.legs.unwrap_or(Legs::ALL)
    }

    /// The newest answer; while a newer query runs, still the one before (the screen does not flicker).
    pub fn found(&self) -> Option<&Arc<Found>> {
        self.answer.answer()
    }

    /// How far the answer to the present text has come.
    pub fn stage(&self) -> Option<Stage> {
        self.stage
    }

    /// Why the present text has no answer.
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

    /// How many entries are surely about it, also those that no screen shows. What is below the line of weak matches is
    /// shown by the search pane alone; no figure counts it.
    pub fn sure(&self) -> usize {
        let Some(found) = self.found() else { return 0 };
        let sure = found.hits.iter().filter(|hit| !hit.weak).count();
        if sure == found.hits.len() { found.total } else { sure }
    }

    /// How many entries only come near it.
    pub fn weak(&self) -> usize {
        self.found().map_or(0, |found| found.total).saturating_sub(self.sure())
    }

    /// Whether an entry is surely about it.
    pub fn is_sure_of(&self, id: &EntryId) -> bool {
        self.hit(id).is_some_and(|hit| !hit.weak)
    }

    /// How many entries of a day are surely about it.
    pub fn hits_on(&self, day: civil::Date) -> usize {
        self.days.get(&day).copied().unwrap_or(0)
    }

    /// Asks anew. The old answer stays on screen until the first stage of the new one arrives.
    pub(crate) fn ask(&mut self, text: String, legs: Legs, now: jiff::Zoned, view: &View, out: &mut Effects) {
        (self.text, self.legs, self.stage) = (text, Some(legs), None);
        if !self.is_on() {
            *self = Self { legs: Some(legs), ..Self::default() };
            return;
        }
        let search = Search { legs, typing: true, ..Search::new(self.text.clone(), LIMIT, now) };
        self.answer.sent(out.send(Request::Search(search)), view);
    }

    /// Asks the same again, after the index changed.
    pub(crate) fn renew(&mut self, now: jiff::Zoned, view: &View, out: &mut Effects) {
        let stage = self.stage;
        self.ask(self.text.clone(), self.legs(), now, view, out);
        self.stage = stage;
    }

    /// Takes what is an answer to the present text; says whether it was one.
    pub(crate) fn take(&mut self, reply: &Reply, view: &View) -> bool {
        if !self.answer.awaits(reply) {
            return false;
        }
        let (stage, found) = match reply {
            // A late first stage never replaces the final order.
            Reply::Found { stage: Stage::Words, .. } if self.stage == Some(Stage::Fused) => return false,
            Reply::Found { stage, found, .. } => (*stage, (**found).clone()),
            Reply::Failed { .. } => {
                self.answer.take_as(reply, |_| None);
                (Stage::Fused, Found::default())
            }
            _ => return false,
        };
        self.stage = Some(stage);
        self.keep(Arc::new(found), view);
        true
    }

    fn keep(&mut self, found: Arc<Found>, view: &View) {
        self.by_key = found.hits.iter().enumerate().map(|(nth, hit)| (hit.key, nth)).collect();
        // Of filters alone every day is known, also of entries that are no longer among the hits.
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

/// The day of a hit: as the catalog knows it, else the date its time is written with.
pub fn day_of(hit: &Hit, view: &View) -> Option<civil::Date> {
    let known = view.snapshot.as_ref().and_then(|snapshot| Some(snapshot.catalog.by_key(hit.key)?.day));
    known.or_else(|| hit.time.get(..10)?.parse().ok())
}
