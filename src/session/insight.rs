//! Insight queries: as methods of [`Session`] for the command line, and as [`Ask`] requests over the published view for
//! the screens.

use std::sync::Arc;

use jiff::{Zoned, civil};

use super::{
    Answer, Ask, NameReview, Reply, Response, Session, SessionError, Ticket,
    direct::within_meaning_budget,
    shared_state::{SharedState, Throttle},
};
use crate::{
    index::Snapshot,
    insight::{
        Inputs, InsightError, Period, ProgressReporter,
        connect::{self, Connection},
        context::{self, ContextRequest},
        digest::Digest,
        events::{self, Event},
        graph_query::{self, GraphTable, QueryError},
        merge_candidates,
        names::{self, Known, Related},
        profile,
        reflect::{self, Reflection},
        related_entries,
        review::{self, Review, Unit},
        stats::{self, Stats},
        themes::{self, Theme},
        why::{self, Question, Why},
    },
    journal::{EntityKind, note_on},
};

impl Session {
    /// All entities, or those of one kind, most mentioned first.
    pub fn entities(&mut self, kind: Option<EntityKind>) -> Result<Vec<Known>, SessionError> {
        Ok(names::entities(&*self.snapshot()?, kind))
    }

    /// The names related to a name, closest first.
    pub fn related(&mut self, name: &str, hops: u8, limit: usize) -> Result<Related, SessionError> {
        Ok(names::related(&Inputs::of(&*self.snapshot()?), name, hops, limit)?)
    }

    /// The connection between two names.
    pub fn connect(&mut self, from: &str, to: &str) -> Result<Connection, SessionError> {
        Ok(connect::connect(&Inputs::of(&*self.snapshot()?), from, to)?)
    }

    /// Events: sentences about other days than the day of writing.
    pub fn events(&mut self, period: Period) -> Result<Vec<Event>, SessionError> {
        Ok(events::events(&self.diary()?, period)?)
    }

    /// Possible causes of a feeling, a name or an entry.
    pub fn why(&mut self, ask: &Question) -> Result<Why, SessionError> {
        self.with_meaning(|inputs| why::why(inputs, ask))
    }

    /// Every candidate for an answer to a question, with the id of its entry.
    #[cfg(feature = "lab")]
    pub fn candidate_answers(&mut self, ask: &Question) -> Result<Vec<(String, why::Answer)>, SessionError> {
        self.with_meaning(|inputs| {
            let id = |answer: &why::Answer| Some(inputs.snapshot.catalog.by_key(answer.key)?.id.to_string());
            let answers = why::candidate_answers(inputs, ask)?.into_iter();
            Ok(answers.filter_map(|answer| Some((id(&answer)?, answer))).collect())
        })
    }

    /// One day, with related entries of the past.
    pub fn reflect(&mut self, day: civil::Date, now: &Zoned) -> Result<Reflection, SessionError> {
        self.with_meaning(|inputs| reflect::reflect(inputs, day, now))
    }

    /// The week, month or year that contains a day.
    pub fn review(&mut self, unit: Unit, day: civil::Date, now: &Zoned) -> Result<Review, SessionError> {
        self.with_meaning(|inputs| review::review(inputs, unit, day, now))
    }

    /// Statistics of the journal up to a day.
    pub fn stats(&mut self, today: civil::Date) -> Result<Stats, SessionError> {
        Ok(stats::stats(&Inputs::of(&self.diary()?), today)?)
    }

    /// What an agent should know of the journal.
    pub fn context(&mut self, request: &ContextRequest) -> Result<Digest, SessionError> {
        self.with_meaning(|inputs| context::context(inputs, request))
    }

    /// A query in a subset of openCypher; the inner error is one of its text.
    pub fn query_graph(&mut self, text: &str) -> Result<Result<GraphTable, QueryError>, SessionError> {
        Ok(graph_query::query(&Inputs::of(&*self.snapshot()?), text, graph_query::TIME_LIMIT)?)
    }

    /// Themes: groups of related names, most active first.
    pub fn themes(&mut self, limit: usize) -> Result<Vec<Theme>, SessionError> {
        Ok(themes::themes(&self.diary()?, limit))
    }

    /// The snapshot without records, of which insights say nothing.
    fn diary(&mut self) -> Result<Snapshot, SessionError> {
        Ok(self.snapshot()?.without_records())
    }

