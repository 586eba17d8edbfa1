//! Stated reasons that the graph does not have, extracted on demand.
//!
//! The graph has relations between names and feelings. "The kiln cracked" is neither a name nor a feeling nor a
//! frequent phrase: such a sentence is found by the words of the question and extracted again, by the rules
//! alone.

use std::{collections::BTreeMap, ops::Range};

use jiff::civil;

use super::question_terms::{asks_about_writer, is_asking, tells};
use crate::{
    extract::{
        Relation, base_form, dates::DayRange, denies, extract_text, feeling_called, irregular_forms, is_denial,
        is_writers, leaves_undone,
    },
    index::{
        EntryKey, Scope, Snapshot,
        graph::EntityRef,
        keyword::{
            KeywordQuery,
            analyzer::{Kind, Token, stem, tokens},
            is_function_word,
        },
    },
    insight::{
        Inputs, Period, Result,
        clause::{clause, is_same_cause},
        quotes::{self, Quotes},
    },
    journal::{EntityKind, RelationKind},
};

/// Maximum number of entries extracted for one question, the latest or the most likely first: some 150 microseconds
/// each.
const MOST_READ: usize = 2_000;
/// Maximum number of search hits for the words of a question, the most likely first; a sentence has to have all of
/// the words.
const MOST_SEARCHED: usize = 300;

/// The effect that a sentence has to state a cause of.
#[derive(Debug, Clone, Default)]
pub(super) enum Effect {
    /// A feeling or a person: for feelings the graph has every statement, and nothing causes a person.
    #[default]
    Nothing,
    /// A thing, by any of its names.
    Name(Vec<Vec<Word>>),
    /// All words of a question; `denied`: why something is not so; `own`: the first is said of the writer.
    Words { words: Vec<Word>, denied: bool, own: bool },
    /// Any effect that the subject's entries state.
    Anything,
}

/// A word for comparison: by its base form, and by its accents where it has any.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Word {
    written: String,
    stem: String,
}

impl Word {
    /// Whether a word of a text matches this word of a question: with the same accents, where both have some.
    pub fn is_meant_by(&self, said: &Self) -> bool {
        let accents = !self.written.is_ascii() && !said.written.is_ascii();
        self.stem == said.stem && (!accents || self.written == said.written)
    }
}

/// The words of a text in their order, with their bytes.
pub(super) fn words_of(text: &str) -> Vec<(Word, Range<usize>)> {
    let whole = tokens(text).into_iter().filter(|token| matches!(token.kind, Kind::Word | Kind::Gram));
    let word = |token: Token| {
        let stem = stem(base_form(&token.folded)).into_owned();
        (Word { written: token.exact, stem }, token.span)
    };
    whole.map(word).collect()
}

/// Whether every word of a name is among the words of the question: such a cause answers nothing.
pub(super) fn restates(asked: &[(Word, Range<usize>)], name: &str) -> bool {
    let own = words_of(name);
    !own.is_empty() && own.iter().all(|(word, _)| asked.iter().any(|(said, _)| word.is_meant_by(said)))
}

impl Effect {
    /// A name of the journal, asked about in `words`. Nothing causes a person or a place, so a question about one
    /// needs further words (going there), and a negated question is matched by all its words.
    pub fn by_names(kind: EntityKind, names: impl Iterator<Item = String>, text: &str, words: &[String]) -> Self {
        let asks = |word: &&String| !is_function_word(word) && !is_asking(word);
        let telling: Vec<String> = words.iter().filter(asks).cloned().collect();
        let is_denied = denies(text);
        match kind {
            EntityKind::Emotion => Self::Nothing,
            EntityKind::Person | EntityKind::Place if telling.len() < 2 => Self::Nothing,
            EntityKind::Person | EntityKind::Place => Self::of_words(text, &telling, is_denied),
            _ if is_denied => Self::of_words(text, &telling, is_denied),
            _ => Self::Name(names.map(|name| words_of(&name).into_iter().map(|(word, _)| word).collect()).collect()),
        }
    }

    /// A question in words; one word is a thing.
    pub fn by_words(text: &str, words: &[String]) -> Self {
        let telling: Vec<String> = words.iter().filter(|word| tells(word)).cloned().collect();
        Self::of_words(text, &telling, denies(text))
    }

