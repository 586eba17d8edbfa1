//! Extraction from one entry: entities, and relations between them.
//!
//! A pure function of one entry, the language data and, if there is one, the answer of a language model for this text
//! ([`llm`]); decisions that depend on other entries are made in `index::graph`.

mod aliases;
mod argument_label;
mod attribution;
mod beside_feeling;
mod causal_links;
mod cause_candidates;
mod causes;
mod claim_arguments;
mod code;
mod connections;
mod connective_sense;
pub mod dates;
mod entry_feelings;
#[cfg(test)]
mod everyday_tests;
mod experiencer;
mod feeling_modifiers;
mod feeling_target;
mod feelings;
mod fields;
mod fold;
mod forms;
mod gate;
mod grammar;
mod inline_markup;
mod kind_votes;
pub mod language;
mod lexicon;
pub mod llm;
#[cfg(test)]
mod marked_tests;
mod mention;
mod moods;
mod names;
mod phrases;
mod pieces;
mod plain_names;
#[cfg(test)]
mod prose_tests;
mod psych_verb;
mod record_cues;
mod reported_speech;
mod rules_version;
mod same_feeling;
mod sense_words;
mod short_names;
mod standalone_mentions;
#[cfg(test)]
mod tests;
mod text;
mod times;
mod topics;
mod trackers;
mod unaccented;
mod unaccented_names;
mod words;

pub use aliases::Aliases;
pub use argument_label::balanced;
pub use cause_candidates::{CauseCandidate, FeelingInEffect, cause_candidates};
pub use causes::POINTED_AT;
pub use entry_feelings::{Emotion, emotions};
pub use experiencer::is_writers;
pub use feelings::{feeling_called, is_feeling_of_other_language, may_be_no_feeling};
pub use fields::without_strength;
pub use fold::{fold, fold_case, fold_char, stands_alone};
pub use forms::{base_form, denies, irregular_forms, is_denial, leaves_undone, sure_base_form};
#[cfg(feature = "lab")]
pub use gate::labelling::{Candidate, Gated};
#[cfg(test)]
pub use gate::reading::FixedReading;
pub use gate::{
    CueModel, Cues,
    reading::{TextReader, TextReading},
};
use grammar::{Class, PHRASES, Phrase, class, is_number_word, opens_phrase, phrase_at, phrases};
pub use inline_markup::marks;
use lexicon::{
    CONNECTORS, GAZETTEER, NOT_NAMES, ORDINARY, TITLES, items, lines, listed_words, named_items, sectioned,
    sectioned_lines,
};
pub use lexicon::{is_little_word, is_spelt_right, unusualness};
pub use mention::{Extract, Family, Feeling, Mention, MentionSource, Relation, common_share};
pub use moods::valence;
pub use plain_names::is_same_relative;
pub use record_cues::{Proposal, due, proposals};
pub use rules_version::rules_version;
pub use same_feeling::is_same_feeling;
pub use short_names::{is_title, short_names};
pub use times::EventTime;
pub use trackers::trackers;
pub use unaccented_names::{is_syllable, untitled};
use words::{Gap, LineStyle, Marked, Shape, Word, Words, words};

use std::ops::Range;

use jiff::civil;

use self::{
    mention::{in_order, overlap},
    text::{Text, span},
};
use crate::journal::{EntityKind, Entry, RelationKind};

/// An extractor: rules alone, or rules and the answer of a language model.
pub trait Extractor {
    /// A pure function of the entry and the user's aliases (and of the extractor's own data).
    fn extract(&self, entry: &Entry, aliases: &Aliases) -> Extract;
}

/// Extraction by rules, and by what a model reads in the text, if there is one.
pub struct Rules<'r>(pub Option<&'r dyn TextReader>);

impl Extractor for Rules<'_> {
    fn extract(&self, entry: &Entry, aliases: &Aliases) -> Extract {
        read(&entry.body, entry.day, head_mentions(entry), aliases, &gate::Fitted, self.0)
    }
}

/// Extracts from one entry without aliases: first the head, then the body in text order.
///
/// A known verb (`assets/lexicon/verbs.txt`) relates its names to the moods of the entry, or to the feeling that the
/// verb is (`joy`). A subject (`[[A]] verb:: [[B]]`) relates them by any verb. A sentence relates names by its
/// connectives (`because`, `worried about`), and a feeling by what stands beside it, where the gate accepts that.
/// Nothing else is a relation: co-occurrence is no statement. Linear in the body: a long one is processed in pieces
/// (`pieces`); some 250 microseconds for 80 words.
pub fn extract(entry: &Entry) -> Extract {
    Rules(None).extract(entry, &Aliases::default())
}

