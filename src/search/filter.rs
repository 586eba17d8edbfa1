//! Evaluation of a query's filters as a [`Scope`]: the entries that the legs may search.

use std::{
    cell::RefCell,
    collections::{HashMap, HashSet},
    rc::Rc,
};

use jiff::civil;

use super::{
    narrow,
    query::{ANY_RECORD, Filter, Query, Test},
};
use crate::{
    index::{
        Catalog, CatalogEntry, Scope, Snapshot,
        catalog::KeySet,
        graph::GraphView,
        keyword::{Restriction, analyzer::fold},
    },
    journal::{EntityKind, RecordKind},
    spelling::distance,
};

/// Searches unknown names as words and adds a notice: a name of a new entry may not be in the graph yet, and a misspelt
/// name still finds something.
pub fn resolve_names(query: &mut Query, graph: &GraphView) {
    let mut unknown = Vec::new();
    query.filters.retain(|filter| match &filter.test {
        Test::Named { kind, name } if mentioned(graph, *kind, name).is_none() => {
            unknown.push((*kind, name.clone(), filter.negated));
            false
        }
        _ => true,
    });
    for (kind, name, negated) in unknown {
        let what = kind.map_or("name", EntityKind::word);
        let near = graph.near(&name, MOST_NEAR).into_iter().map(|near| graph.entity(near));
        let near = near.filter(|near| kind.is_none_or(|kind| near.kind == kind)).map(|near| near.name.as_str()).next();
        let similar = near.map_or(String::new(), |near| format!("; similar: {near}"));
        query.notices.push(format!("no {what} “{name}” is known yet; searched as words{similar}"));
        if negated {
            query.excluded.push(name);
        } else {
            query.add_word(&name);
        }
    }
}

/// Number of similar names that are looked through for one of the wanted kind.
const MOST_NEAR: usize = 20;

/// Adds a notice for a mood or a tag that no entry has, with the most similar one that some entry has. A `#tag` in a text
/// is a topic.
pub fn suggest_values(query: &mut Query, catalog: &Catalog, graph: &GraphView) {
    for filter in &query.filters {
        let (what, value) = match &filter.test {
            Test::Mood(mood) => ("mood", mood),
            Test::Tag(tag) => ("tag", tag),
            Test::Record(kind) if kind != ANY_RECORD && RecordKind::parse(kind).is_none() => ("record", kind),
            _ => continue,
        };
        let wanted = fold(value);
        let mut known: HashSet<&str> = HashSet::new();
        for entry in catalog.entries().iter() {
            match what {
                "mood" => known.extend(entry.mood.as_deref()),
                "record" => known.extend(entry.record().map(|record| record.kind)),
                _ => known.extend(entry.tags.iter().map(String::as_str)),
            }
        }
        if known.iter().any(|known| fold(known) == wanted) {
            continue;
        }
        if what == "record" {
            known.extend(RecordKind::ALL.map(RecordKind::word));
        }
        let letters: Vec<char> = wanted.chars().collect();
        let far =
            |known: &str| distance(&letters, &fold(known).chars().collect::<Vec<_>>(), (letters.len() / 2).min(3));
        let similar = known.into_iter().filter_map(|known| Some((far(known)?, known))).min();
        let similar = similar.map_or(String::new(), |(_, known)| format!("; similar: {what}:{known}"));
        let is_topic = what == "tag" && !filter.negated && mentioned(graph, Some(EntityKind::Topic), value).is_some();
        let topic = if is_topic {
            format!("; texts have #{value}: {} finds them", narrow::filter("topic", value))
        } else {
            String::new()
        };
        query.notices.push(format!("no entry has the {what} “{value}”{similar}{topic}"));
    }
}

/// The entries that pass all filters, phrases and exclusions.
pub fn scope(query: &Query, snapshot: &Snapshot, words: Option<&Restriction>) -> Scope {
    let catalog = snapshot.catalog.clone();
    if query.filters.is_empty() && words.is_none() {
        return Scope::all(catalog);
    }
    let filters = Filters::new(&query.filters, &snapshot.graph);
    let passes = |entry: &CatalogEntry| filters.pass(entry) && words.is_none_or(|words| words.allows(entry.key));
    Scope::of_days(catalog, &[days_within(&query.filters)], passes)
}

/// The days outside of which no entry passes.
fn days_within(filters: &[Filter]) -> (civil::Date, civil::Date) {
    let mut within = (civil::Date::MIN, civil::Date::MAX);
    for filter in filters.iter().filter(|filter| !filter.negated) {
        match &filter.test {
            Test::From(day) => within.0 = within.0.max(*day),
            Test::To(day) => within.1 = within.1.min(*day),
            _ => {}
        }
    }
    within
}