    pub(super) fn with_meaning<T>(
        &mut self,
        answer: impl FnOnce(&Inputs<'_>) -> Result<T, InsightError>,
    ) -> Result<T, SessionError> {
        self.snapshot_with_meaning(&mut within_meaning_budget())?;
        self.read_new()?;
        let with_records = self.snapshot_as_is()?;
        let snapshot = with_records.without_records();
        let encoder = self.models.of_vectors(&snapshot);
        let progress = ProgressReporter { cancelled: &|| self.is_cancelled(), ..ProgressReporter::WAITED_FOR };
        let encoder = encoder.as_deref();
        Ok(answer(&Inputs { snapshot: &snapshot, with_records: &with_records, encoder, progress: &progress })?)
    }
}

/// Answers a request over the published view, with progress replies; `None` if it was cancelled.
pub(super) fn answer_query(
    shared: &SharedState,
    ticket: Ticket,
    ask: &Ask,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<Response>, SessionError> {
    let Some(with_records) = shared.snapshot() else { return Ok(Some(Response::NotYet)) };
    // A connection of records is asked for by their ids.
    let is_of_records = matches!(ask, Ask::Connect { .. });
    let snapshot = if is_of_records { (*with_records).clone() } else { with_records.without_records() };
    let throttle = Throttle::new();
    let report = |progress| {
        if throttle.is_due() {
            shared.reply(Reply::To(ticket, Response::Progress(progress)));
        }
    };
    let progress = ProgressReporter { cancelled, report: &report };
    let inputs = Inputs { with_records: &with_records, progress: &progress, ..Inputs::of(&snapshot) };
    match compute_answer(shared, &inputs, ask) {
        Ok(answer) => Ok(Some(Response::Answer(Arc::new(answer)))),
        Err(SessionError::Cancelled) => Ok(None),
        Err(error) => Err(error),
    }
}

fn compute_answer(shared: &SharedState, inputs: &Inputs<'_>, ask: &Ask) -> Result<Answer, SessionError> {
    // Loaded only if the answer needs the model.
    let encoder = match ask {
        Ask::Why(_) | Ask::Reflect { .. } | Ask::Review { .. } | Ask::Related { .. } => {
            shared.models.of_vectors(inputs.snapshot)
        }
        _ => None,
    };
    let inputs = &Inputs { encoder: encoder.as_deref(), ..*inputs };
    Ok(match ask {
        Ask::Names(today) => Answer::Names(profile::listed(inputs, *today)?.into()),
        Ask::Profile { name, kind, today } => {
            let profile = profile::profile(inputs, name, *kind, *today)?.map(Box::new);
            let notes = shared.vault()?.entity_notes()?;
            let noted = profile.as_ref().and_then(|profile| note_on(&notes, &profile.known.name, Some(*kind)));
            Answer::Profile { notes: noted.map_or_else(String::new, |note| note.notes.clone()), profile }
        }
        Ask::Connect { from, to } => Answer::Connect(connect::connect(inputs, from, to)?),
        Ask::Why(question) => Answer::Why(why::why(inputs, question)?),
        Ask::Reflect { day, now } => Answer::Reflect(reflect::reflect(inputs, *day, now)?),
        Ask::Review { unit, day, now } => Answer::Review(review::review(inputs, *unit, *day, now)?),
        Ask::Stats(today) => Answer::Stats(stats::stats(inputs, *today)?),
        Ask::NameReview => Answer::NameReview(name_review(shared, inputs)?),
        Ask::Related { text, own, now } => {
            Answer::Related(related_entries::related_entries(inputs, text, own.as_ref(), now)?)
        }
    })
}

fn name_review(shared: &SharedState, inputs: &Inputs<'_>) -> Result<NameReview, SessionError> {
    let (merge_candidates, more) = merge_candidates::merge_candidates(inputs)?;
    let mut hidden = shared.vault()?.entity_notes()?;
    hidden.retain(|note| note.hidden && note.merged_into.is_none());
    hidden.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(NameReview { merge_candidates, more, hidden })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        clock::Clock,
        index::vector::Ann,
        journal::{NewEntry, Vault, VaultOptions},
        session::{Request, SessionOptions, SessionWorkers},
    };

    #[test]
    fn a_question_that_was_taken_back_gets_no_answer_and_is_settled() {
        let folder = tempfile::tempdir().unwrap();
        let now: Zoned = "2026-11-20T09:00+07:00[+07:00]".parse().unwrap();
        let vault = VaultOptions::new(folder.path(), Clock::fixed(now.clone()));
        let body = "Stressed because of the deadline.".to_owned();
        Vault::open(vault.clone()).unwrap().append(NewEntry { body, ..NewEntry::default() }).unwrap();
        let models = folder.path().join("models");
        let options = SessionOptions { vault, models, model: None, encoder: None, ann: Ann::Auto, watch: false };
        let session = SessionWorkers::inline(options);
        let (day, name) = (now.date(), || "deadline".to_owned());
        let asks = [
            Ask::Why(Question { text: "stressed".to_owned(), from: None, to: None, now: now.clone() }),
            Ask::Names(day),
            Ask::Profile { name: "stressed".to_owned(), kind: EntityKind::Emotion, today: day },
            Ask::Connect { from: "stressed".to_owned(), to: name() },
            Ask::Reflect { day, now: now.clone() },
            Ask::Review { unit: Unit::Year, day, now: now.clone() },
            Ask::Stats(day),
            Ask::NameReview,
            Ask::Related {
                text: "A long day before the deadline of the demo.".to_owned(),
                own: None,
                now: now.clone(),
            },
        ];
        let both = asks.iter().flat_map(|ask| [(ask, true), (ask, false)]);
        for (nth, (ask, is_cancelled)) in both.enumerate() {
            let ticket = Ticket(nth as u64);
            session.requests.shared.expect_reply();
            session.requests.perform(ticket, Request::Ask(ask.clone()), &|| is_cancelled);
            assert!(!session.in_flight());
            let replies = std::iter::from_fn(|| session.try_recv());
            let of_it: Vec<Reply> = replies.filter(|reply| reply.ticket() == Some(ticket)).collect();
            match of_it.as_slice() {
                [] => assert!(is_cancelled, "{ask:?}"),
                [Reply::To(_, Response::Answer(_))] => assert!(!is_cancelled, "{ask:?}"),
                other => panic!("{other:?}"),
            }
        }
    }
}