/// Extracts from a text that is no entry, as if written on `day`.
pub fn extract_text(text: &str, day: civil::Date) -> Extract {
    extract_read(text, day, None)
}

/// The same, with what a model reads in it.
pub fn extract_read(text: &str, day: civil::Date, reader: Option<&dyn TextReader>) -> Extract {
    read(text, day, Vec::new(), &Aliases::default(), &gate::Fitted, reader)
}

/// Every claim that the word lists propose for a text, accepted by the gate or not.
#[cfg(feature = "lab")]
pub fn candidates(text: &str, day: civil::Date) -> Vec<Candidate> {
    let recorder = gate::labelling::Recorder::default();
    read(text, day, Vec::new(), &Aliases::default(), &recorder, None);
    recorder.into_candidates()
}

/// The same with every claim that the rules propose.
#[cfg(test)]
fn extract_by_rule(text: &str, day: civil::Date) -> Extract {
    read(text, day, Vec::new(), &Aliases::default(), &gate::ByRule, None)
}

/// Whether a text written on `day` states a time.
pub fn tells_when(body: &str, day: civil::Date) -> bool {
    pieces::pieces(body).any(|piece| !times::times(&Text::new(&body[piece], &[]), day).is_empty())
}

fn read(
    body: &str,
    day: civil::Date,
    head: Vec<Mention>,
    aliases: &Aliases,
    gate: &dyn gate::Gate,
    reader: Option<&dyn TextReader>,
) -> Extract {
    let skipped = code::skipped(body);
    let mut whole = Extract { mentions: head, ..Extract::default() };
    let mut fields = Vec::new();
    for piece in pieces::pieces(body) {
        let skipped = code::inside(&skipped, &piece);
        let (text, start) = (&body[piece.clone()], piece.start as u32);
        let reading = reader.and_then(|reader| gate::reading::ReadText::of(text, piece.start, reader));
        let gate = reading.as_ref().map_or(gate, |reading| reading);
        let (mut read, of_piece) = read_piece(text, &skipped, day, aliases, gate);
        read.shift(start);
        fields.extend(of_piece.into_iter().map(|field| (start, field)));
        whole.mentions.append(&mut read.mentions);
        whole.relations.append(&mut read.relations);
        whole.feelings.append(&mut read.feelings);
        whole.times.append(&mut read.times);
    }
    let moods = whole.mentions.iter().filter(|mention| mention.source == MentionSource::Mood);
    let moods: Vec<String> = moods.map(|mention| mention.name.clone()).collect();
    let mut relations = Vec::new();
    for (start, field) in &fields {
        let mut of_field = field_relations(field, &moods);
        of_field.iter_mut().for_each(|relation| relation.shift(*start));
        relations.append(&mut of_field);
    }
    relations.append(&mut whole.relations);
    Extract { relations, ..whole }
}

impl Extract {
    /// Shifts byte ranges from a piece of the body to the body.
    fn shift(&mut self, by: u32) {
        // An empty span is a mention of the head or of a field's verb: it belongs to its line.
        self.mentions.iter_mut().for_each(|mention| shift(&mut mention.span, by));
        self.relations.iter_mut().for_each(|relation| relation.shift(by));
        self.feelings.iter_mut().for_each(|feeling| shift(&mut feeling.span, by));
        self.times.iter_mut().for_each(|time| shift(&mut time.span, by));
    }
}

impl Relation {
    fn shift(&mut self, by: u32) {
        let [source, target] = &mut self.clauses;
        for span in [&mut self.evidence, &mut self.effect, &mut self.cause, source, target] {
            shift(span, by);
        }
    }
}

fn shift(span: &mut Range<u32>, by: u32) {
    *span = span.start + by..span.end + by;
}

/// The extraction of a piece of a body, with byte ranges in the piece; and its fields, whose relations are made once all
/// moods are known.
fn read_piece<'a>(
    body: &'a str,
    skipped: &[Range<usize>],
    day: civil::Date,
    aliases: &Aliases,
    gate: &dyn gate::Gate,
) -> (Extract, Vec<fields::Field<'a>>) {
    let fields = fields::fields(body, skipped);
    let closed = code::merge(skipped.iter().cloned().chain(fields.iter().map(|field| field.line.clone())).collect());
    let links = inline_markup::links(body, &closed);
    let mut mentions: Vec<Mention> = fields.iter().flat_map(field_mentions).collect();
    mentions.extend(links.iter().map(|link| link_mention(link, MentionSource::Link, None)));
    mentions.extend(inline_markup::tags_and_people(body, &closed, &links));
    let (marked, passed) = inline_markup::in_sentences(body, &mentions);
    let closed = code::merge(closed.into_iter().chain(passed).collect());
    let text = Text::with_marks(body, &closed, &marked);
    let feelings = feelings::feelings(&text, gate);
    let times = times::times(&text, day);
    mentions.extend(names::names(&text));
    let taken: Vec<Range<u32>> =
        mentions.iter().filter(|mention| !mention.source.is_candidate()).map(|mention| mention.span.clone()).collect();
    let plain = plain_names::plain_names(&text, &taken);
    mentions.retain(|name| {
        let is_plain = || plain.iter().any(|other| overlap(&other.span, &name.span));
        name.span.is_empty()
            || !is_plain() && !plain_names::is_relative_of_another(&text, text.word_at(name.span.start))
    });
    mentions.extend(plain);
    aliases.mentions(&text, &mut mentions);
    in_order(&mut mentions);
    let (stated, phrases) = connections::connections(&text, &mentions, &feelings, &times, gate);
    mentions.extend(feelings.iter().filter(|feeling| feeling.is_felt()).map(feeling_mention));
    mentions.extend(phrases);
    mentions.extend(topics::topics(&text, &mentions));
    in_order(&mut mentions);
    (Extract { mentions, relations: stated, feelings, times }, fields)
}

