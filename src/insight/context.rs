//! Context for an agent: what the journal knows about a query, a day or a project, in a block of bounded size.
//!
//! With a query: the entries that a search finds, by meaning, words and connection, and the neighbourhood of the names
//! in them. Then, in any case, open goals, facts, recent days, people and threads.

use std::collections::HashSet;

use jiff::{ToSpan, Zoned, civil};

use super::{
    Inputs, Period, Result,
    digest::{
        Digest, Section, named,
        sections::{self, neighbour, stating, telling},
    },
    names, patterns,
    quotes::Quotes,
    records::{self, Record, RecordFilter},
    reflect,
    stats::{self, Change},
};
use crate::{
    index::{EntryKey, graph::EntityRef},
    journal::{EntryId, RecordKind, RecordStatus},
    search::{Hit, Search, narrow::filter, query::ANY_RECORD},
    spelling::counted,
};

/// The subject of a context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Focus {
    /// The whole journal.
    Journal,
    /// The current day.
    Day,
    /// Entries with a tag or name, and records of the project.
    Project(String),
}

/// A request for a context.
#[derive(Debug, Clone)]
pub struct ContextRequest {
    pub query: Option<String>,
    pub focus: Focus,
    /// Maximum size, in tokens.
    pub budget: usize,
    pub now: Zoned,
}

const MOST_HITS: usize = 10;
const MOST_NEIGHBOURS: usize = 6;
/// Number of names whose neighbourhood is shown.
const MOST_CENTERS: usize = 3;
const MOST_RECENT: usize = 20;
const MOST_RECORDS: usize = 20;
const RECENT_DAYS: i32 = 30;
const MOST_NAMES: usize = 12;
/// Maximum length of an entry's text, in characters.
const LONGEST: usize = 400;

/// The context of a request. Costs two searches, and another few for threads.
pub fn context(inputs: &Inputs<'_>, request: &ContextRequest) -> Result<Digest> {
    let (quotes, today) = (Quotes::of(inputs.snapshot), request.now.date());
    let open = |kind| records::records(inputs.with_records, &open_records(kind));
    let (goals, facts) = (open(RecordKind::Goal)?, open(RecordKind::Fact)?);
    let (mut parts, mut notice) = (Vec::new(), None);
    if request.focus == Focus::Day {
        let reflection = reflect::reflect(inputs, today, &request.now)?;
        parts.extend(sections::of_reflection(&reflection));
    }
    if let Focus::Project(name) = &request.focus {
        let (project, keys) = project(inputs, name, &request.now)?;
        let (records, has_records) = project_records(inputs, name)?;
        if keys.is_empty() && !has_records {
            notice = Some(format!("no project `{name}`: no tag, name or record has it"));
        }
        parts.extend([project, records, neighbourhood(inputs, name, &keys)?]);
    }
    if let Some(query) = request.query.as_deref().filter(|query| !query.trim().is_empty()) {
        let (found, keys) = found(inputs, query, &request.now)?;
        let listed: Vec<&EntryId> = goals.iter().chain(&facts).map(|record| &record.id).collect();
        let records = found_records(inputs, query, &listed, &request.now)?;
        parts.extend([found, records, neighbourhood(inputs, query, &keys)?]);
    }
    parts.extend([of_records("Open goals", &goals), of_records("Facts", &facts)]);
    if request.focus != Focus::Day {
        parts.extend([recent(inputs, &quotes, today)?, people(inputs, today)]);
        parts.extend(past(inputs, &quotes, &request.now)?);
    }
    Ok(Digest { notice, ..Digest::of(&parts, request.budget) })
}

/// The entries that a query finds; where none is a strong match, none.
fn found(inputs: &Inputs<'_>, query: &str, now: &Zoned) -> Result<(Section, Vec<EntryKey>)> {
    let mut hits = inputs.hits(&Search::new(query, MOST_HITS, now.clone()))?;
    hits.retain(|hit| !hit.weak);
    let (mut section, keys) = of_hits("Entries about the query", hits);
    if keys.is_empty() {
        section.push(stating("none is a strong match".to_owned()));
    }
    Ok((section, keys))
}

/// The open records that a query finds, without those `listed` anyway.
fn found_records(inputs: &Inputs<'_>, query: &str, listed: &[&EntryId], now: &Zoned) -> Result<Section> {
    let search = Search {
        filters: vec![filter("record", ANY_RECORD)],
        ..Search::new(query, MOST_HITS + listed.len(), now.clone())
    };
    let mut hits = Inputs { snapshot: inputs.with_records, ..*inputs }.hits(&search)?;
    let is_open = |hit: &Hit| hit.record.as_ref().is_some_and(|record| record.status == RecordStatus::Open);
    hits.retain(|hit| !hit.weak && is_open(hit) && !listed.contains(&&hit.id));
    hits.truncate(MOST_HITS);
    Ok(of_hits("Records about the query", hits).0)
}

/// The open records of a project, newest first, and whether there are any.
fn project_records(inputs: &Inputs<'_>, name: &str) -> Result<(Section, bool)> {
    let mut found = Vec::new();
    for kind in [None, Some(RecordKind::Conversation)] {
        let filter = RecordFilter {
            kind: kind.map(|kind| kind.word().to_owned()),
            status: Some(RecordStatus::Open),
            project: Some(name.to_owned()),
            limit: Some(MOST_RECORDS),
            ..RecordFilter::default()
        };
        found.extend(records::records(inputs.with_records, &filter)?);
    }
    found.sort_by(|a, b| (b.day, &b.time).cmp(&(a.day, &a.time)));
    let section = Section::of("Records of the project, newest first", found.iter().take(MOST_RECORDS), |record| {
        telling(&record.time, &record.id, None, &format!("{}: {}", record.record.kind, record.text), LONGEST)
    });
    Ok((section, !found.is_empty()))
}

