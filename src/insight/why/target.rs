//! The target of a question: a feeling, a name, an entry, or entries found by a search.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    ops::Range,
};

use jiff::{ToSpan, civil};

use super::{
    answer::{Nearest, Question},
    question_terms::{LONGEST_NAME, is_own_state, plainly, runs, spoken, stems, subject, tells, words},
    reasons::{Effect, Word, restates, words_of},
};
use crate::{
    extract::{
        dates::DayRange, feeling_called, fold_case, is_feeling_of_other_language, is_same_feeling, is_title,
        may_be_no_feeling, valence,
    },
    index::{
        EntryKey, Scope, Snapshot,
        graph::{EntityRef, GraphView},
        keyword::{KeywordQuery, analyzer::fold, is_stop_word},
    },
    insight::{Inputs, Period, Result, daily, quotes::bytes},
    journal::EntityKind,
    search::{Hit, Query, narrow::filter},
};

/// Maximum distance in bytes between a word of the question and a name near it: a sentence or two.
const NEAR: usize = 160;
/// Maximum number of entries found by a search as the subject.
const MOST_FOUND: usize = 3;
pub(super) const MOST_NEAREST: usize = 3;
/// Number of hits of a search for the question: what is read for an answer, and quoted.
const MOST_HITS: usize = 8;
/// Of the first hits to quote, those about a name of the question.
const MOST_NAMED: usize = 2;

/// The subject of a question.
#[derive(Debug, Clone, Default)]
pub(super) struct Target {
    /// Its name in the answer.
    pub name: String,
    pub kind: Option<EntityKind>,
    /// Its entities: several words for one feeling, homonyms of one name.
    pub entities: Vec<EntityRef>,
    /// Other words for the same feeling, which the question does not use.
    pub(super) other_words: Vec<EntityRef>,
    /// The feeling as the question says it.
    pub(super) said_feeling: String,
    /// Further condition: only where this is mentioned too, as in "stressed about work".
    pub about: Vec<EntityRef>,
    /// The names in a question that a search answers.
    pub also_named: Vec<EntityRef>,
    /// The question has a condition that no day of the subject meets.
    pub is_unmet: bool,
    /// The only entries whose statements answer a question with an unmet condition: those that a search for it surely finds.
    pub stating: Option<BTreeSet<EntryKey>>,
    /// The days that the question is limited to; none where it names no days.
    pub asked_days: Vec<DayRange>,
    /// Entries of the period, oldest first.
    pub entries: Vec<(civil::Date, EntryKey)>,
    /// The subject is the content of the entries, not a name in the question.
    pub is_found: bool,
    /// The question asks what somebody else felt: the feelings of the graph are the writer's.
    pub of_another: bool,
    /// The question names an entry or days: there are no words to search for.
    pub is_days: bool,
    /// Spans of the question's words in the entries found by a search; `None` where the entries themselves are the
    /// subject.
    pub said: Option<HashMap<EntryKey, Vec<Range<usize>>>>,
    /// Search results for the question, best first, also unsure ones; `None` where no search was made.
    pub hits: Option<Vec<Hit>>,
    /// The effect that a sentence has to state a cause of, besides the statements in the graph.
    pub effect: Effect,
    /// Notes for the user where the question was interpreted differently, one sentence each.
    pub notes: Vec<String>,
    /// See [`super::Why::nearest`].
    pub nearest: Option<Nearest>,
}

impl Target {
    /// Whether a statement of an entry is about the subject. For an entry found by a search, it must contain a word
    /// of the question ("merry with the ladies" does not explain why somebody was vexed that day), and outside the
    /// name of the cause ("sad because the kiln cracked" does not explain why it did).
    pub fn is_stated_in(&self, entry: EntryKey, span: &Range<u32>, cause: impl FnOnce() -> Vec<Range<u32>>) -> bool {
        let Some(said) = &self.said else { return true };
        let span = bytes(span);
        let cause: Vec<Range<usize>> = cause().iter().map(bytes).collect();
        let beside = |at: &&Range<usize>| !cause.iter().any(|cause| cause.start <= at.start && at.end <= cause.end);
        let places = said.get(&entry).into_iter().flatten();
        places.filter(beside).any(|at| at.start < span.end && span.start < at.end)
    }

