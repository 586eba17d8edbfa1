//! Significance and strength of every candidate.

use std::{cmp::Reverse, collections::BTreeSet, ops::Range};

use jiff::civil;

use super::{
    answer::{Cause, MOST_QUOTES, Strength},
    reasons::Said,
    scene::Scene,
    stated::{CauseKey, Stated},
    target::earlier,
    trackers::{self, CutOf, Measured},
};
use crate::{
    extract::fold,
    index::{
        EntryKey,
        graph::{EntityRef, Judgement},
    },
    insight::{
        Basis, Evidence, Result,
        clause::{clause, is_same_cause},
        cooccurrence::{self, Calendar, Cooccurrence, Days, FEWEST, LONGEST_LAG, Lag},
        quotes::{self, bytes},
    },
    journal::{EntityKind, RelationKind},
};

/// Maximum number of names tested: the most frequent ones, chosen independently of the subject.
const MOST_NAMES: usize = 300;
/// Maximum tail of a hint below the claims: unusual on its own, though not among so many names.
const HINT: f64 = 0.05;
const MOST_HINTS: usize = 3;
const MOST_CAUSES: usize = 12;

/// A cause with its entity; `None` for a measure and for a cause without an entity.
pub(super) struct Named {
    pub entity: Option<EntityRef>,
    pub cause: Cause,
    /// The days of its evidence.
    pub days: BTreeSet<civil::Date>,
}

/// The inputs for weighing candidates.
pub(super) struct Weighing<'a> {
    pub scene: &'a Scene<'a>,
    pub calendar: &'a Calendar,
    pub target: &'a Days,
    pub lags: &'a [Lag],
    pub stated: Stated,
    /// The kind of relation that the user's verdicts are about.
    pub kind: RelationKind,
}

/// A candidate: an entity or phrase, or days on which a measure is low or high.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    Cause(CauseKey),
    Measured(CutOf),
}

/// A candidate with its counts.
struct Found {
    what: What,
    company: Cooccurrence,
    /// Number of days on which it is stated without a hedge.
    said: usize,
    /// It is stated at all, even as a guess.
    is_stated: bool,
    judged: Option<Judgement>,
}

impl Found {
    /// A relation that the user accepted is always a claim; its strength depends on the days.
    fn strength(&self) -> Strength {
        let strength = Strength::of(self.said, &self.company);
        if self.is_accepted() { strength.min(Strength::Some) } else { strength }
    }

    fn is_accepted(&self) -> bool {
        self.judged == Some(Judgement::Accepted)
    }
}

