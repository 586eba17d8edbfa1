//! Experiencer of a feeling: the writer, unless the words before it name another person.

use std::ops::Range;

use super::{Class, GAZETTEER, Gap, Shape, Word, class, feeling_modifiers::AROUND, is_denial, plain_names, text::Text};

/// The nearest subject before the feeling: the writer unless another person is named. "Made me sad" is the writer.
pub(super) fn own(text: &Text<'_>, span: &Range<usize>, before: &[&str]) -> bool {
    let first = span.start - before.len();
    // "An angry Linh", "Happy Christmas".
    let next = text.keys.get(span.end).filter(|_| text.follows(span.end));
    let is_day = next.is_some_and(|next| AROUND.days.contains(next.trim_start_matches('@')));
    let named = next.is_some() && text.words[span.end].shape == Shape::Capital && !is_day;
    let article = first < span.start && class(text, span.start - 1) == Class::Article;
    if named && article || is_day && before.is_empty() && text.keys[span.start] == "happy" {
        return false;
    }
    for at in (first..span.start).rev() {
        let key = text.keys[at].as_str();
        if AROUND.own.contains(key) {
            // "Bạn mình buồn", "em gái mình buồn": my friend is, my sister is.
            let belongs = matches!(key, "mình" | "tôi" | "tớ" | "tao") && is_own_person(text, first..at);
            return !belongs;
        }
        // "Linh was angry": a name followed by a form of "to be" or "to feel".
        let verb = text
            .keys
            .get(at + 1)
            .is_some_and(|next| AROUND.being.contains(next.as_str()) || AROUND.feeling.contains(next.as_str()));
        // "In Hội An felt happy", "met Linh was happy".
        let behind = at > first && matches!(class(text, at - 1), Class::Preposition | Class::Verb | Class::Gerund);
        let capital = matches!(text.words[at].shape, Shape::Capital | Shape::AllCapitals);
        let name = verb && at + 1 < span.start && capital && !behind;
        if is_somebody(text, first..span.start, at) {
            return false;
        }
        if AROUND.others.contains(key) || (name && !AROUND.feeling.contains(key) && !AROUND.being.contains(key)) {
            return false;
        }
    }
    true
}

/// Whether a clause says this word of the writer: "cried all night", "I cried", but not "Mia cried", "he is lonely".
pub fn is_writers(clause: &str, word: &Range<usize>) -> bool {
    let text = Text::new(clause, &[]);
    let within = |one: &Word| one.span.start < word.end && word.start < one.span.end;
    let Some(at) = text.words.iter().position(within) else { return true };
    let Some(sentence) = text.sentence_of(at) else { return true };
    let before = clause_before(&text, sentence, at);
    let first = at - before.len();
    let is_between =
        |at: usize| matches!(class(&text, at), Class::Adverb | Class::Auxiliary) || is_denial(&text.keys[at]);
    let subject = (first..at).rev().find(|at| !is_between(*at));
    let is_person = |at: usize| {
        let named = GAZETTEER.first_names.contains(text.keys[at].as_str());
        let capital = text.words[at].shape == Shape::Capital;
        plain_names::is_relative(&text, at) || capital && (named || at > sentence.start && text.follows(at))
    };
    own(&text, &(at..at + 1), &before)
        && !subject.is_some_and(|at| !AROUND.own.contains(text.keys[at].as_str()) && is_person(at))
}

/// Whether all these words denote a person by their relation to the writer: `bạn`, `em gái`, `bà ngoại`.
fn is_own_person(text: &Text<'_>, words: Range<usize>) -> bool {
    let [who, which @ ..] = &text.keys[words.clone()] else { return false };
    let is_which = which.iter().all(|which| AROUND.which_people.contains(which.as_str()));
    let is_person = || AROUND.own_people.contains(who.as_str()) || plain_names::is_relative(text, words.start);
    which.len() < 2 && is_which && is_person()
}

/// "My brother is sad", "the kids were happy", "customers often get mad": a noun is the subject of the predicate.
fn is_somebody(text: &Text<'_>, clause: Range<usize>, at: usize) -> bool {
    let until = clause.end;
    let is_adverb = |at: &usize| {
        class(text, *at) == Class::Adverb || matches!(text.keys[*at].as_str(), "often" | "always" | "sometimes" | "all")
    };
    let next = (at + 1..until).find(|at| !is_adverb(at));
    let verb =
        next.filter(|next| (at + 1..=*next).all(|at| text.follows(at))).map_or("", |next| text.keys[next].as_str());
    let (is, feels) = (AROUND.being.contains(verb), AROUND.feeling.contains(verb));
    if !verb.is_ascii() || !(is || feels) {
        return false;
    }
    let within = |word: &usize| {
        matches!(class(text, *word), Class::Word | Class::Adjective | Class::Plain | Class::Article | Class::Determiner)
    };
    let start = (clause.start..at).rev().take_while(within).last().unwrap_or(at);
    // "After my shift was exhausted", "saw my sister was so happy": the writer is the omitted subject.
    let acts = |word: usize| {
        matches!(class(text, word), Class::Preposition | Class::Verb | Class::Gerund) || text.keys[word] == "after"
    };
    if start > clause.start && acts(start - 1) {
        return false;
    }
    if plain_names::is_relative(text, at) {
        return true;
    }
    let key = text.bare_key(at);
    let word = &text.words[at];
    let noun = (word.shape == Shape::Lower || word.gap == Gap::Sentence)
        && matches!(class(text, at), Class::Word | Class::Either);
    let opened = (start..at).any(|word| matches!(class(text, word), Class::Article | Class::Determiner));
    let many = key.len() > 3 && key.ends_with('s') && !key.ends_with("ss");
    let own = |key: &str| AROUND.own_things.contains(key);
    noun && !own(key)
        && !own(key.trim_end_matches('s'))
        && (is && opened || many && (is || verb == "get" || verb == "got"))
}