    /// Whether a question in words asks for a cause of an effect: "stressed because the demo is near and the gauge is out of
    /// reach" states why the writer is stressed, not why the gauge is out of reach.
    pub fn asks_for(&self, snapshot: &Snapshot) -> impl Fn(EntityRef) -> bool {
        let words = self.name.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
        let runs: Vec<String> = runs(&words.map(str::to_lowercase).collect::<Vec<_>>()).collect();
        let asked = words_of(&self.name);
        move |effect| {
            let known = snapshot.graph.entity(effect);
            let is_asked = |name: &String| restates(&asked, name) || runs.iter().any(|run| is_same_feeling(run, name));
            if self.of_another && known.kind == EntityKind::Emotion {
                return false;
            }
            self.said.is_none() || known.names().any(is_asked)
        }
    }

    /// Whether a name of an entry is near a word of the question, or in its head: a long entry also names things that
    /// have nothing to do with the question.
    pub fn is_near(&self, entry: EntryKey, spans: &[Range<u32>]) -> bool {
        let Some(said) = &self.said else { return true };
        let near = |span: &Range<usize>, at: &Range<usize>| at.start < span.end + NEAR && span.start < at.end + NEAR;
        let places = said.get(&entry).into_iter().flatten();
        spans.iter().any(|span| span.is_empty())
            || places.into_iter().any(|at| spans.iter().any(|span| near(&bytes(span), at)))
    }

    /// What a search for the question finds, the best first: that of the interpretation, if it made one.
    pub fn take_hits(&mut self, inputs: &Inputs<'_>, ask: &Question, period: Period) -> Result<Vec<Hit>> {
        let hits = match self.hits.take() {
            Some(hits) => hits,
            None if self.is_days => Vec::new(),
            None => hits(inputs, ask, period)?,
        };
        Ok(self.asked(inputs, hits))
    }

    /// The hits on the days that the question is limited to.
    fn asked(&self, inputs: &Inputs<'_>, mut hits: Vec<Hit>) -> Vec<Hit> {
        let day_of = |hit: &Hit| inputs.snapshot.catalog.by_key(hit.key).map(|entry| entry.day);
        hits.retain(|hit| day_of(hit).is_none_or(|day| self.is_asked(day)));
        hits
    }

    /// Limits the question to some days of the period.
    pub fn narrow_to(&mut self, days: Vec<DayRange>) {
        self.asked_days = days;
        let mut entries = std::mem::take(&mut self.entries);
        entries.retain(|(day, _)| self.is_asked(*day));
        self.entries = entries;
    }

    pub fn is_asked(&self, day: civil::Date) -> bool {
        self.asked_days.is_empty() || self.asked_days.iter().any(|days| (days.first..=days.last).contains(&day))
    }

    /// Adds further entries about the subject.
    pub fn take_in(&mut self, entries: impl Iterator<Item = (civil::Date, EntryKey)>) {
        self.entries.extend(entries);
        self.entries.sort_unstable();
        self.entries.dedup();
    }

    /// The names that the question is about, as the journal writes them; the words of one that names none.
    pub fn names(&self, snapshot: &Snapshot) -> Vec<String> {
        let entities = self.entities.iter().chain(&self.about);
        let names: Vec<String> = entities.flat_map(|entity| snapshot.graph.entity(*entity).names().cloned()).collect();
        if names.is_empty() { vec![self.name.clone()] } else { names }
    }

    pub fn days(&self) -> BTreeSet<civil::Date> {
        self.entries.iter().map(|(day, _)| *day).collect()
    }

