//! Recurring patterns: feelings that go with the names of a period, as stated in the text or inferred from the days
//! of the last year.
//!
//! Two sources, never mixed, as in [`super::why`]: relations that are stated on several days, and co-occurrence whose
//! chance is at most [`CLAIM`]. Several names are tested at once, so the chance of each is multiplied by their number
//! (Bonferroni), and only as many are tested as still allow a claim. What does not pass is not shown.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil;
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Evidence, Inputs, Period, ProgressReporter, Result,
    cooccurrence::{Calendar, Cooccurrence, Days, FEWEST, Lag, Table},
    daily,
    quotes::{self, Quotes},
    why::{CLAIM, Strength, eases, is_cause},
};
use crate::{
    index::{
        EntryKey, Snapshot,
        graph::{EntityRef, Evidence as Statement, Judgement, distinct},
    },
    journal::{EntityKind, RelationKind},
    spelling::counted,
};

/// Number of days that are counted, up to the last day of the period.
const WINDOW: i32 = 365;
const MOST_FEELINGS: usize = 40;
/// Minimum number of days with a statement for a pattern.
const STATED_DAYS: usize = 2;
const MOST: usize = 4;
const MOST_QUOTES: usize = 3;

/// A name and a feeling, with the counts of days and the evidence.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Pattern {
    pub name: String,
    pub kind: EntityKind,
    pub mood: String,
    pub relation: Tie,
    pub strength: Strength,
    /// Number of quotes that state it.
    pub stated: usize,
    /// Days with both, in the last year.
    pub both: u32,
    /// Days with the name.
    pub with_name: u32,
    /// Days with the feeling.
    pub with_mood: u32,
    /// Days with entries.
    pub days: u32,
    pub evidence: Vec<Evidence>,
}

/// The relation between name and feeling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Tie {
    /// The text states that the name leads to the feeling.
    LeadsTo,
    /// The text states that the name eases the feeling.
    Eases,
    /// They share days; no relation is stated.
    Together,
}

impl Pattern {
    /// `stated 4 · on 6 of 9 days with it, 8 of 63 in all`; `them` for a person.
    pub fn counts(&self) -> String {
        let stated = if self.stated > 0 { format!("stated {} · ", self.stated) } else { String::new() };
        let days = counted(self.with_name, "day", "days");
        let it = if self.kind == EntityKind::Person { "them" } else { "it" };
        format!("{stated}on {} of {days} with {it}, {} of {} in all", self.both, self.with_mood, self.days)
    }

    /// The words between the name and the feeling.
    pub fn verb(&self) -> &'static str {
        match self.relation {
            Tie::LeadsTo => "leads to",
            Tie::Eases => "eases",
            Tie::Together => "goes with",
        }
    }
}

/// Shown instead of patterns, while days with entries are missing.
pub fn none_yet(days_missing: usize) -> String {
    format!("none yet: needs {} with entries", counted(days_missing, "more day", "more days"))
}

/// A candidate for a pattern.
struct Found {
    name: EntityRef,
    mood: EntityRef,
    tie: Tie,
    strength: Strength,
    said: Vec<(civil::Date, EntryKey, std::ops::Range<u32>)>,
    table: Table,
}

/// The year of days that patterns are counted on.
struct Year<'a> {
    snapshot: &'a Snapshot,
    period: Period,
    calendar: Calendar,
}

/// The patterns of these names and feelings, seen from a day: the most certain first.
pub(super) fn patterns(
    inputs: &Inputs<'_>,
    quotes: &Quotes<'_>,
    named: &[EntityRef],
    until: civil::Date,
) -> Result<Vec<Pattern>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let year = Year::until(snapshot, until);
    let (moods, names): (Vec<EntityRef>, Vec<EntityRef>) =
        named.iter().partition(|entity| snapshot.graph.entity(**entity).kind == EntityKind::Emotion);
    let mut found = year.stated(&names, &moods);
    for one in year.companies(&names, progress)? {
        if !found.iter().any(|known| (known.name, known.mood) == (one.name, one.mood)) {
            found.push(one);
        }
    }
    found.sort_by(|a, b| (a.strength, b.said.len(), a.name, a.mood).cmp(&(b.strength, a.said.len(), b.name, b.mood)));
    found.truncate(MOST);
    found.into_iter().map(|found| year.pattern(quotes, found)).collect()
}

/// Number of days with entries that are missing before any pattern of these names could be told from chance.
pub(super) fn days_missing(snapshot: &Snapshot, named: &[EntityRef], until: civil::Date) -> usize {
    if named.is_empty() { 0 } else { Year::until(snapshot, until).calendar.days_missing(CLAIM) }
}

impl<'a> Year<'a> {
    fn until(snapshot: &'a Snapshot, last: civil::Date) -> Self {
        let period = Period::up_to(last, WINDOW);
        Self { snapshot, period, calendar: daily::calendar(&snapshot.catalog, period, |_| true) }
    }

    fn days_with(&self, entity: EntityRef) -> Vec<civil::Date> {
        self.snapshot.graph.days_with(entity, self.period.from, self.period.to)
    }

    fn marked(&self, entity: EntityRef) -> Days {
        let there = self.days_with(entity);
        Days::marking(&self.calendar.days, |day| there.binary_search(&day).is_ok())
    }

