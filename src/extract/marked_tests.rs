//! A marked name is a word of its sentence: what is said of `Linh` is said of `@Linh` and `[[Linh]]`.

use jiff::civil::date;
use proptest::prelude::*;

use super::*;

fn read(text: &str) -> Extract {
    extract_by_rule(text, date(2026, 2, 22))
}

/// What a text states, without where it stands.
fn stated(text: &str) -> Vec<(String, String, RelationKind, String, f32)> {
    let relations = read(text).relations.into_iter();
    relations.map(|told| (told.source, told.target, told.kind, told.verb, told.weight)).collect()
}

fn own_feelings(text: &str) -> Vec<String> {
    let feelings = read(text).feelings.into_iter();
    feelings.filter(|feeling| feeling.own && !feeling.denied).map(|feeling| feeling.name).collect()
}

fn quoted<'a>(text: &'a str, range: &Range<u32>) -> &'a str {
    &text[range.start as usize..range.end as usize]
}

/// `Linh` stands for the name that is marked.
const SENTENCES: [&str; 14] = [
    "Linh made me angry.",
    "I was sad because of Linh.",
    "Sad because of Linh.",
    "Linh's silence made me sad.",
    "I was angry because Linh forgot my birthday.",
    "Linh was angry because I shouted.",
    "Thanks to Linh I slept well.",
    "After lunch with Linh I felt calm.",
    "I am worried about Linh.",
    "Mình buồn vì Linh không gọi.",
    "Mình giận Linh.",
    "Linh told me that the kiln cracked because of the damp.",
    "Linh annoyed me.",
    "I was tired. Linh laughed. The tea helped.",
];
const MARKS: [&str; 4] = ["@Linh", "[[Linh]]", "[[Linh|she]]", "[[Linh (person)]]"];

#[test]
fn what_is_said_of_a_name_is_said_of_its_mark() {
    for sentence in SENTENCES {
        for mark in MARKS {
            let marked = sentence.replace("Linh", mark);
            assert_eq!(stated(&marked), stated(sentence), "{marked}");
            assert_eq!(own_feelings(&marked), own_feelings(sentence), "{marked}");
        }
    }
    assert!(SENTENCES.iter().filter(|sentence| !stated(sentence).is_empty()).count() >= 12);
}

#[test]
fn the_text_that_is_quoted_has_the_mark_and_what_it_is_called_has_not() {
    let text = "I was sad because of [[Project X|the project]]'s noise.";
    let relations = read(text).relations;
    let sources: Vec<&str> = relations.iter().map(|told| told.source.as_str()).collect();
    assert_eq!(sources, ["Project X's noise", "Project X"]);
    assert_eq!(quoted(text, &relations[0].clauses[0]), "[[Project X|the project]]'s noise");
    assert!(!read(text).mentions.iter().any(|mention| mention.name.contains("s noise") && mention.span.start > 30));
}

#[test]
fn a_tag_is_a_word_where_the_sentence_asks_for_one() {
    assert_eq!(stated("Stressed because of #work.")[0].0, "work");
    assert_eq!(stated("I am worried about #work.")[0].0, "work");
    for beside in
        ["I cried because it rained #work.", "#work I cried because it rained.", "I cried because it rained.\n#work"]
    {
        let sources: Vec<String> = stated(beside).into_iter().map(|told| told.0).collect();
        assert_eq!(sources, ["it rained"], "{beside}");
    }
}

#[test]
fn a_mark_says_nothing_but_its_name() {
    let text = "[[Because]] of @Joy and [[Sad]], @May and @Will came. [[The Wedding]] is on [[Friday]].";
    let extract = read(text);
    assert_eq!((extract.feelings.len(), extract.relations.len(), extract.times.len()), (0, 0, 0), "{extract:?}");
    let named: Vec<&str> = extract.mentions.iter().map(|mention| mention.name.as_str()).collect();
    assert_eq!(named, ["Because", "Joy", "Sad", "May", "Will", "The Wedding", "Friday"]);
}

#[test]
fn a_marked_name_is_its_own_beside_others() {
    let named = |text: &str| read(text).mentions.into_iter().map(|mention| mention.name).collect::<Vec<_>>();
    assert_eq!(named("Lunch with @Linh Berg and Emma [[Stone]]"), ["Linh", "Berg", "Emma", "Stone"]);
    assert_eq!(named("with @linh's brother"), ["linh"]);
    assert_eq!(stated("The [[dog]]s scared me.")[0].0, "dog");
}

#[test]
fn a_sentence_without_accents_is_one_with_a_marked_name_too() {
    let causes = |text: &str| stated(text).into_iter().map(|told| (told.0, told.1)).collect::<Vec<_>>();
    let lo_lang = ["Hùng", "Hùng khong tra loi"].map(|cause| (cause.to_owned(), "lo lắng".to_owned()));
    assert_eq!(causes("minh rat lo lang vi @Hùng khong tra loi"), lo_lang);
}

proptest! {
    #[test]
    fn marks_anywhere_are_read_at_their_places(words in proptest::collection::vec(0..12_usize, 1..14)) {
        const WORDS: [&str; 12] = ["@Linh", "[[Hội An|there]]", "#work", "because", "of", "I", "was", "sad", ".", "'s", "the rain", "made me"];
        let text = words.iter().map(|at| WORDS[*at]).collect::<Vec<_>>().join(" ");
        let extract = read(&text);
        for mention in &extract.mentions {
            prop_assert!(text.get(mention.span.start as usize..mention.span.end as usize).is_some());
        }
        for told in &extract.relations {
            for end in [&told.source, &told.target] {
                prop_assert!(!end.contains(['@', '[', '|']), "{}: {}", text, end);
            }
            prop_assert!(told.evidence.start < told.evidence.end && told.evidence.end as usize <= text.len());
        }
    }
}
