//! Refinement of the rules' extraction by the answer of a language model.
//!
//! A pure function of the entry, the rules' extraction and the answer; decisions that depend on other entries are made
//! in `index::graph`, in the same way for both sources. Rules:
//!
//! - Results of the rules are not changed: marks, explicit kinds, feelings and their negation, dates.
//! - A name of the answer applies to every occurrence of its quote. If the rules found a certain name there, the
//!   answer's kind is a vote for its kind, unless there is one already. If the rules found only a candidate (a capital
//!   at the start of a sentence, unknown words in lower case, a phrase), the answer confirms it. If they found nothing,
//!   it is a new mention with the source that the rules would have given it. Its name is the quote, never the model's
//!   wording.
//! - A relation is accepted if its quote occurs in the text, with one of its arguments in the quote and the other in
//!   the same paragraph. It is Stated, its evidence is the whole sentences of the quote, and its weight is below that
//!   of "because". It is rejected if the sentence is a question, if a feeling in it is negated or another person's, or
//!   if the rules found the same relation there.
//! - A date is accepted if the rules found none in its quote.

use std::ops::Range;

use super::{
    answer::{Answer, NamedByModel, RelatedByModel},
    quote::Quotable,
};
use crate::{
    extract::{
        EventTime, Extract, Feeling, Mention, MentionSource, Relation, code,
        feelings::{denies, names_feeling},
        fold_case, in_order, overlap, span,
        text::Text,
    },
    journal::{EntityKind, Entry, RelationKind},
};

/// Maximum weight of a relation. Below the weight 1 of "because" and of marks, since a model may misunderstand its
/// quote.
const PLAINEST: f32 = 0.8;
/// Maximum number of mentions of one name.
const MOST_PLACES: usize = 40;
/// Maximum distance of a date from the entry in years, about a long life.
const MOST_YEARS: i16 = 120;
/// Appended to the verb of a relation, to show its source.
const READ_BY: &str = "llm";

/// Adds the statements of the answer to `extract`, the rules' extraction of `entry`. Each statement takes time linear
/// in the body.
pub fn refine(extract: Extract, entry: &Entry, answer: &Answer) -> Extract {
    let code = code::skipped(&entry.body);
    let mut refining = Refining {
        body: &entry.body,
        quotable: Quotable::new(&entry.body),
        text: Text::new(&entry.body, &code),
        code,
        extract,
        named: Vec::new(),
    };
    refining.date(entry, answer);
    for entity in &answer.entities {
        refining.name(entity);
    }
    for relation in &answer.relations {
        refining.relate(relation);
    }
    in_order_after_head(&mut refining.extract.mentions);
    refining.extract
}

struct Refining<'a> {
    body: &'a str,
    quotable: Quotable,
    text: Text<'a>,
    code: Vec<Range<usize>>,
    extract: Extract,
    /// The mentions of the answer's entities.
    named: Vec<Named<'a>>,
}

impl<'a> Refining<'a> {
    fn places(&self, quote: &str) -> Vec<Range<u32>> {
        let found = self.quotable.find(quote).map(|bytes| span(&bytes));
        let prose = |bytes: &Range<u32>| !self.code.iter().any(|code| overlap(&span(code), bytes));
        found.filter(prose).take(MOST_PLACES).collect()
    }

    fn date(&mut self, entry: &Entry, answer: &Answer) {
        let Some((time, days)) = answer.event_time.as_ref().and_then(|time| Some((time, time.days()?))) else { return };
        if (days.first.year() - entry.day.year()).abs() > MOST_YEARS {
            return;
        }
        let Some(place) = self.places(&time.quote).into_iter().next() else { return };
        if !self.extract.times.iter().any(|known| overlap(&known.span, &place)) {
            self.extract.times.push(EventTime { span: place, days });
            self.extract.times.sort_by_key(|time| time.span.start);
        }
    }

    fn name(&mut self, entity: &'a NamedByModel) {
        for place in self.places(&entity.text) {
            if let Some(name) = self.name_at(entity, &place) {
                self.named.push(Named { entity, span: place, name });
            }
        }
    }

