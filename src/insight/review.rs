//! Review of a week, a month or a year: highs and lows, names, and changes from the one before.

use jiff::{Span, ToSpan, Zoned, civil};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Basis, Evidence, Inputs, Period, Result, daily,
    patterns::{self, Pattern},
    quotes::Quotes,
    reflect::{self, Line, Then, Thread},
    stats::{Change, changes, hundredths},
};
use crate::{
    index::{CatalogEntry, EntryKey, Snapshot, graph::EntityRef},
    journal::{EntityKind, EntryId, words},
    search::{Legs, Search},
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    Week,
    Month,
    Year,
}

words! { Unit: Week "week", Month "month", Year "year" }

impl Unit {
    /// The period that contains a day; weeks run from Monday to Sunday.
    pub fn around(self, day: civil::Date) -> Period {
        let (from, length) = match self {
            Self::Week => {
                let since_monday = i32::from(day.weekday().to_monday_zero_offset());
                (day.saturating_sub(since_monday.days()), Span::new().weeks(1))
            }
            Self::Month => (day.first_of_month(), Span::new().months(1)),
            Self::Year => (day.first_of_year(), Span::new().years(1)),
        };
        let next = from.saturating_add(length);
        Period { from, to: next.yesterday().unwrap_or(next) }
    }
}

/// A review. Every line cites entries.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Review {
    pub unit: Unit,
    pub period: Period,
    /// The previous period, for comparison.
    pub before: Period,
    pub counts: Counts,
    pub counts_before: Counts,
    pub highs: Vec<Moment>,
    pub lows: Vec<Moment>,
    /// Feelings, most entries first.
    pub moods: Vec<MoodChange>,
    /// Other names, most days first.
    pub names: Vec<NameChange>,
    pub threads: Vec<Thread>,
    pub on_this_day: Vec<Then>,
    /// Feelings that recur with the names of the period.
    pub patterns: Vec<Pattern>,
    /// Number of days with entries that are missing before any pattern could be told from chance.
    pub days_to_patterns: usize,
    pub questions: Vec<Line>,
}

#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, JsonSchema)]
pub struct Counts {
    pub entries: usize,
    pub days: usize,
    pub words: u64,
    /// Number of entries with a mood from the word lists, and their mean valence from -1 to 1.
    pub n_moods: usize,
    pub valence: Option<f32>,
}