    /// Whether it is an unpleasant feeling.
    pub fn is_unpleasant(&self, snapshot: &Snapshot) -> bool {
        let named = self.entities.iter().filter_map(|entity| valence(&snapshot.graph.entity(*entity).name));
        let of_entries = self.entries.iter().filter_map(|(_, key)| daily::valence_of(snapshot.catalog.by_key(*key)?));
        let known: Vec<f32> =
            if self.kind == Some(EntityKind::Emotion) { named.collect() } else { of_entries.collect() };
        known.iter().sum::<f32>() < 0.0
    }

    /// Whether an entity is the subject under another name: the tag `stress` of the feeling `stressed`.
    pub fn is_called(&self, snapshot: &Snapshot, entity: EntityRef) -> bool {
        let key = |entity: EntityRef| stems(&snapshot.graph.entity(entity).name);
        let name = &snapshot.graph.entity(entity).name;
        self.entities.iter().any(|own| {
            *own == entity || key(*own) == key(entity) || is_same_feeling(&snapshot.graph.entity(*own).name, name)
        })
    }
}

/// A feeling in the words of a question.
pub(super) enum Feeling {
    /// As the journal calls it, by a word of the same stem or of the other language.
    Called(Box<Target>),
    /// By another word for it or for the same feeling, with the words that the journal uses.
    Same { said: String, names: Vec<String> },
}

pub(super) fn feeling(snapshot: &Snapshot, words: &[String], text: &str) -> Option<Feeling> {
    let graph = &snapshot.graph;
    let emotions: Vec<EntityRef> = emotions(graph).collect();
    let spoken = spoken(text);
    let among = |is: &dyn Fn(&str, &str) -> bool| {
        runs(words).filter(|said| may_be_felt(&spoken, said)).find_map(|said| {
            let same = emotions.iter().copied().filter(|entity| is(&said, &graph.entity(*entity).name));
            let same: Vec<EntityRef> = same.collect();
            (!same.is_empty()).then_some((said, same))
        })
    };
    // "Nhờ" (thanks to) is no "nhớ" (to miss), and "buôn" no "buồn".
    let has_stem = |said: &str, name: &str| !is_stop_word(said) && is_form(&words_of(said), &words_of(name));
    if let Some((said, mut entities)) = among(&has_stem) {
        let called = entities_called(snapshot, &said);
        entities.extend(called.into_iter().find(|entity| !entities.contains(entity)));
        return Some(Feeling::Called(Box::new(felt(snapshot, &said, entities))));
    }
    let is_listed = |said: &str, name: &str| feeling_called(said) == Some(name);
    let (said, mut same) = among(&is_listed).or_else(|| among(&is_same_feeling))?;
    same.sort_by_key(|entity| std::cmp::Reverse(graph.entity(*entity).days));
    let translated = |entity: &EntityRef| is_feeling_of_other_language(&said, &graph.entity(*entity).name);
    let entities: Vec<EntityRef> = same.iter().copied().filter(translated).collect();
    if !entities.is_empty() {
        return Some(Feeling::Called(Box::new(felt(snapshot, &said, entities))));
    }
    let name_of = |entity: &EntityRef| graph.entity(*entity).name.clone();
    Some(Feeling::Same { names: same.iter().take(MOST_NEAREST).map(name_of).collect(), said })
}

/// Whether all words are the same but for their forms and for accents that one side lacks.
fn is_form(said: &[(Word, Range<usize>)], name: &[(Word, Range<usize>)]) -> bool {
    said.len() == name.len() && said.iter().zip(name).all(|((said, _), (name, _))| said.is_meant_by(name))
}

fn emotions(graph: &GraphView) -> impl Iterator<Item = EntityRef> {
    graph.entity_refs().filter(|entity| graph.entity(*entity).kind == EntityKind::Emotion)
}

