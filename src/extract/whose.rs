//! Whose a feeling is: the writer's, unless the words before it say otherwise.

use std::ops::Range;

use super::{
    around::AROUND,
    grammar::{Class, class},
    plain_names,
    text::Text,
    words::{Gap, Shape},
};

/// The nearest subject before the feeling: the writer unless somebody else is named. "Made me sad" is the writer's.
pub(super) fn own(text: &Text<'_>, span: &Range<usize>, before: &[&str]) -> bool {
    let around = &*AROUND;
    let first = span.start - before.len();
    // "An angry Linh", "Happy Christmas".
    let named = text.follows(span.end) && text.words[span.end].shape == Shape::Capital;
    let greets = before.is_empty() && text.keys[span.start] == "happy";
    let article = first < span.start && class(text, span.start - 1) == Class::Article;
    if named && (greets || article) || greets && text.keys.get(span.end).is_some_and(|next| next == "birthday") {
        return false;
    }
    for at in (first..span.start).rev() {
        let key = text.keys[at].as_str();
        if around.own.contains(key) {
            // "Bạn mình buồn": my friend is.
            let belongs = at == first + 1
                && matches!(key, "mình" | "tôi" | "tớ" | "tao")
                && (text.keys[first] == "bạn" || plain_names::is_relative(text, first));
            return !belongs;
        }
        // "Linh was angry": a name with a form of "to be" or "to feel" behind it.
        let verb = text
            .keys
            .get(at + 1)
            .is_some_and(|next| around.being.contains(next.as_str()) || around.feeling.contains(next.as_str()));
        // "In Hội An felt happy".
        let behind = at > first && class(text, at - 1) == Class::Preposition;
        let capital = matches!(text.words[at].shape, Shape::Capital | Shape::AllCapitals);
        let name = verb && at + 1 < span.start && capital && !behind;
        if is_somebody(text, at, span.start) {
            return false;
        }
        if around.others.contains(key) || (name && !around.feeling.contains(key) && !around.being.contains(key)) {
            return false;
        }
    }
    true
}

/// "My brother is sad", "the kids were happy", "customers often get mad": a noun before the verb that says how it is.
fn is_somebody(text: &Text<'_>, at: usize, until: usize) -> bool {
    let around = &*AROUND;
    let is_adverb = |at: &usize| {
        class(text, *at) == Class::Adverb || matches!(text.keys[*at].as_str(), "often" | "always" | "sometimes" | "all")
    };
    let next = (at + 1..until).find(|at| !is_adverb(at));
    let verb =
        next.filter(|next| (at + 1..=*next).all(|at| text.follows(at))).map_or("", |next| text.keys[next].as_str());
    let (is, feels) = (around.being.contains(verb), around.feeling.contains(verb));
    if !verb.is_ascii() || !(is || feels) {
        return false;
    }
    if plain_names::is_relative(text, at) {
        return true;
    }
    let key = text.bare_key(at);
    let word = &text.words[at];
    let noun = (word.shape == Shape::Lower || word.gap == Gap::Sentence)
        && matches!(class(text, at), Class::Word | Class::Either);
    let opens = |word: usize| matches!(class(text, word), Class::Article | Class::Determiner);
    let within = |word: usize| matches!(class(text, word), Class::Word | Class::Adjective | Class::Plain);
    let opened = (0..at).rev().find(|word| !within(*word)).is_some_and(opens);
    let many = key.len() > 3 && key.ends_with('s') && !key.ends_with("ss");
    noun && !around.own_things.contains(key) && (is && opened || many && (is || verb == "get" || verb == "got"))
}

/// "Books bring joy", "high stress cities": a feeling spoken of as a thing, in a clause without the writer. What opens with its
/// verb is the writer's, as diaries are written: "woke with dread".
pub(super) fn is_spoken_of(text: &Text<'_>, span: &Range<usize>, before: &[&str]) -> bool {
    const NOUNS: [&str; 26] = [
        "joy",
        "pride",
        "relief",
        "grief",
        "anger",
        "fury",
        "rage",
        "envy",
        "fear",
        "stress",
        "worry",
        "panic",
        "dread",
        "terror",
        "guilt",
        "shame",
        "regret",
        "misery",
        "despair",
        "disgust",
        "delight",
        "jealousy",
        "curiosity",
        "nostalgia",
        "boredom",
        "remorse",
    ];
    const ENDINGS: [&str; 6] = ["ness", "ment", "tion", "ance", "ude", "ety"];
    let around = &*AROUND;
    let key = text.keys[span.start].as_str();
    let is_thing = span.len() == 1 && (NOUNS.contains(&key) || ENDINGS.iter().any(|ending| key.ends_with(ending)));
    if !is_thing || before.iter().any(|word| around.own.contains(word) || around.feeling.contains(word)) {
        return false;
    }
    let first = span.start - before.len();
    let opens_with_verb = !before.is_empty() && class(text, first) == Class::Verb;
    let acts = |at: usize| matches!(class(text, at), Class::Verb | Class::Gerund | Class::Auxiliary);
    let of_a_thing = text.words.get(span.end).is_some_and(|next| next.gap == Gap::Space && next.shape == Shape::Lower)
        && class(text, span.end) == Class::Word
        && text.keys[span.end].is_ascii()
        && !before.is_empty();
    of_a_thing || !opens_with_verb && (first..span.start).any(acts)
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use crate::extract::extract_text;

    #[test]
    fn whose_a_feeling_is() {
        let own = |text| {
            let feelings = extract_text(text, date(2026, 3, 2)).feelings.into_iter();
            feelings.filter(|feeling| feeling.own && !feeling.denied).count()
        };
        for text in [
            "My brother is sad.",
            "My mom was angry.",
            "The kids were happy.",
            "The boss was furious.",
            "My friends are worried about me.",
            "The movie was sad.",
            "Bạn mình buồn lắm.",
            "My family is very sad.",
            "Customers often get mad.",
            "An angry Linh slammed the door.",
            "Happy [[Christmas]] everyone!",
            "Books bring joy.",
            "Reducing stress is nice.",
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
            "I ate nothing and was tired.",
            "I feel alone @work.",
            "In [[Hội An]] felt happy.",
        ] {
            assert_eq!(own(text), 1, "{text}");
        }
    }

    #[test]
    fn a_dish_denies_nothing() {
        let denied = |text| extract_text(text, date(2026, 3, 2)).feelings.into_iter().any(|feeling| feeling.denied);
        assert!(!denied("Bún chả làm mình vui."));
        assert!(denied("Mình chả vui."));
    }
}
