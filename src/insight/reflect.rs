//! Summary of one day, related earlier passages, and questions made from both.

use std::{collections::BTreeSet, ops::Range};

use jiff::{Span, ToSpan, Zoned, civil};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    Basis, Evidence, Inputs, Result, daily,
    patterns::{self, Pattern},
    quotes::{self, Quotes},
};
use crate::{
    extract::dates,
    index::{CatalogEntry, EntryKey, Scope, Snapshot, graph::EntityRef, keyword::KeywordQuery, passage},
    journal::{EntityKind, EntryId},
    search::{self, LegId, Search},
    spelling::counted,
};

/// The summary of a day. Every line cites entries.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Reflection {
    pub day: civil::Date,
    /// The entries, in time order.
    pub entries: Vec<Glance>,
    /// The feelings of the day, in text order.
    pub moods: Vec<Named>,
    /// Other names of the day.
    pub names: Vec<Named>,
    /// Passages of earlier days with a similar meaning.
    pub threads: Vec<Thread>,
    pub on_this_day: Vec<Then>,
    /// Feelings that recur with the names of the day.
    pub patterns: Vec<Pattern>,
    /// Number of days with entries that are missing before any pattern could be told from chance.
    pub days_to_patterns: usize,
    pub questions: Vec<Line>,
}

/// One entry of the day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Glance {
    pub id: EntryId,
    pub time: String,
    pub mood: Option<String>,
    pub text: String,
    /// Its first sentence.
    pub sentence: String,
}

/// A name with the entries that mention it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Named {
    pub name: String,
    pub kind: EntityKind,
    pub entries: Vec<EntryId>,
}

/// An earlier passage similar to a passage of the day.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Thread {
    pub day: civil::Date,
    /// The earlier passage.
    pub then: Evidence,
    /// The passage of the day.
    pub now: Evidence,
}

/// An anniversary: the same day of an earlier year, month or week.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Then {
    /// `1 year ago`, `a week ago`.
    pub when: String,
    pub day: civil::Date,
    /// The opening of the day's longest entry, which most likely shows the subject of the day.
    pub evidence: Evidence,
    /// The day's other entries, in time order.
    pub others: Vec<EntryId>,
}

/// A sentence with the entries it is made from.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    pub text: String,
    pub entries: Vec<EntryId>,
}

const MOST_THREADS: usize = 4;
const MOST_PASSAGES: usize = 6;
/// Minimum number of words: a shorter passage is similar to too many others.
const FEWEST_WORDS: usize = 6;
const MOST_QUESTIONS: usize = 3;
/// After so many days without a name, its return is worth a question.
const LONG_AGO: i32 = 30;

/// The reflection of one day. Without `encoder`, threads are found by word and graph only.
pub fn reflect(inputs: &Inputs<'_>, day: civil::Date, now: &Zoned) -> Result<Reflection> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let quotes = Quotes::of(snapshot);
    let entries: Vec<&CatalogEntry> = snapshot.catalog.day(day).collect();
    let keys: Vec<EntryKey> = entries.iter().map(|entry| entry.key).collect();
    let mut glances = Vec::new();
    for entry in &entries {
        progress.goes_on()?;
        let opening = quotes.opening(entry.key, Basis::Stated)?;
        glances.push(Glance {
            id: entry.id.clone(),
            time: entry.time.written.clone(),
            mood: entry.mood.clone(),
            text: quotes.body(entry.key)?.to_string(),
            sentence: opening.map_or_else(String::new, |evidence| evidence.text),
        });
    }
    let named = named(snapshot, &keys);
    let entities: Vec<EntityRef> = named.iter().map(|(entity, _)| *entity).collect();
    let patterns = patterns::patterns(inputs, &quotes, &entities, day)?;
    let days_to_patterns = patterns::days_missing(snapshot, &entities, day);
    let (moods, names): (Vec<_>, Vec<_>) = named.into_iter().partition(|(_, named)| named.kind == EntityKind::Emotion);
    let threads = threads(inputs, &quotes, &keys, (day, now))?;
    let questions = questions(snapshot, day, &entries, &names, now)?;
    Ok(Reflection {
        day,
        entries: glances,
        moods: moods.into_iter().map(|(_, named)| named).collect(),
        names: names.into_iter().map(|(_, named)| named).collect(),
        threads,
        on_this_day: on_this_day(snapshot, &quotes, day)?,
        patterns,
        days_to_patterns,
        questions,
    })
}

