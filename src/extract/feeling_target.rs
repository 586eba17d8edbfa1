//! Target of a feeling, and topic of a report.

use std::ops::Range;

use super::{
    Class, Feeling, Mention, MentionSource, Relation, argument_label,
    causal_links::{Joins, LINKS, Side},
    causes::Because,
    class,
    connections::{End, Reader, TOGETHER, is_a},
    feeling_modifiers::AROUND,
    psych_verb::is_brought_about,
    sense_words::SENSES,
    text::span,
};
use crate::journal::{EntityKind, RelationKind};

/// Maximum number of words of a feeling's object.
const OBJECT_WITHIN: usize = 12;
const ABOUT_WEIGHT: f32 = 0.9;
/// Those that the rules alone take for it.
const PLAINLY_ABOUT: &[&str] =
    &["about", "at", "with", "over", "of", "towards", "toward", "by", "for", "that", "cho", "về", "với", "(directly)"];
/// Maximum distance in words from a verb of talking to "about".
const TALK_WITHIN: usize = 6;

impl Reader<'_> {
    /// "Worried about the exam", "glad that it is over", "relieved it is over", "giận Hùng": a feeling and what stands
    /// behind it.
    pub fn about(&mut self, sentence: &Range<usize>) {
        let text = self.text;
        for feeling in self.feelings_in(sentence).filter(|feeling| feeling.is_felt()) {
            let words = text.words_of(&feeling.span);
            let next = words.end;
            if next >= sentence.end || !text.follows(next) {
                continue;
            }
            // "Annoyed me at the office": a place. "Annoys me that I knew": what annoys.
            let comes_about = is_brought_about(text.keys[words.clone()].iter().map(String::as_str));
            let known = [&AROUND.about, &AROUND.about_that, &AROUND.about_doing];
            match known.iter().find_map(|links| links.get(text.keys[next].as_str())) {
                Some(link) if comes_about && *link != "that" => {}
                Some(link) if *link == "that" && self.goes_so_far(&words, next + 1, sentence) => {
                    self.led_to(feeling, &words, sentence)
                }
                Some(link) => self.linked_to(feeling, words, link, sentence),
                None if comes_about => {}
                None => self.directly_at(feeling, words, sentence),
            }
        }
    }

    fn linked_to(&mut self, feeling: &Feeling, words: Range<usize>, link: &'static str, sentence: &Range<usize>) {
        let (text, next) = (self.text, words.end);
        let occasion = text.keys.get(next + 1).is_some_and(|word| SENSES.occasions.contains(word.as_str()));
        let from = if AROUND.about_doing.contains(link) { next } else { next + 1 };
        if link == "at" && occasion || self.is_where_felt(&(from..sentence.end)) {
            return;
        }
        let mut object = self.part_from(from, sentence);
        // "Glad to see him", not "rude to him".
        let mut is_doing =
            link == "to" && object.clone().take(1).any(|at| matches!(class(text, at), Class::Verb | Class::Either));
        if is_doing {
            object.end = object.clone().find(|at| text.keys[*at] == "that").unwrap_or(object.end);
        }
        // "Angry with Geoff for putting the bungalow up".
        let is_deed =
            |at: &usize| text.keys[*at] == "for" && *at + 1 < object.end && class(text, *at + 1) == Class::Gerund;
        if let Some(at) = object.clone().find(is_deed) {
            let who = self.object(&(object.start..at)).filter(|_| at > object.start);
            if let Some(who) = who {
                self.felt_about(feeling, &who, object.start..at, words.clone(), link);
            }
            (is_doing, object.start) = (true, at + 1);
        }
        let source = match is_doing || !AROUND.about.contains(link) {
            _ if object.is_empty() => None,
            true => argument_label::said(text, &object, false)
                .or_else(|| argument_label::in_full(text, &object))
                .map(End::of),
            false => self.object(&object),
        };
        // "Didn't expect that to sting".
        let is_pronoun = link == "that" && object.clone().take(1).any(|at| !may_be_subject(class(text, at)));
        if let Some(source) = source.filter(|_| !is_pronoun) {
            self.felt_about(feeling, &source, object, words, link);
        }
    }

    /// From a word to the next break: after "which I am glad of, ..." comes something else.
    fn part_from(&self, from: usize, sentence: &Range<usize>) -> Range<usize> {
        let end = sentence.end.min(from + OBJECT_WITHIN);
        let states_why = |at: usize| {
            at > from && LINKS.links.at(self.text, at).is_some_and(|(_, link)| link.side == Side::CauseFollows)
        };
        from..(from..end).find(|at| self.text.breaks(*at) || states_why(*at)).unwrap_or(end)
    }

    /// "So angry that I could not speak": what the subject does comes of the feeling.
    fn goes_so_far(&self, feeling: &Range<usize>, subject: usize, sentence: &Range<usize>) -> bool {
        let keys = &self.text.keys;
        let is_so = (sentence.start..feeling.start).rev().take(2).any(|at| keys[at] == "so");
        is_so && keys.get(subject).is_some_and(|subject| AROUND.own.contains(subject.as_str()))
    }

    fn led_to(&mut self, feeling: &Feeling, words: &Range<usize>, sentence: &Range<usize>) {
        let effect = self.part_from(words.end + 1, sentence);
        let Some(label) = argument_label::said(self.text, &effect, false) else { return };
        let because = Because {
            link: words.end..words.end + 1,
            weight: ABOUT_WEIGHT,
            by_rule: true,
            ..Because::unlinked(words.clone(), effect, "so")
        };
        self.state(&because, &[End::felt(feeling)], &[End::of(label)]);
    }

    /// "Giận Hùng": a Vietnamese feeling needs no preposition; "relieved it is over": an English one none before a clause.
    fn directly_at(&mut self, feeling: &Feeling, words: Range<usize>, sentence: &Range<usize>) {
        let text = self.text;
        let start = text.words[words.end].span.start;
        let object = self.part_from(words.end, sentence);
        let is_here = |mention: &Mention| mention.span.start as usize == start && is_a(mention, EntityKind::Person);
        let names_somebody = self.mentions.iter().any(is_here);
        if feeling.name.is_ascii() {
            let opens = matches!(
                class(text, words.end),
                Class::Pronoun | Class::Contracted | Class::Article | Class::Determiner
            );
            let acts = object.clone().skip(1).any(|at| matches!(class(text, at), Class::Verb | Class::Auxiliary));
            // "Laughed till it hurt", "so in love it's stupid": how much.
            let tells_degree = matches!(text.keys[words.end - 1].as_str(), "till" | "until")
                || words.start > sentence.start
                    && text.keys[words.start - 1] == "so"
                    && text.keys[words.end].starts_with("it");
            if (opens || names_somebody)
                && !tells_degree
                && !self.goes_so_far(&words, words.end, sentence)
                && (acts || class(text, words.end) == Class::Contracted)
                && let Some(clause) = argument_label::clause(text, &object)
            {
                self.felt_about(feeling, &End::of(clause), object, words, "that");
            }
            return;
        }
        if names_somebody && let Some(source) = self.object(&object) {
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
        let is_clause = matches!(source.phrase, Some((_, MentionSource::Clause)));
        let evidence = feeling.span.start..self.text.bytes(&cause).end.max(feeling.span.end as usize) as u32;
        let because = Because {
            link: effect.end..effect.end + 1,
            weight: ABOUT_WEIGHT,
            joins: Joins::Thing,
            by_rule: PLAINLY_ABOUT.contains(&link)
                || link == "to" && (is_clause || matches!(feeling.name.as_str(), "grateful" | "biết ơn")),
            ..Because::unlinked(cause, effect, link)
        };
        // Its complement clause says what a feeling is about; for anything else the gate decides.
        if link == "that" || self.accepts(&because, std::slice::from_ref(&target)) {
            // What follows the object is not what the feeling is about, but for "the look of him".
            let thing = || argument_label::thing(self.text, &because.cause).map(|thing| thing.span);
            let span = source.phrase.as_ref().map(|(span, _)| span.clone()).or_else(thing).unwrap_or(0..0);
            let told = argument_label::with_complement(self.text, &span, &because.cause);
            let (kind, clauses) = (RelationKind::Emotional, [&because.cause, &because.effect]);
            let stated = self.relate(kind, source, &target, "about", &evidence, ABOUT_WEIGHT, clauses);
            if let Some(relation) = stated {
                relation.cause = told;
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
        let object = object.start..(object.start + 1..object.end).find(|at| text.breaks(*at)).unwrap_or(object.end);
        let before = sentence.start..about;
        let speaks = |mention: &&Mention| is_a(mention, EntityKind::Person) && self.is_certain(mention);
        let Some(speaker) = self.mentions_in(&before).find(speaks).map(End::named) else { return };
        let is_other = |target: &End| target.name != speaker.name && !object.is_empty();
        let Some(target) = self.object(&object).filter(is_other) else { return };
        let evidence = span(&text.bytes(&(sentence.start..object.end)));
        self.relate(RelationKind::Topical, &speaker, &target, "about", &evidence, TOGETHER, [&before, &object]);
    }

    /// The target: the name at its start, else the noun phrase ("sad for the absence of my wife"), else a name.
    fn object(&self, words: &Range<usize>) -> Option<End> {
        let name = self.mentions_in(words).find(|mention| self.is_certain(mention));
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

/// Whether a clause may begin with a word of this class.
fn may_be_subject(class: Class) -> bool {
    !matches!(class, Class::Preposition | Class::Verb | Class::Auxiliary | Class::Closer)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::{extract_by_rule, tests::causes};
    use crate::journal::RelationKind;

    fn about(text: &str) -> Vec<String> {
        let relations = extract_by_rule(text, date(2026, 3, 2)).relations.into_iter();
        let about = relations.filter(|told| told.kind == RelationKind::Emotional);
        about.map(|told| text[told.cause.start as usize..told.cause.end as usize].to_owned()).collect()
    }

    #[test]
    fn what_a_feeling_is_about_stands_behind_it() {
        assert_eq!(about("I'm relieved it went without a hitch."), ["it went without a hitch"]);
        assert_eq!(about("It annoys me that I knew."), ["I knew"]);
        assert_eq!(about("I am glad that Mum came."), ["Mum came"]);
        assert_eq!(about("I was sad about the size of the moon."), ["size of the moon"]);
        assert_eq!(about("Sad that nobody has sung since Carol."), ["nobody has sung since Carol"]);
        assert_eq!(about("Worried about Dad's knee and the bill."), ["Dad's knee"]);
    }

    #[test]
    fn what_comes_of_a_feeling_is_not_what_it_is_about() {
        let late = "I was so angry that I couldn't find the key.";
        assert_eq!((about(late), causes(late)), (Vec::new(), vec!["angry -> I couldn't find the key".to_owned()]));
        for text in [
            "I'm so proud I could burst.",
            "Laughed till it hurt.",
            "I wish I were sad that it is over.",
            "I was angry that to be fair.",
        ] {
            assert_eq!(about(text), [""; 0], "{text}");
        }
        assert_eq!(about("I'm so happy that Linh passed."), ["Linh passed"]);
    }
}