    fn of_words(text: &str, telling: &[String], denied: bool) -> Self {
        let said = telling.iter().filter(|word| !is_denial(word));
        let words: Vec<Word> = said.clone().flat_map(|word| words_of(word)).map(|(word, _)| word).collect();
        // "Why lonely" asks about the writer too, "why did he cry" does not.
        let of_another = text.split_whitespace().any(|word| matches!(word, "he" | "she" | "they"));
        let feels = !of_another && said.clone().all(|word| feeling_called(word).is_some());
        let own = asks_about_writer(text) || feels;
        if words.is_empty() { Self::Nothing } else { Self::Words { words, denied, own } }
    }

    /// Whether the effect of a sentence is what was asked about.
    fn is(&self, effect: &str) -> bool {
        let said = words_of(effect);
        match self {
            Self::Nothing => false,
            Self::Anything => true,
            Self::Name(names) => !denies(effect) && names.iter().any(|name| is_done(effect, &said, name)),
            Self::Words { words, denied, own } => {
                let all = words.iter().all(|word| said.iter().any(|(said, _)| word.is_meant_by(said)));
                let mut done = said.iter().filter(|(said, _)| words[0].is_meant_by(said));
                let mut is_asked = || !own || done.all(|(_, at)| is_writers(effect, at));
                let undone = words.len() == 1 && !is_done(effect, &said, words);
                let is_told = denies(effect) == *denied && (*denied || !undone && is_affirmed(effect, &said, words));
                all && is_told && is_asked()
            }
        }
    }
}

/// Whether a name is in a clause, and not as something skipped or called off.
fn is_done(effect: &str, said: &[(Word, Range<usize>)], name: &[Word]) -> bool {
    let named = |run: &&[(Word, Range<usize>)]| run.iter().zip(name).all(|((said, _), word)| word.is_meant_by(said));
    let found = said.windows(name.len().max(1)).find(named);
    found.is_some_and(|run| !leaves_undone(&effect[..run[0].1.start]))
}

/// Whether no other word of the clause negates the question: `why did I swim` of "I skipped the swim".
fn is_affirmed(effect: &str, said: &[(Word, Range<usize>)], asked: &[Word]) -> bool {
    let others = said.iter().filter(|(said, _)| !asked.iter().any(|word| word.is_meant_by(said)));
    let first = asked.iter().filter_map(|word| said.iter().position(|(said, _)| word.is_meant_by(said))).min();
    let Some(first) = first else { return true };
    others.filter(|(_, at)| at.start < said[first].1.start).all(|(_, at)| !leaves_undone(&effect[at.clone()]))
}

/// A statement of at most this weight is a guess or reported speech (see `extract`): it is shown, but supports no
/// claim.
const UNSURE: f32 = 0.5;

/// One sentence that states a cause.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Said {
    /// The day of its entry.
    pub day: civil::Date,
    pub key: EntryKey,
    pub span: Range<u32>,
    /// The words that tell the cause; empty where only a mark states it.
    pub cause: Range<u32>,
    /// The day it refers to, if it is before the entry's own: "because I quarrelled with Jane yesterday".
    pub happened: Option<civil::Date>,
    /// Stated by the writer, and without a hedge.
    pub plain: bool,
}

impl Said {
    /// A sentence of an entry, and the days that it refers to.
    pub fn new(
        (day, key): (civil::Date, EntryKey),
        span: &Range<u32>,
        cause: &Range<u32>,
        time: Option<DayRange>,
        weight: f32,
    ) -> Self {
        let happened = time.and_then(DayRange::only_day).filter(|happened| *happened < day);
        Self { day, key, span: span.clone(), cause: cause.clone(), happened, plain: weight > UNSURE }
    }

    /// Whether both are one statement, or tell one cause in the same words.
    pub fn repeats(&self, other: &Self) -> bool {
        let is_told_twice = || is_same_cause(&quotes::bytes(&self.cause), &quotes::bytes(&other.cause));
        self.key == other.key && (self.span == other.span || is_told_twice())
    }
}

/// One sentence that states a cause, with the names in it.
#[derive(Debug, Clone)]
pub(super) struct Reason {
    pub said: Said,
    /// The entities named as the cause.
    pub named: Vec<EntityRef>,
    /// The cause in the words of the text.
    pub phrase: String,
}