/// The latest entries with a tag, and those that mention its name.
fn project(inputs: &Inputs<'_>, name: &str, now: &Zoned) -> Result<(Section, Vec<EntryKey>)> {
    let tagged = Search { filters: vec![filter("tag", name)], ..Search::new("", MOST_HITS, now.clone()) };
    let mut hits = inputs.hits(&tagged)?;
    // A search takes an unknown name for words.
    if !inputs.snapshot.graph.by_name(name).is_empty() {
        let about = inputs.hits(&Search::new(filter("entity", name), MOST_HITS, now.clone()))?;
        let new: Vec<Hit> = about.into_iter().filter(|hit| hits.iter().all(|known| known.key != hit.key)).collect();
        hits.extend(new);
    }
    Ok(of_hits("Entries of the project", hits))
}

fn of_hits(title: &'static str, hits: Vec<Hit>) -> (Section, Vec<EntryKey>) {
    let section = Section::of(title, &hits, |hit| {
        // A long entry is quoted from the passage that matched.
        let text = match hit.text.chars().nth(LONGEST) {
            None => hit.text.as_str(),
            Some(_) => hit.text.get(hit.snippet.start..).unwrap_or(&hit.text),
        };
        telling(&hit.time, &hit.id, None, text, LONGEST)
    });
    (section, hits.iter().map(|hit| hit.key).collect())
}

/// The names closest to those of a query, and to the most frequent ones of the entries found.
fn neighbourhood(inputs: &Inputs<'_>, query: &str, keys: &[EntryKey]) -> Result<Section> {
    let graph = &inputs.snapshot.graph;
    let mut centers: Vec<EntityRef> = graph.named_in(query).into_iter().map(|(entity, _)| entity).collect();
    let named = reflect::named(inputs.snapshot, keys);
    let mut counts: Vec<(EntityRef, usize)> =
        named.into_iter().map(|(entity, it)| (entity, it.entries.len())).collect();
    counts.retain(|(entity, count)| *count > 1 && !graph.is_clause(*entity));
    counts.sort_by_key(|(entity, count)| (std::cmp::Reverse(*count), *entity));
    centers.extend(counts.into_iter().map(|(entity, _)| entity));
    let mut seen = HashSet::new();
    centers.retain(|entity| seen.insert(*entity));
    let mut section = Section::new("Connected names");
    for center in centers.into_iter().take(MOST_CENTERS) {
        let name = &graph.entity(center).name;
        let near = names::related(inputs, name, 2, MOST_NEIGHBOURS)?.related;
        near.iter().for_each(|near| section.push(neighbour(name, near)));
    }
    Ok(section)
}

/// The filter for the open records of a kind: facts that no newer one replaces, goals that are neither done nor dropped.
fn open_records(kind: RecordKind) -> RecordFilter {
    RecordFilter {
        kind: Some(kind.word().to_owned()),
        status: Some(RecordStatus::Open),
        limit: Some(MOST_RECORDS),
        ..RecordFilter::default()
    }
}

fn of_records(title: &'static str, records: &[Record]) -> Section {
    Section::of(title, records, |record| telling(&record.time, &record.id, None, &record.text, LONGEST))
}

/// The entries of the last days, newest first; if there are none, the latest.
fn recent(inputs: &Inputs<'_>, quotes: &Quotes<'_>, today: civil::Date) -> Result<Section> {
    let catalog = &inputs.snapshot.catalog;
    let from = today.saturating_sub(RECENT_DAYS.days());
    let (title, from) = match catalog.days(from, today).next() {
        Some(_) => ("Recent days, newest first", from),
        None => ("Latest days, over a month ago, newest first", civil::Date::MIN),
    };
    let mut section = Section::new(title);
    for entry in catalog.days(from, today).rev().take(MOST_RECENT) {
        inputs.progress.goes_on()?;
        let body = quotes.body(entry.key)?;
        section.push(telling(&entry.time.written, &entry.id, entry.mood.as_deref(), &body, LONGEST));
    }
    Ok(section)
}

/// The names of the last days, most days first.
fn people(inputs: &Inputs<'_>, today: civil::Date) -> Section {
    let period = Period::up_to(today, RECENT_DAYS);
    let changes = stats::changes(inputs.snapshot, period, period.before(), MOST_NAMES);
    Section::of("People and topics of the last 30 days", changes, |(_, Change { name, kind, days, before })| {
        let days = counted(days, "day", "days");
        stating(format!("{} ({}): {days}, {before} in the 30 days before", named(&name), kind.word()))
    })
}

/// Threads from the latest day to the past, anniversaries and patterns.
fn past(inputs: &Inputs<'_>, quotes: &Quotes<'_>, now: &Zoned) -> Result<Vec<Section>> {
    let (snapshot, today) = (inputs.snapshot, now.date());
    let Some(latest) = snapshot.catalog.days(civil::Date::MIN, today).next_back() else { return Ok(Vec::new()) };
    let keys: Vec<EntryKey> = snapshot.catalog.day(latest.day).map(|entry| entry.key).collect();
    let entities: Vec<EntityRef> = reflect::named(snapshot, &keys).into_iter().map(|(entity, _)| entity).collect();
    let threads = reflect::threads(inputs, quotes, &keys, (latest.day, now))?;
    let then = reflect::on_this_day(snapshot, quotes, today)?;
    let patterns = patterns::patterns(inputs, quotes, &entities, today)?;
    Ok(vec![sections::of_threads(&threads), sections::of_anniversaries(&then), sections::of_patterns(&patterns)])
}
