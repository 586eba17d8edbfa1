//! Target of a feeling, and topic of a report.

use std::ops::Range;

use super::{
    Feeling, Gap, Mention, Relation, argument_label,
    causal_links::Joins,
    causes::Because,
    connections::{End, Reader, TOGETHER, inside, is_person},
    feeling_modifiers::AROUND,
    psych_verb::is_brought_about,
    sense_words::SENSES,
};
use crate::journal::{EntityKind, RelationKind};

/// Maximum number of words of a feeling's object.
const OBJECT_WITHIN: usize = 12;
const ABOUT_WEIGHT: f32 = 0.9;
/// Those that the rules alone take for it.
const PLAINLY_ABOUT: &[&str] =
    &["about", "at", "with", "over", "of", "towards", "toward", "by", "for", "cho", "về", "với", "(directly)"];
/// Maximum distance in words from a verb of talking to "about".
const TALK_WITHIN: usize = 6;

impl Reader<'_> {
    /// "Worried about the exam", "glad that it is over", "giận Hùng": a feeling and what stands behind it.
    pub fn about(&mut self, sentence: &Range<usize>) {
        let text = self.text;
        let whole = text.bytes(sentence);
        for feeling in
            self.feelings_in(&whole).iter().filter(|feeling| inside(&whole, &feeling.span) && feeling.is_felt())
        {
            let starts = |at: &usize| text.words[*at].span.start >= feeling.span.start as usize;
            let ends = |at: &usize| text.words[*at].span.end >= feeling.span.end as usize;
            let (Some(first), Some(last)) = (sentence.clone().find(starts), sentence.clone().find(ends)) else {
                continue;
            };
            let Some(link) = text.keys.get(last + 1).filter(|_| last + 1 < sentence.end && text.follows(last + 1))
            else {
                continue;
            };
            let known = [&AROUND.about, &AROUND.about_that, &AROUND.about_doing];
            let Some(link) = known.iter().find_map(|links| links.get(link.as_str())) else {
                self.directly_at(feeling, first..last + 1, sentence);
                continue;
            };
            let occasion = text.keys.get(last + 2).is_some_and(|word| SENSES.occasions.contains(word.as_str()));
            let from = if AROUND.about_doing.contains(link) { last + 1 } else { last + 2 };
            let is_where = *link == "at" && occasion || self.is_where_felt(&(from..sentence.end));
            // "Annoyed me at the office": a place.
            let comes_about = is_brought_about(text.keys[first..=last].iter().map(String::as_str));
            if comes_about || is_where {
                continue;
            }
            // After "which I am glad of, ..." comes something else.
            let breaks = |at: &usize| text.words[*at].gap >= Gap::Break;
            let end = sentence.end.min(from + OBJECT_WITHIN);
            let object = from..(from..end).find(breaks).unwrap_or(end);
            let is_clause = !AROUND.about.contains(link);
            let source = match is_clause {
                _ if object.is_empty() => None,
                true => argument_label::said(text, &object, false).map(End::of),
                false => self.object(&object),
            };
            let Some(source) = source else { continue };
            self.felt_about(feeling, &source, object, first..last + 1, link);
        }
    }

    /// "Giận Hùng": a Vietnamese feeling needs no preposition.
    fn directly_at(&mut self, feeling: &Feeling, words: Range<usize>, sentence: &Range<usize>) {
        let start = self.text.words[words.end].span.start;
        let is_here = |mention: &Mention| mention.span.start as usize == start && is_person(mention);
        if feeling.name.is_ascii() || !self.mentions.iter().any(is_here) {
            return;
        }
        let object = words.end..sentence.end.min(words.end + OBJECT_WITHIN);
        if let Some(source) = self.object(&object) {
            self.felt_about(feeling, &source, object, words, "(directly)");
        }
    }

    fn felt_about(
        &mut self,
        feeling: &Feeling,
        source: &End,
        cause: Range<usize>,
        effect: Range<usize>,
        link: &'static str,
    ) {
        let target = End::felt(feeling);
        let is_known = |known: &Relation| {
            known.source == source.name && known.target == target.name && known.kind == RelationKind::Causal
        };
        if self.relations.iter().any(is_known) {
            return;
        }
        let evidence = feeling.span.start..self.text.bytes(&cause).end.max(feeling.span.end as usize) as u32;
        let clauses = [self.text.bytes(&cause), self.text.bytes(&effect)];
        let link_words = effect.end..effect.end + 1;
        let because = Because {
            cause,
            effect,
            link: link_words,
            verb: link,
            weight: ABOUT_WEIGHT,
            joins: Joins::Thing,
            by_rule: PLAINLY_ABOUT.contains(&link)
                || link == "to" && matches!(feeling.name.as_str(), "grateful" | "biết ơn"),
        };
        if self.accepts(&because, std::slice::from_ref(&target)) {
            let kind = RelationKind::Emotional;
            let stated = self.relate(kind, source, &target, "about", &evidence, ABOUT_WEIGHT, clauses);
            if let Some(relation) = stated {
                // What follows the object is not what the feeling is about.
                relation.cause = source.phrase.as_ref().map_or(0..0, |(span, _)| span.clone());
            }
        }
    }

    /// "Vexed at my heart", "sick in mind": a location of the feeling, not its target.
    fn is_where_felt(&self, words: &Range<usize>) -> bool {
        let own = |word: &&str| matches!(*word, "my" | "the" | "very" | "own");
        let mut words = self.text.keys[words.start.min(words.end)..words.end].iter().map(String::as_str);
        words.by_ref().find(|word| !own(word)).is_some_and(|word| matches!(word, "heart" | "soul" | "mind" | "core"))
    }

    /// "Talked with Linh about the flat", "Mom told me about the garden": the speaker and the topic.
    pub fn talked_about(&mut self, sentence: &Range<usize>) {
        let text = self.text;
        let Some(about) = (sentence.start + 1..sentence.end).find(|at| {
            matches!(text.keys[*at].as_str(), "about" | "về")
                && text.keys[at.saturating_sub(TALK_WITHIN).max(sentence.start)..*at]
                    .iter()
                    .any(|word| SENSES.talking.contains(word.as_str()))
        }) else {
            return;
        };
        let object = about + 1..sentence.end.min(about + 1 + OBJECT_WITHIN);
        let object = object.start
            ..(object.start + 1..object.end).find(|at| text.words[*at].gap >= Gap::Break).unwrap_or(object.end);
        let bytes = self.text.bytes(&(sentence.start..about));
        let speaks = |mention: &&Mention| is_person(mention) && self.is_certain(mention);
        let Some(speaker) = self.mentions_in(&bytes).find(speaks).map(End::named) else { return };
        let is_other = |target: &End| target.name != speaker.name && !object.is_empty();
        let Some(target) = self.object(&object).filter(is_other) else { return };
        let clauses = [text.bytes(&(sentence.start..about)), text.bytes(&object)];
        let evidence = clauses[0].start as u32..clauses[1].end as u32;
        self.relate(RelationKind::Topical, &speaker, &target, "about", &evidence, TOGETHER, clauses);
    }

    /// The target: the name at its start, else the noun phrase ("sad for the absence of my wife"), else a name.
    fn object(&self, words: &Range<usize>) -> Option<End> {
        let bytes = self.text.bytes(words);
        let name = self.mentions_in(&bytes).find(|mention| self.is_certain(mention));
        let head = argument_label::thing(self.text, words).filter(|head| !head.is_clause);
        match (name, head) {
            (Some(mention), Some(head))
                if head.span.start < mention.span.start
                    && mention.span.start < head.span.end
                    && mention.kind != Some(EntityKind::Event) =>
            {
                Some(End::of(head))
            }
            (Some(mention), _) => Some(End::named(mention)),
            (None, head) => head.map(End::of),
        }
    }
}