    /// Relations from a name to a feeling that the text states on several days of the year, if the name or the
    /// feeling belongs to the period.
    fn stated(&self, names: &[EntityRef], moods: &[EntityRef]) -> Vec<Found> {
        let graph = &self.snapshot.graph;
        let mut said: BTreeMap<(EntityRef, EntityRef, Tie), Vec<Statement>> = BTreeMap::new();
        for entity in names.iter().chain(moods) {
            for edge in graph.edges(*entity) {
                let tie = if eases(&edge) { Tie::Eases } else { Tie::LeadsTo };
                let is_of_feeling = graph.entity(edge.target).kind == EntityKind::Emotion
                    && graph.entity(edge.source).kind != EntityKind::Emotion;
                if !is_of_feeling || !(tie == Tie::Eases || is_cause(&edge)) {
                    continue;
                }
                said.entry((edge.source, edge.target, tie)).or_default().extend(edge.evidence);
            }
        }
        said.into_iter().filter_map(|((name, mood, tie), said)| self.as_stated(name, mood, tie, said)).collect()
    }

    fn as_stated(&self, name: EntityRef, mood: EntityRef, tie: Tie, told: Vec<Statement>) -> Option<Found> {
        let placed = |said: &Statement| {
            let day = self.snapshot.catalog.by_key(said.entry)?.day;
            self.period.holds(day).then(|| (day, said.entry, said.span.clone()))
        };
        let mut said: Vec<_> = distinct(&told).into_iter().filter_map(placed).collect();
        said.sort_by_key(|(day, key, span)| (*day, *key, span.start));
        let days: BTreeSet<civil::Date> = said.iter().map(|(day, ..)| *day).collect();
        if days.len() < STATED_DAYS {
            return None;
        }
        let mut there = self.days_with(name);
        // A phrase may be an end of a relation without being a mention.
        there.extend(&days);
        let there = Days::marking(&self.calendar.days, |day| there.contains(&day));
        let table = self.calendar.table(&self.marked(mood), &there);
        let company = Cooccurrence { lag: Lag(0, 0), table, tail: 1.0, chance: None };
        Some(Found { name, mood, tie, strength: Strength::of(days.len(), &company), said, table })
    }

    /// The feelings on the days of each name, for the most frequent names.
    fn companies(&self, names: &[EntityRef], progress: &ProgressReporter<'_>) -> Result<Vec<Found>> {
        let graph = &self.snapshot.graph;
        let present = graph.present(self.period.from, self.period.to);
        let feelings: Vec<EntityRef> = present
            .iter()
            .filter(|(entity, days)| *days >= FEWEST && graph.entity(*entity).kind == EntityKind::Emotion)
            .map(|(entity, _)| *entity)
            .take(MOST_FEELINGS)
            .collect();
        let there: Vec<Vec<civil::Date>> = feelings.iter().map(|mood| self.days_with(*mood)).collect();
        // The smallest possible chance is one in this number.
        let finest = (1 + self.calendar.moves()) as f64;
        // A name on most days co-occurs with everything.
        let often = self.calendar.days.len() as u32 / 2;
        let tried: Vec<EntityRef> = present
            .iter()
            .filter(|(entity, days)| (FEWEST..=often).contains(days) && names.contains(entity))
            .map(|(entity, _)| *entity)
            .take(((CLAIM * finest) as usize).max(1))
            .collect();
        let mut found = Vec::new();
        // One name is a short step, so progress is reported by name.
        let each = ProgressReporter { report: &|_| {}, ..*progress };
        for (nth, name) in tried.iter().enumerate() {
            progress.at("looking for patterns", nth, tried.len())?;
            let companies = self.calendar.companies(&self.marked(*name), &there, &[Lag(0, 0)], &each)?;
            for (company, mood) in companies.into_iter().zip(&feelings) {
                let Some(company) = company else { continue };
                let chance = company.chance.map(|chance| chance * tried.len() as f64);
                let strength = Strength::of(0, &Cooccurrence { chance, ..company });
                let rejected = Some(Judgement::Rejected);
                let is_shown =
                    strength != Strength::TooFew && graph.verdict(*name, *mood, RelationKind::Causal, None) != rejected;
                if is_shown {
                    let table = company.table;
                    found.push(Found {
                        name: *name,
                        mood: *mood,
                        tie: Tie::Together,
                        strength,
                        said: Vec::new(),
                        // Here the name's days are the target; in the result they are the cause, so the two counts
                        // are swapped.
                        table: Table { cause_only: table.target_only, target_only: table.cause_only, ..table },
                    });
                }
            }
        }
        Ok(found)
    }

    fn pattern(&self, quotes: &Quotes<'_>, found: Found) -> Result<Pattern> {
        let graph = &self.snapshot.graph;
        let (name, mood, table) = (graph.entity(found.name), graph.entity(found.mood), found.table);
        let mut evidence = Vec::new();
        for (_, key, span) in found.said.iter().rev().take(MOST_QUOTES) {
            let quote = quotes.stating(*key, quotes::bytes(span), found.name, &[found.mood])?;
            evidence.extend(quote.filter(|quote| !evidence.iter().any(|known: &Evidence| known.repeats(quote))));
        }
        if evidence.is_empty() {
            let felt = self.days_with(found.mood);
            let entries = graph.entries_with(found.name, self.period.from, self.period.to);
            let both = entries.iter().rev().filter(|(day, _)| felt.binary_search(day).is_ok());
            for (_, key) in both.take(MOST_QUOTES) {
                evidence.extend(quotes.together(*key, found.name, found.mood)?);
            }
        }
        Ok(Pattern {
            name: name.name.clone(),
            kind: name.kind,
            mood: mood.name.clone(),
            relation: found.tie,
            strength: found.strength,
            stated: found.said.len(),
            both: table.both,
            with_name: table.both + table.cause_only,
            with_mood: table.both + table.target_only,
            days: self.calendar.days.len() as u32,
            evidence,
        })
    }
}
