//! Target of a feeling, and topic of a report.

use std::ops::Range;

use super::{
    Mention, argument_label,
    connections::{End, Reader, TOGETHER, inside, is_person},
    psych_verb::is_brought_about,
    sense_words::SENSES,
    words::Gap,
};
use crate::journal::{EntityKind, RelationKind};

/// Maximum distance in words from a feeling to its object.
const OBJECT_WITHIN: usize = 6;
/// Maximum distance in words from a verb of talking to "about".
const TALK_WITHIN: usize = 6;

impl Reader<'_> {
    /// "Worried about the exam", "giận Hùng": a feeling and its target.
    pub fn about(&mut self, sentence: &Range<usize>) {
        let whole = self.text.bytes(sentence);
        for feeling in self
            .feelings_in(&whole)
            .iter()
            .filter(|feeling| inside(&whole, &feeling.span) && feeling.own && !feeling.denied)
        {
            let Some(last) = sentence.clone().find(|at| self.text.words[*at].span.end >= feeling.span.end as usize)
            else {
                continue;
            };
            let Some(link) =
                self.text.keys.get(last + 1).filter(|_| last + 1 < sentence.end && self.text.follows(last + 1))
            else {
                continue;
            };
            let plain = matches!(
                link.as_str(),
                "about" | "at" | "with" | "over" | "of" | "towards" | "toward" | "by" | "for" | "cho" | "về" | "với"
            );
            let occasion = self.text.keys.get(last + 2).is_some_and(|word| SENSES.occasions.contains(word.as_str()));
            let plain = plain && !(link == "at" && occasion) && !self.is_where_felt(&(last + 2..sentence.end));
            let plain = plain || (link == "to" && matches!(feeling.name.as_str(), "grateful" | "biết ơn"));
            let direct = !feeling.name.is_ascii()
                && self.mentions.iter().any(|mention| {
                    mention.span.start as usize == self.text.words[last + 1].span.start && is_person(mention)
                });
            // "Annoyed me at the office": a place.
            let said = &self.text.body[feeling.span.start as usize..feeling.span.end as usize];
            let comes_about = is_brought_about(said.split_whitespace());
            if comes_about || !(plain || direct) {
                continue;
            }
            let from = if plain { last + 2 } else { last + 1 };
            let object = from..sentence.end.min(from + OBJECT_WITHIN);
            // After "which I am glad of, ..." comes something else.
            let object =
                from..(from..object.end).find(|at| self.text.words[*at].gap >= Gap::Break).unwrap_or(object.end);
            let Some(source) = self.object(&object).filter(|_| !object.is_empty()) else { continue };
            let target = End { name: feeling.name.clone(), feels: true, phrase: None };
            let end = self.text.bytes(&object).end.max(feeling.span.end as usize);
            let evidence = feeling.span.start..end as u32;
            if self.relations.iter().any(|known| {
                known.source == source.name && known.target == target.name && known.kind == RelationKind::Causal
            }) {
                continue;
            }
            let clauses = [self.text.bytes(&object), feeling.span.start as usize..feeling.span.end as usize];
            self.relate(RelationKind::Emotional, &source, &target, "about", &evidence, 0.9, clauses);
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
        let speaks =
            |mention: &&Mention| inside(&bytes, &mention.span) && is_person(mention) && self.is_certain(mention);
        let Some(speaker) = self.mentions_in(&bytes).iter().find(speaks).map(|mention| mention.name.clone()) else {
            return;
        };
        let Some(target) = self.object(&object).filter(|target| target.name != speaker && !object.is_empty()) else {
            return;
        };
        let source = End { name: speaker, feels: false, phrase: None };
        let clauses = [text.bytes(&(sentence.start..about)), text.bytes(&object)];
        let evidence = clauses[0].start as u32..clauses[1].end as u32;
        self.relate(RelationKind::Topical, &source, &target, "about", &evidence, TOGETHER, clauses);
    }

    /// The target: the name at its start, else the noun phrase ("sad for the absence of my wife"), else a name.
    fn object(&self, words: &Range<usize>) -> Option<End> {
        let bytes = self.text.bytes(words);
        let mut here =
            self.mentions_in(&bytes).iter().filter(|mention| inside(&bytes, &mention.span) && self.is_certain(mention));
        let name = here.next();
        let end = |mention: &Mention| End { name: mention.name.clone(), feels: false, phrase: None };
        let head = argument_label::thing(self.text, words).filter(|head| !head.is_clause);
        match (name, head) {
            (Some(mention), Some(head))
                if head.span.start < mention.span.start
                    && mention.span.start < head.span.end
                    && mention.kind != Some(EntityKind::Event) =>
            {
                Some(End::of(head))
            }
            (Some(mention), _) => Some(end(mention)),
            (None, head) => head.map(End::of),
        }
    }
}
