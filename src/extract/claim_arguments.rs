//! Arguments of a causal statement: the feelings, names, noun phrases and clauses on its two sides.

use std::ops::Range;

use super::{
    Class, Feeling, Mention, MentionSource, PHRASES, TITLES,
    argument_label::{self, ArgumentLabel},
    causal_links::Joins,
    causes::Because,
    class,
    connections::{End, Reader},
    fold_case, overlap,
    sense_words::SENSES,
};
use crate::journal::EntityKind;

/// Maximum distance in words between a connective and the feeling that it explains.
const FELT_WITHIN: usize = 16;
/// Maximum number of words before a name in the clause; a later name after a preposition is not its topic.
const MOST_BEFORE: usize = 3;
/// Maximum number of words of an induced action.
const MOST_DONE: usize = 4;

impl Reader<'_> {
    /// The effect: the feelings of the writer, else the event. A person is no effect.
    pub fn effects(&self, because: &Because) -> Vec<End> {
        let text = self.text;
        let before_link = because.effect.start < because.cause.start;
        let near = argument_label::nearest(text, &because.effect, before_link);
        // The far end of a long sentence has its own causes.
        let reach = match before_link {
            true => because.effect.start.max(near.end.saturating_sub(FELT_WITHIN))..near.end,
            false => because.effect.start..because.effect.end.min(near.start + FELT_WITHIN),
        };
        // "Sad because of this; glad, because of that": the feeling directly before the connective.
        let breaks = |at: &usize| self.text.breaks(*at);
        let last = near.clone().rev().find(breaks).filter(|_| before_link).map_or(near.clone(), |at| at..near.end);
        let felt: Vec<End> = [&last, &near, &reach]
            .into_iter()
            .map(|words| self.felt(words).take(2).collect::<Vec<_>>())
            .find(|felt| !felt.is_empty())
            .unwrap_or_default();
        // A rejected feeling alone is no effect; the text before it is not the effect either.
        if !felt.is_empty() || self.is_mere_feeling(&last) {
            return felt;
        }
        let head = || match (because.joins, before_link) {
            (Joins::Writer, _) => self.done(&near).or_else(|| argument_label::said(text, &near, before_link)),
            (Joins::Things, false) => argument_label::thing(text, &because.effect),
            (Joins::Thing, true) => {
                argument_label::said(text, &near, true).or_else(|| argument_label::thing_before(text, &near))
            }
            _ => argument_label::said(text, &because.effect, before_link),
        };
        let event = self.event(&near).filter(|event| !self.is_aside(event, &near)).map(End::named);
        let named = || self.named(&near).into_iter().next();
        let wider = || self.wider(&because.effect, &near, before_link).map(End::of);
        event.or_else(|| head().map(End::of)).or_else(named).or_else(wider).into_iter().collect()
    }

    fn is_mere_feeling(&self, words: &Range<usize>) -> bool {
        self.feelings_in(words).any(|feeling| self.text.words_of(&feeling.span) == *words)
    }

    /// "He promised fourteen gauges for the demo, because": the event is not what came about.
    fn is_aside(&self, event: &Mention, clause: &Range<usize>) -> bool {
        let at = self.text.word_at(event.span.start);
        let opens = |at: &usize| matches!(class(self.text, *at), Class::Article | Class::Determiner | Class::Adjective);
        let before = (clause.start..at).rev().find(|at| !opens(at));
        before.is_some_and(|before| class(self.text, before) == Class::Preposition)
    }

    /// "He forgot my birthday and made me sad": the preceding clause, if it has an action.
    fn what_was_done(&self, near: &Range<usize>) -> Option<ArgumentLabel> {
        let text = self.text;
        let points = |at: usize| matches!(text.keys[at].as_str(), "which" | "that" | "this" | "it" | "and" | "who");
        let end = near.clone().rev().find(|at| !points(*at)).map_or(near.start, |last| last + 1);
        let acts = (near.start + 1..end).any(|at| matches!(class(text, at), Class::Verb | Class::Either));
        acts.then(|| argument_label::said(text, &(near.start..end), true)).flatten()
    }

    /// If the part next to the connective has no content, the part before it on the same side.
    fn wider(&self, side: &Range<usize>, near: &Range<usize>, before_link: bool) -> Option<ArgumentLabel> {
        let rest = if before_link { side.start..near.start } else { near.end..side.end };
        let rest = (rest.len() > 1).then(|| argument_label::said(self.text, &rest, before_link)).flatten();
        let acts = side.clone().skip(1).any(|at| matches!(class(self.text, at), Class::Verb | Class::Either));
        rest.or_else(|| acts.then(|| argument_label::clause(self.text, side)).flatten())
    }

    /// The cause: the names in it, else the noun phrase or the clause. With a clause also its head noun, which counts
    /// if the journal knows it.
    pub fn causes(&self, because: &Because) -> Vec<End> {
        let text = self.text;
        let before_link = because.begins_with_cause();
        let near = argument_label::nearest(text, &because.cause, before_link);
        let is_thing = because.joins != Joins::Clauses;
        if is_thing {
            return self.thing(because, &near, before_link);
        }
        let mut named = self.bearing(&near);
        named.truncate(2);
        let head = || {
            let whole = argument_label::clause(text, &because.cause).filter(|_| because.is_pointed_at());
            // "Row with Geoff over the bungalow. Miserable all night."
            let fragment = || argument_label::in_full(text, &because.cause).filter(|_| !because.has_connective());
            let head = whole.or_else(fragment).or_else(|| argument_label::said(text, &because.cause, before_link));
            head.or_else(|| self.wider(&because.cause, &near, before_link))
        };
        if !named.is_empty() {
            // A name tells who or what was part of the cause; the clause tells the cause.
            named.extend(head().filter(|head| head.is_clause).map(End::of));
            return named;
        }
        let head = head();
        // "Worried, so I counted": the feeling itself is the cause.
        let first = text.words.get(near.start).map_or(0, |word| word.span.start as u32);
        let opens = |feeling: &&Feeling| feeling.span.start == first && feeling.is_felt();
        if let Some(feeling) = self.feelings.iter().find(opens) {
            return vec![End::felt(feeling)];
        }
        let Some(head) = head else { return self.felt(&near).take(1).collect() };
        let mut found = Vec::new();
        if head.is_clause
            && let Some((name, span)) = argument_label::noun(text, &because.cause, before_link)
        {
            found.push(End { name, feels: false, phrase: Some((span, MentionSource::Phrase)) });
        }
        found.push(End::of(head));
        found
    }

    /// The names on a side without other content: "Hùng làm mình buồn", "my mom and dad made me proud".
    fn names_alone(&self, side: &Range<usize>) -> Vec<End> {
        let names: Vec<&Mention> = self.mentions_in(side).filter(|mention| self.is_certain(mention)).collect();
        let joins = |at: usize| {
            matches!(self.text.keys[at].as_str(), "and" | "và" | "cùng" | "với" | "always" | "cũng")
                || matches!(class(self.text, at), Class::Article | Class::Determiner | Class::Adverb)
        };
        let is_named = |at: usize| {
            let word = &self.text.words[at].span;
            names.iter().any(|name| name.span.start as usize <= word.start && word.start < name.span.end as usize)
        };
        if names.is_empty() || !side.clone().all(|at| is_named(at) || joins(at)) {
            return Vec::new();
        }
        let mut ends: Vec<End> = Vec::new();
        for name in names {
            if !ends.iter().any(|end| end.name == name.name) {
                ends.push(End::named(name));
            }
        }
        ends.truncate(2);
        ends
    }

    /// The noun phrase that is the cause, and the names in its label: "Linh's silence" and Linh.
    fn thing(&self, because: &Because, near: &Range<usize>, before_link: bool) -> Vec<End> {
        let text = self.text;
        let points = |at: usize| matches!(text.keys[at].as_str(), "which" | "that" | "this" | "it" | "what");
        let bare = |at: &usize| !matches!(class(text, *at), Class::Auxiliary | Class::Adverb);
        let last = near.clone().rev().find(bare).filter(|_| before_link);
        let pointer = last.filter(|at| points(*at));
        // "You made me": the person is not named.
        if last.is_some_and(|at| matches!(class(text, at), Class::Pronoun | Class::Contracted) && !points(at)) {
            return Vec::new();
        }
        // "The book, not the film, bored me".
        if before_link && text.keys[near.start] == "not" {
            return Vec::new();
        }
        // "Mẹ làm mình tô phở": making a thing, without a feeling.
        let makes = because.verb.starts_with("làm") && self.felt(&because.effect).next().is_none();
        let names = if makes { Vec::new() } else { self.names_alone(near) };
        if !names.is_empty() {
            return names;
        }
        let and = || near.clone().rev().find(|at| text.keys[*at] == "and").filter(|at| at + 1 < near.end);
        if because.joins == Joins::Feeling
            && pointer.is_none()
            && let Some(and) = and()
        {
            return self.behind_and(and + 1..near.end);
        }
        let thing = match pointer {
            // "He forgot to call and made me sad": the subject is further away.
            None if before_link && text.keys[because.cause.end - 1] == "and" => None,
            None if before_link => argument_label::thing_before(text, &because.cause),
            None => argument_label::thing(text, &because.cause),
            // "A sermon that made me angry"; after a comma the whole clause is meant.
            Some(at) if matches!(text.keys[at].as_str(), "that" | "which") && text.follows(at) => {
                argument_label::thing_before(text, &(near.start..at))
            }
            Some(at) if text.keys[at] == "what" => return self.said_to_be(near.start..at).into_iter().collect(),
            Some(_) => None,
        };
        let done = || {
            let near = near.start..pointer.unwrap_or(near.end);
            let side = because.cause.start..near.end;
            if pointer.is_some() { argument_label::said(text, &near, true) } else { self.what_was_done(&near) }
                .or_else(|| self.wider(&side, &near, before_link))
        };
        let Some(head) = thing
            .or_else(|| done().filter(|_| before_link))
            .or_else(|| argument_label::thing(text, near).filter(|_| !before_link))
        else {
            return Vec::new();
        };
        let here = |mention: &&Mention| self.is_certain(mention) && overlap(&mention.span, &head.span);
        let mut named: Vec<&Mention> = self.mentions.iter().filter(here).collect();
        named.sort_by_key(|mention| (mention.kind != Some(EntityKind::Event), mention.span.start));
        named.truncate(2);
        let is_event = named.first().is_some_and(|mention| mention.kind == Some(EntityKind::Event));
        let is_name =
            named.iter().any(|mention| mention.span.start <= head.span.start && mention.span.end >= head.span.end);
        let felt = self.feelings.iter().find(|feeling| {
            overlap(&feeling.span, &head.span) && feeling.is_felt() && named.is_empty() && !head.is_clause
        });
        if let Some(feeling) = felt.filter(|feeling| feeling.span == head.span) {
            return vec![End::felt(feeling)];
        }
        let own = (!is_event && !is_name).then(|| End::of(head.clone()));
        let named = named.into_iter().map(End::named);
        own.into_iter().chain(named).take(2).collect()
    }

    /// "I went to work and [the boss] annoyed me": the subject of the second clause.
    fn behind_and(&self, part: Range<usize>) -> Vec<End> {
        let named = self.names_alone(&part);
        if !named.is_empty() {
            return named;
        }
        argument_label::thing_before(self.text, &part).map(End::of).into_iter().collect()
    }

    /// "[His attitude is] what inspired me": the subject of the copula.
    fn said_to_be(&self, words: Range<usize>) -> Option<End> {
        let is = |at: usize| class(self.text, at) == Class::Auxiliary;
        let last = words.clone().rev().find(|at| !is(*at))?;
        let said = words.start..last + 1;
        let told = said.end < words.end && (said.len() > 1 || class(self.text, said.start) == Class::Word);
        told.then(|| argument_label::thing_before(self.text, &said)).flatten().map(End::of)
    }

    /// The induced action of the writer: "laugh", "miss the train".
    fn done(&self, words: &Range<usize>) -> Option<ArgumentLabel> {
        let text = self.text;
        let ends = |at: &usize| *at >= words.start + MOST_DONE || text.breaks(*at) || class(text, *at) == Class::Closer;
        let end = (words.start + 1..words.end).find(ends).unwrap_or(words.end);
        let does =
            words.start < words.end && matches!(class(text, words.start), Class::Verb | Class::Either | Class::Gerund);
        does.then(|| argument_label::label(text, words.start..end, true))
    }

    /// The names and events that are arguments of a clause: its subject and objects; not places or comparisons.
    fn bearing(&self, clause: &Range<usize>) -> Vec<End> {
        let text = self.text;
        let bears = |end: &End| {
            let mention = self.mentions_in(clause).find(|mention| mention.name == end.name);
            let Some(mention) = mention.filter(|mention| !TITLES.any.contains(fold_case(&mention.name).as_str()))
            else {
                return false;
            };
            let at = text.word_at(mention.span.start);
            let article = matches!(text.key_before(clause, at, 1), "the" | "a" | "an" | "my" | "our" | "that" | "this");
            let before = text.key_before(clause, at, if article { 2 } else { 1 });
            let aside = SENSES.beside.contains(before);
            let place = mention.kind.or(mention.guess) == Some(EntityKind::Place);
            // "The antenna that Linh chose": the relative clause is about the antenna.
            let relative =
                (clause.start + 1..at).any(|at| matches!(text.keys[at].as_str(), "that" | "who" | "which" | "whom"));
            if relative || (place && at > clause.start + 1) {
                return false;
            }
            let where_it_was = place && PHRASES.at_a_place.contains(before);
            // "The mayor of Paris" and "the tail of the match" are other things than these.
            let another =
                at > clause.start + MOST_BEFORE && matches!(before, "of" | "for" | "in" | "on" | "as" | "from");
            !(aside || where_it_was || another)
        };
        self.named(clause).into_iter().filter(bears).collect()
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::super::{FixedReading, extract_by_rule, extract_read, tests::causes};
    use crate::journal::RelationKind;

    #[test]
    fn where_somebody_felt_it_is_not_what_about() {
        let about = |text| {
            let relations = extract_by_rule(text, date(2026, 3, 2)).relations.into_iter();
            relations.filter(|told| told.kind == RelationKind::Emotional).count()
        };
        assert_eq!(about("The news shocked me at the office."), 0);
        assert_eq!(about("A tired @Linh came home."), 0);
        assert_eq!(about("I am worried about @Linh."), 1);
    }

    #[test]
    fn time_and_doing_are_no_causes() {
        for text in [
            "Since we last spoke, I started teaching.",
            "A lot has happened since we talked.",
            "Now that would be something, haha.",
            "You're doing something amazing! Creating a family is lovely.",
            "The author is amazing at creating stories.",
        ] {
            assert_eq!(causes(text), [""; 0], "{text}");
        }
        assert_eq!(causes("Now that the exam is over, I am calm."), ["exam -> calm"]);
        assert_eq!(causes("His attitude is what inspired me."), ["his attitude -> inspired"]);
    }

    #[test]
    fn what_is_denied_or_no_link_states_nothing() {
        for text in [
            "Mum's so worried she's not sleeping.",
            "Gran retired as headmistress and still corrects the menus.",
            "Malcolm resigned as chairman, his wife is ill.",
            "Không phải tại con Su nên mình mệt.",
            "Không phải hỏng do quá tải, là con chuột cắn dây.",
            "Mình có nên đi theo không.",
            "She shut the door so hard the map fell down.",
            "I left early and so did the man in front of me.",
            "Home from having the tooth out.",
            "Tủi thân, hổng phải tại đau.",
            "Mình chưa kịp nói lý do thầy đã quay đi.",
            "Dreamt I was ashamed because I had no shoes.",
            "I wasn't sad because he left, I was sad because nobody told me.",
        ] {
            assert_eq!(causes(text), [""; 0], "{text}");
        }
        assert_eq!(causes("Tired, so I slept."), ["tired -> I slept"]);
    }

    #[test]
    fn who_stands_alone_before_the_link_word_is_the_cause() {
        assert_eq!(causes("My sister made me angry."), ["sister -> angry"]);
        assert_eq!(causes("Mom always makes me happy."), ["Mom -> happy"]);
        assert_eq!(causes("Linh and Emma made me proud."), ["Linh -> proud", "Emma -> proud"]);
        assert_eq!(causes("Hùng làm mình buồn."), ["Hùng -> buồn"]);
        assert_eq!(causes("Mẹ làm mình buồn."), ["mẹ -> buồn"]);
    }

    #[test]
    fn what_others_feel_is_told_of_them() {
        assert_eq!(causes("Minh was angry because I shouted."), ["I shouted -> Minh was angry"]);
        assert_eq!(causes("My mom was proud because I passed."), ["I passed -> my mom was proud"]);
        assert_eq!(causes("The kids were happy because of the snow."), ["snow -> the kids were happy"]);
        assert_eq!(causes("Mẹ buồn vì mình về muộn."), ["mình về muộn -> mẹ buồn"]);
        assert_eq!(causes("His anger made me sad."), ["his anger -> sad"]);
    }

    #[test]
    fn what_is_conceded_is_no_cause() {
        // The model points at the first clause.
        let told = |text: &str| {
            let pointed = text.find(',').map(|end| 0..end);
            let read = FixedReading { own: Some(9.0), cause: Some(9.0), pointed, ..FixedReading::default() };
            let told = extract_read(text, date(2026, 3, 2), Some(&read)).relations.into_iter();
            told.filter(|told| told.kind == RelationKind::Causal).map(|told| told.source).collect::<Vec<_>>()
        };
        let late = "Feld put me on the late shift for the concert, although I had asked in August. Furious.";
        assert!(!told(late).iter().any(|cause| cause.contains("asked")), "{:?}", told(late));
        assert!(told(late).iter().any(|cause| cause.contains("Feld")), "{:?}", told(late));
        let home = "Mẹ bỏ về sớm, mặc dù mình đã nấu cơm. Buồn.";
        assert!(!told(home).iter().any(|cause| cause.contains("nấu")), "{:?}", told(home));
        assert!(told(home).iter().any(|cause| cause.contains("mẹ") || cause.contains("Mẹ")), "{:?}", told(home));
    }

    #[test]
    fn a_rejected_feeling_is_no_effect() {
        let text = "Sad because nobody sings in the choir; glad, because it was me who wrote the letter.";
        let read = FixedReading { own: Some(-9.0), cause: Some(9.0), ..FixedReading::default() };
        let told = extract_read(text, date(2026, 3, 2), Some(&read)).relations;
        assert!(told.iter().all(|told| told.kind != RelationKind::Causal), "{told:?}");
        let read = FixedReading { own: Some(9.0), ..read };
        let told = extract_read(text, date(2026, 3, 2), Some(&read)).relations;
        assert!(told.iter().any(|told| told.target == "glad"), "{told:?}");
    }

    #[test]
    fn a_word_of_vietnamese_in_english_is_an_english_word() {
        assert_eq!(causes("Hùng and I do yoga."), [""; 0]);
        assert_eq!(causes("At the café I do my writing."), [""; 0]);
        assert_eq!(causes("Mình mệt do thiếu ngủ."), ["thiếu ngủ -> mệt"]);
    }
}
