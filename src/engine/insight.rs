//! Questions that take thought: typed for the command line, over the desk's present view; by request for the screens, over theirs.

use std::sync::Arc;

use jiff::{Zoned, civil};

use super::{
    Desk, EngineError,
    core::Core,
    protocol::{Answer, Ask, Hidden, Reply, Ticket, Upkeep},
};
use crate::{
    embed::Encoder,
    index::Snapshot,
    insight::{
        InsightError, Period,
        connect::{self, Connection},
        doubts,
        events::{self, Event},
        names::{self, Known, Related},
        profile,
        reflect::{self, Reflection},
        review::{self, Review, Unit},
        stats::{self, Stats},
        themes::{self, Theme},
        why::{self, Question, Why},
    },
    journal::{EntityKind, note_on},
};

/// The present view, and the model where it has vectors.
type WithMeaning = (Arc<Snapshot>, Option<Arc<dyn Encoder>>);

impl From<InsightError> for EngineError {
    fn from(error: InsightError) -> Self {
        match error {
            InsightError::Search(error) => Self::Search(error),
        }
    }
}

impl Desk {
    /// Every entity, or those of one kind, most mentioned first.
    pub fn entities(&mut self, kind: Option<EntityKind>) -> Result<Vec<Known>, EngineError> {
        Ok(names::entities(&*self.snapshot()?, kind))
    }

    /// Who goes with a name, the closest first.
    pub fn related(&mut self, name: &str, hops: u8, limit: usize) -> Result<Related, EngineError> {
        Ok(names::related(&*self.snapshot()?, name, hops, limit)?)
    }

    /// How two names are connected.
    pub fn connect(&mut self, from: &str, to: &str) -> Result<Connection, EngineError> {
        Ok(connect::connect(&*self.snapshot()?, from, to)?)
    }

    /// What is told of other days than that of the writing.
    pub fn events(&mut self, period: Period) -> Result<Vec<Event>, EngineError> {
        Ok(events::events(&*self.snapshot()?, period)?)
    }

    /// What led to a feeling, a name, an entry.
    pub fn why(&mut self, ask: &Question) -> Result<Why, EngineError> {
        let (snapshot, encoder) = self.with_meaning()?;
        Ok(why::why(&snapshot, encoder.as_deref(), ask)?)
    }

    /// One day, and what of the past is close to it.
    pub fn reflect(&mut self, day: civil::Date, now: &Zoned) -> Result<Reflection, EngineError> {
        let (snapshot, encoder) = self.with_meaning()?;
        Ok(reflect::reflect(&snapshot, encoder.as_deref(), day, now)?)
    }

    /// The week, month or year that holds a day.
    pub fn review(&mut self, unit: Unit, day: civil::Date, now: &Zoned) -> Result<Review, EngineError> {
        let (snapshot, encoder) = self.with_meaning()?;
        Ok(review::review(&snapshot, encoder.as_deref(), unit, day, now)?)
    }

    /// The journal in numbers, seen from a day.
    pub fn stats(&mut self, today: civil::Date) -> Result<Stats, EngineError> {
        Ok(stats::stats(&*self.snapshot()?, today))
    }

    /// What belongs together, the most alive first.
    pub fn themes(&mut self, limit: usize) -> Result<Vec<Theme>, EngineError> {
        Ok(themes::themes(&*self.snapshot()?, limit))
    }

    fn with_meaning(&mut self) -> Result<WithMeaning, EngineError> {
        let snapshot = self.snapshot()?;
        let encoder = self.models.of_vectors(&snapshot);
        Ok((snapshot, encoder))
    }
}

impl Core {
    /// Answers over the view on screen.
    pub(super) fn think(&self, ticket: Ticket, ask: &Ask) -> Result<Reply, EngineError> {
        let Some(snapshot) = self.view().snapshot.clone() else { return Ok(Reply::NotYet { ticket }) };
        let snapshot = &*snapshot;
        // Loaded only where meaning has a part in the answer.
        let encoder = || self.models.of_vectors(snapshot);
        let answer = match ask {
            Ask::Names(today) => Answer::Names(profile::listed(snapshot, *today)),
            Ask::Profile { name, kind, today } => {
                let profile = profile::profile(snapshot, name, *kind, *today)?.map(Box::new);
                let notes = self.vault()?.entity_notes()?;
                let noted = profile.as_ref().and_then(|profile| note_on(&notes, &profile.known.name, Some(*kind)));
                Answer::Profile { notes: noted.map_or_else(String::new, |note| note.notes.clone()), profile }
            }
            Ask::Connect { from, to } => Answer::Connect(connect::connect(snapshot, from, to)?),
            Ask::Why(question) => Answer::Why(why::why(snapshot, encoder().as_deref(), question)?),
            Ask::Reflect { day, now } => Answer::Reflect(reflect::reflect(snapshot, encoder().as_deref(), *day, now)?),
            Ask::Review { unit, day, now } => {
                Answer::Review(review::review(snapshot, encoder().as_deref(), *unit, *day, now)?)
            }
            Ask::Stats(today) => Answer::Stats(stats::stats(snapshot, *today)),
            Ask::Upkeep => Answer::Upkeep(self.upkeep(snapshot)?),
        };
        Ok(Reply::Answer { ticket, answer: Box::new(answer) })
    }

    fn upkeep(&self, snapshot: &Snapshot) -> Result<Upkeep, EngineError> {
        let (doubts, more) = doubts::doubts(snapshot)?;
        let notes = self.vault()?.entity_notes()?.into_iter();
        let hidden = notes.filter(|note| note.hidden && note.merged_into.is_none());
        let mut hidden: Vec<Hidden> =
            hidden.map(|note| Hidden { name: note.name, kind: note.kind, aliases: note.aliases }).collect();
        hidden.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(Upkeep { doubts, more, hidden })
    }
}