/// The names of some entries in text order, each once, with the entries that mention it.
pub(super) fn named(snapshot: &Snapshot, keys: &[EntryKey]) -> Vec<(EntityRef, Named)> {
    let mut found: Vec<(EntityRef, Named)> = Vec::new();
    for key in keys {
        let Some(entry) = snapshot.catalog.by_key(*key) else { continue };
        for (entity, _) in snapshot.graph.names_of_entry(*key) {
            match found.iter_mut().find(|(known, _)| *known == entity) {
                Some((_, named)) => named.entries.push(entry.id.clone()),
                None => {
                    let known = snapshot.graph.entity(entity);
                    let entries = vec![entry.id.clone()];
                    found.push((entity, Named { name: known.name.clone(), kind: known.kind, entries }));
                }
            }
        }
    }
    found
}

/// Searches all days before `day` for the passages of some entries; each earlier entry once, the most certain first.
pub(super) fn threads(
    inputs: &Inputs<'_>,
    quotes: &Quotes<'_>,
    keys: &[EntryKey],
    (day, now): (civil::Date, &Zoned),
) -> Result<Vec<Thread>> {
    let Inputs { snapshot, encoder, progress, .. } = *inputs;
    let mut asked: Vec<(EntryKey, Range<usize>, usize)> = Vec::new();
    for key in keys {
        for (span, words) in passages(&quotes.body(*key)?, FEWEST_WORDS) {
            asked.push((*key, span, words));
        }
    }
    asked.sort_by_key(|(_, span, words)| (std::cmp::Reverse(*words), span.start));
    asked.truncate(MOST_PASSAGES);
    let mut found: Vec<(f32, Thread, EntryKey)> = Vec::new();
    let count = asked.len();
    for (nth, (key, span, _)) in asked.into_iter().enumerate() {
        progress.at("looking for threads", nth, count)?;
        let body = quotes.body(key)?;
        let text = plain(body.get(span.clone()).unwrap_or_default());
        let search = Search { filters: vec![format!("before:{day}")], ..Search::new(text, 2, now.clone()) };
        for hit in
            inputs.hits(&search)?.into_iter().filter(|hit| !hit.weak && (encoder.is_none() || is_by_meaning(hit)))
        {
            let then = quotes.prose(hit.key, hit.place())?;
            let now = quotes.prose(key, span.clone())?;
            let known = snapshot.catalog.by_key(hit.key);
            if let (Some(then), Some(now), Some(known)) = (then, now, known) {
                found.push((hit.score, Thread { day: known.day, then, now }, hit.key));
            }
        }
    }
    found.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.2.cmp(&b.2)));
    let mut seen = BTreeSet::new();
    found.retain(|(_, _, key)| seen.insert(*key));
    Ok(found.into_iter().map(|(_, thread, _)| thread).take(MOST_THREADS).collect())
}

/// The passages of a text with at least `fewest` words, and their numbers of words.
pub(super) fn passages(text: &str, fewest: usize) -> Vec<(Range<usize>, usize)> {
    let spans = passage::passages(text).into_iter().map(|passage| quotes::bytes(&passage.span));
    let counted = spans.filter_map(|span| Some((span.clone(), text.get(span)?.split_whitespace().count())));
    counted.filter(|(_, words)| *words >= fewest).collect()
}

pub(super) fn is_by_meaning(hit: &search::Hit) -> bool {
    hit.legs[LegId::Vector].is_some()
}

