//! Psychological verbs ("the noise annoyed me", "work stresses me out"): phrases that express an effect on the writer,
//! and whether they are asserted.

use std::ops::Range;

use super::{Class, class, feeling_modifiers::AROUND, language::List, named_items, text::Text};

/// The phrases that express an effect on the writer: `annoyed me`, `stresses me out`.
pub(super) fn brought_about() -> impl Iterator<Item = &'static str> {
    let forms = named_items(List::Feelings).map(|(.., form)| form.trim_start_matches('~'));
    forms.filter(|form| is_brought_about(form.split(' ')))
}

/// Whether some words are such a phrase.
pub(super) fn is_brought_about<'a>(mut words: impl Iterator<Item = &'a str>) -> bool {
    words.any(|word| word == "me")
}

/// Whether "the noise annoyed me" is asserted: not negated, dreamt, desired, feared, almost, or said by another person.
/// Any such word before it in its part of the sentence is enough, because its scope is hard to determine.
pub(super) fn comes_about_so(text: &Text<'_>, sentence: &Range<usize>, span: &Range<usize>) -> bool {
    let first = text.part_start(sentence, span.start, joins);
    let key = |at: usize| text.keys[at].as_str();
    // "No wonder", "what Linh said".
    let meant = |at: usize| {
        let said = (first..at).any(|before| key(before) == "what");
        !(said || at > first && key(at) == "wonder" && key(at - 1) == "no")
    };
    let open = |at: usize| {
        AROUND.unreal.contains(key(at))
            || AROUND.wishing.contains(key(at))
            || AROUND.supposing.contains(key(at))
            || AROUND.not_so.contains(key(at)) && meant(at)
            || ["'ve", "'d", "'ll"].iter().any(|ending| key(at).ends_with(ending))
            || key(at) == "no" && matches!(text.keys.get(at + 1).map(String::as_str), Some("longer" | "more"))
            || key(at) == "to" && at + 1 == span.start
    };
    let next = |ahead: usize| text.key_in(sentence, span.end + ahead);
    let measure = matches!(next(1), "lot" | "bit" | "little");
    let behind = matches!((next(0), next(1)), ("no", "longer" | "more")) || matches!(next(0), "a" | "an") && !measure;
    let asks = text.asks(sentence);
    let denied = verb_is_denied(text, sentence, span.start);
    !(denied || behind || asks || (first..span.start).any(open) || text.is_quoted(span.start))
}

fn joins(word: &str) -> bool {
    matches!(word, "but" | "because" | "and" | "nhưng" | "vì" | "và")
}

/// Whether the verb of the clause before a word is negated: "it wasn't the noise that made me angry"; not "not sleeping
/// makes me cranky".
pub(super) fn verb_is_denied(text: &Text<'_>, sentence: &Range<usize>, at: usize) -> bool {
    let first = text.part_start(sentence, at, joins);
    (first..at).any(|at| {
        let opens = at == first;
        match text.keys[at].as_str() {
            "not" => !opens && matches!(class(text, at - 1), Class::Auxiliary | Class::Contracted),
            "never" | "hardly" => !opens,
            "giờ" => text.keys[first..at].iter().any(|word| matches!(word.as_str(), "chưa" | "chẳng" | "không")),
            "phải" => !opens && matches!(text.keys[at - 1].as_str(), "không" | "chẳng" | "đâu"),
            key => key.ends_with("n't"),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::causes;

    #[test]
    fn what_makes_the_writer_feel_is_its_cause() {
        assert_eq!(causes("The noise annoyed me all night."), ["noise -> annoyed"]);
        assert_eq!(causes("Work stresses me out."), ["work -> stressed"]);
        assert_eq!(causes("The meeting exhausted me."), ["meeting -> exhausted"]);
        assert_eq!(causes("Linh annoyed me and Emma cheered me up."), ["Linh -> annoyed", "Emma -> cheerful"]);
        assert_eq!(causes("Listening to music calms me down."), ["listening to music -> calm"]);
        assert_eq!(causes("I got up and the cold water shocked me."), ["cold water -> surprised"]);
        assert_eq!(causes("Having no money worries me."), ["no money -> worried"]);
        for text in [
            "Nothing scares me.",
            "As a child the dark scared me.",
            "Minh, who never calls, surprised me.",
            "I know it stresses me out.",
            "He claimed the film inspired me.",
            "I went to work and the boss annoyed me.",
            "The dark no longer scares me.",
            "You annoyed me.",
            "Did the storm annoy me?",
            "If the noise annoys me, I leave.",
            "It would have scared me.",
            "The dog annoyed Linh.",
            "None of the noise annoyed me.",
            "It wasn't the noise that annoyed me but the smell.",
            "I don't think the noise annoyed me.",
            "Thunder scares me no longer.",
            "I dreamt that a bear scared me.",
            "I wish my job inspired me.",
            "Linh would've annoyed me.",
            "The ghost almost scared me.",
            "I had pizza. It worries me that Linh is ill.",
            "The book, not the film, bored me.",
            "I wonder what scared me.",
            "Mom said Dad annoyed me.",
            "\"The dog scared me,\" said Linh.",
            "It wasn't the noise that made me angry.",
            "He said it to make me laugh.",
            "Hùng chưa bao giờ làm mình buồn.",
            "Mẹ làm mình tô phở.",
        ] {
            assert_eq!(causes(text), [""; 0], "{text}");
        }
    }
}