/// A feeling as the subject, with the words of the other language for it. A note tells what the word is read as.
pub(super) fn felt(snapshot: &Snapshot, said: &str, mut entities: Vec<EntityRef>) -> Target {
    let graph = &snapshot.graph;
    let name_of = |entity: &EntityRef| graph.entity(*entity).name.as_str();
    let other = emotions(graph).filter(|entity| {
        !entities.contains(entity) && entities.iter().any(|own| is_same_feeling(name_of(own), name_of(entity)))
    });
    let (translated, other_words): (Vec<EntityRef>, Vec<EntityRef>) =
        other.partition(|entity| is_feeling_of_other_language(said, name_of(entity)));
    entities.extend(translated);
    let names: Vec<&str> = entities.iter().map(name_of).collect();
    let is_as_said = names.len() == 1 && stems(names[0]) == stems(said);
    let notes = if is_as_said { Vec::new() } else { vec![format!("“{said}” is read as {}", names.join(", "))] };
    let name = names[0].to_owned();
    let said_feeling = said.to_owned();
    Target { name, kind: Some(EntityKind::Emotion), entities, said_feeling, other_words, notes, ..Target::default() }
}

/// Whether some words of a question may be a feeling there: "why was I cross", but not "why do I have a bad head".
fn may_be_felt(spoken: &[String], said: &str) -> bool {
    let count = said.split(' ').count();
    let Some(at) = spoken.windows(count).position(|run| run.join(" ") == said) else { return true };
    let rest = || spoken[..at].iter().chain(&spoken[at + count..]);
    !may_be_no_feeling(said) || !rest().any(|word| tells(word)) || is_own_state(&spoken[..at])
}

/// The feelings of the journal by the name that a word has in the word lists: "irritated" in a text is `annoyed`.
pub(super) fn entities_called(snapshot: &Snapshot, word: &str) -> Vec<EntityRef> {
    let graph = &snapshot.graph;
    let is_emotion = |entity: &EntityRef| graph.entity(*entity).kind == EntityKind::Emotion;
    feeling_called(word).map_or_else(Vec::new, |name| graph.by_name(name)).into_iter().filter(is_emotion).collect()
}

/// The other names in the words, without the feeling: the longest name at each word, and no question words.
pub(super) fn named(snapshot: &Snapshot, words: &[String], target: &Target) -> Vec<EntityRef> {
    let graph = &snapshot.graph;
    let forms = forms(graph);
    let mut named = Vec::new();
    let mut at = 0;
    while at < words.len() {
        let longest = LONGEST_NAME.min(words.len() - at);
        let run = (1..=longest).rev().find_map(|count| {
            let said = words[at..at + count].join(" ");
            let tells = count > 1 || tells(&said);
            let mut found = if tells { graph.by_name(&said) } else { Vec::new() };
            found.extend(forms.get(&stems(&said)).filter(|_| tells).into_iter().flatten());
            // "Bà" is a grandmother, and no other name of hers is "Ba".
            if count == 1 && !said.is_ascii() && is_title(&said.to_lowercase()) {
                found.retain(|entity| is_spelled(graph, *entity, &said));
            }
            (!found.is_empty()).then_some((count, found))
        });
        let (count, found) = run.unwrap_or((1, Vec::new()));
        named.extend(found);
        at += count;
    }
    named.retain(|entity| graph.entity(*entity).kind != EntityKind::Emotion && !target.is_called(snapshot, *entity));
    named.sort_unstable();
    named.dedup();
    named
}

/// Whether a name of an entity is this word, with its accents.
fn is_spelled(graph: &GraphView, entity: EntityRef, word: &str) -> bool {
    graph.entity(entity).names().any(|name| fold_case(name) == fold_case(word))
}

/// Topics and events by the stems of their names: "headaches" asks about the topic "headache". People and places need
/// their exact names.
fn forms(graph: &GraphView) -> HashMap<String, Vec<EntityRef>> {
    let mut forms: HashMap<String, Vec<EntityRef>> = HashMap::new();
    for entity in graph.entity_refs() {
        let known = graph.entity(entity);
        if has_forms(known.kind) {
            forms.entry(stems(&known.name)).or_default().push(entity);
        }
    }
    forms
}