/// A text without the characters that are query syntax.
pub(super) fn plain(text: &str) -> String {
    let words = text.split_whitespace().map(|word| word.trim_start_matches('-').replace(['"', ':', '“', '”'], " "));
    words.collect::<Vec<_>>().join(" ")
}

/// The same month and day in earlier years, the latest first, then a month and a week ago. In years without a 29th of
/// February, the 28th stands for it; and for the 28th of such a year, leap years show both the 28th and the 29th.
pub(super) fn on_this_day(snapshot: &Snapshot, quotes: &Quotes<'_>, day: civil::Date) -> Result<Vec<Then>> {
    let Some(first) = snapshot.catalog.entries().iter().map(|entry| entry.day).min() else { return Ok(Vec::new()) };
    let mut then = Vec::new();
    for years in 1..=(day.year() - first.year()).max(0) {
        let when = counted(years, "year ago", "years ago");
        for same in same_day(day, day.year() - years) {
            then.push((when.clone(), same));
        }
    }
    then.extend(day.checked_sub(Span::new().months(1)).ok().map(|day| ("a month ago".to_owned(), day)));
    then.extend(day.checked_sub(7.days()).ok().map(|day| ("a week ago".to_owned(), day)));
    let mut lines = Vec::new();
    for (when, day) in then {
        let longest = snapshot.catalog.day(day).max_by_key(|entry| (entry.words, std::cmp::Reverse(entry.key)));
        if let Some(entry) = longest
            && let Some(evidence) = quotes.opening(entry.key, Basis::Stated)?
        {
            let further = snapshot.catalog.day(day).filter(|other| other.key != entry.key);
            lines.push(Then { when, day, evidence, others: further.map(|other| other.id.clone()).collect() });
        }
    }
    Ok(lines)
}

fn same_day(day: civil::Date, year: i16) -> Vec<civil::Date> {
    let of = |month, day| civil::Date::new(year, month, day).ok();
    let same = of(day.month(), day.day());
    let is_last_of_february = day.month() == 2 && day.day() == 28 && !day.in_leap_year();
    match same {
        None => of(2, 28).into_iter().collect(),
        Some(same) => std::iter::once(same).chain(of(2, 29).filter(|_| is_last_of_february)).collect(),
    }
}

/// Questions from the day's data: a turn within the day, a recurring feeling, a returning name.
fn questions(
    snapshot: &Snapshot,
    day: civil::Date,
    entries: &[&CatalogEntry],
    names: &[(EntityRef, Named)],
    now: &Zoned,
) -> Result<Vec<Line>> {
    let mut lines: Vec<Line> = turn(entries).into_iter().chain(again(snapshot, day, entries)).collect();
    // The return of a month or of a common noun means nothing.
    let is_person = |named: &Named| named.kind == EntityKind::Person;
    let is_proper = |name: &str| name.starts_with(char::is_uppercase) && dates::range(name, now).is_none();
    let is_asked =
        |named: &Named| matches!(named.kind, EntityKind::Person | EntityKind::Event) || is_proper(&named.name);
    let mut asked: Vec<_> = names.iter().filter(|(_, named)| is_asked(named)).collect();
    asked.sort_by_key(|(_, named)| !is_person(named));
    let returned = asked.into_iter().find_map(|(entity, named)| returned(snapshot, day, *entity, named).transpose());
    lines.extend(returned.transpose()?);
    lines.truncate(MOST_QUESTIONS);
    Ok(lines)
}

fn turn(entries: &[&CatalogEntry]) -> Option<Line> {
    let known: Vec<_> = entries.iter().filter_map(|entry| Some((entry, daily::valence_of(entry)?))).collect();
    let (first, last) = (known.first()?, known.last()?);
    let (began, ended) = (first.0.mood.as_deref()?, last.0.mood.as_deref()?);
    let text = if last.1 - first.1 >= 0.6 {
        format!("The day began {began} and ended {ended}. What turned it?")
    } else if first.1 - last.1 >= 0.6 {
        format!("The day began {began} and ended {ended}. When did it turn?")
    } else {
        return None;
    };
    Some(Line { text, entries: vec![first.0.id.clone(), last.0.id.clone()] })
}