    /// The entity's name at an occurrence; `None` if it is rejected there.
    fn name_at(&mut self, entity: &NamedByModel, place: &Range<u32>) -> Option<String> {
        if entity.kind == EntityKind::Emotion {
            return self.feeling_at(place);
        }
        let sure = |mention: &&mut Mention| overlap(&mention.span, place) && !is_supposed(mention);
        if let Some(mention) = self.extract.mentions.iter_mut().find(sure) {
            if mention.span == *place && mention.kind.is_none() && entity.kind != EntityKind::Topic {
                mention.guess.get_or_insert(entity.kind);
            }
            return Some(mention.name.clone());
        }
        let new = self.mention(entity.kind, place);
        let same = |mention: &&mut Mention| mention.span == *place && is_supposed(mention);
        match self.extract.mentions.iter_mut().find(same) {
            // Both found a topic. The graph decides whether it recurs in the journal.
            Some(mention) if new.source == MentionSource::Phrase && mention.source == MentionSource::Phrase => {
                Some(mention.name.clone())
            }
            Some(mention) => {
                let guess = mention.guess.or(new.guess);
                // Keep the name, because a relation of the rules may refer to it.
                let name = if mention.source == MentionSource::Phrase { new.name } else { mention.name.clone() };
                *mention = Mention { name, guess, ..new };
                Some(mention.name.clone())
            }
            None => {
                let name = new.name.clone();
                self.extract.mentions.push(new);
                Some(name)
            }
        }
    }

    /// The name of a feeling. A feeling found by the rules keeps its name, negation and experiencer.
    fn feeling_at(&mut self, place: &Range<u32>) -> Option<String> {
        if let Some(feeling) = self.extract.feelings.iter().find(|feeling| overlap(&feeling.span, place)) {
            return (feeling.is_felt()).then(|| feeling.name.clone());
        }
        let known =
            |mention: &&Mention| overlap(&mention.span, place) && (!is_supposed(mention) || mention.guess.is_some());
        if let Some(mention) = self.extract.mentions.iter().find(known) {
            // "Joy" with a capital may be a person; a mood from a field is a feeling.
            return (mention.kind == Some(EntityKind::Emotion)).then(|| mention.name.clone());
        }
        let words = self.words_at(place)?;
        // The word is in the list of feelings, but the rules rejected it here.
        let listed = words.len() == 1 && names_feeling(&self.text.keys[words.start]);
        let sentence = self.text.sentence_of(words.start)?;
        if listed || denies(&self.text, sentence, words.start) {
            return None;
        }
        let mention = self.mention(EntityKind::Emotion, place);
        let name = mention.name.clone();
        let Extract { mentions, relations, .. } = &mut self.extract;
        // A relation of the rules may go by the name.
        let joins = |name: &str| relations.iter().any(|known| known.source == name || known.target == name);
        mentions.retain(|other| !is_supposed(other) || !overlap(&other.span, place) || joins(&other.name));
        mentions.push(mention);
        Some(name)
    }

    /// A new mention with the source that the rules would have given it.
    fn mention(&self, kind: EntityKind, place: &Range<u32>) -> Mention {
        let written = &self.body[place.start as usize..place.end as usize];
        let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
        let lower = written.chars().find(|c| c.is_alphabetic()).is_some_and(char::is_lowercase);
        let stated = |source| (fold_case(&written), Some(kind), None, source);
        let (name, kind, guess, source) = match kind {
            EntityKind::Emotion => stated(MentionSource::Feeling),
            EntityKind::Event if lower => stated(MentionSource::Event),
            EntityKind::Topic if lower => stated(MentionSource::Phrase),
            EntityKind::Topic => (written, None, None, MentionSource::Capitals),
            kind if lower => (written, None, Some(kind), MentionSource::LowerCase),
            kind => (written, None, Some(kind), MentionSource::Capitals),
        };
        Mention { name, kind, guess, span: place.clone(), source }
    }

    fn relate(&mut self, relation: &RelatedByModel) {
        let read = self.places(&relation.quote).into_iter().find_map(|quote| self.read_at(relation, &quote));
        let Some(read) = read else { return };
        let same = |known: &Relation| {
            known.kind == read.kind
                && fold_case(&known.source) == fold_case(&read.source)
                && fold_case(&known.target) == fold_case(&read.target)
                && overlap(&known.evidence, &read.evidence)
        };
        if self.extract.relations.iter().any(same) {
            return;
        }
        // An argument that is only a phrase must stay a mention, or the relation would be lost.
        for end in [&read.source, &read.target] {
            let phrase = |mention: &&mut Mention| mention.source == MentionSource::Phrase && mention.name == *end;
            self.extract.mentions.iter_mut().filter(phrase).for_each(|mention| mention.source = MentionSource::Cause);
        }
        self.extract.relations.push(read);
    }