/// An entry with an extreme mood.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Moment {
    pub day: civil::Date,
    pub mood: String,
    pub valence: f32,
    pub evidence: Evidence,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MoodChange {
    pub name: String,
    /// Number of entries in the period.
    pub n: usize,
    /// Number of entries in the previous period.
    pub before: usize,
    pub entries: Vec<EntryId>,
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct NameChange {
    #[serde(flatten)]
    pub change: Change,
    /// The latest entries that mention it.
    pub entries: Vec<EntryId>,
}

const MOST_MOMENTS: usize = 3;
const MOST_MOODS: usize = 6;
const MOST_NAMES: usize = 8;
const MOST_CITED: usize = 3;
const MOST_QUESTIONS: usize = 3;
/// Moods with a smaller valence are neither high nor low.
const APART: f32 = 0.25;

/// Reviews the period that contains `day`.
pub fn review(inputs: &Inputs<'_>, unit: Unit, day: civil::Date, now: &Zoned) -> Result<Review> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let quotes = Quotes::of(snapshot);
    let period = unit.around(day);
    let before = unit.around(period.from.yesterday().unwrap_or(period.from));
    let (highs, lows) = moments(snapshot, &quotes, period)?;
    let changed = changes(snapshot, period, before, MOST_NAMES);
    let named: Vec<EntityRef> = changed.iter().map(|(entity, _)| *entity).collect();
    let names = changed.into_iter();
    let names = names.map(|(entity, change)| NameChange { change, entries: cited_in(snapshot, entity, period) });
    let names: Vec<NameChange> = names.collect();
    let apart = |moment: &Moment| EntryKey::of(&moment.evidence.id);
    let keys: Vec<EntryKey> = lows.iter().take(2).chain(highs.iter().take(2)).map(apart).collect();
    let threads = reflect::threads(inputs, &quotes, &keys, (period.from, now))?;
    let on_this_day = match unit {
        Unit::Week | Unit::Month => a_year_before(snapshot, &quotes, period)?,
        Unit::Year => Vec::new(),
    };
    let patterns = patterns::patterns(inputs, &quotes, &named, period.to)?;
    let days_to_patterns = patterns::days_missing(snapshot, &named, period.to);
    progress.goes_on()?;
    let new = named.iter().zip(&names).find(|(_, name)| name.change.days >= 3 && name.change.before == 0);
    let mut questions: Vec<Line> = gone(inputs, unit, [before, period], now)?.into_iter().collect();
    questions.extend(new.and_then(|(entity, name)| came(snapshot, unit, [before, period], *entity, name)));
    questions.extend(of_moments(&lows, &highs));
    questions.truncate(MOST_QUESTIONS);
    Ok(Review {
        unit,
        period,
        before,
        counts: counts(snapshot, period),
        counts_before: counts(snapshot, before),
        highs,
        lows,
        moods: moods(snapshot, period, before),
        names,
        threads,
        on_this_day,
        patterns,
        days_to_patterns,
        questions,
    })
}

fn counts(snapshot: &Snapshot, period: Period) -> Counts {
    let entries: Vec<&CatalogEntry> = snapshot.catalog.days(period.from, period.to).collect();
    let known: Vec<f32> = entries.iter().filter_map(|entry| daily::valence_of(entry)).collect();
    Counts {
        entries: entries.len(),
        days: daily::days(&snapshot.catalog, period).len(),
        words: entries.iter().map(|entry| u64::from(entry.words)).sum(),
        n_moods: known.len(),
        valence: (!known.is_empty()).then(|| hundredths(known.iter().sum::<f32>() / known.len() as f32)),
    }
}

/// The best and the worst entries by mood, one per day; among equals the longer one.
fn moments(snapshot: &Snapshot, quotes: &Quotes<'_>, period: Period) -> Result<(Vec<Moment>, Vec<Moment>)> {
    let entries = snapshot.catalog.days(period.from, period.to);
    let mut known: Vec<(f32, &CatalogEntry)> =
        entries.filter_map(|entry| Some((daily::valence_of(entry)?, entry))).collect();
    let mut pick = |sign: f32| -> Result<Vec<Moment>> {
        known.sort_by(|a, b| {
            (sign * b.0).total_cmp(&(sign * a.0)).then(b.1.words.cmp(&a.1.words)).then(a.1.key.cmp(&b.1.key))
        });
        let mut moments: Vec<Moment> = Vec::new();
        for (valence, entry) in known.iter().filter(|(valence, _)| sign * valence >= APART) {
            if moments.len() == MOST_MOMENTS {
                break;
            }
            if moments.iter().any(|moment| moment.day == entry.day) {
                continue;
            }
            if let Some(evidence) = quotes.opening(entry.key, Basis::Stated)? {
                let mood = entry.mood.clone().unwrap_or_default();
                moments.push(Moment { day: entry.day, mood, valence: hundredths(*valence), evidence });
            }
        }
        Ok(moments)
    };
    Ok((pick(1.0)?, pick(-1.0)?))
}

fn moods(snapshot: &Snapshot, period: Period, before: Period) -> Vec<MoodChange> {
    let graph = &snapshot.graph;
    let mut moods: Vec<MoodChange> = graph
        .present(period.from, period.to)
        .into_iter()
        .filter(|(entity, _)| graph.entity(*entity).kind == EntityKind::Emotion)
        .map(|(entity, _)| {
            let [here, earlier] = [period, before].map(|days| graph.entries_with(entity, days.from, days.to));
            let (n, before) = (here.len(), earlier.len());
            MoodChange { name: graph.entity(entity).name.clone(), n, before, entries: cited(snapshot, here) }
        })
        .collect();
    moods.sort_by(|a, b| b.n.cmp(&a.n).then_with(|| a.name.cmp(&b.name)));
    moods.truncate(MOST_MOODS);
    moods
}

/// The ids of the latest entries of a period that mention an entity.
fn cited_in(snapshot: &Snapshot, entity: EntityRef, period: Period) -> Vec<EntryId> {
    cited(snapshot, snapshot.graph.entries_with(entity, period.from, period.to))
}

/// The ids of the latest of some entries.
fn cited(snapshot: &Snapshot, entries: Vec<(civil::Date, EntryKey)>) -> Vec<EntryId> {
    let known = entries.into_iter().rev().filter_map(|(_, key)| Some(snapshot.catalog.by_key(key)?.id.clone()));
    known.take(MOST_CITED).collect()
}

/// The same days a year before: the longest entry of a few of them.
fn a_year_before(snapshot: &Snapshot, quotes: &Quotes<'_>, period: Period) -> Result<Vec<Then>> {
    let year = Span::new().years(1);
    let (from, to) = (period.from.saturating_sub(year), period.to.saturating_sub(year));
    let mut entries: Vec<&CatalogEntry> = snapshot.catalog.days(from, to).collect();
    entries.sort_by_key(|entry| (std::cmp::Reverse(entry.words), entry.key));
    entries.truncate(MOST_MOMENTS);
    entries.sort_by_key(|entry| (entry.day, entry.time.at));
    let mut then = Vec::new();
    for entry in entries {
        if let Some(evidence) = quotes.opening(entry.key, Basis::Stated)? {
            then.push(Then { when: "1 year ago".to_owned(), day: entry.day, evidence, others: Vec::new() });
        }
    }
    Ok(then)
}

/// A name of several days of the period before that no entry of this one has, not even as an ordinary word.
fn gone(inputs: &Inputs<'_>, unit: Unit, [before, period]: [Period; 2], now: &Zoned) -> Result<Option<Line>> {
    let snapshot = inputs.snapshot;
    for (entity, gone) in changes(snapshot, before, period, MOST_NAMES) {
        if gone.days < 3 || gone.before > 0 {
            continue;
        }
        let search = Search {
            legs: Legs::WITHOUT_MODEL,
            ..period.search(format!("\"{}\"", gone.name.replace('"', " ")), 1, now)
        };
        if inputs.hits(&search)?.is_empty() {
            let (name, days, unit) = (gone.name, gone.days, unit.word());
            let text =
                format!("You mentioned {name} on {days} days of the {unit} before and on none now. What happened?");
            return Ok(Some(Line { text, entries: cited_in(snapshot, entity, before) }));
        }
    }
    Ok(None)
}

/// A name of several days that the period before has not: new, or back.
fn came(
    snapshot: &Snapshot,
    unit: Unit,
    [before, period]: [Period; 2],
    entity: EntityRef,
    new: &NameChange,
) -> Option<Line> {
    // Everybody is new in the first year of a journal.
    let written = |period: Period| daily::days(&snapshot.catalog, period).len();
    let is_comparable = written(before) * 2 >= written(period);
    let is_known = !snapshot.graph.days_with(entity, civil::Date::MIN, before.from).is_empty();
    let (name, days, unit) = (&new.change.name, new.change.days, unit.word());
    let came = if is_known { "back" } else { "new" };
    let text = format!("{name} is {came}: {days} days, none in the {unit} before. What came with it?");
    is_comparable.then(|| Line { text, entries: new.entries.clone() })
}

fn of_moments(lows: &[Moment], highs: &[Moment]) -> Vec<Line> {
    let questions = [(lows, "What helped, or would have?"), (highs, "What would bring more such days?")];
    let lines = questions.into_iter().filter_map(|(moments, question)| {
        let Moment { day, mood, evidence, .. } = moments.first()?;
        let text = format!("{day} was {mood}: “{}” {question}", reflect::clipped(&evidence.text));
        Some(Line { text, entries: vec![evidence.id.clone()] })
    });
    lines.collect()
}