/// "Books bring joy", "reducing stress is nice": a feeling as a noun, in a clause without the writer.
pub(super) fn is_spoken_of(text: &Text<'_>, span: &Range<usize>, before: &[&str]) -> bool {
    const ENDINGS: [&str; 6] = ["ness", "ment", "tion", "ance", "ude", "ety"];
    let key = text.keys[span.start].as_str();
    let is_thing =
        span.len() == 1 && (AROUND.as_a_thing.contains(key) || ENDINGS.iter().any(|ending| key.ends_with(ending)));
    if !is_thing || before.iter().any(|word| AROUND.own.contains(word) || AROUND.feeling.contains(word)) {
        return false;
    }
    let first = span.start - before.len();
    let acts_behind =
        text.follows(span.end) && matches!(class(text, span.end), Class::Auxiliary | Class::Verb | Class::Either);
    let is_subject = acts_behind && (first..span.start).any(|at| class(text, at) == Class::Gerund);
    is_subject || before.iter().any(|word| AROUND.bringing.contains(word))
}

/// The words before, back to the start of the clause, in text order.
pub(super) fn clause_before<'a>(text: &'a Text<'_>, sentence: &Range<usize>, at: usize) -> Vec<&'a str> {
    let first = text.part_start(sentence, at, |word| AROUND.clause_openers.contains(word));
    text.keys[first..at].iter().map(String::as_str).collect()
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::is_writers;
    use crate::extract::extract_by_rule;

    #[test]
    fn whose_a_feeling_is() {
        let own = |text| {
            let feelings = extract_by_rule(text, date(2026, 3, 2)).feelings.into_iter();
            feelings.filter(|feeling| feeling.is_felt()).count()
        };
        for text in [
            "My brother is sad.",
            "My mom was angry.",
            "The kids were happy.",
            "The boss was furious.",
            "My friends are worried about me.",
            "The movie was sad.",
            "Bạn mình buồn lắm.",
            "Em gái mình buồn quá.",
            "Anh mình vui lắm.",
            "My family is very sad.",
            "Customers often get mad.",
            "An angry Linh slammed the door.",
            "Happy [[Christmas]] everyone!",
            "Books bring joy.",
            "Reducing stress is nice.",
            "Tom got the sack. Furious, he was.",
            "Gran won the raffle. Delighted, bless her.",
            "Joy said she was late.",
            "Hope is coming on Friday.",
        ] {
            assert_eq!(own(text), 0, "{text}");
        }
        for text in [
            "My heart is sad.",
            "The day was sad.",
            "All day I was sad.",
            "My hands are cold and I am afraid.",
            "My main feeling was relief.",
            "What I felt was anger.",
            "The news made me sad.",
            "Hôm nay thấy vui.",
            "Đi chơi với mẹ mình vui lắm.",
            "Woke with dread.",
            "Exam stress all week.",
            "It fills me with joy.",
            "Shaking with anger.",
            "Had anxiety at work.",
            "Then came the guilt.",
            "Today brought joy.",
            "Happy Linh is home.",
            "A lonely Christmas.",
            "My legs were tired.",
            "The evenings are lonely.",
            "After my shift was exhausted.",
            "Talked to my brother felt relieved.",
            "The trip to Hanoi exhausted me.",
            "I think Linh annoyed me on purpose.",
            "I ate nothing and was tired.",
            "I feel alone @work.",
            "In [[Hội An]] felt happy.",
            "Furious, he was late again.",
            "Joy at last.",
        ] {
            assert_eq!(own(text), 1, "{text}");
        }
    }

    #[test]
    fn whose_a_clause_is() {
        let of_writer = |clause: &str, word: &str| {
            let at = clause.find(word).unwrap();
            is_writers(clause, &(at..at + word.len()))
        };
        for clause in ["cried all night", "I cried", "then I quietly cried", "Linh left and I cried"] {
            assert!(of_writer(clause, "cried"), "{clause}");
        }
        for clause in ["Mia cried", "he nearly cried", "my sister cried", "when Tom left Anna cried"] {
            assert!(!of_writer(clause, "cried"), "{clause}");
        }
    }

    #[test]
    fn what_is_denied_is_not_felt() {
        let felt = |text| {
            let feelings = extract_by_rule(text, date(2026, 3, 2)).feelings.into_iter();
            feelings.filter(|feeling| feeling.own && !feeling.denied).count()
        };
        for text in ["i wasnt even angry", "didnt panic once", "Vui sao nổi.", "Có gì đâu mà buồn.", "Giận không nổi."]
        {
            assert_eq!(felt(text), 0, "{text}");
        }
        for text in ["i have never been so happy in my life", "I have never been happier", "Giận không chịu được."]
        {
            assert_eq!(felt(text), 1, "{text}");
        }
    }

    #[test]
    fn a_dish_denies_nothing() {
        let denied = |text| extract_by_rule(text, date(2026, 3, 2)).feelings.into_iter().any(|feeling| feeling.denied);
        assert!(!denied("Bún chả làm mình vui."));
        assert!(denied("Mình chả vui."));
    }
}