fn again(snapshot: &Snapshot, day: civil::Date, entries: &[&CatalogEntry]) -> Option<Line> {
    let low = entries.iter().find(|entry| daily::valence_of(entry).is_some_and(|valence| valence < -0.15))?;
    let mood = low.mood.as_deref()?;
    let week = snapshot.catalog.days(day.saturating_sub(6.days()), day);
    let same: Vec<&CatalogEntry> = week.filter(|entry| entry.mood.as_deref() == Some(mood)).collect();
    let days: BTreeSet<civil::Date> = same.iter().map(|entry| entry.day).collect();
    (days.len() >= 2).then(|| Line {
        text: format!("“{mood}” on {} of the last 7 days. What do these days have in common?", days.len()),
        entries: same.iter().map(|entry| entry.id.clone()).collect(),
    })
}

fn returned(snapshot: &Snapshot, day: civil::Date, entity: EntityRef, named: &Named) -> Result<Option<Line>> {
    let earlier = day.yesterday().map(|yesterday| snapshot.graph.entries_with(entity, civil::Date::MIN, yesterday));
    let Some((last, key)) = earlier.ok().and_then(|mut earlier| earlier.pop()) else { return Ok(None) };
    let Some(then) = snapshot.catalog.by_key(key).filter(|_| (day - last).get_days() >= LONG_AGO) else {
        return Ok(None);
    };
    if is_written_between(snapshot, &named.name, last, day)? {
        return Ok(None);
    }
    let mood = then.mood.as_deref().map_or_else(String::new, |mood| format!(" ({mood})"));
    let text = format!("Before this, you last wrote about {} on {last}{mood}. What happened in between?", named.name);
    let entries = std::iter::once(then.id.clone()).chain(named.entries.iter().cloned()).collect();
    Ok(Some(Line { text, entries }))
}

/// Whether an entry between two days has the words of a name, though maybe not as this name: the `left knee` of a `knee`.
fn is_written_between(snapshot: &Snapshot, name: &str, first: civil::Date, last: civil::Date) -> Result<bool> {
    let (Ok(first), Ok(last)) = (first.tomorrow(), last.yesterday()) else { return Ok(false) };
    let query = KeywordQuery { phrases: vec![name.to_owned()], ..KeywordQuery::default() };
    let scope = Scope::of_days(snapshot.catalog.clone(), &[(first, last)], |_| true);
    Ok(!snapshot.keyword.find(&query, &scope, 1, snapshot.fresh.as_ref())?.hits.is_empty())
}

/// A quote inside a sentence: one line, with a closing mark.
pub(super) fn clipped(text: &str) -> String {
    const LONGEST: usize = 90;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return line;
    }
    let cut: String = line.chars().take(LONGEST).collect();
    format!("{}…", cut.rsplit_once(' ').map_or(cut.as_str(), |(kept, _)| kept))
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn the_29th_of_february_is_met_every_year() {
        assert_eq!(same_day(date(2024, 2, 29), 2020), [date(2020, 2, 29)]);
        assert_eq!(same_day(date(2024, 2, 29), 2023), [date(2023, 2, 28)]);
        assert_eq!(same_day(date(2023, 2, 28), 2020), [date(2020, 2, 28), date(2020, 2, 29)]);
        assert_eq!(same_day(date(2024, 2, 28), 2020), [date(2020, 2, 28)]);
        assert_eq!(same_day(date(2026, 8, 14), 2025), [date(2025, 8, 14)]);
    }

    #[test]
    fn a_passage_is_no_query_language() {
        let query =
            search::Query::parse(&plain("- \"No\" mood:calm -x tag:y"), &"2026-08-14T12:00Z[UTC]".parse().unwrap());
        assert!(query.filters.is_empty() && query.excluded.is_empty() && query.phrases.is_empty(), "{query:?}");
    }
}