pub(super) fn has_forms(kind: EntityKind) -> bool {
    matches!(kind, EntityKind::Topic | EntityKind::Event)
}

/// A question that consists of a name and question words only.
pub(super) fn by_name(snapshot: &Snapshot, query: &Query, named: Vec<EntityRef>) -> Option<Target> {
    let first = *named.first()?;
    let graph = &snapshot.graph;
    let spoken = fold(&graph.entity(first).name);
    // "Why chị Hà" is about Hà.
    let mut said: Vec<String> = words(query).into_iter().filter(|word| tells(word)).collect();
    let is_title = |word: &String| is_title(&word.to_lowercase());
    if !said.iter().all(is_title) {
        said.retain(|word| !is_title(word));
    }
    // "why was I furious when Ada called" is about more than Ada.
    let said = fold(&said.join(" "));
    let kind = graph.entity(first).kind;
    let is_form = |entity: EntityRef| {
        has_forms(kind) && has_forms(graph.entity(entity).kind) && stems(&graph.entity(entity).name) == stems(&spoken)
    };
    let parts: Vec<&str> = spoken.split(' ').collect();
    let is_name_alone = said.split(' ').all(|word| parts.contains(&word))
        || graph.by_name(&said).contains(&first)
        || has_forms(kind) && stems(&said) == stems(&spoken);
    let name = graph.entity(first).name.clone();
    let is_same = |entity: &EntityRef| fold(&graph.entity(*entity).name) == spoken || is_form(*entity);
    let same = named.into_iter().filter(is_same).collect();
    is_name_alone.then(|| Target { name, kind: Some(kind), entities: same, ..Target::default() })
}

pub(super) fn entries(snapshot: &Snapshot, target: &Target, period: Period) -> Vec<(civil::Date, EntryKey)> {
    let each = target.entities.iter().flat_map(|entity| snapshot.graph.entries_with(*entity, period.from, period.to));
    let mut entries: Vec<(civil::Date, EntryKey)> = each.collect();
    entries.sort_unstable();
    entries.dedup();
    entries
}

/// Content words that name no entity of the graph.
pub(super) fn unnamed_words(snapshot: &Snapshot, words: &[String], target: &Target) -> Vec<String> {
    let graph = &snapshot.graph;
    let entities = target.entities.iter().chain(&target.about);
    let subject: Vec<String> =
        entities.flat_map(|entity| graph.entity(*entity).names().map(|name| stems(name))).collect();
    let is_subject = |word: &str| {
        let stem = stems(word);
        subject.iter().any(|name| name.split(' ').any(|part| part == stem))
            || target.said_feeling.split(' ').any(|part| part == word)
            || target.entities.iter().any(|entity| is_same_feeling(word, &graph.entity(*entity).name))
            || target.kind == Some(EntityKind::Person) && is_title(&word.to_lowercase())
    };
    words.iter().filter(|word| tells(word) && !is_subject(word)).cloned().collect()
}

/// Narrows the subject to the days that also have the question's other names. If there are none, other words for the
/// same feeling are added; if there are still none, the subject is not narrowed. A note tells the user.
pub(super) fn narrow(snapshot: &Snapshot, target: &mut Target, rest: &[String], period: Period) -> Result<()> {
    let graph = &snapshot.graph;
    // Homonyms are one condition.
    let mut also: BTreeMap<String, BTreeSet<civil::Date>> = BTreeMap::new();
    for entity in &target.about {
        let days = graph.days_with(*entity, civil::Date::MIN, civil::Date::MAX);
        also.entry(graph.entity(*entity).name.clone()).or_default().extend(days);
    }
    if also.is_empty() && !rest.is_empty() {
        let query = KeywordQuery { words: rest.to_vec(), ..KeywordQuery::default() };
        let scope = Scope::all(snapshot.catalog.clone());
        let most = snapshot.catalog.entries().len().max(1);
        let found = snapshot.keyword.find(&query, &scope, most, snapshot.fresh.as_ref())?;
        let days = found.hits.iter().filter_map(|hit| Some(snapshot.catalog.by_key(hit.key)?.day)).collect();
        also.insert(rest.join(" "), days);
    }
    for (name, days) in also {
        let on_these = |target: &Target| -> Vec<(civil::Date, EntryKey)> {
            target.entries.iter().copied().filter(|(day, _)| days.contains(day)).collect()
        };
        let mut both = on_these(target);
        if both.is_empty() && !target.other_words.is_empty() {
            let wider = widened(snapshot, target, period);
            both = on_these(&wider);
            if !both.is_empty() {
                *target = wider;
            }
        }
        if both.is_empty() {
            target.is_unmet = true;
            target.notes.push(format!("“{name}” is on none of these days; the counts are of all of them"));
        } else {
            target.entries = both;
            target.name = format!("{}, {name}", target.name);
        }
    }
    Ok(())
}