    /// The relation for one occurrence of its quote; `None` if it is rejected.
    fn read_at(&self, relation: &RelatedByModel, quote: &Range<u32>) -> Option<Relation> {
        let (mut source, mut target) = (self.end(&relation.source, quote)?, self.end(&relation.target, quote)?);
        // The target of a feeling comes first.
        if relation.kind == RelationKind::Emotional && source.feels() && !target.feels() {
            std::mem::swap(&mut source, &mut target);
        }
        let within = |end: &Named<'_>| quote.start <= end.span.start && end.span.end <= quote.end;
        let stands = within(source) || within(target);
        let felt = target.feels() || relation.kind != RelationKind::Emotional;
        if fold_case(&source.name) == fold_case(&target.name) || !stands || !felt || self.speaks_against(quote) {
            return None;
        }
        let evidence = self.sentences(quote)?;
        let time = self.extract.times.iter().find(|time| overlap(&time.span, &evidence));
        Some(Relation {
            source: source.name.clone(),
            target: target.name.clone(),
            kind: relation.kind,
            verb: format!("{} ({READ_BY})", relation.kind.word()),
            event_time: time.map(|time| time.days),
            evidence,
            weight: relation.weight.min(PLAINEST),
            clauses: [source.span.clone(), target.span.clone()],
            effect: target.span.clone(),
            cause: source.span.clone(),
        })
    }

    /// Whether the quote is negated ("not because of Linh"), or contains a feeling that is negated or another person's.
    /// As with the rules, such a quote states no cause.
    fn speaks_against(&self, quote: &Range<u32>) -> bool {
        let denied = self.words_at(quote).is_some_and(|words| {
            let sentence = self.text.sentence_of(words.start);
            sentence.is_some_and(|sentence| denies(&self.text, sentence, words.start))
        });
        let against = |feeling: &Feeling| overlap(&feeling.span, quote) && (feeling.denied || !feeling.own);
        denied || self.extract.feelings.iter().any(against)
    }

    /// Finds an argument of a relation: a mention in the quote, or else the nearest in the same paragraph.
    fn end(&self, end: &str, quote: &Range<u32>) -> Option<&Named<'a>> {
        let paragraph = self.paragraph(quote);
        let here = self.named.iter().filter(|named| {
            named.entity.is(end) && paragraph.start <= named.span.start && named.span.end <= paragraph.end
        });
        let distance = |place: &Range<u32>| match place {
            place if place.end <= quote.start => quote.start - place.end + 1,
            place if place.start >= quote.end => place.start - quote.end + 1,
            _ => 0,
        };
        here.min_by_key(|named| (distance(&named.span), named.span.start))
    }

    /// The paragraph around the quote, between blank lines.
    fn paragraph(&self, quote: &Range<u32>) -> Range<u32> {
        let (start, end) = (quote.start as usize, quote.end as usize);
        let blank = |line: &str| line.trim().is_empty();
        let mut from = 0;
        let mut at = 0;
        for line in self.body.split_inclusive('\n') {
            if blank(line) && at + line.len() <= start {
                from = at + line.len();
            }
            if blank(line) && at >= end {
                return span(&(from..at));
            }
            at += line.len();
        }
        span(&(from..self.body.len()))
    }

    /// The whole sentences of a quote, because a part of a sentence may mean the opposite. `None` if one is a question.
    fn sentences(&self, quote: &Range<u32>) -> Option<Range<u32>> {
        let mut bytes = quote.clone();
        for sentence in &self.text.sentences {
            let whole = span(&self.text.bytes(sentence));
            if overlap(&whole, quote) {
                if self.text.asks(sentence) {
                    return None;
                }
                bytes = bytes.start.min(whole.start)..bytes.end.max(whole.end);
            }
        }
        Some(bytes)
    }

    fn words_at(&self, place: &Range<u32>) -> Option<Range<usize>> {
        let words = self.text.words_of(place);
        let first = self.text.words.get(words.start)?;
        (first.span.start < place.end as usize).then_some(words)
    }
}

/// A mention of an entity of the answer.
struct Named<'a> {
    entity: &'a NamedByModel,
    span: Range<u32>,
    name: String,
}

impl Named<'_> {
    fn feels(&self) -> bool {
        self.entity.kind == EntityKind::Emotion
    }
}

/// Whether the rules found only a candidate, which needs support from other entries.
fn is_supposed(mention: &Mention) -> bool {
    match mention.source {
        MentionSource::SentenceStart | MentionSource::Phrase | MentionSource::Unaccented => true,
        MentionSource::LowerCase => mention.guess.is_none(),
        _ => false,
    }
}

/// Sorts the mentions, keeping those of the head first.
fn in_order_after_head(mentions: &mut [Mention]) {
    let head = mentions.iter().take_while(|mention| mention.span == (0..0)).count();
    in_order(&mut mentions[head..]);
}
