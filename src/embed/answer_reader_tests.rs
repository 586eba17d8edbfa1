use super::*;
use std::path::Path;

use crate::embed::{bundled, reader};

/// The likeliest cause of a text, and by how much it is likelier than none.
fn cause<'t>(question: &str, text: &'t str) -> (&'t str, f32) {
    let reader = bundled::answer_reader().unwrap();
    let found = reader.point(question, &[text]).unwrap().remove(0);
    let spans = (0..found.spans.len()).flat_map(|first| (first..found.spans.len()).map(move |last| (first, last)));
    let logit = |(first, last): (usize, usize)| found.logits[first][0] + found.logits[last][1];
    let best = spans.max_by(|a, b| logit(*a).total_cmp(&logit(*b))).unwrap();
    (&text[found.spans[best.0].start..found.spans[best.1].end], logit(best))
}

#[test]
fn the_cause_is_found_in_the_text_that_the_question_is_about() {
    let bus = "The bus broke down near the bridge, so I was late for work.";
    let cat = "Tired all afternoon because the cat woke me at four.";
    for (question, right, words, other) in
        [("why was I late for work", bus, "bus broke down", cat), ("why was I so sleepy", cat, "cat woke me", bus)]
    {
        let ((found, likely), (_, unlikely)) = (cause(question, right), cause(question, other));
        assert!(found.contains(words) && likely > unlikely + 2.0, "{found} {likely} {unlikely}");
    }
}

#[test]
fn a_text_about_another_thing_has_no_answer() {
    let question = "why did I not get to the office in time";
    let (_, told) = cause(question, "The bus broke down near the bridge, so I was late for work.");
    let (_, untold) = cause(question, "We painted the kitchen yellow and ate soup in the garden.");
    assert!(told > untold + 4.0, "{told} {untold}");
}

#[test]
fn a_text_without_known_words_has_no_pieces_and_a_long_one_is_cut() {
    let reader = bundled::answer_reader().unwrap();
    let long = "I walked by the river. ".repeat(200);
    let found = reader.point("why did I walk", &["🙂", &long]).unwrap();
    assert!(found[0].spans.is_empty());
    assert!((200..256).contains(&found[1].spans.len()), "{}", found[1].spans.len());
    assert_eq!(reader.point("🙂", &["I walked."]).unwrap(), [Pointers::default()]);
}

#[test]
fn adapters_that_are_damaged_incomplete_or_of_another_encoder_are_refused() {
    let card = bundled::reader_card().unwrap();
    let tokens = || reader::tokens(&card, kioku_reader::VOCABULARY.into(), Path::new("")).unwrap();
    let load = |changes: &[u8]| {
        let loaded =
            AdaptedReader::<AnswerHead>::of_bytes(&card, kioku_reader::WEIGHTS, changes, tokens(), Path::new("here"));
        loaded.map(drop).unwrap_err().to_string()
    };
    assert!(load(&kioku_adapters::ANSWERS[..400_000]).contains("damaged"));
    assert!(load(kioku_reader::WEIGHTS).contains("adapter"));
    let mut renamed = kioku_adapters::ANSWERS.to_vec();
    let name = b"layer.3.output.dense.down";
    let at = renamed.windows(name.len()).position(|bytes| bytes == name).unwrap();
    renamed[at + name.len() - 1] = b'm';
    assert!(load(&renamed).contains("35 products"));
}