/// The target with all words for its feeling.
fn widened(snapshot: &Snapshot, target: &Target, period: Period) -> Target {
    let mut wider = target.clone();
    wider.entities.append(&mut wider.other_words);
    wider.entries = entries(snapshot, &wider, period);
    let names: Vec<&str> = wider.entities.iter().map(|entity| snapshot.graph.entity(*entity).name.as_str()).collect();
    wider.notes.push(format!("“{}” is read as {}", target.name, names.join(", ")));
    wider.name = names.join(", ");
    wider
}

/// A question in words without a name: the strong hits of a search are the subject.
pub(super) fn found(inputs: &Inputs<'_>, ask: &Question, period: Period) -> Result<Target> {
    let Inputs { snapshot, .. } = *inputs;
    let hits = hits(inputs, ask, period)?;
    let sure: Vec<&Hit> = hits.iter().filter(|hit| !hit.weak).take(MOST_FOUND).collect();
    let day_of = |hit: &&Hit| Some((snapshot.catalog.by_key(hit.key)?.day, hit.key));
    let mut entries: Vec<(civil::Date, EntryKey)> = sure.iter().filter_map(day_of).collect();
    entries.sort_unstable();
    let said = Some(sure.iter().map(|hit| (hit.key, hit.matches.clone())).collect());
    let text = plainly(&ask.text);
    let name = subject(&text).trim_end_matches(['?', '!', '.', '？', ' ']).to_owned();
    Ok(Target { name, entries, is_found: true, said, hits: Some(hits), ..Target::default() })
}

/// What a search for a question finds in a period, the best first.
pub(super) fn hits(inputs: &Inputs<'_>, ask: &Question, period: Period) -> Result<Vec<Hit>> {
    inputs.hits(&period.search(&ask.text, MOST_HITS, &ask.now))
}

/// Hits to quote: those of a question, with entries about a person or thing that it names among the first.
pub(super) fn with_named(
    inputs: &Inputs<'_>,
    ask: &Question,
    period: Period,
    target: &Target,
    mut hits: Vec<Hit>,
) -> Result<Vec<Hit>> {
    let graph = &inputs.snapshot.graph;
    let rank = |entity: &&EntityRef| (graph.entity(**entity).kind != EntityKind::Person, graph.entity(**entity).days);
    let Some(name) = target.also_named.iter().min_by_key(rank) else { return Ok(hits) };
    let entries = graph.entries(*name);
    if hits.iter().take(MOST_NAMED).any(|hit| entries.contains(&hit.key)) {
        return Ok(hits);
    }
    let mut search = period.search(&ask.text, MOST_NAMED, &ask.now);
    search.filters.push(filter("entity", &graph.entity(*name).name));
    for hit in target.asked(inputs, inputs.hits(&search)?).into_iter().rev() {
        hits.retain(|known| known.key != hit.key);
        hits.insert(hits.len().min(1), hit);
    }
    Ok(hits)
}

/// The day that many days before.
pub(super) fn earlier(day: civil::Date, by: i32) -> civil::Date {
    day.saturating_sub(by.days())
}