impl Weighing<'_> {
    /// Weighs every candidate; returns stated causes, claims and a few hints, the most certain first.
    pub fn ranked(&self) -> Result<Vec<Named>> {
        let measures =
            if self.kind == RelationKind::Causal { trackers::measured(self.scene, self.lags) } else { Vec::new() };
        let tried: Result<Vec<_>, _> = measures.iter().map(|measure| measure.tried(self.scene.progress)).collect();
        let mut found = self.candidates()?;
        for (company, cut) in trackers::best(&measures, cooccurrence::judged(tried?).into_iter()) {
            found.push(Found { what: What::Measured(cut), company, said: 0, is_stated: false, judged: None });
        }
        self.once_each(&mut found);
        let to_cause = |one: Found| {
            self.scene.progress.goes_on()?;
            self.to_cause(one, &measures)
        };
        kept(found).into_iter().map(to_cause).collect()
    }

    /// Names and stated phrases, each with its co-occurrence; without those that have neither a statement nor a low
    /// tail.
    fn candidates(&self) -> Result<Vec<Found>> {
        let sources = self.sources();
        let there: Vec<Vec<civil::Date>> = sources.iter().map(|source| self.there(source)).collect();
        let companies = self.calendar.companies(self.target, &there, self.lags, self.scene.progress)?;
        let mut found = Vec::new();
        for ((source, there), company) in sources.into_iter().zip(&there).zip(companies) {
            let all = self.stated.of(&source);
            let said = all.iter().filter(|said| said.plain).map(|said| said.day).collect::<BTreeSet<_>>().len();
            let judged = self.judged(&source);
            // Feelings co-occur with feelings: one is the cause of another only where the text states it.
            if judged == Some(Judgement::Rejected) || all.is_empty() && self.is_feeling(&source) {
                continue;
            }
            // A stated cause does not need a lag that is barely significant.
            let company = company.filter(|company| all.is_empty() || company.tail <= HINT);
            let company = company.or_else(|| (!all.is_empty()).then(|| self.on_the_day(there, all)));
            let is_stated = !all.is_empty();
            found.extend(company.map(|company| Found { what: What::Cause(source), company, said, is_stated, judged }));
        }
        Ok(found)
    }

    /// Of several names in one clause the first is left, and none where another cause is stated in it too or where a verdict
    /// rejects one of them: the clause is the cause.
    fn once_each(&self, found: &mut Vec<Found>) {
        let places = |source: &CauseKey| -> Vec<_> {
            self.stated.of(source).iter().map(|said| (said.key, bytes(&said.cause))).collect()
        };
        let is_rejected = |source: &&CauseKey| self.judged(source) == Some(Judgement::Rejected);
        let mut told: Vec<(EntryKey, Range<usize>)> =
            self.stated.sources().filter(is_rejected).flat_map(places).collect();
        for one in found.iter().filter(|one| self.clause(one).is_none()) {
            let What::Cause(source) = &one.what else { continue };
            told.extend(places(source));
        }
        let clauses = found.iter().enumerate().filter_map(|(at, one)| Some((at, self.clause(one)?)));
        let mut clauses: Vec<_> = clauses.map(|(at, (key, cause))| (at, key, bytes(cause))).collect();
        // The widest clause says most.
        clauses.sort_by_key(|(at, _, cause)| (Reverse(cause.len()), *at));
        let mut repeated = BTreeSet::new();
        for (at, key, cause) in clauses {
            if told.iter().any(|(known, other)| *known == key && is_same_cause(other, &cause)) {
                repeated.insert(at);
            } else {
                told.push((key, cause));
            }
        }
        let mut nth = 0..;
        found.retain(|_| nth.next().is_some_and(|at: usize| !repeated.contains(&at)));
    }

    /// The words that tell a cause which is stated once, and for which the days say nothing.
    fn clause(&self, one: &Found) -> Option<(EntryKey, &Range<u32>)> {
        let What::Cause(source) = &one.what else { return None };
        let is_weak = !one.is_accepted() && Strength::of(0, &one.company) == Strength::TooFew;
        self.stated.told_once(source).filter(|_| is_weak)
    }

    fn is_feeling(&self, source: &CauseKey) -> bool {
        matches!(source, CauseKey::Named(entity) if self.scene.snapshot.graph.entity(*entity).kind == EntityKind::Emotion)
    }

    /// All names of these days except the subject and the question's other names, most frequent first, and all stated
    /// causes.
    fn sources(&self) -> Vec<CauseKey> {
        let (scene, days) = (self.scene, &self.calendar.days);
        let graph = &scene.snapshot.graph;
        let ends = days.first().zip(days.last()).filter(|_| !scene.target.is_found);
        let present = ends.map(|(first, last)| graph.present(earlier(*first, LONGEST_LAG), *last)).unwrap_or_default();
        let mut sources: Vec<CauseKey> = present
            .into_iter()
            .filter(|(entity, count)| *count >= FEWEST && graph.entity(*entity).kind != EntityKind::Emotion)
            .map(|(entity, _)| entity)
            .filter(|entity| !scene.target.about.contains(entity) && !scene.target.is_called(scene.snapshot, *entity))
            .take(MOST_NAMES)
            .map(CauseKey::Named)
            .collect();
        let names: BTreeSet<CauseKey> = sources.iter().cloned().collect();
        sources.extend(self.stated.sources().filter(|source| !names.contains(source)).cloned());
        sources
    }

    /// The days of a source. An event on an earlier day counts on that day, not on the day of the entry.
    fn there(&self, source: &CauseKey) -> Vec<civil::Date> {
        let said = self.stated.of(source);
        let moved = |key: EntryKey| said.iter().any(|said| said.key == key && said.happened.is_some());
        let first = earlier(self.scene.period.from, LONGEST_LAG);
        let entries = match source {
            CauseKey::Named(entity) => self.scene.snapshot.graph.entries_with(*entity, first, self.scene.period.to),
            CauseKey::Phrase(_) => Vec::new(),
        };
        let written = entries.into_iter().filter(|(_, key)| !moved(*key)).map(|(day, _)| day);
        // A phrase may be an end of a relation without being a mention.
        let days: BTreeSet<civil::Date> =
            written.chain(said.iter().map(|said| said.happened.unwrap_or(said.day))).collect();
        days.into_iter().collect()
    }

    /// The table of a stated cause, counted on the days of its statements, whenever it happened.
    fn on_the_day(&self, there: &[civil::Date], said: &[Said]) -> Cooccurrence {
        let all: BTreeSet<civil::Date> = there.iter().copied().chain(said.iter().map(|said| said.day)).collect();
        let all: Vec<civil::Date> = all.into_iter().collect();
        let lag = Lag(0, 0);
        let table = self.calendar.table(self.target, &cooccurrence::reached(&self.calendar.days, &all, lag));
        Cooccurrence { lag, table, tail: 1.0, chance: None }
    }

    /// The user's verdict on a source as a cause of the subject; a rejection for any of the subject's words counts.
    fn judged(&self, source: &CauseKey) -> Option<Judgement> {
        let CauseKey::Named(entity) = source else { return None };
        let graph = &self.scene.snapshot.graph;
        let subjects = self.scene.target.entities.iter();
        let verdicts = subjects.filter_map(|target| graph.verdict(*entity, *target, self.kind, None));
        verdicts.reduce(|one, other| if one == Judgement::Rejected { one } else { other })
    }

    /// A candidate as it appears in the answer.
    fn to_cause(&self, mut one: Found, measures: &[Measured]) -> Result<Named> {
        let told = match (self.clause(&one), &one.what) {
            (Some((key, cause)), What::Cause(CauseKey::Named(entity))) => {
                let name = fold(&self.scene.snapshot.graph.entity(*entity).name);
                clause(&self.scene.quotes.body(key)?, cause).filter(|told| fold(told) != name)
            }
            _ => None,
        };
        if let (Some(_), What::Cause(source)) = (&told, &one.what) {
            // The days of a name in the clause are not those of the clause.
            one.company = self.on_the_day(&[], self.stated.of(source));
        }
        let cause = Cause {
            strength: one.strength(),
            both: one.company.table.both,
            cause_only: one.company.table.cause_only,
            target_only: one.company.table.target_only,
            neither: one.company.table.neither,
            lag: one.company.lag,
            chance: one.company.chance.map(|chance| (chance * 1e4).round() / 1e4),
            accepted: one.is_accepted(),
            ..Cause::default()
        };
        let source = match one.what {
            What::Cause(source) => source,
            What::Measured((at, cut)) => {
                let (name, measure, evidence) = measures[at].measure_of(self.scene, cut)?;
                let cause = Cause { name, measure: Some(measure), evidence, ..cause };
                return Ok(Named { entity: None, cause, days: BTreeSet::new() });
            }
        };
        let said = self.stated.of(&source);
        let evidence = self.evidence(&source, one.company.lag)?;
        let days = said.iter().map(|said| said.day).collect();
        let stated = self.stated.times(&source);
        Ok(match source {
            CauseKey::Named(entity) => {
                let graph = &self.scene.snapshot.graph;
                let known = graph.entity(entity);
                let is_clause = told.is_some() || graph.is_clause(entity);
                let named = told.is_some().then(|| known.name.clone());
                let name = told.unwrap_or_else(|| known.name.clone());
                let cause = Cause { name, entity: named, kind: known.kind, stated, evidence, is_clause, ..cause };
                Named { entity: Some(entity), cause, days }
            }
            CauseKey::Phrase(name) => {
                let cause = Cause { name, stated, evidence, is_phrase: true, ..cause };
                Named { entity: None, cause, days }
            }
        })
    }

    /// Quotes: statements, latest first, unhedged ones before guesses; else the sentences that name it on the days of
    /// the subject or before.
    fn evidence(&self, source: &CauseKey, lag: Lag) -> Result<Vec<Evidence>> {
        let (scene, mut evidence) = (self.scene, Vec::new());
        let said = self.stated.of(source).iter().rev();
        let (plain, guessed): (Vec<&Said>, Vec<&Said>) = said.partition(|said| said.plain);
        for said in plain.into_iter().chain(guessed) {
            if evidence.len() == MOST_QUOTES {
                break;
            }
            let span = quotes::bytes(&said.span);
            let quote = match source {
                CauseKey::Named(entity) => scene.quotes.stating(said.key, span, *entity, &scene.target.entities)?,
                CauseKey::Phrase(words) => scene.quotes.stating_words(said.key, span, words)?,
            };
            let basis = if said.plain { Basis::Stated } else { Basis::Inferred };
            let is_new = |quote: &Evidence| !evidence.iter().any(|known: &Evidence| known.repeats(quote));
            let quote = quote.filter(is_new);
            evidence.extend(quote.map(|quote| Evidence { basis, ..quote }));
        }
        if let CauseKey::Named(entity) = source
            && evidence.is_empty()
        {
            let graph = &scene.snapshot.graph;
            let entries = graph.entries_with(*entity, earlier(scene.period.from, LONGEST_LAG), scene.period.to);
            let counts = |day: &civil::Date| {
                let reached = cooccurrence::reached(&self.calendar.days, std::slice::from_ref(day), lag);
                self.calendar.table(self.target, &reached).both > 0
            };
            for (_, key) in entries.iter().rev().filter(|(day, _)| counts(day)).take(MOST_QUOTES) {
                evidence.extend(scene.quotes.quote_with(*key, *entity, &scene.target.entities)?);
            }
        }
        Ok(evidence)
    }
}

/// The most certain first: all stated causes, all claims, and a few hints.
fn kept(mut found: Vec<Found>) -> Vec<Found> {
    found.sort_by(|a, b| {
        let key = |one: &Found| (one.strength(), usize::MAX - one.said, !one.is_stated);
        key(a).cmp(&key(b)).then(a.company.tail.total_cmp(&b.company.tail)).then_with(|| a.what.cmp(&b.what))
    });
    let mut hints = 0;
    found.retain(|one| {
        let is_hint = !one.is_stated && one.strength() == Strength::TooFew;
        let is_unusual = one.company.tail <= HINT && one.company.table.both >= FEWEST;
        hints += usize::from(is_hint && is_unusual);
        !is_hint || is_unusual && hints <= MOST_HINTS
    });
    found.truncate(MOST_CAUSES);
    found
}