/// Every sentence that states a cause of what was asked about, in the entries of the `subject` or, for a question in
/// words, in the hits of a search by word.
pub(super) fn reasons(
    inputs: &Inputs<'_>,
    quotes: &Quotes<'_>,
    wanted: &Effect,
    subject: &[(civil::Date, EntryKey)],
    period: Period,
) -> Result<Vec<Reason>> {
    let Inputs { snapshot, progress, .. } = *inputs;
    let mut entries: Vec<(civil::Date, EntryKey)> = match wanted {
        Effect::Nothing => return Ok(Vec::new()),
        Effect::Name(_) | Effect::Anything => subject.iter().rev().copied().collect(),
        Effect::Words { words, .. } => searched(snapshot, words, period)?,
    };
    entries.truncate(MOST_READ);
    let mut found = Vec::new();
    for (nth, (day, key)) in entries.iter().enumerate() {
        progress.at("reading stated causes", nth, entries.len())?;
        let body = quotes.body(*key)?;
        found.extend(stated_in(snapshot, wanted, &body, *day, *key));
    }
    found.sort_by_key(|Reason { said, .. }| (said.day, said.key, said.span.start));
    Ok(found)
}

/// Entries of the period with any of the words in any form, the most likely first.
fn searched(snapshot: &Snapshot, words: &[Word], period: Period) -> Result<Vec<(civil::Date, EntryKey)>> {
    let forms = |word: &Word| {
        let others = irregular_forms(&word.written).iter().map(|form| (*form).to_owned());
        [word.written.clone(), base_form(&word.written).to_owned()].into_iter().chain(others).collect::<Vec<_>>()
    };
    let mut all: Vec<String> = words.iter().flat_map(forms).collect();
    all.sort();
    all.dedup();
    let query = KeywordQuery { words: all, ..KeywordQuery::default() };
    let scope = Scope::all(snapshot.catalog.clone());
    let found = snapshot.keyword.find(&query, &scope, MOST_SEARCHED, snapshot.fresh.as_ref())?;
    let dated = found.hits.iter().filter_map(|hit| Some((snapshot.catalog.by_key(hit.key)?.day, hit.key)));
    Ok(dated.filter(|(day, _)| period.holds(*day)).collect())
}

/// The statements of one entry, each once with all the names in its cause.
fn stated_in(snapshot: &Snapshot, wanted: &Effect, body: &str, day: civil::Date, key: EntryKey) -> Vec<Reason> {
    let mut statements: BTreeMap<(u32, u32), Vec<Relation>> = BTreeMap::new();
    for relation in extract_text(body, day).relations {
        let effect = body.get(quotes::bytes(&relation.effect)).unwrap_or_default();
        if relation.kind == RelationKind::Causal && wanted.is(effect) {
            statements.entry((relation.evidence.start, relation.evidence.end)).or_default().push(relation);
        }
    }
    if statements.is_empty() {
        return Vec::new();
    }
    let graph = &snapshot.graph;
    let here: Vec<EntityRef> = graph.of_entry(key).into_iter().map(|(entity, _)| entity).collect();
    let reason = |(_, same): (_, Vec<Relation>)| {
        let sources = || same.iter().map(|relation| &relation.source);
        let known = sources().flat_map(|name| graph.by_name(name)).filter(|entity| here.contains(entity));
        let mut named: Vec<EntityRef> = known.collect();
        named.sort_unstable();
        named.dedup();
        let first = same.first()?;
        let said = Said::new((day, key), &first.evidence, &first.cause, first.event_time, first.weight);
        // Besides a clause there is also its noun; the clause says more.
        let phrase = clause(body, &first.cause).or_else(|| sources().max_by_key(|name| name.len()).cloned())?;
        Some(Reason { said, named, phrase })
    };
    statements.into_iter().filter_map(reason).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_from_the_question_restates_it() {
        let restates = |question: &str, name: &str| restates(&words_of(question), name);
        let question = "Why did Elwood give up his highways?";
        assert!(restates(question, "elwood") && restates(question, "his highway"));
        assert!(!restates(question, "Elwood's back") && !restates(question, "his eyes"));
        assert!(!restates(question, "☕"), "a name without words says nothing of the question");
        assert!(restates("sao bạn giận", "bạn") && !restates("sao bạn giận", "bán"), "accents tell words apart");
    }
}