fn feeling_mention(feeling: &Feeling) -> Mention {
    Mention::new(&feeling.name, EntityKind::Emotion, feeling.span.clone(), MentionSource::Feeling)
}

/// The moods of the head (comma-separated) and its tags.
fn head_mentions(entry: &Entry) -> Vec<Mention> {
    let mention = |name: &str, kind: EntityKind, source| Mention::new(name, kind, 0..0, source);
    let moods =
        entry.mood.iter().flat_map(|mood| mood.split([',', ';'])).map(|mood| fields::without_strength(mood.trim()));
    let tags = entry.tags.iter().map(|tag| tag.trim().trim_start_matches('#'));
    moods
        .filter(|mood| !mood.is_empty())
        .map(|mood| mention(mood, EntityKind::Emotion, MentionSource::Mood))
        .chain(tags.filter(|tag| !tag.is_empty()).map(|tag| mention(tag, EntityKind::Topic, MentionSource::Tag)))
        .collect()
}

fn link_mention(link: &inline_markup::Link<'_>, source: MentionSource, kind: Option<EntityKind>) -> Mention {
    let kind = link.kind.or(kind);
    Mention { name: link.name.to_owned(), kind, guess: kind_votes::of_name(link.name), span: span(&link.span), source }
}

fn field_mentions(field: &fields::Field<'_>) -> Vec<Mention> {
    let words = |words: &[(&str, Range<usize>)], kind: EntityKind, source| {
        words.iter().map(|(word, range)| Mention::new(*word, kind, span(range), source)).collect::<Vec<_>>()
    };
    match &field.value {
        fields::Value::Moods(moods) => words(moods, EntityKind::Emotion, MentionSource::Mood),
        fields::Value::Tags(tags) => words(tags, EntityKind::Topic, MentionSource::Tag),
        fields::Value::Links(links) => {
            let verb = lexicon::VERBS.get(&fold_case(field.verb)).filter(|_| field.subject.is_none());
            let start = span(&(field.line.start..field.line.start));
            let feeling = verb.and_then(|verb| verb.feeling);
            let feeling =
                feeling.map(|feeling| Mention::new(feeling, EntityKind::Emotion, start, MentionSource::Field));
            let names =
                links.iter().map(|link| link_mention(link, MentionSource::Field, verb.and_then(|verb| verb.names)));
            let subject = field.subject.iter().map(|link| link_mention(link, MentionSource::Field, None));
            feeling.into_iter().chain(subject).chain(names).collect()
        }
    }
}

fn field_relations(field: &fields::Field<'_>, moods: &[String]) -> Vec<Relation> {
    let fields::Value::Links(links) = &field.value else { return Vec::new() };
    let relation = |source: &str, target: &str, kind| Relation {
        source: source.to_owned(),
        target: target.to_owned(),
        kind,
        verb: field.verb.to_owned(),
        evidence: span(&field.line),
        weight: 1.0,
        event_time: None,
        clauses: [span(&field.line), span(&field.line)],
        effect: span(&field.line),
        cause: 0..0,
    };
    let verb = lexicon::VERBS.get(&fold_case(field.verb));
    if let Some(subject) = &field.subject {
        let kind = verb.map_or(RelationKind::Topical, |verb| verb.relation);
        return links.iter().map(|link| relation(subject.name, link.name, kind)).collect();
    }
    let Some(verb) = verb else { return Vec::new() };
    let feelings: Vec<&str> = match verb.feeling {
        Some(feeling) => vec![feeling],
        None => moods.iter().map(String::as_str).collect(),
    };
    links.iter().flat_map(|link| feelings.iter().map(|feeling| relation(link.name, feeling, verb.relation))).collect()
}