/// The filters, prepared for many entries.
struct Filters<'a> {
    /// Tests of the day or the head: all of these.
    plain: Vec<&'a Filter>,
    /// Days of which one is enough.
    on: Vec<&'a Filter>,
    moods: Words,
    tags: Words,
    /// Kinds of records.
    records: Words,
    /// The entries that mention a name, and whether they are excluded.
    mentions: Vec<(KeySet, bool)>,
}

/// Moods or tags of the query, folded. A journal has few spellings, so each is folded once and not once per entry.
struct Words {
    wanted: Vec<String>,
    excluded: Vec<String>,
    folded: RefCell<HashMap<String, Rc<str>>>,
}

impl<'a> Filters<'a> {
    fn new(filters: &'a [Filter], graph: &GraphView) -> Self {
        let of_head = filters.iter().filter(|filter| {
            use Test::*;
            matches!(filter.test, From(_) | To(_) | On(_) | Starred | HasMood | HasTag | HasEvent)
        });
        let (on, plain) = of_head.partition(|filter| matches!(filter.test, Test::On(_)) && !filter.negated);
        let words = |value: fn(&Test) -> Option<&String>| {
            let of = |negated| filters.iter().filter(move |filter| filter.negated == negated);
            let folded = |negated| of(negated).filter_map(|filter| Some(fold(value(&filter.test)?))).collect();
            Words { wanted: folded(false), excluded: folded(true), folded: RefCell::default() }
        };
        let mentions = filters.iter().filter_map(|filter| {
            let keys = match &filter.test {
                Test::Named { kind, name } => mentioned(graph, *kind, name).unwrap_or_default(),
                Test::Kind(kind) => of_kind(graph, *kind),
                _ => return None,
            };
            Some((keys, filter.negated))
        });
        Self {
            plain,
            on,
            moods: words(|test| if let Test::Mood(mood) = test { Some(mood) } else { None }),
            tags: words(|test| if let Test::Tag(tag) = test { Some(tag) } else { None }),
            records: words(|test| if let Test::Record(kind) = test { Some(kind) } else { None }),
            mentions: mentions.collect(),
        }
    }

    fn pass(&self, entry: &CatalogEntry) -> bool {
        let holds = |filter: &&Filter| {
            let holds = match &filter.test {
                Test::From(day) => entry.day >= *day,
                Test::To(day) => entry.day <= *day,
                Test::On(days) => (days.first..=days.last).contains(&entry.day),
                Test::Starred => entry.starred,
                Test::HasMood => entry.mood.is_some(),
                Test::HasTag => !entry.tags.is_empty(),
                Test::HasEvent => entry.event_time.is_some(),
                _ => true,
            };
            holds != filter.negated
        };
        let kinds = || entry.record().into_iter().flat_map(|record| [record.kind, ANY_RECORD]);
        self.plain.iter().all(holds)
            && (self.on.is_empty() || self.on.iter().any(holds))
            && self.records.pass(kinds, false)
            && self.moods.pass(|| entry.mood.as_deref().into_iter(), false)
            && self.tags.pass(|| entry.tags.iter().map(String::as_str), true)
            && self.mentions.iter().all(|(keys, negated)| keys.contains(&entry.key) != *negated)
    }
}

impl Words {
    fn folded(&self, spelling: &str) -> Rc<str> {
        if let Some(folded) = self.folded.borrow().get(spelling) {
            return folded.clone();
        }
        let folded: Rc<str> = fold(spelling).into();
        self.folded.borrow_mut().insert(spelling.to_owned(), folded.clone());
        folded
    }

    /// No excluded value, and one of the wanted ones or all of them.
    fn pass<'e, I: Iterator<Item = &'e str>>(&self, spellings: impl FnOnce() -> I, needs_all: bool) -> bool {
        if self.wanted.is_empty() && self.excluded.is_empty() {
            return true;
        }
        let found: Vec<Rc<str>> = spellings().map(|spelling| self.folded(spelling)).collect();
        let has = |word: &String| found.iter().any(|found| **found == **word);
        let is_enough = match needs_all {
            true => self.wanted.iter().all(has),
            false => self.wanted.is_empty() || self.wanted.iter().any(has),
        };
        is_enough && !self.excluded.iter().any(has)
    }
}

/// The entries that mention a name; `None` if no entity has this name (and kind).
fn mentioned(graph: &GraphView, kind: Option<EntityKind>, name: &str) -> Option<KeySet> {
    let named: Vec<_> = graph
        .by_name(name)
        .into_iter()
        .filter(|entity| kind.is_none_or(|kind| graph.entity(*entity).kind == kind))
        .collect();
    if named.is_empty() {
        return None;
    }
    Some(named.into_iter().flat_map(|entity| graph.entries(entity)).collect())
}

/// The entries that mention an entity of this kind.
fn of_kind(graph: &GraphView, kind: EntityKind) -> KeySet {
    let names = graph.entities().iter().filter(|entity| entity.kind == kind);
    names.filter_map(|entity| mentioned(graph, Some(kind), &entity.name)).flatten().collect()
}
